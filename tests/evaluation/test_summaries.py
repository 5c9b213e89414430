"""An evaluation in lines and tables of text."""

from bert_keras.evaluation import Evaluation, lines, summary, tables

LABELS = {"neg": {"precision": 0.5, "recall": 1.0, "f1": 0.6667, "support": 1200}}


def test_lines_begin_with_the_main_metric():
    found = Evaluation("labels", 1204, {"accuracy": 0.91234, "macro_f1": 0.9}, {"accuracy": (0.9, 0.92)}, notes=["n"])
    assert lines(found) == [
        "1,204 examples: accuracy 0.9123 (95 % interval 0.9000 to 0.9200)",
        "macro F1 0.9000",
        "n",
    ]
    assert summary(found) == "\n".join(lines(found))


def test_undefined_metric_is_a_dash():
    assert lines(Evaluation("numbers", 1, {"pearson": float("nan")})) == ["1 example: Pearson's correlation –"]


def test_tables_hold_classes_and_confusion():
    found = Evaluation(
        "labels", 3, {"accuracy": 1.0}, classes=LABELS, confusion={"labels": ["neg", "pos"], "matrix": [[1, 2], [0, 3]]}
    )
    assert tables(found) == [
        (
            "each class",
            ["class", "precision", "recall", "F1", "count"],
            [["neg", "0.5000", "1.0000", "0.6667", "1,200"]],
        ),
        ("what is taken for what", ["is \\ taken for", "neg", "pos"], [["neg", "1", "2"], ["pos", "0", "3"]]),
    ]


def test_confusion_of_many_labels_is_a_list_of_the_most_frequent():
    names = [f"label {number}" for number in range(30)]
    matrix = [[9 if row == column else 0 for column in range(30)] for row in range(30)]
    matrix[3][7], matrix[7][3] = 2, 5
    found = Evaluation("labels", 3, {"accuracy": 1.0}, confusion={"labels": names, "matrix": matrix})
    assert tables(found) == [
        (
            "what is taken for what",
            ["is", "taken for", "times"],
            [["label 7", "label 3", "5"], ["label 3", "label 7", "2"]],
        )
    ]

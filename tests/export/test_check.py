"""The check of an exported file on a user's data, for every kind of task."""

import json
from types import SimpleNamespace

import numpy as np
import pytest
import tiny_text

import bert_keras as bk
from bert_keras.errors import InputError
from bert_keras.export import tflite
from bert_keras.export.check import Example, compare
from bert_keras.export.examples import examples
from bert_keras.text.question_rows import question_rows

TOKENIZER = tiny_text.tokenizer()
LENGTH = tiny_text.MAX_LENGTH


def ids_of(found):
    return [example.token_ids.tolist() for example in found]


def rows_of(*texts, pairs=None):
    encoded = TOKENIZER(list(texts), pairs)
    lengths = encoded["padding_mask"].sum(axis=1)
    return [row[:length].tolist() for row, length in zip(encoded["token_ids"], lengths, strict=True)]


def compared(answer, model, file, task):
    """The comparison of two lists of outputs, which a model and a file are made to give."""
    given = iter([file[0], *file])  # the first run is not counted
    runner = SimpleNamespace(
        task=task,
        labels=None,
        answer=answer,
        about={"recipe": "float32"},
        run=lambda inputs: {name: np.float32(value)[None] for name, value in next(given).items()},
    )
    texts = [Example(np.ones(3, np.int32), np.zeros(3, np.int32)) for _ in model]

    def forward(inputs):
        return {name: Tensor([outputs[name] for outputs in model]) for name in model[0]}

    return compare(forward, runner, texts)


class Tensor:
    def __init__(self, values):
        self.values = values

    def numpy(self):
        return np.float32(self.values)


def test_answers_agree_where_begin_and_end_are_the_same():
    # Of the second the end differs, of the third the begin.
    model = [{"start_logits": [0, 2, 1], "end_logits": [0, 1, 2]}] * 3
    file = [
        {"start_logits": [0, 3, 1], "end_logits": [0, 1, 3]},
        {"start_logits": [0, 2, 1], "end_logits": [0, 2, 1]},
        {"start_logits": [2, 0, 1], "end_logits": [0, 1, 2]},
    ]
    found = compared({"kind": "span"}, model, file, "question-answering")
    assert (found.agreement, found.max_probability_difference) == (pytest.approx(1 / 3), None)


def test_decisions_for_labels_agree_by_the_thresholds():
    # 0.3 and 0.35 are both over 0.2, 0.6 and 0.7 on both sides of 0.65; then all alike.
    model = [{"probabilities": [0.3, 0.6]}, {"probabilities": [0.1, 0.6]}]
    file = [{"probabilities": [0.35, 0.7]}, {"probabilities": [0.15, 0.6]}]
    found = compared({"kind": "multi-label", "thresholds": [0.2, 0.65]}, model, file, "multi-label-classification")
    assert found.agreement == pytest.approx(0.75)
    assert found.max_probability_difference == pytest.approx(0.1)


def test_numbers_are_compared_by_their_size_over_all_examples():
    # |file - model| are 0.1 and 0.3; the root mean square of 1 and 7 is 5.
    model, file = [{"values": [1]}, {"values": [7]}], [{"values": [1.1]}, {"values": [7.3]}]
    found = compared({"kind": "number"}, model, file, "text-regression")
    assert (found.mean_difference, found.max_difference) == (pytest.approx(0.04), pytest.approx(0.06))
    assert (found.agreement, found.model_accuracy) == (None, None)


def test_a_conll_file_is_read_in_windows_of_words(tmp_path):
    model = tiny_text.model("token-classification", labels=["O", "B-X"])
    words = ["good"] * 30 + ["film"]
    (tmp_path / "x.conll").write_text("a O\nfilm B-X\n\n" + "".join(f"{word} O\n" for word in words))

    report = tflite(model, tmp_path / "x.tflite", "float32", tmp_path / "x.conll", TOKENIZER)
    found = examples(tmp_path / "x.conll", model, TOKENIZER, LENGTH)

    assert ids_of(found)[0] == rows_of("a film")[0]
    assert len(found) > 2 and max(map(len, ids_of(found))) <= LENGTH
    assert ids_of(found)[-1][-2] == TOKENIZER.ids(["film"])[0][0]  # nothing is cut
    assert (report.examples, report.agreement, report.model_accuracy) == (len(found), 1, None)


def test_a_squad_file_is_read_as_questions_in_windows(tmp_path):
    question, context = "was the film good?", "the film was bad. " * 12
    asked = [{"id": "1", "question": question, "answers": [{"text": "bad", "answer_start": 13}]}]
    document = {"version": "1.1", "data": [{"title": "", "paragraphs": [{"context": context, "qas": asked}]}]}
    (tmp_path / "x.json").write_text(json.dumps(document))
    model = tiny_text.model("question-answering")

    report = tflite(model, tmp_path / "x.tflite", "float32", tmp_path / "x.json", TOKENIZER)

    right = question_rows(TOKENIZER, [question], [context], LENGTH)
    found = examples(tmp_path / "x.json", model, TOKENIZER, LENGTH)
    assert ids_of(found) == [row.token_ids.tolist() for row in right] and len(right) > 2
    assert (report.examples, report.agreement, report.model_accuracy) == (len(right), 1, None)


def test_texts_that_are_compared_are_read_one_by_one(tmp_path):
    (tmp_path / "x.tsv").write_text("sentence1\tsentence2\tscore\ngood\tbad film\t0.5\n")
    found = examples(bk.data.table(tmp_path / "x.tsv"), tiny_text.model("sentence-similarity"), TOKENIZER, LENGTH)
    assert ids_of(found) == rows_of("good", "bad film")


def test_choices_are_rows_of_their_own(tmp_path):
    line = {"prompt": "the film", "choices": ["was good", "bad"], "label": 1}
    (tmp_path / "x.jsonl").write_text(json.dumps(line) + "\n")
    model = tiny_text.model("multiple-choice")
    right = rows_of("the film", "the film", pairs=["was good", "bad"])
    assert ids_of(examples(tmp_path / "x.jsonl", model, TOKENIZER, LENGTH)) == right
    batches = bk.data.read(tmp_path / "x.jsonl", TOKENIZER, model, shuffle=False)
    assert ids_of(examples(batches, model, TOKENIZER, LENGTH)) == right


def test_a_dataset_of_tagged_words_is_a_check_without_labels(tmp_path):
    (tmp_path / "x.conll").write_text("a O\nfilm B-X\n")
    model = tiny_text.model("token-classification", labels=["O", "B-X"])
    [found] = examples(bk.data.read(tmp_path / "x.conll", TOKENIZER, model), model, TOKENIZER, LENGTH)
    assert (found.token_ids.tolist(), found.label) == (rows_of("a film")[0], None)


def test_a_task_without_files_of_its_own_is_checked_on_texts(tmp_path):
    (tmp_path / "x.tsv").write_text("text\ngood film\nbad\n")
    found = examples(tmp_path / "x.tsv", tiny_text.model("replaced-token-detection"), TOKENIZER, LENGTH)
    assert ids_of(found) == rows_of("good film", "bad")


def test_nothing_to_check_is_said():
    with pytest.raises(InputError, match="the check has no texts"):
        examples([], tiny_text.model(), TOKENIZER, LENGTH)

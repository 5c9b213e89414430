"""From an encoder to an exported file, by commands alone."""

import json
import shlex
from pathlib import Path

import pytest

from bert_keras.cli.pretrain import _kept


def test_finetune_learns_and_names_what_follows(classifier, train_file):
    outcome, folder = classifier
    assert outcome.facts["validation"]["accuracy"] > 0.9
    assert outcome.facts["labels"] == ["bad", "good"]
    assert outcome.facts["steps"] == 12 * 3
    assert outcome.facts["next"] == f"bert-keras evaluate {folder} {train_file}"


def test_finetune_leaves_only_its_result(classifier):
    folder = classifier[1]
    assert [path.name for path in folder.parent.iterdir()] == [folder.name]


def test_json_alone_reaches_standard_output(classifier):
    outcome = classifier[0]
    assert len(outcome.stdout.splitlines()) == 1
    assert "Next:" in outcome.stderr


def test_evaluate_agrees_with_training(bert_keras_command, classifier, train_file):
    outcome, folder = classifier
    scores = bert_keras_command("evaluate", folder, train_file, "--json").facts
    assert scores["metrics"]["accuracy"] == pytest.approx(outcome.facts["validation"]["accuracy"])
    assert scores["examples"] == 24
    assert sum(map(sum, scores["confusion"]["matrix"])) == 24
    low, high = scores["intervals"]["accuracy"]
    assert low <= scores["metrics"]["accuracy"] <= high


def test_evaluate_for_people_shows_the_same_numbers(bert_keras_command, classifier, train_file):
    folder = classifier[1]
    accuracy = bert_keras_command("evaluate", folder, train_file, "--json").facts["metrics"]["accuracy"]
    shown = bert_keras_command("evaluate", folder, train_file).stdout
    assert f"accuracy {accuracy:.4f}" in shown
    assert "precision" in shown


@pytest.mark.parametrize("name", ["answers.tsv", "answers.jsonl"])
def test_evaluate_writes_predictions_in_the_files_order(bert_keras_command, classifier, train_file, tmp_path, name):
    file = tmp_path / name
    assert bert_keras_command("evaluate", classifier[1], train_file, "--predictions", file).code == 0
    lines = file.read_text(encoding="utf-8").splitlines()
    if name.endswith("tsv"):
        rows = [dict(zip(lines[0].split("\t"), line.split("\t"), strict=True)) for line in lines[1:]]
    else:
        rows = [json.loads(line) for line in lines]
    assert len(rows) == 24
    assert rows[1]["text"] == "a dull and noisy film"
    assert rows[1]["label"] == "bad"


def test_predict_answers_arguments(bert_keras_command, classifier):
    outcome = bert_keras_command("predict", classifier[1], "a bright and funny film", "the soup was cold and salty")
    lines = [line.split("\t") for line in outcome.stdout.splitlines()]
    assert [(label, text) for label, _, text in lines] == [
        ("good", "a bright and funny film"),
        ("bad", "the soup was cold and salty"),
    ]


def test_predict_gives_the_same_for_arguments_file_table_and_pipe(bert_keras_command, classifier, tmp_path):
    texts = ["a calm and pretty beach", "", "the worst lesson of the year"]
    file = tmp_path / "texts.txt"
    file.write_text("\n".join(texts) + "\n", encoding="utf-8")
    table = tmp_path / "texts.jsonl"
    table.write_text("".join(json.dumps({"text": text}) + "\n" for text in texts), encoding="utf-8")
    answers = bert_keras_command("predict", classifier[1], *texts, "--json").facts
    assert [answer["text"] for answer in answers["predictions"]] == texts
    assert bert_keras_command("predict", classifier[1], "--file", file, "--json").facts == answers
    assert bert_keras_command("predict", classifier[1], "--file", table, "--json").facts == answers
    assert bert_keras_command("predict", classifier[1], "--json", stdin=file.read_text()).facts == answers


def test_columns_of_other_names_are_named_to_every_command(bert_keras_command, classifier, train_file, tmp_path):
    rows = [line.split("\t") for line in Path(train_file).read_text(encoding="utf-8").splitlines()[1:]]
    data = tmp_path / "own data.tsv"
    lines = ["Mood\tReview Body", *("\t".join(row) for row in rows)]
    data.write_text("\n".join(lines) + "\n", encoding="utf-8")
    columns = ("--text", "Review Body", "--label", "Mood")
    tuned = bert_keras_command(
        *("finetune", classifier[1], "--train", data, "--valid", data, *columns, "--epochs", 1),
        *("--out", tmp_path / "tuned", "--json"),
    )
    assert tuned.code == 0, tuned.stderr

    program, *following = shlex.split(tuned.facts["next"])
    assert program == "bert-keras"
    assert bert_keras_command(*following).code == 0
    answers = bert_keras_command("predict", classifier[1], "--file", data, "--text", "Review Body", "--json").facts
    assert [answer["text"] for answer in answers["predictions"]] == [text for _, text in rows]
    checked = bert_keras_command(
        *("export", classifier[1], "--to", "tflite", "--recipe", "float32", "--check", data, *columns),
        *("--out", tmp_path / "model.tflite", "--json"),
    )
    assert (checked.facts["examples"], checked.facts["agreement"]) == (len(rows), 1.0)
    assert checked.facts["model_accuracy"] is not None


@pytest.fixture(scope="module")
def exported(bert_keras_command, classifier, train_file, tmp_path_factory):
    file = tmp_path_factory.mktemp("exported") / "model.tflite"
    outcome = bert_keras_command(
        *("export", classifier[1], "--to", "tflite", "--recipe", "float32"),
        *("--check", train_file, "--out", file, "--json"),
    )
    assert outcome.code == 0, outcome.stderr
    return outcome, file


def test_export_reports_its_check(exported):
    facts = exported[0].facts
    assert (facts["agreement"], facts["examples"], facts["recipe"]) == (1.0, 24, "float32")
    assert facts["file_accuracy"] == facts["model_accuracy"]


def test_evaluate_exported_file_against_its_model(bert_keras_command, classifier, exported, train_file):
    scores = bert_keras_command("evaluate", exported[1], train_file, "--against", classifier[1], "--json").facts
    assert scores["comparison"]["agreement"] == 1.0
    ours, others = scores["comparison"]["metrics"]["accuracy"]
    assert ours == others == scores["metrics"]["accuracy"]


def test_inspect_exported_file(bert_keras_command, exported):
    facts = bert_keras_command("inspect", exported[1], "--json").facts
    assert (facts["kind"], facts["task"], facts["labels"]) == ("tflite", "text-classification", ["bad", "good"])
    assert facts["inputs"] and "FULLY_CONNECTED" in facts["operators"]


def test_saved_model_answers_as_the_folder(bert_keras_command, classifier, tmp_path):
    arguments = ["--to", "saved-model", "--out", tmp_path / "my serving", "--json"]
    outcome = bert_keras_command("export", classifier[1], *arguments)
    out = outcome.facts
    assert out["out"].endswith("my serving/1")
    assert shlex.split(outcome.stderr.splitlines()[-1])[3] == out["out"]
    answers = [
        bert_keras_command("predict", model, "a calm and pretty beach", "--json").facts["predictions"][0]
        for model in (classifier[1], tmp_path / "my serving")
    ]
    assert answers[0]["score"] == pytest.approx(answers[1]["score"], abs=1e-5)
    facts = bert_keras_command("inspect", out["out"], "--json").facts
    assert facts["signatures"]["serving_default"]["inputs"]["token_ids"] == "int32 [-1, -1]"
    assert (facts["task"], facts["labels"], facts["max_length"]) == ("text-classification", ["bad", "good"], 32)
    assert bert_keras_command("inspect", tmp_path / "my serving", "--json").facts == facts


def test_inspect_counts_parameters(bert_keras_command, classifier):
    facts = bert_keras_command("inspect", classifier[1], "--json").facts
    # dense 16 -> 2 with bias
    assert facts["parameters_by_part"]["classification_head"] == 16 * 2 + 2
    assert facts["parameters"] == sum(facts["parameters_by_part"].values())
    assert facts["config"]["hidden_size"] == 16


def test_convert_reports_every_tensor(bert_keras_command, classifier, tmp_path):
    arguments = [tmp_path / "copy", "--task", "feature-extraction", "--json"]
    facts = bert_keras_command("convert", classifier[1], *arguments).facts
    # 5 of the embeddings, 16 of each of 2 blocks, 2 of the pooler
    assert len(facts["read"]) == 5 + 2 * 16 + 2
    assert set(facts["ignored"]) == {"classifier.weight", "classifier.bias"}
    assert facts["new"] == []
    assert facts["not_written"] == {} and facts["new_in_out"] == []


def test_finetune_keeps_a_head_for_the_same_labels(bert_keras_command, classifier, train_file, tmp_path):
    outcome = bert_keras_command(
        *("finetune", classifier[1], "--train", train_file, "--valid", train_file, "--out", tmp_path / "again"),
        *("--epochs", 1, "--learning-rate", 1e-9, "--json"),
    )
    assert outcome.facts["validation"]["accuracy"] > 0.9
    assert "new, to be trained: nothing" in outcome.stderr


def test_pretrain_writes_a_model_whose_encoder_can_be_loaded(bert_keras_command, tmp_path):
    text = tmp_path / "text.txt"
    documents = [
        [f"{a} and {b} went to the {c}." for b in ("ann", "ben", "cleo")]
        for a in ("dora", "emil", "fay")
        for c in ("river", "market", "station", "garden")
    ]
    text.write_text("\n\n".join("\n".join(document) for document in documents), encoding="utf-8")
    outcome = bert_keras_command(
        *("pretrain", "--text", text, "--valid", text, "--out", tmp_path / "my base"),
        *("--vocabulary-size", 60, "--copies", 1, "--max-length", 32, "--json"),
        *("--weight-decay", 0.1, "--early-stopping", 2, "--csv-log", tmp_path / "logs" / "log.csv"),
    )
    assert outcome.code == 0, outcome.stderr
    assert {"mlm_loss", "nsp_loss", "val_mlm_loss"} <= outcome.facts["metrics"].keys()
    assert shlex.split(outcome.facts["next"])[2] == str(tmp_path / "my base")
    assert (tmp_path / "logs" / "log.csv").read_text(encoding="utf-8").startswith("epoch,")
    arguments = [tmp_path / "my base", tmp_path / "encoder", "--task", "feature-extraction", "--json"]
    assert bert_keras_command("convert", *arguments).facts["new"] == []


@pytest.mark.parametrize(("early_stopping", "loss"), [(None, 3.0), (1, 2.0)])
def test_pretrain_reports_the_epoch_whose_weights_it_keeps(early_stopping, loss):
    history = {"loss": [5.0, 2.0, 1.0], "val_loss": [5.0, 2.0, 3.0]}
    assert _kept(history, early_stopping)["val_loss"] == loss

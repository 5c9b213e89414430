"""What finetune tells about a run."""

import pytest

from bert_keras.cli.finetune import _epochs_table


def _trained(command, encoder_folder, train_file, out, *options):
    outcome = command("finetune", encoder_folder, "--train", train_file, "--out", out, "--epochs", 1, *options)
    assert outcome.code == 0
    return outcome.stdout


def test_few_steps_for_a_new_layer(bert_keras_command, encoder_folder, train_file, tmp_path):
    shown = _trained(bert_keras_command, encoder_folder, train_file, tmp_path / "out", "--batch-size", 8)
    assert "3 steps in all are few for a new layer: --epochs 67 makes 200 or more" in " ".join(shown.split())


def test_few_steps_where_no_layer_is_new(bert_keras_command, classifier, train_file, tmp_path):
    assert "are few" not in _trained(bert_keras_command, classifier[1], train_file, tmp_path / "out")


@pytest.mark.parametrize(
    ("names", "columns"),
    [
        (["accuracy", "loss", "val_accuracy", "val_loss"], ["accuracy", "loss", "val_accuracy", "val_loss"]),
        (["a_loss", "b_loss", "loss", "a_accuracy", "val_a_loss", "val_b_loss", "val_loss"], ["loss", "val_loss"]),
    ],
    ids=["one output", "several"],
)
def test_table_of_epochs_fits_into_a_line(names, columns):
    table = _epochs_table({name: [0.5, 0.25] for name in names})
    assert [column.header for column in table.columns] == ["epoch", *columns]
    assert list(table.columns[-1].cells) == ["0.5000", "0.2500"]


def test_a_new_head_of_numbers_begins_at_their_mean(bert_keras_command, encoder_folder, tmp_path):
    table = tmp_path / "stars.tsv"
    table.write_text("text\tlabel\na dull film\t7\na bright film\t9\na calm beach\t11\n", encoding="utf-8")
    trained = bert_keras_command(
        *("finetune", encoder_folder, "--task", "text-regression", "--train", table, "--out", tmp_path / "stars"),
        *("--epochs", 1, "--learning-rate", 1e-9, "--json"),
    )
    assert trained.code == 0, trained.stderr
    found = bert_keras_command("predict", tmp_path / "stars", "a dull film", "--json").facts["predictions"][0]
    assert found["score"] == pytest.approx(9, abs=1)


def test_plain_texts_are_held_out_for_the_loss_alone(bert_keras_command, encoder_folder, tmp_path):
    notes, out = tmp_path / "notes.txt", tmp_path / "filler"
    notes.write_text("a dull film\na bright film\na calm beach\n", encoding="utf-8")
    trained = bert_keras_command(
        *("finetune", encoder_folder, "--task", "fill-mask", "--train", notes, "--valid", notes, "--out", out),
        *("--epochs", 1, "--json"),
    )
    assert trained.code == 0, trained.stderr
    assert "loss" in trained.facts["validation"] and out.is_dir()
    scored = bert_keras_command("evaluate", out, notes)
    assert scored.code == 1 and "holds no right answers to score" in scored.stderr

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

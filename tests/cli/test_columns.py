"""Which columns the commands read."""

import pytest

from bert_keras.data.kinds import KINDS


@pytest.mark.parametrize("name", ["finetune", "evaluate", "export"])
@pytest.mark.parametrize("kind", KINDS)
def test_every_column_of_a_kind_of_examples_can_be_named(bert_keras_command, name, kind):
    shown = bert_keras_command(name, "--help").stdout
    assert [each for each in KINDS[kind].columns if f"--{each.replace('_', '-')} " not in shown] == []


def test_a_column_that_the_task_has_no_use_for_names_those_that_it_has(bert_keras_command, encoder_folder, tmp_path):
    train = tmp_path / "choices.jsonl"
    train.write_text('{"prompt": "a", "choices": ["b", "c"], "label": 0}\n', encoding="utf-8")
    options = ("--train", train, "--out", tmp_path / "out", "--spans", "x")
    outcome = bert_keras_command("finetune", encoder_folder, "--task", "multiple-choice", *options)
    assert outcome.code == 2
    assert "--prompt, --choices, --label, --data-dir" in " ".join(outcome.stderr.split())


@pytest.mark.parametrize("paired", ["train", "valid"])
def test_pairs_on_one_side_only_are_refused_before_training(bert_keras_command, encoder_folder, tmp_path, paired):
    for name in ("train", "valid"):
        header = "label\tsentence1\tsentence2" if name == paired else "label\ttext\tother"
        (tmp_path / f"{name}.tsv").write_text(f"{header}\ngood\ta\tb\nbad\tc\td\n", encoding="utf-8")
    options = ("--train", tmp_path / "train.tsv", "--valid", tmp_path / "valid.tsv", "--out", tmp_path / "out")
    outcome = bert_keras_command("finetune", encoder_folder, *options)
    assert outcome.code == 1
    assert f"{paired}.tsv holds pairs of texts" in outcome.stderr
    assert not (tmp_path / "out").exists()

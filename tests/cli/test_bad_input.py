"""Bad input: exit code 1, one clear sentence on stderr, nothing left behind."""

import errno
import os
import shlex
import shutil
import signal
import subprocess
import sys
import time

import pytest

from bert_keras.cli.runs import claimed, partial_folder


def fails(outcome, *words):
    """Assert that a command failed with one sentence that has `words`."""
    assert outcome.code == 1, (outcome.stdout, outcome.stderr)
    sentence = outcome.stderr.strip().splitlines()[-1]
    assert sentence.startswith("bert-keras: ")
    assert "unexpected" not in sentence
    for word in words:
        assert word in sentence, sentence
    assert "Traceback" not in outcome.stderr


def test_names_in_a_file_do_not_steer_the_terminal(bert_keras_command, encoder_folder, tmp_path):
    from safetensors.numpy import load_file, save_file

    shutil.copytree(encoder_folder, tmp_path / "model")
    tensors = load_file(encoder_folder / "model.safetensors")
    save_file({**tensors, "caf\xe9\x1b[2J": tensors["pooler.dense.bias"]}, tmp_path / "model" / "model.safetensors")
    fails(bert_keras_command("convert", tmp_path / "model", tmp_path / "out"), "unknown tensor caf\xe9\\x1b[2J:")


BAD_TABLES = {
    "empty": (b"", ["train.tsv", "empty"]),
    "header only": (b"label\ttext\n", ["train.tsv", "no rows"]),
    "wrong columns": (b"a\tb\tc\n1\t2\t3\n", ["no column", "'a', 'b', 'c'", "--text"]),
    "ragged row": (b"label\ttext\ngood\ta film\nbad\ta\tb\n", ["line 3"]),
    "not UTF-8": (b"label\ttext\ngood\ta film\nbad\tcaf\xe9\n", ["line 3", "0xe9", "UTF-8"]),
    "one class": (b"label\ttext\ngood\ta film\ngood\ta soup\n", ["'good'", "two or more"]),
    "label missing": (b"label\ttext\ngood\ta film\n\ta soup\n", ["line 3", "label"]),
}


@pytest.mark.parametrize("name", BAD_TABLES)
def test_finetune_on_a_bad_table(bert_keras_command, encoder_folder, tmp_path, name):
    content, words = BAD_TABLES[name]
    (tmp_path / "train.tsv").write_bytes(content)
    outcome = bert_keras_command(
        "finetune", encoder_folder, "--train", tmp_path / "train.tsv", "--out", tmp_path / "out"
    )
    fails(outcome, *words)
    assert [path.name for path in tmp_path.iterdir()] == ["train.tsv"]


def test_finetune_on_a_label_of_two_lines(bert_keras_command, encoder_folder, tmp_path):
    (tmp_path / "train.csv").write_text('label,text\ngood,a film\n"very\nbad",a soup\n', encoding="utf-8")
    outcome = bert_keras_command(
        "finetune", encoder_folder, "--train", tmp_path / "train.csv", "--out", tmp_path / "out"
    )
    fails(outcome, r"'very\nbad'", "line end")
    assert [path.name for path in tmp_path.iterdir()] == ["train.csv"]


def test_finetune_on_a_missing_file(bert_keras_command, encoder_folder, tmp_path):
    outcome = bert_keras_command("finetune", encoder_folder, "--train", tmp_path / "no.tsv", "--out", tmp_path / "out")
    fails(outcome, "no.tsv")
    assert not any(tmp_path.iterdir())


def test_finetune_on_a_label_that_is_not_among_those_named(bert_keras_command, encoder_folder, train_file, tmp_path):
    outcome = bert_keras_command(
        "finetune", encoder_folder, "--train", train_file, "--labels", "good, awful", "--out", tmp_path / "out"
    )
    fails(outcome, "train.tsv, line 3", "'bad'", "good, awful")
    assert not any(tmp_path.iterdir())


def test_finetune_on_a_validation_label_that_training_lacks(bert_keras_command, encoder_folder, train_file, tmp_path):
    valid = tmp_path / "valid.tsv"
    valid.write_text("label\ttext\nmixed\ta film\n", encoding="utf-8")
    outcome = bert_keras_command(
        "finetune", encoder_folder, "--train", train_file, "--valid", valid, "--out", tmp_path / "out"
    )
    fails(outcome, "valid.tsv, line 2", "'mixed'", "bad, good")
    assert [path.name for path in tmp_path.iterdir()] == ["valid.tsv"]


def test_finetune_over_the_position_table(bert_keras_command, encoder_folder, train_file, tmp_path):
    outcome = bert_keras_command(
        "finetune", encoder_folder, "--train", train_file, "--max-length", 33, "--out", tmp_path / "out"
    )
    fails(outcome, "33", "32")
    assert not any(tmp_path.iterdir())


def test_finetune_from_nothing(bert_keras_command, train_file, tmp_path):
    outcome = bert_keras_command(
        "finetune", tmp_path / "no" / "model" / "here", "--train", train_file, "--out", tmp_path / "out"
    )
    fails(outcome, "does not exist")


def test_finetune_from_a_torch_pickle(bert_keras_command, encoder_folder, train_file, tmp_path):
    source = tmp_path / "source"
    source.mkdir()
    (source / "config.json").write_bytes((encoder_folder / "config.json").read_bytes())
    (source / "pytorch_model.bin").write_bytes(b"PK")
    fails(bert_keras_command("finetune", source, "--train", train_file, "--out", tmp_path / "out"), "as a torch file")


@pytest.mark.parametrize("command", ["finetune", "export", "convert", "evaluate"])
def test_an_existing_output_is_not_touched(bert_keras_command, classifier, train_file, tmp_path, command):
    out = tmp_path / "kept.tsv"
    out.write_text("precious", encoding="utf-8")
    arguments = {
        "finetune": ["finetune", classifier[1], "--train", train_file, "--out", out],
        "export": ["export", classifier[1], "--to", "tflite", "--out", out],
        "convert": ["convert", classifier[1], out],
        "evaluate": ["evaluate", classifier[1], train_file, "--predictions", out],
    }
    fails(bert_keras_command(*arguments[command]), "kept.tsv exists", "--force")
    assert out.read_text(encoding="utf-8") == "precious"


def test_force_replaces_an_existing_output(bert_keras_command, classifier, tmp_path):
    out = tmp_path / "copy"
    out.mkdir()
    (out / "old.tflite").touch()
    assert bert_keras_command("convert", classifier[1], out, "--force").code == 0
    assert (out / "model.safetensors").is_file()
    assert not (out / "old.tflite").exists()


def test_force_keeps_a_folder_that_holds_the_training_data(bert_keras_command, classifier, train_file, tmp_path):
    out = tmp_path / "data"
    out.mkdir()
    shutil.copy(train_file, out / "train.tsv")
    done = bert_keras_command("finetune", classifier[1], "--train", out / "train.tsv", "--out", out, "--force")
    fails(done, "data holds train.tsv", "name another folder")
    assert os.listdir(out) == ["train.tsv"]


def test_evaluate_on_an_unknown_label(bert_keras_command, classifier, tmp_path):
    data = tmp_path / "test.tsv"
    data.write_text("label\ttext\ngood\ta film\nmixed\ta soup\n", encoding="utf-8")
    fails(bert_keras_command("evaluate", classifier[1], data), "test.tsv, line 3", "'mixed'", "bad, good")


def test_predict_with_a_json_file_of_a_text_model(bert_keras_command, classifier, tmp_path):
    (tmp_path / "a.json").write_text('[\n"a film"\n]\n')
    outcome = bert_keras_command("predict", classifier[1], "--file", tmp_path / "a.json")
    fails(outcome, "a.json is JSON: give a text file with a text a line, or a table")


@pytest.mark.parametrize("task", ["text-regression", "question-answering", "next-sentence-prediction", "fill-mask"])
def test_labels_of_a_task_whose_classes_no_data_names(bert_keras_command, encoder_folder, train_file, tmp_path, task):
    outcome = bert_keras_command(
        *("finetune", encoder_folder, "--train", train_file, "--out", tmp_path / "out"),
        *("--task", task, "--labels", "a,b"),
    )
    assert outcome.code == 2
    assert f"--labels is for tasks whose classes the data names, not {task}" in outcome.stderr
    assert not list(tmp_path.iterdir())


def test_evaluate_a_model_without_labels(bert_keras_command, encoder_folder, train_file):
    fails(bert_keras_command("evaluate", encoder_folder, train_file), "feature-extraction", "no scores")


def test_predict_with_a_file_that_is_no_model(bert_keras_command, tmp_path):
    file = tmp_path / "model.tflite"
    file.write_text("not a model", encoding="utf-8")
    fails(bert_keras_command("predict", file, "a text"), "model.tflite", "not a .tflite file")


def test_predict_from_a_pipe_that_is_not_utf8(bert_keras_command, classifier):
    fails(bert_keras_command("predict", classifier[1], stdin=b"fine\ncaf\xe9\n"), "line 2", "UTF-8")


def test_predict_reads_a_text_of_many_words_and_an_empty_one(bert_keras_command, classifier):
    outcome = bert_keras_command("predict", classifier[1], "film " * 100_000, "", "--json")
    assert outcome.code == 0
    assert all(0.5 <= answer["score"] <= 1 for answer in outcome.facts["predictions"])


def test_a_failure_is_json_too(bert_keras_command, tmp_path):
    outcome = bert_keras_command("inspect", tmp_path / "no" / "such" / "model", "--json")
    assert outcome.code == 1
    assert "does not exist" in outcome.facts["error"]


@pytest.mark.parametrize(
    "arguments",
    [
        ["frobnicate"],
        ["finetune", "encoder"],
        ["finetune", "encoder", "--train", "a.tsv", "--out", "b", "--epochs", "0"],
        ["finetune", "encoder", "--train", "a.tsv", "--out", "b", "--seed", "-1"],
        ["evaluate", "model", "a.tsv", "--predictions", "b.txt"],
    ],
)
def test_wrong_use_is_json_too(bert_keras_command, arguments):
    outcome = bert_keras_command(*arguments, "--json")
    assert outcome.code == 2
    assert outcome.facts["error"] in " ".join(outcome.stderr.split())


def test_predict_with_a_text_that_is_not_utf8(bert_keras_command, classifier):
    fails(bert_keras_command("predict", classifier[1], "fine", os.fsdecode(b"caf\xe9")), "text 2", "UTF-8")


def test_evaluate_against_a_model_without_labels(bert_keras_command, classifier, encoder_folder, train_file):
    outcome = bert_keras_command("evaluate", classifier[1], train_file, "--against", encoder_folder)
    fails(outcome, str(encoder_folder), "feature-extraction", "no scores")


@pytest.mark.parametrize("rate", ["nan", "inf", "-1", "0"])
def test_finetune_at_a_rate_that_trains_nothing(bert_keras_command, encoder_folder, train_file, tmp_path, rate):
    outcome = bert_keras_command(
        "finetune", encoder_folder, "--train", train_file, "--out", tmp_path / "out", "--learning-rate", rate
    )
    fails(outcome, "learning_rate")
    assert not any(tmp_path.iterdir())


def test_finetune_that_diverges_leaves_nothing(bert_keras_command, encoder_folder, train_file, tmp_path):
    outcome = bert_keras_command(
        *("finetune", encoder_folder, "--train", train_file, "--out", tmp_path / "out"),
        *("--learning-rate", "1e38", "--batch-size", 2),
    )
    fails(outcome, "NaN or infinity", "lower learning rate")
    assert not any(tmp_path.iterdir())


def test_a_full_disk_leaves_nothing(bert_keras_command, classifier, tmp_path, monkeypatch):
    def full(*_, **__):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr("bert_keras.text.WordPieceTokenizer.save", full)
    fails(bert_keras_command("convert", classifier[1], tmp_path / "copy"), "No space left on device")
    assert not any(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("option", "place", "words"),
    [
        ("--csv-log", "folder", ["is a folder"]),
        ("--csv-log", "file", ["file exists", "--force"]),
        ("--csv-log", "file/log.csv", ["file is not a folder"]),
        ("--csv-log", "out/log.csv", ["out", "another place"]),
        ("--tensorboard", "file", ["file is not a folder"]),
        ("--tensorboard", "out.partial/events", ["out.partial", "another place"]),
    ],
)
@pytest.mark.parametrize("command", ["finetune", "pretrain"])
def test_a_log_that_could_not_be_kept_is_refused_before_any_work(
    bert_keras_command, encoder_folder, tmp_path, command, option, place, words
):
    (tmp_path / "folder").mkdir()
    (tmp_path / "file").touch()
    begun = {"finetune": ["finetune", encoder_folder, "--train"], "pretrain": ["pretrain", "--text"]}[command]
    # The text is missing: whoever looks for it first would say so.
    outcome = bert_keras_command(*begun, tmp_path / "no.tsv", "--out", tmp_path / "out", option, tmp_path / place)
    fails(outcome, *words)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["file", "folder"]


def test_a_second_run_into_one_folder_is_refused(bert_keras_command, encoder_folder, train_file, tmp_path):
    out = tmp_path / "out"
    begun = ["finetune", encoder_folder, "--train", train_file, "--out", out]
    with claimed(out, {}, resume=False, force=False):
        for option in ([], ["--resume"], ["--force"]):
            fails(bert_keras_command(*begun, *option), f"another run is writing {out}")
        assert partial_folder(out).is_dir()
    assert not any(tmp_path.iterdir())


def test_a_run_that_was_killed_before_it_began_is_in_nobodys_way(tmp_path):
    out = tmp_path / "out"
    code = "from pathlib import Path; import os, sys; from bert_keras.cli.runs import claimed\n"
    code += "with claimed(Path(sys.argv[1]), {}, False, False): os.kill(os.getpid(), 9)"
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    assert subprocess.run([sys.executable, "-c", code, str(out)], env=environment).returncode == -signal.SIGKILL
    assert partial_folder(out).is_dir()
    with claimed(out, {}, resume=False, force=False):
        pass
    assert not any(tmp_path.iterdir())


def test_a_failure_keeps_the_run_that_force_would_have_replaced(bert_keras_command, encoder_folder, tmp_path):
    state = partial_folder(tmp_path / "out") / "state.npz"
    state.parent.mkdir()
    state.touch()
    outcome = bert_keras_command(
        "finetune", encoder_folder, "--train", tmp_path / "no.tsv", "--out", tmp_path / "out", "--force"
    )
    fails(outcome, "no.tsv")
    assert state.is_file()


@pytest.mark.parametrize(("content", "word"), [(b"\xff\xff", "damaged"), (b"", "no graph")])
def test_inspect_a_damaged_saved_model(bert_keras_command, tmp_path, content, word):
    (tmp_path / "saved_model.pb").write_bytes(content)
    fails(bert_keras_command("inspect", tmp_path), "saved_model.pb", word)


def interrupt(arguments, out):
    """Run a command in a process of its own, press Ctrl-C once it has saved its state, and return how it ended."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    process = subprocess.Popen(
        [sys.executable, "-c", "from bert_keras.cli import main; main()", *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment,
    )
    deadline = time.monotonic() + 120
    while not (partial_folder(out) / "state.npz").exists():
        assert process.poll() is None, process.stderr.read()
        assert time.monotonic() < deadline
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    _, stderr = process.communicate(timeout=120)
    return process.returncode, stderr


def test_ctrl_c_keeps_the_run_and_names_the_command_that_resumes(
    bert_keras_command, encoder_folder, train_file, tmp_path
):
    out = tmp_path / "out"
    begun = ["finetune", str(encoder_folder), "--train", str(train_file), "--out", str(out), "--batch-size", "1"]
    code, stderr = interrupt([*begun, "--epochs", "24"], out)
    assert code == 130, stderr
    assert "Traceback" not in stderr
    resumes = [*begun, "--epochs", "24", "--resume"]
    assert stderr.rstrip().splitlines()[-1].strip() == shlex.join(["bert-keras", *resumes])
    assert not out.exists()

    fails(bert_keras_command(*begun, "--epochs", "24"), "interrupted run", "--resume", "--force")
    fails(bert_keras_command(*begun, "--epochs", "3", "--resume"), "epochs 24, not 3")
    outcome = bert_keras_command(*resumes, "--json")
    assert outcome.code == 0, outcome.stderr
    assert outcome.facts["steps"] == 24 * 24
    assert len(outcome.facts["history"]["loss"]) == 24
    assert [path.name for path in tmp_path.iterdir()] == ["out"]

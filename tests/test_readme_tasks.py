"""The README's commands of every task, on small files and a tiny model in the place of the one that it names."""

import itertools
import json
import re
import shlex
from pathlib import Path

import pytest
import small_data
from reader import README
from tiny_training import new_encoder, tokenizer_of
from typer.testing import CliRunner

import bert_keras as bk
from bert_keras.cli import app

SECTION = README.partition("\n## Every task")[2].partition("\n## ")[0]
BLOCKS = [block.splitlines() for block in re.findall(r"^```bash\n(.*?)^```$", SECTION, re.DOTALL | re.MULTILINE)]
MODEL = "sentence-transformers/all-MiniLM-L6-v2"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A folder with the small files and, under the name of the README's model, a tiny one that knows their words."""
    folder = small_data.write(tmp_path_factory.mktemp("tasks"))
    tokenizer = tokenizer_of(*folder.iterdir())
    model = bk.tasks.TASKS["sentence-similarity"](new_encoder(tokenizer.vocabulary, positions=64, width=32))
    bk.save(model, tokenizer, folder / MODEL)
    return folder


def test_every_task_that_is_trained_from_a_file_has_its_commands():
    trained = {name for name, task in bk.tasks.TASKS.items() if task.examples}
    named = set(re.findall(r"--task (\S+)", SECTION))
    assert named == trained - {"text-classification"}  # which has the section before


@pytest.mark.parametrize("block", BLOCKS, ids=lambda lines: lines[0].split()[1])
def test_commands_of_a_task_run(block, folder, monkeypatch):
    monkeypatch.chdir(folder)
    for line in block:
        program, command, *arguments = shlex.split(line)
        assert program == "bert-keras"
        done = CliRunner().invoke(app, [command, *arguments, "--json"])
        assert done.exit_code == 0, f"{line}\n{done.output}"
        assert done.stderr.count("warning") == 0, f"{line}\n{done.stderr}"
        facts = json.loads(done.stdout.splitlines()[-1])
        if "--out" in arguments:
            assert Path(arguments[arguments.index("--out") + 1]).exists()
        if command == "evaluate":
            assert facts["metrics"]
            assert all(value is not None and value >= -1 for value in facts["metrics"].values()), facts["metrics"]


def test_blocks_use_no_file_that_is_not_there():
    used = re.findall(r"\b[a-z_]+\.(?:conll|jsonl?|tsv|txt)\b", "\n".join(itertools.chain(*BLOCKS)))
    assert set(used) <= set(small_data.names())

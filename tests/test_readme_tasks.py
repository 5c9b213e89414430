"""The README's commands of every task, on small files and a tiny model in the place of the one that it names."""

import itertools
import json
import re
import shlex
from pathlib import Path

import keras
import pytest
import small_data
from typer.testing import CliRunner

import bert_keras as bk
from bert_keras.cli import app

README = (Path(__file__).parent.parent / "README.md").read_text(encoding="utf-8")
SECTION = README.partition("\n## Every task")[2].partition("\n## ")[0]
BLOCKS = [block.splitlines() for block in re.findall(r"^```bash\n(.*?)^```$", SECTION, re.DOTALL | re.MULTILINE)]
MODEL = "sentence-transformers/all-MiniLM-L6-v2"
SPECIAL = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A folder with the small files and, under the name of the README's model, a tiny one that knows their words."""
    folder = small_data.write(tmp_path_factory.mktemp("tasks"))
    files = [file.read_text(encoding="utf-8").lower() for file in folder.iterdir()]
    words = sorted({word for text in files for word in re.findall(r"[a-z]+|[^\sa-z]", text)})
    tokenizer = bk.Tokenizer.from_vocabulary([*SPECIAL, *words])
    config = bk.EncoderConfig(
        vocab_size=len(tokenizer.vocabulary),
        hidden_size=32,
        num_hidden_layers=1,
        num_attention_heads=2,
        intermediate_size=64,
        max_position_embeddings=64,
    )
    keras.utils.set_random_seed(0)
    model = bk.tasks.TASKS["sentence-similarity"](bk.encoder(config))
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
            assert all(value >= -1 for value in facts["metrics"].values() if value is not None)


def test_blocks_use_no_file_that_is_not_there():
    used = re.findall(r"\b[a-z_]+\.(?:conll|jsonl?|tsv|txt)\b", "\n".join(itertools.chain(*BLOCKS)))
    assert set(used) <= set(small_data.names())

"""A tiny model folder, a few dozen texts, and the command line in this process."""

import json

import pytest
from typer.testing import CliRunner

from bert_keras.cli import app

GOOD = [
    "a bright and funny film",
    "the soup was warm and tasty",
    "we loved every room of the house",
    "a quick and friendly answer",
    "this tent kept us dry all night",
    "the best lesson of the year",
    "my new bike runs like a dream",
    "clear writing and a moving end",
    "the staff were kind to us",
    "great sound for so small a box",
    "i would buy these boots again",
    "a calm and pretty beach",
]
BAD = [
    "a dull and noisy film",
    "the soup was cold and salty",
    "we hated every room of the house",
    "a slow and rude answer",
    "this tent let in rain all night",
    "the worst lesson of the year",
    "my new bike broke in a week",
    "muddled writing and a weak end",
    "the staff were rude to us",
    "poor sound for so large a box",
    "i would never buy these boots again",
    "a dirty and crowded beach",
]


def write_table(path, rows, header="label\ttext"):
    path.write_text("\n".join([header, *("\t".join(row) for row in rows)]) + "\n", encoding="utf-8")
    return path


@pytest.fixture(scope="session")
def encoder_folder(tmp_path_factory):
    """A folder with an encoder of random weights that knows every word of the texts."""
    from tiny_training import SPECIAL, new_encoder

    import bert_keras as bk

    words = sorted({word for text in GOOD + BAD for word in text.split()})
    tokenizer = bk.Tokenizer.from_vocabulary(SPECIAL + words)
    folder = tmp_path_factory.mktemp("models") / "encoder"
    bk.save(new_encoder(SPECIAL + words, positions=32, layers=2), tokenizer, folder)
    return folder


@pytest.fixture(scope="session")
def train_file(tmp_path_factory):
    pairs = zip(GOOD, BAD, strict=True)
    rows = [row for good, bad in pairs for row in (("good", good), ("bad", bad))]
    return write_table(tmp_path_factory.mktemp("data") / "train.tsv", rows)


class Outcome:
    """What a command did."""

    def __init__(self, result):
        self.code, self.stdout, self.stderr = result.exit_code, result.stdout, result.stderr
        self.exception = result.exception

    @property
    def facts(self):
        """The JSON object that the command printed last."""
        return json.loads(self.stdout.splitlines()[-1])


@pytest.fixture(scope="session")
def bert_keras_command():
    """Run a command: `run("finetune", folder, "--train", file)`."""

    def run(*arguments, stdin=None):
        return Outcome(CliRunner().invoke(app, [str(argument) for argument in arguments], input=stdin))

    return run


@pytest.fixture(scope="session")
def classifier(bert_keras_command, encoder_folder, train_file, tmp_path_factory):
    """The outcome of fine-tuning, and the folder that it wrote."""
    folder = tmp_path_factory.mktemp("runs") / "classifier"
    outcome = bert_keras_command(
        *("finetune", encoder_folder, "--train", train_file, "--valid", train_file, "--out", folder),
        *("--epochs", 12, "--learning-rate", 1e-2, "--batch-size", 8, "--json"),
    )
    assert outcome.code == 0, outcome.stderr
    return outcome, folder

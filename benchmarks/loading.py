"""Seconds and memory of loading BERT base and its tokenizer from safetensors, beside transformers.

Each loading is the first in a process of its own; the contenders take turns. After it a word is computed and every
weight read once, which counts for the memory: transformers only maps the file, and holds no weight before it is read.
"""

import statistics
import tempfile
import time
from pathlib import Path

import harness

import bert_keras as bk

LIMIT_SECONDS, LIMIT_MEMORY = 1.0, 1.3
TEXT = "word1"


def _write_model(size: str, folder: Path) -> None:
    """Save an encoder with random weights and a vocabulary of numbered words."""
    config = bk.config(size)
    special = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
    words = [f"word{number}" for number in range(config.vocab_size - len(special))]
    bk.save(bk.encoder(config), bk.Tokenizer.from_vocabulary(special + words), folder)


class _Watch:
    """Seconds and memory of a part of the process."""

    def __init__(self) -> None:
        self._memory, self._start = harness.held_memory(), time.perf_counter()

    def seconds(self) -> float:
        return time.perf_counter() - self._start

    def figures(self, load: float) -> dict[str, float]:
        """The figures of a loading that took `load` seconds and whose weights were read since."""
        return {
            "load": load,
            "load and compute": self.seconds(),
            "added": harness.peak_memory() - self._memory,
            "peak": harness.peak_memory(),
        }


def with_bert_keras(folder: Path) -> dict[str, float]:
    import tensorflow as tf

    load = bk.load  # the name imports what it needs
    watch = _Watch()
    model, tokenizer = load(folder)
    seconds = watch.seconds()
    model(tokenizer([TEXT]))
    for weight in model.weights:
        tf.reduce_sum(weight.value)
    return watch.figures(seconds)


def with_transformers(folder: Path) -> dict[str, float]:
    import torch
    from transformers import AutoModel, AutoTokenizer

    watch = _Watch()
    model, tokenizer = AutoModel.from_pretrained(folder), AutoTokenizer.from_pretrained(folder)
    seconds = watch.seconds()
    with torch.inference_mode():
        model(**tokenizer([TEXT], return_tensors="pt"))
        for weight in model.parameters():
            weight.sum()
    return watch.figures(seconds)


def with_transformers_imported(folder: Path) -> dict[str, float]:
    import transformers

    # The name of a class imports its module, which the Auto classes do as they load.
    for name in ("BertModel", "BertTokenizerFast"):
        getattr(transformers, name)
    return with_transformers(folder)


CONTENDERS = {
    "bert_keras": with_bert_keras,
    "transformers": with_transformers,
    "transformers-imported": with_transformers_imported,
}


def _measured(name: str, folder: Path) -> dict[str, float]:
    start = time.perf_counter()
    figures = harness.in_process(CONTENDERS[name], folder)
    figures["process"] = time.perf_counter() - start
    harness.say(f"{name}: {figures['load']:.2f} s, {figures['added'] / 1e6:.0f} MB")
    return figures


def _row(name: str, mine: dict[str, float], first: dict[str, float]) -> dict[str, str | float]:
    return {
        "contender": name,
        "load s": round(mine["load"], 2),
        "ratio": round(first["load"] / mine["load"], 2),
        "load and compute s": round(mine["load and compute"], 2),
        "process s": round(mine["process"], 2),
        "added MB": round(mine["added"] / 1e6),
        "memory ratio": round(first["added"] / mine["added"], 2),
        "process's peak MB": round(mine["peak"] / 1e6),
    }


def main() -> None:
    parser = harness.arguments("Seconds and memory of loading a model, beside transformers.")
    parser.add_argument("--size", default="bert-base-uncased", help="a name of bert_keras.config, of the family BERT")
    names = list(CONTENDERS)
    parser.add_argument("--contenders", nargs="+", choices=names, default=names, help="compared with the first")
    parser.add_argument("--rounds", type=int, default=7, help="loadings of each that count; one before does not")
    parser.add_argument("--threads", type=int, default=harness.cores())
    options = parser.parse_args()

    harness.use_threads(options.threads)
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary) / "model"
        harness.say(f"writing {options.size} with random weights")
        harness.in_process(_write_model, options.size, folder)
        rounds = [{name: _measured(name, folder) for name in options.contenders} for _ in range(options.rounds + 1)]
    figures = {
        name: {key: statistics.median(turn[name][key] for turn in rounds[1:]) for key in rounds[0][name]}
        for name in options.contenders
    }
    first = figures[options.contenders[0]]
    details = {
        "ratio": f"load s of {options.contenders[0]} / of the contender",
        "memory ratio": f"added MB of {options.contenders[0]} / of the contender",
        "bounds": f"{LIMIT_SECONDS} and {LIMIT_MEMORY} beside transformers",
        "load s": "model and tokenizer, after the imports; transformers imports a model's modules as it loads, "
        "transformers-imported before",
        "load and compute s": "until a word was computed and every weight read once",
        "process s": "the whole process, with the imports",
        "added MB": "the process's peak less what it held after the imports; the weights are read within",
        "versions": harness.versions(["tensorflow", "keras", "tokenizers", "torch", "transformers", "safetensors"]),
        "threads": options.threads,
        "measured": f"medians of {options.rounds} processes each, in turns",
    }
    rows = [_row(name, mine, first) for name, mine in figures.items()]
    harness.show(f"Loading {options.size} from a folder with safetensors", {"loading": rows}, details, options.json)


if __name__ == "__main__":
    main()

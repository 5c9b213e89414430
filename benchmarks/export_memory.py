"""Peak memory and seconds of exporting BERT base to an int8 .tflite file, from a model folder as the command does."""

import tempfile
import time
from pathlib import Path

import harness

import bert_keras as bk

LIMIT_BYTES, LIMIT_SECONDS = 6e9, 180


def _write_model(size: str, folder: Path) -> None:
    """Save a classifier with random weights and a vocabulary of numbered words."""
    config = bk.config(size)
    special = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
    words = [f"word{number}" for number in range(config.vocab_size - len(special))]
    model = bk.tasks.text_classification(bk.encoder(config), ["negative", "positive"])
    bk.save(model, bk.Tokenizer.from_vocabulary(special + words), folder)


def _export(folder: Path, file: Path, recipe: str) -> tuple[float, int, float]:
    """Export; return the seconds, the peak memory of this process, and the file's size in MB."""
    start = time.perf_counter()
    report = bk.export.tflite(folder, file, recipe=recipe)
    return time.perf_counter() - start, harness.peak_memory(), report.megabytes


def main() -> None:
    parser = harness.arguments("Peak memory and seconds of exporting a model to .tflite.")
    parser.add_argument("--size", default="bert-base-uncased", help="a name of bert_keras.config")
    parser.add_argument("--recipe", default="int8", help="a key of bert_keras.export.RECIPES")
    parser.add_argument("--threads", type=int, default=harness.cores())
    options = parser.parse_args()

    harness.use_threads(options.threads)
    with tempfile.TemporaryDirectory() as temporary:
        folder, file = Path(temporary) / "model", Path(temporary) / "model.tflite"
        harness.say(f"writing {options.size} with random weights")
        harness.in_process(_write_model, options.size, folder)
        harness.say("exporting")
        seconds, peak, megabytes = harness.in_process(_export, folder, file, options.recipe)
    row = {
        "export": f"{options.size}, {options.recipe}",
        "file MB": round(megabytes),
        "seconds": round(seconds, 1),
        "peak GB": round(peak / 1e9, 2),
        "within bounds": "yes" if peak < LIMIT_BYTES and seconds < LIMIT_SECONDS else "no",
    }
    details = {
        "bounds": f"{LIMIT_BYTES / 1e9:.0f} GB and {LIMIT_SECONDS} seconds",
        "versions": harness.versions(["tensorflow", "keras", "ai-edge-litert", "ai-edge-quantizer"]),
        "threads": options.threads,
    }
    title = "Exporting a model folder, loading and the check on random tokens included"
    harness.show(title, {"export": [row]}, details, options.json)


if __name__ == "__main__":
    main()

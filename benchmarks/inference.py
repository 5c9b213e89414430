"""Milliseconds of one sentence on one thread: the int8 .tflite file beside onnxruntime's dynamic int8, same tokens.

Every sentence is computed alone and at its own length, as on a phone. All files hold the same weights; the table also
says how near each contender's answers are to the float32 model's.
"""

import itertools
import json
import statistics
from argparse import Namespace
from collections.abc import Callable, Sequence
from pathlib import Path

import harness
import numpy as np
from harness import Turn

import bert_keras as bk

LENGTHS = (8, 24, 64, 128)
REPEATS = 25
CLASSIFIER, TFLITE = "classifier", "int8.tflite"
ONNX, ONNX_INT8, ONNX_FUSED = "float32.onnx", "int8.onnx", "fused-int8.onnx"

Arrays = dict[str, np.ndarray]


def with_bert_keras(turn: Turn, options: Namespace) -> None:
    runner = bk.export.TfliteRunner(options.folder / TFLITE, num_threads=1)
    _measure(turn, options, np.int32, lambda inputs: runner.graph.run(inputs)["probabilities"], last_rows=1)


def with_onnxruntime(turn: Turn, options: Namespace) -> None:
    _measure(turn, options, np.int64, _onnx_scores(options.folder / ONNX_INT8))


def with_onnxruntime_fused(turn: Turn, options: Namespace) -> None:
    _measure(turn, options, np.int64, _onnx_scores(options.folder / ONNX_FUSED))


def with_torch(turn: Turn, options: Namespace) -> None:
    import torch
    from transformers import AutoModelForSequenceClassification

    model = AutoModelForSequenceClassification.from_pretrained(options.folder / CLASSIFIER).eval()

    @torch.inference_mode()
    def scores(inputs: Arrays) -> np.ndarray:
        tensors = {_ONNX_NAMES[name]: torch.from_numpy(array) for name, array in inputs.items()}
        return model(**tensors).logits.softmax(-1).numpy()

    _measure(turn, options, np.int64, scores)


def with_keras(turn: Turn, options: Namespace) -> None:
    import tensorflow as tf

    model, _ = bk.load(options.folder / CLASSIFIER)

    def scores(inputs: Arrays) -> np.ndarray:
        return tf.nn.softmax(model.predict_on_batch(inputs)).numpy()

    _measure(turn, options, np.int32, scores, last_rows=1)


CONTENDERS = {
    "bert_keras": with_bert_keras,
    "onnxruntime": with_onnxruntime,
    "onnxruntime-fused": with_onnxruntime_fused,
    "torch": with_torch,
    "keras": with_keras,
}
_ONNX_NAMES = {"token_ids": "input_ids", "padding_mask": "attention_mask", "segment_ids": "token_type_ids"}


def _measure(
    turn: Turn,
    options: Namespace,
    dtype: type,
    scores: Callable[[Arrays], np.ndarray],
    last_rows: int | None = None,
) -> None:
    """Compute every row again and again, a step each.

    Args:
        turn, options: the contender's.
        dtype: of the ids.
        scores: computes the probabilities `[1, C]` of one row.
        last_rows: rows that the last block computes.
    """
    rows = [_inputs(ids, dtype) for ids in options.rows]
    flops = [harness.encoder_flops(options.sizes, 1, len(ids), last_rows) for ids in options.rows]
    found = [scores(row)[0] for row in rows[: options.sentences]]
    turn.ready(scores=np.array(found))
    for row, count in itertools.cycle(zip(rows, flops, strict=True)):
        scores(row)
        turn.step(count)


def _inputs(ids: np.ndarray, dtype: type) -> Arrays:
    token_ids: np.ndarray = ids[np.newaxis].astype(dtype)
    return {
        "token_ids": token_ids,
        "padding_mask": np.ones_like(token_ids),
        "segment_ids": np.zeros_like(token_ids),
    }


def _onnx_scores(path: Path) -> Callable[[Arrays], np.ndarray]:
    import onnxruntime

    settings = onnxruntime.SessionOptions()
    settings.intra_op_num_threads = settings.inter_op_num_threads = 1
    session = onnxruntime.InferenceSession(path, settings, providers=["CPUExecutionProvider"])

    def scores(inputs: Arrays) -> np.ndarray:
        (logits,) = session.run(None, {_ONNX_NAMES[name]: array for name, array in inputs.items()})
        exponentials = np.exp(logits - logits.max())
        return exponentials / exponentials.sum()

    return scores


def _prepare(options: Namespace) -> None:
    """Write the model's files for all contenders, those that are older than the model."""
    folder, source = options.folder, Path(options.model) / "model.safetensors"
    onnx_file = folder / ONNX_FUSED
    if not onnx_file.exists() or onnx_file.stat().st_mtime < source.stat().st_mtime:
        harness.say("writing the classifier and its onnx files")
        harness.in_process(_write_classifier, options)
        harness.in_process(_write_onnx, options)
    harness.say("exporting the .tflite file")
    harness.in_process(_write_tflite, options)


def _write_classifier(options: Namespace) -> None:
    import keras

    keras.utils.set_random_seed(0)
    model, tokenizer = bk.load(options.model, "text-classification", bk.data.labels(options.texts))
    bk.save(model, tokenizer, options.folder / CLASSIFIER, force=True)


def _write_tflite(options: Namespace) -> None:
    bk.export.tflite(options.folder / CLASSIFIER, options.folder / TFLITE, recipe="int8", force=True)


def _write_onnx(options: Namespace) -> None:
    """Export through torch and quantize with onnxruntime's defaults, as it is and with its fused operators for BERT."""
    import onnx
    import torch
    from onnxruntime.quantization import QuantType, quantize_dynamic
    from onnxruntime.transformers.optimizer import optimize_model
    from transformers import AutoModelForSequenceClassification

    folder = options.folder
    # onnxruntime knows BERT's attention by its plain form.
    model = AutoModelForSequenceClassification.from_pretrained(folder / CLASSIFIER, attn_implementation="eager").eval()
    example = {_ONNX_NAMES[name]: torch.from_numpy(array) for name, array in _inputs(options.rows[0], np.int64).items()}
    torch.onnx.export(
        model,
        (example,),
        folder / ONNX,
        input_names=list(example),
        output_names=["logits"],
        dynamic_axes={name: {0: "batch", 1: "length"} for name in example},
        dynamo=False,
    )
    quantize_dynamic(folder / ONNX, folder / ONNX_INT8, weight_type=QuantType.QInt8)
    heads, hidden = options.sizes["num_attention_heads"], options.sizes["hidden_size"]
    fused = optimize_model(str(folder / ONNX), model_type="bert", num_heads=heads, hidden_size=hidden)
    fused.save_model_to_file(str(folder / ONNX_FUSED))
    # The types of the fused operators' results are not inferred.
    types = {"DefaultTensorType": onnx.TensorProto.FLOAT}
    quantize_dynamic(folder / ONNX_FUSED, folder / ONNX_FUSED, weight_type=QuantType.QInt8, extra_options=types)


def _float_scores(options: Namespace) -> np.ndarray:
    """The float32 model's probabilities `[N, C]` of the sentences."""
    scores = _onnx_scores(options.folder / ONNX)
    return np.array([scores(_inputs(ids, np.int64))[0] for ids in options.rows[: options.sentences]])


def _rows(options: Namespace) -> tuple[list[np.ndarray], int]:
    """Token ids of the sentences, then of rows of fixed lengths; and how many are sentences."""
    texts = bk.data.table(options.texts).texts[: options.limit]
    tokens = bk.Tokenizer.from_folder(options.model)(texts, max_length=options.max_length)
    lengths = tokens["padding_mask"].sum(axis=1)
    sentences = [ids[:length] for ids, length in zip(tokens["token_ids"], lengths, strict=True)]
    random = np.random.default_rng(0)
    fixed = [random.integers(1000, options.sizes["vocab_size"], length) for length in LENGTHS for _ in range(REPEATS)]
    return sentences + fixed, len(sentences)


def _medians(result: harness.Result, options: Namespace) -> list[float]:
    """The median seconds of each row over the passes."""
    rows = len(options.rows)
    # The turn that does not count went over the first rows.
    times: list[list[float]] = [[] for _ in range(rows)]
    for step, seconds in enumerate(result.seconds, start=options.block):
        times[step % rows].append(seconds)
    return [statistics.median(each) for each in times]


def _by_length(name: str, medians: Sequence[float], first: Sequence[float]) -> dict[str, str | float]:
    """The times of one contender's rows of fixed lengths, and those of the first contender divided by them."""
    row: dict[str, str | float] = {"contender": name}
    for place, length in enumerate(LENGTHS):
        part = slice(place * REPEATS, (place + 1) * REPEATS)
        seconds = statistics.median(medians[part])
        row[f"ms at {length}"] = round(1000 * seconds, 2)
        row[f"ratio at {length}"] = round(statistics.median(first[part]) / seconds, 2)
    return row


def main() -> None:
    parser = harness.arguments("Milliseconds of one sentence on one thread: int8 .tflite beside onnxruntime int8.")
    parser.add_argument(
        "--model", default=str(harness.REAL / "minilm"), help="model folder; without a head it gets one"
    )
    parser.add_argument("--texts", default=str(harness.REAL / "sentiment" / "test.tsv"), help="texts with labels")
    names = list(CONTENDERS)
    parser.add_argument("--contenders", nargs="+", choices=names, default=names[:3], help="compared with the first")
    parser.add_argument("--max-length", type=int, default=128)
    parser.add_argument("--limit", type=int, help="use the first sentences only")
    parser.add_argument("--block", type=int, default=100, help="sentences a turn")
    parser.add_argument("--passes", type=int, default=5, help="times that each sentence is computed")
    parser.add_argument("--clock", choices=harness.CLOCKS, default="wall", help="cpu where other work runs beside")
    options = parser.parse_args()

    harness.use_threads(1)
    options.sizes = json.loads((Path(options.model) / "config.json").read_text())
    options.folder = harness.CACHE / Path(options.model).name
    options.folder.mkdir(parents=True, exist_ok=True)
    options.rows, options.sentences = _rows(options)
    _prepare(options)
    truth = harness.in_process(_float_scores, options)
    contenders = {name: CONTENDERS[name] for name in options.contenders}
    rounds = -(-options.passes * len(options.rows) // options.block)
    peak = harness.sgemm_peak(options.clock)
    results = harness.alternate(contenders, options, options.block, rounds, options.clock)
    peak = max(peak, harness.sgemm_peak(options.clock))

    medians = [_medians(result, options) for result in results]
    sentences = [its[: options.sentences] for its in medians]
    fixed = [its[options.sentences :] for its in medians]
    rows = [
        {
            "contender": result.name,
            "total ms": round(1000 * sum(its)),
            "ratio": round(sum(sentences[0]) / sum(its), 3),
            "median ms": round(1000 * statistics.median(its), 2),
            "of peak": round(result.flops_per_second / peak, 2),
            "peak MB": round(result.peak_bytes / 1e6),
            "same label": round(np.mean(result.facts["scores"].argmax(1) == truth.argmax(1)).item(), 4),
            "mean |Δp|": round(np.abs(result.facts["scores"] - truth).mean().item(), 5),
        }
        for result, its in zip(results, sentences, strict=True)
    ]
    lengths = [_by_length(result.name, its, fixed[0]) for result, its in zip(results, fixed, strict=True)]
    details = {
        "ratio": f"time of {results[0].name} / time of the contender",
        "of peak": f"products a second / those of a large float32 product ({peak / 1e9:.0f} GFLOP/s)",
        "same label, mean |Δp|": "against the float32 model in onnxruntime",
        "versions": harness.versions(["ai-edge-litert", "ai-edge-quantizer", "onnxruntime", "torch", "transformers"]),
        "clock": options.clock,
        "threads": 1,
        "measured": f"median of {options.passes} passes over {options.sentences} sentences of {options.texts}, "
        f"in turns of {options.block}",
    }
    tables = {"sentences": rows, "lengths": lengths}
    harness.show(f"{options.model} with a classifier, one sentence at a time", tables, details, options.json)


if __name__ == "__main__":
    main()

"""Seconds of embedding 10,000 sentences: the predictor of a folder beside transformers + torch, same weights and cores.

A turn is a call with so many sentences, as they stand in the file. Each contender brings its own tokenizer, sorts by
length, pads each batch to its longest text and gives unit vectors of the mean over the tokens.
"""

import itertools
from argparse import Namespace
from collections.abc import Callable, Sequence

import harness
import numpy as np
from harness import Turn

import bert_keras as bk

SENTENCES = 10_000

# Texts to their vectors [N, H].
Embed = Callable[[Sequence[str]], np.ndarray]


def with_bert_keras(turn: Turn, options: Namespace) -> None:
    predict = bk.predictor(options.model)
    # The batch size is the predictor's own, unless one was asked for.
    batch = {} if options.batch_size is None else {"batch_size": options.batch_size}
    _measure(turn, options, lambda texts: np.stack([each["embedding"] for each in predict(texts, **batch)]))


def with_transformers(turn: Turn, options: Namespace) -> None:
    _with_torch(turn, options, options.batch_size or 32)


def with_transformers_64(turn: Turn, options: Namespace) -> None:
    _with_torch(turn, options, options.batch_size or 64)


def _with_torch(turn: Turn, options: Namespace, batch_size: int) -> None:
    import torch
    from transformers import AutoModel, AutoTokenizer

    tokenizer, model = (each.from_pretrained(options.model) for each in (AutoTokenizer, AutoModel))
    model.eval()

    @torch.inference_mode()
    def embed(texts: Sequence[str]) -> np.ndarray:
        # As sentence-transformers does: by characters, the longest first.
        order = sorted(range(len(texts)), key=lambda place: -len(texts[place]))
        found = []
        for start in range(0, len(order), batch_size):
            batch = [texts[place] for place in order[start : start + batch_size]]
            inputs = tokenizer(batch, padding=True, truncation=True, max_length=options.max_length, return_tensors="pt")
            states = model(**inputs).last_hidden_state
            mask = inputs["attention_mask"].unsqueeze(-1).to(states.dtype)
            mean = (states * mask).sum(1) / mask.sum(1)
            found.append(torch.nn.functional.normalize(mean, dim=1).numpy())
        vectors = np.empty((len(texts), found[0].shape[1]), np.float32)
        vectors[order] = np.concatenate(found)
        return vectors

    _measure(turn, options, embed)


def with_sentence_transformers(turn: Turn, options: Namespace) -> None:
    from sentence_transformers import SentenceTransformer
    from sentence_transformers.sentence_transformer.modules import Normalize, Pooling, Transformer

    # Not the folder as it is: that of the tests lacks a file of its pooling.
    body = Transformer(options.model, max_seq_length=options.max_length)
    model = SentenceTransformer(
        modules=[body, Pooling(body.get_embedding_dimension(), "mean"), Normalize()], device="cpu"
    )
    _measure(turn, options, lambda texts: model.encode(list(texts), batch_size=options.batch_size or 32))


CONTENDERS = {
    "bert_keras": with_bert_keras,
    "transformers": with_transformers,
    "transformers-64": with_transformers_64,
    "sentence-transformers": with_sentence_transformers,
}


def _measure(turn: Turn, options: Namespace, embed: Embed) -> None:
    calls = [options.texts[start : start + options.call] for start in range(0, len(options.texts), options.call)]
    turn.ready(vectors=embed(calls[0][:200]))
    # The turn that does not count takes the first call; then each is taken once.
    for texts in itertools.cycle(calls[:1] + calls):
        embed(texts)
        turn.step()


def _sentences(options: Namespace) -> list[str]:
    files = [harness.REAL / "sentiment" / f"{name}.tsv" for name in ("train", "valid", "test")]
    texts = [text for file in files for text in bk.data.table(file).texts]
    return texts[: options.sentences // options.call * options.call]


def main() -> None:
    parser = harness.arguments("Seconds of embedding sentences: bert_keras beside transformers + torch.")
    parser.add_argument("--model", default=str(harness.REAL / "minilm"), help="model folder")
    names = list(CONTENDERS)
    parser.add_argument("--contenders", nargs="+", choices=names, default=names[:3], help="compared with the first")
    parser.add_argument("--max-length", type=int, default=256, help="tokens that the peers read of a text")
    parser.add_argument("--sentences", type=int, default=SENTENCES)
    parser.add_argument("--call", type=int, default=1000, help="sentences a call, which is a turn")
    parser.add_argument("--batch-size", type=int, help="sentences a batch; each contender's own if left out")
    parser.add_argument("--threads", type=int, default=harness.cores())
    parser.add_argument("--clock", choices=harness.CLOCKS, default="wall", help="cpu where other work runs beside")
    options = parser.parse_args()

    harness.use_threads(options.threads)
    options.texts = _sentences(options)
    contenders = {name: CONTENDERS[name] for name in options.contenders}
    results = harness.alternate(contenders, options, 1, len(options.texts) // options.call, options.clock)

    first = results[0]
    rows: list[dict[str, str | float]] = [
        {
            "contender": result.name,
            "seconds": round(sum(result.seconds), 2),
            "ratio": round(sum(first.seconds) / sum(result.seconds), 3),
            "sentences/s": round(len(options.texts) / sum(result.seconds)),
            "peak MB": round(result.peak_bytes / 1e6),
            "largest difference": f"{abs(result.facts['vectors'] - first.facts['vectors']).max():.1e}",
        }
        for result in results
    ]
    details = {
        "sentences": f"{len(options.texts)} of the film reviews, each once",
        "threads": options.threads,
        "ratio": "seconds of the first / seconds",
        "largest difference": "of a number of a vector from the first's, over 200 sentences",
        "versions": harness.versions(["tensorflow", "keras", "torch", "transformers", "sentence-transformers"]),
    }
    harness.show("Embedding sentences", {"rows": rows}, details, options.json)


if __name__ == "__main__":
    main()

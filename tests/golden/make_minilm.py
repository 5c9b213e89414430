"""Makes tests/golden/minilm.safetensors: vectors that sentence-transformers gives to texts of our own.

    python tests/fetch_real.py                  # the real model
    pip install sentence-transformers==6.2.0    # with torch 2.13 and transformers 5.24
    python tests/golden/make_minilm.py

The file holds `vectors` [N, H] (float32), and the texts as a JSON list in its metadata.
"""

import json
from pathlib import Path

from safetensors.numpy import save_file
from sentence_transformers import SentenceTransformer
from sentence_transformers.sentence_transformer.modules import Normalize, Pooling, Transformer

GOLDEN = Path(__file__).resolve().parent
REAL = GOLDEN.parent.parent / ".cache" / "real" / "minilm"
TEXTS = [
    "A man is playing a guitar on the stage.",
    "Someone plays the guitar in front of an audience.",
    "The parcel came two days late, but nothing in it was broken.",
    "My order arrived late and undamaged.",
    "Ich hätte gern einen Kaffee – ohne Zucker!",
    "",
    "no",
    "東京 is the capital of Japan 🗼",
    # Over the 256 tokens that the model reads.
    "The train to the coast leaves at nine and is never on time. " * 25,
]


def main() -> None:
    # The real folder lacks the file of its pooling.
    body = Transformer(str(REAL), max_seq_length=256)
    model = SentenceTransformer(
        modules=[body, Pooling(body.get_embedding_dimension(), "mean"), Normalize()], device="cpu"
    )
    assert len(body.tokenizer(TEXTS[-1])["input_ids"]) > 256
    vectors = model.encode(TEXTS)
    save_file({"vectors": vectors}, GOLDEN / "minilm.safetensors", metadata={"texts": json.dumps(TEXTS)})


if __name__ == "__main__":
    main()

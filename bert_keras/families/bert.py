"""BERT (Devlin et al. 2018), its small sizes (Turc et al. 2019), SciBERT and BioBERT.

Sizes: arXiv:1810.04805 section 3, arXiv:1908.08962 table 1, arXiv:1903.10676, arXiv:1901.08746.
"""

from typing import Any


def _size(layers: int, hidden: int, vocab_size: int = 30522) -> dict[str, Any]:
    return {
        "model_type": "bert",
        "vocab_size": vocab_size,
        "hidden_size": hidden,
        "num_hidden_layers": layers,
        # Every published BERT has heads of width 64 and a feed-forward network of 4 H.
        "num_attention_heads": hidden // 64,
        "intermediate_size": 4 * hidden,
    }


SIZES: dict[str, dict[str, Any]] = {
    "bert-tiny": _size(2, 128),
    "bert-mini": _size(4, 256),
    "bert-small": _size(4, 512),
    "bert-medium": _size(8, 512),
    "bert-base-uncased": _size(12, 768),
    "bert-base-cased": _size(12, 768, vocab_size=28996),
    "bert-large-uncased": _size(24, 1024),
    "bert-large-cased": _size(24, 1024, vocab_size=28996),
    "scibert-scivocab-uncased": _size(12, 768, vocab_size=31090),
    "biobert-v1.1": _size(12, 768, vocab_size=28996),
}

"""Makes albert_rxn.safetensors: what transformers reads out of the real ALBERT that tests/fetch_real.py fetches.

    python tests/golden/make_albert_rxn.py        # needs the extra `bench`, and .cache/real

The model was trained on reactions in SMILES, one token an atom, bond, bracket or ring number (Schwaller et al. 2021).
Its tokenizer is a part of another package, so the strings are split here: the longest piece of the vocabulary first.
"""

from pathlib import Path

import numpy as np
import torch
import transformers
from safetensors.numpy import save_file

GOLDEN = Path(__file__).resolve().parent
SOURCE = GOLDEN.parent.parent / ".cache" / "real" / "albert-rxn"
STRINGS = [
    "CC(=O)O.OCC>>CC(=O)OCC",
    "Brc1ccccc1.OB(O)c1ccccc1>>c1ccc(-c2ccccc2)cc1",
    "O=C(Cl)c1ccccc1.NCC>>CCNC(=O)c1ccccc1",
    "CN1CCC[C@H]1c1cccnc1.CI>>C[N+]1(C)CCC[C@H]1c1cccnc1.[I-]",
    "CC(=O)Oc1ccccc1C(=O)O",
    "C#Cc1ccccc1.[N-]=[N+]=NCc1ccccc1>>c1ccc(Cn2cc(-c3ccccc3)nn2)cc1",
]


def split(text: str, vocabulary: dict[str, int]) -> list[int]:
    """The ids of a string's pieces, between [CLS] and [SEP]."""
    ids, start = [vocabulary["[CLS]"]], 0
    while start < len(text):
        piece = next(text[start:end] for end in range(len(text), start, -1) if text[start:end] in vocabulary)
        ids.append(vocabulary[piece])
        start += len(piece)
    return [*ids, vocabulary["[SEP]"]]


def main() -> None:
    pieces = (SOURCE / "vocab.txt").read_text(encoding="utf-8").splitlines()
    vocabulary = {piece: i for i, piece in enumerate(pieces)}
    rows = [split(text, vocabulary) for text in STRINGS]
    length = max(map(len, rows))
    right = np.array([row + [vocabulary["[PAD]"]] * (length - len(row)) for row in rows])
    padding_mask = np.array([[1] * len(row) + [0] * (length - len(row)) for row in rows])
    # Another fourth position in every text; never [CLS], [SEP] or the padding.
    inner = (np.arange(length) > 0) & (np.roll(padding_mask, -1, axis=1) == 1) & (np.arange(length) < length - 1)
    masked = inner & (np.arange(length) % 4 == np.arange(len(rows))[:, None] % 4)
    token_ids = np.where(masked, vocabulary["[MASK]"], right)
    model = transformers.AlbertForMaskedLM.from_pretrained(SOURCE, attn_implementation="eager").eval()
    with torch.no_grad():
        logits = model(torch.tensor(token_ids), attention_mask=torch.tensor(padding_mask)).logits.numpy()
    top = logits.argmax(-1)[masked]
    print(f"{masked.sum()} masked positions, of which {(top == right[masked]).sum()} are recovered")
    best = np.sort(logits[masked], axis=-1)
    print(f"smallest lead of the first over the second: {(best[:, -1] - best[:, -2]).min():.4f}")
    arrays = {
        "token_ids": token_ids,
        "padding_mask": padding_mask,
        "masked": masked.astype(np.int64),
        "right_ids": right[masked],
        "top_ids": top,
        "logits": logits[masked][:, ::20],
    }
    save_file({name: np.ascontiguousarray(array) for name, array in arrays.items()}, GOLDEN / "albert_rxn.safetensors")


if __name__ == "__main__":
    main()

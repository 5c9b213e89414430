"""Makes tests/golden/explain.safetensors: what transformers' models look at, and the gradients at their token vectors.

    python tests/golden/make_explain.py              # needs the extra `bench`: torch and transformers

For each golden folder named here: `<folder>/attention` [layers, B, A, L, L], the probabilities of every block for the
inputs of its expected.safetensors; for text classification also `<folder>/gradient` [B, L, E], the gradient of the
first label's logit at the rows of the token table. All are float32; rows of padding hold 0.
"""

from pathlib import Path

import numpy as np
import torch
import transformers
from safetensors.numpy import load_file, save_file

GOLDEN = Path(__file__).resolve().parent
FOLDERS = {
    "albert/feature-extraction.two-groups": "AlbertModel",
    "albert/text-classification": "AlbertForSequenceClassification",
    "bert/question-answering": "BertForQuestionAnswering",
    "bert/text-classification": "BertForSequenceClassification",
    "deberta/text-classification": "DebertaForSequenceClassification",
    "deberta-v2/feature-extraction.convolution": "DebertaV2Model",
    "deberta-v2/text-classification": "DebertaV2ForSequenceClassification",
    "distilbert/text-classification": "DistilBertForSequenceClassification",
    "electra/text-classification": "ElectraForSequenceClassification",
    "roberta/fill-mask": "RobertaForMaskedLM",
    "roberta/text-classification": "RobertaForSequenceClassification",
}
THEIRS = {"token_ids": "input_ids", "segment_ids": "token_type_ids", "padding_mask": "attention_mask"}


def explained(folder: Path, name: str) -> dict[str, np.ndarray]:
    """The attention of a model and, with labels, its gradients."""
    arrays = load_file(folder / "expected.safetensors")
    model = getattr(transformers, name).from_pretrained(folder, attn_implementation="eager").eval()
    inputs = {theirs: torch.tensor(arrays[own]) for own, theirs in THEIRS.items() if own in arrays}
    if name.startswith("DistilBert"):
        inputs.pop("token_type_ids", None)
    looked_up = []
    # Not `inputs_embeds`: without ids RoBERTa counts the positions of padding otherwise.
    model.get_input_embeddings().register_forward_hook(lambda _, __, rows: looked_up.append(rows) or rows.retain_grad())
    outputs = model(**inputs, output_attentions=True)
    mask = arrays["padding_mask"].astype(bool)
    attention = np.stack([own.detach().numpy() for own in outputs.attentions])
    found = {"attention": np.where(mask[None, :, None, :, None], attention, 0)}
    if "logits" in outputs and outputs.logits.ndim == 2:
        outputs.logits[:, 0].sum().backward()
        found["gradient"] = np.where(mask[:, :, None], looked_up[0].grad.numpy(), 0)
    return found


def main() -> None:
    arrays = {}
    for folder, name in FOLDERS.items():
        for key, array in explained(GOLDEN / "families" / folder, name).items():
            arrays[f"{folder}/{key}"] = np.ascontiguousarray(array, dtype=np.float32)
    save_file(arrays, GOLDEN / "explain.safetensors")


if __name__ == "__main__":
    main()

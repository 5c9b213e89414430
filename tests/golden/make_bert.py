"""Makes the tiny BERT models of tests/golden/bert and their outputs with transformers.

    python tests/golden/make_bert.py          # needs the extra `bench`: torch and transformers

Every folder is what `save_pretrained` writes, beside `expected.safetensors`: the inputs of one batch and what
transformers computes from them. `splade_tiny.safetensors` holds some of the logits of the real model that
tests/fetch_real.py fetches; it is left as it is where that model is absent.
"""

import shutil
from pathlib import Path

import numpy as np
import torch
import transformers
from safetensors.numpy import save_file

GOLDEN = Path(__file__).resolve().parent
REAL = GOLDEN.parent.parent / ".cache" / "real"
PIECES = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *"abcdefghij", *(f"##{letter}" for letter in "abcdefghij")]
SIZES = {
    "hidden_size": 20,
    "num_hidden_layers": 2,
    "num_attention_heads": 5,
    "intermediate_size": 28,
    "max_position_embeddings": 16,
}
# Four pieces fewer than the table has rows, as in tables that were padded for speed.
VOCAB_SIZE = len(PIECES) + 4
# Folder -> the class and what differs from the defaults: no two agree on activation and epsilon.
MODELS = {
    "feature-extraction": (transformers.BertModel, {"hidden_act": "gelu", "layer_norm_eps": 1e-12}),
    "fill-mask": (transformers.BertForMaskedLM, {"hidden_act": "gelu_new", "layer_norm_eps": 1e-5}),
    "next-sentence-prediction": (
        transformers.BertForNextSentencePrediction,
        {"hidden_act": "relu", "layer_norm_eps": 1e-3},
    ),
    "pretraining": (transformers.BertForPreTraining, {"hidden_act": "gelu_pytorch_tanh", "layer_norm_eps": 1e-7}),
    # As many labels as the hidden size, so that a transposed head has the right shape.
    "text-classification": (
        transformers.BertForSequenceClassification,
        {
            "hidden_act": "silu",
            "layer_norm_eps": 1e-2,
            "type_vocab_size": 3,
            "id2label": {i: f"class {i}" for i in range(20)},
            "label2id": {f"class {i}": i for i in range(20)},
        },
    ),
}
GRADIENTS = {
    "bert.embeddings.word_embeddings.weight",
    "bert.embeddings.LayerNorm.weight",
    "bert.encoder.layer.0.attention.self.key.weight",
    "bert.encoder.layer.1.attention.self.query.bias",
    "bert.encoder.layer.1.output.dense.weight",
    "bert.pooler.dense.weight",
    "cls.predictions.bias",
    "cls.predictions.transform.dense.weight",
    "cls.seq_relationship.weight",
}


def randomize(model: torch.nn.Module, seed: int) -> None:
    """Values that hide nothing: biases off 0, LayerNorm weights off 1."""
    generator = torch.Generator().manual_seed(seed)
    with torch.no_grad():
        for name, parameter in model.named_parameters():
            centre = 1.2 if name.endswith("LayerNorm.weight") else 0.05
            parameter.copy_(centre + 0.3 * torch.randn(parameter.shape, generator=generator))


def batch(segments: int) -> dict[str, np.ndarray]:
    """Three texts of 9, 5 and 2 tokens, padded to 9, ids random under the padding too."""
    random = np.random.default_rng(7)
    real = np.arange(9)[None, :] < np.array([9, 5, 2])[:, None]
    return {
        "token_ids": random.integers(0, VOCAB_SIZE, (3, 9)),
        "segment_ids": random.integers(0, segments, (3, 9)),
        "padding_mask": real.astype(np.int64),
    }


def expected(model: torch.nn.Module, inputs: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    """What the model computes, by names of our own."""
    theirs = {
        "input_ids": torch.tensor(inputs["token_ids"]),
        "token_type_ids": torch.tensor(inputs["segment_ids"]),
        "attention_mask": torch.tensor(inputs["padding_mask"]),
    }
    if isinstance(model, transformers.BertForPreTraining):
        return pretraining(model, theirs)
    with torch.no_grad():
        out = model(**theirs, output_hidden_states=True, output_attentions=True)
    if not isinstance(model, transformers.BertModel):
        return {"logits": out.logits.numpy()}
    return {
        "sequence_output": out.last_hidden_state.numpy(),
        "pooled_output": out.pooler_output.numpy(),
        **{f"hidden_states.{i}": state.numpy() for i, state in enumerate(out.hidden_states)},
        **{f"attention_maps.{i}": attention.numpy() for i, attention in enumerate(out.attentions)},
    }


def pretraining(model: torch.nn.Module, inputs: dict[str, torch.Tensor]) -> dict[str, np.ndarray]:
    """Both logits, the total loss of one batch and some of its gradients."""
    mlm_labels = torch.full((3, 9), -100)
    mlm_labels[0, 2], mlm_labels[0, 5], mlm_labels[1, 3] = 11, 7, 23
    nsp_labels = torch.tensor([0, 1, 1])
    out = model(**inputs, labels=mlm_labels, next_sentence_label=nsp_labels)
    out.loss.backward()
    return {
        "mlm": out.prediction_logits.detach().numpy(),
        "nsp": out.seq_relationship_logits.detach().numpy(),
        "mlm_labels": mlm_labels.numpy(),
        "nsp_labels": nsp_labels.numpy(),
        "loss": out.loss.detach().numpy().reshape(1),
        **{f"gradient.{name}": p.grad.numpy() for name, p in model.named_parameters() if name in GRADIENTS},
    }


def make(task: str, seed: int) -> None:
    """Write the folder of one task."""
    kind, special = MODELS[task]
    folder = GOLDEN / "bert" / task
    shutil.rmtree(folder, ignore_errors=True)
    config = transformers.BertConfig(vocab_size=VOCAB_SIZE, **SIZES, **special)
    config._attn_implementation = "eager"
    model = kind(config).eval()
    randomize(model, seed)
    model.save_pretrained(folder)
    (folder / "vocab.txt").write_text("\n".join(PIECES) + "\n", encoding="utf-8")
    inputs = batch(config.type_vocab_size)
    arrays = {**inputs, **expected(model, inputs)}
    save_file({name: np.ascontiguousarray(array) for name, array in arrays.items()}, folder / "expected.safetensors")


def make_splade() -> None:
    """Write logits of the real model at three positions for every 100th piece."""
    source = REAL / "splade-tiny"
    model = transformers.BertForMaskedLM.from_pretrained(source).eval()
    tokenizer = transformers.AutoTokenizer.from_pretrained(source)
    text, pair = "The capital of France is [MASK].", "It's a café, isn't it?"
    encoded = tokenizer(text, pair, return_tensors="pt")
    positions = [0, encoded["input_ids"][0].tolist().index(tokenizer.mask_token_id), 12]
    with torch.no_grad():
        logits = model(**encoded).logits[0]
    arrays = {
        "token_ids": encoded["input_ids"].numpy(),
        "segment_ids": encoded["token_type_ids"].numpy(),
        "masked_positions": np.array([positions]),
        "logits": np.ascontiguousarray(logits[positions, ::100].numpy()),
    }
    save_file(arrays, GOLDEN / "splade_tiny.safetensors", metadata={"text": text, "pair": pair})


if __name__ == "__main__":
    for number, name in enumerate(MODELS):
        make(name, seed=number)
    if REAL.exists():
        make_splade()

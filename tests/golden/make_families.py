"""Makes the tiny models of tests/golden/families, one folder for each family and head, with transformers' outputs.

    python tests/golden/make_families.py          # needs the extra `bench`: torch and transformers

A folder is what `save_pretrained` writes, a tokenizer of the family's kind (make_family_tokenizers.py), and
`expected.safetensors`: the inputs and labels of one batch, what transformers computes from them, its loss and some of
the gradients. A folder's name is its task, and a variant after a dot.

B batch 3 (2 for multiple choice), C choices 3, L length 9, H hidden 12.
"""

import json
import re
import shutil
import zlib
from pathlib import Path
from typing import Any

import numpy as np
import torch
import transformers
from make_family_tokenizers import write_tokenizer
from safetensors.numpy import save_file
from transformers.activations import ACT2FN
from transformers.modeling_outputs import TokenClassifierOutput
from transformers.models.deberta_v2.modeling_deberta_v2 import DebertaV2PreTrainedModel

FAMILIES = Path(__file__).resolve().parent / "families"
VOCAB_SIZE = 29
SIZES = {
    "vocab_size": VOCAB_SIZE,
    "hidden_size": 12,
    "num_hidden_layers": 2,
    "num_attention_heads": 3,
    "intermediate_size": 20,
    "max_position_embeddings": 16,
    "hidden_dropout_prob": 0.15,
    "attention_probs_dropout_prob": 0.05,
}
DISTILBERT_NAMES = {
    "hidden_size": "dim",
    "num_hidden_layers": "n_layers",
    "num_attention_heads": "n_heads",
    "intermediate_size": "hidden_dim",
    "hidden_dropout_prob": "dropout",
    "attention_probs_dropout_prob": "attention_dropout",
    "hidden_act": "activation",
}
# As many labels as the hidden size, so that a transposed head has the right shape.
CLASSES = {
    "id2label": {i: f"class {i}" for i in range(12)},
    "label2id": {f"class {i}": i for i in range(12)},
}
ENTITIES = ["O", "B-PER", "I-PER", "B-LOC", "I-LOC"]
TAGS = {"id2label": dict(enumerate(ENTITIES)), "label2id": {label: i for i, label in enumerate(ENTITIES)}}
SUFFIXES = {
    "feature-extraction": "Model",
    "fill-mask": "ForMaskedLM",
    "text-classification": "ForSequenceClassification",
    "token-classification": "ForTokenClassification",
    "question-answering": "ForQuestionAnswering",
    "multiple-choice": "ForMultipleChoice",
    "pretraining": "ForPreTraining",
    "replaced-token-detection": "ForPreTraining",
}
# What every model of a family has that its config class does not set by itself.
ROBERTA = {"type_vocab_size": 1, "pad_token_id": 1}
ELECTRA = {"embedding_size": 10}
DEBERTA = {"relative_attention": True, "position_biased_input": False, "pos_att_type": ["c2p", "p2c"]}
DEBERTA_V3 = {
    **DEBERTA,
    "share_att_key": True,
    "norm_rel_ebd": "layer_norm",
    "position_buckets": 4,
    "max_relative_positions": 16,
    "legacy": False,
}
PREFIXES = {
    "bert": ("Bert", {}),
    "roberta": ("Roberta", ROBERTA),
    "xlm-roberta": ("XLMRoberta", ROBERTA),
    "albert": ("Albert", {"embedding_size": 10, "classifier_dropout_prob": 0.25}),
    "distilbert": ("DistilBert", {}),
    "electra": ("Electra", ELECTRA),
    "deberta": ("Deberta", DEBERTA),
    "deberta-v2": ("DebertaV2", DEBERTA_V3),
}
# Family -> folder -> activation, epsilon (DistilBERT's is fixed) and what else differs from the family's.
MODELS: dict[str, dict[str, tuple[str, float, dict[str, Any]]]] = {
    "bert": {
        "text-classification": ("gelu_new", 1e-4, {**CLASSES, "classifier_dropout": 0.25}),
        "token-classification": ("gelu_new", 1e-3, {**TAGS, "classifier_dropout": 0.25}),
        "question-answering": ("relu", 1e-2, {}),
        "multiple-choice": ("silu", 1e-5, {}),
    },
    "roberta": {
        "feature-extraction": ("relu", 1e-3, {}),
        "fill-mask": ("gelu_new", 1e-2, {}),  # its head uses gelu whatever the config says
        "text-classification": ("silu", 1e-7, {**CLASSES, "classifier_dropout": 0.25}),
        "token-classification": ("gelu_pytorch_tanh", 1e-4, TAGS),
        "question-answering": ("gelu", 1e-2, {}),
        "multiple-choice": ("relu", 1e-12, {}),
    },
    "xlm-roberta": {"fill-mask": ("silu", 1e-4, {})},
    "albert": {
        "feature-extraction": ("gelu", 1e-3, {}),
        "feature-extraction.two-groups": ("silu", 1e-5, {"num_hidden_groups": 2, "num_hidden_layers": 3}),
        "fill-mask": ("relu", 1e-2, {}),
        "pretraining": ("gelu", 1e-4, {}),
        "text-classification": ("silu", 1e-3, CLASSES),
        "token-classification": ("gelu_pytorch_tanh", 1e-7, TAGS),
        "question-answering": ("gelu", 1e-2, {}),
        "multiple-choice": ("relu", 1e-5, {}),
    },
    "distilbert": {
        "feature-extraction": ("silu", 0, {}),
        "fill-mask": ("gelu_new", 0, {}),
        "text-classification": ("gelu", 0, {**CLASSES, "seq_classif_dropout": 0.25}),  # its head uses relu
        "token-classification": ("relu", 0, TAGS),
        "question-answering": ("gelu_pytorch_tanh", 0, {"qa_dropout": 0.25}),
        "multiple-choice": ("silu", 0, {}),
    },
    "electra": {
        "feature-extraction": ("relu", 1e-3, {}),
        "feature-extraction.one-width": ("gelu_new", 1e-2, {"embedding_size": 12}),
        "fill-mask": ("silu", 1e-5, {}),  # its head uses gelu whatever the config says
        "replaced-token-detection": ("gelu_new", 1e-4, {}),
        "text-classification": ("relu", 1e-7, {**CLASSES, "classifier_dropout": 0.25}),  # its head uses gelu
        "token-classification": ("gelu_pytorch_tanh", 1e-3, TAGS),
        "question-answering": ("silu", 1e-2, {}),
        "multiple-choice": ("gelu_new", 1e-5, {}),  # its head uses summary_activation, which is gelu
    },
    "deberta": {
        "feature-extraction": ("relu", 1e-3, {"max_relative_positions": 5}),  # shorter than the text
        "fill-mask": ("gelu_new", 1e-2, {"legacy": True}),
        "fill-mask.lm-predictions": ("silu", 1e-5, {"legacy": False}),
        "text-classification": (
            "silu",
            1e-4,
            {**CLASSES, "cls_dropout": 0.25, "pooler_dropout": 0.2, "pooler_hidden_act": "gelu_new"},
        ),
        "token-classification": (
            "gelu_pytorch_tanh",
            1e-3,
            {**TAGS, "type_vocab_size": 2, "position_biased_input": True, "max_relative_positions": 12},
        ),
        "question-answering": ("gelu", 1e-2, {}),
    },
    "deberta-v2": {
        "feature-extraction": ("relu", 1e-3, {}),
        "feature-extraction.convolution": (
            "gelu_new",
            1e-5,
            {"conv_kernel_size": 3, "conv_act": "gelu", "position_buckets": 8},
        ),
        "feature-extraction.own-projections": (
            "silu",
            1e-4,
            {"share_att_key": False, "position_buckets": -1, "max_relative_positions": 5, "norm_rel_ebd": "none"},
        ),
        "feature-extraction.c2p": ("gelu", 1e-2, {"share_att_key": False, "pos_att_type": ["c2p"]}),
        "fill-mask": ("gelu_new", 1e-2, {}),
        "fill-mask.legacy": ("relu", 1e-2, {"legacy": True, "position_biased_input": True}),
        "fill-mask.mask-decoder": ("silu", 1e-3, {"position_buckets": 6}),
        "replaced-token-detection": ("silu", 1e-5, {}),
        "text-classification": (
            "silu",
            1e-4,
            {**CLASSES, "cls_dropout": 0.25, "pooler_dropout": 0.2, "pooler_hidden_act": "tanh"},
        ),
        "token-classification": ("gelu_pytorch_tanh", 1e-3, TAGS),
        "question-answering": ("relu", 1e-2, {"position_buckets": 6}),
        "multiple-choice": ("gelu", 1e-5, {}),
    },
}
# The gradients that are kept, beside those of the heads.
GRADIENTS = re.compile(
    r"""word_embeddings\.weight$ | embeddings\.LayerNorm\.weight$ | position_embeddings\.weight$
    | \.0\.attention\..*(key|key_proj|k_lin|in_proj|pos_proj|pos_q_proj|pos_key_proj|pos_query_proj)\.weight$
    | (layer\.1|albert_layer_groups\.[01]\.albert_layers\.0)\..*(query|query_proj|q_lin)\.bias$
    | layer\.1\.attention\.self\.[qv]_bias$
    | rel_embeddings\.weight$ | encoder\.LayerNorm\.weight$ | conv\.conv\.weight$
    | embeddings_project\.weight$ | embedding_hidden_mapping_in\.weight$ | pooler\.(dense\.)?weight$""",
    re.VERBOSE,
)


class MaskPredictions(torch.nn.Module):
    """The detection head of DeBERTa v3: microsoft/DeBERTa, `replaced_token_detection_model.py`."""

    def __init__(self, config: transformers.DebertaV2Config) -> None:
        super().__init__()
        self.dense = torch.nn.Linear(config.hidden_size, config.hidden_size)
        self.LayerNorm = torch.nn.LayerNorm(config.hidden_size, config.layer_norm_eps)
        self.classifier = torch.nn.Linear(config.hidden_size, 1)
        self.activation = ACT2FN[config.hidden_act]

    def forward(self, states: torch.Tensor) -> torch.Tensor:
        mixed = self.LayerNorm(states + states[:, :1])
        return self.classifier(self.activation(self.dense(mixed))).squeeze(-1)


class DebertaV2ForPreTraining(DebertaV2PreTrainedModel):
    """DeBERTa v3's discriminator, which transformers has no class for; the loss is ELECTRA's."""

    def __init__(self, config: transformers.DebertaV2Config) -> None:
        super().__init__(config)
        self.deberta = transformers.DebertaV2Model(config)
        self.mask_predictions = MaskPredictions(config)
        self.post_init()

    def forward(self, input_ids: torch.Tensor, attention_mask: torch.Tensor, labels: torch.Tensor):
        logits = self.mask_predictions(self.deberta(input_ids, attention_mask=attention_mask)[0])
        real = attention_mask == 1
        loss = torch.nn.functional.binary_cross_entropy_with_logits(logits[real], labels[real].float())
        return TokenClassifierOutput(loss=loss, logits=logits)


class DebertaV2WithMaskDecoder(transformers.DebertaV2ForMaskedLM):
    """DeBERTa's enhanced mask decoder, which transformers leaves out: microsoft/DeBERTa `masked_language_model.py`."""

    def __init__(self, config: transformers.DebertaV2Config) -> None:
        super().__init__(config)
        self.deberta.embeddings.position_embeddings = torch.nn.Embedding(
            config.max_position_embeddings, config.hidden_size
        )

    def forward(self, input_ids: torch.Tensor, attention_mask: torch.Tensor, labels: torch.Tensor):
        encoder, embeddings = self.deberta.encoder, self.deberta.embeddings
        states = self.deberta(input_ids, attention_mask=attention_mask, output_hidden_states=True).hidden_states[-2]
        queries = states + embeddings.position_embeddings.weight[: states.shape[1]]
        for _ in range(2):
            queries, _ = encoder.layer[-1](
                states,
                encoder.get_attention_mask(attention_mask),
                query_states=queries,
                relative_pos=encoder.get_rel_pos(states),
                rel_embeddings=encoder.get_rel_embedding(),
            )
        logits = self.lm_predictions(queries, embeddings.word_embeddings)
        return TokenClassifierOutput(
            loss=torch.nn.functional.cross_entropy(logits.flatten(0, 1), labels.flatten()), logits=logits
        )


# Models that transformers has no class for.
OWN = {
    "replaced-token-detection": DebertaV2ForPreTraining,
    "fill-mask.mask-decoder": DebertaV2WithMaskDecoder,
}


def model_of(family: str, folder: str) -> torch.nn.Module:
    """The seeded model of one folder."""
    prefix, common = PREFIXES[family]
    act, epsilon, special = MODELS[family][folder]
    values = {**SIZES, "hidden_act": act, "layer_norm_eps": epsilon, **common, **special}
    if family == "distilbert":
        del values["layer_norm_eps"]
        values = {DISTILBERT_NAMES.get(name, name): value for name, value in values.items()}
    config = getattr(transformers, f"{prefix}Config")(**values)
    config._attn_implementation = "eager"
    if family == "deberta-v2" and folder in OWN:
        model = OWN[folder](config)
    else:
        model = getattr(transformers, prefix + SUFFIXES[folder.partition(".")[0]])(config)
    # Any number that no other folder has.
    randomize(model, seed=zlib.crc32(f"{family}/{folder}".encode()))
    return model.eval()


def randomize(model: torch.nn.Module, seed: int) -> None:
    """Values that hide nothing: biases off 0, LayerNorm weights off 1."""
    generator = torch.Generator().manual_seed(seed)
    with torch.no_grad():
        for name, parameter in model.named_parameters():
            is_scale = re.search(r"(layer_?norm)\.weight$", name, re.IGNORECASE)
            centre = 1.2 if is_scale else 0.05
            parameter.copy_(centre + 0.3 * torch.randn(parameter.shape, generator=generator))


def inputs_of(config: transformers.PretrainedConfig, task: str) -> dict[str, np.ndarray]:
    """Texts of 9, 5, 2, … tokens, padded to 9; ids are random under the padding, where the family allows it."""
    lengths = [9, 5, 2] if task != "multiple-choice" else [[9, 5, 2], [4, 9, 7]]
    real = np.arange(9) < np.array(lengths)[..., None]
    random = np.random.default_rng(7)
    token_ids = random.integers(0, VOCAB_SIZE, real.shape)
    if config.model_type in ("roberta", "xlm-roberta"):
        # transformers finds the padding, which has no position, by the id.
        token_ids[token_ids == config.pad_token_id] = 5
        token_ids[~real] = config.pad_token_id
    inputs = {"token_ids": token_ids, "padding_mask": real.astype(np.int64)}
    if getattr(config, "type_vocab_size", 0) > 1:
        inputs["segment_ids"] = random.integers(0, config.type_vocab_size, real.shape)
    return inputs


def labels_of(task: str, padding_mask: np.ndarray) -> dict[str, np.ndarray]:
    """Labels of the batch, by names of our own; -100 is ignored."""
    masked = np.full((3, 9), -100)
    masked[0, 2], masked[0, 5], masked[1, 3] = 11, 7, 23
    labels = {
        "fill-mask": {"labels": masked},
        "pretraining": {"mlm_labels": masked, "nsp_labels": np.array([0, 1, 1])},
        "text-classification": {"labels": np.array([3, 11, 0])},
        "multiple-choice": {"labels": np.array([2, 0])},
        "question-answering": {"start_positions": np.array([3, 0, 1]), "end_positions": np.array([7, 4, 1])},
    }
    if task in labels:
        return labels[task]
    random = np.random.default_rng(11)
    if task == "token-classification":
        return {"labels": np.where(padding_mask, random.integers(0, len(ENTITIES), (3, 9)), -100)}
    if task == "replaced-token-detection":
        return {"labels": random.integers(0, 2, (3, 9))}
    # The encoder has no loss: take a weighted sum of what it gives for the real tokens.
    return {"probe": (random.normal(size=(3, 9, 12)) * padding_mask[..., None]).astype(np.float32)}


def outputs_of(model: torch.nn.Module, task: str, arrays: dict[str, np.ndarray]) -> tuple[torch.Tensor, dict]:
    """The loss and the outputs, by names of our own."""
    theirs = {
        "token_ids": "input_ids",
        "segment_ids": "token_type_ids",
        "padding_mask": "attention_mask",
        "mlm_labels": "labels",
        "nsp_labels": "sentence_order_label",
    }
    given = {theirs.get(name, name): torch.tensor(array) for name, array in arrays.items() if name != "probe"}
    if task == "feature-extraction":
        out = model(**given, output_hidden_states=True)
        outputs = {f"hidden_states.{i}": state for i, state in enumerate(out.hidden_states)}
        outputs["sequence_output"] = out.last_hidden_state
        if getattr(out, "pooler_output", None) is not None:
            outputs["pooled_output"] = out.pooler_output
        return (out.last_hidden_state * torch.tensor(arrays["probe"])).sum(), outputs
    out = model(**given)
    if task == "question-answering":
        return out.loss, {"start_logits": out.start_logits, "end_logits": out.end_logits}
    if task == "pretraining":
        return out.loss, {"mlm": out.prediction_logits, "nsp": out.sop_logits}
    return out.loss, {"logits": out.logits}


def forget_class(file: Path) -> None:
    """Name no class in config.json, as the checkpoints of DeBERTa v3 do."""
    values = json.loads(file.read_text(encoding="utf-8"))
    del values["architectures"]
    file.write_text(json.dumps(values, indent=2) + "\n", encoding="utf-8")


def make(family: str, folder: str) -> None:
    """Write one folder."""
    task = folder.partition(".")[0]
    path = FAMILIES / family / folder
    shutil.rmtree(path, ignore_errors=True)
    model = model_of(family, folder)
    inputs = inputs_of(model.config, task)
    labels = labels_of(task, inputs["padding_mask"])
    loss, outputs = outputs_of(model, task, inputs | labels)
    loss.backward()
    # The loss writes it into the config of some classes.
    model.config.problem_type = None
    model.save_pretrained(path)
    if type(model) in OWN.values():
        forget_class(path / "config.json")
    write_tokenizer(family, path)
    base = f"{model.base_model_prefix}."
    tied = getattr(model, "_tied_weights_keys", None) or {}
    gradients = {
        f"gradient.{name}": parameter.grad.numpy()
        for name, parameter in model.named_parameters(remove_duplicate=False)
        if parameter.grad is not None
        and name not in tied
        and (GRADIENTS.search(name) or (task != "feature-extraction" and not name.startswith(base)))
    }
    arrays = {
        **inputs,
        **labels,
        **{name: output.detach().numpy() for name, output in outputs.items()},
        "loss": loss.detach().numpy().reshape(1),
        **gradients,
    }
    save_file({name: np.ascontiguousarray(array) for name, array in arrays.items()}, path / "expected.safetensors")


if __name__ == "__main__":
    for family, folders in MODELS.items():
        for folder in folders:
            make(family, folder)

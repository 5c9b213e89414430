"""Opening fairseq's RoBERTa: its names, its arguments and its vocabulary, and what is refused."""

from pathlib import Path

import keras
import numpy as np
import pytest
from safetensors.numpy import load_file
from torch_opcodes import archive, array, dictionary, namespace

import bert_keras as bk
from bert_keras.weights.fairseq import open_fairseq
from bert_keras.weights.fairseq_tokenizer import tokenizer_files
from bert_keras.weights.torch_file import TorchFile

GOLDEN = Path(__file__).resolve().parent.parent / "golden"
# H hidden, INNER intermediate, V vocabulary, P positions.
H, INNER, V, P = 4, 6, 7, 9
ARGUMENTS = {
    "encoder_attention_heads": 2,
    "encoder_ffn_embed_dim": INNER,
    "activation_fn": "gelu",
    "dropout": 0.1,
    "attention_dropout": 0.2,
    "pooler_dropout": 0.3,
    "pooler_activation_fn": "tanh",
}
SHAPES = {
    "encoder.sentence_encoder.embed_tokens.weight": (V, H),
    "encoder.sentence_encoder.embed_positions.weight": (P, H),
    "encoder.sentence_encoder.layernorm_embedding.weight": (H,),
    "encoder.sentence_encoder.layers.0.self_attn.in_proj_weight": (3 * H, H),
    "encoder.sentence_encoder.layers.0.self_attn.in_proj_bias": (3 * H,),
    "encoder.sentence_encoder.layers.0.self_attn.out_proj.weight": (H, H),
    "encoder.sentence_encoder.layers.0.self_attn_layer_norm.bias": (H,),
    "encoder.sentence_encoder.layers.0.fc1.weight": (INNER, H),
    "encoder.sentence_encoder.layers.0.fc2.weight": (H, INNER),
    "encoder.sentence_encoder.layers.0.final_layer_norm.weight": (H,),
    "encoder.lm_head.weight": (V, H),
    "encoder.lm_head.bias": (V,),
    "encoder.lm_head.dense.weight": (H, H),
    "encoder.lm_head.layer_norm.bias": (H,),
    "encoder.sentence_encoder.version": (1,),
}
HEAD = {
    "classification_heads.mnli.dense.weight": (H, H),
    "classification_heads.mnli.out_proj.weight": (3, H),
}


def make(folder, shapes=SHAPES, arguments=ARGUMENTS, symbols=("A 1", "C 1"), key="args", name="model.pt"):
    random = np.random.default_rng(5)
    values = {key: random.normal(size=shape).astype("<f4") for key, shape in shapes.items()}
    weights = dictionary({key: array(value, str(i)) for i, (key, value) in enumerate(values.items())})
    told = namespace(arguments) if key == "args" else dictionary({"model": namespace(arguments)})
    storages = {str(i): value.tobytes() for i, value in enumerate(values.values())}
    archive(folder / name, dictionary({key: told, "model": weights}), storages)
    (folder / "dict.txt").write_text("".join(f"{symbol}\n" for symbol in symbols))
    return values


def test_names_are_those_of_transformers(tmp_path):
    make(tmp_path)

    _, tensors, _ = open_fairseq(tmp_path)

    assert {name: tensors.shape(name) for name in tensors} == {
        "roberta.embeddings.word_embeddings.weight": (V, H),
        "roberta.embeddings.position_embeddings.weight": (P, H),
        "roberta.embeddings.token_type_embeddings.weight": (1, H),
        "roberta.embeddings.LayerNorm.weight": (H,),
        "roberta.encoder.layer.0.attention.self.query.weight": (H, H),
        "roberta.encoder.layer.0.attention.self.key.weight": (H, H),
        "roberta.encoder.layer.0.attention.self.value.weight": (H, H),
        "roberta.encoder.layer.0.attention.self.query.bias": (H,),
        "roberta.encoder.layer.0.attention.self.key.bias": (H,),
        "roberta.encoder.layer.0.attention.self.value.bias": (H,),
        "roberta.encoder.layer.0.attention.output.dense.weight": (H, H),
        "roberta.encoder.layer.0.attention.output.LayerNorm.bias": (H,),
        "roberta.encoder.layer.0.intermediate.dense.weight": (INNER, H),
        "roberta.encoder.layer.0.output.dense.weight": (H, INNER),
        "roberta.encoder.layer.0.output.LayerNorm.weight": (H,),
        "lm_head.decoder.weight": (V, H),
        "lm_head.bias": (V,),
        "lm_head.dense.weight": (H, H),
        "lm_head.layer_norm.bias": (H,),
    }
    assert tensors.skipped == ["encoder.sentence_encoder.version"]


def test_fused_projection_is_query_then_key_then_value(tmp_path):
    values = make(tmp_path)
    fused = values["encoder.sentence_encoder.layers.0.self_attn.in_proj_weight"]

    _, tensors, _ = open_fairseq(tmp_path)

    for i, part in enumerate(("query", "key", "value")):
        found = tensors[f"roberta.encoder.layer.0.attention.self.{part}.weight"]
        np.testing.assert_array_equal(found, fused[i * H : (i + 1) * H])
    assert not tensors["roberta.embeddings.token_type_embeddings.weight"].any()


@pytest.mark.parametrize("key", ["args", "cfg"])
def test_config_comes_from_the_arguments_and_the_shapes(tmp_path, key):
    make(tmp_path, key=key)

    config, _, vocabulary = open_fairseq(tmp_path / "model.pt")

    assert config == {
        "architectures": ["RobertaForMaskedLM"],
        "model_type": "roberta",
        "vocab_size": V,
        "hidden_size": H,
        "num_hidden_layers": 1,
        "num_attention_heads": 2,
        "intermediate_size": INNER,
        "hidden_act": "gelu",
        "hidden_dropout_prob": 0.1,
        "attention_probs_dropout_prob": 0.2,
        "classifier_dropout": 0.3,
        "max_position_embeddings": P,
        "type_vocab_size": 1,
        "layer_norm_eps": 1e-5,
        "bos_token_id": 0,
        "pad_token_id": 1,
        "eos_token_id": 2,
    }
    assert vocabulary == ["<s>", "<pad>", "</s>", "<unk>", "A", "C", "<mask>"]


def test_classification_head(tmp_path):
    make(tmp_path, SHAPES | HEAD)

    config, tensors, _ = open_fairseq(tmp_path)

    assert config["architectures"] == ["RobertaForSequenceClassification"]
    assert tensors.shape("classifier.out_proj.weight") == (3, H)
    assert tensors.shape("classifier.dense.weight") == (H, H)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"symbols": ("A 1",)}, r"dict\.txt makes a vocabulary of 6 pieces, but model\.pt has 7: .* different models"),
        ({"symbols": ("A 1", "C")}, r"dict\.txt, line 2: 'C' is not a piece, a space and a count"),
        ({"arguments": ARGUMENTS | {"activation_fn": "relu"}}, r"activation_fn is 'relu'; only gelu is read"),
        ({"arguments": ARGUMENTS | {"dropout": "a"}}, r"argument dropout of the training is 'a'"),
        ({"arguments": {"activation_fn": "gelu", "dropout": 0.1}}, r"argument encoder_attention_heads .* is None"),
        (
            {"arguments": ARGUMENTS | {"pooler_activation_fn": "relu"}, "shapes": SHAPES | HEAD},
            r"pooler_activation_fn is 'relu'; only tanh is read",
        ),
        (
            {"shapes": SHAPES | HEAD | {"classification_heads.rte.dense.weight": (H, H)}},
            r"both classification_heads\.mnli.* and classification_heads\.rte.* would be classifier\.dense\.weight",
        ),
        ({"shapes": {"encoder.lm_head.bias": (V,)}}, r"is no RoBERTa of fairseq: it has no matrix for roberta\.embed"),
        (
            {"shapes": SHAPES | {"encoder.sentence_encoder.layers.0.self_attn.in_proj_bias": (3 * H + 1,)}},
            r"layers\.0\.self_attn\.in_proj_bias does not hold query, key and value of equal sizes",
        ),
        ({"key": "other"}, r"neither args nor cfg says how the model was built"),
    ],
)
def test_other_models_are_refused(tmp_path, change, message):
    make(tmp_path, **change)

    with pytest.raises(bk.InputError, match=message):
        open_fairseq(tmp_path)


def test_vocabulary_is_needed(tmp_path):
    make(tmp_path)
    (tmp_path / "dict.txt").unlink()

    with pytest.raises(bk.InputError, match=r"dict\.txt is missing beside the checkpoint"):
        open_fairseq(tmp_path)


@pytest.mark.parametrize("content", ["[" * 100_000, "[]", "caf"])
def test_damaged_list_of_pieces(tmp_path, content):
    (tmp_path / "encoder.json").write_text(content)
    (tmp_path / "vocab.bpe").write_text("#version: 0.2\n")

    with pytest.raises(bk.InputError, match=r"encoder\.json is not the JSON of a vocabulary"):
        tokenizer_files(tmp_path, ["<s>", "262"])


@pytest.mark.parametrize(("names", "message"), [([], "holds no .pt file"), (["a.pt", "b.pt"], "several .pt files")])
def test_folder_must_hold_one_checkpoint(tmp_path, names, message):
    for name in names:
        make(tmp_path, name=name)

    with pytest.raises(bk.InputError, match=message):
        open_fairseq(tmp_path)


@pytest.fixture(scope="module")
def model(real):
    model, _ = bk.load(real / "roberta-vh" / "checkpoint_vh.pt", task="fill-mask")
    return model


class TestRealModel:
    def test_config_vocabulary_and_tensors(self, real):
        path = real / "roberta-vh" / "checkpoint_vh.pt"

        config, tensors, vocabulary = open_fairseq(path)

        assert "".join(vocabulary[4:-1]) == "ACDEFGHIKLMNPQRSTVWY"
        assert (config["num_hidden_layers"], config["num_attention_heads"], config["max_position_embeddings"]) == (
            4,
            8,
            146,
        )
        assert len(tensors) == 75
        original = TorchFile(path)["decoder.sentence_encoder.layers.3.self_attn.v_proj.weight"]
        np.testing.assert_array_equal(tensors["roberta.encoder.layer.3.attention.self.value.weight"], original)

    def test_masked_residues_are_those_of_transformers(self, model):
        golden = load_file(GOLDEN / "roberta_vh.safetensors")

        found = logits(model, golden["token_ids"], golden["padding_mask"])[golden["rows"], golden["columns"]]

        np.testing.assert_allclose(found, golden["logits"], atol=1e-5)
        np.testing.assert_array_equal(found.argmax(-1), golden["best"])

    def test_scores_are_those_that_the_makers_of_the_model_print(self, model):
        # Merck/Sapiens README, "Suggesting mutations": rows 0 to 2, residues A, C, D, E.
        masked = (
            "**QLV*SGVEVKKPGASVKVSCKASGYTFTNYYMYWVRQAPGQGLEWMGGINPSNGGTNF"
            "NEKFKNRVTLTTDSSTTTAYMELKSLQFDDTAVYYCARRDYRFDMGFDYWGQGTTVTVSS"
        )
        pieces = ["<s>", "<pad>", "</s>", "<unk>", *"ACDEFGHIKLMNPQRSTVWY", "*"]
        token_ids = np.array([[0, *map(pieces.index, masked), 2]])

        scores = np.exp(logits(model, token_ids, np.ones_like(token_ids))[0, 1:-1].astype("float64"))
        scores /= scores.sum(axis=-1, keepdims=True)

        printed = [
            [0.003272, 0.004147, 0.004011, 0.004590],
            [0.012038, 0.003854, 0.006803, 0.008174],
            [0.003384, 0.003895, 0.003726, 0.004068],
        ]
        np.testing.assert_allclose(scores[:3, 4:8], printed, atol=6e-7)
        assert [pieces[i] for i in scores.argmax(axis=-1)[[0, 1, 5]]] == ["Q", "V", "Q"]


def logits(model, token_ids, padding_mask):
    """Logits `[B, L, V]` at every position."""
    positions = np.broadcast_to(np.arange(token_ids.shape[1]), token_ids.shape)
    inputs = {"token_ids": token_ids, "padding_mask": padding_mask, "masked_positions": positions}
    return keras.ops.convert_to_numpy(model({name: value.astype("int32") for name, value in inputs.items()}))

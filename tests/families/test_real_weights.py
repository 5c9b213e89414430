"""Real weights: an ALBERT recovers masked tokens as in transformers, and MiniLM is an exact DistilBERT."""

import json
import shutil

import numpy as np
import pytest
import tiny
from safetensors.numpy import load_file, save_file

import bert_keras as bk
from bert_keras.pretrained import load_with_report

# BERT's names in a block -> DistilBERT's.
BLOCK = {
    "attention.self.query": "attention.q_lin",
    "attention.self.key": "attention.k_lin",
    "attention.self.value": "attention.v_lin",
    "attention.output.dense": "attention.out_lin",
    "attention.output.LayerNorm": "sa_layer_norm",
    "intermediate.dense": "ffn.lin1",
    "output.dense": "ffn.lin2",
    "output.LayerNorm": "output_layer_norm",
}


def distilbert_name(name):
    """DistilBERT's name of a tensor of BERT."""
    if not name.startswith("encoder.layer."):
        return name
    _, _, i, rest = name.split(".", 3)
    part, _, end = rest.rpartition(".")
    return f"transformer.layer.{i}.{BLOCK[part]}.{end}"


def write_distilbert(minilm, folder):
    """MiniLM as a DistilBERT, which adds no segment row: that of segment 0 goes into every position."""
    tensors = load_file(minilm / "model.safetensors")
    segments = tensors.pop("embeddings.token_type_embeddings.weight")
    tensors["embeddings.position_embeddings.weight"] += segments[0]
    kept = {
        distilbert_name(name): array
        for name, array in tensors.items()
        if not name.startswith("pooler.") and name != "embeddings.position_ids"
    }
    config = json.loads((minilm / "config.json").read_text(encoding="utf-8"))
    values = {
        "model_type": "distilbert",
        "architectures": ["DistilBertModel"],
        "vocab_size": config["vocab_size"],
        "dim": config["hidden_size"],
        "n_layers": config["num_hidden_layers"],
        "n_heads": config["num_attention_heads"],
        "hidden_dim": config["intermediate_size"],
        "activation": config["hidden_act"],
        "max_position_embeddings": config["max_position_embeddings"],
    }
    folder.mkdir()
    (folder / "config.json").write_text(json.dumps(values), encoding="utf-8")
    save_file(kept, folder / "model.safetensors")
    shutil.copy(minilm / "vocab.txt", folder)


def test_minilm_with_its_segment_in_the_positions_is_a_distilbert(real, tmp_path):
    write_distilbert(real / "minilm", tmp_path / "distilbert")
    bert, tokenizer = bk.load(real / "minilm", task="feature-extraction")
    distilbert, own_tokenizer, report = load_with_report(tmp_path / "distilbert")
    texts = ["This is an example sentence", "Café naïve? Not at all: it's 100% good!", ""]

    expected = tiny.outputs(bert, tokenizer(texts))["sequence_output"]
    found = tiny.outputs(distilbert, own_tokenizer(texts))["sequence_output"]

    real_tokens = tokenizer(texts)["padding_mask"] == 1
    np.testing.assert_allclose(found[real_tokens], expected[real_tokens], atol=1e-5, rtol=0)
    assert report.new == [] and report.ignored == {}


class TestAlbertOfReactions:
    @pytest.fixture(scope="class")
    @classmethod
    def expected(cls):
        return load_file(tiny.GOLDEN / "albert_rxn.safetensors")

    @pytest.fixture(scope="class")
    @classmethod
    def logits(cls, real, expected):
        """Those at the masked positions, in order of text and position."""
        model, _ = bk.load(real / "albert-rxn")
        inputs = {name: expected[name].astype("int32") for name in ("token_ids", "padding_mask")}
        inputs["segment_ids"] = np.zeros_like(inputs["token_ids"])
        rows, length = inputs["token_ids"].shape
        inputs["masked_positions"] = np.tile(np.arange(length, dtype="int32"), (rows, 1))
        return tiny.outputs(model, inputs)[expected["masked"] == 1]

    def test_top_piece_is_that_of_transformers(self, logits, expected):
        np.testing.assert_array_equal(logits.argmax(-1), expected["top_ids"])

    def test_masked_atoms_are_recovered(self, logits, expected):
        assert (logits.argmax(-1) == expected["right_ids"]).sum() == 49

    def test_logits_equal_those_of_transformers(self, logits, expected):
        np.testing.assert_allclose(logits[:, ::20], expected["logits"], atol=1e-4)

"""Tensor names of Google's TensorFlow 1 checkpoints beside Hugging Face's: one table a model, read in both directions.

Sources: `modeling.py`, `run_pretraining.py`, `run_classifier.py` and the SQuAD files of google-research/bert and
google-research/albert; `model/modeling.py` and `run_pretraining.py` of google-research/electra; the state dictionaries
of transformers' BertForPreTraining, AlbertForPreTraining, ElectraForPreTraining and ElectraForMaskedLM.
"""

import re
from collections.abc import Iterable

# Name there -> name here; `#` stands for the number of a layer or group.
Table = dict[str, str]
_NUMBER = re.compile(r"(?<=[/.]layer[_.])\d+|(?<=group_)\d+|(?<=\.albert_layer_groups\.)\d+|(?<=\.albert_layers\.)\d+")


def bert() -> Table:
    """The table of BERT and its heads."""
    return {
        **_embeddings("bert", "bert"),
        **_blocks("bert", "bert"),
        **_dense("bert/pooler/dense", "bert.pooler.dense"),
        **_dense("cls/predictions/transform/dense", "cls.predictions.transform.dense"),
        **_layer_norm("cls/predictions/transform/LayerNorm", "cls.predictions.transform.LayerNorm"),
        "cls/predictions/output_bias": "cls.predictions.bias",
        **_output("cls/seq_relationship/", "cls.seq_relationship"),
        **_output("", "classifier"),
        **_output("cls/squad/", "qa_outputs"),
    }


def albert() -> Table:
    """The table of ALBERT and its heads.

    A block's scope makes its first LayerNorm, `LayerNorm`, after the attention and the second, `LayerNorm_1`, after the
    feed-forward network (`attention_ffn_block`).
    """
    theirs = "bert/encoder/transformer/group_#/inner_group_#"
    ours = "albert.encoder.albert_layer_groups.#.albert_layers.#"
    return {
        **_embeddings("bert", "albert"),
        **_dense("bert/encoder/embedding_hidden_mapping_in", "albert.encoder.embedding_hidden_mapping_in"),
        **_dense(f"{theirs}/attention_1/self/query", f"{ours}.attention.query"),
        **_dense(f"{theirs}/attention_1/self/key", f"{ours}.attention.key"),
        **_dense(f"{theirs}/attention_1/self/value", f"{ours}.attention.value"),
        **_dense(f"{theirs}/attention_1/output/dense", f"{ours}.attention.dense"),
        **_layer_norm(f"{theirs}/LayerNorm", f"{ours}.attention.LayerNorm"),
        **_dense(f"{theirs}/ffn_1/intermediate/dense", f"{ours}.ffn"),
        **_dense(f"{theirs}/ffn_1/intermediate/output/dense", f"{ours}.ffn_output"),
        **_layer_norm(f"{theirs}/LayerNorm_1", f"{ours}.full_layer_layer_norm"),
        **_dense("bert/pooler/dense", "albert.pooler"),
        **_dense("cls/predictions/transform/dense", "predictions.dense"),
        **_layer_norm("cls/predictions/transform/LayerNorm", "predictions.LayerNorm"),
        "cls/predictions/output_bias": "predictions.bias",
        **_output("cls/seq_relationship/", "sop_classifier.classifier"),
        **_output("", "classifier"),
        **_output("cls/squad/", "qa_outputs"),
    }


def electra_discriminator() -> Table:
    """The table of ELECTRA's discriminator."""
    return {
        **_electra("electra", "electra"),
        **_dense("discriminator_predictions/dense", "discriminator_predictions.dense"),
        **_dense("discriminator_predictions/dense_1", "discriminator_predictions.dense_prediction"),
    }


def electra_generator(scope: str = "generator", embeddings: str = "electra") -> Table:
    """The table of ELECTRA's generator.

    Args:
        scope: of its encoder: `electra` where both parts share every weight, or where there is no discriminator.
        embeddings: of its tables: by default those of the discriminator; `generator` where it has its own.
    """
    return {
        **_electra(scope, embeddings),
        **_dense("generator_predictions/dense", "generator_predictions.dense"),
        **_layer_norm("generator_predictions/LayerNorm", "generator_predictions.LayerNorm"),
        "generator_predictions/output_bias": "generator_lm_head.bias",
    }


def family_of(names: Iterable[str]) -> str:
    """The family of a checkpoint of Google's: `bert`, `albert` or `electra`.

    Args:
        names: of its tensors, without the prefix `module/`.
    """
    names = list(names)
    if any(name.startswith(("electra/", "generator/")) for name in names):
        return "electra"
    return "albert" if any("/inner_group_" in name for name in names) else "bert"


def reverse(table: Table) -> Table:
    """The table from the names here to the names there."""
    return {ours: theirs for theirs, ours in table.items()}


def translated(name: str, table: Table) -> str | None:
    """The name on the other side of a table, or None where it has no row.

    Args:
        name: of a tensor, with its numbers.
        table: one of this module's or its reverse.
    """
    target = table.get(_NUMBER.sub("#", name))
    if target is not None:
        for number in _NUMBER.findall(name):
            target = target.replace("#", number, 1)
    return target


def is_transposed(google_name: str) -> bool:
    """Whether Google keeps a matrix as `[in, out]`: the kernels of its dense layers, but not `output_weights`."""
    return google_name.endswith("/kernel")


def _electra(scope: str, embeddings: str) -> Table:
    return {
        **_embeddings(embeddings, "electra"),
        **_dense(f"{scope}/embeddings_project", "electra.embeddings_project"),
        **_blocks(scope, "electra"),
    }


def _embeddings(theirs: str, ours: str) -> Table:
    tables = ("word_embeddings", "position_embeddings", "token_type_embeddings")
    return {
        **{f"{theirs}/embeddings/{table}": f"{ours}.embeddings.{table}.weight" for table in tables},
        **_layer_norm(f"{theirs}/embeddings/LayerNorm", f"{ours}.embeddings.LayerNorm"),
    }


def _blocks(theirs: str, ours: str) -> Table:
    theirs, ours = f"{theirs}/encoder/layer_#", f"{ours}.encoder.layer.#"
    return {
        **_dense(f"{theirs}/attention/self/query", f"{ours}.attention.self.query"),
        **_dense(f"{theirs}/attention/self/key", f"{ours}.attention.self.key"),
        **_dense(f"{theirs}/attention/self/value", f"{ours}.attention.self.value"),
        **_dense(f"{theirs}/attention/output/dense", f"{ours}.attention.output.dense"),
        **_layer_norm(f"{theirs}/attention/output/LayerNorm", f"{ours}.attention.output.LayerNorm"),
        **_dense(f"{theirs}/intermediate/dense", f"{ours}.intermediate.dense"),
        **_dense(f"{theirs}/output/dense", f"{ours}.output.dense"),
        **_layer_norm(f"{theirs}/output/LayerNorm", f"{ours}.output.LayerNorm"),
    }


def _dense(theirs: str, ours: str) -> Table:
    return {f"{theirs}/kernel": f"{ours}.weight", f"{theirs}/bias": f"{ours}.bias"}


def _layer_norm(theirs: str, ours: str) -> Table:
    return {f"{theirs}/gamma": f"{ours}.weight", f"{theirs}/beta": f"{ours}.bias"}


def _output(theirs: str, ours: str) -> Table:
    return {f"{theirs}output_weights": f"{ours}.weight", f"{theirs}output_bias": f"{ours}.bias"}

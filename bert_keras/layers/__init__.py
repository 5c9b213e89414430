"""Keras layers of the encoder and its heads, one a file.

Dimensions: B batch, L length, H hidden, A heads, D head width, I intermediate, V vocabulary, T segments,
P positions, K masked positions, R rows that a head reads, C classes.
"""

from bert_keras.layers.classification_head import ClassificationHead
from bert_keras.layers.embeddings import Embeddings
from bert_keras.layers.encoder_block import EncoderBlock
from bert_keras.layers.encoder_inputs import EncoderInputs
from bert_keras.layers.gather_rows import GatherRows
from bert_keras.layers.layer_norm import LayerNorm
from bert_keras.layers.mean_pooling import MeanPooling
from bert_keras.layers.mlm_head import MlmHead
from bert_keras.layers.nsp_head import NspHead
from bert_keras.layers.pooler import Pooler
from bert_keras.layers.self_attention import SelfAttention

__all__ = [
    "ClassificationHead",
    "Embeddings",
    "EncoderBlock",
    "EncoderInputs",
    "GatherRows",
    "LayerNorm",
    "MeanPooling",
    "MlmHead",
    "NspHead",
    "Pooler",
    "SelfAttention",
]

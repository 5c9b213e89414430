"""Keras layers of the encoder and its heads, one a file.

Dimensions: B batch, L length, H hidden, A heads, D head width, I intermediate, V vocabulary, T segments,
P positions, K masked positions, R rows that a head reads, C classes or choices,
E width of the tables.
"""

from bert_keras.layers.answer_head import AnswerHead
from bert_keras.layers.choice_head import ChoiceHead
from bert_keras.layers.classification_head import ClassificationHead
from bert_keras.layers.context_rtd_head import ContextRtdHead
from bert_keras.layers.convolution import Convolution
from bert_keras.layers.counted_positions import CountedPositions
from bert_keras.layers.disentangled_attention import DisentangledAttention
from bert_keras.layers.disentangled_block import DisentangledBlock
from bert_keras.layers.embeddings import Embeddings
from bert_keras.layers.encoder_block import Block, EncoderBlock
from bert_keras.layers.encoder_inputs import EncoderInputs
from bert_keras.layers.gather_rows import GatherRows
from bert_keras.layers.layer_norm import LayerNorm
from bert_keras.layers.mask_rows import MaskRows
from bert_keras.layers.merge_choices import MergeChoices
from bert_keras.layers.mlm_head import MlmHead
from bert_keras.layers.multi_label_head import MultiLabelHead
from bert_keras.layers.nsp_head import NspHead
from bert_keras.layers.pooler import Pooler
from bert_keras.layers.query_positions import QueryPositions
from bert_keras.layers.relative_positions import RelativePositions
from bert_keras.layers.rtd_head import RtdHead
from bert_keras.layers.self_attention import SelfAttention
from bert_keras.layers.sentence_pooling import SentencePooling
from bert_keras.layers.token_head import TokenHead

__all__ = [
    "AnswerHead",
    "Block",
    "ChoiceHead",
    "ClassificationHead",
    "ContextRtdHead",
    "Convolution",
    "CountedPositions",
    "DisentangledAttention",
    "DisentangledBlock",
    "Embeddings",
    "EncoderBlock",
    "EncoderInputs",
    "GatherRows",
    "LayerNorm",
    "MaskRows",
    "MergeChoices",
    "MlmHead",
    "MultiLabelHead",
    "NspHead",
    "Pooler",
    "QueryPositions",
    "RelativePositions",
    "RtdHead",
    "SelfAttention",
    "SentencePooling",
    "TokenHead",
]

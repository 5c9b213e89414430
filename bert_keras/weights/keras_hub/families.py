"""The families by KerasHub's name and by Hugging Face's."""

from bert_keras.weights.keras_hub.albert import ALBERT
from bert_keras.weights.keras_hub.bert import BERT
from bert_keras.weights.keras_hub.deberta_v3 import DEBERTA_V3
from bert_keras.weights.keras_hub.distilbert import DISTILBERT
from bert_keras.weights.keras_hub.electra import ELECTRA
from bert_keras.weights.keras_hub.roberta import ROBERTA, XLM_ROBERTA
from bert_keras.weights.keras_hub.rows import Family

FAMILIES: tuple[Family, ...] = (BERT, ROBERTA, XLM_ROBERTA, ALBERT, DISTILBERT, ELECTRA, DEBERTA_V3)
BY_BACKBONE = {f"{family.name}Backbone": family for family in FAMILIES}
BY_MODEL_TYPE = {family.model_type: family for family in FAMILIES}

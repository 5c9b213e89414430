"""Training: optimizers, schedules, losses, a recipe per task, and `fit` with exact resume."""

from bert_keras.losses import CountedAccuracy, MeanBinaryCrossEntropy, MeanCrossEntropy
from bert_keras.training.class_weights import class_weights, indices_in, with_class_weights
from bert_keras.training.fit import fit
from bert_keras.training.optimizers import AdamW, BertAdam, Lamb
from bert_keras.training.recipe import recipe
from bert_keras.training.schedules import WarmupLinear
from bert_keras.training.tune import tune

__all__ = [
    "AdamW",
    "BertAdam",
    "CountedAccuracy",
    "Lamb",
    "MeanBinaryCrossEntropy",
    "MeanCrossEntropy",
    "WarmupLinear",
    "class_weights",
    "fit",
    "indices_in",
    "recipe",
    "tune",
    "with_class_weights",
]

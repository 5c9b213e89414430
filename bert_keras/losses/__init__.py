"""What models are trained to make small, as ordinary Keras losses, and the accuracies that count as they do.

A number for each text is trained with Keras' own `keras.losses.MeanSquaredError(dtype="float32")`.
"""

from bert_keras.losses.cosent import Cosent
from bert_keras.losses.cosine_regression import CosineRegression
from bert_keras.losses.cross_entropy import CountedAccuracy, MeanBinaryCrossEntropy, MeanCrossEntropy
from bert_keras.losses.info_nce import InfoNce
from bert_keras.losses.matryoshka import Matryoshka
from bert_keras.losses.multi_label_cross_entropy import MeanMultiLabelCrossEntropy
from bert_keras.losses.triplet_margin import TripletMargin

__all__ = [
    "Cosent",
    "CosineRegression",
    "CountedAccuracy",
    "InfoNce",
    "Matryoshka",
    "MeanBinaryCrossEntropy",
    "MeanCrossEntropy",
    "MeanMultiLabelCrossEntropy",
    "TripletMargin",
]

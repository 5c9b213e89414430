"""What models are trained to make small, as ordinary Keras losses, and the accuracies that count as they do."""

from bert_keras.losses.cross_entropy import CountedAccuracy, MeanBinaryCrossEntropy, MeanCrossEntropy

__all__ = ["CountedAccuracy", "MeanBinaryCrossEntropy", "MeanCrossEntropy"]

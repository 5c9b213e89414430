"""Checkpoints of other libraries: formats become {name: array}; tables of rows tie names to our variables."""

from bert_keras.weights.table import Report, Row, apply, canonical, collect

__all__ = ["Report", "Row", "apply", "canonical", "collect"]

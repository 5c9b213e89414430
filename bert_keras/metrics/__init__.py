"""Evaluation metrics: plain functions on plain lists."""

from bert_keras.metrics.bootstrap import bootstrap_interval, mean_interval, wilson_interval
from bert_keras.metrics.calibration import brier, calibration_error, log_loss, reliability
from bert_keras.metrics.classification import (
    AVERAGES,
    accuracy,
    confusion_matrix,
    f1,
    matthews,
    precision_recall,
)
from bert_keras.metrics.correlation import kendall, pearson, spearman
from bert_keras.metrics.entities import entities, entity_f1
from bert_keras.metrics.glue import GLUE, glue, glue_metrics
from bert_keras.metrics.multi_label import (
    best_thresholds,
    hamming_loss,
    multi_label,
    multi_label_f1,
    subset_accuracy,
)
from bert_keras.metrics.regression import mean_absolute_error, mean_squared_error, r2
from bert_keras.metrics.retrieval import (
    hit_rate,
    mean_average_precision,
    mrr,
    ndcg,
    precision_at,
    recall_at,
    triplet_accuracy,
)
from bert_keras.metrics.squad import (
    best_null_threshold,
    character_f1,
    exact_match,
    normalized_answer,
    squad,
    squad_character_f1,
    squad_exact_match,
    squad_f1,
    token_f1,
)
from bert_keras.metrics.tags import SCHEMES, tag_scheme, tag_spans, to_iob2

__all__ = [
    "AVERAGES",
    "GLUE",
    "SCHEMES",
    "accuracy",
    "best_null_threshold",
    "best_thresholds",
    "bootstrap_interval",
    "brier",
    "calibration_error",
    "character_f1",
    "confusion_matrix",
    "entities",
    "entity_f1",
    "exact_match",
    "f1",
    "glue",
    "glue_metrics",
    "hamming_loss",
    "hit_rate",
    "kendall",
    "log_loss",
    "matthews",
    "mean_absolute_error",
    "mean_average_precision",
    "mean_interval",
    "mean_squared_error",
    "mrr",
    "multi_label",
    "multi_label_f1",
    "ndcg",
    "normalized_answer",
    "pearson",
    "precision_at",
    "precision_recall",
    "r2",
    "recall_at",
    "reliability",
    "spearman",
    "squad",
    "squad_character_f1",
    "squad_exact_match",
    "squad_f1",
    "subset_accuracy",
    "tag_scheme",
    "tag_spans",
    "to_iob2",
    "token_f1",
    "triplet_accuracy",
    "wilson_interval",
]

"""Which of C documents answers a query best? B batch, L length."""

from collections.abc import Mapping
from typing import Any

import keras

from bert_keras.encoder import config_of
from bert_keras.layers import ChoiceHead
from bert_keras.lean import LeanHead, lean_text_head
from bert_keras.tasks.class_scores import class_scores, one_label
from bert_keras.tasks.over_choices import over_choices
from bert_keras.tasks.pooled import classifier_dropout, classifier_output
from bert_keras.tasks.task import Task
from bert_keras.tasks.text_classification import TEXT_CLASSIFICATION


def text_ranking(encoder: keras.Model) -> keras.Model:
    """A model of logits `[B, C]` over inputs `[B, C, L]`, each a query and a document: a cross-encoder.

    A document without a token, which fills a batch up, has no chance.

    Source: Nogueira and Cho 2019, Passage Re-ranking with BERT, for the head; Gao et al. 2021, Rethink Training of BERT
    Rerankers, for its loss over the documents of a query.

    Args:
        encoder: a model of `bert_keras.encoder`.

    Raises:
        InputError: the encoder has no pooler and its family no dense layer in the head.
    """
    config = config_of(encoder)
    dropout = classifier_dropout(config, TEXT_CLASSIFICATION.name)
    head = ChoiceHead(dropout, config.initializer_range, name="ranking_head")
    return over_choices(encoder, classifier_output(encoder, TEXT_CLASSIFICATION.name), head, "text_ranking")


def _lean(options: Mapping[str, Any]) -> LeanHead:
    """The logit of one document: a phone computes them one by one."""
    return lean_text_head("ranking_head", lambda logits: {"logits": logits})


TEXT_RANKING = Task(
    name="text-ranking",
    build=text_ranking,
    heads=("ranking_head",),
    answer="choice",
    examples="choices",
    scores="choices",
    outputs=class_scores,
    objective=one_label,
    lean=_lean,
    of_texts=("logits",),
    shares=TEXT_CLASSIFICATION.name,
    renames={"classification_head": "ranking_head"},
)

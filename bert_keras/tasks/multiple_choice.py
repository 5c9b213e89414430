"""Which of C choices is the best? B batch, L length."""

from collections.abc import Mapping
from typing import Any

import keras

from bert_keras.encoder import config_of
from bert_keras.layers import ChoiceHead
from bert_keras.lean import LeanHead, lean_text_head
from bert_keras.tasks.class_scores import class_scores, one_label
from bert_keras.tasks.over_choices import over_choices
from bert_keras.tasks.pooled import classifier_dropout, own_pooled_output
from bert_keras.tasks.task import Task


def multiple_choice(encoder: keras.Model) -> keras.Model:
    """A model of logits `[B, C]` over inputs `[B, C, L]` (Devlin et al. 2018, section 4.4).

    A choice without a token, which fills a batch up, has no chance.

    Args:
        encoder: a model of `bert_keras.encoder`.
    """
    config = config_of(encoder)
    pooled = encoder.output["pooled_output"] if config.pooler else own_pooled_output(encoder, "multiple-choice")
    head = ChoiceHead(classifier_dropout(config, "multiple-choice"), config.initializer_range, name="choice_head")
    return over_choices(encoder, pooled, head, "multiple_choice")


def _lean(options: Mapping[str, Any]) -> LeanHead:
    """The logit of one choice: a phone computes them one by one."""
    return lean_text_head("choice_head", lambda logits: {"logits": logits}, own_pooler=lambda config: not config.pooler)


MULTIPLE_CHOICE = Task(
    name="multiple-choice",
    build=multiple_choice,
    heads=("choice_head",),
    answer="choice",
    examples="choices",
    scores="choices",
    outputs=class_scores,
    objective=one_label,
    lean=_lean,
    of_texts=("logits",),
)

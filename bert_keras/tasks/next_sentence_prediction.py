"""Does the second text follow the first?"""

from collections.abc import Mapping
from typing import Any

import keras

from bert_keras.encoder import config_of
from bert_keras.layers import NspHead
from bert_keras.lean import LeanHead, lean_probability, lean_text_head
from bert_keras.tasks.class_scores import class_scores, one_label
from bert_keras.tasks.pooled import pooled_output
from bert_keras.tasks.task import Task


def next_sentence_prediction(encoder: keras.Model) -> keras.Model:
    """A model of logits `[B, 2]`: column 0 = is next, 1 = is random (Devlin et al. 2018, task 2).

    ALBERT's is the same model for another question: column 1 = the two were swapped (Lan et al. 2019, section 3.1).

    Args:
        encoder: a model of `bert_keras.encoder`.

    Raises:
        InputError: the encoder has no pooler.
    """
    head = NspHead(config_of(encoder).initializer_range, name="nsp_head")
    return keras.Model(
        encoder.input, head(pooled_output(encoder, "next-sentence-prediction")), name="next_sentence_prediction"
    )


def _lean(options: Mapping[str, Any]) -> LeanHead:
    return lean_text_head("nsp_head", lean_probability, own_pooler=lambda config: False)


NEXT_SENTENCE_PREDICTION = Task(
    name="next-sentence-prediction",
    build=next_sentence_prediction,
    heads=("nsp_head",),
    answer="label",
    examples="texts",
    scores="labels",
    outputs=class_scores,
    objective=one_label,
    lean=_lean,
    of_texts=("probabilities",),
    labels=("is_next", "not_next"),
    needs_pairs=True,
)

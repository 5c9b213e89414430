"""The answer to a question as a span of a text."""

import keras

from bert_keras.encoder import config_of
from bert_keras.layers import AnswerHead


def question_answering(encoder: keras.Model) -> keras.Model:
    """A model of `start_logits` and `end_logits`, `[B, L]` each (Devlin et al. 2018, section 4.2).

    Args:
        encoder: a model of `bert_keras.encoder`.
    """
    config = config_of(encoder)
    head = AnswerHead(config.answer_dropout, config.initializer_range, name="answer_head")
    start, end = head(encoder.output["sequence_output"])
    return keras.Model(encoder.input, {"start_logits": start, "end_logits": end}, name="question_answering")

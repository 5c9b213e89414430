"""Questions on texts, with the span of the text that answers each. B batch, L length, R rows: windows of all texts."""

from typing import Any

import numpy as np
import tensorflow as tf

from bert_keras.data.encode import Encoded
from bert_keras.data.kinds.kind import Kind, Prepared
from bert_keras.data.questions_on_texts import Answer, Questions, questions
from bert_keras.errors import InputError
from bert_keras.text.question_rows import answer_targets, question_rows

_ENDS = ("start_logits", "end_logits")


def _prepare(examples: Questions, tokenizer: Any, model: Any, max_length: int) -> Prepared:
    """Each window of each context behind its question; the targets are 0, the [CLS], where it has no answer."""
    answers = _answers(examples)
    rows = question_rows(tokenizer, examples.questions, examples.contexts, max_length)
    found = dict(zip(_ENDS, answer_targets(rows, answers), strict=True))
    encoded = Encoded.of(rows)

    def gather(batch: np.ndarray, epoch: int) -> tuple[dict[str, np.ndarray], dict[str, np.ndarray]]:
        return encoded.padded(batch, tokenizer.pad_id), {end: places[batch] for end, places in found.items()}

    targets = {end: tf.TensorSpec([None], tf.int32, end) for end in _ENDS}
    return Prepared(encoded.lengths, gather, targets, what="windows")


def _answers(examples: Questions) -> list[list[Answer]]:
    if examples.answers is None:
        raise InputError(f"{examples.source} holds questions without their answers: give a file with both")
    return examples.answers


def _refuse_no_answers(examples: Questions) -> None:
    if not any(_answers(examples)):
        raise InputError(f"{examples.source}: none of the {len(examples)} questions has an answer to learn to find")


def _options(examples: Questions) -> dict[str, Any]:
    """Where a question has no answer, the model learns to say so, as with SQuAD 2.0."""
    return {} if all(_answers(examples)) else {"no_answer": True}


QUESTIONS = Kind(load=questions, prepare=_prepare, columns=("data_dir",), check=_refuse_no_answers, options=_options)

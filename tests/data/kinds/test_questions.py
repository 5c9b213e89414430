"""Questions and their answers as batches."""

import json

import pytest
from tiny_questions import squad

from bert_keras import data
from bert_keras.data.kinds import KINDS
from bert_keras.errors import InputError
from bert_keras.tasks import question_answering


def test_each_window_has_its_answer_or_points_at_cls(write, tokenizer, encoder):
    # In rows of 8 the second context has windows of 4 pieces, 2 apart.
    path = write("a.json", squad(("bad", "good film", "film"), ("good", "good good film bad very good un", "un")))
    ((inputs, targets),) = data.read(path, tokenizer, question_answering(encoder), max_length=8, shuffle=False)
    assert inputs["token_ids"].numpy().tolist() == [
        [2, 6, 3, 5, 7, 3, 0, 0],
        [2, 5, 3, 5, 5, 7, 6, 3],
        [2, 5, 3, 7, 6, 8, 5, 3],
        [2, 5, 3, 8, 5, 9, 3, 0],
    ]
    assert inputs["segment_ids"].numpy()[0].tolist() == [0, 0, 0, 1, 1, 1, 0, 0]
    assert targets["start_logits"].numpy().tolist() == targets["end_logits"].numpy().tolist() == [4, 0, 0, 5]
    assert targets["start_logits"].dtype == "int32"


def test_the_first_and_the_last_piece_of_an_answer(write, tokenizer, encoder):
    path = write("a.json", squad(("bad", "good unseen film good", "unseen film"), ("bad", "good film", None)))
    ((_, targets),) = data.read(path, tokenizer, question_answering(encoder), shuffle=False)
    assert targets["start_logits"].numpy().tolist() == [4, 0]
    assert targets["end_logits"].numpy().tolist() == [6, 0]


def test_questions_without_an_answer_ask_for_a_model_that_may_say_so(write):
    options = KINDS["questions"].options
    some = data.questions(write("a.json", squad(("bad", "good film", "film"), ("bad", "good film", None))))
    assert options(some) == {"no_answer": True}
    assert options(data.questions(write("b.json", squad(("bad", "good film", "film"))))) == {}


def test_questions_to_be_answered_are_no_training_data(write, tokenizer, encoder):
    path = write("a.jsonl", json.dumps({"question": "bad", "context": "good film"}))
    with pytest.raises(InputError, match=r"a\.jsonl holds questions without their answers"):
        data.read(path, tokenizer, question_answering(encoder), shuffle=False)
    with pytest.raises(InputError, match=r"a\.jsonl holds questions without their answers"):
        KINDS["questions"].options(data.questions(path))


def test_nothing_is_learned_where_no_question_has_an_answer(write, tokenizer, encoder):
    path = write("a.json", squad(("bad", "good film", None), ("bad", "film", None)))
    with pytest.raises(InputError, match="none of the 2 questions has an answer to learn to find"):
        data.read(path, tokenizer, question_answering(encoder))

"""Batches of sentences with a tag for each word."""

import json

import pytest

import bert_keras as bk
from bert_keras import data
from bert_keras.errors import InputError

LABELS = ["O", "B-X", "I-X"]


def batch(path, tokenizer, encoder):
    model = bk.tasks.token_classification(encoder, LABELS)
    ((inputs, labels),) = data.read(path, tokenizer, model, shuffle=False)
    return inputs["token_ids"].numpy().tolist(), labels.numpy().tolist()


def test_a_tag_is_learned_at_the_first_piece_of_its_word(tmp_path, tokenizer, encoder):
    path = tmp_path / "a.conll"
    path.write_text("very O\nunseenly B-X\nfilm I-X\n\nbad O\n", encoding="utf-8")
    assert batch(path, tokenizer, encoder) == (
        [[2, 8, 9, 10, 11, 7, 3], [2, 6, 3, 0, 0, 0, 0]],
        [[-100, 0, 1, -100, -100, 2, -100], [-100, 0, -100, -100, -100, -100, -100]],
    )


# What a tokenizer with spaces in its pieces makes of a text depends on the spaces.
def test_texts_with_spans_are_read_as_they_stand(tmp_path):
    tokenizer = bk.Tokenizer.train(["(good) film\tgood", "good  film"] * 9, 266, kind="byte-level-bpe")
    text = "(good)\tfilm\r\n \U0001f600 film."
    path = tmp_path / "a.jsonl"
    path.write_text(json.dumps({"text": text, "spans": [[1, 5, "X"], [7, 20, "X"]]}), encoding="utf-8")
    config = bk.EncoderConfig(
        vocab_size=len(tokenizer.vocabulary), hidden_size=8, num_hidden_layers=1, num_attention_heads=2
    )
    ids, labels = batch(path, tokenizer, bk.encoder(config))
    assert ids[0][1:-1] == tokenizer.ids([text])[0] != tokenizer.ids(["( good ) film \U0001f600 film ."])[0]
    assert [label for label in labels[0] if label != -100] == [0, 1, 0, 1, 2, 2, 0]


def test_tags_that_the_model_lacks_are_named(tmp_path, tokenizer, encoder):
    path = tmp_path / "a.conll"
    path.write_text("good O\n\nbad O\nfilm B-Y\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"a.conll, line 4: the model does not know the tag 'B-Y'; it knows O, B-X"):
        batch(path, tokenizer, encoder)

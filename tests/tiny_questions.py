"""Questions of letters and words, and a tiny model that learns them by heart."""

import json

import keras
import numpy as np
import tiny_text

import bert_keras as bk
from bert_keras.data.kinds import KINDS
from bert_keras.training import recipe

_WORDS = ["film", "bad", "good", "unable", "films"]


def squad(*entries):
    """A file of SQuAD's layout: (question, context, answer); without an answer None."""
    paragraphs = []
    for number, (question, context, answer) in enumerate(entries):
        answers = [] if answer is None else [{"text": answer, "answer_start": context.index(answer)}]
        asked = {"id": str(number), "question": question, "answers": answers, "is_impossible": answer is None}
        paragraphs.append({"context": context, "qas": [asked]})
    return json.dumps({"data": [{"title": "t", "paragraphs": paragraphs}]})


def letters_and_words(answered, unanswered=0):
    """A file of questions, each a letter: what stands behind it, up to the "!". A letter that is not there has none.

    In rows of `tiny_text.MAX_LENGTH` each context is of two windows or three.
    """
    random = np.random.default_rng(3)
    entries = []
    for number in range(answered + unanswered):
        letters, words = random.permutation(list("abcdefghijklmn")), random.choice(_WORDS, 12)
        chosen = int(random.integers(12))
        parts = [f"{letter} {word}" for letter, word in zip(letters, words, strict=False)]
        parts[chosen] += "!"
        known = number < answered
        entries.append((letters[chosen if known else 12], " ".join(parts), f"{words[chosen]}!" if known else None))
    return squad(*entries)


def learned(questions, max_length=tiny_text.MAX_LENGTH, positions=tiny_text.MAX_LENGTH, epochs=40):
    """A model that was trained on some questions, and its tokenizer."""
    keras.utils.set_random_seed(0)
    config = bk.EncoderConfig(
        vocab_size=len(tiny_text.VOCABULARY),
        hidden_size=32,
        num_hidden_layers=1,
        num_attention_heads=4,
        intermediate_size=64,
        max_position_embeddings=positions,
        hidden_dropout_prob=0.0,
        attention_probs_dropout_prob=0.0,
        initializer_range=0.2,
    )
    tokenizer = tiny_text.tokenizer()
    model = bk.tasks.question_answering(bk.encoder(config), **KINDS["questions"].options(questions))
    batches = bk.data.read(questions, tokenizer, model, 16, max_length)
    model.compile(**recipe(model, 1e-2, epochs * len(batches)))
    model.fit(batches, epochs=epochs, verbose=0, shuffle=False)
    return model, tokenizer

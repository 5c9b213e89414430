"""Questions of letters and words, and a tiny model that learns them by heart."""

import json

import numpy as np
import tiny_text
from tiny_training import new_encoder

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


def letters_and_words(folder, answered, unanswered=0):
    """Questions out of a file in a folder, each a letter: what stands behind it, up to the "!".

    A letter that is not there has no answer. In rows of `tiny_text.MAX_LENGTH` each context is of two windows or three.
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
    path = folder / "a.json"
    path.write_text(squad(*entries))
    return bk.data.questions(path)


def learned(questions, max_length=tiny_text.MAX_LENGTH, positions=tiny_text.MAX_LENGTH, epochs=40):
    """A model that was trained on some questions, and its tokenizer."""
    tokenizer = tiny_text.tokenizer()
    encoder = new_encoder(tiny_text.VOCABULARY, positions, width=32, heads=4)
    model = bk.tasks.question_answering(encoder, **KINDS["questions"].options(questions))
    batches = bk.data.read(questions, tokenizer, model, 16, max_length)
    model.compile(**recipe(model, 1e-2, epochs * len(batches)))
    model.fit(batches, epochs=epochs, verbose=0, shuffle=False)
    return model, tokenizer

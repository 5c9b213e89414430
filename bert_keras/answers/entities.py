"""The entities of a text, and a label for each of its words. L length of a row, C labels."""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from bert_keras.answers.answer import Answer, Outputs, checked_list
from bert_keras.answers.tags import OUTSIDE, entity_spans, tags_of
from bert_keras.errors import InputError
from bert_keras.text.rows import Row
from bert_keras.text.tokenizer import Tokenizer
from bert_keras.text.word_rows import Place, Sentence, sentences_of, word_places, word_rows


class Entities(Answer):
    """Labels words, and joins words to entities.

    A word's label is the likeliest at its first piece, in the window where most is around it. Words that share a piece
    share its label, and are one word where entities are made. A word that the tokenizer drops has the label `O` with
    the score 0. How labels make entities: `bert_keras.answers.tags`.
    """

    of_tokens: ClassVar[frozenset[str]] = frozenset({"probabilities"})

    def __init__(self, tokenizer: Tokenizer, settings: Mapping[str, Any], **chosen: Any):
        super().__init__(tokenizer, settings, **chosen)
        assert self.labels is not None
        self._tags = tags_of(self.labels)

    def check(self, texts: Sequence[Any], pairs: Sequence[Any] | None) -> tuple[list[Any], None]:
        """A list of texts, each a string or a list of words, or InputError."""
        if pairs is not None:
            raise InputError("pairs are given, but a model for token classification labels the words of single texts")
        texts = checked_list(texts, "texts")
        for place, text in enumerate(texts):
            if not isinstance(text, str):
                Sentence.of(text, f"texts[{place}]")
        return texts, None

    def rows(self, texts: list[Any], pairs: list[Any] | None) -> list[Row]:
        """The rows of texts, of long ones several; of a list of words the text is they with single spaces between."""
        return word_rows(self.tokenizer, sentences_of(texts), self.max_length)

    def answer(self, text: Any, pair: Any, rows: list[Row], outputs: list[Outputs]) -> dict[str, Any]:
        """The answer for one text.

        Args:
            text: the string, or the list of words.
            pair: None.
            rows: the text's.
            outputs: of each row `probabilities`, float32 `[L, C]`.

        Returns:
            `entities`: dicts of `label`, `score` (the mean of its words'), `start`, `end` and `text`; `words`: dicts of
            `text`, `start`, `end`, `label` and `score` (the probability of the label). Places are code points of the
            text.
        """
        assert self.labels is not None
        sentence = Sentence.of(text)
        places = word_places(sentence, rows)
        best = [output["probabilities"].argmax(axis=-1) for output in outputs]  # [L] a row
        labels = [None if place is None else int(best[place[0]][place[1]]) for place in places]
        scores = [
            0.0 if place is None else float(outputs[place[0]]["probabilities"][place[1], label])
            for place, label in zip(places, labels, strict=True)
        ]
        words = [
            {
                "text": sentence.text[start:end],
                "start": start,
                "end": end,
                "label": OUTSIDE if label is None else self.labels[label],
                "score": score,
            }
            for (start, end), label, score in zip(sentence.bounds, labels, scores, strict=True)
        ]
        return {"entities": self._entities(sentence, places, labels, scores), "words": words}

    def _entities(
        self, sentence: Sentence, places: list[Place | None], labels: list[int | None], scores: list[float]
    ) -> list[dict[str, Any]]:
        # Words of one piece are one here: `B-X` for `).` is one entity, not two.
        begins = [word for word in range(len(places)) if word == 0 or not _same(places[word - 1], places[word])]
        tags = [None if (label := labels[word]) is None else self._tags[label] for word in begins]
        ends = [*begins[1:], len(places)]
        entities = []
        for kind, first, last in entity_spans(tags):
            of_entity = range(begins[first], ends[last - 1])
            start, end = sentence.bounds[of_entity[0]][0], sentence.bounds[of_entity[-1]][1]
            entities.append(
                {
                    "label": kind,
                    "score": sum(scores[word] for word in of_entity) / len(of_entity),
                    "start": start,
                    "end": end,
                    "text": sentence.text[start:end],
                }
            )
        return entities


def _same(one: Place | None, other: Place | None) -> bool:
    return one is not None and one == other

"""Sentence pairs for next-sentence prediction, as google-research/bert's create_pretraining_data.py makes them.

A pair is four places in one array of all tokens: segment A is [a_start, a_end), B is [b_start, b_end).
"""

from dataclasses import dataclass

import numpy as np

IS_NEXT, RANDOM = 0, 1
SPECIAL_TOKENS = 3  # [CLS] A [SEP] B [SEP]
_SHORTEST = 2  # one token in each segment


@dataclass(frozen=True)
class Corpus:
    """Tokenized documents, end to end.

    Args:
        token_ids: int32 [T].
        sentence_starts: int64 [S + 1]: sentence s is `token_ids[sentence_starts[s]:sentence_starts[s + 1]]`.
        document_starts: int64 [D + 1]: document d is sentences `document_starts[d]` to `document_starts[d + 1]`.
    """

    token_ids: np.ndarray
    sentence_starts: np.ndarray
    document_starts: np.ndarray


def sentence_pairs(
    corpus: Corpus, max_length: int, short_sequence_probability: float, random: np.random.Generator
) -> tuple[np.ndarray, np.ndarray]:
    """Go through the corpus once and return its pairs.

    Args:
        corpus: the tokenized documents, none of them empty.
        max_length: longest row, special tokens included.
        short_sequence_probability: how often a document gets a random shorter target length.
        random: the source of chance.

    Returns:
        Places int64 [N, 4] and labels int32 [N], 0 = B follows A, 1 = B is random.
    """
    walk = _Walk(corpus, max_length - SPECIAL_TOKENS, random)
    documents = len(corpus.document_starts) - 1
    short = random.random(documents) < short_sequence_probability
    targets = random.integers(_SHORTEST, walk.longest, documents, endpoint=True)
    for document in range(documents):
        walk.document(document, int(targets[document]) if short[document] else walk.longest)
    places = np.array(walk.places, np.int64).reshape(-1, 4)
    return _truncated(places, walk.longest, random), np.array(walk.labels, np.int32)


class _Walk:
    """Collects the pairs of a corpus, a document after another."""

    def __init__(self, corpus: Corpus, longest: int, random: np.random.Generator) -> None:
        # Plain lists: single elements of arrays are slow to read.
        self._sentences: list[int] = corpus.sentence_starts.tolist()
        self._documents: list[int] = corpus.document_starts.tolist()
        self._random = random
        self.longest = longest
        self.places: list[tuple[int, int, int, int]] = []
        self.labels: list[int] = []

    def document(self, document: int, target: int) -> None:
        """Add the pairs of one document; `target` is the number of tokens to fill a pair with."""
        first, last = self._documents[document], self._documents[document + 1]
        while first < last:
            end = self._fill(first, last, target)
            # B needs a sentence of the chunk, so A never takes all of them, unless there is only one.
            a_end = first + 1 if end - first == 1 else first + self._below(end - first - 1) + 1
            a = self._sentences[first], self._sentences[a_end]
            if end - first == 1 or self._below(2):
                self.places.append((*a, *self._random_segment(document, target - (a[1] - a[0]))))
                self.labels.append(RANDOM)
                # The rest of the chunk was not used: go on with it.
                first = a_end
            else:
                self.places.append((*a, self._sentences[a_end], self._sentences[end]))
                self.labels.append(IS_NEXT)
                first = end

    def _fill(self, first: int, last: int, target: int) -> int:
        """Return the sentence after the shortest run from `first` on that holds `target` tokens."""
        end = first + 1
        while end < last and self._sentences[end] - self._sentences[first] < target:
            end += 1
        return end

    def _random_segment(self, document: int, target: int) -> tuple[int, int]:
        """Return at least one sentence from another document; from the only one, if there is no other."""
        others = len(self._documents) - 2
        if others:
            other = self._below(others)
            document = other + 1 if other >= document else other
        first, last = self._documents[document], self._documents[document + 1]
        first += self._below(last - first)
        return self._sentences[first], self._sentences[self._fill(first, last, target)]

    def _below(self, bound: int) -> int:
        return int(self._random.random() * bound)


def _truncated(places: np.ndarray, longest: int, random: np.random.Generator) -> np.ndarray:
    """Cut pairs to `longest` tokens: one by one off the longer segment (B if equal), at the front or back by chance."""
    a, b = places[:, 1] - places[:, 0], places[:, 3] - places[:, 2]
    excess = np.maximum(a + b - longest, 0)
    # First the longer one comes down to the other, then both in turn, B first.
    leveled = np.minimum(excess, abs(a - b))
    rest = excess - leveled
    cut_a = np.where(a > b, leveled, 0) + rest // 2
    cut_b = np.where(b > a, leveled, 0) + (rest + 1) // 2
    front_a, front_b = random.binomial(cut_a, 0.5), random.binomial(cut_b, 0.5)
    return places + np.stack([front_a, front_a - cut_a, front_b, front_b - cut_b], axis=1)

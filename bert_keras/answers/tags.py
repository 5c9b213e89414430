"""Which words make an entity: the labels of taggers, whatever scheme they were trained with."""

from collections.abc import Sequence

OUTSIDE = "O"

# What a tag's first letter says of a word: B begins an entity, I goes on with it, E ends it, S is one by itself. BILOU
# and BMES have other letters for the same.
_PLACES = {"B": "B", "I": "I", "M": "I", "E": "E", "L": "E", "S": "S", "U": "S"}

# A tag's place, and the entity's type.
Tag = tuple[str, str]


def tags_of(labels: Sequence[str]) -> list[Tag | None]:
    """What each of a model's labels says of a word; None if it is in no entity.

    - Labels such as `B-PER` are read by their letter (IOB1, IOB2, BIOES, BILOU, BMES); others among them, such as `O`
      or `X`, are in no entity.
    - `B`, `I` and `O` alone have one type, `entity`.
    - Labels without letters, one of which is `O`: each other is a type, and equal neighbours are one entity.
    - Labels without letters and without `O` are parts of speech: in no entity.

    Args:
        labels: all of the model's.
    """
    parted = [_parted(label) for label in labels]
    if any(parted):
        return parted
    if OUTSIDE not in labels:
        return [None] * len(labels)
    if {"B", "I"} <= set(labels):
        return [(_PLACES[label], "entity") if label in _PLACES else None for label in labels]
    return [None if label == OUTSIDE else ("I", label) for label in labels]


def entity_spans(tags: Sequence[Tag | None]) -> list[tuple[str, int, int]]:
    """The entities in a row of tags: (type, first, end), the end not included.

    The rule is lenient, as conlleval's: I or E after nothing, or after another type, begins an entity.

    Source: Tjong Kim Sang and De Meulder 2003, conlleval.

    Args:
        tags: of each word, as `tags_of` gives them.
    """
    spans: list[tuple[str, int, int]] = []
    before: Tag | None = None
    for place, tag in enumerate(tags):
        if tag is None:
            before = None
            continue
        goes_on = before is not None and before[0] in "BI" and tag[0] in "IE" and before[1] == tag[1]
        first = spans.pop()[1] if goes_on else place
        spans.append((tag[1], first, place + 1))
        before = tag
    return spans


def _parted(label: str) -> Tag | None:
    letter, dash, kind = label.partition("-")
    return (_PLACES[letter], kind) if dash and kind and letter in _PLACES else None

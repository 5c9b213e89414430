"""Tags of words: the schemes that mark entities, and the spans that tags mean.

IOB2 begins every entity with B-; IOB1 begins one with B- only right after another of its type; BIOES and BILOU mark
the last word (E-, L-) and an entity of one word (S-, U-) too.
"""

from collections.abc import Callable, Sequence

from bert_keras.errors import InputError

Sentences = Sequence[Sequence[str]]
Where = Callable[[int, int], str]

SCHEMES = ("IOB1", "IOB2", "BIOES", "BILOU")
# Scheme -> its prefix of a last word, its prefix of an only word.
_LAST_AND_ONLY = {"BIOES": ("E", "S"), "BILOU": ("L", "U")}


def split_tag(tag: str) -> tuple[str, str]:
    """Return the prefix and the type of a tag: `"B-PER"` -> `("B", "PER")`, `"O"` -> `("O", "")`."""
    prefix, _, kind = tag.partition("-")
    return prefix, kind


def tag_spans(tags: Sequence[str], strict: bool = True) -> list[tuple[str, int, int]]:
    """Return the entities of one sentence: (type, first word, word after the last).

    Source: strict as seqeval's strict IOB2; lenient as the CoNLL script `conlleval` and seqeval's default.

    Args:
        tags: IOB2 tags, `O`, `B-type` or `I-type`.
        strict: I- after nothing, or after another type, is no entity; else it begins one.

    Raises:
        InputError: a tag is none of IOB2.
    """
    spans: list[tuple[str, int, int]] = []
    first, open_type = 0, None
    for position, tag in enumerate([*tags, "O"]):
        prefix, kind = split_tag(tag)
        if not _is_inner(tag):
            raise InputError(f"word {position + 1} has the tag {tag!r}: IOB2 tags are O, B-type and I-type")
        if prefix == "I" and kind == open_type:
            continue
        if open_type is not None:
            spans.append((open_type, first, position))
        begins = prefix == "B" or (prefix == "I" and not strict)
        first, open_type = position, kind if begins else None
    return spans


def tag_scheme(sentences: Sentences, where: Where | None = None) -> str | None:
    """Return the scheme that tags are written in: "IOB1", "IOB2", "BIOES" or "BILOU"; None for plain labels (NOUN).

    Tags that fit IOB1 and IOB2 alike are IOB2.

    Args:
        sentences: the tags of each sentence.
        where: what to call a word in messages, from the numbers of its sentence and word, from 0 on.

    Raises:
        InputError: the tags fit no scheme; the message names the word.
    """
    where = where or _where
    tags = {tag for sentence in sentences for tag in sentence}
    if not any(tag[1:2] == "-" and tag[0] in "BIESLU" for tag in tags) and not tags <= {"O", "B", "I"}:
        return None
    prefixes = {split_tag(tag)[0] for tag in tags}
    bioes, bilou = prefixes & {"E", "S"}, prefixes & {"L", "U"}
    if bioes and bilou:
        raise InputError(
            f"the tags mix BIOES ({where(*_first(sentences, lambda tag: split_tag(tag)[0] in bioes))}) "
            f"and BILOU ({where(*_first(sentences, lambda tag: split_tag(tag)[0] in bilou))}): use one scheme"
        )
    if bioes or bilou:
        scheme = "BIOES" if bioes else "BILOU"
        _check(sentences, scheme, where)
        return scheme
    unknown = {tag for tag in tags if not _is_inner(tag)}
    if unknown:
        place = _first(sentences, unknown.__contains__)
        tag = sentences[place[0]][place[1]]
        raise InputError(f"{where(*place)}: {tag!r} is no tag of entities: those are O, B-type and I-type")
    wrong_iob2 = _first_fault(sentences, "IOB2")
    if wrong_iob2 is None:
        return "IOB2"
    wrong_iob1 = _first_fault(sentences, "IOB1")
    if wrong_iob1 is None:
        return "IOB1"
    raise InputError(
        f"the tags are neither IOB2 ({where(*wrong_iob2[:2])}: {wrong_iob2[2]}) "
        f"nor IOB1 ({where(*wrong_iob1[:2])}: {wrong_iob1[2]})"
    )


def to_iob2(sentences: Sentences, scheme: str | None = None, where: Where | None = None) -> list[list[str]]:
    """Return tags of any scheme as IOB2.

    Args:
        sentences: the tags of each sentence.
        scheme: one of `SCHEMES`; None finds it out with `tag_scheme`.
        where: what to call a word in messages, from the numbers of its sentence and word, from 0 on.

    Raises:
        InputError: there is no such scheme, or a tag is wrong in it; the message names the word.
    """
    where = where or _where
    if scheme is None:
        scheme = tag_scheme(sentences, where)
        if scheme is None:
            raise InputError("these tags mark no entities: tags such as B-PER, I-PER and O do")
    elif scheme not in SCHEMES:
        raise InputError(f"there is no scheme {scheme!r}: choose one of {', '.join(SCHEMES)}")
    else:
        _check(sentences, scheme, where)
    return [_sentence_to_iob2(sentence) for sentence in sentences]


def _sentence_to_iob2(tags: Sequence[str]) -> list[str]:
    """Valid tags of any scheme as IOB2."""
    found, before = [], "O"
    for tag in tags:
        prefix, kind = split_tag(tag)
        begins = prefix in "BSU" or (prefix == "I" and (before[0] == "O" or split_tag(before)[1] != kind))
        found.append(tag if prefix == "O" else ("B" if begins else "I") + tag[1:])
        before = tag
    return found


def _check(sentences: Sentences, scheme: str, where: Where) -> None:
    fault = _first_fault(sentences, scheme)
    if fault:
        raise InputError(f"{where(*fault[:2])}: {fault[2]}")


def _first_fault(sentences: Sentences, scheme: str) -> tuple[int, int, str] | None:
    """Sentence, word and what is wrong there."""
    fault_of = _outer_fault if scheme in _LAST_AND_ONLY else _inner_fault
    for number, tags in enumerate(sentences):
        for position, tag in enumerate(tags):
            before = tags[position - 1] if position else "O"
            after = tags[position + 1] if position + 1 < len(tags) else "O"
            fault = fault_of(tag, before, after, scheme)
            if fault:
                return number, position, fault
    return None


def _inner_fault(tag: str, before: str, after: str, scheme: str) -> str | None:
    """What is wrong with a tag of IOB1 or IOB2."""
    prefix, kind = split_tag(tag)
    if not _is_inner(tag):
        return f"{tag!r} is no tag of {scheme}: its tags are O, B-type and I-type"
    goes_on = before != "O" and split_tag(before)[1] == kind
    if scheme == "IOB2" and prefix == "I" and not goes_on:
        return f"{tag!r} follows {before!r}, and in IOB2 an entity begins with {'B' + tag[1:]!r}"
    if scheme == "IOB1" and prefix == "B" and not goes_on:
        return f"{tag!r} follows {before!r}, and in IOB1 an entity there begins with {'I' + tag[1:]!r}"
    return None


def _outer_fault(tag: str, before: str, after: str, scheme: str) -> str | None:
    """What is wrong with a tag of BIOES or BILOU."""
    last, only = _LAST_AND_ONLY[scheme]
    prefix, kind = split_tag(tag)
    if prefix not in ("O", "B", "I", last, only) or (prefix == "O" and tag != "O"):
        return f"{tag!r} is no tag of {scheme}: its tags are O, B-type, I-type, {last}-type and {only}-type"
    before_prefix, before_kind = split_tag(before)
    after_prefix, after_kind = split_tag(after)
    if prefix in ("I", last) and not (before_prefix in ("B", "I") and before_kind == kind):
        return f"{tag!r} follows {before!r}, and in {scheme} it goes on what {'B' + tag[1:]!r} began"
    if prefix in ("B", "I") and not (after_prefix in ("I", last) and after_kind == kind):
        right = last if prefix == "I" else only
        return f"{tag!r} is the last word of its entity, which in {scheme} is tagged {right + tag[1:]!r}"
    return None


def _is_inner(tag: str) -> bool:
    """Whether a tag is one of IOB1 and IOB2."""
    return tag == "O" or split_tag(tag)[0] in ("B", "I")


def _first(sentences: Sentences, wanted: Callable[[str], bool]) -> tuple[int, int]:
    """The first word whose tag is wanted."""
    return next(
        (number, position) for number, tags in enumerate(sentences) for position, tag in enumerate(tags) if wanted(tag)
    )


def _where(sentence: int, word: int) -> str:
    return f"sentence {sentence + 1}, word {word + 1}"

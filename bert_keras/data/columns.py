"""Which columns of a table hold the text, its pair and the label."""

from dataclasses import dataclass, field

from bert_keras.data.records import Records, first_of, listed
from bert_keras.errors import InputError

# In order of preference; names are compared without case.
_TEXTS = (
    *("text", "sentence", "review", "content", "comment", "tweet", "message", "document", "question", "query"),
    *("comment_text", "description", "body"),
)
_PAIRS = (
    ("sentence1", "sentence2"),
    ("sentence_1", "sentence_2"),
    ("text_a", "text_b"),
    ("text1", "text2"),
    ("premise", "hypothesis"),
    ("question1", "question2"),
    ("#1 string", "#2 string"),
    ("question", "sentence"),
    ("question", "passage"),
    ("query", "passage"),
)
LABELS = (
    *("label", "labels", "class", "category", "sentiment", "target", "intent", "polarity", "gold_label"),
    *("is_duplicate", "quality", "score", "rating", "stars"),
)


@dataclass(frozen=True)
class Columns:
    """Names of the columns to read, None where a table has none; and of those that are not read."""

    text: str
    pair: str | None
    label: str | None
    unread: tuple[str, ...] = field(default=(), compare=False)

    def roles(self) -> list[tuple[str, str]]:
        """Return (role, column) for each role that has a column."""
        roles = (("text", self.text), ("pair", self.pair), ("label", self.label))
        return [(role, column) for role, column in roles if column is not None]


def choose(records: Records, text: str | None = None, pair: str | None = None, label: str | None = None) -> Columns:
    """Return the columns to read: those asked for, else those with a usual name.

    Raises:
        InputError: a column asked for is absent or there twice, or no column has a usual name for text.
    """
    source, names = records.source, records.names
    label = records.find(label, LABELS)
    if text is None and pair is None:
        text, pair = _guess_texts(names, label)
    elif text is None:
        text = first_of([name for name in names if name not in (pair, label)], _TEXTS)
    if text is None:
        raise InputError(
            f"{source}: no column is named text (or {', '.join(_TEXTS[1:6])} …, or as a pair such as sentence1 and "
            f"sentence2); the columns are {listed(names)}. The first line of a file must be a header such as label, "
            "text; other names are given with text= and label= (--text, --label)"
        )
    unread = tuple(name for name in names if name not in (text, pair, label))
    columns = Columns(records.require(text, (), "the text"), records.find(pair, ()), label, unread)
    _refuse_repeated(source, names, columns)
    return columns


def _guess_texts(names: list[str], label: str | None) -> tuple[str | None, str | None]:
    for first, second in _PAIRS:
        found = first_of(names, (first,)), first_of(names, (second,))
        if all(found):
            return found
    text = first_of(names, _TEXTS)
    if text is None and label is not None and len(names) == 2:
        # A label and one other column: that one is the text, whatever its name.
        text = next((name for name in names if name != label), None)
    return text, None


def _refuse_repeated(source: str, names: list[str], columns: Columns) -> None:
    for role, name in columns.roles():
        if names.count(name) > 1:
            raise InputError(f"{source}, line 1: the header names column {name!r} {names.count(name)} times")
        others = [other for other, column in columns.roles() if column == name and other != role]
        if others:
            raise InputError(f"{source}: column {name!r} cannot be read both as {role} and {others[0]}")

"""Small files for every task, in the formats that users have; all sentences are our own."""

import itertools
import json
import random
from pathlib import Path

PEOPLE = ["Anna Maria", "Boris", "Carla Diaz", "David Kim", "Elena"]
PLACES = ["Paris", "New York", "Berlin", "Tokyo"]
FIRMS = ["Acme", "Globex Ltd", "Initech"]
SENTENCES = [
    "{PER} flew to {LOC} .",
    "{ORG} opened a shop in {LOC} .",
    "yesterday {PER} joined {ORG} .",
    "in {LOC} it rained all day .",
    "nothing happened today .",
]
GOOD = ["bright", "warm", "funny", "kind"]
BAD = ["dull", "cold", "rude", "noisy"]
THINGS = ["film", "room", "soup", "song", "story", "dress"]
TOPICS = {"sport": "the team won the match", "food": "the soup was warm", "travel": "the train was late"}
SIZES = {"tiny": 1, "small": 2, "large": 3, "huge": 4}
# A sentence and the one that follows it.
STORIES = [
    ("he put the kettle on", "soon the tea was ready"),
    ("the bus was late", "so we walked to work"),
    ("she planted a seed", "a flower grew in spring"),
    ("the lamp went out", "it was dark in the room"),
    ("they lost the map", "nobody knew the way home"),
    ("it began to snow", "the children built a snowman"),
]
# A sentence and another one of like meaning.
SAME = [
    ("how do i reset my password", "i forgot my password"),
    ("when does the shop open", "opening hours of the shop"),
    ("the parcel is late", "my order has not come yet"),
    ("i want my money back", "please refund my order"),
    ("the soup was cold", "they served us a cold soup"),
    ("which bus goes to the beach", "how to get to the beach by bus"),
    ("the phone does not charge", "charging the phone fails"),
    ("cancel my subscription", "i want to end the subscription"),
]


def write(folder: Path) -> Path:
    """Write all files into a folder and return it."""
    for name, content in _files().items():
        (folder / name).write_text(content, encoding="utf-8")
    return folder


def names() -> list[str]:
    """The names of all files."""
    return list(_files())


def _files() -> dict[str, str]:
    rng = random.Random(0)
    return {
        "people.conll": _conll(rng, 40),
        "valid_people.conll": _conll(rng, 12),
        "questions.json": _squad(PLACES),
        "valid_questions.json": _squad(PLACES[:2]),
        "topics.jsonl": _topics(rng, 36),
        "valid_topics.jsonl": _topics(rng, 12),
        "ratings.tsv": _ratings(THINGS),
        "valid_ratings.tsv": _ratings(THINGS[:3]),
        "follows.tsv": _follows(STORIES),
        "valid_follows.tsv": _follows(STORIES[:3]),
        "choices.jsonl": _choices(STORIES),
        "valid_choices.jsonl": _choices(STORIES[:3]),
        "alike.tsv": "anchor\tpositive\n" + "".join(f"{one}\t{other}\n" for one, other in SAME),
        "scored.tsv": _scored(),
        "ranking.jsonl": _ranking(),
        "notes.txt": "".join(f"the {thing} was {word} .\n" for thing in THINGS for word in GOOD + BAD),
        "masked.tsv": "text\tlabel\n" + "".join(f"the {thing} was [MASK] .\twarm\n" for thing in THINGS),
        "articles.jsonl": "".join(
            json.dumps({"id": f"a{number}", "text": text}) + "\n"
            for number, text in enumerate(itertools.chain.from_iterable(SAME))
        ),
    }


def _conll(rng: random.Random, count: int) -> str:
    names = {"PER": PEOPLE, "LOC": PLACES, "ORG": FIRMS}
    lines = ["-DOCSTART- O", ""]
    for number in range(count):
        for word in SENTENCES[number % len(SENTENCES)].split():
            kind = word.strip("{}")
            parts = rng.choice(names[kind]).split() if kind in names else [word]
            lines += [f"{part} {_tag(kind, place) if kind in names else 'O'}" for place, part in enumerate(parts)]
        lines.append("")
    return "\n".join(lines)


def _tag(kind: str, place: int) -> str:
    return f"{'I' if place else 'B'}-{kind}"


def _squad(places: list[str]) -> str:
    paragraphs = []
    for number, place in enumerate(places):
        person, firm = PEOPLE[number % len(PEOPLE)], FIRMS[number % len(FIRMS)]
        context = f"{person} lives in {place} and works for {firm}."
        asked = [("where does she live", place), ("who lives there", person), ("which firm is it", firm)]
        paragraphs.append(
            {
                "context": context,
                "qas": [
                    {
                        "id": f"{number}-{ask}",
                        "question": question,
                        "answers": [{"text": answer, "answer_start": context.index(answer)}],
                    }
                    for ask, (question, answer) in enumerate(asked)
                ],
            }
        )
    return json.dumps({"version": "1.1", "data": [{"title": "people", "paragraphs": paragraphs}]})


def _topics(rng: random.Random, count: int) -> str:
    lines = []
    for number in range(count):
        labels = sorted(rng.sample(sorted(TOPICS), number % 3))
        text = " and ".join(TOPICS[label] for label in labels) or "nothing happened today"
        lines.append(json.dumps({"text": text, "labels": labels}))
    return "\n".join(lines) + "\n"


def _ratings(things: list[str]) -> str:
    return "text\tlabel\n" + "".join(
        f"a {size} {thing}\t{value}\n" for thing in things for size, value in SIZES.items()
    )


def _follows(stories: list[tuple[str, str]]) -> str:
    rows = [f"{first}\t{second}\tis_next\n" for first, second in stories]
    rows += [
        f"{first}\t{other[1]}\tnot_next\n" for (first, _), other in zip(stories, stories[1:] + stories[:1], strict=True)
    ]
    return "sentence1\tsentence2\tlabel\n" + "".join(rows)


def _choices(stories: list[tuple[str, str]]) -> str:
    lines = []
    for number, (first, second) in enumerate(stories):
        others = [stories[(number + step) % len(stories)][1] for step in (1, 2)]
        place = number % 3
        lines.append({"prompt": first, "choices": [*others[:place], second, *others[place:]], "label": place})
    return "".join(json.dumps(line) + "\n" for line in lines)


def _scored() -> str:
    rows = [f"{one}\t{other}\t5\n" for one, other in SAME]
    rows += [f"{one}\t{other[1]}\t0\n" for (one, _), other in zip(SAME, SAME[1:] + SAME[:1], strict=True)]
    return "sentence1\tsentence2\tscore\n" + "".join(rows)


def _ranking() -> str:
    lines = []
    for number, (query, document) in enumerate(SAME):
        others = [SAME[(number + step) % len(SAME)][1] for step in (1, 2)]
        lines.append({"prompt": query, "choices": [document, *others], "label": 0})
    return "".join(json.dumps(line) + "\n" for line in lines)

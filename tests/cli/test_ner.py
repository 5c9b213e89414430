"""Named entities and parts of speech, by commands alone: from words with tags to spans of a text."""

import functools
import json

import pytest
import small_data
from text.awkward import fuzzed
from tiny_training import SPECIAL, new_encoder

import bert_keras as bk

TEXT = "Yesterday\tElena joined  Globex Ltd.\r\nIn New York it rained \U0001f327!"
SPANS = [("PER", 10, 15, "Elena"), ("ORG", 24, 34, "Globex Ltd"), ("LOC", 40, 48, "New York")]
LONG = ["nothing", "happened", "today"] * 46 + ["yesterday", "Elena", "joined", "Acme", "."] + ["today"] * 7
LONG_TAGS = ["O"] * 139 + ["B-PER", "O", "B-ORG"] + ["O"] * 8
LETTERS = "abcdefghijklmnopqrstuvwxyz"


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    return small_data.write(tmp_path_factory.mktemp("small"))


@pytest.fixture(scope="module")
def encoder(files):
    """A folder with random weights of 2 layers and 48 positions."""
    words = sorted({line.split()[0].lower() for line in _lines(files / "people.conll") if line})
    pieces = [*SPECIAL, *words, *LETTERS, *(f"##{letter}" for letter in LETTERS), "!"]
    model = new_encoder(pieces, positions=48, width=32, layers=2)
    for variable in model.weights:
        if "position" in variable.path:
            variable.assign(variable * 0)  # places that no short sentence has taught disturb nothing
    bk.save(model, bk.Tokenizer.from_vocabulary(pieces), files / "encoder")
    return files / "encoder"


@pytest.fixture(scope="module")
def tuned(bert_keras_command, encoder, files):
    """Fine-tune for tokens: `tuned(name, train, *more) -> facts, folder`."""

    def run(name, train, *more, epochs=20):
        outcome = bert_keras_command(
            *("finetune", encoder, "--task", "token-classification", "--train", train, "--valid", train),
            *("--out", files / name, "--epochs", epochs, "--learning-rate", 5e-3, "--batch-size", 8, "--json", *more),
        )
        assert outcome.code == 0, outcome.stderr
        return outcome.facts, files / name

    return run


@pytest.fixture(scope="module")
def tagger(tuned, files):
    data = files / "people_and_long.conll"
    data.write_text((files / "people.conll").read_text(encoding="utf-8") + _conll(LONG, LONG_TAGS), encoding="utf-8")
    return tuned("tagger", data)


@pytest.fixture(scope="module")
def answer(tagger):
    return bk.predictor(tagger[1])([TEXT])[0]


def spans(answer):
    return [(span["label"], span["start"], span["end"], span["text"]) for span in answer["entities"]]


def test_a_few_dozen_sentences_are_learned_wholly(tagger):
    facts = tagger[0]
    assert facts["labels"] == ["O", "B-LOC", "I-LOC", "B-ORG", "I-ORG", "B-PER", "I-PER"]
    assert facts["validation"]["f1"] == facts["validation"]["word_accuracy"] == 1.0


def test_new_sentences_of_the_same_words_are_scored(bert_keras_command, tagger, files):
    facts = bert_keras_command("evaluate", tagger[1], files / "valid_people.conll", "--json").facts
    # 12 sentences: 5 kinds in turn, with 2, 2, 2, 1 and 0 entities.
    assert sum(counts["support"] for counts in facts["classes"].values()) == 2 * (2 + 2 + 2 + 1) + 2 + 2
    assert facts["metrics"]["f1"] > 0.9


def test_raw_text_is_answered_with_its_own_spans(bert_keras_command, tagger):
    (found,) = bert_keras_command("predict", tagger[1], TEXT, "--json").facts["predictions"]
    assert spans(found) == SPANS
    assert [TEXT[start:end] for _, start, end, _ in SPANS] == [text for *_, text in SPANS]


@pytest.fixture(scope="module")
def exported(bert_keras_command, tagger, files):
    """Export the model: `exported("saved-model")` or `exported("tflite", recipe) -> path`."""

    @functools.cache
    def run(to, *recipe):
        out = files / "-".join(["tagger", *recipe, to])
        out = out.with_suffix(".tflite") if recipe else out
        check = ("--check", files / "valid_people.conll") if recipe else ()
        outcome = bert_keras_command(
            *("export", tagger[1], "--to", to, "--out", out, *check, "--json"),
            *(("--recipe", *recipe) if recipe else ()),
        )
        assert outcome.code == 0, outcome.stderr
        return out

    return run


@pytest.mark.parametrize(
    "form", [("saved-model",), *(("tflite", recipe) for recipe in bk.export.RECIPES)], ids="-".join
)
def test_an_exported_file_answers_as_the_folder(exported, answer, form):
    (found,) = bk.predictor(exported(*form))([TEXT])
    assert spans(found) == SPANS
    assert [word["label"] for word in found["words"]] == [word["label"] for word in answer["words"]]
    near = 1e-4 if form in (("saved-model",), ("tflite", "float32")) else 0.05
    assert [word["score"] for word in found["words"]] == pytest.approx(
        [word["score"] for word in answer["words"]], abs=near
    )


def test_spans_are_what_stands_in_any_text_in_every_format(tagger, exported):
    names = ["Elena ", " New York", "\tAcme.", "\r\nGlobex Ltd", "Anna\u00a0Maria", "(Paris)"]
    parts = fuzzed(seed=3, count=120)
    texts = [part + names[number % len(names)] + parts[-number] for number, part in enumerate(parts)]
    paths = (tagger[1], exported("saved-model"), exported("tflite", "float32"))
    answers = [bk.predictor(path)(texts) for path in paths]
    for text, *found in zip(texts, *answers, strict=True):
        assert spans(found[0]) == spans(found[1]) == spans(found[2])
        for span in found[0]["entities"] + found[0]["words"]:
            assert text[span["start"] : span["end"]] == span["text"] == span["text"].strip()
    assert sum(len(answer["entities"]) for answer in answers[0]) > 50


def test_scores_are_those_counted_by_hand(bert_keras_command, tagger, files):
    # Found are Anna Maria, Paris, and Acme as a firm; true are Anna, Paris, and Acme as a place: 1 of 3 is right, and
    # 5 of 7 words are.
    data = files / "hand.conll"
    data.write_text("Anna B-PER\nMaria O\nflew O\nto O\nParis B-LOC\n\nAcme B-LOC\nopened O\n", encoding="utf-8")
    words = [["Anna", "Maria", "flew", "to", "Paris"], ["Acme", "opened"]]
    found = [[word["label"] for word in answer["words"]] for answer in bk.predictor(tagger[1])(words)]
    assert found == [["B-PER", "I-PER", "O", "O", "B-LOC"], ["B-ORG", "O"]]
    facts = bert_keras_command("evaluate", tagger[1], data, "--json").facts
    scores = {name: facts["metrics"][name] for name in ("f1", "precision", "recall", "lenient_f1", "word_accuracy")}
    assert scores == pytest.approx(
        {"f1": 1 / 3, "precision": 1 / 3, "recall": 1 / 3, "lenient_f1": 1 / 3, "word_accuracy": 5 / 7}
    )
    assert facts["classes"]["LOC"] == pytest.approx({"precision": 1.0, "recall": 0.5, "f1": 2 / 3, "support": 2})


# Row 5.12: 150 words are several windows of 48 positions, and the entity is at word 140; it is learned there too.
def test_an_entity_far_past_the_models_length_counts_and_is_found(bert_keras_command, tagger, files):
    (found,) = bk.predictor(tagger[1])([LONG])
    assert [word["label"] for word in found["words"]] == LONG_TAGS
    data = files / "long.conll"
    data.write_text(_conll(LONG, LONG_TAGS), encoding="utf-8")
    facts = bert_keras_command("evaluate", tagger[1], data, "--json").facts
    assert facts["classes"]["PER"] == {"precision": 1.0, "recall": 1.0, "f1": 1.0, "support": 1}


# The gold labels stay whole where the model misses them.
def test_an_entity_that_is_missed_counts_against_recall(bert_keras_command, tagger, files):
    data = files / "missed.conll"
    data.write_text(_conll(["today"] * 150, LONG_TAGS), encoding="utf-8")
    facts = bert_keras_command("evaluate", tagger[1], data, "--json").facts
    assert facts["classes"]["PER"]["support"] == 1
    assert facts["metrics"]["recall"] == 0.0


def test_texts_with_spans_are_scored_and_answered(bert_keras_command, tagger, files):
    def line(text, *entities):
        starts = [text.index(part) for part, _ in entities]
        found = [[start, start + len(part), kind] for start, (part, kind) in zip(starts, entities, strict=True)]
        return json.dumps({"text": text, "spans": found})

    data = files / "spans.jsonl"
    texts = [
        (" yesterday Elena\tjoined  Acme.\r\n", ("Elena", "PER"), ("Acme", "ORG")),
        ("Boris flew to  Paris. \U0001f600", ("Boris", "PER"), ("Paris", "LOC")),
        ("in New\r\nYork it rained all day", ("New\r\nYork", "LOC")),
        ("nothing\thappened today. \U0001f600",),
    ]
    data.write_text("\n".join(line(*each) for each in texts) + "\n", encoding="utf-8")
    predictions = bert_keras_command("predict", tagger[1], "--file", data, "--json").facts["predictions"]
    shown = [[(span["text"], span["label"]) for span in each["entities"]] for each in predictions]
    assert shown == [list(entities) for _, *entities in texts]
    assert bert_keras_command("evaluate", tagger[1], data, "--json").facts["metrics"]["f1"] == 1.0


# With row 4.14: Keras refuses class weights for labels of tokens.
def test_parts_of_speech_are_learned_and_rare_ones_weigh_as_much(tuned, bert_keras_command, files, monkeypatch):
    given, fit = {}, bk.training.fit
    monkeypatch.setattr(bk.training, "fit", lambda *a, **options: given.update(options) or fit(*a, **options))
    kinds = {"flew": "VERB", "opened": "VERB", "joined": "VERB", "rained": "VERB", ".": "PUNCT", "in": "ADP"}
    words = [line.split()[0] if line else "" for line in _lines(files / "people.conll")]
    data = files / "parts.conll"
    data.write_text(
        "".join(f"{word}\t{kinds.get(word, 'OTHER')}\n" if word else "\n" for word in words), encoding="utf-8"
    )
    facts, folder = tuned("of_parts", data, "--class-weights", "balanced", epochs=10)

    counts = [sum(kinds.get(word, "OTHER") == name for word in words if word) for name in facts["labels"]]
    assert facts["labels"] == ["ADP", "OTHER", "PUNCT", "VERB"]
    assert given["class_weight"] == {place: sum(counts) / 4 / count for place, count in enumerate(counts)}
    assert facts["validation"]["accuracy"] == facts["validation"]["macro_f1"] == 1.0
    shown = bert_keras_command("predict", folder, "Yesterday Boris joined Acme.").stdout
    assert shown.split("\t")[0] == "Yesterday/OTHER Boris/OTHER joined/VERB Acme/OTHER ./PUNCT"


def _conll(words, tags):
    return "\n" + "".join(f"{word} {tag}\n" for word, tag in zip(words, tags, strict=True))


def _lines(file):
    """The lines of the sentences, with the blank ones between them."""
    return file.read_text(encoding="utf-8").splitlines()[2:]

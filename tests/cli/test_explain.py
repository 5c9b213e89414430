"""bert-keras explain."""

import pytest
import tiny_text
from tiny import GOLDEN

import bert_keras as bk

TEXT = "a bright and funny film"


def saved(folder, task, **options):
    bk.save(tiny_text.model(task, **options), tiny_text.tokenizer(), folder)
    return folder


@pytest.fixture(scope="module")
def tagger(tmp_path_factory):
    return saved(tmp_path_factory.mktemp("explain") / "tagger", "token-classification", labels=["O", "B-X"])


def fails(outcome, *parts):
    assert outcome.code == 1
    assert all(part in outcome.stderr for part in parts), outcome.stderr


def test_words_and_their_scores(bert_keras_command, classifier):
    outcome = bert_keras_command("explain", classifier[1], TEXT)

    first, *lines = outcome.stdout.splitlines()
    assert outcome.code == 0, outcome.stderr
    answer = bk.predictor(classifier[1])([TEXT])[0]
    assert first == f"{answer['label']}\t{answer['score']:.4f}"
    assert [line.split("\t")[1] for line in lines] == TEXT.split()
    assert {line[0] for line in lines} <= {"+", "-"}


def test_everything_as_json(bert_keras_command, classifier, tmp_path):
    out = tmp_path / "page.html"
    outcome = bert_keras_command("explain", classifier[1], TEXT, "--target", "bad", "--out", out, "--json")

    facts = outcome.facts
    assert outcome.code == 0, outcome.stderr
    assert (facts["task"], facts["target"], facts["out"]) == ("text-classification", "bad", str(out))
    assert facts["score"] == pytest.approx(bk.predictor(classifier[1])([TEXT])[0]["scores"]["bad"], abs=1e-5)
    assert [word["text"] for word in facts["words"]] == TEXT.split()
    total = sum(piece["score"] for piece in facts["pieces"])
    assert total == pytest.approx(facts["value"] - facts["baseline_value"] + facts["gap"])
    assert facts["attention"] == {"layers": 2, "heads": 2}
    assert len(facts["top"]) == 5


def test_a_page_and_where_it_is(bert_keras_command, classifier, tmp_path):
    out = tmp_path / "page.html"
    outcome = bert_keras_command("explain", classifier[1], "<script>alert(1)</script>", "--out", out)

    page = out.read_text(encoding="utf-8")
    assert outcome.stdout.splitlines()[-1] == f"saved {out}"
    assert "classifier: text-classification" in page
    assert "alert" in page and "<script>alert" not in page


def test_an_existing_page_is_not_touched(bert_keras_command, classifier, tmp_path):
    out = tmp_path / "page.html"
    out.write_text("precious", encoding="utf-8")

    fails(bert_keras_command("explain", classifier[1], TEXT, "--out", out), "page.html exists", "--force")
    assert out.read_text(encoding="utf-8") == "precious"
    assert bert_keras_command("explain", classifier[1], TEXT, "--out", out, "--force").code == 0
    assert out.read_text(encoding="utf-8") != "precious"


def test_an_unknown_label(bert_keras_command, classifier):
    fails(bert_keras_command("explain", classifier[1], TEXT, "--target", "fine"), "'fine'", "bad, good")


def test_a_word_and_its_label(bert_keras_command, tagger):
    outcome = bert_keras_command("explain", tagger, "the film was", "--target", "1:B-X", "--json")

    assert outcome.facts["target"] == "film: B-X"


@pytest.mark.parametrize("target", ["B-X", "x:B-X", "1.5:O"])
def test_a_target_in_another_form(bert_keras_command, tagger, target):
    fails(bert_keras_command("explain", tagger, "the film", "--target", target), target, "WORD:LABEL")


def test_a_span_of_the_text(bert_keras_command, tmp_path):
    folder = saved(tmp_path / "model", "question-answering")
    outcome = bert_keras_command(
        *("explain", folder, "was bad", "--second", "the films was good", "--target", "4:9", "--json")
    )

    assert outcome.facts["target"] == "films"
    assert outcome.facts["texts"] == ["was bad", "the films was good"]


def test_a_choice_among_several(bert_keras_command, tmp_path):
    folder = saved(tmp_path / "model", "multiple-choice")
    outcome = bert_keras_command(
        *("explain", folder, "the film", "--second", "was good", "--second", "bad", "--target", "1", "--json")
    )

    assert outcome.facts["target"] == "1: bad"
    assert outcome.facts["texts"] == ["the film", "bad"]


def test_one_text_too_many(bert_keras_command, classifier):
    fails(bert_keras_command("explain", classifier[1], "a", "--second", "b", "--second", "c"), "2 texts", "reads one")


def test_an_encoder_shows_its_attention_alone(bert_keras_command, encoder_folder, tmp_path):
    out = tmp_path / "page.html"
    outcome = bert_keras_command("explain", encoder_folder, TEXT, "--out", out, "--json")

    assert outcome.code == 0, outcome.stderr
    assert "target" not in outcome.facts and len(outcome.facts["pieces"]) == 7
    assert "What speaks for" not in out.read_text(encoding="utf-8")
    fails(bert_keras_command("explain", encoder_folder, TEXT, "--target", "x"), "feature-extraction", "--target")


@pytest.mark.parametrize("kind", ["model.tflite", "saved_model.pb", "1/saved_model.pb"])
def test_an_exported_file_has_no_gradients(bert_keras_command, tmp_path, kind):
    file = tmp_path / "exported" / kind
    file.parent.mkdir(parents=True)
    file.touch()
    path = file if kind.endswith(".tflite") else tmp_path / "exported"

    fails(bert_keras_command("explain", path, TEXT), str(path), "no gradients", "give the model folder")


def test_a_family_with_other_pieces(bert_keras_command):
    folder = GOLDEN / "families" / "roberta" / "fill-mask"
    outcome = bert_keras_command("explain", folder, "a <mask> b", "--json")

    assert outcome.code == 0, outcome.stderr
    assert outcome.facts["pieces"][-1]["piece"] == "</s>"

"""Vectors and search by commands alone."""

import json

import numpy as np
import pytest
from cli.conftest import BAD, GOOD

import bert_keras as bk


@pytest.fixture(scope="session")
def embedder(encoder_folder, tmp_path_factory):
    """A folder and a .tflite file of one model of sentence-similarity."""
    model, tokenizer = bk.load(encoder_folder, task="sentence-similarity")
    folder = tmp_path_factory.mktemp("embedder")
    bk.save(model, tokenizer, folder / "model")
    bk.export.tflite(model, folder / "model.tflite", "float32", tokenizer=tokenizer)
    return folder / "model", folder / "model.tflite"


@pytest.fixture(scope="session")
def vectors(embedder):
    answers = bk.predictor(embedder[0])(GOOD + BAD)
    return np.array([answer["embedding"] for answer in answers])


@pytest.fixture
def table(tmp_path):
    path = tmp_path / "good.jsonl"
    path.write_text("".join(json.dumps({"id": f"g{n}", "text": text, "n": n}) + "\n" for n, text in enumerate(GOOD)))
    return path


@pytest.fixture
def index(bert_keras_command, embedder, table, tmp_path):
    outcome = bert_keras_command("search", tmp_path / "index", "--add", table, "--model", embedder[0], "--json")
    assert outcome.code == 0, outcome.stderr
    assert outcome.facts["added"] == outcome.facts["embedded"] == outcome.facts["documents"] == len(GOOD)
    return tmp_path / "index"


def test_search_finds_what_is_nearest(bert_keras_command, index, vectors):
    outcome = bert_keras_command("search", index, BAD[0], GOOD[3], "--k", 3, "--json")
    cosines = vectors[[len(GOOD), 3]] @ vectors[: len(GOOD)].T
    for answer, query, expected in zip(outcome.facts["results"], (BAD[0], GOOD[3]), cosines, strict=True):
        assert answer["query"] == query
        best = np.argsort(-expected)[:3].tolist()
        assert [result["id"] for result in answer["results"]] == [f"g{number}" for number in best]
        assert [result["metadata"]["n"] for result in answer["results"]] == best
        assert [result["score"] for result in answer["results"]] == pytest.approx(expected[best], abs=1e-5)


def test_search_shows_a_line_a_result(bert_keras_command, index):
    lines = bert_keras_command("search", index, GOOD[3], "--k", 2).stdout.splitlines()
    assert lines[0] == f"1.0000\tg3\t{GOOD[3]}"
    assert len(lines) == 2


def test_queries_come_from_a_file_or_a_pipe(bert_keras_command, index, tmp_path):
    (tmp_path / "queries.txt").write_text(f"{GOOD[5]}\n{GOOD[7]}\n")
    from_file = bert_keras_command("search", index, "--file", tmp_path / "queries.txt", "--k", 1, "--json").facts
    piped = bert_keras_command("search", index, "--k", 1, "--json", stdin=f"{GOOD[5]}\n{GOOD[7]}\n").facts
    assert [answer["results"][0]["id"] for answer in from_file["results"]] == ["g5", "g7"]
    assert piped == from_file


def test_one_command_deletes_adds_and_searches(bert_keras_command, index, tmp_path):
    (tmp_path / "bad.txt").write_text("\n".join(BAD) + "\n")
    outcome = bert_keras_command(
        "search", index, GOOD[0], "--delete", "g0", "--delete", "g1", "--add", tmp_path / "bad.txt", "--k", 30, "--json"
    )
    facts = outcome.facts
    assert (facts["deleted"], facts["added"], facts["documents"]) == (2, 12, 22)
    found = {result["id"] for result in facts["results"][0]["results"]}
    assert found == {*(f"g{n}" for n in range(2, 12)), *(f"bad.txt:{n}" for n in range(1, 13))}


def test_adding_again_embeds_nothing(bert_keras_command, index, table):
    facts = bert_keras_command("search", index, "--add", table, "--json").facts
    assert (facts["added"], facts["unchanged"], facts["embedded"]) == (0, 12, 0)


def test_the_phones_file_searches_the_index_of_the_folder(bert_keras_command, index, embedder):
    facts = bert_keras_command("search", index, GOOD[4], "--model", embedder[1], "--k", 1, "--json").facts
    assert facts["results"][0]["results"][0]["id"] == "g4"


def fails(outcome, code, words):
    assert outcome.code == code, outcome.stderr
    assert words in " ".join(outcome.stderr.replace("│", " ").split())
    assert "Traceback" not in outcome.stderr


def test_a_bad_source_changes_nothing(bert_keras_command, index, tmp_path):
    (tmp_path / "bad.csv").write_text("id,text\n1,a\n2,\n")
    fails(bert_keras_command("search", index, "--delete", "g0", "--add", tmp_path / "bad.csv"), 1, "bad.csv, line 3")
    assert bert_keras_command("search", index, GOOD[0], "--json").facts["documents"] == 12


def test_a_new_index_needs_a_model(bert_keras_command, table, tmp_path):
    fails(bert_keras_command("search", tmp_path / "new", "--add", table), 2, "a new index needs --model")
    assert not (tmp_path / "new").exists()


def test_a_model_for_another_task_makes_no_index(bert_keras_command, encoder_folder, table, tmp_path):
    outcome = bert_keras_command("search", tmp_path / "new", "--add", table, "--model", encoder_folder)
    fails(outcome, 1, "sentence-similarity")
    assert not (tmp_path / "new").exists()


def test_search_without_an_index(bert_keras_command, tmp_path):
    fails(bert_keras_command("search", tmp_path / "no", "a query"), 1, "is no index")


def test_an_index_stays_exact_or_approximate(bert_keras_command, index, table):
    fails(bert_keras_command("search", index, "--add", table, "--approximate"), 2, "--approximate is for a new index")


def test_embed_writes_vectors_and_their_ids(bert_keras_command, embedder, table, vectors, tmp_path):
    outcome = bert_keras_command("embed", embedder[0], table, "--out", tmp_path / "v.npy", "--json")
    assert (outcome.facts["texts"], outcome.facts["dimensions"], outcome.facts["cut"]) == (12, 16, 0)
    written = np.load(tmp_path / "v.npy")
    assert written.dtype == np.float32
    np.testing.assert_allclose(written, vectors[:12], atol=1e-5)
    assert json.loads((tmp_path / "v.ids.json").read_text()) == [f"g{n}" for n in range(12)]


def test_embed_keeps_fewer_dimensions_of_length_1(bert_keras_command, embedder, table, vectors, tmp_path):
    outcome = bert_keras_command("embed", embedder[0], table, "--out", tmp_path / "v.jsonl", "--dimensions", 4)
    assert outcome.code == 0, outcome.stderr
    rows = [json.loads(line) for line in (tmp_path / "v.jsonl").read_text().splitlines()]
    expected = vectors[:12, :4] / np.linalg.norm(vectors[:12, :4], axis=1, keepdims=True)
    np.testing.assert_allclose([row["embedding"] for row in rows], expected, atol=1e-5)
    assert rows[3]["id"] == "g3"


def test_embed_says_which_texts_are_cut(bert_keras_command, embedder, tmp_path):
    (tmp_path / "t.txt").write_text("a film\n" + "film " * 40 + "\n")
    outcome = bert_keras_command("embed", embedder[0], tmp_path / "t.txt", "--out", tmp_path / "v.npy")
    assert "1 text is longer than the 32 tokens" in outcome.stdout


def test_embed_replaces_nothing_without_force(bert_keras_command, embedder, table, tmp_path):
    (tmp_path / "v.ids.json").write_text("mine")
    arguments = ("embed", embedder[0], table, "--out", tmp_path / "v.npy")
    fails(bert_keras_command(*arguments), 1, "v.ids.json exists")
    assert not (tmp_path / "v.npy").exists()
    assert bert_keras_command(*arguments, "--force").code == 0


def test_embed_refuses_other_kinds_of_files(bert_keras_command, embedder, table, tmp_path):
    fails(bert_keras_command("embed", embedder[0], table, "--out", tmp_path / "v.csv"), 2, "must end in .npy or .jsonl")

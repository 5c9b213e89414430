"""One call for a model in memory, a model folder, a SavedModel and a .tflite file."""

import json
import shutil
import sys

import numpy as np
import pytest
import tiny_text
from tiny import GOLDEN

import bert_keras as bk
from bert_keras.encoder import config_of
from bert_keras.errors import InputError
from bert_keras.export import ModelPredictor as Predictor
from bert_keras.export import predictor, saved_model
from bert_keras.export.outputs import named_outputs

TEXTS = ["The film was good.", "", "bad " * 50, "a film", "was the film bad?", "good"]


@pytest.fixture(scope="module")
def answer(classifier):
    return Predictor(classifier, tiny_text.tokenizer())


def alone(model, text, pair=None):
    """The model's outputs for one text, without padding."""
    inputs = tiny_text.tokenizer()([text], None if pair is None else [pair], max_length=tiny_text.MAX_LENGTH)
    return {name: value.numpy()[0] for name, value in named_outputs(model, inputs).items()}


def test_the_public_name_is_the_function():
    import bert_keras.export.open_model  # the module's import must not hide the function

    assert bk.predictor is bert_keras.export.predictor is predictor


def test_each_text_has_its_own_scores_in_the_order_given(classifier, answer):
    answers = answer(TEXTS, batch_size=2)
    assert [list(item) for item in answers] == [["label", "score", "scores"]] * len(TEXTS)
    for item, text in zip(answers, TEXTS, strict=True):
        logits = alone(classifier, text)["logits"].astype("float64")
        expected = np.exp(logits) / np.exp(logits).sum()
        np.testing.assert_allclose(list(item["scores"].values()), expected, atol=1e-5)
        assert list(item["scores"]) == ["negative", "positive"]
        assert item["label"] == ["negative", "positive"][expected.argmax()]
        assert item["score"] == item["scores"][item["label"]]


def test_pairs_are_read_together(classifier, answer):
    [item] = answer(["good"], ["bad film"])
    np.testing.assert_allclose(
        list(item["scores"].values()), alone(classifier, "good", "bad film")["probabilities"], atol=1e-5
    )


def test_texts_of_like_length_are_computed_together(monkeypatch, classifier):
    answer = Predictor(classifier, tiny_text.tokenizer())
    widths = []
    run = answer.graph.run

    def spy(inputs):
        widths.append(inputs["token_ids"].shape)
        return run(inputs)

    object.__setattr__(answer.graph, "run", spy)
    answer(["a " * 20, "a", "a " * 20, "a", "a a"], batch_size=2)
    assert widths == [(2, 22), (2, 4), (1, 3)]


def test_all_lengths_share_one_trace(classifier, monkeypatch):
    traces = []

    def counted(*arguments):
        traces.append(1)
        return named_outputs(*arguments)

    # The package's attribute of this name is the function.
    monkeypatch.setattr(sys.modules["bert_keras.export.outputs"], "named_outputs", counted)
    answer = Predictor(classifier, tiny_text.tokenizer())
    answer(["a", "a a"], batch_size=1)
    seen = len(traces)
    answer(["a " * n for n in range(20)], batch_size=3)
    assert len(traces) == seen


def test_a_new_weight_is_seen():
    model = tiny_text.model()
    answer = Predictor(model, tiny_text.tokenizer())
    before = answer(["a film"])
    for variable in model.get_layer("classification_head").weights:
        variable.assign(variable * 0)
    assert before[0]["score"] != answer(["a film"])[0]["score"] == 0.5


def test_no_texts_no_answers(answer):
    assert answer([]) == []


def test_features_are_those_of_the_real_tokens():
    model = tiny_text.model("feature-extraction")
    answers = Predictor(model, tiny_text.tokenizer())(["a", "a good film"])
    for item, text, length in zip(answers, ["a", "a good film"], [3, 5], strict=True):
        assert item["sequence_output"].shape == (length, 16)
        np.testing.assert_allclose(item["sequence_output"], alone(model, text)["sequence_output"], atol=1e-5)
        np.testing.assert_allclose(item["pooled_output"], alone(model, text)["pooled_output"], atol=1e-5)


def test_sentence_similarity_is_a_unit_vector():
    [item] = Predictor(tiny_text.model("sentence-similarity"), tiny_text.tokenizer())(["a good film"])
    assert item["embedding"].dtype == np.float32
    assert np.linalg.norm(item["embedding"]) == pytest.approx(1, abs=1e-6)


def test_fill_mask_answers_each_mask():
    model = tiny_text.model("fill-mask")
    answers = Predictor(model, tiny_text.tokenizer(), whole_words=False)(["a film", "the [MASK] was [MASK]."])
    assert answers[0] == {"masks": []}
    inputs = tiny_text.tokenizer(mask_in_text=True)(["the [MASK] was [MASK]."])
    logits = np.float64(model({**inputs, "masked_positions": np.array([[2, 4]], np.int32)}, training=False))[0]
    for best, row in zip(answers[1]["masks"], logits, strict=True):
        p = np.exp(row) / np.exp(row).sum()
        order = np.argsort(-p)[:5]
        assert [item["id"] for item in best] == order.tolist()
        assert [item["piece"] for item in best] == [tiny_text.VOCABULARY[i] for i in order]
        np.testing.assert_allclose([item["score"] for item in best], p[order], atol=1e-5)


def test_next_sentence_names_its_labels():
    model = tiny_text.model("next-sentence-prediction")
    answer = Predictor(model, tiny_text.tokenizer())
    [item] = answer(["a good film"], ["the film was bad"])
    expected = alone(model, "a good film", "the film was bad")["probabilities"]
    assert item["scores"] == {"is_next": pytest.approx(expected[0]), "not_next": pytest.approx(expected[1])}
    with pytest.raises(InputError, match="needs pairs"):
        answer(["a good film"])


def test_a_pretraining_model_answers_no_texts():
    with pytest.raises(InputError, match="pretraining does not answer texts"):
        Predictor(tiny_text.model("pretraining"), tiny_text.tokenizer())


def test_a_saved_model_answers_as_the_model_in_memory(answer, version):
    opened = predictor(version)
    assert (opened.task, opened.labels) == ("text-classification", ["negative", "positive"])
    assert flat(opened(TEXTS)) == pytest.approx(flat(answer(TEXTS)), abs=1e-5)
    assert flat(opened(TEXTS, TEXTS[::-1])) == pytest.approx(flat(answer(TEXTS, TEXTS[::-1])), abs=1e-5)


def test_fill_mask_answers_with_pieces_where_the_token_table_has_more_rows():
    # DeBERTa v3's table has 128,100 rows for 128,001 pieces.
    model, tokenizer = bk.load(GOLDEN / "families" / "deberta-v2" / "fill-mask")
    (answer,) = Predictor(model, tokenizer)(["ab [MASK] c"])
    assert len(tokenizer.vocabulary) < config_of(model).vocab_size
    assert all(best["piece"] == tokenizer.vocabulary[best["id"]] for best in answer["masks"][0])


def test_a_saved_model_for_fill_mask_answers_as_the_model_in_memory(tmp_path):
    model = tiny_text.model("fill-mask")
    with pytest.warns(UserWarning, match="fill-mask needs masked_positions"):
        saved_model(model, tmp_path / "model", tiny_text.tokenizer())
    texts = ["the [MASK] was [MASK].", "a film", "[MASK]"]
    expected = Predictor(model, tiny_text.tokenizer())(texts)
    assert flat(predictor(tmp_path / "model")(texts)) == pytest.approx(flat(expected), abs=1e-5)


def test_a_saved_model_for_next_sentence_answers_as_the_model_in_memory(tmp_path):
    model = tiny_text.model("next-sentence-prediction")
    saved_model(model, tmp_path / "model", tiny_text.tokenizer())
    opened = predictor(tmp_path / "model")
    assert opened.labels == ["is_next", "not_next"]
    expected = Predictor(model, tiny_text.tokenizer())(TEXTS, TEXTS[::-1])
    assert flat(opened(TEXTS, TEXTS[::-1])) == pytest.approx(flat(expected), abs=1e-5)


def flat(answer):
    """The numbers of an answer."""
    if isinstance(answer, dict):
        return [number for value in answer.values() for number in flat(value)]
    if isinstance(answer, list):
        return [number for value in answer for number in flat(value)]
    return [] if isinstance(answer, str) else np.ravel(answer).tolist()


def test_the_newest_version_is_opened(version, tmp_path):
    for number in ("9", "10"):
        facts = shutil.copytree(version, tmp_path / number) / "assets.extra" / "bert_keras.json"
        facts.write_text(json.dumps({**json.loads(facts.read_text()), "labels": [number, "other"]}))
    (tmp_path / "11").mkdir()  # a version that is being copied: no saved_model.pb yet
    assert predictor(tmp_path).labels == ["10", "other"]


def test_a_model_folder_answers_as_the_model_in_memory(classifier, answer, tmp_path):
    bk.save(classifier, tiny_text.tokenizer(), tmp_path / "model")
    opened = predictor(tmp_path / "model")
    assert opened.labels == ["negative", "positive"]
    for ours, theirs in zip(opened(TEXTS), answer(TEXTS), strict=True):
        assert ours["scores"] == pytest.approx(theirs["scores"], abs=1e-5)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["one text"], "texts is one text; pass a list of texts"),
        ([["a", None]], r"texts\[1\] is None, a NoneType; it must be a text"),
        ([["a", "b"], ["c"]], "2 texts have 1 pairs"),
        ([None], "texts is a NoneType; it must be a list"),
        ([5], "texts is a int; it must be a list"),
        ([{"a": 1}], "texts is a dict; it must be a list"),
        ([{"a"}], "texts is a set; it must be a list"),
        ([["a"], 5], "pairs is a int; it must be a list"),
        ([["a"], None, 0], "batch_size is 0"),
        ([["a"], None, True], "batch_size is True"),
        ([["a"], None, "3"], "batch_size is '3'"),
    ],
    ids=str,
)
def test_wrong_texts_are_named(answer, arguments, message):
    with pytest.raises(InputError, match=message):
        answer(*arguments)


@pytest.mark.parametrize("max_length", [2, 25])
def test_a_length_that_the_model_cannot_take_is_named(classifier, max_length):
    with pytest.raises(InputError, match="this model takes 3 to 24"):
        Predictor(classifier, tiny_text.tokenizer(), max_length=max_length)


def test_paths_that_hold_no_model_are_named(tmp_path):
    (tmp_path / "model.keras").write_bytes(b"PK\x03\x04....")
    (tmp_path / "foreign").mkdir()
    (tmp_path / "foreign" / "saved_model.pb").touch()
    for name, message in [
        ("absent", "does not exist"),
        ("model.keras", "is not a .tflite file"),
        ("", "holds no model"),
        ("foreign", "was not written by bert_keras"),
    ]:
        with pytest.raises(InputError, match=message):
            predictor(tmp_path / name)


@pytest.mark.parametrize("damage", ["missing", "short"])
def test_a_damaged_saved_model_is_named(version, tmp_path, damage):
    files = ["saved_model.pb", "variables/variables.index", "variables/variables.data-00000-of-00001"]
    for number, name in enumerate([*files, "assets.extra/bert_keras.json"], start=1):
        file = shutil.copytree(version, tmp_path / str(number)) / name
        if damage == "missing":
            file.unlink()
        else:
            file.write_bytes(b"{}")
        with pytest.raises(InputError, match=str(tmp_path)):
            predictor(tmp_path / str(number))


@pytest.mark.parametrize("family", ["albert", "electra"])
def test_folders_of_other_layouts_are_opened(tmp_path, family):
    task = {"albert": "pretraining", "electra": "replaced-token-detection"}[family]
    model, tokenizer = bk.load(GOLDEN / "families" / family / "feature-extraction")
    values = {**config_of(model).to_dict(), "hidden_act": "gelu", "layer_norm_eps": 1e-12}
    encoder = bk.encoder(bk.EncoderConfig.from_dict(values))
    model = bk.tasks.TASKS[task](encoder)
    bk.save(model, tokenizer, tmp_path / "model", layout="tf1")

    with pytest.raises(InputError, match=f"a model for {task} does not answer texts"):
        predictor(tmp_path / "model")

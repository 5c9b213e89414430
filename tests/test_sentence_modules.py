"""sentence-transformers' folders, in and out."""

import json
import logging
import shutil

import numpy as np
import pytest
import tiny_text

import bert_keras as bk
from bert_keras.tasks import options_of, task_of, usual_length

TRANSFORMER, POOLING, NORMALIZE = (
    {"idx": 0, "name": "0", "path": "", "type": "sentence_transformers.models.Transformer"},
    {"idx": 1, "name": "1", "path": "1_Pooling", "type": "sentence_transformers.models.Pooling"},
    {"idx": 2, "name": "2", "path": "2_Normalize", "type": "sentence_transformers.models.Normalize"},
)
# As version 2 wrote them.
OLD_MEAN = {
    "word_embedding_dimension": 16,
    "pooling_mode_cls_token": False,
    "pooling_mode_mean_tokens": True,
    "pooling_mode_max_tokens": False,
    "pooling_mode_mean_sqrt_len_tokens": False,
}
TEXTS = ["the film was good", "bad", "films, films! unaffable " * 9, ""]


def write(folder, files):
    for name, values in files.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(json.dumps(values), encoding="utf-8")


@pytest.fixture
def plain(tmp_path):
    """A folder of Hugging Face's layout that says nothing of a task."""
    folder = tmp_path / "plain"
    bk.save(tiny_text.model("feature-extraction"), tiny_text.tokenizer(), folder)
    config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    del config["bert_keras"]
    write(folder, {"config.json": config})
    return folder


@pytest.fixture
def folder(plain):
    """The same as sentence-transformers' version 2 wrote it."""
    write(
        plain,
        {
            "modules.json": [TRANSFORMER, POOLING, NORMALIZE],
            "1_Pooling/config.json": OLD_MEAN,
            "sentence_bert_config.json": {"max_seq_length": 20, "do_lower_case": False},
        },
    )
    return plain


def test_folder_of_sentence_transformers_is_for_sentence_similarity(folder):
    model, _ = bk.load(folder)

    assert task_of(model) == "sentence-similarity"
    assert options_of(model) == {"pooling": "mean", "normalize": True, "dimensions": None, "max_length": 20}


def test_other_tasks_can_be_asked_of_it(folder):
    model, _ = bk.load(folder, task="text-classification", labels=["no", "yes"])

    assert task_of(model) == "text-classification"
    assert usual_length(model) == 24


@pytest.mark.parametrize(
    ("pooling", "right"),
    [
        ({"pooling_mode": "mean"}, "mean"),
        ({"pooling_mode": "cls"}, "first"),
        ({"pooling_mode": ["max"]}, "max"),
        ({"pooling_mode_cls_token": True, "pooling_mode_mean_tokens": False}, "first"),
        ({"pooling_mode_max_tokens": True}, "max"),
        # sentence-transformers takes the mean where no kind is named.
        ({"word_embedding_dimension": 16}, "mean"),
    ],
)
def test_poolings_of_old_and_new_folders(folder, pooling, right):
    write(folder, {"1_Pooling/config.json": pooling})

    assert options_of(bk.load(folder)[0])["pooling"] == right


@pytest.mark.parametrize(
    ("pooling", "named"),
    [
        ({"pooling_mode": "weightedmean"}, "weightedmean"),
        ({"pooling_mode": ["cls", "mean"]}, r"cls \+ mean"),
        ({"pooling_mode_lasttoken": True}, "lasttoken"),
        ({"pooling_mode_mean_tokens": True, "pooling_mode_max_tokens": True}, r"max \+ mean"),
    ],
)
def test_other_poolings_are_refused_by_name(folder, pooling, named):
    write(folder, {"1_Pooling/config.json": pooling})

    with pytest.raises(bk.InputError, match=rf"1_Pooling/config\.json: the vectors .* are pooled by {named}; this"):
        bk.load(folder)


def test_folder_of_the_pooling_is_the_one_that_the_modules_name(folder):
    shutil.move(folder / "1_Pooling", folder / "pooled")
    write(
        folder,
        {"modules.json": [TRANSFORMER, {**POOLING, "path": "pooled"}], "pooled/config.json": {"pooling_mode": "max"}},
    )

    assert options_of(bk.load(folder)[0])["pooling"] == "max"


def test_vectors_keep_their_length_without_a_module_that_scales(folder):
    write(folder, {"modules.json": [TRANSFORMER, POOLING]})

    assert options_of(bk.load(folder)[0])["normalize"] is False


def test_other_modules_are_refused_by_name(folder):
    dense = {"idx": 2, "name": "2", "path": "2_Dense", "type": "sentence_transformers.base.modules.dense.Dense"}
    write(folder, {"modules.json": [TRANSFORMER, POOLING, dense]})

    with pytest.raises(bk.InputError, match=r"modules\.json: the model consists of Transformer, Pooling, Dense; this"):
        bk.load(folder)
    assert task_of(bk.load(folder, task="feature-extraction")[0]) == "feature-extraction"


@pytest.mark.parametrize("content", ["{}", "[3]", '[{"type": "Pooling"}]', "[", ""])
def test_damaged_modules_are_named(folder, content):
    (folder / "modules.json").write_text(content)

    with pytest.raises(bk.InputError, match=r"modules\.json"):
        bk.load(folder)


def test_models_of_another_kind_with_modules_are_not_for_similarity(folder):
    write(folder, {"config_sentence_transformers.json": {"model_type": "SparseEncoder"}})

    assert task_of(bk.load(folder)[0]) == "feature-extraction"


def test_missing_pooling_is_told(folder, caplog):
    shutil.rmtree(folder / "1_Pooling")

    with caplog.at_level(logging.WARNING):
        model, _ = bk.load(folder)

    assert options_of(model)["pooling"] == "mean"
    assert "1_Pooling/config.json is missing: the mean of the tokens is taken" in caplog.text


def test_pooling_alone_is_read_when_similarity_is_asked_for(plain):
    write(plain, {"1_Pooling/config.json": {"pooling_mode": "cls"}})

    assert task_of(bk.load(plain)[0]) == "feature-extraction"
    model, _ = bk.load(plain, task="sentence-similarity")
    assert options_of(model) == {"pooling": "first", "normalize": True, "dimensions": None, "max_length": None}


def test_longest_text_of_version_6_stands_with_the_tokenizer(folder):
    write(
        folder,
        {
            "sentence_bert_config.json": {"transformer_task": "feature-extraction"},
            "tokenizer_config.json": {"tokenizer_class": "BertTokenizer", "model_max_length": 12},
        },
    )

    assert options_of(bk.load(folder)[0])["max_length"] == 12


@pytest.mark.parametrize("told", [{"max_seq_length": 24}, {"max_seq_length": 512}, {"max_seq_length": None}])
def test_longest_text_is_never_over_the_positions(folder, told):
    write(folder, {"sentence_bert_config.json": told})

    assert usual_length(bk.load(folder)[0]) == 24


def test_texts_are_cut_where_sentence_transformers_cuts_them(folder):
    text = "the film was good " * 10

    predict = bk.predictor(folder)

    assert predict.max_length == 20
    short = predict([" ".join(text.split()[:18])])[0]["embedding"]
    np.testing.assert_allclose(predict([text])[0]["embedding"], short, atol=1e-6)
    longer = bk.predictor(folder, max_length=24)([text])[0]["embedding"]
    assert abs(longer - short).max() > 1e-3


def test_dimensions_are_those_of_the_settings(folder):
    write(folder, {"config_sentence_transformers.json": {"truncate_dim": 8}})

    [answer] = bk.predictor(folder)(["film"])

    assert answer["embedding"].shape == (8,)
    assert np.linalg.norm(answer["embedding"]) == pytest.approx(1, abs=1e-6)


def test_prompt_of_every_text_is_told(folder, caplog):
    settings = {"prompts": {"query": "query: "}, "default_prompt_name": "query"}
    write(folder, {"config_sentence_transformers.json": settings})

    with caplog.at_level(logging.WARNING):
        bk.load(folder)

    assert "begins every text with 'query: '" in caplog.text


def test_options_win_over_the_folder(folder):
    model, _ = bk.load(folder, pooling="max", max_length=10)

    assert options_of(model) == {"pooling": "max", "normalize": True, "dimensions": None, "max_length": 10}


def test_saved_folder_holds_the_modules(tmp_path):
    model = tiny_text.model("sentence-similarity", pooling="first", dimensions=8, max_length=20)

    bk.save(model, tiny_text.tokenizer(), tmp_path / "out")

    read = {path.relative_to(tmp_path / "out").as_posix(): path for path in (tmp_path / "out").rglob("*.json")}
    modules, settings, pooling, length = (
        json.loads(read[name].read_text(encoding="utf-8"))
        for name in (
            "modules.json",
            "config_sentence_transformers.json",
            "1_Pooling/config.json",
            "sentence_bert_config.json",
        )
    )
    assert modules == [TRANSFORMER, POOLING, NORMALIZE]
    assert "2_Normalize/config.json" in read
    assert (settings["model_type"], settings["truncate_dim"]) == ("SentenceTransformer", 8)
    assert {key for key, value in pooling.items() if value is True} == {"pooling_mode_cls_token", "include_prompt"}
    assert pooling["word_embedding_dimension"] == 16
    assert length["max_seq_length"] == 20


def test_saved_folder_without_unit_length_has_no_module_for_it(tmp_path):
    bk.save(tiny_text.model("sentence-similarity", normalize=False), tiny_text.tokenizer(), tmp_path / "out")

    assert not (tmp_path / "out" / "2_Normalize").exists()
    assert options_of(bk.load(tmp_path / "out")[0])["normalize"] is False


def test_saved_folder_can_be_replaced(tmp_path):
    made = tiny_text.model("sentence-similarity"), tiny_text.tokenizer()

    bk.save(*made, tmp_path / "out")
    bk.save(*made, tmp_path / "out", force=True)

    assert task_of(bk.load(tmp_path / "out")[0]) == "sentence-similarity"


def test_what_sentence_transformers_changed_wins(tmp_path):
    bk.save(tiny_text.model("sentence-similarity"), tiny_text.tokenizer(), tmp_path / "out")
    write(tmp_path / "out", {"1_Pooling/config.json": {"pooling_mode": "cls"}})

    assert options_of(bk.load(tmp_path / "out")[0])["pooling"] == "first"


@pytest.mark.parametrize("size", [0, 17])
def test_dimensions_that_no_vector_has_are_refused(size):
    with pytest.raises(bk.InputError, match=f"dimensions is {size}"):
        tiny_text.model("sentence-similarity", dimensions=size)


@pytest.mark.parametrize("length", [2, 25])
def test_lengths_that_no_text_has_are_refused(length):
    with pytest.raises(bk.InputError, match=f"max_length is {length}; this model takes 3 to 24"):
        tiny_text.model("sentence-similarity", max_length=length)


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"pooling": "first", "normalize": False},
        {"pooling": "max", "max_length": 12},
        {"normalize": False, "dimensions": 8},
    ],
    ids=str,
)
@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::FutureWarning", "ignore::UserWarning")
def test_vectors_of_saved_folders_equal_those_of_sentence_transformers(tmp_path, options):
    theirs = pytest.importorskip("sentence_transformers", reason="not among the test extras")
    bk.save(tiny_text.model("sentence-similarity", **options), tiny_text.tokenizer(), tmp_path / "out")

    right = theirs.SentenceTransformer(str(tmp_path / "out"), device="cpu", local_files_only=True).encode(TEXTS)

    found = [answer["embedding"] for answer in bk.predictor(tmp_path / "out")(TEXTS)]
    np.testing.assert_allclose(found, right, atol=1e-5)


@pytest.mark.parametrize("path", ["../elsewhere", "/etc", "1_Pooling/../../../etc", "..\\elsewhere"])
def test_modules_outside_of_the_folder_are_refused(folder, path):
    write(folder, {"modules.json": [TRANSFORMER, {**POOLING, "path": path}]})
    with pytest.raises(bk.InputError, match=r"modules\.json: the path .* leads out of the folder"):
        bk.load(folder)


def test_a_path_that_no_file_can_have_is_a_missing_folder(folder, caplog):
    write(folder, {"modules.json": [TRANSFORMER, {**POOLING, "path": "a" * 5000}]})
    bk.load(folder)
    assert "config.json is missing" in caplog.text


@pytest.mark.parametrize("mode", [[["mean"]], {"mean": True}, None, [], 5])
def test_poolings_of_another_type_are_refused(folder, mode):
    write(folder, {"1_Pooling/config.json": {"pooling_mode": mode}})
    with pytest.raises(bk.InputError, match="this version pools by one of mean, cls, max"):
        bk.load(folder)

"""The SavedModel: its signatures, what it refuses, and the traps of serving."""

import errno
import json
import shutil
import subprocess
import sys

import numpy as np
import pytest
import tensorflow as tf
import tiny_text

from bert_keras.errors import InputError
from bert_keras.export import saved_model, saved_model_folder
from bert_keras.text import WordPieceTokenizer

TEXTS = ["The film was good.", "", "Films!\tUNAFFABLE é 東京", "bad " * 50]
PAIRS = ["good", "a \u03a3\u03a3 " * 30, "", "the bad film was bad"]


@pytest.fixture(scope="module")
def loaded(version):
    return tf.saved_model.load(str(version))


@pytest.fixture(scope="module")
def serve(loaded):
    return loaded.signatures["serving_default"]


def tokens(texts, pairs=None):
    return tiny_text.tokenizer()(texts, pairs, max_length=tiny_text.MAX_LENGTH)


def as_tensors(inputs):
    return {name: tf.constant(value) for name, value in inputs.items()}


def probabilities(model, inputs):
    logits = np.float64(model(inputs, training=False))
    powers = np.exp(logits - logits.max(axis=1, keepdims=True))
    return powers / powers.sum(axis=1, keepdims=True)


# Known fault 8.02: names and types lost.
def test_the_token_signature_has_names_and_dynamic_shapes(serve):
    inputs = {name: (spec.dtype, spec.shape.as_list()) for name, spec in serve.structured_input_signature[1].items()}
    assert inputs == {name: (tf.int32, [None, None]) for name in ("token_ids", "segment_ids", "padding_mask")}
    outputs = {name: (spec.dtype, spec.shape.as_list()) for name, spec in serve.structured_outputs.items()}
    assert outputs == {name: (tf.float32, [None, 2]) for name in ("probabilities", "logits")}


def test_tokens_have_the_scores_of_keras(classifier, serve):
    inputs = tokens(TEXTS)
    out = serve(**as_tensors(inputs))
    np.testing.assert_allclose(out["probabilities"], probabilities(classifier, inputs), atol=1e-5)
    np.testing.assert_allclose(out["logits"], classifier(inputs, training=False), atol=1e-5)


# Known fault 8.01: operations that a stock server lacks. The other process knows TensorFlow alone.
def test_strings_have_the_scores_of_keras_where_only_tensorflow_is_imported(classifier, version, tmp_path):
    code = """if True:
        import json, sys
        import tensorflow as tf
        model = tf.saved_model.load(sys.argv[1])
        texts, pairs = json.loads(sys.argv[2])
        one = model.signatures["text"](text=tf.constant(texts))["probabilities"]
        two = model.signatures["text_pair"](text=tf.constant(texts), pair=tf.constant(pairs))["probabilities"]
        none = model.signatures["text"](text=tf.constant([], tf.string))["probabilities"]
        assert not {"bert_keras", "tensorflow_text"} & sys.modules.keys()
        print(json.dumps([one.numpy().tolist(), two.numpy().tolist(), none.shape.as_list()]))
    """
    command = [sys.executable, "-c", code, str(version), json.dumps([TEXTS, PAIRS])]
    done = subprocess.run(command, capture_output=True, text=True, check=True, cwd=tmp_path)
    one, two, none = json.loads(done.stdout.splitlines()[-1])
    np.testing.assert_allclose(one, probabilities(classifier, tokens(TEXTS)), atol=1e-5)
    np.testing.assert_allclose(two, probabilities(classifier, tokens(TEXTS, PAIRS)), atol=1e-5)
    assert none == [0, 2]


# Known fault 8.03: TF Serving fills a batch up with each tensor's first element.
def test_filling_with_the_first_element_changes_nothing(serve):
    inputs = tokens(TEXTS[:1])
    filled = {name: np.pad(value, [(0, 0), (0, 9)], constant_values=value[0, 0]) for name, value in inputs.items()}
    assert filled["padding_mask"].all()
    assert filled["token_ids"][0, -1] == tiny_text.tokenizer().cls_id
    np.testing.assert_allclose(serve(**as_tensors(filled))["logits"], serve(**as_tensors(inputs))["logits"], atol=1e-5)


# Known fault 8.04: shapes that do not fit are answered with other numbers or an obscure error.
def test_a_mask_of_another_shape_is_refused(serve):
    inputs = tokens(TEXTS)
    inputs["padding_mask"] = inputs["padding_mask"][:1]
    with pytest.raises(tf.errors.InvalidArgumentError, match="padding_mask and token_ids must have one shape"):
        serve(**as_tensors(inputs))


def test_tokens_over_the_position_table_are_refused(serve):
    long = {name: np.ones([1, tiny_text.MAX_LENGTH + 1], np.int32) for name in tokens([""])}
    with pytest.raises(tf.errors.InvalidArgumentError, match="position table of 24 rows"):
        serve(**as_tensors(long))


def test_unequal_numbers_of_texts_and_pairs_are_refused(loaded):
    with pytest.raises(tf.errors.InvalidArgumentError, match="equally many"):
        loaded.signatures["text_pair"](text=tf.constant(["a", "b"]), pair=tf.constant(["a"]))


# Known fault 8.05: the version's folder is missing, not a number, or overwritten.
def test_the_version_is_the_next_number(version):
    assert version.name == "8"
    assert (version / "saved_model.pb").is_file()
    assert sorted(child.name for child in version.parent.iterdir()) == ["7", "8", "not-a-version"]
    assert not list((version.parent / "7").iterdir())


def test_nothing_is_left_of_an_export_that_fails(classifier, tmp_path, monkeypatch):
    def full(*_, **__):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(WordPieceTokenizer, "save", full)
    with pytest.raises(OSError, match="No space"):
        saved_model(classifier, tmp_path / "model", tiny_text.tokenizer())
    assert list(tmp_path.iterdir()) == []


# Known fault 8.06: the vocabulary stays behind when the folder is moved or the model saved again.
def test_a_moved_and_saved_again_model_reads_text_alike(version, loaded, tmp_path):
    moved = shutil.copytree(version, tmp_path / "moved" / "1")
    again = tf.saved_model.load(str(moved))
    tf.saved_model.save(again, str(tmp_path / "again"), signatures=dict(again.signatures))
    shutil.rmtree(moved)
    texts = tf.constant(TEXTS)
    np.testing.assert_array_equal(
        tf.saved_model.load(str(tmp_path / "again")).signatures["text"](text=texts)["logits"],
        loaded.signatures["text"](text=texts)["logits"],
    )


def test_each_weight_is_in_the_file_once(classifier, version):
    written = [shape for _, shape in tf.train.list_variables(str(version / "variables" / "variables")) if shape]
    assert sorted(written) == sorted(weight.shape.as_list() for weight in classifier.trainable_variables)


def test_no_path_of_this_machine_is_in_the_files(version):
    for file in version.rglob("*"):
        assert file.is_dir() or str(version.parent).encode() not in file.read_bytes()


# Known fault 8.09: NaN in an answer is no JSON.
def test_a_weight_that_is_not_finite_is_refused(tmp_path):
    model = tiny_text.model()
    kernel = next(variable for variable in model.weights if variable.path.endswith("block_1/output/kernel"))
    kernel.assign(np.full(kernel.shape, np.nan))
    with pytest.raises(InputError, match="block_1/output/kernel holds NaN"):
        saved_model(model, tmp_path / "model", tiny_text.tokenizer())
    assert not (tmp_path / "model").exists()


# Known fault 8.10: dropout is live after the export.
def test_one_request_has_one_answer(serve):
    inputs = as_tensors(tokens(TEXTS))
    first = serve(**inputs)["logits"].numpy()
    assert all((serve(**inputs)["logits"].numpy() == first).all() for _ in range(4))


def test_a_tokenizer_that_a_graph_cannot_follow_leaves_the_token_signature(classifier, tmp_path):
    with pytest.warns(UserWarning, match=r"tokens only, not raw text: the tokenizer reads \[MASK\]"):
        version = saved_model(classifier, tmp_path / "model", tiny_text.tokenizer(mask_in_text=True))
    assert list(tf.saved_model.load(str(version)).signatures) == ["serving_default"]


# DistilBERT's kind of encoder: it takes no segments.
def test_sentence_similarity_gives_unit_vectors_of_texts_cut_to_max_length(tmp_path):
    model, tokenizer = tiny_text.model("sentence-similarity", segments=False), tiny_text.tokenizer(segments=False)
    version = saved_model(model, tmp_path / "model", tokenizer, max_length=6)
    out = tf.saved_model.load(str(version)).signatures["text"](text=tf.constant(TEXTS))
    assert list(out) == ["embedding"]
    np.testing.assert_allclose(np.linalg.norm(out["embedding"], axis=1), 1, atol=1e-5)
    np.testing.assert_allclose(out["embedding"], model(tokenizer(TEXTS, max_length=6), training=False), atol=1e-5)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"tokenizer": None}, "needs its tokenizer"),
        ({"tokenizer": WordPieceTokenizer([*tiny_text.VOCABULARY, "more"])}, "pieces, the model's token table"),
        ({"max_length": 25}, "max_length is 25; this model takes 5 to 24"),
        ({"path": "file"}, "is a file"),
        ({"path": "version"}, "is itself a SavedModel"),
    ],
    ids=str,
)
def test_wrong_use_is_named(classifier, tmp_path, arguments, message):
    (tmp_path / "file").touch()
    (tmp_path / "version").mkdir()
    (tmp_path / "version" / "saved_model.pb").touch()
    path = tmp_path / arguments.pop("path", "model")
    with pytest.raises(InputError, match=message):
        saved_model(classifier, path, **{"tokenizer": tiny_text.tokenizer(), **arguments})


def test_a_full_disk_in_tensorflow_is_an_oserror(tmp_path):
    class FullDisk:
        def write_out(self, *_, **__):
            raise tf.errors.ResourceExhaustedError(None, None, "saved_model.pb.tmp; No space left on device")

    with pytest.raises(OSError, match="No space left on device") as caught:
        saved_model_folder._write(FullDisk(), tmp_path)
    assert caught.value.errno == errno.ENOSPC

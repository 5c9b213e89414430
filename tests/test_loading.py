"""Loading without waste: no number is drawn that a checkpoint replaces, none is missing that it lacks."""

import keras
import numpy as np
import pytest
import tensorflow as tf
from safetensors.numpy import load_file
from tiny import GOLDEN, golden

import bert_keras as bk
from bert_keras.encoder import config_of
from bert_keras.layers.initializer import truncated_normal, without_values
from bert_keras.pretrained import load_with_report
from bert_keras.weights.own_tensor import own_tensor

FAMILIES = GOLDEN / "families"
LABELS = ["negative", "positive"]


@pytest.fixture
def empty_is_nan(monkeypatch):
    """What no one has set is NaN; the list fills with the shapes of variables that were made so."""
    shapes = []

    def empty(shape, dtype, init):
        assert not init
        shapes.append(tuple(shape))
        return tf.fill(shape, tf.constant(np.nan, dtype))

    monkeypatch.setattr(tf.raw_ops, "Empty", empty)
    return shapes


class TestVariables:
    @pytest.mark.parametrize("name", ["albert/pretraining", "deberta-v2/feature-extraction.convolution"])
    def test_are_those_of_the_file_to_the_bit(self, name):
        tensors = load_file(FAMILIES / name / "model.safetensors")

        model, _, report = load_with_report(FAMILIES / name)

        variables = {variable.path: variable.numpy() for variable in model.weights}
        for name, path in report.read.items():
            tensor = tensors[name].T if name in report.transposed else tensors[name]
            assert variables[path].tobytes() == np.ascontiguousarray(tensor).tobytes(), name
        assert len(report.read) > 20

    @pytest.mark.parametrize(
        "name",
        [
            "albert/fill-mask",
            "deberta/fill-mask",
            "deberta-v2/feature-extraction.own-projections",
            "distilbert/fill-mask",
            "electra/feature-extraction",
            "roberta/fill-mask",
        ],
    )
    def test_all_have_values_with_a_new_head(self, empty_is_nan, name):
        model, _ = bk.load(FAMILIES / name, task="text-classification", labels=LABELS)

        assert len(empty_is_nan) > 5
        for variable in model.weights:
            assert np.isfinite(variable.numpy()).all(), variable.path

    def test_all_have_values_with_a_new_pooler(self, empty_is_nan):
        model, _, report = load_with_report(golden("fill-mask"), task="feature-extraction")

        assert report.new == ["pooler/dense/kernel", "pooler/dense/bias"]
        assert empty_is_nan
        for variable in model.weights:
            assert np.isfinite(variable.numpy()).all(), variable.path


class TestNewHead:
    @staticmethod
    def kernel(seed, source="feature-extraction"):
        keras.utils.set_random_seed(seed)
        model, _ = bk.load(golden(source), task="token-classification", labels=[f"class {i}" for i in range(200)])
        return model.get_layer("token_head").dense.kernel.numpy()

    def test_is_drawn_from_the_truncated_normal(self):
        # The variance of a standard normal cut off at 2 is 0.774; Keras' is not rescaled.
        kernel = self.kernel(0)

        assert kernel.shape == (20, 200)
        assert kernel.std() == pytest.approx(0.02 * 0.774**0.5, rel=0.05)
        assert np.abs(kernel).max() <= 0.04
        assert abs(kernel.mean()) < 0.001

    def test_follows_the_seed(self):
        first, again, other = (self.kernel(seed) for seed in (1, 1, 2))

        np.testing.assert_array_equal(first, again)
        assert not np.isclose(first, other).all(axis=0).any()

    def test_is_the_one_of_a_model_that_is_not_loaded(self):
        loaded, _ = bk.load(golden("feature-extraction"))
        keras.utils.set_random_seed(3)
        model = bk.tasks.token_classification(bk.encoder(config_of(loaded)), [f"class {i}" for i in range(200)])

        np.testing.assert_array_equal(self.kernel(3), model.get_layer("token_head").dense.kernel.numpy())


class TestInitializer:
    def test_draws_again_after_a_build_that_failed(self):
        with pytest.raises(RuntimeError), without_values():
            raise RuntimeError

        assert truncated_normal(0.02)((50, 50)).numpy().std() == pytest.approx(0.0176, rel=0.1)

    def test_is_kept_in_a_saved_model(self, tmp_path):
        model, _ = bk.load(FAMILIES / "electra" / "feature-extraction")
        model.save(tmp_path / "model.keras")

        again = keras.models.load_model(tmp_path / "model.keras")

        initializer = again.get_layer("embedding_projection").kernel_initializer
        assert initializer.get_config()["stddev"] == 0.02
        assert initializer((50, 50)).numpy().std() == pytest.approx(0.0176, rel=0.1)


class TestOwnTensor:
    @pytest.mark.parametrize("shape", [(), (0, 3), (7,), (3, 5), (5, 130), (2, 3, 4)])
    def test_holds_the_numbers(self, shape):
        array = np.random.default_rng(0).random(shape).astype("float32")

        np.testing.assert_array_equal(own_tensor(array).numpy(), array)
        np.testing.assert_array_equal(own_tensor(array.T).numpy(), array.T)

    def test_shares_no_memory_with_the_array(self):
        array = np.zeros((64, 64), np.float32)
        tensor = own_tensor(array)

        array += 1

        assert not tensor.numpy().any()

    def test_is_used_by_a_variable_without_a_copy(self):
        tensor = own_tensor(np.zeros((3, 5), np.float32))
        variable = tf.Variable(tf.ones((3, 5)))

        variable.assign(tensor)

        assert np.shares_memory(np.from_dlpack(tensor), np.from_dlpack(variable.read_value()))

    def test_is_not_changed_with_a_variable_that_uses_it(self):
        tensor = own_tensor(np.zeros((3, 5), np.float32))
        first, second = tf.Variable(tf.ones((3, 5))), tf.Variable(tf.ones((3, 5)))
        first.assign(tensor)
        second.assign(tensor)

        first.assign_add(tf.ones((3, 5)))

        assert (first.numpy() == 1).all()
        assert not tensor.numpy().any()
        assert not second.numpy().any()

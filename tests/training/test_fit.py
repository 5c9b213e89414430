"""A run that was stopped goes on as if it had not been."""

import concurrent.futures
import csv
import functools
import importlib.util
import json
import signal
import zipfile

import keras
import numpy as np
import pytest
import tensorflow as tf
from training import small

import bert_keras as bk
from bert_keras.data import PretrainingInstances, pretraining_dataset
from bert_keras.errors import InputError
from bert_keras.tasks import pretraining
from bert_keras.training import MeanCrossEntropy, fit, recipe
from bert_keras.training.interrupts import deferred

EPOCHS = 3  # of 4 batches
VALIDATION = tf.data.Dataset.from_tensor_slices(small.examples(8, seed=1)).batch(4)


class Stop(keras.callbacks.Callback):
    """Interrupts training after a number of steps, or at another moment."""

    def __init__(self, after, moment="on_train_batch_end"):
        super().__init__()
        self.left = after
        setattr(self, moment, self.count)

    def count(self, *args, **kwargs):
        self.left -= 1
        if self.left == 0:
            raise KeyboardInterrupt


def run(model, folder=None, epochs=EPOCHS, **options):
    return fit(model, small.make_dataset, epochs, folder, verbose=0, **options)


def stopped_and_resumed(folder, stop, steps=None, **options):
    with pytest.raises(KeyboardInterrupt):
        run(small.bag(steps=steps), folder, callbacks=[stop], **options)
    model = small.bag(seed=99, steps=steps)
    return model, run(model, folder, **options)


@pytest.fixture(scope="module")
def straight():
    """State and history of a run that nothing stops."""
    model = small.bag(steps=12)
    history = run(model, validation=VALIDATION)
    return small.state_of(model), history.history


def assert_same_run(model, history, straight):
    for found, expected in zip(small.state_of(model), straight[0], strict=True):
        np.testing.assert_allclose(found, expected, atol=1e-6)
    assert history.epoch == [0, 1, 2]
    assert history.history.keys() == straight[1].keys()
    for name, values in straight[1].items():
        assert history.history[name] == pytest.approx(values, abs=1e-6)


@pytest.mark.parametrize("steps", [5, 8, 9])
def test_a_run_stopped_at_a_step_ends_as_one_that_ran_through(tmp_path, straight, steps):
    assert_same_run(*stopped_and_resumed(tmp_path, Stop(steps), steps=12, validation=VALIDATION), straight)


def test_a_stopped_bert_ends_as_one_that_ran_through(tmp_path):
    straight = small.classifier(steps=8)
    run(straight, epochs=2)
    with pytest.raises(KeyboardInterrupt):
        run(small.classifier(steps=8), tmp_path, epochs=2, callbacks=[Stop(5)])
    resumed = small.classifier(seed=99, steps=8)
    run(resumed, tmp_path, epochs=2)
    assert int(resumed.optimizer.iterations) == 8
    for found, expected in zip(small.state_of(resumed), small.state_of(straight), strict=True):
        np.testing.assert_allclose(found, expected, atol=1e-6)


def pretraining_run(folder=None, seed=0, callbacks=()):
    """Two epochs of a tiny pretraining model, with validation; the number of masked positions is the data's."""
    instances = PretrainingInstances(
        token_ids=np.tile(np.arange(5, 17, dtype=np.int32), (12, 1)),
        segment_ids=np.zeros((12, 12), np.uint8),
        lengths=np.arange(1, 13) % 4 + 9,
        masked_positions=np.tile(np.array([1, 3, 5], np.int32), (12, 1)),
        masked_ids=np.tile(np.array([6, 8, 10], np.int32), (12, 1)),
        masked_weights=np.ones((12, 3), np.float32),
        next_sentence_labels=np.arange(12, dtype=np.int32) % 2,
    )
    keras.utils.set_random_seed(seed)
    model = pretraining(bk.encoder(small.CONFIG))
    model.compile(**recipe(model, 1e-3, 8))
    make_dataset = functools.partial(pretraining_dataset, instances, 3, 0)
    validation = make_dataset(0, 0).cache()
    fit(model, make_dataset, 2, folder, validation=validation, callbacks=callbacks, verbose=0)
    return model


def test_pretraining_stopped_inside_an_epoch_ends_as_one_that_ran_through(tmp_path):
    straight = pretraining_run()
    with pytest.raises(KeyboardInterrupt):
        pretraining_run(tmp_path, callbacks=[Stop(2)])
    resumed = pretraining_run(tmp_path, seed=99)
    assert int(resumed.optimizer.iterations) == 8
    for found, expected in zip(small.state_of(resumed), small.state_of(straight), strict=True):
        np.testing.assert_allclose(found, expected, atol=1e-6)


@pytest.mark.parametrize("moment", ["on_epoch_begin", "on_epoch_end", "on_test_batch_end"])
def test_a_run_stopped_between_steps_ends_as_one_that_ran_through(tmp_path, straight, moment):
    assert_same_run(*stopped_and_resumed(tmp_path, Stop(2, moment), steps=12, validation=VALIDATION), straight)


def test_a_killed_run_goes_on_from_its_last_save(tmp_path, straight):
    # A kill leaves no time to save: what stands is the save after batch 6.
    class Kill(keras.callbacks.Callback):
        left = 7

        def on_train_batch_end(self, batch, logs=None):
            self.left -= 1
            if self.left == 0:
                raise RuntimeError("killed")

    with pytest.raises(RuntimeError):
        run(small.bag(steps=12), tmp_path, callbacks=[Kill()], save_every=2, validation=VALIDATION)
    assert progress(tmp_path)["epoch"] == 1
    assert progress(tmp_path)["batch"] == 2
    model = small.bag(seed=99, steps=12)
    assert_same_run(model, run(model, tmp_path, validation=VALIDATION), straight)


def test_an_interrupt_inside_a_step_keeps_the_last_save(tmp_path):
    with pytest.raises(KeyboardInterrupt):
        run(small.bag(), tmp_path, callbacks=[Stop(6, "on_train_batch_begin")])
    assert (progress(tmp_path)["epoch"], progress(tmp_path)["batch"]) == (1, 0)


def test_ctrl_c_waits_for_the_end_of_the_step(tmp_path):
    before = signal.getsignal(signal.SIGINT)

    class Press(keras.callbacks.Callback):
        left = 6

        def on_train_batch_begin(self, batch, logs=None):
            self.left -= 1
            if self.left == 0:
                signal.raise_signal(signal.SIGINT)

    with pytest.raises(KeyboardInterrupt):
        run(small.bag(), tmp_path, callbacks=[Press()])
    assert (progress(tmp_path)["epoch"], progress(tmp_path)["batch"]) == (1, 2)
    assert signal.getsignal(signal.SIGINT) is before


def test_a_second_ctrl_c_interrupts_at_once():
    with pytest.raises(KeyboardInterrupt), deferred() as interrupts:
        signal.raise_signal(signal.SIGINT)
        assert interrupts.asked
        signal.raise_signal(signal.SIGINT)


def test_a_run_in_another_thread_works_without_signals():
    with concurrent.futures.ThreadPoolExecutor() as pool:
        assert len(pool.submit(run, small.bag(), None, 1).result().epoch) == 1


def test_a_finished_run_is_not_trained_again(tmp_path):
    run(small.bag(), tmp_path)
    expected = small.bag()
    run(expected, tmp_path)
    model = small.bag(seed=99)
    history = run(model, tmp_path, callbacks=[Stop(1)])
    assert len(history.history["loss"]) == EPOCHS
    np.testing.assert_array_equal(model.get_weights()[0], expected.get_weights()[0])


def test_a_finished_run_can_be_made_longer(tmp_path, straight):
    run(small.bag(steps=12), tmp_path, epochs=2, validation=VALIDATION)
    model = small.bag(seed=99, steps=12)
    assert_same_run(model, run(model, tmp_path, validation=VALIDATION), straight)


def test_without_a_folder_nothing_is_written(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    history = run(small.bag(), epochs=1)
    assert list(tmp_path.iterdir()) == []
    assert history.history.keys() == {"loss", "accuracy"}


def test_an_interrupted_save_leaves_the_last_one(tmp_path, monkeypatch):
    run(small.bag(), tmp_path, epochs=1)
    before = (tmp_path / "state.npz").read_bytes()

    def full_disk(*args, **kwargs):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(np.lib.format, "write_array", full_disk)
    with pytest.raises(OSError, match="No space left"):
        run(small.bag(), tmp_path, epochs=2)
    assert [file.name for file in tmp_path.iterdir()] == ["state.npz"]
    assert (tmp_path / "state.npz").read_bytes() == before


def test_early_stopping_goes_on_and_gives_the_best_weights(tmp_path):
    class Worse(keras.callbacks.Callback):
        """Makes the validation loss best after the second epoch."""

        def on_epoch_end(self, epoch, logs=None):
            logs["val_loss"] = [3.0, 1.0, 2.0, 2.0, 2.0][epoch]

    def options():
        return {"epochs": 5, "early_stopping": 2, "validation": VALIDATION}

    straight = small.bag()
    run(straight, callbacks=[Worse()], **options())
    after_two = small.bag()
    run(after_two, epochs=2)

    with pytest.raises(KeyboardInterrupt):
        run(small.bag(), tmp_path, callbacks=[Worse(), Stop(11)], **options())
    resumed = small.bag(seed=99)
    history = run(resumed, tmp_path, callbacks=[Worse()], **options())
    assert history.epoch == [0, 1, 2, 3]
    for model in (straight, resumed):
        for found, best in zip(model.get_weights(), after_two.get_weights(), strict=True):
            np.testing.assert_allclose(found, best, atol=1e-6)
    assert {file.name for file in tmp_path.iterdir()} == {"state.npz", "best-0001.npz"}


def test_a_run_that_stopped_early_stays_stopped(tmp_path):
    class Halt(keras.callbacks.Callback):
        def on_epoch_end(self, epoch, logs=None):
            self.model.stop_training = True

    run(small.bag(), tmp_path, callbacks=[Halt()])
    assert len(run(small.bag(), tmp_path).epoch) == 1


def test_the_log_of_a_resumed_run_is_whole(tmp_path):
    log = tmp_path / "log.csv"
    stopped_and_resumed(tmp_path / "run", Stop(6), csv_log=log)
    with log.open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert [row["epoch"] for row in rows] == ["1", "2", "3"]
    assert rows[0].keys() == {"epoch", "loss", "accuracy"}


def test_events_for_tensorboard(tmp_path):
    pytest.importorskip("tensorboard")
    run(small.bag(), epochs=1, tensorboard=tmp_path)
    assert list(tmp_path.glob("train/events*"))


def test_tensorboard_that_is_not_installed_is_named(tmp_path, monkeypatch):
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    with pytest.raises(InputError, match="pip install tensorboard"):
        run(small.bag(), tensorboard=tmp_path / "events")


@pytest.mark.parametrize("where", [{"csv_log": ""}, {"csv_log": "file/log.csv"}, {"tensorboard": "file"}])
def test_a_log_that_cannot_be_written_is_refused_before_training(tmp_path, where):
    (tmp_path / "file").touch()
    with pytest.raises(InputError, match=r"is a folder|is not a folder"):
        fit(small.bag(), None, EPOCHS, **{name: tmp_path / path for name, path in where.items()})


def test_the_progress_bar_counts_the_whole_epoch(tmp_path, capsys):
    with pytest.raises(KeyboardInterrupt):
        run(small.bag(), tmp_path, callbacks=[Stop(6)])
    fit(small.bag(), small.make_dataset, EPOCHS, tmp_path, verbose=2)
    printed = capsys.readouterr().out
    assert "Epoch 2/3" in printed
    assert "4/4" in printed
    assert "Epoch 1/3" not in printed


def test_class_weights_reach_the_loss():
    # All weight on class 0, of which logits 0 and 5 make a loss of ln(1 + e⁵) = 5.00672.
    model = small.bag(learning_rate=0.0, dropout=0.0)
    model.layers[-1].kernel.assign(np.zeros((4, 2)))
    model.layers[-1].bias.assign([0.0, 5.0])
    history = run(model, epochs=1, class_weight={0: 1.0, 1: 0.0})
    assert history.history["loss"] == pytest.approx([5.00672], rel=1e-5)


def test_another_model_is_refused(tmp_path):
    run(small.bag(), tmp_path, epochs=1)
    model = small.bag()
    other = keras.Sequential([keras.Input((3,)), keras.layers.Dense(2)])
    other.compile("sgd", "mse")
    with pytest.raises(InputError, match=r"holds \d+ model variables and there are 2 here"):
        run(other, tmp_path)
    model.compile("sgd", MeanCrossEntropy())
    with pytest.raises(InputError, match="optimizer variables"):
        run(model, tmp_path)


def test_another_shape_is_named_and_changes_nothing(tmp_path):
    def dense(units):
        model = keras.Sequential([keras.Input((3,)), keras.layers.Dense(units)])
        model.compile("sgd", "mse")
        return model

    data = tf.data.Dataset.from_tensors((np.ones((2, 3)), np.ones((2, 1))))
    fit(dense(4), lambda epoch, skip: data, 1, tmp_path, verbose=0)
    model = dense(5)
    before = model.get_weights()
    with pytest.raises(InputError, match=r"kernel has shape \(3, 4\) there and \(3, 5\) here"):
        fit(model, lambda epoch, skip: data, 1, tmp_path, verbose=0)
    np.testing.assert_array_equal(model.get_weights()[0], before[0])


def test_other_data_is_refused(tmp_path):
    run(small.bag(), tmp_path, epochs=1)
    with pytest.raises(InputError, match="4 batches an epoch and this data has 2"):
        fit(small.bag(), small.epochs_of(*small.examples(), batch_size=8), 2, tmp_path, verbose=0)


def test_other_data_is_refused_inside_an_epoch_too(tmp_path):
    with pytest.raises(KeyboardInterrupt):
        run(small.bag(), tmp_path, callbacks=[Stop(2)])
    with pytest.raises(InputError, match="4 batches an epoch"):
        fit(small.bag(), small.epochs_of(*small.examples(80)), 2, tmp_path, verbose=0)


@pytest.mark.parametrize("damage", [b"", b"not a zip", None])
def test_a_damaged_checkpoint_is_named(tmp_path, damage):
    run(small.bag(), tmp_path, epochs=1)
    file = tmp_path / "state.npz"
    file.write_bytes(file.read_bytes()[:-4000] if damage is None else damage)
    with pytest.raises(InputError, match=r"state\.npz is not a readable checkpoint"):
        run(small.bag(), tmp_path)


def test_data_of_unknown_length_is_refused():
    data = small.make_dataset(0, 0).apply(tf.data.experimental.assert_cardinality(tf.data.UNKNOWN_CARDINALITY))
    with pytest.raises(InputError, match="no known length"):
        fit(small.bag(), lambda epoch, skip: data, 1)
    with pytest.raises(InputError, match="is empty"):
        fit(small.bag(), lambda epoch, skip: small.make_dataset(0, 0).take(0), 1)


def test_a_model_that_was_not_compiled_is_refused():
    model = keras.Sequential([keras.Input((3,)), keras.layers.Dense(2)])
    with pytest.raises(InputError, match="not compiled"):
        run(model)


def progress(folder):
    with zipfile.ZipFile(folder / "state.npz") as archive:
        return json.loads(archive.read("state.json"))["progress"]


def test_weights_that_diverged_are_never_saved(tmp_path):
    model = small.bag()
    run(model, tmp_path, epochs=1)
    kept = (tmp_path / "state.npz").read_bytes()
    diverge = keras.callbacks.LambdaCallback(
        on_train_batch_end=lambda batch, logs: model.weights[0].assign(model.weights[0] * np.nan)
    )
    with pytest.raises(InputError, match=r"embeddings holds NaN or infinity.*lower learning rate"):
        run(model, tmp_path, epochs=2, callbacks=[diverge])
    assert (tmp_path / "state.npz").read_bytes() == kept


# Known fault 4.10.
def test_thawing_after_the_first_step_is_warned_of():
    model = small.bag()
    model.layers[-1].trainable = False
    run(model, epochs=1)  # frozen before the first step: no warning
    model.layers[-1].trainable = True
    with pytest.warns(UserWarning, match="`trainable` was changed after the first step"):
        run(model, epochs=1)

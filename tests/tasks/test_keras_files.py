"""Every task's model in Keras' own files: `.keras` and `.weights.h5`."""

import dataclasses
import subprocess
import sys
from pathlib import Path

import keras
import numpy as np
import pytest
import tiny

import bert_keras as bk

CONFIG = dataclasses.replace(tiny.CONFIG, num_hidden_layers=1)

# Every head in one new process: what is missing in a `.keras` file shows only there.
RELOAD = """
import sys, numpy as np, keras, bert_keras as bk
from pathlib import Path
folder = Path(sys.argv[1])
from bert_keras import tasks
for file in sorted(folder.glob("*.keras")):
    model = keras.saving.load_model(file)
    assert tasks.task_of(model) == file.stem, (file, tasks.task_of(model))
    inputs = dict(np.load(folder / "inputs.npz"))
    inputs = {name: inputs[name][:, None] if model.input[name].ndim == 3 else inputs[name] for name in model.input}
    outputs = keras.tree.flatten(model(inputs, training=False))
    np.savez(file.with_suffix(".npz"), *[np.asarray(output) for output in outputs], count=len(model.weights))
"""


def models():
    for task in bk.tasks.TASKS:
        base = bk.encoder(CONFIG)
        labels = [["a", "b", "c"]] if bk.tasks.TASKS[task].has_labels else []
        model = bk.tasks.TASKS[task](base, *labels)
        tiny.randomize(model)
        yield task, model


def test_every_head_is_the_same_in_a_new_process(tmp_path):
    inputs = {**tiny.batch(), "masked_positions": np.array([[5, 1], [3, 0], [0, 0]], "int32")}
    np.savez(tmp_path / "inputs.npz", **inputs)
    right = {}
    for task, model in models():
        model.save(tmp_path / f"{task}.keras")
        own = {name: inputs[name][:, None] if model.input[name].ndim == 3 else inputs[name] for name in model.input}
        outputs = model(own, training=False)
        right[task] = [np.asarray(output) for output in keras.tree.flatten(outputs)], len(model.weights)

    subprocess.run([sys.executable, "-c", RELOAD, tmp_path], check=True, cwd=Path(__file__).parent.parent.parent)

    for task, (outputs, count) in right.items():
        found = np.load(tmp_path / f"{task}.npz")
        assert found["count"] == count, task
        for i, output in enumerate(outputs):
            np.testing.assert_allclose(found[f"arr_{i}"], output, atol=1e-6, err_msg=task)


def test_weights_file_fills_a_new_model(tmp_path):
    for (task, model), (_, copy) in zip(models(), models(), strict=True):
        model.save_weights(tmp_path / "x.weights.h5")
        tiny.randomize(copy, seed=9)

        copy.load_weights(tmp_path / "x.weights.h5")

        for variable, copied in zip(model.weights, copy.weights, strict=True):
            np.testing.assert_array_equal(variable.numpy(), copied.numpy(), err_msg=f"{task} {variable.path}")


def test_weights_of_another_head_size_are_refused(tmp_path):
    two, three = (bk.tasks.text_classification(bk.encoder(CONFIG), labels) for labels in (["a", "b"], ["a", "b", "c"]))
    two.save_weights(tmp_path / "x.weights.h5")

    with pytest.raises(ValueError, match="shape"):
        three.load_weights(tmp_path / "x.weights.h5")


def test_head_on_a_reloaded_encoder(tmp_path):
    base = bk.encoder(CONFIG)
    tiny.randomize(base)
    base.save(tmp_path / "x.keras")
    inputs = {**tiny.batch(), "masked_positions": np.array([[5, 1], [3, 0], [0, 0]], "int32")}

    found = bk.tasks.fill_mask(keras.saving.load_model(tmp_path / "x.keras"))
    right = bk.tasks.fill_mask(base)
    tiny.randomize(found, seed=2), tiny.randomize(right, seed=2)

    np.testing.assert_allclose(tiny.outputs(found, inputs), tiny.outputs(right, inputs), atol=1e-6)

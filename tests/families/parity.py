"""What every family's test does: a tiny golden model is loaded, run, trained for a step, saved, and opened elsewhere.

The goldens are those of tests/golden/make_families.py.
"""

import json
import math
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import keras
import numpy as np
import pytest
import tensorflow as tf
import tiny
from safetensors.numpy import load_file

import bert_keras as bk
from bert_keras.encoder import config_of
from bert_keras.pretrained import load_with_report
from bert_keras.tasks import TASKS, task_of

GOLDEN = Path(__file__).resolve().parent.parent / "golden" / "families"
INPUTS = ("token_ids", "segment_ids", "padding_mask")
# transformers' names of inputs and outputs.
THEIRS = {"token_ids": "input_ids", "segment_ids": "token_type_ids", "padding_mask": "attention_mask"}
OURS = {
    "last_hidden_state": "sequence_output",
    "pooler_output": "pooled_output",
    "prediction_logits": "mlm",
    "sop_logits": "nsp",
}
# What is compared of what a model gives; `hidden_states` are numbered.
OUTPUTS = (
    "sequence_output",
    "pooled_output",
    "hidden_states",
    "logits",
    "mlm",
    "nsp",
    "start_logits",
    "end_logits",
)


def folders(family: str) -> list:
    """The golden folders of a family, as parameters of a fixture."""
    return [pytest.param(folder, id=folder.name) for folder in sorted((GOLDEN / family).iterdir())]


def count_parameters(name: str) -> int:
    """The parameters of a named size, by the variables of its encoder, which get no memory."""

    def count() -> int:
        with keras.StatelessScope(initialize_variables=False):
            return sum(math.prod(variable.shape) for variable in bk.encoder(bk.config(name)).weights)

    # Keras notes, for each thread, the variables that are still to be initialised: let the note go with the thread.
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(count).result()


def _read_json(file: Path) -> dict:
    return json.loads(file.read_text(encoding="utf-8"))


class Case:
    """A golden folder, its model, and one step of its training."""

    def __init__(self, folder: Path, scratch: Path) -> None:
        self.folder = folder
        self.task = folder.name.partition(".")[0]
        self.expected = load_file(folder / "expected.safetensors")
        self.tensors = load_file(folder / "model.safetensors")
        self.config = _read_json(folder / "config.json")
        counted = self.config["model_type"] in ("roberta", "xlm-roberta")
        self.tables_with_padding = ("word_embeddings.weight", *["position_embeddings.weight"] * counted)
        self.model, self.tokenizer, self.report = load_with_report(folder)
        self.inputs = {name: self.expected[name].astype("int32") for name in self.model.input if name in INPUTS}
        if "masked_positions" in self.model.input:
            self.inputs["masked_positions"] = np.tile(np.arange(9, dtype="int32"), (3, 1))
        with tf.GradientTape() as tape:
            outputs = self.model(self.inputs, training=False)
            self.loss = self._loss(outputs)
        variables = self.model.trainable_variables
        self.gradients = dict(
            zip(
                [variable.path for variable in variables],
                tape.gradient(self.loss, [variable.value for variable in variables]),
                strict=True,
            )
        )
        self.outputs = keras.tree.map_structure(lambda output: output.numpy(), outputs)
        self.saved = scratch / "saved"
        bk.save(self.model, self.tokenizer, self.saved)
        self.saved_config = _read_json(self.saved / "config.json")

    def hidden_states(self) -> dict[str, np.ndarray]:
        """What the encoder's blocks give, by the golden's names."""
        model = bk.encoder(config_of(self.model), hidden_states=True)
        model.set_weights(self.model.get_weights())
        states = tiny.outputs(model, self.inputs)["hidden_states"]
        return {f"hidden_states.{i}": state for i, state in enumerate(states)}

    def compared_outputs(self) -> dict[str, np.ndarray]:
        """What the model gives, by the golden's names."""
        found = self.outputs if isinstance(self.outputs, dict) else {"logits": self.outputs}
        return found | self.hidden_states() if self.task == "feature-extraction" else found

    def compared_gradients(self, scratch: Path) -> dict[str, tuple[np.ndarray, np.ndarray]]:
        """The gradients that the golden holds: ours and transformers', by the checkpoint's names."""
        names = [name.removeprefix("gradient.") for name in self.expected if name.startswith("gradient.")]
        if not names:
            return {}
        found, pairs = self.gradients_in_torch_layout(scratch), {}
        for name in names:
            gradient, expected = found[name], self.expected[f"gradient.{name}"]
            if name.endswith(self.tables_with_padding):
                # torch keeps the row of the padding from learning as an input; the original code and ours do not.
                gradient[self.config["pad_token_id"]] = expected[self.config["pad_token_id"]]
            pairs[name] = gradient, expected
        return pairs

    def gradients_in_torch_layout(self, scratch: Path) -> dict[str, np.ndarray]:
        """The gradients by the checkpoint's names: they are saved in the place of the weights."""
        values = self.model.get_weights()
        for variable in self.model.weights:
            gradient = self.gradients[variable.path]
            variable.assign(tf.zeros(variable.shape) if gradient is None else tf.convert_to_tensor(gradient))
        bk.save(self.model, self.tokenizer, scratch / "gradients")
        self.model.set_weights(values)
        return load_file(scratch / "gradients" / "model.safetensors")

    def _targets(self):
        """The labels as `fit` takes them."""
        labels = {name: array.astype("int32") for name, array in self.expected.items() if name.endswith("labels")}
        if self.task == "question-answering":
            return {f"{end}_logits": self.expected[f"{end}_positions"].astype("int32") for end in ("start", "end")}
        if self.task == "pretraining":
            return {name.removesuffix("_labels"): array for name, array in labels.items()}
        if self.task == "replaced-token-detection":
            return np.where(self.inputs["padding_mask"] == 1, labels["labels"], -100)
        return labels["labels"]

    def _loss(self, outputs) -> tf.Tensor:
        """The loss of the batch, as `fit` computes it."""
        if "loss" not in self.expected:
            return tf.constant(0.0)  # tests/golden/bert has some heads with outputs alone
        if self.task == "feature-extraction":
            # An encoder has none: the golden's is a weighted sum of what it gives for the real tokens.
            return tf.reduce_sum(outputs["sequence_output"] * self.expected["probe"])
        self.model.compile(**bk.training.recipe(self.model))
        return self.model.compute_loss(x=self.inputs, y=self._targets(), y_pred=outputs)

    def assert_close(self, found: np.ndarray, name: str) -> None:
        """An output equals the golden's, in the rows of the padding too."""
        np.testing.assert_allclose(found, self.expected[name], atol=1e-5, err_msg=name)


class FamilyTests:
    """The tests of each golden folder of a family; `case` is a fixture of the family's file."""

    def test_outputs_equal_those_of_transformers(self, case):
        found = case.compared_outputs()

        assert task_of(case.model) == case.task
        assert set(found) == {name for name in case.expected if name.partition(".")[0] in OUTPUTS}
        for name, output in found.items():
            case.assert_close(output, name)

    def test_every_tensor_is_read_and_every_variable_set(self, case):
        assert set(case.report.read) == set(case.tensors)
        assert case.report.new == [] and case.report.ignored == {}

    def test_loss_and_gradients_equal_those_of_transformers(self, case, tmp_path):
        gradients = case.compared_gradients(tmp_path)

        np.testing.assert_allclose(float(case.loss), case.expected["loss"].item(), rtol=1e-5, atol=2e-5)
        assert len(gradients) >= 5
        for name, (found, expected) in gradients.items():
            np.testing.assert_allclose(found, expected, atol=1e-4, err_msg=name)

    def test_saved_tensors_have_the_names_shapes_and_values_of_transformers(self, case):
        found = load_file(case.saved / "model.safetensors")

        assert set(found) == set(case.tensors)
        for name, array in case.tensors.items():
            np.testing.assert_array_equal(found[name], array, err_msg=name)

    def test_keys_of_the_config_survive(self, case):
        assert {key: case.saved_config.get(key) for key in case.config} == case.config
        own = case.saved_config["bert_keras"]
        assert own["task"] == case.task and own.keys() == {"task", *TASKS[case.task].options}

    def test_saved_folder_opens_in_transformers(self, case):
        torch = pytest.importorskip("torch")
        transformers = pytest.importorskip("transformers")
        (name,) = case.saved_config["architectures"]
        if not hasattr(transformers, name):
            pytest.skip(f"transformers {transformers.__version__} has no class {name}")

        theirs, info = getattr(transformers, name).from_pretrained(
            case.saved, output_loading_info=True, attn_implementation="eager"
        )
        inputs = {THEIRS[own]: torch.tensor(array) for own, array in case.inputs.items() if own in THEIRS}
        with torch.no_grad():
            found = theirs.eval()(**inputs)

        assert {key: value for key, value in info.items() if value} == {}
        if case.folder.name == "fill-mask.mask-decoder":
            return  # transformers has the class, but computes without the decoder
        for key, output in found.items():
            case.assert_close(output.numpy(), OURS.get(key, key))

"""Loading and saving folders: parity with transformers, and nothing lost on the way."""

import dataclasses
import json
import logging

import numpy as np
import pytest
import tensorflow as tf
import tiny
from safetensors import safe_open
from safetensors.numpy import load_file
from tiny import GOLDEN, golden

import bert_keras as bk
from bert_keras.encoder import config_of
from bert_keras.pretrained import load_for_labels, load_with_report
from bert_keras.tasks import labels_of, task_of

TASKS = sorted(folder.name for folder in (GOLDEN / "bert").iterdir())
INPUTS = ("token_ids", "segment_ids", "padding_mask")


class TestParity:
    @pytest.mark.parametrize("task", TASKS)
    def test_outputs_equal_those_of_transformers(self, task):
        expected = load_file(golden(task) / "expected.safetensors")
        inputs = {name: expected[name].astype("int32") for name in INPUTS}
        every_position = np.tile(np.arange(9, dtype="int32"), (3, 1))

        model, _ = bk.load(golden(task))
        if "masked_positions" in model.input:
            inputs["masked_positions"] = every_position
        found = tiny.outputs(model, inputs)

        assert task_of(model) == task
        found = found if isinstance(found, dict) else {"logits": found}
        for name, output in found.items():
            np.testing.assert_allclose(output, expected[name], atol=1e-5, err_msg=name)

    def test_hidden_states_and_attention_maps_equal_those_of_transformers(self):
        expected = load_file(golden("feature-extraction") / "expected.safetensors")
        plain, _ = bk.load(golden("feature-extraction"))
        model = bk.encoder(config_of(plain), hidden_states=True, attention_maps=True)
        model.set_weights(plain.get_weights())

        found = tiny.outputs(model, {name: expected[name].astype("int32") for name in INPUTS})

        for name in ("hidden_states", "attention_maps"):
            for i, output in enumerate(found[name]):
                np.testing.assert_allclose(output, expected[f"{name}.{i}"], atol=1e-5, err_msg=f"{name}.{i}")

    def test_loss_and_gradients_equal_those_of_transformers(self):
        expected = load_file(golden("pretraining") / "expected.safetensors")
        model, _, report = load_with_report(golden("pretraining"))
        model.compile(**bk.training.recipe(model))
        inputs = {name: expected[name].astype("int32") for name in INPUTS}
        inputs["masked_positions"] = np.tile(np.arange(9, dtype="int32"), (3, 1))
        targets = {name: expected[f"{name}_labels"].astype("int32") for name in ("mlm", "nsp")}

        with tf.GradientTape() as tape:
            loss = model.compute_loss(x=inputs, y=targets, y_pred=model(inputs, training=False))
        gradients = tape.gradient(loss, [variable.value for variable in model.trainable_variables])

        assert float(loss) == pytest.approx(expected["loss"].item(), abs=1e-5)
        by_path = dict(zip([v.path for v in model.trainable_variables], gradients, strict=True))
        names = [name.removeprefix("gradient.") for name in expected if name.startswith("gradient.")]
        assert len(names) == 9
        for name in names:
            gradient = tf.convert_to_tensor(by_path[report.read[name]]).numpy()
            gradient = gradient.T if name in report.transposed else gradient
            if name == "bert.embeddings.word_embeddings.weight":
                # torch keeps the row of the padding id from learning as an input; Google's code and ours do not.
                gradient[0] = expected[f"gradient.{name}"][0]
            np.testing.assert_allclose(gradient, expected[f"gradient.{name}"], atol=1e-4, err_msg=name)

    @pytest.mark.parametrize("task", TASKS)
    def test_every_tensor_is_read_and_every_variable_set(self, task):
        model, _, report = load_with_report(golden(task))

        assert set(report.read) == set(load_file(golden(task) / "model.safetensors"))
        assert sorted(report.read.values()) == sorted(variable.path for variable in model.weights)
        assert report.new == [] and report.ignored == {}

    def test_what_the_checkpoint_says_wins(self):
        config = config_of(bk.load(golden("text-classification"))[0])

        assert (config.hidden_act, config.layer_norm_eps, config.type_vocab_size) == ("silu", 1e-2, 3)


class TestRoundTrip:
    @pytest.mark.parametrize("task", TASKS)
    def test_saved_tensors_have_the_names_shapes_and_values_of_transformers(self, tmp_path, task):
        model, tokenizer = bk.load(golden(task))

        bk.save(model, tokenizer, tmp_path / "copy")

        right, found = (load_file(folder / "model.safetensors") for folder in (golden(task), tmp_path / "copy"))
        assert set(found) == set(right)
        for name, array in right.items():
            np.testing.assert_array_equal(found[name], array, err_msg=name)
        with safe_open(tmp_path / "copy" / "model.safetensors", framework="numpy") as file:
            assert file.metadata() == {"format": "pt"}  # transformers refuses a file that does not say so

    @pytest.mark.parametrize("task", TASKS)
    def test_saved_folder_loads_as_what_it_was(self, tmp_path, task):
        model, tokenizer = bk.load(golden(task))
        bk.save(model, tokenizer, tmp_path / "copy")

        copy, copied_tokenizer = bk.load(tmp_path / "copy")

        assert task_of(copy) == task and labels_of(copy) == labels_of(model)
        assert copied_tokenizer.vocabulary == tokenizer.vocabulary
        for variable, copied in zip(model.weights, copy.weights, strict=True):
            np.testing.assert_array_equal(variable.numpy(), copied.numpy(), err_msg=variable.path)

    def test_keys_of_the_config_survive(self, tmp_path):
        model, tokenizer = bk.load(golden("text-classification"))

        bk.save(model, tokenizer, tmp_path / "copy")

        right, found = (
            json.loads((f / "config.json").read_text()) for f in (golden("text-classification"), tmp_path / "copy")
        )
        assert {key: found[key] for key in right} == right

    def test_problem_of_an_earlier_head_is_not_saved(self, tmp_path):
        # transformers would train the new head as that problem.
        model, tokenizer = bk.load(golden("feature-extraction"))
        config = dataclasses.replace(config_of(model), extra={"problem_type": "multi_label_classification"})

        bk.save(bk.tasks.text_classification(bk.encoder(config), ["a", "b"]), tokenizer, tmp_path / "copy")

        assert "problem_type" not in json.loads((tmp_path / "copy" / "config.json").read_text())

    def test_task_that_transformers_has_no_class_for_is_kept(self, tmp_path):
        model, tokenizer = bk.load(golden("feature-extraction"), task="sentence-similarity")
        bk.save(model, tokenizer, tmp_path / "copy")

        copy, _ = bk.load(tmp_path / "copy")

        assert task_of(copy) == "sentence-similarity"

    def test_files_can_be_read_by_others(self, tmp_path):
        model, tokenizer = bk.load(golden("fill-mask"))

        bk.save(model, tokenizer, tmp_path / "copy")

        modes = {file.name: file.stat().st_mode & 0o777 for file in (tmp_path / "copy").iterdir()}
        assert set(modes.values()) == {modes["config.json"]}, modes

    @pytest.mark.parametrize("task", TASKS)
    def test_saved_folder_opens_in_transformers(self, tmp_path, task):
        torch = pytest.importorskip("torch")
        transformers = pytest.importorskip("transformers")
        model, tokenizer = bk.load(golden(task))
        bk.save(model, tokenizer, tmp_path / "copy")
        expected = load_file(golden(task) / "expected.safetensors")
        (architecture,) = json.loads((tmp_path / "copy" / "config.json").read_text())["architectures"]

        theirs, info = getattr(transformers, architecture).from_pretrained(
            tmp_path / "copy", output_loading_info=True, attn_implementation="eager"
        )
        with torch.no_grad():
            found = theirs.eval()(
                input_ids=torch.tensor(expected["token_ids"]),
                token_type_ids=torch.tensor(expected["segment_ids"]),
                attention_mask=torch.tensor(expected["padding_mask"]),
            )

        assert {key: value for key, value in info.items() if value} == {}
        names = {"pretraining": ["mlm", "nsp"], "feature-extraction": ["sequence_output", "pooled_output"]}
        for output, name in zip(found.to_tuple(), names.get(task, ["logits"]), strict=True):
            np.testing.assert_allclose(output.numpy(), expected[name], atol=1e-5, err_msg=name)

    def test_saved_tokenizer_opens_in_transformers(self, tmp_path):
        transformers = pytest.importorskip("transformers")
        model, tokenizer = bk.load(golden("fill-mask"))
        bk.save(model, tokenizer, tmp_path / "copy")

        theirs = transformers.AutoTokenizer.from_pretrained(tmp_path / "copy")

        found = tokenizer(["abc d", "j"], pairs=["e f", "zz"])
        right = theirs(["abc d", "j"], ["e f", "zz"], padding=True, return_tensors="np")
        np.testing.assert_array_equal(found["token_ids"], right["input_ids"])
        np.testing.assert_array_equal(found["segment_ids"], right["token_type_ids"])
        np.testing.assert_array_equal(found["padding_mask"], right["attention_mask"])


class TestRealWeights:
    def test_sentence_embedding_of_minilm(self, real):
        model, tokenizer, report = load_with_report(real / "minilm", task="sentence-similarity")

        embedding = tiny.outputs(model, tokenizer(["This is an example sentence"]))[0]

        # The first numbers are those of the model's own card.
        np.testing.assert_allclose(embedding[:4], [0.06766, 0.06350, 0.04871, 0.07930], atol=2e-5)
        assert np.linalg.norm(embedding) == pytest.approx(1, abs=1e-5)
        assert report.new == []

    def test_every_tensor_of_minilm_is_read(self, real):
        _, _, report = load_with_report(real / "minilm", task="feature-extraction")

        with safe_open(real / "minilm" / "model.safetensors", framework="numpy") as file:
            names = set(file.keys())
        assert set(report.read) | set(report.ignored) == names
        assert report.ignored == {"embeddings.position_ids": "a constant, not a weight"}
        assert report.new == []

    def test_logits_of_splade_tiny_equal_those_of_transformers(self, real):
        expected = load_file(GOLDEN / "splade_tiny.safetensors")
        with safe_open(GOLDEN / "splade_tiny.safetensors", framework="numpy") as file:
            texts = file.metadata()
        model, tokenizer, report = load_with_report(real / "splade-tiny")
        tokenizer = tokenizer.with_mask_in_text()

        inputs = tokenizer([texts["text"]], pairs=[texts["pair"]])
        logits = tiny.outputs(model, {**inputs, "masked_positions": expected["masked_positions"].astype("int32")})

        np.testing.assert_array_equal(inputs["token_ids"], expected["token_ids"])
        np.testing.assert_array_equal(inputs["segment_ids"], expected["segment_ids"])
        np.testing.assert_allclose(logits[0, :, ::100], expected["logits"], atol=1e-4)
        assert task_of(model) == "fill-mask" and report.new == []


class TestHeads:
    def test_labels_are_those_of_the_checkpoint(self):
        model, _ = bk.load(golden("text-classification"))

        assert labels_of(model) == [f"class {i}" for i in range(20)]

    def test_new_head_is_told(self, caplog):
        with caplog.at_level(logging.INFO, logger="bert_keras"):
            model, _ = bk.load(golden("feature-extraction"), task="text-classification", labels=["a", "b"])

        assert labels_of(model) == ["a", "b"]
        assert "newly initialised, to be trained: classification_head/dense/kernel" in caplog.text
        assert [record.levelname for record in caplog.records] == ["INFO"]

    def test_new_head_that_nobody_gave_labels_for_is_a_warning(self, caplog):
        with caplog.at_level(logging.WARNING, logger="bert_keras"):
            bk.load(golden("feature-extraction"), task="fill-mask")

        assert "newly initialised, to be trained: mlm_head/transform/kernel" in caplog.text

    def test_new_pooler_is_a_warning(self, caplog):
        with caplog.at_level(logging.WARNING, logger="bert_keras"):
            bk.load(golden("fill-mask"), task="feature-extraction")

        assert "newly initialised, to be trained: pooler/dense/kernel, pooler/dense/bias" in caplog.text

    def test_new_head_needs_labels(self):
        with pytest.raises(bk.InputError, match=r"holds no head for text-classification: pass labels=\[\.\.\.\]"):
            bk.load(golden("pretraining"), task="text-classification")

    def test_head_of_another_size_is_refused(self):
        with pytest.raises(bk.InputError, match=r"its head has 20 labels .*, not 2: for a new head"):
            bk.load(golden("text-classification"), labels=["a", "b"])

    def test_labels_can_be_renamed_but_not_exchanged(self):
        own = [f"class {i}" for i in range(20)]

        model, _ = bk.load(golden("text-classification"), labels=[f"kind {i}" for i in range(20)])

        assert labels_of(model) == [f"kind {i}" for i in range(20)]
        with pytest.raises(
            bk.InputError, match=r"its head has the labels in the order class 0, class 1, .*, not class 19"
        ):
            bk.load(golden("text-classification"), labels=own[::-1])

    def test_unknown_task_is_refused(self):
        with pytest.raises(bk.InputError, match="no task is named 'translation'; known are feature-extraction"):
            bk.load(golden("pretraining"), task="translation")


class TestHeadsForLabels:
    FOLDER = GOLDEN / "families" / "roberta" / "text-classification"

    def test_head_for_other_labels_gives_way_to_a_new_one(self):
        model, _, report = load_for_labels(self.FOLDER, "text-classification", ["bad", "good"])

        assert labels_of(model) == ["bad", "good"]
        assert report.new == ["classification_head/dense/kernel", "classification_head/dense/bias"]
        assert report.ignored == dict.fromkeys(
            ["classifier.out_proj.weight", "classifier.out_proj.bias"], "a head for other labels"
        )

    def test_dense_layer_under_the_head_is_kept(self):
        model, _, _ = load_for_labels(self.FOLDER, "text-classification", ["bad", "good"])

        kernel = model.get_layer("classification_pooler").dense.kernel.numpy()
        right = load_file(self.FOLDER / "model.safetensors")["classifier.dense.weight"]
        np.testing.assert_array_equal(kernel.T, right)

    def test_head_for_the_same_labels_stays_in_its_order(self):
        own = labels_of(bk.load(self.FOLDER)[0])

        model, _, report = load_for_labels(self.FOLDER, "text-classification", own[::-1])

        assert labels_of(model) == own and report.new == []

"""KerasHub's presets, read and written: outputs equal KerasHub's own, computed here by tiny seeded models."""

import dataclasses
import functools
import json
import shutil
from pathlib import Path

import h5py
import numpy as np
import pytest
from keras_nlp import models as hub

import bert_keras as bk
from bert_keras import tasks, weights
from bert_keras.checkpoint import open_checkpoint
from bert_keras.encoder import config_of, encoder
from bert_keras.errors import InputError
from bert_keras.families import FAMILIES
from bert_keras.weights.keras_hub import open_preset, write_preset
from bert_keras.weights.keras_hub.tokenizer_files import keras_hub_tokenizer, read_tokenizer_files

SIZES = {"num_layers": 2, "num_heads": 3, "hidden_dim": 24, "intermediate_dim": 40, "max_sequence_length": 20}
BACKBONES = {
    "Bert": {"vocabulary_size": 30, "num_segments": 3},
    "Roberta": {"vocabulary_size": 30},
    "XLMRoberta": {"vocabulary_size": 30},
    "Albert": {"vocabulary_size": 30, "embedding_dim": 12, "num_groups": 2},
    "DistilBert": {"vocabulary_size": 30},
    "Electra": {"vocab_size": 30, "embedding_dim": 12},
    # Beyond a distance of 2 the buckets are wider.
    "DebertaV3": {"vocabulary_size": 30, "bucket_size": 4},
}
ARCHITECTURES = {"DebertaV3": "DebertaV2"}
PIECES = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *"abcdj", *(f"##{letter}" for letter in "abcdj")]
GOLDEN = Path(__file__).parents[1] / "golden" / "families"
MASK = (np.arange(9) < np.array([[9], [5]])).astype("int32")
IDS = np.where(MASK, np.random.default_rng(3).integers(5, 30, (2, 9)), 0).astype("int32")
INPUTS = {"token_ids": IDS, "segment_ids": (IDS % 2).astype("int32"), "padding_mask": MASK}


def randomize(model):
    """Weights that hide nothing: no bias is 0, no gamma 1."""
    random = np.random.default_rng(0)
    for variable in model.weights:
        variable.assign(random.normal(1.2 if "gamma" in variable.path else 0.05, 0.3, variable.shape))
    return model


@functools.cache
def backbone(name):
    return randomize(getattr(hub, f"{name}Backbone")(**SIZES, **BACKBONES[name]))


@pytest.fixture(scope="module")
def presets(tmp_path_factory):
    """Folder of the preset of a backbone, by its name."""
    folder = tmp_path_factory.mktemp("presets")
    for name in BACKBONES:
        backbone(name).save_to_preset(str(folder / name))
    return folder


def outputs(model, **more):
    """What a model computes at the tokens of the texts; under the padding the libraries differ."""
    given = {**INPUTS, **more}
    found = model({key: given[key] for key in model.input}, training=False)
    found = np.asarray(found["sequence_output"] if isinstance(found, dict) else found)
    return found[MASK.astype(bool)] if found.shape[:2] == MASK.shape else found


def loaded(folder, task="feature-extraction"):
    """Our model of a preset, whose tokenizer is not needed."""
    checkpoint = open_checkpoint(folder)
    model = encoder(checkpoint.config)
    if task == "text-classification":
        model = tasks.text_classification(model, checkpoint.config.extra["id2label"].values())
    elif task == "fill-mask":
        model = tasks.fill_mask(model)
    weights.apply(model, checkpoint.tensors, checkpoint.names, checkpoint.rows(task), checkpoint.source)
    return model


def hugging_face(model, task, architecture):
    """Config and tensors of a model of ours, in Hugging Face's words."""
    config = config_of(model)
    family = FAMILIES[config.model_type]
    values = {**family.hf_config(config), "architectures": [architecture]}
    return values, weights.collect(model, family.TABLE.rows(config, task))


@pytest.mark.parametrize("name", BACKBONES)
def test_our_encoder_computes_what_the_preset_does(name, presets):
    np.testing.assert_allclose(outputs(loaded(presets / name)), outputs(backbone(name)), atol=1e-5)


def test_a_written_preset_computes_what_our_encoder_does(presets, tmp_path):
    # The other families are written with a head below.
    model = loaded(presets / "Electra")
    report = write_preset(*hugging_face(model, "feature-extraction", "Model"), {}, tmp_path / "written")
    written = hub.Backbone.from_preset(str(tmp_path / "written"))
    assert type(written) is hub.ElectraBackbone
    np.testing.assert_allclose(outputs(written), outputs(model), atol=1e-5)
    # Hugging Face's ELECTRA has no pooler.
    assert (report.new, report.ignored) == (["pooled_dense/kernel", "pooled_dense/bias"], {})


@pytest.mark.parametrize("name", ["Bert", "Roberta", "Albert", "DebertaV3"])
def test_a_classifier_is_read_and_written(name, tmp_path):
    task = randomize(getattr(hub, f"{name}TextClassifier")(backbone(name), num_classes=3, dropout=0.25))
    task.save_to_preset(str(tmp_path / "theirs"))
    model = loaded(tmp_path / "theirs", "text-classification")
    np.testing.assert_allclose(outputs(model), outputs(task), atol=1e-5)

    values = hugging_face(model, "text-classification", ARCHITECTURES.get(name, name) + "ForSequenceClassification")
    write_preset(*values, {}, tmp_path / "ours")
    written = hub.TextClassifier.from_preset(str(tmp_path / "ours"))
    np.testing.assert_allclose(outputs(written), outputs(model), atol=1e-5)
    assert written.dropout == 0.25  # kept by our config on the way


def test_the_mlm_head_of_roberta_is_read_and_written(tmp_path):
    positions = np.array([[1, 4], [0, 2]], "int32")
    task = randomize(hub.RobertaMaskedLM(backbone("Roberta")))
    task.save_to_preset(str(tmp_path / "theirs"))
    model = loaded(tmp_path / "theirs", "fill-mask")
    np.testing.assert_allclose(
        outputs(model, masked_positions=positions), outputs(task, mask_positions=positions), atol=1e-5
    )
    write_preset(*hugging_face(model, "fill-mask", "RobertaForMaskedLM"), {}, tmp_path / "ours")
    written = hub.MaskedLM.from_preset(str(tmp_path / "ours"))
    np.testing.assert_array_equal(outputs(written, mask_positions=positions), outputs(task, mask_positions=positions))


def test_a_text_embedder_is_sentence_similarity(tmp_path):
    hub.BertTextEmbedder(backbone("Bert")).save_to_preset(str(tmp_path / "theirs"))
    preset = open_preset(tmp_path / "theirs")
    assert preset.config["bert_keras"] == {"task": "sentence-similarity"}
    write_preset(preset.config, preset.tensors, {}, tmp_path / "ours")
    task = json.loads((tmp_path / "ours" / "task.json").read_text())
    assert task["registered_name"] == "keras_hub>BertTextEmbedder"
    assert (task["config"]["pooling_mode"], task["config"]["normalize"]) == ("mean", True)


def test_a_head_that_computes_otherwise_is_left_out_with_the_reason(tmp_path):
    hub.BertMaskedLM(backbone("Bert")).save_to_preset(str(tmp_path / "preset"))
    preset = open_preset(tmp_path / "preset")
    assert preset.config["architectures"] == ["BertModel"]
    assert "epsilon 1e-5" in preset.skipped["BertMaskedLM"]
    with pytest.raises(InputError, match="no head that computes what BertForMaskedLM does"):
        write_preset({**preset.config, "architectures": ["BertForMaskedLM"]}, preset.tensors, {}, tmp_path / "ours")


def test_what_a_preset_cannot_hold_is_told(presets, tmp_path, caplog):
    checkpoint = open_checkpoint(presets / "Roberta")
    config = dataclasses.replace(checkpoint.config, attention_probs_dropout_prob=0.25)
    _, tokenizer = bk.load(GOLDEN / "roberta" / "fill-mask")

    bk.save(tasks.text_classification(encoder(config), ["bad", "good"]), tokenizer, tmp_path / "a", layout="keras-hub")
    bk.save(encoder(config), tokenizer, tmp_path / "b", layout="keras-hub")

    told = [record.getMessage().partition(": ")[2] for record in caplog.records]
    dropout = (
        "attention_probs_dropout_prob is not written: a backbone has one dropout, which is hidden_dropout_prob = 0.1"
    )
    reason = "KerasHub's Roberta classes have no part that computes the same"
    assert told == [
        "id2label is not written: a preset has no names for classes, which are bad, good",
        dropout,
        f"pooler.dense.weight is not written: {reason}",
        f"pooler.dense.bias is not written: {reason}",
        dropout,
    ]


def test_the_segment_row_of_roberta_is_folded_into_the_positions(presets, tmp_path):
    preset = open_preset(presets / "Roberta")
    tensors = dict(preset.tensors)
    segment = np.random.default_rng(5).normal(size=(1, 24)).astype("float32")
    assert not tensors["embeddings.token_type_embeddings.weight"].any()
    tensors["embeddings.token_type_embeddings.weight"] = segment
    write_preset(preset.config, tensors, {}, tmp_path / "written")
    with h5py.File(tmp_path / "written" / "model.weights.h5") as file:
        positions = file["layers/token_and_position_embedding/position_embedding/vars/0"][()]
    # Position 0 of KerasHub's is row 2 of Hugging Face's: padding has the id 1.
    np.testing.assert_array_equal(positions, tensors["embeddings.position_embeddings.weight"][2:] + segment)


@pytest.mark.parametrize(
    ("name", "change", "reason"),
    [
        ("Bert", {"hidden_act": "relu"}, "always has hidden_act = 'gelu_new'; this model has 'relu'"),
        ("Bert", {"layer_norm_eps": 1e-5}, "always has layer_norm_eps = 1e-12"),
        ("Roberta", {"type_vocab_size": 2}, "has no segments"),
        ("Albert", {"num_hidden_layers": 3}, "2 groups for 3 layers"),
        ("DistilBert", {"activation": "relu"}, "always has activation = 'gelu'"),
        ("DebertaV3", {"pos_att_type": ["c2p"]}, "always attends by p2c and c2p"),
        ("DebertaV3", {"position_buckets": -1}, "needs position_buckets"),
        ("DebertaV3", {"max_relative_positions": 10}, "max_relative_positions = max_position_embeddings"),
        ("DebertaV3", {"conv_kernel_size": 3}, "always has conv_kernel_size = 0"),
        ("Bert", {"model_type": "funnel"}, "no model of the family 'funnel'"),
    ],
)
def test_what_keras_hub_cannot_compute_is_refused(name, change, reason, presets, tmp_path):
    preset = open_preset(presets / name)
    with pytest.raises(InputError, match=reason):
        write_preset({**preset.config, **change}, preset.tensors, {}, tmp_path / "written")
    assert not (tmp_path / "written").exists()


def test_the_other_gelu_is_written_with_a_warning(presets, tmp_path, caplog):
    preset = open_preset(presets / "Bert")
    write_preset({**preset.config, "hidden_act": "gelu"}, preset.tensors, {}, tmp_path / "written")
    assert "always has hidden_act = 'gelu_new'; this model has 'gelu', up to 4.73e-4 away" in caplog.text
    assert (tmp_path / "written" / "model.weights.h5").is_file()


def test_a_missing_tensor_is_refused(presets, tmp_path):
    preset = open_preset(presets / "Bert")
    tensors = {name: preset.tensors[name] for name in preset.tensors if name != "encoder.layer.1.output.dense.bias"}
    with pytest.raises(InputError, match=r"encoder\.layer\.1\.output\.dense\.bias"):
        write_preset(preset.config, tensors, {}, tmp_path / "written")


@pytest.fixture
def copy(presets, tmp_path):
    """A preset that a test may damage."""
    return Path(shutil.copytree(presets / "Bert", tmp_path / "copy"))


def change_config(folder, **change):
    values = json.loads((folder / "config.json").read_text())
    values["config"] |= change
    (folder / "config.json").write_text(json.dumps(values))


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"num_layers": 3}, "16 missing, the first transformer_encoder_2"),
        ({"num_layers": 1}, "16 unknown, the first transformer_encoder_1"),
        ({"num_layers": 10**9}, "has no 1000000000 blocks"),
        ({"num_heads": 0}, "num_heads = 0; it must be a positive whole number"),
    ],
)
def test_a_config_that_is_not_the_weights_own_is_refused(change, reason, copy):
    change_config(copy, **change)
    with pytest.raises(InputError, match=reason):
        open_preset(copy)


def test_a_preset_of_another_backbone_is_refused(copy):
    values = json.loads((copy / "config.json").read_text())
    (copy / "config.json").write_text(json.dumps({**values, "registered_name": "keras_hub>GPT2Backbone"}))
    with pytest.raises(InputError, match="is a GPT2Backbone; known are BertBackbone"):
        open_preset(copy)


def test_weights_that_are_no_floats_are_refused(copy):
    with h5py.File(copy / "model.weights.h5", "r+") as file:
        del file["layers/dense/vars/0"]
        file["layers/dense/vars/0"] = np.zeros((24, 24), "int8")
    with pytest.raises(InputError, match="dense/vars/0 is int8: a quantized model cannot be read"):
        open_preset(copy)


def test_weights_in_another_file_are_refused(copy, tmp_path):
    (tmp_path / "secret").write_bytes(bytes(24 * 24 * 4))
    with h5py.File(copy / "model.weights.h5", "r+") as file:
        del file["layers/dense/vars/0"]
        outside = [(str(tmp_path / "secret"), 0, 24 * 24 * 4)]
        file.create_dataset("layers/dense/vars/0", (24, 24), "float32", external=outside)
    with pytest.raises(InputError, match="lies in another file, which is not read"):
        open_preset(copy)


def test_weights_larger_than_their_file_are_refused(copy):
    with h5py.File(copy / "model.weights.h5", "r+") as file:
        del file["layers/dense/vars/0"]
        file.create_dataset("layers/dense/vars/0", (10**6, 10**6), "float32", chunks=True)
    with pytest.raises(InputError, match=r"dense/vars/0 is larger than its file"):
        open_preset(copy)


def test_files_of_keras_2_are_read(copy, presets):
    # Their layers stand under another name, and the attention's parts under private ones.
    with h5py.File(copy / "model.weights.h5", "r+") as file:
        file.move("layers", "_layer_checkpoint_dependencies")
        attention = file["_layer_checkpoint_dependencies/transformer_encoder_1/_self_attention_layer"]
        for part in ("query", "key", "value", "output"):
            attention.move(f"{part}_dense", f"_{part}_dense")
    old, new = open_preset(copy).tensors, open_preset(presets / "Bert").tensors
    assert set(old) == set(new)
    name = "encoder.layer.1.attention.self.key.weight"
    np.testing.assert_array_equal(old[name], new[name])


def test_bfloat16_is_read(tmp_path):
    model = hub.BertBackbone(**{**SIZES, "num_layers": 1}, vocabulary_size=30, dtype="bfloat16")
    model.save_to_preset(str(tmp_path))
    expected = np.asarray(model.token_embedding.embeddings).astype("float32")
    np.testing.assert_array_equal(open_preset(tmp_path).tensors["embeddings.word_embeddings.weight"], expected)


def hub_tokenizer(name):
    """KerasHub's tokenizer over the tiny vocabulary of the golden files."""
    make = getattr(hub, f"{name}Tokenizer")
    if name == "Bert":
        return make(PIECES, lowercase=True, strip_accents=True)
    if name == "Roberta":
        folder = GOLDEN / "roberta" / "fill-mask"
        merges = (folder / "merges.txt").read_text().splitlines()[1:]
        return make(json.loads((folder / "vocab.json").read_text()), merges)
    files = {
        "XLMRoberta": "xlm-roberta/fill-mask/sentencepiece.bpe.model",
        "DebertaV3": "deberta-v2/fill-mask/spm.model",
    }
    return make((GOLDEN / files[name]).read_bytes())


@pytest.mark.parametrize("name", ["Bert", "Roberta", "XLMRoberta", "DebertaV3"])
def test_a_tokenizer_is_read_and_written(name, tmp_path):
    theirs = hub_tokenizer(name)
    theirs.save_to_preset(str(tmp_path / "preset"))
    texts = ["abc jad", "ab  cab"]
    expected = [np.asarray(theirs(text)).tolist() for text in texts]

    (tmp_path / "ours").mkdir()
    for file, content in read_tokenizer_files(tmp_path / "preset", name).items():
        (tmp_path / "ours" / file).write_bytes(content)
    tokenizer = bk.Tokenizer.from_folder(tmp_path / "ours")
    assert tokenizer.ids(texts) == expected
    tokenizer.save(tmp_path / "saved")
    files = {file.name: file.read_bytes() for file in (tmp_path / "saved").iterdir()}
    written = keras_hub_tokenizer(hub, name, files)
    assert written.get_vocabulary() == theirs.get_vocabulary()
    assert [np.asarray(written(text)).tolist() for text in texts] == expected


def test_a_vocabulary_of_characters_is_refused():
    files = {"vocab.json": b'{"<s>": 0, "<pad>": 1, "a": 2}', "merges.txt": b"#version: 0.2\n"}

    with pytest.raises(bk.InputError, match="RobertaTokenizer needs merges"):
        keras_hub_tokenizer(hub, "Roberta", files)


def test_load_and_save_take_presets(tmp_path):
    task = randomize(hub.DistilBertTextClassifier(backbone("DistilBert"), num_classes=3))
    task.save_to_preset(str(tmp_path / "theirs"))
    hub.DistilBertTokenizer(PIECES, lowercase=True).save_to_preset(str(tmp_path / "theirs"))
    model, tokenizer = bk.load(tmp_path / "theirs")
    bk.save(model, tokenizer, tmp_path / "ours", layout="keras-hub")
    written = hub.TextClassifier.from_preset(str(tmp_path / "ours"))
    theirs, ours = written(written.preprocessor(["abc jad"])), model(tokenizer(["abc jad"]))
    np.testing.assert_allclose(theirs, ours, atol=1e-5)


@pytest.mark.parametrize("content", ["", "[" * 100_000])
def test_a_damaged_vocabulary_is_named_by_the_presets_folder(presets, tmp_path, content):
    preset = open_preset(presets / "Roberta")
    names = ("vocab.json", "merges.txt")
    files = {name: (GOLDEN / "roberta" / "fill-mask" / name).read_bytes() for name in names}
    write_preset(preset.config, preset.tensors, files, tmp_path / "preset")
    (tmp_path / "preset" / "assets" / "tokenizer" / "vocabulary.json").write_text(content)
    with pytest.raises(InputError, match=f"{tmp_path / 'preset'}, as its tokenizer's/vocab.json"):
        bk.load(tmp_path / "preset")


def test_a_preset_states_the_case_of_its_vocabulary(presets, tmp_path):
    backbone("Bert").save_to_preset(str(tmp_path))
    hub.BertTokenizer(["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "A"], lowercase=False).save_to_preset(
        str(tmp_path)
    )
    config = json.loads(open_preset(tmp_path).tokenizer_files["tokenizer_config.json"])
    assert (config["do_lower_case"], config["strip_accents"]) == (False, False)


def test_a_vocabulary_that_keras_hub_refuses_is_refused(presets, tmp_path):
    preset = open_preset(presets / "Bert")
    for pieces in ([*PIECES, "a"], PIECES[3:]):
        files = {"vocab.txt": "\n".join(pieces).encode()}
        with pytest.raises(InputError, match="BertTokenizer refuses this vocabulary"):
            write_preset(preset.config, preset.tensors, files, tmp_path / "written")


def test_sentence_similarity_without_an_embedder_is_told(presets, tmp_path):
    preset = open_preset(presets / "Electra")
    values = {**preset.config, "bert_keras": {"task": "sentence-similarity"}}
    report = write_preset(values, preset.tensors, {}, tmp_path / "written")
    assert report.ignored["pooling"] == "KerasHub has no embedder of Electra; the encoder alone is written"


@pytest.mark.parametrize("option", [{"pooling": "max"}, {"normalize": False}, {"dimensions": 4}], ids=str)
def test_vectors_that_keras_hub_makes_otherwise_are_told(presets, tmp_path, option):
    preset = open_preset(presets / "Bert")
    values = {**preset.config, "bert_keras": {"task": "sentence-similarity", **option}}
    report = write_preset(values, preset.tensors, {}, tmp_path / "written")
    assert report.ignored["pooling"] == "KerasHub has no embedder with these options; the encoder alone is written"
    assert not (tmp_path / "written" / "task.json").exists()

"""config.json of every family to EncoderConfig and back."""

import dataclasses

import pytest
import tiny

import bert_keras as bk
from bert_keras.encoder import config_of
from bert_keras.families import FAMILIES, class_of

SIZES = {name: values for family in FAMILIES.values() for name, values in family.SIZES.items()}


@pytest.mark.parametrize("name", SIZES)
def test_every_size_survives_its_own_config_file(name):
    config = bk.config(name)

    values = FAMILIES[config.model_type].hf_config(config)

    again = FAMILIES[config.model_type].encoder_config(values)
    assert {key: values[key] for key in SIZES[name]} == SIZES[name]
    assert dataclasses.replace(again, extra={}) == dataclasses.replace(config, extra={})


def test_keys_that_a_file_lacks_have_the_defaults_of_transformers():
    electra = FAMILIES["electra"].encoder_config({"model_type": "electra"})
    albert = FAMILIES["albert"].encoder_config({"model_type": "albert"})
    distilbert = FAMILIES["distilbert"].encoder_config({"model_type": "distilbert"})

    assert (electra.embedding_size, electra.hidden_size, electra.num_attention_heads) == (128, 256, 4)
    assert (albert.hidden_size, albert.num_hidden_groups, albert.hidden_act) == (4096, 1, "gelu_new")
    assert (albert.hidden_dropout_prob, albert.classifier_dropout) == (0.0, 0.1)
    assert (distilbert.num_hidden_layers, distilbert.classifier_dropout, distilbert.classifier_act) == (6, 0.2, "relu")


def test_positions_of_roberta_begin_after_the_padding():
    config = FAMILIES["roberta"].encoder_config({"model_type": "roberta", "pad_token_id": 3})

    assert config.position_offset == 4


def test_projection_is_there_only_where_the_widths_differ_in_electra_and_always_in_albert():
    sizes = {"embedding_size": 20, "hidden_size": 20, "num_attention_heads": 4}

    assert FAMILIES["electra"].encoder_config({"model_type": "electra", **sizes}).embedding_size is None
    assert FAMILIES["albert"].encoder_config({"model_type": "albert", **sizes}).embedding_size == 20


def test_blocks_of_several_layers_are_refused():
    with pytest.raises(bk.InputError, match="inner_group_num is 2; only 1"):
        FAMILIES["albert"].encoder_config({"model_type": "albert", "inner_group_num": 2})


def test_what_a_family_cannot_say_is_not_saved(tmp_path):
    config = dataclasses.replace(bk.config("distilbert-base-uncased"), layer_norm_eps=1e-5)
    sizes = ("vocab_size", "hidden_size", "num_hidden_layers", "num_attention_heads", "intermediate_size")
    small = dataclasses.replace(config, **{key: getattr(tiny.CONFIG, key) for key in sizes})
    _, tokenizer = bk.load(tiny.golden("fill-mask"))

    with pytest.raises(bk.InputError, match="layer_norm_eps is 1e-05, but a model of the family distilbert can only"):
        bk.save(bk.encoder(small), tokenizer, tmp_path / "model")
    assert not (tmp_path / "model").exists()


@pytest.mark.parametrize(
    "name, task, right",
    [
        ("roberta-base", "text-classification", "RobertaForSequenceClassification"),
        ("xlm-roberta-base", "fill-mask", "XLMRobertaForMaskedLM"),
        ("electra-small-discriminator", "replaced-token-detection", "ElectraForPreTraining"),
        ("albert-base-v2", "pretraining", "AlbertForPreTraining"),
        ("distilbert-base-uncased", "question-answering", "DistilBertForQuestionAnswering"),
        ("bert-tiny", "sentence-similarity", "BertModel"),
    ],
)
def test_class_of_transformers(name, task, right):
    assert class_of(bk.config(name), task) == right


def test_task_that_a_family_has_no_checkpoints_for_is_refused():
    with pytest.raises(bk.InputError, match="the family roberta has no checkpoints for next-sentence-prediction"):
        class_of(bk.config("roberta-base"), "next-sentence-prediction")


@pytest.mark.parametrize("task", ["pretraining", "next-sentence-prediction"])
def test_tasks_that_read_the_pooler_refuse_an_encoder_without(task):
    config = dataclasses.replace(tiny.CONFIG, pooler=False, num_hidden_layers=1)

    with pytest.raises(bk.InputError, match=f"{task} reads the pooler's output, which encoders of the family bert"):
        bk.tasks.TASKS[task](bk.encoder(config))


def test_distances_of_deberta_are_told_when_the_positions_are_changed():
    config = dataclasses.replace(bk.config("deberta-v3-small"), max_position_embeddings=48)

    values = FAMILIES["deberta-v2"].hf_config(config)

    assert values["max_relative_positions"] == 512
    assert FAMILIES["deberta-v2"].hf_config(bk.config("deberta-v3-small"))["max_relative_positions"] == -1


# The dropouts of transformers' classes where the rates of a config all differ: before the head's own dense layer (None:
# there is none) and before its logits.
RATES = {
    "roberta": {"hidden_dropout_prob": 0.1, "classifier_dropout": 0.3},
    "electra": {"hidden_dropout_prob": 0.1, "classifier_dropout": 0.3},
    "albert": {"hidden_dropout_prob": 0.1, "classifier_dropout_prob": 0.3},
    "distilbert": {"dropout": 0.1, "seq_classif_dropout": 0.3, "qa_dropout": 0.4},
    "deberta-v2": {"relative_attention": True, "hidden_dropout_prob": 0.1, "cls_dropout": 0.3, "pooler_dropout": 0.2},
}


@pytest.mark.parametrize(
    "family, texts, tokens, choices, answers",
    [
        ("roberta", (0.3, 0.3), 0.3, (None, 0.1), 0.0),
        ("electra", (0.3, 0.3), 0.3, (0.0, 0.1), 0.0),
        ("albert", (None, 0.3), 0.3, (None, 0.3), 0.0),
        ("distilbert", (0.0, 0.3), 0.1, (0.0, 0.3), 0.4),
        ("deberta-v2", (0.2, 0.3), 0.1, (0.2, 0.3), 0.0),
    ],
)
def test_heads_have_the_dropouts_of_transformers(family, texts, tokens, choices, answers):
    sizes = {
        "vocab_size": 9,
        "hidden_size": 8,
        "num_attention_heads": 2,
        "num_hidden_layers": 1,
        "intermediate_size": 8,
    }
    base = bk.encoder(
        dataclasses.replace(FAMILIES[family].encoder_config({"model_type": family, **RATES[family]}), **sizes)
    )

    def rates(model, head):
        poolers = [layer.dropout.rate for layer in model.layers if layer.name == "classification_pooler"]
        return poolers[0] if poolers else None, model.get_layer(head).dropout.rate

    assert rates(bk.tasks.text_classification(base, ["a", "b"]), "classification_head") == texts
    assert rates(bk.tasks.token_classification(base, ["a", "b"]), "token_head") == (None, tokens)
    assert rates(bk.tasks.multiple_choice(base), "choice_head") == choices
    assert rates(bk.tasks.question_answering(base), "answer_head") == (None, answers)


def test_block_of_distilbert_has_no_dropout_after_its_attention():
    sizes = {"vocab_size": 9, "dim": 8, "n_heads": 2, "n_layers": 1, "hidden_dim": 8}
    model = bk.encoder(FAMILIES["distilbert"].encoder_config({"model_type": "distilbert", "dropout": 0.2, **sizes}))

    block = model.get_layer("block_0")

    assert (block.attention_dropout.rate, block.output_dropout.rate) == (0.0, 0.2)


def test_dropout_that_is_changed_can_be_saved(tmp_path):
    model, tokenizer = bk.load(tiny.GOLDEN / "families" / "roberta" / "feature-extraction")
    config = dataclasses.replace(config_of(model), hidden_dropout_prob=0.0)

    bk.save(bk.encoder(config), tokenizer, tmp_path / "model")

    assert config_of(bk.load(tmp_path / "model")[0]).hidden_dropout_prob == 0.0

"""The families of encoders, a file each: what differs between them is data.

A family's module has `CLASSES` (model_type -> begin of transformers' class names), `HEADS` (their ends -> task),
`TABLE` (its tensors' names, a module of `bert_keras.weights`), `SIZES` (name -> keys of config.json), `encoder_config`
and `hf_config`, which translate config.json to `EncoderConfig` and back.
"""

from types import ModuleType
from typing import Any

from bert_keras.config import EncoderConfig
from bert_keras.errors import InputError
from bert_keras.families import albert, bert, deberta, deberta_v2, distilbert, electra, roberta

# model_type in config.json -> family.
FAMILIES: dict[str, ModuleType] = {
    model_type: family
    for family in (albert, bert, deberta, deberta_v2, distilbert, electra, roberta)
    for model_type in family.CLASSES
}


def config(name: str) -> EncoderConfig:
    """The config of a published size, such as `bert-base-uncased`.

    Args:
        name: one of the names in the `SIZES` of a family.

    Raises:
        InputError: no family has a size of that name; the message lists them.
    """
    sizes: dict[str, dict[str, Any]] = {}
    for family in FAMILIES.values():
        sizes |= family.SIZES
    if name not in sizes:
        raise InputError(f"no config is named {name!r}; known are {', '.join(sizes)}")
    return FAMILIES[sizes[name]["model_type"]].encoder_config(sizes[name])


def class_of(config: EncoderConfig, task: str) -> str:
    """The name of transformers' class for a task.

    Args:
        config: of the encoder.
        task: a key of `bert_keras.tasks.TASKS`.

    Raises:
        InputError: the family has no such class.
    """
    family = FAMILIES[config.model_type]
    ends = {own: end for end, own in family.HEADS.items()} | {"sentence-similarity": "Model"}
    if task not in ends:
        raise InputError(f"the family {config.model_type} has no checkpoints for {task}; it has {', '.join(ends)}")
    return family.CLASSES[config.model_type] + ends[task]

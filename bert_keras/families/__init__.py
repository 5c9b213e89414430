"""The families of encoders, a file each: what differs between them is data."""

from bert_keras.config import EncoderConfig
from bert_keras.errors import InputError
from bert_keras.families import bert

FAMILIES = {"bert": bert}


def config(name: str) -> EncoderConfig:
    """The config of a published size, such as `bert-base-uncased`.

    Args:
        name: one of the names in the `SIZES` of a family.

    Raises:
        InputError: no family has a size of that name; the message lists them.
    """
    sizes = {size: values for family in FAMILIES.values() for size, values in family.SIZES.items()}
    if name not in sizes:
        raise InputError(f"no config is named {name!r}; known are {', '.join(sizes)}")
    return EncoderConfig.from_dict(sizes[name])

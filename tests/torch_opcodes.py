"""Torch files written by hand, opcode by opcode."""

import struct
import zipfile

# Opcodes of pickle, as Python's `pickletools` documents them.
REBUILD = b"ctorch._utils\n_rebuild_tensor_v2\n"


def text(value):
    return b"X" + struct.pack("<I", len(value)) + value.encode()


def number(value):
    return b"\x8a\x09" + value.to_bytes(9, "little", signed=True)


def numbers(values):
    return b"(" + b"".join(map(number, values)) + b"t"


def storage(key="0", size=6, kind="FloatStorage", view=b""):
    return b"(" + text("storage") + f"ctorch\n{kind}\n".encode() + text(key) + text("cpu") + number(size) + view + b"tQ"


def tensor(offset=0, shape=(2, 3), stride=(3, 1), inside=None):
    inside = storage() if inside is None else inside
    return REBUILD + b"(" + inside + number(offset) + numbers(shape) + numbers(stride) + b"\x89}tR"


def archive(path, pickle, storages=None, **others):
    """A file of the zip layout around a pickle's opcodes."""
    with zipfile.ZipFile(path, "w") as file:
        file.writestr("x/data.pkl", b"\x80\x02" + pickle + b".")
        for name, content in others.items():
            file.writestr(f"x/{name}", content)
        for key, content in (storages or {}).items():
            file.writestr(f"x/data/{key}", content)
    return path


def array(values, key):
    """A tensor of that float32 array, in the storage `key`."""
    steps = [stride // values.itemsize for stride in values.strides]
    return tensor(0, values.shape, steps, storage(key, values.size))


def dictionary(items):
    """A dict of texts to opcodes."""
    return b"}(" + b"".join(text(name) + opcodes for name, opcodes in items.items()) + b"u"


def namespace(values):
    """An `argparse.Namespace` of texts and numbers."""
    attributes = {name: _value(value) for name, value in values.items()}
    return b"cargparse\nNamespace\n)\x81" + dictionary(attributes) + b"b"


def _value(value):
    if isinstance(value, str):
        return text(value)
    return b"G" + struct.pack(">d", value) if isinstance(value, float) else number(value)

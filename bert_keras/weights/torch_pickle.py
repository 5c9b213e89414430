"""Reads the pickles of torch files and runs nothing: only tensors and plain containers are built.

Sources: Python's pickletools, which takes a pickle apart and builds nothing; torch `serialization.py` and `_utils.py`
for what stands in the pickles.
"""

import dataclasses
import pickletools
from collections.abc import Callable
from typing import Any

# Type of a torch storage, or torch's name of a number's type -> NumPy's name; bfloat16 has none there.
_STORAGE_TYPES = {
    "BFloat16Storage": "bfloat16",
    "BoolStorage": "bool",
    "ByteStorage": "uint8",
    "CharStorage": "int8",
    "DoubleStorage": "float64",
    "FloatStorage": "float32",
    "HalfStorage": "float16",
    "IntStorage": "int32",
    "LongStorage": "int64",
    "ShortStorage": "int16",
    "UntypedStorage": "uint8",
}
_STORAGE_MODULES = {"torch", "torch.cuda", "torch.storage"}
ITEM_SIZES = {
    **dict.fromkeys(("bool", "uint8", "int8"), 1),
    **dict.fromkeys(("int16", "uint16", "float16", "bfloat16"), 2),
    **dict.fromkeys(("int32", "uint32", "float32"), 4),
    **dict.fromkeys(("int64", "uint64", "float64"), 8),
}
# Names are joined again wherever they are used; a long one would be a way to fill the memory.
_LONGEST_NAME = 1000


@dataclasses.dataclass(eq=False, repr=False)
class Placeholder:
    """A class, a function or an object of one that a file names; it is never imported nor called.

    Args:
        name: the dotted name in the file, such as `argparse.Namespace`.
        arguments: what the file would call it with.
        state: what the file would fill the object with: for most objects a dict of its attributes.
    """

    name: str
    arguments: tuple = ()
    state: Any = None

    def __repr__(self) -> str:
        return f"<{self.name}>"


@dataclasses.dataclass(frozen=True)
class Storage:
    """A run of numbers in a file.

    Args:
        key: its name in the file.
        dtype: a key of ITEM_SIZES.
        size: how many numbers it has.
        start: number of `key` at which it begins; not 0 in views of old files.
    """

    key: str
    dtype: str
    size: int
    start: int = 0


@dataclasses.dataclass(frozen=True)
class TensorView:
    """A tensor as a file describes it: a strided view of a storage, counted in numbers; not checked yet.

    Args:
        storage: what it looks at.
        offset: the first number.
        shape: its sizes.
        stride: the step of every axis.
    """

    storage: Storage
    offset: int
    shape: tuple[int, ...]
    stride: tuple[int, ...]


def read_pickle(stream: Any, storages: dict[str, Storage] | None = None) -> Any:
    """The object of a pickle; the stream stands behind it afterwards.

    Memory and time are proportional to the pickle's length, whatever is in it.

    Args:
        stream: binary file or `mmap`: what `read`, `readline` and `tell` work on.
        storages: is filled with the storages that the pickle refers to, by key.

    Returns:
        dict, list, tuple, set, str, bytes, numbers and None; `TensorView` for tensors; `Placeholder` for anything else.

    Raises:
        ValueError: the pickle is damaged or uses what torch never writes.
    """
    machine = _Machine({} if storages is None else storages)
    try:
        for opcode, argument, _ in pickletools.genops(stream):
            machine.step(opcode.name, argument)
        return machine.pop()
    except (IndexError, KeyError, TypeError) as error:
        raise ValueError(f"its pickle makes no sense: {type(error).__name__} {error}") from error


class _Machine:
    """The stack machine that pickles are written for."""

    def __init__(self, storages: dict[str, Storage]) -> None:
        self.stack: list[Any] = []
        self._storages = storages
        self._marks: list[int] = []
        self._memo: dict[int, Any] = {}

    def step(self, opcode: str, argument: Any) -> None:
        if opcode in _IGNORED:
            return
        if opcode in _CONSTANTS:
            self.stack.append(_CONSTANTS[opcode])
        elif opcode in _ARGUMENTS:
            self.stack.append(argument)
        elif opcode in _ACTIONS:
            _ACTIONS[opcode](self, argument)
        else:
            raise ValueError(f"its pickle uses {opcode}, which torch never writes")

    def pop(self) -> Any:
        return self.stack.pop()

    def pop_marked(self) -> list[Any]:
        start = self._marks.pop()
        items = self.stack[start:]
        del self.stack[start:]
        return items

    def mark(self, _: None) -> None:
        self._marks.append(len(self.stack))

    def duplicate(self, _: None) -> None:
        self.stack.append(self.stack[-1])

    def put(self, index: int | None) -> None:
        self._memo[len(self._memo) if index is None else index] = self.stack[-1]

    def get(self, index: int) -> None:
        self.stack.append(self._memo[index])

    def build(self, _: None) -> None:
        state, target = self.pop(), self.stack[-1]
        # The state of a dict (`_metadata` of a state dict) or of a tensor is nothing that a checkpoint's reader needs.
        if isinstance(target, Placeholder):
            target.state = state

    def tuple_of(self, count: int) -> None:
        items = [self.pop() for _ in range(count)]
        self.stack.append(tuple(reversed(items)))

    def global_name(self, argument: str | None) -> None:
        if argument is None:
            name, module = self.pop(), self.pop()
        else:
            module, name = argument.split(" ", 1)
        if not isinstance(module, str) or not isinstance(name, str) or len(module) + len(name) > _LONGEST_NAME:
            raise ValueError("its pickle names a class by what is no name")
        self.stack.append(Placeholder(f"{module}.{name}"))

    def call(self, arguments: Any) -> None:
        self.stack.append(_called(self.pop(), arguments))

    def instance(self, argument: str | None) -> None:
        items = self.pop_marked()
        if argument is None:
            self.stack.append(_called(items[0], tuple(items[1:])))
        else:
            self.stack.append(_called(Placeholder(argument.replace(" ", ".")), tuple(items)))

    def new_with_keywords(self, _: None) -> None:
        keywords, arguments, kind = self.pop(), self.pop(), self.pop()
        self.stack.append(Placeholder(_name(kind), (arguments, keywords)))

    def extend(self, items: list[Any]) -> None:
        target = self.stack[-1]
        if isinstance(target, list):
            target.extend(items)
        elif isinstance(target, set):
            target.update(_key(item) for item in items)
        elif not isinstance(target, Placeholder):
            raise ValueError("its pickle adds items to what is no list")

    def set_items(self, items: list[Any]) -> None:
        target = self.stack[-1]
        if len(items) % 2:
            raise ValueError("its pickle has a key without a value")
        if isinstance(target, dict):
            target.update((_key(key), value) for key, value in zip(items[::2], items[1::2], strict=True))
        elif not isinstance(target, Placeholder):
            raise ValueError("its pickle sets keys of what is no dict")

    def marked_dict(self, _: None) -> None:
        items = self.pop_marked()
        self.stack.append({})
        self.set_items(items)

    def storage(self, _: None) -> None:
        self.stack.append(_storage(self.pop(), self._storages))


_IGNORED = {"PROTO", "FRAME", "STOP"}
_CONSTANTS = {"NONE": None, "NEWTRUE": True, "NEWFALSE": False, "EMPTY_TUPLE": ()}
_ARGUMENTS = {
    *("INT", "BININT", "BININT1", "BININT2", "LONG", "LONG1", "LONG4", "FLOAT", "BINFLOAT"),
    *("STRING", "BINSTRING", "SHORT_BINSTRING", "BINBYTES", "SHORT_BINBYTES", "BINBYTES8"),
    *("UNICODE", "BINUNICODE", "SHORT_BINUNICODE", "BINUNICODE8"),
}
_ACTIONS: dict[str, Callable[[_Machine, Any], Any]] = {
    "EMPTY_LIST": lambda machine, _: machine.stack.append([]),
    "EMPTY_DICT": lambda machine, _: machine.stack.append({}),
    "EMPTY_SET": lambda machine, _: machine.stack.append(set()),
    "MARK": _Machine.mark,
    "POP": lambda machine, _: machine.pop(),
    "POP_MARK": lambda machine, _: machine.pop_marked(),
    "DUP": _Machine.duplicate,
    **dict.fromkeys(("PUT", "BINPUT", "LONG_BINPUT", "MEMOIZE"), _Machine.put),
    **dict.fromkeys(("GET", "BINGET", "LONG_BINGET"), _Machine.get),
    "TUPLE1": lambda machine, _: machine.tuple_of(1),
    "TUPLE2": lambda machine, _: machine.tuple_of(2),
    "TUPLE3": lambda machine, _: machine.tuple_of(3),
    "TUPLE": lambda machine, _: machine.stack.append(tuple(machine.pop_marked())),
    "LIST": lambda machine, _: machine.stack.append(machine.pop_marked()),
    "DICT": _Machine.marked_dict,
    "FROZENSET": lambda machine, _: machine.stack.append({_key(item) for item in machine.pop_marked()}),
    "APPEND": lambda machine, _: machine.extend([machine.pop()]),
    **dict.fromkeys(("APPENDS", "ADDITEMS"), lambda machine, _: machine.extend(machine.pop_marked())),
    "SETITEM": lambda machine, _: machine.set_items([machine.pop(), machine.pop()][::-1]),
    "SETITEMS": lambda machine, _: machine.set_items(machine.pop_marked()),
    **dict.fromkeys(("GLOBAL", "STACK_GLOBAL"), _Machine.global_name),
    **dict.fromkeys(("REDUCE", "NEWOBJ"), lambda machine, _: machine.call(machine.pop())),
    **dict.fromkeys(("INST", "OBJ"), _Machine.instance),
    "NEWOBJ_EX": _Machine.new_with_keywords,
    "BUILD": _Machine.build,
    "BINPERSID": _Machine.storage,
}


def _key(value: Any) -> Any:
    # A tuple of tuples is refused: Python's hash of a deeply nested one ends the process.
    items = value if isinstance(value, tuple) else (value,)
    if not all(item is None or isinstance(item, str | bytes | int | float | Placeholder) for item in items):
        raise ValueError(f"its pickle has a key of the type {type(value).__name__}")
    return value


def _name(kind: Any) -> str:
    if not isinstance(kind, Placeholder):
        raise ValueError("its pickle calls what is no class")
    return kind.name


def _called(kind: Any, arguments: Any) -> Any:
    name = _name(kind)
    if not isinstance(arguments, tuple):
        raise ValueError(f"its pickle calls {name} with no tuple of arguments")
    # A tensor with attributes of its own is wrapped: (function, type, arguments, attributes).
    while name == "torch._tensor._rebuild_from_type_v2":
        name, arguments = _name(arguments[0]), arguments[2]
    if name in _BUILDERS:
        return _BUILDERS[name](*arguments)
    return Placeholder(name, arguments)


def _taken(items: Any) -> list[Any]:
    """The items of a list that a pickle made for one call; emptied, so that a thousand calls cost no more than one."""
    if not isinstance(items, list):
        raise ValueError("its pickle makes a container of what is no list")
    taken = items[:]
    items.clear()
    return taken


def _ordered_dict(*pairs: Any) -> dict:
    return {_key(key): value for key, value in _taken(*pairs)} if pairs else {}


def _set(*items: Any) -> set:
    return {_key(item) for item in _taken(*items)} if items else set()


def _size(sizes: Any) -> tuple:
    if not isinstance(sizes, tuple):
        raise ValueError("its pickle has a size that is no tuple")
    return sizes


def _tensor(storage: Any, offset: Any, shape: Any, stride: Any, *_: Any) -> Any:
    if not isinstance(storage, Storage):
        return Placeholder("torch.Tensor", (storage,))
    return TensorView(storage, offset, _size(shape), _size(stride))


def _tensor_of_type(storage: Any, offset: Any, shape: Any, stride: Any, _grad: Any, _hooks: Any, dtype: Any, *_: Any):
    name = _name(dtype).removeprefix("torch.")
    if name not in ITEM_SIZES or not isinstance(storage, Storage):
        return Placeholder("torch.Tensor", (storage, dtype))
    # The storage is one of bytes.
    typed = dataclasses.replace(storage, dtype=name, size=storage.size // ITEM_SIZES[name])
    return _tensor(typed, offset, shape, stride)


_BUILDERS: dict[str, Callable[..., Any]] = {
    "collections.OrderedDict": _ordered_dict,
    **dict.fromkeys(("builtins.set", "__builtin__.set", "builtins.frozenset", "__builtin__.frozenset"), _set),
    "torch.Size": _size,
    "torch._utils._rebuild_tensor": _tensor,
    "torch._utils._rebuild_tensor_v2": _tensor,
    "torch._utils._rebuild_tensor_v3": _tensor_of_type,
    "torch._utils._rebuild_parameter": lambda tensor, *_: tensor,
    "torch._utils._rebuild_parameter_with_state": lambda tensor, *_: tensor,
}


def _storage(saved: Any, storages: dict[str, Storage]) -> Any:
    if not isinstance(saved, tuple) or not saved:
        raise ValueError("its pickle refers to what is no storage")
    if saved[0] != "storage":
        # A whole module of an old file: (kind, class, its source).
        return saved[1] if len(saved) > 1 else Placeholder(str(saved[0]))
    _, kind, key, _location, size, *view = saved
    module, _, name = _name(kind).rpartition(".")
    if module not in _STORAGE_MODULES or name not in _STORAGE_TYPES:
        return Placeholder(_name(kind))
    if not isinstance(key, str) or not is_size(size):
        raise ValueError("its pickle describes a storage without a name or a size")
    storage = Storage(key, _STORAGE_TYPES[name], size)
    storages.setdefault(key, storage)
    if not view or view[0] is None:
        return storage
    _, start, count = view[0]
    if not is_size(start) or not is_size(count) or start + count > size:
        raise ValueError(f"a view ends behind its storage {key}")
    return dataclasses.replace(storage, size=count, start=start)


def is_size(value: Any) -> bool:
    """Whether a value of a pickle can be a size, a stride or an offset."""
    return type(value) is int and 0 <= value < 2**62

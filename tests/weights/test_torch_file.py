"""Reading torch files: every layout, type and view; and files made to do harm."""

import random
import struct
import tracemalloc
import zipfile
from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import load_file
from torch_opcodes import archive, number, storage, tensor, text

import bert_keras as bk
from bert_keras.weights.torch_file import TorchFile
from bert_keras.weights.torch_pickle import Placeholder

COUNTED = np.arange(6, dtype="<f4").tobytes()
GOLDEN = Path(__file__).resolve().parent.parent / "golden" / "torch_files"
LAYOUTS = ["zip.pt", "legacy_cuda.pt"]


def one(path, opcodes, content=COUNTED, **others):
    """A file of the zip layout with the tensor `w` of those opcodes."""
    return archive(path / "x.bin", b"}" + text("w") + opcodes + b"s", {"0": content}, **others)


@pytest.mark.parametrize("name", LAYOUTS)
def test_every_type_and_view_is_what_torch_gives(name):
    file, expected = TorchFile(GOLDEN / name), load_file(GOLDEN / "expected.safetensors")

    assert set(file) == set(expected)
    for key, value in expected.items():
        found = file[key]
        assert file.shape(key) == found.shape == value.shape
        assert found.dtype == np.float32
        np.testing.assert_array_equal(found, value, err_msg=key)


def test_a_type_without_a_storage_of_its_own():
    np.testing.assert_array_equal(TorchFile(GOLDEN / "zip_uint16.pt")["uint16"], [65535.0, 3.0])


@pytest.mark.parametrize("name", LAYOUTS)
def test_what_stands_beside_the_weights_is_plain(name):
    contents = TorchFile(GOLDEN / name).contents

    assert isinstance(contents["args"], Placeholder)
    assert contents["args"].name == "argparse.Namespace"
    assert contents["args"].state == {"layers": 2, "name": "tiny"}
    assert contents["epochs"] == {1, 2}


def test_names_can_be_asked_for_without_reading():
    file = TorchFile(GOLDEN / "zip.pt")

    assert "scalar" in file
    assert "absent" not in file
    with pytest.raises(KeyError, match="absent"):
        file["absent"]


def test_a_part_is_chosen_by_its_key(tmp_path):
    opcodes = (
        b"}(" + text("model") + b"}" + text("a") + tensor() + b"s" + text("ema") + b"}" + text("b") + tensor() + b"su"
    )
    path = archive(tmp_path / "x.bin", opcodes, {"0": bytes(24)})

    assert list(TorchFile(path)) == ["a"]
    assert list(TorchFile(path, part="ema")) == ["b"]
    with pytest.raises(bk.InputError, match=r"x.bin has no part 'best'; its parts are: ema, model$"):
        TorchFile(path, part="best")


def test_big_endian_numbers(tmp_path):
    path = one(tmp_path, tensor(), np.arange(6, dtype=">f4").tobytes(), byteorder=b"big")

    np.testing.assert_array_equal(TorchFile(path)["w"], [[0, 1, 2], [3, 4, 5]])


def test_view_of_a_storage_in_files_before_torch_0_4(tmp_path):
    start = b"".join(
        b"\x80\x02" + part + b"." for part in (b"\x8a\x0a\x6c\xfc\x9c\x46\xf9\x20\x6a\xa8\x50\x19", b"M\xe9\x03", b"}")
    )
    view = b"(" + text("view") + number(2) + number(4) + b"t"
    opcodes = b"}" + text("w") + tensor(1, (3,), (1,), storage(view=view)) + b"s"
    keys = b"]" + text("0") + b"a"
    path = tmp_path / "x.bin"
    numbers = struct.pack("<q6f", 6, *range(6))
    path.write_bytes(start + b"\x80\x02" + opcodes + b"." + b"\x80\x02" + keys + b"." + numbers)

    np.testing.assert_array_equal(TorchFile(path)["w"], [3, 4, 5])


class TestHarm:
    def test_nothing_in_a_file_is_called(self, tmp_path):
        victim = tmp_path / "victim"
        call = b"cos\nsystem\n" + b"(" + text(f"touch {victim}") + b"tR"
        path = archive(tmp_path / "x.bin", b"}(" + text("evil") + call + text("w") + tensor() + b"u", {"0": bytes(24)})

        file = TorchFile(path)

        assert list(file) == ["w"]
        assert not victim.exists()
        assert file.contents["evil"].name == "os.system"
        assert file.contents["evil"].arguments == (f"touch {victim}",)

    @pytest.mark.parametrize(
        "opcodes",
        [
            pytest.param(b"cbuiltins\neval\n(" + text("1/0") + b"tR", id="reduce"),
            pytest.param(b"(" + text("1/0") + b"ibuiltins\neval\n", id="inst"),
            pytest.param(b"(cbuiltins\neval\n" + text("1/0") + b"o", id="obj"),
            pytest.param(b"cbuiltins\neval\n(" + text("1/0") + b"t\x81", id="newobj"),
            pytest.param(text("builtins") + text("eval") + b"\x93(" + text("1/0") + b"tR", id="stack global"),
        ],
    )
    def test_every_way_of_a_call_gives_a_placeholder(self, tmp_path, opcodes):
        contents = TorchFile(archive(tmp_path / "x.bin", opcodes)).contents

        assert isinstance(contents, Placeholder)
        assert (contents.name, contents.arguments) == ("builtins.eval", ("1/0",))

    @pytest.mark.parametrize(
        ("opcodes", "message"),
        [
            (tensor(offset=1), r"the tensor w ends behind its storage 0: the file is damaged; copy it again$"),
            (tensor(offset=-1), r"the tensor w has no valid shape and stride"),
            (tensor(stride=(-3, 1)), r"the tensor w has no valid shape and stride"),
            (tensor(shape=(2,)), r"the tensor w has no valid shape and stride"),
            (tensor(shape=(2**61, 2**61)), r"the tensor w ends behind its storage"),
            (tensor(shape=(10**9,), stride=(0,)), r"the tensor w is larger than its file"),
            (tensor(shape=(1,) * 65, stride=(1,) * 65), r"the tensor w is larger than its file"),
            (tensor(inside=storage(size=7), shape=(7,), stride=(1,)), r"the tensor w ends behind its storage 0"),
            (tensor(inside=storage(key="../x")), r"the tensor w is in the storage \.\./x, which the file lacks"),
        ],
    )
    def test_tensor_outside_of_its_storage_is_refused_by_name(self, tmp_path, opcodes, message):
        with pytest.raises(bk.InputError, match=rf"x\.bin: {message}"):
            TorchFile(one(tmp_path, opcodes))

    @pytest.mark.parametrize(
        ("opcodes", "message"),
        [
            pytest.param(
                b"}" + b")" + b"\x85" * 2 * 10**5 + b"Ns", "a key of the type tuple", id="hash of nested tuples"
            ),
            pytest.param(b"]" * 2 + b"a" * 3, "pop from empty list|adds items|makes no sense", id="empty stack"),
            pytest.param(b"}h\x07N", "makes no sense: KeyError 7", id="unknown memo"),
            pytest.param(b"NNtR", "makes no sense", id="no mark"),
            pytest.param(b"\x82\x01", "EXT1, which torch never writes", id="extension"),
            pytest.param(b"N(tR", "calls what is no class", id="call of None"),
            pytest.param(b"}]Ns", "a key of the type list", id="key that cannot be one"),
            pytest.param(b"\x8d" + struct.pack("<Q", 2**62), "expected 4611686018427387904 bytes", id="huge text"),
        ],
    )
    def test_pickle_that_makes_no_sense_is_refused(self, tmp_path, opcodes, message):
        with pytest.raises(
            bk.InputError, match=rf"x\.bin cannot be read as a torch file .*({message}).*copy it again$"
        ):
            TorchFile(archive(tmp_path / "x.bin", opcodes))

    def test_a_list_used_often_is_not_copied_often(self, tmp_path):
        items = b"".join(b"J" + struct.pack("<i", i) for i in range(10**4))
        opcodes = b"cbuiltins\nset\nq\x01(" + items + b"lq\x02" + b"h\x01h\x02\x85R" * 1000
        path = archive(tmp_path / "x.bin", opcodes)

        tracemalloc.start()
        TorchFile(path)
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()

        assert peak < 2e7  # a thousand sets of them take half a gigabyte

    def test_a_long_text_is_no_name_of_a_class(self, tmp_path):
        path = archive(tmp_path / "x.bin", text("n" * 1001) + b"q\x01h\x01\x93")

        with pytest.raises(bk.InputError, match="names a class by what is no name"):
            TorchFile(path)

    @pytest.mark.parametrize("name", LAYOUTS)
    def test_truncated_file_is_refused_in_one_sentence(self, tmp_path, name):
        content, path = (GOLDEN / name).read_bytes(), tmp_path / "x.bin"
        for keep in [*range(0, len(content), 61), len(content) - 1]:
            path.write_bytes(content[:keep])
            with pytest.raises(bk.InputError, match=r"x\.bin cannot be read as a torch file \(.*\): it is truncated"):
                TorchFile(path)

    @pytest.mark.parametrize("name", LAYOUTS)
    @pytest.mark.filterwarnings("ignore:.*invalid escape sequence:DeprecationWarning")
    def test_damaged_bytes_are_refused_or_harmless(self, tmp_path, name):
        content, path, chance = (GOLDEN / name).read_bytes(), tmp_path / "x.bin", random.Random(3)
        refused = 0
        for _ in range(100):
            damaged = bytearray(content)
            for _ in range(chance.choice([1, 5])):
                damaged[chance.randrange(len(damaged))] = chance.randrange(256)
            path.write_bytes(damaged)
            try:
                assert all(array.dtype == np.float32 for array in TorchFile(path).values())
            except bk.InputError as error:
                refused += 1
                assert "\n" not in str(error)
        assert refused > 20


def test_control_characters_do_not_reach_the_message(tmp_path):
    path = archive(tmp_path / "x.bin", b"}" + text("a\x1b[2J\n") + tensor(offset=9) + b"s", {"0": bytes(24)})

    with pytest.raises(bk.InputError, match=r"the tensor a\\x1b\[2J\\n ends behind"):
        TorchFile(path)


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"", "cannot mmap an empty file"),
        (b"\x80\x02K\x01.", "does not begin as torch's files do"),
        (b"<html>", "opcode"),
    ],
)
def test_other_files_are_refused(tmp_path, content, reason):
    (tmp_path / "x.bin").write_bytes(content)

    with pytest.raises(bk.InputError, match=rf"x\.bin cannot be read as a torch file .*{reason}"):
        TorchFile(tmp_path / "x.bin")


def test_missing_file_is_refused(tmp_path):
    with pytest.raises(bk.InputError, match=r"No such file or directory"):
        TorchFile(tmp_path / "x.bin")


@pytest.mark.parametrize(("name", "how"), [("other", zipfile.ZIP_STORED), ("x/data.pkl", zipfile.ZIP_DEFLATED)])
def test_archive_of_another_kind_is_refused(tmp_path, name, how):
    with zipfile.ZipFile(tmp_path / "x.bin", "w", how) as file:
        file.writestr(name, b"N.")

    with pytest.raises(bk.InputError, match=r"no data\.pkl|compressed"):
        TorchFile(tmp_path / "x.bin")


class TestRealFiles:
    def test_arguments_of_a_training_open_to_placeholders(self, real):
        file = TorchFile(real / "albert-rxn" / "training_args.bin")

        assert len(file) == 0
        assert file.contents.name == "argparse.Namespace"
        assert file.contents.state["learning_rate"] == 1e-4
        assert repr(file.contents.state["device"]) == "<torch.device>"

    def test_albert_in_the_legacy_layout(self, real):
        file = TorchFile(real / "albert-rxn" / "pytorch_model.bin")

        assert len(file) == 32
        assert file.shape("albert.embeddings.word_embeddings.weight") == (591, 128)
        assert all(np.isfinite(array).all() for array in file.values())


def test_file_that_shrinks_while_it_is_open(tmp_path):
    path = one(tmp_path, tensor())
    file = TorchFile(path)
    path.write_bytes(path.read_bytes()[:10])

    with pytest.raises(bk.InputError, match=r"x\.bin was truncated since it was opened"):
        file["w"]

"""What a .tflite file says about itself, read with nothing but zipfile and flatbuffers' generic tables."""

import json
import zipfile

import flatbuffers
import pytest
import tiny_text
from flatbuffers.number_types import UOffsetTFlags
from flatbuffers.table import Table

from bert_keras.export import model_file, tflite

LABELS = ["négatif", "positif"]


class Reader:
    """A flatbuffer's table whose fields are asked for by their place in the schema."""

    def __init__(self, table):
        self.table = table

    @classmethod
    def root(cls, content):
        return cls(Table(content, flatbuffers.encode.Get(UOffsetTFlags.packer_type, content, 0)))

    def _offset(self, field):
        return self.table.Offset(4 + 2 * field)

    def text(self, field):
        return self.table.String(self._offset(field) + self.table.Pos).decode()

    def byte(self, field):
        return self.table.Bytes[self._offset(field) + self.table.Pos]

    def child(self, field):
        return Reader(Table(self.table.Bytes, self.table.Indirect(self._offset(field) + self.table.Pos)))

    def children(self, field):
        if not self._offset(field):
            return []
        start, count = self.table.Vector(self._offset(field)), self.table.VectorLen(self._offset(field))
        return [Reader(Table(self.table.Bytes, self.table.Indirect(start + 4 * i))) for i in range(count)]


def export(folder, **options):
    tflite(tiny_text.model(), folder / "model.tflite", "int8", labels=LABELS, **options)
    return folder / "model.tflite"


def graph_of(path):
    """The subgraph's metadata: fields 2 and 3 are its inputs and outputs, 5 the process units of the inputs."""
    model = model_file.unpack(path.read_bytes())
    [entry] = [entry for entry in model.metadata if entry.name == b"TFLITE_METADATA"]
    content = bytes(model.buffers[entry.buffer].data)
    assert content[4:8] == b"M001"
    [graph] = Reader.root(content).children(3)
    return graph


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    return export(tmp_path_factory.mktemp("metadata"), tokenizer=tiny_text.tokenizer())


# Known fault 7.11: no metadata, no vocabulary, no categories.
def test_inputs_and_outputs_bear_mediapipe_s_names(path):
    graph = graph_of(path)
    assert [tensor.text(0) for tensor in graph.children(2)] == ["ids", "mask", "segment_ids"]
    assert [tensor.text(0) for tensor in graph.children(3)] == ["probability"]


def test_the_tokenizer_names_its_vocabulary(path):
    [unit] = graph_of(path).children(5)
    assert unit.byte(0) == 4  # ProcessUnitOptions.BertTokenizerOptions
    [vocabulary] = unit.child(1).children(0)
    assert (vocabulary.text(0), vocabulary.byte(2)) == ("vocab.txt", 5)  # AssociatedFileType.VOCABULARY


def test_the_output_names_its_labels(path):
    [output] = graph_of(path).children(3)
    [labels] = output.children(6)
    assert (labels.text(0), labels.byte(2)) == ("labels.txt", 2)  # AssociatedFileType.TENSOR_AXIS_LABELS


def test_a_cased_file_has_no_tokenizer(tmp_path):
    assert graph_of(export(tmp_path, tokenizer=tiny_text.tokenizer(lowercase=False))).children(5) == []


# The vocabulary must be the tokenizer's, byte by byte, and phones read files that are not compressed.
def test_files_are_stored_behind_the_flatbuffer(path, tmp_path):
    tiny_text.tokenizer().save(tmp_path / "tokenizer")
    with zipfile.ZipFile(path) as archive:
        assert {info.compress_type for info in archive.infolist()} == {zipfile.ZIP_STORED}
        assert archive.read("vocab.txt") == (tmp_path / "tokenizer" / "vocab.txt").read_bytes()
        assert archive.read("labels.txt") == "négatif\npositif\n".encode()
        about = json.loads(archive.read("bert_keras.json"))
        assert archive.infolist()[0].header_offset >= about["bytes"]
    assert (about["task"], about["labels"], about["recipe"], about["max_length"]) == (
        "text-classification",
        LABELS,
        "int8",
        tiny_text.MAX_LENGTH,
    )


# Known fault 7.08: inputs of another type than int32.
def test_a_plain_interpreter_reads_names_types_and_shapes(path):
    from ai_edge_litert.interpreter import Interpreter

    interpreter = Interpreter(model_path=str(path))
    signature = interpreter.get_signature_list()["serving_default"]
    assert signature == {"inputs": ["ids", "mask", "segment_ids"], "outputs": ["probability"]}
    for index, details in enumerate(interpreter.get_input_details()):
        assert details["index"] == index
        assert details["dtype"].__name__ == "int32"
        assert details["shape_signature"].tolist() == [1, -1]
    [output] = interpreter.get_output_details()
    assert (output["dtype"].__name__, output["shape"].tolist()) == ("float32", [1, 2])

"""The notebook, run from its first cell to its last."""

import os
import re
from pathlib import Path

import nbformat
import pytest

import bert_keras

pytestmark = pytest.mark.notebook
NOTEBOOK = Path(__file__).parent.parent / "notebooks" / "finetune_and_export.ipynb"
# What TensorFlow and LiteRT write past every setting when they are loaded.
GREETINGS = (
    r"WARNING: All log messages before absl::InitializeLog\(\) is called are written to STDERR",
    r"I0000 .* (port|cudart_stub)\.cc:\d+\] .*",
    r"INFO: Created TensorFlow Lite XNNPACK delegate for CPU\.",
)


@pytest.fixture(scope="module")
def outputs(real, tmp_path_factory):
    """All outputs of the notebook, in order, after a run in an empty folder with the real encoder."""
    import matplotlib.font_manager  # noqa: F401 - fonts are listed now: the kernel would say that it takes a moment
    from nbclient import NotebookClient

    notebook = nbformat.read(NOTEBOOK, as_version=4)
    variables = {"BERT_KERAS_ENCODER": str(real / "minilm"), "PYTHONPATH": str(Path(bert_keras.__file__).parent.parent)}
    client = NotebookClient(notebook, resources={"metadata": {"path": str(tmp_path_factory.mktemp("notebook"))}})
    client.execute(env=os.environ | variables)
    return [output for cell in notebook.cells for output in cell.get("outputs", [])]


def printed(outputs, name="stdout"):
    return "".join(output.text for output in outputs if output.output_type == "stream" and output.name == name)


def result(outputs, name):
    """The numbers of a file's row in the notebook's table: MB, ms a text, accuracy % and agreement %."""
    (row,) = re.findall(rf"^{name} +([\d.]+) +([\d.]+) +([\d.]+)% +([\d.]+)%$", printed(outputs), re.MULTILINE)
    return [float(number) for number in row]


def test_is_committed_without_outputs():
    notebook = nbformat.read(NOTEBOOK, as_version=4)
    cells = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert [cell.outputs for cell in cells] == [[]] * len(cells)
    assert [cell.execution_count for cell in cells] == [None] * len(cells)


def test_runs_without_warnings(outputs):
    lines = printed(outputs, "stderr").splitlines()
    assert [line for line in lines if line and not any(re.fullmatch(known, line) for known in GREETINGS)] == []


def test_draws_its_pictures(outputs):
    pictures = [output.data["image/png"] for output in outputs if output.output_type == "display_data"]
    assert len(pictures) == 3
    # An empty figure of such a size has a few thousand characters.
    assert all(len(picture) > 10_000 for picture in pictures)


def test_learns(outputs):
    _, _, accuracy, agreement = result(outputs, "Keras")
    assert accuracy > 75
    assert agreement == 100


@pytest.mark.parametrize(
    ("name", "megabytes", "least_agreement"),
    # 22,713,986 weights, of which the LayerNorms and biases stay float32, and 0.2 MB of vocabulary
    [("SavedModel", 91, 100), ("float32", 91, 100), ("float16", 46, 99), ("int8", 23, 97)],
)
def test_files_are_small_and_answer_as_the_model(name, megabytes, least_agreement, outputs):
    size, _, _, agreement = result(outputs, name)
    assert size == pytest.approx(megabytes, rel=0.05)
    assert agreement >= least_agreement


def test_the_smallest_file_answers_new_texts(outputs):
    answers = re.findall(r"^(negative|positive) +(\d\.\d\d)$", printed(outputs), re.MULTILINE)
    # "a charming film" is as clear as a text can be; what the others are depends on the machine's rounding.
    assert len(answers) == 3
    assert answers[0][0] == "positive"

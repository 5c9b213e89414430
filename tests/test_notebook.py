"""The notebooks, run from their first cell to their last."""

import functools
import os
import re
from pathlib import Path

import nbformat
import pytest

import bert_keras

pytestmark = pytest.mark.notebook
NOTEBOOKS = {path.stem: path for path in sorted((Path(__file__).parent.parent / "notebooks").glob("*.ipynb"))}
# What TensorFlow and LiteRT write past every setting when they are loaded.
GREETINGS = (
    r"WARNING: All log messages before absl::InitializeLog\(\) is called are written to STDERR",
    r"I0000 .* (port|cudart_stub)\.cc:\d+\] .*",
    r"INFO: Created TensorFlow Lite XNNPACK delegate for CPU\.",
    # The copy of the encoder that is fetched for the tests has no folders in it.
    r".*minilm/1_Pooling/config\.json is missing: .*",
)


@pytest.fixture(scope="module")
def outputs(real, tmp_path_factory):
    """All outputs of a notebook, in order, after a run in an empty folder with the real encoder."""
    import matplotlib.font_manager  # noqa: F401 - fonts are listed now: the kernel would say that it takes a moment
    from nbclient import NotebookClient

    @functools.cache
    def run(name):
        notebook = nbformat.read(NOTEBOOKS[name], as_version=4)
        root = Path(bert_keras.__file__).parent.parent
        variables = {"BERT_KERAS_ENCODER": str(real / "minilm"), "PYTHONPATH": str(root)}
        client = NotebookClient(notebook, resources={"metadata": {"path": str(tmp_path_factory.mktemp("notebook"))}})
        client.execute(env=os.environ | variables)
        return outputs_of(notebook)

    return run


def outputs_of(notebook):
    return [output for cell in notebook.cells for output in cell.get("outputs", [])]


def printed(outputs, name="stdout"):
    return "".join(output.text for output in outputs if output.output_type == "stream" and output.name == name)


def result(outputs, name):
    """The numbers of a file's row in a notebook's table."""
    (row,) = re.findall(rf"^{name} +([\d.% ]+)$", printed(outputs), re.MULTILINE)
    return [float(number) for number in row.replace("%", "").split()]


def test_all_notebooks_are_found():
    assert {"finetune_and_export", "named_entities", "question_answering", "semantic_search"} <= NOTEBOOKS.keys()


@pytest.mark.parametrize("name", NOTEBOOKS)
def test_is_committed_as_it_ran_or_without_outputs(name):
    notebook = nbformat.read(NOTEBOOKS[name], as_version=4)
    cells = [cell for cell in notebook.cells if cell.cell_type == "code"]
    outputs = outputs_of(notebook)
    numbers = list(range(1, len(cells) + 1)) if outputs else [None] * len(cells)
    assert [cell.execution_count for cell in cells] == numbers
    assert printed(outputs, "stderr") == ""
    # No folder of the machine where it ran.
    assert re.findall(r"(?<![\w.<])/(?:\w[\w.-]*/)+", "".join(map(shown, outputs))) == []


def shown(output):
    return output.text if output.output_type == "stream" else str(output.data.get("text/plain", ""))


@pytest.mark.parametrize("name", NOTEBOOKS)
def test_runs_without_warnings(name, outputs):
    lines = printed(outputs(name), "stderr").splitlines()
    assert [line for line in lines if line and not any(re.fullmatch(known, line) for known in GREETINGS)] == []


@pytest.mark.parametrize(("name", "count"), [("finetune_and_export", 3), ("semantic_search", 1)])
def test_draws_its_pictures(name, count, outputs):
    shown = [output.data for output in outputs(name) if output.output_type == "display_data"]
    pictures = [data["image/png"] for data in shown if "image/png" in data]
    assert len(pictures) == count
    # An empty figure of such a size has a few thousand characters.
    assert all(len(picture) > 10_000 for picture in pictures)


def test_sentiment_is_learned(outputs):
    _, _, accuracy, agreement = result(outputs("finetune_and_export"), "Keras")
    assert accuracy > 75
    assert agreement == 100


@pytest.mark.parametrize(
    ("file", "megabytes", "least_agreement"),
    # 22,713,986 weights, of which the LayerNorms and biases stay float32, and 0.2 MB of vocabulary
    [("SavedModel", 91, 100), ("float32", 91, 100), ("float16", 46, 99), ("int8", 23, 97)],
)
def test_files_are_small_and_answer_as_the_model(file, megabytes, least_agreement, outputs):
    size, _, _, agreement = result(outputs("finetune_and_export"), file)
    assert size == pytest.approx(megabytes, rel=0.05)
    assert agreement >= least_agreement


def test_the_smallest_file_answers_new_texts(outputs):
    text = printed(outputs("finetune_and_export"))
    answers = re.findall(r"^(negative|positive) +(\d\.\d\d)$", text, re.MULTILINE)
    # "a charming film" is as clear as a text can be; what the others are depends on the machine's rounding.
    assert len(answers) == 3
    assert answers[0][0] == "positive"


def test_entities_are_learned_and_the_small_file_finds_the_same(outputs):
    _, f1, _ = result(outputs("named_entities"), "Keras")
    size, f1_of_file, same = result(outputs("named_entities"), "int8")
    assert f1 > 0.9
    assert size == pytest.approx(23.6, rel=0.02)
    assert abs(f1 - f1_of_file) < 0.03
    assert same > 95


def test_entities_are_shown_in_texts_whose_own_html_is_escaped(outputs):
    displayed = [output.data for output in outputs("named_entities") if output.output_type == "display_data"]
    pages = [data["text/html"] for data in displayed if "text/html" in data]
    assert len(pages) == 2
    for page in pages:
        assert re.search(r'<span style="background:#cfe3f7[^>]*>Emma  Wilson <small>PER</small></span>', page)
        assert "&lt;b&gt;" in page
        assert "<b>" not in page


def test_the_entity_at_the_end_of_a_long_text_is_found(outputs):
    assert "('PER', 'Emma Wilson', 13505)" in printed(outputs("named_entities"))


def test_questions_are_answered_and_the_small_files_give_the_same(outputs):
    _, f1, _ = result(outputs("question_answering"), "Keras")
    assert f1 > 0.8  # 0.2 for never answering
    for file in ("int8", "int8-weights"):
        size, f1_of_file, same = result(outputs("question_answering"), file)
        assert size == pytest.approx(23.6, rel=0.02)
        assert abs(f1 - f1_of_file) < 0.03
        assert same > 95


def test_a_question_has_its_answer_in_the_text_as_given_or_none(outputs):
    text = printed(outputs("question_answering"))
    assert re.search(r"^In which year was it founded\? +'1923' ", text, re.MULTILINE)
    assert re.search(r"^Who designed the building\? +'' ", text, re.MULTILINE)
    (page,) = [output.data["text/html"] for output in outputs("question_answering") if "data" in output]
    assert "The  &lt;i&gt;Harbour Museum" in page
    assert "'12 euros' at 40974 of 40983 characters" in text


def test_questions_find_articles_that_were_not_learned(outputs):
    text = printed(outputs("semantic_search"))
    (before,), (after,) = (
        re.findall(rf"^{when} +(\d+)% of all questions, +(\d+)% of those", text, re.MULTILINE)
        for when in ("before", "after")
    )
    assert int(after[0]) > int(before[0]) + 40
    assert int(after[1]) > int(before[1]) + 30


def test_the_small_embedder_is_near_the_model(outputs):
    text = printed(outputs("semantic_search"))
    ((size, cosine),) = re.findall(r"^([\d.]+) MB, cosine to the model ([\d.]+) or more$", text, re.MULTILINE)
    assert float(size) == pytest.approx(23.6, rel=0.02)
    assert float(cosine) > 0.99


def test_the_index_changes_as_its_documents_do(outputs):
    text = printed(outputs("semantic_search"))
    assert "42 added, 42 documents, 42 passages" in text
    assert "1 added, 1 replaced, 1 as before, 2 texts embedded\n42 documents" in text
    assert "kestrel/theft    If a Kestrel is stolen, press Missing" in text.partition("protect my head")[2]
    assert "wren/weight" not in text.partition("1 replaced")[2]

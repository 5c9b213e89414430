"""The exported file in MediaPipe's own client, as on a phone."""

import ctypes.util
import importlib.util
import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from bert_keras.export.tflite_runner import TfliteRunner
from bert_keras.text import clean

TEXTS = ["The film was good.", "", "a FILM, unaffable!", "bad " * 50, "[MASK] \u6771\u4eac $ \u03c3"]
# Read otherwise by MediaPipe's tokenizer, until cleaned (known fault 7.14).
AWKWARD = ["caf\u00e9 \u03a3", "zero\u200bwidth", "a\u00a0film", "\uff46ilm", "e\u0301", "the\tfilm\x07s"]
# The last one has more than the 256 tokens that MiniLM reads.
SENTENCES = ["A man plays the guitar.", "", "no", "The train leaves at nine and is never on time. " * 30]
CLEANED = [clean(text) for text in AWKWARD]

if importlib.util.find_spec("mediapipe") is None:
    pytest.skip("mediapipe is absent: pip install --no-deps mediapipe==1.2.3", allow_module_level=True)
for library in ("EGL", "GLESv2"):
    if ctypes.util.find_library(library) is None:
        pytest.skip(f"lib{library} is absent: apt-get install libegl1 libgles2", allow_module_level=True)


FILES = [("classify", "text-classification", "float32"), ("classify", "text-classification", "int8")]
FILES += [("classify", "multi-label-classification", "float32")]
# DistilBERT's kind of encoder takes no segments; MediaPipe gives them.
FILES += [("embed", "sentence-similarity", "float32", False)]


@pytest.fixture(scope="module")
def answers(tflite_file):
    """MediaPipe's answers to the texts, for each file. One process: it starts slowly."""
    jobs = [(kind, str(tflite_file(*file)[0]), TEXTS + CLEANED) for kind, *file in FILES]
    return dict(zip(FILES, run(jobs), strict=True))


def run(jobs):
    """What the client answers to each (classify or embed, file, texts)."""
    command = [sys.executable, str(Path(__file__).with_name("mediapipe_client.py")), json.dumps(jobs)]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-2000:]
    return json.loads(done.stdout.splitlines()[-1])


@pytest.mark.parametrize("file", FILES[:3], ids=str)
def test_the_classifier_has_our_labels_and_scores(file, answers, tflite_file):
    ours = TfliteRunner(tflite_file(*file[1:])[0])(TEXTS + AWKWARD)
    for answer, scores in zip(ours, answers[file], strict=True):
        assert scores == pytest.approx(answer["scores"], abs=1e-5)


def test_the_embedder_has_our_vectors(answers, tflite_file):
    expected = TfliteRunner(tflite_file(*FILES[3][1:])[0])(TEXTS + AWKWARD)
    np.testing.assert_allclose(answers[FILES[3]], [answer["embedding"] for answer in expected], atol=1e-5)


def test_the_int8_embedder_of_minilm_has_our_vectors(embedder):
    texts = [*SENTENCES, *(clean(text) for text in AWKWARD)]
    [found] = run([("embed", embedder["out"], texts)])
    expected = TfliteRunner(embedder["out"])([*SENTENCES, *AWKWARD])
    np.testing.assert_allclose(found, [answer["embedding"] for answer in expected], atol=1e-5)
    np.testing.assert_allclose(np.linalg.norm(found, axis=1), 1, atol=1e-5)

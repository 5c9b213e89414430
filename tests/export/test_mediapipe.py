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

TEXTS = ["The film was good.", "", "a FILM, unaffable!", "good bad good bad", "[MASK] \u6771\u4eac $ \u03c3"]
# Read otherwise by MediaPipe's tokenizer, until cleaned (known fault 7.14).
AWKWARD = ["caf\u00e9 \u03a3", "zero\u200bwidth", "a\u00a0film", "\uff46ilm", "e\u0301", "the\tfilm\x07s"]

if importlib.util.find_spec("mediapipe") is None:
    pytest.skip("mediapipe is absent: pip install --no-deps mediapipe==1.2.3", allow_module_level=True)
for library in ("EGL", "GLESv2"):
    if ctypes.util.find_library(library) is None:
        pytest.skip(f"lib{library} is absent: apt-get install libegl1 libgles2", allow_module_level=True)


def client(kind, path, texts):
    command = [sys.executable, str(Path(__file__).with_name("mediapipe_client.py")), kind, str(path), json.dumps(texts)]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-2000:]
    return json.loads(done.stdout.splitlines()[-1])


@pytest.mark.parametrize("recipe", ["float32", "int8"])
def test_the_classifier_has_our_labels_and_scores(recipe, tflite_file):
    path, _ = tflite_file(recipe=recipe)
    texts = [*TEXTS, *map(clean, AWKWARD)]
    ours = TfliteRunner(path)([*TEXTS, *AWKWARD])
    for answer, scores in zip(ours, client("classify", path, texts), strict=True):
        assert scores == pytest.approx(answer["scores"], abs=1e-5)


def test_the_embedder_has_our_vectors(tflite_file):
    path, _ = tflite_file("sentence-similarity")
    expected = [answer["embedding"] for answer in TfliteRunner(path)(TEXTS)]
    np.testing.assert_allclose(client("embed", path, TEXTS), expected, atol=1e-5)

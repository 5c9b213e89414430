"""The .tflite export of a real encoder."""

import numpy as np
import pytest

import bert_keras as bk
from bert_keras.export import tflite
from bert_keras.export.tflite_runner import TfliteRunner


# The model card's own example; the numbers are those of sentence-transformers.
@pytest.mark.parametrize(("recipe", "tolerance", "megabytes"), [("float32", 2e-5, 92), ("int8", 0.01, 24)])
def test_minilm_embeds_its_example(real, recipe, tolerance, megabytes, tmp_path):
    model, tokenizer = bk.load(real / "minilm", task="sentence-similarity")
    report = tflite(model, tmp_path / "minilm.tflite", recipe, tokenizer=tokenizer)
    [answer] = TfliteRunner(report.path)(["This is an example sentence"])
    np.testing.assert_allclose(answer["embedding"][:4], [0.06766, 0.06350, 0.04871, 0.07930], atol=tolerance)
    assert report.megabytes <= megabytes

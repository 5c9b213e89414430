"""A .tflite file is run without TensorFlow."""

import subprocess
import sys


def test_opening_a_tflite_file_loads_no_tensorflow(tflite_file):
    program = (
        "import sys, bert_keras\n"
        "print(bert_keras.predictor(sys.argv[1])(['good'])[0]['label'])\n"
        "print([name for name in ('tensorflow', 'keras') if name in sys.modules])\n"
    )
    run = subprocess.run([sys.executable, "-c", program, tflite_file()[0]], capture_output=True, text=True, check=True)
    label, loaded = run.stdout.splitlines()
    assert label
    assert loaded == "[]"

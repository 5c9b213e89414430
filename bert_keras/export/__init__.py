"""Models as files for phones (LiteRT) and servers (SavedModel), checked before they are kept, and what runs them."""

from bert_keras.export.predictor import predictor
from bert_keras.export.recipes import RECIPES
from bert_keras.export.saved_model import saved_model
from bert_keras.export.tflite_file import Report, tflite
from bert_keras.export.tflite_runner import TfliteRunner

__all__ = ["RECIPES", "Report", "TfliteRunner", "predictor", "saved_model", "tflite"]

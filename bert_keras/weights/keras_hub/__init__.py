"""KerasHub's presets in local folders: read into Hugging Face's names and values, and written from them.

Source: keras_hub 0.32, `models/*/*_backbone.py` and `utils/preset_utils.py`. What a backbone computes (activation,
epsilon) is fixed in its code, not said in its config.json: the tables here state it.
"""

from bert_keras.weights.keras_hub.read import Preset, open_preset
from bert_keras.weights.keras_hub.write import write_preset

__all__ = ["Preset", "open_preset", "write_preset"]

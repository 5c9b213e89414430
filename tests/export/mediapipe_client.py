"""A phone's client, in a process of its own: what MediaPipe's TextClassifier and TextEmbedder answer.

Argument: JSON, a list of [classify or embed, file, texts]. Prints a list of their answers as JSON.
"""

import json
import sys
import types

# MediaPipe imports them for its pictures; its text tasks never touch them.
for name in ("cv2", "matplotlib", "matplotlib.pyplot"):
    sys.modules.setdefault(name, types.ModuleType(name))

from mediapipe.tasks.python import text  # noqa: E402


def classify(path, texts):
    with text.TextClassifier.create_from_model_path(path) as client:
        results = [client.classify(each).classifications[0].categories for each in texts]
    return [{item.category_name: item.score for item in result} for result in results]


def embed(path, texts):
    with text.TextEmbedder.create_from_model_path(path) as client:
        results = [client.embed(each).embeddings[0].embedding for each in texts]
    return [[float(number) for number in result] for result in results]


kinds = {"classify": classify, "embed": embed}
print(json.dumps([kinds[kind](path, texts) for kind, path, texts in json.loads(sys.argv[1])]))

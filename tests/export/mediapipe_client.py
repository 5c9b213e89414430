"""A phone's client, run in a process of its own: prints the scores of MediaPipe's TextClassifier or TextEmbedder."""

import json
import sys
import types

# MediaPipe imports them for its pictures; its text tasks never touch them.
for name in ("cv2", "matplotlib", "matplotlib.pyplot"):
    sys.modules.setdefault(name, types.ModuleType(name))

from mediapipe.tasks.python import text  # noqa: E402

kind, path, texts = sys.argv[1], sys.argv[2], json.loads(sys.argv[3])
if kind == "classify":
    with text.TextClassifier.create_from_model_path(path) as client:
        results = [client.classify(each).classifications[0].categories for each in texts]
    print(json.dumps([{item.category_name: item.score for item in result} for result in results]))
else:
    with text.TextEmbedder.create_from_model_path(path) as client:
        results = [client.embed(each).embeddings[0].embedding for each in texts]
    print(json.dumps([[float(number) for number in result] for result in results]))

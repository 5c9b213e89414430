"""The command that a user may want next."""

import shlex
from pathlib import Path


def predict_command(model: Path, task: str) -> str | None:
    """A command line that asks a model something; None where its task answers no text.

    Args:
        model: folder or file.
        task: a key of `bert_keras.tasks.TASKS`.
    """
    from bert_keras.tasks import TASKS

    if TASKS[task].answer is None:
        return None
    asked = ["your [MASK] text" if TASKS[task].answer == "masks" else "your text"]
    if TASKS[task].answer == "choice":
        asked += ["--second", "a choice", "--second", "another"]
    elif TASKS[task].needs_pairs:
        asked += ["--second", "a second text"]
    return shlex.join(["bert-keras", "predict", str(model), *asked])

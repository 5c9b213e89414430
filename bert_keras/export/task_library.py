"""What the Task Library's BertQuestionAnswerer needs of a file.

It reads the metadata as MediaPipe does, but not the shapes that an input may have: it wants the one that it fills each
text up to. Its runtime, of 2022, knows no scales per row.

Source: tensorflow/tflite-support, bert_question_answerer.cc.
"""

from typing import Any

# The kind of answers that it has a client for, and the tokens that this reads.
ANSWER, LENGTH = "span", 384


def show_length(model: Any) -> None:
    """Let the inputs' shapes be the client's; they stay free to be resized, as their signatures say.

    Args:
        model: a `ModelT`, changed in place.
    """
    graph = model.subgraphs[0]
    for index in graph.inputs:
        graph.tensors[index].shape = [1, LENGTH]


def notes(recipe: str, max_length: int) -> list[str]:
    """Why the client cannot use a file; none if it can.

    Args:
        recipe: of its weights.
        max_length: tokens that the file reads.
    """
    client = "the Task Library's BertQuestionAnswerer"
    if max_length < LENGTH:
        return [f"{client} gives {LENGTH} tokens, and this file reads {max_length}: run it with bert_keras.predictor"]
    if recipe == "int8":
        return [f"{client} answers wrongly from this file, whose scales per row it does not know: use int8-weights"]
    return []

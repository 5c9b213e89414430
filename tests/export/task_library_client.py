"""A phone's client, in an environment of its own: what the Task Library's BertQuestionAnswerer answers.

Argument: JSON, a list of [file, list of [question, context]]. Prints for each file, as JSON, a list of the best answers
to each question: [text, first piece, last piece, sum of the two logits], the best first.
"""

import json
import sys

from tflite_support.task import text


def answers(client, question, context):
    found = client.answer(context, question).answers
    return [[each.text, each.pos.start, each.pos.end, each.pos.logit] for each in found]


results = []
for path, asked in json.loads(sys.argv[1]):
    client = text.BertQuestionAnswerer.create_from_file(path)
    results.append([answers(client, *each) for each in asked])
print(json.dumps(results))

"""Ask a text model that TF Serving serves: over REST with Python's standard library alone, or over gRPC.

    python client.py "a charming film" "a dull one" --labels negative positive

gRPC needs `pip install tensorflow-serving-api`. Copy this file; it imports nothing of bert_keras.
"""

import argparse
import json
import urllib.error
import urllib.request

# Texts in one request. gRPC servers refuse messages of more than 4 MB.
BATCH = 32


class ServingError(Exception):
    """The server could not be reached or refused the request; the message is the server's own."""


def ask(texts, pairs=None, url="http://localhost:8501", model="sentiment", timeout=30.0):
    """The model's outputs for each text, over REST.

    Args:
        texts: a list of texts.
        pairs: a second text for each, for models of pairs.
        url: the server's REST address.
        model: the model's name in models.config.
        timeout: seconds.

    Returns:
        A dict a text, name of an output -> its value, such as `probabilities`.

    Raises:
        ServingError: no answer, an error from the server, or an answer that is no strict JSON.
    """
    address = f"{url.rstrip('/')}/v1/models/{model}:predict"
    rows = []
    for signature, inputs in _requests(texts, pairs):
        # One column an input; the other form, one object a text, is {"instances": [{"text": ...}, ...]}.
        body = json.dumps({"signature_name": signature, "inputs": inputs}).encode()
        request = urllib.request.Request(address, body, {"Content-Type": "application/json"})
        columns = _answer(request, timeout)["outputs"]
        # The server leaves out the name of an only output.
        columns = columns if isinstance(columns, dict) else {"output": columns}
        rows += [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]
    return rows


def ask_grpc(texts, pairs=None, address="localhost:8500", model="sentiment", timeout=30.0):
    """The same over gRPC; needs tensorflow-serving-api.

    Args:
        texts, pairs, model, timeout: as for `ask`.
        address: the server's gRPC address.

    Raises:
        ServingError: no answer, or an error from the server.
    """
    import grpc
    import tensorflow as tf
    from tensorflow_serving.apis import predict_pb2, prediction_service_pb2_grpc

    rows = []
    with grpc.insecure_channel(address) as channel:
        stub = prediction_service_pb2_grpc.PredictionServiceStub(channel)
        for signature, inputs in _requests(texts, pairs):
            request = predict_pb2.PredictRequest()
            request.model_spec.name, request.model_spec.signature_name = model, signature
            for name, values in inputs.items():
                request.inputs[name].CopyFrom(tf.make_tensor_proto(values, dtype=tf.string))
            try:
                outputs = stub.Predict(request, timeout=timeout).outputs
            except grpc.RpcError as error:
                raise ServingError(f"{error.code().name}: {error.details()}") from error
            columns = {name: tf.make_ndarray(value).tolist() for name, value in outputs.items()}
            rows += [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]
    return rows


def _requests(texts, pairs):
    """Name of the signature and its inputs, for one batch after the other."""
    for start in range(0, len(texts), BATCH):
        inputs = {"text": texts[start : start + BATCH]}
        if pairs is not None:
            inputs["pair"] = pairs[start : start + BATCH]
        yield ("text" if pairs is None else "text_pair"), inputs


def _answer(request, timeout):
    try:
        with urllib.request.urlopen(request, timeout=timeout) as response:
            content = response.read()
    except urllib.error.HTTPError as error:
        raise ServingError(_reason(error.read()) or f"HTTP {error.code}") from error
    except OSError as error:
        raise ServingError(f"{request.full_url}: {error}") from error
    try:
        return json.loads(content, parse_constant=_refuse)
    except ValueError as error:
        raise ServingError(f"the answer is no strict JSON: {error}") from error


def _reason(content):
    try:
        return json.loads(content)["error"]
    except (ValueError, KeyError, TypeError):
        return content.decode(errors="replace").strip()


def _refuse(constant):
    raise ValueError(f"it holds {constant}")


def main():
    parser = argparse.ArgumentParser(description="Ask a text model that TF Serving serves.")
    parser.add_argument("texts", nargs="+", help="texts to ask about")
    parser.add_argument("--pairs", nargs="+", help="a second text for each")
    parser.add_argument("--url", default="http://localhost:8501", help="REST address (default: %(default)s)")
    parser.add_argument("--grpc", metavar="ADDRESS", help="gRPC address, such as localhost:8500, instead of REST")
    parser.add_argument("--model", default="sentiment", help="name in models.config (default: %(default)s)")
    parser.add_argument("--labels", nargs="+", help="names of the classes, as in assets.extra/bert_keras.json")
    options = parser.parse_args()
    if options.pairs and len(options.pairs) != len(options.texts):
        parser.error(f"{len(options.texts)} texts have {len(options.pairs)} pairs; each text needs one")
    try:
        if options.grpc:
            rows = ask_grpc(options.texts, options.pairs, options.grpc, options.model)
        else:
            rows = ask(options.texts, options.pairs, options.url, options.model)
    except ServingError as error:
        raise SystemExit(f"error: {error}") from None
    for text, row in zip(options.texts, rows, strict=True):
        if options.labels and "probabilities" in row:
            row = dict(zip(options.labels, row["probabilities"], strict=True))
        print(json.dumps({"text": text, **row}, ensure_ascii=False))


if __name__ == "__main__":
    main()

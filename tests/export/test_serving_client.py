"""The client that users copy, against a stand-in for TF Serving whose answers come from a real SavedModel."""

import http.server
import importlib.util
import json
import threading
from pathlib import Path

import pytest
import tensorflow as tf
import tiny_text

from bert_keras.export import ModelPredictor as Predictor

CLIENT = Path(__file__).parents[2] / "export" / "serving" / "client.py"


@pytest.fixture(scope="module")
def client():
    spec = importlib.util.spec_from_file_location("client", CLIENT)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def serve(version):
    """Start a server that answers a body with what a function makes of it; give its address."""
    servers = []

    def start(answer):
        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self):
                status, content = answer(self.path, json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
                self.send_response(status)
                self.end_headers()
                self.wfile.write(content.encode())

            def log_message(self, *_):
                pass

        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        servers.append(server)
        return f"http://127.0.0.1:{server.server_address[1]}"

    yield start
    for server in servers:
        server.shutdown()
        server.server_close()


@pytest.fixture(scope="module")
def url(serve, version):
    signatures = tf.saved_model.load(str(version)).signatures

    def answer(path, body):
        assert path == "/v1/models/sentiment:predict"
        outputs = signatures[body["signature_name"]](**{name: tf.constant(v) for name, v in body["inputs"].items()})
        return 200, json.dumps({"outputs": {name: value.numpy().tolist() for name, value in outputs.items()}})

    return serve(answer)


def test_answers_are_those_of_the_model(client, url, classifier):
    texts = ["The film was good.", "", "Très bad “東京”"] * 15
    expected = Predictor(classifier, tiny_text.tokenizer())(texts)
    rows = client.ask(texts, url=url)
    assert [row["probabilities"] for row in rows] == [
        pytest.approx(list(item["scores"].values()), abs=1e-5) for item in expected
    ]


def test_pairs_are_sent_together(client, url, classifier):
    [expected] = Predictor(classifier, tiny_text.tokenizer())(["good"], ["bad film"])
    [row] = client.ask(["good"], ["bad film"], url=url)
    assert row["probabilities"] == pytest.approx(list(expected["scores"].values()), abs=1e-5)


# Known fault 8.04: the name of an only output is left out.
def test_an_only_output_has_no_name(client, serve):
    assert client.ask(["a", "b"], url=serve(lambda *_: (200, '{"outputs": [[1.0], [2.0]]}'))) == [
        {"output": [1.0]},
        {"output": [2.0]},
    ]


# Known fault 8.09: NaN is no JSON.
def test_nan_is_reported(client, serve):
    with pytest.raises(client.ServingError, match="no strict JSON: it holds NaN"):
        client.ask(["a"], url=serve(lambda *_: (200, '{"outputs": [[NaN]]}')))


def test_the_server_s_reason_is_reported(client, serve):
    url = serve(lambda *_: (404, '{"error": "Servable not found for request: Latest(x)"}'))
    with pytest.raises(client.ServingError, match="Servable not found"):
        client.ask(["a"], url=url)


def test_an_absent_server_is_reported(client):
    with pytest.raises(client.ServingError, match=r"127\.0\.0\.1:9/.*refused"):
        client.ask(["a"], url="http://127.0.0.1:9")

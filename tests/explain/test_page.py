"""The page that shows an explanation."""

import base64
import hashlib
import json
import re

import numpy as np
import pytest
import tiny_text
from html_elements import Elements

from bert_keras.explain import Attention, attention, attributions, page

ATTACK = '<script>alert(1)</script> <b a="x">good {{title}}</b> & </script>'


@pytest.fixture(scope="module")
def shown():
    model, tokenizer = tiny_text.model(segments=False, labels=["<i>", "positive"]), tiny_text.tokenizer()
    tokenizer.segments = False
    found = attributions(model, tokenizer, ATTACK, target="<i>")
    return found, Elements(page(attention(model, tokenizer, ATTACK), found, title="a <u> model"))


def test_what_a_text_says_is_shown_and_not_run(shown):
    found, elements = shown
    tags = [tag for tag, _ in elements.tags]

    assert tags.count("script") == 2
    assert not {"b", "i", "u"} & set(tags)
    assert elements.text["title"] == ["a <u> model"]
    paragraph = "".join(text for tag in ("p", "span") for text in elements.text[tag])
    assert all(word.text in paragraph for word in found.words)


def test_only_the_pages_own_script_may_run(shown):
    _, elements = shown
    (policy,) = [own["content"] for tag, own in elements.tags if tag == "meta" and "http-equiv" in own]
    _, script = elements.text["script"]

    assert f"script-src 'sha256-{base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()}'" in policy
    assert "default-src 'none'" in policy


def test_nothing_is_loaded(shown):
    _, elements = shown

    assert not {"link", "img", "iframe"} & {tag for tag, _ in elements.tags}
    assert not any(name in own for _, own in elements.tags for name in ("src", "href"))
    assert not re.search(r"https?:|url\(|@import", "".join(elements.text["script"] + elements.text["style"]))


def test_words_have_the_colour_of_their_sign(shown):
    found, elements = shown
    words = [own for tag, own in elements.tags if tag == "span" and "word" in own["class"].split()]

    assert len(words) == len(found.words)
    for own, score in zip(words, found.word_scores, strict=True):
        assert own["title"] == f"{score:+.4f}"
        if abs(score) > 0.03 * np.abs(found.word_scores).max():
            assert own["class"].split()[1] == ("for" if score > 0 else "against")
    assert {"for", "against"} <= {name for own in words for name in own["class"].split()}


def test_tables_tell_the_same_without_the_script(shown):
    found, elements = shown
    rows = [own for tag, own in elements.tags if tag == "th" and own["scope"] == "row"]

    assert len(rows) == len(found.words) + len(found.pieces)
    assert [f"{score:+.4f}" for score in found.word_scores] == [
        text for text in elements.text["td"] if re.fullmatch(r"[+-]\d+\.\d{4}", text)
    ]


def test_the_page_has_its_language_and_the_text_none(shown):
    _, elements = shown

    assert elements.tags[0] == ("html", {"lang": "en"})
    assert all(own["lang"] == "" for tag, own in elements.tags if tag == "p" and own.get("class") == "read")


def made(layers, heads, length):
    array = np.random.default_rng(0).dirichlet(np.ones(length), (layers, heads, length)).astype("float32")
    pieces = [f"p{i}" for i in range(length)]
    return Attention(("text",), pieces, [0] * length, [(0, 4)] * length, array)


def data_of(text):
    return json.loads(Elements(text).text["script"][0])


def test_the_map_has_every_weight_to_a_part_of_255():
    given = made(2, 3, 5)
    data = data_of(page(given))

    weights = np.frombuffer(base64.b64decode(data["weights"]), np.uint8).reshape(2, 3, 5, 5) / 255
    np.testing.assert_allclose(weights, given.array, atol=0.5 / 255 + 1e-6)
    assert data["pieces"] == given.pieces


def test_a_large_map_is_cut_and_the_page_says_so():
    text = page(made(24, 16, 80))

    assert len(text) < 3_000_000
    assert len(data_of(text)["pieces"]) == 72
    assert "over 80 pieces" in text and "the first 72 pieces" in text


def test_a_page_without_an_answer_shows_the_map_alone():
    assert "What speaks for" not in page(made(1, 1, 3))


# Python's strings can hold halves of a character, files cannot.
def test_a_page_of_half_characters_can_be_written():
    model = tiny_text.model()
    found = attributions(model, tiny_text.tokenizer(), "a \ud800 film")
    text = page(attention(model, tiny_text.tokenizer(), *found.texts), found, "\udcff")
    assert "\ufffd" in text.encode("utf-8").decode("utf-8")

"""Texts to compare as batches, and models that learn them."""

import pytest
from tiny_text import MAX_LENGTH, VOCABULARY
from tiny_text import tokenizer as tiny_tokenizer
from tiny_training import new_encoder

from bert_keras import data
from bert_keras.data.kinds import KINDS
from bert_keras.errors import InputError
from bert_keras.evaluation import SCORES, texts_to_answer
from bert_keras.export import ModelPredictor
from bert_keras.losses import Cosent, InfoNce
from bert_keras.tasks import sentence_similarity
from bert_keras.training import recipe

KIND = KINDS["similar-texts"]
SCORED = "sentence1\tsentence2\tscore\ngood film\tvery good film\t4.5\nbad\tgood\t1\n"
TRIPLETS = "query\tpositive\tnegative_1\tnegative_2\ngood\tvery good\tbad\tvery bad\nbad\tvery bad\tgood film\t\n"


@pytest.fixture
def model(encoder):
    return sentence_similarity(encoder)


def test_pairs_with_scores_stand_one_behind_the_other(write, tokenizer, model):
    ((inputs, scores),) = data.read(write("a.tsv", SCORED), tokenizer, model, shuffle=False)

    assert inputs["token_ids"].numpy().tolist() == [
        [2, 5, 7, 3, 0],
        [2, 8, 5, 7, 3],
        [2, 6, 3, 0, 0],
        [2, 5, 3, 0, 0],
    ]
    assert inputs["padding_mask"].numpy().sum(axis=1).tolist() == [4, 5, 3, 3]
    assert not inputs["segment_ids"].numpy().any()
    assert scores.numpy().tolist() == [4.5, 4.5, 1, 1]


def test_triplets_have_ids_that_are_equal_for_equal_texts(write, tokenizer, model):
    ((inputs, ids),) = data.read(write("a.tsv", TRIPLETS), tokenizer, model, shuffle=False)

    # good, very good, bad | bad, very bad, good film: the second negative is not there for both.
    assert inputs["token_ids"].numpy()[:, 1:3].tolist() == [[5, 3], [8, 5], [6, 3], [6, 3], [8, 6], [5, 7]]
    assert ids.numpy().tolist() == [0, 2, 1, 1, 3, 4]


def test_texts_of_an_example_stay_together_in_shuffled_batches(tokenizer, model):
    texts = [" ".join(["good"] * (1 + i % 5)) for i in range(10)]
    rows = data.Triplets("made", texts, texts, [["bad " + text] for text in texts], range(1, 11), "row")

    for inputs, _ in data.read(rows, tokenizer, model, 4):
        anchors, positives, negatives = (inputs["token_ids"].numpy()[part::3] for part in range(3))
        assert anchors.tolist() == positives.tolist()
        assert negatives[:, 2:].tolist() == anchors[:, 1:-1].tolist()


@pytest.mark.parametrize(
    ("content", "loss", "scores"),
    [
        (SCORED, Cosent(), "similarity"),
        (TRIPLETS, InfoNce(1), "retrieval"),
        ("text_a\ttext_b\ngood\tvery good\nbad\tvery bad\n", InfoNce(0), "retrieval"),
        ("question\tanswer\ngood\tvery good\nbad\tvery bad\n", InfoNce(0), "retrieval"),
    ],
)
def test_examples_choose_their_loss_and_their_scores(write, content, loss, scores):
    examples = KIND.load(write("a.tsv", content))

    assert KIND.loss(examples).get_config() == loss.get_config()
    assert type(KIND.loss(examples)) is type(loss)
    assert KIND.scores(examples) == scores


def test_columns_are_chosen_by_name(write):
    path = write("a.tsv", "x\ty\tz\ngood\tvery good\t3\nbad\tfilm\t1\n")

    assert KIND.load(path, text="x", pair="y", label="z").labels == ["3", "1"]
    assert KIND.load(path, anchor="x", positive="y", negative="z").negatives == [["3"], ["1"]]
    with pytest.raises(InputError, match="text, pair and label of texts with scores, or anchor, positive and"):
        KIND.load(path, text="x", positive="y")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("text\nfilm\n", r"a\.tsv has no second texts: similarity is learned from pairs"),
        ("text_a\ttext_b\tscore\ngood\tbad\tlow\n", r"a\.tsv, line 2: the label 'low' is no number"),
        ("text_a\ttext_b\tscore\ngood\tbad\t2\nbad\tfilm\t2\n", r"a\.tsv: all 2 pairs have the score 2"),
        ("anchor\tpositive\tnegative\ngood\tfilm\tbad\nbad\tfilm\t\n", r"line 3: this anchor has no negative"),
        ("anchor\tpositive\ngood\tfilm\nbad\tfilm\n", r"a\.tsv: all 2 anchors have the same positive"),
    ],
)
def test_what_teaches_nothing_is_refused(write, tokenizer, model, content, message):
    with pytest.raises(InputError, match=message):
        data.read(write("a.tsv", content), tokenizer, model)


def trained(examples, epochs, batch_size=8):
    made = sentence_similarity(new_encoder(VOCABULARY, MAX_LENGTH, width=32, heads=4))
    batches = data.read(examples, tiny_tokenizer(), made, batch_size)
    made.compile(**recipe(made, 5e-3, epochs * len(batches), loss=KIND.loss(examples)))
    made.fit(batches, epochs=epochs, verbose=0, shuffle=False)
    kind = KIND.scores(examples)
    answers = ModelPredictor(made, tiny_tokenizer())(*texts_to_answer(kind, examples))
    return SCORES[kind](examples, answers).metrics


def test_a_few_dozen_pairs_of_like_meaning_are_learned():
    # Two letters mean the same as the two that follow them.
    letters = "abcdefgh"
    pairs = [(a, b) for a in letters for b in letters if a < b]
    follow = dict(zip(letters, "klmnopqr", strict=True))
    anchors = [f"the film {a} {b}" for a, b in pairs]
    positives = [f"{follow[b]} was {follow[a]}" for a, b in pairs]
    negatives = [[f"{follow[b]} was {a}"] for a, b in pairs]
    rows = data.Triplets("made", anchors, positives, negatives, range(len(pairs)), "row")

    metrics = trained(rows, 30, batch_size=14)

    assert metrics["hit_rate@1"] == 1
    assert metrics["triplet_accuracy"] == 1


def test_a_few_dozen_scores_are_learned():
    letters = "abcdef"
    pairs = [(a, b) for a in letters for b in letters]
    scores = [str(5 - abs(ord(a) - ord(b))) for a, b in pairs]
    texts, others = [a for a, _ in pairs], [f"the film was {b}" for _, b in pairs]
    rows = data.Rows("made", texts, others, scores, range(len(pairs)))

    assert trained(rows, 30, batch_size=12)["spearman"] > 0.95

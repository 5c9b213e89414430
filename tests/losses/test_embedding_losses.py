"""Losses of embeddings: the values of sentence-transformers 6.2 on the same numbers, and what they must bear."""

import keras
import numpy as np
import pytest
import tensorflow as tf

from bert_keras.errors import InputError
from bert_keras.losses import Cosent, CosineRegression, InfoNce, Matryoshka, TripletMargin

EMBEDDINGS = np.array(
    [[1, 2, 0, -1], [0, 1, 1, 1], [2, 1, 0, 0], [1, 0, 1, 2], [0, -1, 1, 0], [1, 1, -1, 0]], np.float32
)
IDS = np.arange(6, dtype=np.int32)
SCORES = np.array([0.2, 0.9, 0.2] * 2, np.float32)


def by_anchor(loss, stacked):
    """A batch as a loss takes it, of one that stands here as all anchors, all positives, all first negatives, …"""
    parts = 2 + getattr(loss, "loss", loss).negatives
    stacked = np.asarray(stacked)
    return stacked.reshape(parts, -1, *stacked.shape[1:]).swapaxes(0, 1).reshape(stacked.shape)


def value_of(loss, targets, embeddings):
    return float(loss(by_anchor(loss, targets), by_anchor(loss, embeddings)))


@pytest.mark.parametrize(
    ("loss", "targets", "expected"),
    [
        # Two anchors, two positives, two negatives; the next ones three pairs: MultipleNegativesRankingLoss.
        (InfoNce(negatives=1), IDS, 0.2440128),
        (InfoNce(), IDS, 10.5392942),
        (InfoNce(scale=1.0), IDS, 1.1624641),
        # CoSENTLoss
        (Cosent(), SCORES, 15.4919338),
        (Cosent(scale=1.0), SCORES, 1.3903358),
        # CosineSimilarityLoss
        (CosineRegression(), SCORES, 0.4248686),
        # TripletLoss, with its own distance and margin
        (TripletMargin(distance="euclidean", margin=5.0), IDS, 3.7752550),
        # The mean of MultipleNegativesRankingLoss of 4 and of 2 numbers, which MatryoshkaLoss adds
        (Matryoshka(InfoNce(negatives=1), [4, 2]), IDS, (0.2440133 + 8.5856056) / 2),
    ],
)
def test_values_of_sentence_transformers(loss, targets, expected):
    assert value_of(loss, targets, EMBEDDINGS) == pytest.approx(expected, abs=2e-6)


def cosines(a, b):
    return a @ b.T / np.linalg.norm(a, axis=-1)[:, None] / np.linalg.norm(b, axis=-1)


def test_cosine_triplets():
    anchors, positives, negatives = EMBEDDINGS.reshape(3, 2, 4)
    alike, unlike = cosines(anchors, positives).diagonal(), cosines(anchors, negatives).diagonal()
    expected = np.maximum(0, unlike - alike + 1.5).mean()
    assert expected > 0
    assert value_of(TripletMargin(margin=1.5), IDS, EMBEDDINGS) == pytest.approx(expected, abs=1e-6)


def masked_info_nce(embeddings, parts, masked):
    """−ln softmax of the right candidate over the candidates that are not masked, by hand."""
    rows = len(embeddings) // parts
    exponentials = np.exp(20 * cosines(embeddings[:rows].astype(np.float64), embeddings[rows:].astype(np.float64)))
    right = exponentials.diagonal()[:rows].copy()
    for anchor, candidate in masked:
        exponentials[anchor, candidate] = 0
    return -np.log(right / exponentials.sum(axis=1)).mean()


@pytest.mark.parametrize(
    ("parts", "ids", "masked"),
    [
        # The positives of 0 and 2 are one text.
        (2, [0, 1, 2, 3, 4, 3], [(0, 2), (2, 0)]),
        # The positive of 1 is the anchor 0.
        (2, [0, 1, 2, 3, 0, 4], [(0, 1)]),
        # Anchors 0 and 1 are one text, so the positive of each is one of the other.
        (2, [0, 0, 2, 3, 4, 5], [(0, 1), (1, 0)]),
        # The negative of 0 is the positive of 1, and that of 1 its own anchor.
        (3, [0, 1, 2, 3, 3, 1], [(1, 2), (1, 3)]),
        # All texts are one: nothing is left but the positive.
        (3, [7, 7, 7, 7, 7, 7], [(0, 1), (0, 2), (0, 3), (1, 0), (1, 2), (1, 3)]),
    ],
)
def test_equal_texts_are_no_negatives(parts, ids, masked):
    found = value_of(InfoNce(negatives=parts - 2), ids, EMBEDDINGS)
    assert found == pytest.approx(masked_info_nce(EMBEDDINGS, parts, masked), rel=1e-5, abs=1e-6)


def test_negatives_of_several_columns():
    rows = np.random.default_rng(0).normal(size=(8, 5)).astype(np.float32)
    found = value_of(InfoNce(negatives=2), np.arange(8), rows)
    assert found == pytest.approx(masked_info_nce(rows, 4, []), rel=1e-5)


def test_a_negative_that_is_the_positive_does_not_count():
    whole = TripletMargin(margin=1.5)
    alone = whole(np.arange(3), EMBEDDINGS[[1, 3, 5]])
    for ids in ([0, 1, 2, 3, 2, 5], [0, 1, 2, 3, 0, 5]):
        assert value_of(whole, ids, EMBEDDINGS) == pytest.approx(float(alone))


def test_triplets_without_any_true_negative_cost_nothing():
    assert float(TripletMargin()(np.zeros(6), EMBEDDINGS)) == 0.0


def test_ids_beyond_what_float32_tells_apart():
    # 2²⁴ and 2²⁴ + 1 are one number in float32.
    ids = np.array([0, 1, 2, 2**24, 2**24 + 1, 3], np.int32)
    assert value_of(InfoNce(), ids, EMBEDDINGS) == pytest.approx(value_of(InfoNce(), IDS, EMBEDDINGS))


LOSSES = [
    (InfoNce(negatives=1), IDS),
    (Cosent(), SCORES),
    (CosineRegression(), SCORES),
    (TripletMargin(margin=1.5), IDS),
    (TripletMargin(distance="euclidean"), IDS),
    (Matryoshka(InfoNce(), [4, 2]), IDS),
]
NAMES = ["info_nce", "cosent", "cosine", "triplet_cosine", "triplet_euclidean", "matryoshka"]


@pytest.mark.parametrize(("loss", "targets"), LOSSES, ids=NAMES)
def test_zero_embeddings_have_a_finite_loss_and_gradient(loss, targets):
    embeddings = tf.Variable(np.zeros_like(EMBEDDINGS))
    with tf.GradientTape() as tape:
        value = loss(targets, embeddings)
    assert np.isfinite(value.numpy())
    assert np.isfinite(tape.gradient(value, embeddings).numpy()).all()


def test_cosine_with_a_zero_vector_is_zero():
    assert float(CosineRegression()(np.array([0.3, 0.3]), np.array([[0.0, 0], [3, 4]]))) == pytest.approx(0.09)


@pytest.mark.parametrize(("loss", "targets"), LOSSES, ids=NAMES)
def test_gradient_equals_finite_differences(loss, targets):
    embeddings = tf.Variable(EMBEDDINGS)
    with tf.GradientTape() as tape:
        value = loss(targets, embeddings)
    gradient = tape.gradient(value, embeddings).numpy()
    direction = np.random.default_rng(1).normal(size=EMBEDDINGS.shape).astype(np.float32)
    step = 2e-3
    rise = float(loss(targets, EMBEDDINGS + step * direction)) - float(loss(targets, EMBEDDINGS - step * direction))
    assert rise / (2 * step) == pytest.approx(float((gradient * direction).sum()), rel=0.02, abs=2e-3)


@pytest.mark.parametrize(("loss", "targets"), LOSSES, ids=NAMES)
def test_a_saved_loss_is_the_same(loss, targets):
    again = keras.losses.deserialize(keras.losses.serialize(loss))
    assert type(again) is type(loss)
    assert float(again(targets, EMBEDDINGS)) == float(loss(targets, EMBEDDINGS))


@pytest.mark.parametrize(("loss", "targets"), LOSSES, ids=NAMES)
def test_half_precision_embeddings_are_compared_in_float32(loss, targets):
    rounded = tf.cast(EMBEDDINGS, tf.bfloat16)
    value = loss(targets, rounded)
    assert value.dtype == tf.float32
    assert float(value) == pytest.approx(float(loss(targets, EMBEDDINGS)), rel=1e-6)


def test_a_model_learns_which_texts_belong_together():
    keras.utils.set_random_seed(0)
    inputs = keras.Input([8])
    model = keras.Model(inputs, keras.layers.Dense(4)(inputs))
    loss = Matryoshka(InfoNce(), [4, 2])
    model.compile("adam", loss)
    model.optimizer.learning_rate = 0.03
    texts = np.random.default_rng(0).normal(size=(8, 8)).astype(np.float32)
    batch = tf.data.Dataset.from_tensors((by_anchor(loss, texts), np.arange(8, dtype=np.int32)))
    losses = model.fit(batch, epochs=60, shuffle=False, verbose=0).history["loss"]
    assert losses[0] > 1.0
    assert losses[-1] < 0.2


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: InfoNce(negatives=-1), "negatives is -1"),
        (lambda: InfoNce(scale=0), "scale is 0"),
        (lambda: Cosent(scale=-1.0), "scale is -1.0"),
        (lambda: TripletMargin(negatives=0), "negatives is 0: a triplet has at least one"),
        (lambda: TripletMargin(distance="l2"), "distance is 'l2': choose one of cosine, euclidean"),
        (lambda: TripletMargin(margin=0), "margin is 0"),
        (lambda: Matryoshka(InfoNce(), []), r"sizes is \[\]"),
        (lambda: InfoNce(1)(IDS[:5], EMBEDDINGS[:5]), "got 5 embeddings, which are not 3 for each anchor"),
        (lambda: InfoNce()(IDS, EMBEDDINGS, np.ones(6)), "takes no sample weights"),
        (lambda: Matryoshka(InfoNce(), [5])(IDS, EMBEDDINGS), "sizes has 5, but the embeddings have only 4"),
    ],
)
def test_refuses_what_makes_no_sense(make, message):
    with pytest.raises(InputError, match=message):
        make()

"""BERT in plain NumPy, float64, written from the formulas of docs/mathematics.md alone.

B batch, L length, H hidden, A heads, D = H/A, I intermediate, V vocabulary, K masked positions, C classes.

`weights` is a dict of arrays by the paths of the model's variables; kernels are [in, out]. One text is computed at a
time and one head at a time, so that no reshape or transposition of the library's own kind is repeated here.
"""

import math

import numpy as np

_erf = np.vectorize(math.erf, otypes=[np.float64])

ACTIVATIONS = {
    # x · Φ(x), Φ the cumulative distribution of the standard normal
    "gelu": lambda x: 0.5 * x * (1 + _erf(x / math.sqrt(2))),
    "gelu_new": lambda x: 0.5 * x * (1 + np.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**3))),
    "relu": lambda x: np.maximum(x, 0),
    "silu": lambda x: x / (1 + np.exp(-x)),
    "tanh": np.tanh,
}


def softmax(x):
    """exp(x_i) / Σ_j exp(x_j) over the last axis."""
    powers = np.exp(x - x.max(-1, keepdims=True))
    return powers / powers.sum(-1, keepdims=True)


def log_softmax(x):
    """log of `softmax`, without its underflow."""
    shifted = x - x.max(-1, keepdims=True)
    return shifted - np.log(np.exp(shifted).sum(-1, keepdims=True))


def layer_norm(x, gamma, beta, epsilon):
    """γ · (x − μ) / √(σ² + ε) + β over the last axis."""
    centred = x - x.mean(-1, keepdims=True)
    return gamma * centred / np.sqrt((centred**2).mean(-1, keepdims=True) + epsilon) + beta


def dense(weights, name, x):
    """x W + b."""
    return x @ weights[f"{name}/kernel"] + weights[f"{name}/bias"]


def named_layer_norm(weights, name, x, epsilon):
    """`layer_norm` with the gamma and beta under a name."""
    return layer_norm(x, weights[f"{name}/gamma"], weights[f"{name}/beta"], epsilon)


def embeddings(weights, token_ids, segment_ids, epsilon):
    """LayerNorm(E_token + E_segment + E_position) of one text, [L, H]."""
    summed = np.stack(
        [
            weights["embeddings/token_embedding"][token]
            + weights["embeddings/segment_embedding"][segment]
            + weights["embeddings/position_embedding"][position]
            for position, (token, segment) in enumerate(zip(token_ids, segment_ids, strict=True))
        ]
    )
    return named_layer_norm(weights, "embeddings/layer_norm", summed, epsilon)


def attention(weights, name, x, mask, heads):
    """Concat(head_1 … head_A) W_O of one text [L, H] and the probabilities [A, L, L].

    Where the mask is 0, a key has probability 0; where it is 0 everywhere, all keys are alike.
    """
    width = x.shape[1] // heads
    query, key, value = (dense(weights, f"{name}/{part}", x) for part in ("query", "key", "value"))
    contexts, probabilities = [], []
    for head in range(heads):
        own = slice(head * width, (head + 1) * width)
        scores = query[:, own] @ key[:, own].T / math.sqrt(width)
        if np.any(mask):
            scores = np.where(np.asarray(mask, bool)[None, :], scores, -np.inf)
        probabilities.append(softmax(scores))
        contexts.append(probabilities[-1] @ value[:, own])
    return dense(weights, f"{name}/output", np.concatenate(contexts, axis=1)), np.stack(probabilities)


def feed_forward(weights, name, x, act):
    """act(x W_1 + b_1) W_2 + b_2."""
    return dense(weights, f"{name}/output", ACTIVATIONS[act](dense(weights, f"{name}/intermediate", x)))


def block(weights, name, x, mask, config):
    """LayerNorm(x + Attention(x)), then LayerNorm(x + FFN(x)), of one text; and the attention probabilities."""
    attended, probabilities = attention(weights, f"{name}/attention", x, mask, config.num_attention_heads)
    x = named_layer_norm(weights, f"{name}/attention_layer_norm", x + attended, config.layer_norm_eps)
    transformed = feed_forward(weights, name, x, config.hidden_act)
    return named_layer_norm(weights, f"{name}/output_layer_norm", x + transformed, config.layer_norm_eps), probabilities


def encoder(weights, config, token_ids, segment_ids, padding_mask):
    """All hidden states [B, L, H], the embeddings first, and every block's attention probabilities [B, A, L, L]."""
    states, maps = [], []
    for tokens, segments, mask in zip(token_ids, segment_ids, padding_mask, strict=True):
        own_states, own_maps = [embeddings(weights, tokens, segments, config.layer_norm_eps)], []
        for i in range(config.num_hidden_layers):
            state, probabilities = block(weights, f"block_{i}", own_states[-1], mask, config)
            own_states.append(state)
            own_maps.append(probabilities)
        states.append(own_states)
        maps.append(own_maps)
    return [np.stack(state) for state in zip(*states, strict=True)], [np.stack(m) for m in zip(*maps, strict=True)]


def pooler(weights, sequence_output):
    """tanh(h_[CLS] W + b), [B, H]."""
    return np.tanh(dense(weights, "pooler/dense", sequence_output[:, 0]))


def mlm_logits(weights, rows, config):
    """LayerNorm(act(h W + b)) Eᵀ + c of masked positions' hidden states: [.., H] -> [.., V]."""
    hidden = ACTIVATIONS[config.hidden_act](dense(weights, "mlm_head/transform", rows))
    hidden = named_layer_norm(weights, "mlm_head/layer_norm", hidden, config.layer_norm_eps)
    return hidden @ weights["embeddings/token_embedding"].T + weights["mlm_head/bias"]


def nsp_logits(weights, pooled):
    """h W + b, [B, 2]; column 0 says that the second text follows the first."""
    return dense(weights, "nsp_head/dense", pooled)


def classification_logits(weights, pooled):
    """h W + b, [B, C]."""
    return dense(weights, "classification_head/dense", pooled)


def sentence_embedding(sequence_output, padding_mask):
    """The mean of the hidden states over the mask, divided by its length, [B, H]."""
    means = np.stack([h[np.asarray(m, bool)].mean(0) for h, m in zip(sequence_output, padding_mask, strict=True)])
    return means / np.sqrt((means**2).sum(-1, keepdims=True))


def mlm_loss(logits, labels, counted):
    """−(1/|M|) Σ_{i∈M} log p(x_i): logits [B, K, V], labels [B, K]; M is where `counted` [B, K] is 1."""
    terms = [
        -log_softmax(logits[b, k])[labels[b, k]]
        for b in range(len(labels))
        for k in range(len(labels[b]))
        if counted[b, k]
    ]
    return sum(terms) / len(terms)


def nsp_loss(logits, labels):
    """−(1/B) Σ_b log p(y_b): logits [B, 2], labels [B]."""
    return -np.mean([log_softmax(row)[label] for row, label in zip(logits, labels, strict=True)])


def pretraining_loss(weights, config, inputs, mlm_labels, counted, nsp_labels):
    """L = L_MLM + L_NSP of one batch: (total, MLM, NSP)."""
    states, _ = encoder(weights, config, inputs["token_ids"], inputs["segment_ids"], inputs["padding_mask"])
    read = np.stack([h[p] for h, p in zip(states[-1], inputs["masked_positions"], strict=True)])
    mlm = mlm_loss(mlm_logits(weights, read, config), mlm_labels, counted)
    nsp = nsp_loss(nsp_logits(weights, pooler(weights, states[-1])), nsp_labels)
    return mlm + nsp, mlm, nsp

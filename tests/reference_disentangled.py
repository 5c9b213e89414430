"""DeBERTa's attention and mask decoder in plain NumPy, float64, score by score from the formulas of He et al. 2020.

L length, R rows that ask, H hidden, A heads, D = H/A. Weights are as in `reference`; one text is computed at a time.
"""

import math

import numpy as np
import reference

MAX, BUCKETS = 9, 4


def bucket_row(distance):
    """Row of a table with 4 buckets of each direction and 9 positions, as `test_relative_positions` counts by hand."""
    bucket = min(abs(distance), 3 if abs(distance) <= MAX - 1 else 4)
    return min(max(int(math.copysign(bucket, distance)) + BUCKETS, 0), 2 * BUCKETS - 1)


def plain_row(distance):
    """Row of a table with a row for each distance under 4."""
    return min(max(distance + BUCKETS, 0), 2 * BUCKETS - 1)


def attention(weights, name, asking, x, mask, table, heads, kinds=("c2p", "p2c"), share=False, row=bucket_row):
    """Output `[R, H]` and probabilities `[A, R, L]` of rows that ask at the positions 0 to R - 1 of x `[L, H]`."""

    def project(part, x):
        return x @ weights[f"{name}/{part}/kernel"] + weights.get(f"{name}/{part}/bias", 0)

    query, key, value = project("query", asking), project("key", x), project("value", x)
    if "c2p" in kinds:
        position_key = project("key" if share else "position_key", table)
    if "p2c" in kinds:
        position_query = project("query" if share else "position_query", table)
    contexts, maps = [], []
    width = x.shape[1] // heads
    for head in range(heads):
        part = slice(head * width, (head + 1) * width)
        scores = np.full((len(asking), len(x)), -np.inf)
        for i in range(len(asking)):
            for j in np.flatnonzero(mask):
                score = query[i, part] @ key[j, part]
                if "c2p" in kinds:
                    score += query[i, part] @ position_key[row(i - j), part]
                if "p2c" in kinds:
                    score += key[j, part] @ position_query[row(i - j), part]
                scores[i, j] = score / math.sqrt((1 + len(kinds)) * width)
        scores[mask[: len(asking)] == 0] = 0  # padding attends to all rows alike
        maps.append(reference.softmax(scores))
        contexts.append(maps[-1] @ value[:, part])
    return project("output", np.concatenate(contexts, -1)), np.stack(maps)


def block(weights, name, asking, x, mask, table, config):
    """One block for rows that ask, as `attention`."""
    attended, _ = attention(weights, f"{name}/attention", asking, x, mask, table, config.num_attention_heads)
    epsilon = config.layer_norm_eps
    rows = reference.named_layer_norm(weights, f"{name}/attention_layer_norm", asking + attended, epsilon)
    output = rows + reference.feed_forward(weights, name, rows, config.hidden_act)
    return reference.named_layer_norm(weights, f"{name}/output_layer_norm", output, epsilon)

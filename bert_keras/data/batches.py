"""Which rows form which batch: like lengths together, the order decided by (seed, epoch) alone."""

import numpy as np

from bert_keras.errors import InputError

# A window is shuffled rows, sorted by length inside. Larger windows pad less, smaller ones mix more.
_WINDOW = 100
# Lengths are blurred by this share before sorting, so that batches of one length differ between epochs.
_NOISE = 0.1


def batches_of_like_lengths(lengths: np.ndarray, batch_size: int, seed: int, epoch: int) -> list[np.ndarray]:
    """Return the row numbers of each batch of one epoch: every row once, a smaller batch last.

    Rows are shuffled; windows of them are sorted by length and cut into batches; the batches are shuffled. So a
    batch has little padding, and its rows are a random choice among those of their length.

    Args:
        lengths: number of tokens of each row, [N].
        batch_size: rows a batch.
        seed, epoch: whole numbers from 0 on that decide the order.
    """
    random = np.random.default_rng([seed, epoch])
    order = random.permutation(len(lengths))
    blurred = lengths * random.uniform(1, 1 + _NOISE, len(lengths))
    # The rows left over are drawn before sorting: otherwise they would be the longest of a window each time.
    full = len(lengths) - len(lengths) % batch_size
    batches: list[np.ndarray] = []
    for window in np.split(order[:full], range(_WINDOW * batch_size, full, _WINDOW * batch_size)):
        by_length = window[np.argsort(blurred[window], kind="stable")]
        batches.extend(by_length.reshape(-1, batch_size))
    shuffled = [batches[place] for place in random.permutation(len(batches))]
    return shuffled + ([order[full:]] if full < len(lengths) else [])


def batches_in_order(rows: int, batch_size: int) -> list[np.ndarray]:
    """Return the row numbers of each batch in the order of the file, a smaller batch last."""
    return np.split(np.arange(rows), range(batch_size, rows, batch_size))


def check_order(batch_size: int, seed: int, start_epoch: int, skip_batches: int) -> None:
    """Raise InputError for numbers that no order can be made from."""
    if batch_size < 1:
        raise InputError(f"batch_size is {batch_size}: it must be 1 or more")
    for name, value in (("seed", seed), ("start_epoch", start_epoch), ("skip_batches", skip_batches)):
        if value < 0:
            raise InputError(f"{name} is {value}: it must be 0 or more")

"""The one initializer of every matrix."""

import keras


def truncated_normal(stddev: float) -> keras.initializers.Initializer:
    """Truncated normal of the given standard deviation (google-research/bert `create_initializer`).

    Args:
        stddev: `initializer_range` of the config.
    """
    return keras.initializers.TruncatedNormal(stddev=stddev)

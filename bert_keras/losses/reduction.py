"""What a mean loss divides by."""

import tensorflow as tf


def mean_over_replicas(total: tf.Tensor, count: tf.Tensor) -> tf.Tensor:
    """Return total / count over all replicas, such that the replicas' gradients add up to that of one device.

    Args:
        total: sum of the losses of this replica, a float32 scalar.
        count: sum of their weights, a float32 scalar; where it is 0 everywhere, the mean is 0.
    """
    context = tf.distribute.get_replica_context()
    if context is None or context.num_replicas_in_sync == 1:
        return tf.math.divide_no_nan(total, count)
    all_total, all_count = context.all_reduce(tf.distribute.ReduceOp.SUM, [tf.stop_gradient(total), count])
    own = tf.math.divide_no_nan(total, all_count)
    # Keras multiplies what it reports by the number of replicas, and weighs it by their unequal batch sizes:
    # every replica returns the same value, with its own share of the gradient.
    value = tf.math.divide_no_nan(all_total, all_count) / context.num_replicas_in_sync
    return own + tf.stop_gradient(value - own)

"""AdamW, BERT's own Adam and LAMB as Keras optimizers.

They differ from the classes of Keras 3.15 in five ways: a sparse gradient (`IndexedSlices`) is summed over its
duplicate rows before anything squares it; the global norm is taken after the replicas' gradients are added; decay
is kept off biases and normalization by default; on a CPU or GPU the whole Adam update of a variable is one kernel;
and LAMB's decay is inside its trust ratio.
"""

from typing import Any

import keras
import tensorflow as tf

_NOT_DECAYED = ("beta", "bias", "gamma")


class _Adaptive(keras.optimizers.Optimizer):
    """What the optimizers of this file share: two moments a variable, dense gradients, decay where it belongs."""

    def __init__(
        self,
        learning_rate: Any,
        weight_decay: float | None,
        beta_1: float,
        beta_2: float,
        epsilon: float,
        **kwargs: Any,
    ):
        super().__init__(learning_rate=learning_rate, weight_decay=weight_decay, **kwargs)
        self.beta_1 = beta_1
        self.beta_2 = beta_2
        self.epsilon = epsilon

    def build(self, variables: list) -> None:
        if self.built:
            return
        super().build(variables)
        self.trained = [variable.path for variable in variables]
        self._momentums, self._velocities = self.add_optimizer_variables(variables, ["momentum", "velocity"])
        self._matrices = [self._is_matrix(variable) for variable in variables]

    def apply(self, grads: list, trainable_variables: list | None = None) -> None:
        super().apply([_dense(gradient) for gradient in grads], trainable_variables)

    def get_config(self) -> dict[str, Any]:
        own = {"beta_1": self.beta_1, "beta_2": self.beta_2, "epsilon": self.epsilon}
        return {**super().get_config(), **own}

    def _is_matrix(self, variable: keras.Variable) -> bool:
        """Whether decay is meant for a variable, however strong it is."""
        if len(variable.shape) < 2 or variable.name in _NOT_DECAYED:
            return False
        return self._use_weight_decay(variable)

    def _apply_weight_decay(self, variables: list) -> None:
        """Leave decay to `update_step`, which does it in the same pass as the update."""

    def _clip_gradients(self, grads: list) -> list:
        # Keras calls this on each replica's own gradients; the global norm belongs to their sum (below).
        return grads if self.global_clipnorm else super()._clip_gradients(grads)

    def _all_reduce_sum_gradients(self, grads_and_vars: list) -> list:
        pairs = super()._all_reduce_sum_gradients(grads_and_vars)
        if not self.global_clipnorm:
            return pairs
        gradients, variables = zip(*pairs, strict=True)
        return list(zip(_clip_by_global_norm(gradients, self.global_clipnorm), variables, strict=True))


@keras.saving.register_keras_serializable(package="bert_keras")
class AdamW(_Adaptive):
    """Adam with decoupled weight decay: w ← w − lr·(decay·w + m̂ / (√v̂ + ε)).

    Source: Loshchilov and Hutter 2019, algorithm 2; equal to `torch.optim.AdamW`. Sparse gradients update every
    row, as dense ones do.

    Args:
        learning_rate: a float or a schedule.
        weight_decay: decay of matrices; anything of lower rank and what is named gamma, beta or bias has none,
            and `exclude_from_weight_decay` adds exceptions before the first step.
        beta_1: decay of the first moment.
        beta_2: decay of the second moment.
        epsilon: added to the square root of the corrected second moment.
        **kwargs: those of `keras.optimizers.Optimizer`, such as `global_clipnorm`.
    """

    def __init__(
        self,
        learning_rate: Any = 5e-5,
        weight_decay: float | None = 0.01,
        beta_1: float = 0.9,
        beta_2: float = 0.999,
        epsilon: float = 1e-6,
        name: str = "adamw",
        **kwargs: Any,
    ):
        super().__init__(learning_rate, weight_decay, beta_1, beta_2, epsilon, name=name, **kwargs)

    def update_step(self, gradient: tf.Tensor, variable: tf.Variable, learning_rate: Any) -> None:
        index = self._get_variable_index(variable)
        momentum, velocity = self._momentums[index].value, self._velocities[index].value
        fused = variable.dtype in (tf.float32, tf.float64)
        # Half precision holds neither beta_2 nor a step count: its moments are updated in float32.
        dtype = variable.dtype if fused else tf.float32
        rate = tf.cast(learning_rate, dtype)
        size, epsilon = self._corrected(rate, tf.cast(self.iterations + 1, dtype))
        gradient = tf.cast(gradient, dtype)
        kept = 1 - rate * self.weight_decay if self.weight_decay and self._matrices[index] else None

        if not fused:
            self._plain_update(gradient, variable, momentum, velocity, size, epsilon, kept)
            return
        if kept is not None:
            # The product becomes the variable's new buffer: one pass, no copy.
            variable.assign(variable * kept, read_value=False)
        tf.raw_ops.ResourceApplyAdam(
            var=variable.handle,
            m=momentum.handle,
            v=velocity.handle,
            beta1_power=tf.zeros((), dtype),  # `size` and `epsilon` hold the correction already
            beta2_power=tf.zeros((), dtype),
            lr=size,
            beta1=tf.constant(self.beta_1, dtype),
            beta2=tf.constant(self.beta_2, dtype),
            epsilon=epsilon,
            grad=gradient,
        )

    def _corrected(self, rate: tf.Tensor, step: tf.Tensor) -> tuple[tf.Tensor, tf.Tensor]:
        """The factor of m and the ε under which lr·m̂/(√v̂ + ε) equals factor·m/(√v + ε')."""
        root = tf.sqrt(1 - tf.pow(tf.constant(self.beta_2, step.dtype), step))
        return rate * root / (1 - tf.pow(tf.constant(self.beta_1, step.dtype), step)), self.epsilon * root

    def _plain_update(self, gradient, variable, momentum, velocity, size, epsilon, kept) -> None:
        m = _moving(momentum, gradient, self.beta_1)
        v = _moving(velocity, gradient * gradient, self.beta_2)
        old = tf.cast(variable, m.dtype)
        new = (old if kept is None else old * kept) - size * m / (tf.sqrt(v) + epsilon)
        variable.assign(tf.cast(new, variable.dtype), read_value=False)


@keras.saving.register_keras_serializable(package="bert_keras")
class BertAdam(AdamW):
    """The Adam that BERT was trained with: AdamW without bias correction, so the first step is about 3.16·lr.

    Source: google-research/bert `optimization.py`, AdamWeightDecayOptimizer. Arguments as `AdamW`.
    """

    def __init__(
        self,
        learning_rate: Any = 1e-4,
        weight_decay: float | None = 0.01,
        name: str = "bert_adam",
        **kwargs: Any,
    ):
        super().__init__(learning_rate, weight_decay, name=name, **kwargs)

    def _corrected(self, rate: tf.Tensor, step: tf.Tensor) -> tuple[tf.Tensor, tf.Tensor]:
        return rate, tf.constant(self.epsilon, step.dtype)


@keras.saving.register_keras_serializable(package="bert_keras")
class Lamb(_Adaptive):
    """LAMB: w ← w − lr·(‖w‖/‖r‖)·r with r = m̂/(√v̂ + ε) + decay·w, for very large batches.

    The ratio is 1 where a norm is 0 and for the variables that decay is kept off, as in Google's code; it does not
    depend on how strong the decay is.
    Source: You et al. 2020, algorithm 2; google-research/albert `lamb_optimizer.py`. Arguments as `AdamW`.
    """

    def __init__(
        self,
        learning_rate: Any = 1.76e-3,
        weight_decay: float | None = 0.01,
        beta_1: float = 0.9,
        beta_2: float = 0.999,
        epsilon: float = 1e-6,
        name: str = "lamb",
        **kwargs: Any,
    ):
        super().__init__(learning_rate, weight_decay, beta_1, beta_2, epsilon, name=name, **kwargs)

    def update_step(self, gradient: tf.Tensor, variable: tf.Variable, learning_rate: Any) -> None:
        index = self._get_variable_index(variable)
        dtype = tf.float64 if variable.dtype == tf.float64 else tf.float32
        gradient = tf.cast(gradient, dtype)
        step = tf.cast(self.iterations + 1, dtype)
        m = _moving(self._momentums[index].value, gradient, self.beta_1)
        v = _moving(self._velocities[index].value, gradient * gradient, self.beta_2)
        m /= 1 - tf.pow(tf.constant(self.beta_1, dtype), step)
        v /= 1 - tf.pow(tf.constant(self.beta_2, dtype), step)
        weights = tf.cast(variable, dtype)
        update = m / (tf.sqrt(v) + self.epsilon)
        rate = tf.cast(learning_rate, dtype)
        if self._matrices[index]:
            update += (self.weight_decay or 0.0) * weights
            rate *= _trust_ratio(weights, update)
        variable.assign(tf.cast(weights - rate * update, variable.dtype), read_value=False)


def _dense(gradient: Any) -> Any:
    """The gradient as one tensor, rows that occur more than once added up."""
    if not isinstance(gradient, tf.IndexedSlices):
        return gradient
    return tf.math.unsorted_segment_sum(gradient.values, gradient.indices, gradient.dense_shape[0])


def _clip_by_global_norm(gradients: tuple, limit: float) -> list:
    """Scale all gradients together so that the norm over all of them is at most `limit`."""
    # l2_loss reads each gradient once and makes no copy; the product below reuses the gradient's buffer.
    halves = [tf.nn.l2_loss(tf.cast(gradient, tf.float32)) for gradient in gradients]
    norm = tf.sqrt(2 * tf.add_n(halves))
    scale = limit / tf.maximum(norm, limit)
    return [gradient * tf.cast(scale, gradient.dtype) for gradient in gradients]


def _moving(average: tf.Variable, value: tf.Tensor, decay: float) -> tf.Tensor:
    """Move `average` towards `value` and return it in the type of `value`."""
    old = tf.cast(average, value.dtype)
    new = old + (value - old) * (1 - decay)
    average.assign(tf.cast(new, average.dtype), read_value=False)
    return new


def _trust_ratio(weights: tf.Tensor, update: tf.Tensor) -> tf.Tensor:
    weights_norm, update_norm = tf.norm(weights), tf.norm(update)
    ratio = tf.math.divide_no_nan(weights_norm, update_norm)
    return tf.where(ratio > 0, ratio, tf.ones_like(ratio))

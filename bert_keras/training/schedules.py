"""Learning-rate schedules: linear warm-up, then linear decay."""

from typing import Any

import keras
import tensorflow as tf

from bert_keras.errors import InputError


@keras.saving.register_keras_serializable(package="bert_keras")
class WarmupLinear(keras.optimizers.schedules.LearningRateSchedule):
    """Rise from 0 to `learning_rate` over the warm-up, then fall in a straight line to 0 at `steps` and stay there.

    Two conventions exist for the fall, with N steps and W of warm-up:

    * the later one, of transformers and the default here: from step W on, rate·(N−s)/(N−W);
      the peak is reached at s = W.
    * Google's BERT (`decay_from_start=True`): the line counts from step 0, so rate·(1−s/N) from step W on;
      the peak is never reached.

    Step 0 has rate 0 in both when there is a warm-up. Source: google-research/bert `optimization.py`;
    transformers `get_linear_schedule_with_warmup`.

    Args:
        learning_rate: the peak.
        steps: N, the number of updates in the whole training.
        warmup_steps: W, between 0 and N.
        decay_from_start: use Google's convention.

    Raises:
        InputError: `steps` is not positive or `warmup_steps` lies outside 0..`steps`.
    """

    def __init__(
        self,
        learning_rate: float,
        steps: int,
        warmup_steps: int = 0,
        decay_from_start: bool = False,
        name: str = "warmup_linear",
    ):
        super().__init__()
        if steps < 1:
            raise InputError(f"steps is {steps}: a schedule needs at least 1 step")
        if not 0 <= warmup_steps <= steps:
            raise InputError(f"warmup_steps is {warmup_steps}: it must lie between 0 and steps ({steps})")
        self.learning_rate = learning_rate
        self.steps = steps
        self.warmup_steps = warmup_steps
        self.decay_from_start = decay_from_start
        self.name = name

    def __call__(self, step: Any) -> tf.Tensor:
        step = tf.cast(step, tf.float32)
        start = 0 if self.decay_from_start else self.warmup_steps
        # With W = N there is nothing left to decay over; the divisor only has to be finite.
        left = (self.steps - step) / max(1, self.steps - start)
        rising = step / max(1, self.warmup_steps)
        share = tf.where(step < self.warmup_steps, rising, tf.maximum(left, 0.0))
        return self.learning_rate * share

    def get_config(self) -> dict[str, Any]:
        return {
            "learning_rate": self.learning_rate,
            "steps": self.steps,
            "warmup_steps": self.warmup_steps,
            "decay_from_start": self.decay_from_start,
            "name": self.name,
        }

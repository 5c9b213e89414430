"""From a model's numbers to what a user reads, a kind of answer a file; without TensorFlow or Keras."""

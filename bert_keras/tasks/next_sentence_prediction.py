"""Does the second text follow the first?"""

import keras

from bert_keras.encoder import config_of
from bert_keras.layers import NspHead
from bert_keras.tasks.pooled import pooled_output


def next_sentence_prediction(encoder: keras.Model) -> keras.Model:
    """A model of logits `[B, 2]`: column 0 = is next, 1 = is random (Devlin et al. 2018, task 2).

    ALBERT's is the same model for another question: column 1 = the two were swapped (Lan et al. 2019, section 3.1).

    Args:
        encoder: a model of `bert_keras.encoder`.

    Raises:
        InputError: the encoder has no pooler.
    """
    head = NspHead(config_of(encoder).initializer_range, name="nsp_head")
    return keras.Model(
        encoder.input, head(pooled_output(encoder, "next-sentence-prediction")), name="next_sentence_prediction"
    )

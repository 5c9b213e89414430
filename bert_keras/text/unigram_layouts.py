"""How the families use a SentencePiece vocabulary: their files, special tokens, ids and rules."""

import dataclasses
from collections.abc import Mapping
from typing import Any

from bert_keras.text.unigram_rules import Rules, family_rules


@dataclasses.dataclass(frozen=True)
class Layout:
    """A family's way with a SentencePiece vocabulary.

    Args:
        tokenizer_class: Hugging Face's name, without `Fast`.
        model_file: the name of its `.model` file.
        special_tokens: by role.
        first_roles: the special tokens that vocabularies begin with; a mask that is not among them is the last piece.
        separators: how many `sep` tokens stand between the two texts of a pair.
        segments: whether its models have segments.
        lowercase: whether texts are lower-cased unless a file says otherwise.
        strip_accents: whether accents are deleted unless a file says otherwise.
        replace_quotes: whether pairs of single quotes become double ones.
        split_at_white_space: whether words end at any white space.
        mask_takes_space: whether the white space on the left of a mask is part of it.
        shifted: ids are fairseq's: `cls`, `pad`, `sep`, `unk`, then SentencePiece's pieces from the fourth on.
    """

    tokenizer_class: str
    model_file: str
    special_tokens: Mapping[str, str]
    first_roles: tuple[str, ...]
    separators: int = 1
    segments: bool = False
    lowercase: bool = False
    strip_accents: bool = False
    replace_quotes: bool = False
    split_at_white_space: bool = True
    mask_takes_space: bool = True
    shifted: bool = False

    def rules(
        self,
        lowercase: bool | None = None,
        strip_accents: bool | None = None,
        split_by_punctuation: bool | None = None,
        characters: Mapping[str, Any] | None = None,
    ) -> Rules:
        """Return the family's rules; None is what it does by default."""
        return family_rules(
            lowercase=self.lowercase if lowercase is None else lowercase,
            strip_accents=self.strip_accents if strip_accents is None else strip_accents,
            characters=characters,
            replace_quotes=self.replace_quotes,
            split_at_white_space=self.split_at_white_space,
            split_by_punctuation=bool(split_by_punctuation),
        )


# By Hugging Face's `model_type`.
LAYOUTS = {
    "albert": Layout(
        tokenizer_class="AlbertTokenizer",
        model_file="spiece.model",
        special_tokens={"pad": "<pad>", "unk": "<unk>", "cls": "[CLS]", "sep": "[SEP]", "mask": "[MASK]"},
        first_roles=("pad", "unk", "cls", "sep", "mask"),
        segments=True,
        lowercase=True,
        strip_accents=True,
        replace_quotes=True,
    ),
    "xlm-roberta": Layout(
        tokenizer_class="XLMRobertaTokenizer",
        model_file="sentencepiece.bpe.model",
        special_tokens={"pad": "<pad>", "unk": "<unk>", "cls": "<s>", "sep": "</s>", "mask": "<mask>"},
        first_roles=("cls", "pad", "sep", "unk"),
        separators=2,
        shifted=True,
    ),
    "deberta-v2": Layout(
        tokenizer_class="DebertaV2Tokenizer",
        model_file="spm.model",
        special_tokens={"pad": "[PAD]", "unk": "[UNK]", "cls": "[CLS]", "sep": "[SEP]", "mask": "[MASK]"},
        first_roles=("pad", "cls", "sep", "unk"),
        split_at_white_space=False,
        mask_takes_space=False,
    ),
}

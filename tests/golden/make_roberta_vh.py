"""Makes tests/golden/roberta_vh.safetensors: masked residues of antibodies as transformers predicts them.

    python tests/fetch_real.py                       # the real model, which fairseq trained
    python tests/golden/make_roberta_vh.py           # needs the extra `bench`: torch and transformers

The file holds `token_ids` and `padding_mask` [B, L] (int64), the `rows` and `columns` of the masked tokens [K], the
logits there [K, V] (float32) and the best ids [K]. The sequences are human germline genes (V and J), joined by hand.
"""

from pathlib import Path

import numpy as np
import torch
import transformers
from safetensors.numpy import save_file

GOLDEN = Path(__file__).resolve().parent
REAL = GOLDEN.parent.parent / ".cache" / "real" / "roberta-vh"
SEQUENCES = [
    "EVQLVESGGGLVQPGGSLRLSCAASGFTFSSYAMSWVRQAPGKGLEWVSAISGSGGSTYYADSVKGRFTISRDNSKNTLYLQMNSLRAEDTAVYYCAKDRGYYYGMDVWGQGTTVTVSS",
    "QVQLVQSGAEVKKPGASVKVSCKASGYTFTSYGISWVRQAPGQGLEWMGWISAYNGNTNYAQKLQGRVTMTTDTSTSTAYMELRSLRSDDTAVYYCARDLFDYWGQGTLVTVSS",
    "QVQLQESGPGLVKPSETLSLTCTVSGGSISSYYWSWIRQPPGKGLEWIGYIYYSGSTNYNPSLKSRVTISVDTSKNQFSLKLSSVTAADTAVYYCARGGWFDPWGQGTLVTVSS",
]
# Every seventh residue is masked, from another one on in every sequence.
STEP = 7
EPSILON = 1e-5


def vocabulary() -> list[str]:
    """Ids as fairseq's Dictionary gives them."""
    symbols = [line.split(" ")[0] for line in (REAL / "dict.txt").read_text(encoding="utf-8").splitlines()]
    return ["<s>", "<pad>", "</s>", "<unk>", *symbols, "<mask>"]


def model() -> transformers.RobertaForMaskedLM:
    """The checkpoint in transformers' model, module by module."""
    checkpoint = torch.load(REAL / "checkpoint_vh.pt", map_location="cpu", weights_only=False)
    weights, arguments = checkpoint["model"], checkpoint["args"]
    config = transformers.RobertaConfig(
        vocab_size=len(vocabulary()),
        hidden_size=arguments.encoder_embed_dim,
        num_hidden_layers=arguments.encoder_layers,
        num_attention_heads=arguments.encoder_attention_heads,
        intermediate_size=arguments.encoder_ffn_embed_dim,
        hidden_act=arguments.activation_fn,
        max_position_embeddings=arguments.max_positions + 2,
        type_vocab_size=1,
        layer_norm_eps=EPSILON,
    )
    made = transformers.RobertaForMaskedLM(config)
    encoder = "decoder.sentence_encoder."
    modules: dict[str, torch.nn.Module] = {
        f"{encoder}embed_tokens": made.roberta.embeddings.word_embeddings,
        f"{encoder}embed_positions": made.roberta.embeddings.position_embeddings,
        f"{encoder}emb_layer_norm": made.roberta.embeddings.LayerNorm,
        "decoder.lm_head.dense": made.lm_head.dense,
        "decoder.lm_head.layer_norm": made.lm_head.layer_norm,
        "decoder.lm_head": made.lm_head.decoder,
    }
    for i, layer in enumerate(made.roberta.encoder.layer):
        modules |= {
            f"{encoder}layers.{i}.self_attn.q_proj": layer.attention.self.query,
            f"{encoder}layers.{i}.self_attn.k_proj": layer.attention.self.key,
            f"{encoder}layers.{i}.self_attn.v_proj": layer.attention.self.value,
            f"{encoder}layers.{i}.self_attn.out_proj": layer.attention.output.dense,
            f"{encoder}layers.{i}.self_attn_layer_norm": layer.attention.output.LayerNorm,
            f"{encoder}layers.{i}.fc1": layer.intermediate.dense,
            f"{encoder}layers.{i}.fc2": layer.output.dense,
            f"{encoder}layers.{i}.final_layer_norm": layer.output.LayerNorm,
        }
    with torch.no_grad():
        made.roberta.embeddings.token_type_embeddings.weight.zero_()
        for name, value in weights.items():
            module, parameter = name.rsplit(".", 1)
            getattr(modules[module], parameter).copy_(value)
    return made.eval()


def main() -> None:
    pieces = vocabulary()
    longest = max(map(len, SEQUENCES)) + 2
    token_ids = np.full((len(SEQUENCES), longest), pieces.index("<pad>"))
    for row, sequence in enumerate(SEQUENCES):
        token_ids[row, : len(sequence) + 2] = [pieces.index(piece) for piece in ("<s>", *sequence, "</s>")]
    padding_mask = (token_ids != pieces.index("<pad>")).astype(np.int64)
    masked = np.zeros(token_ids.shape, bool)
    for row, sequence in enumerate(SEQUENCES):
        masked[row, 1 + row : 1 + len(sequence) : STEP] = True
    token_ids[masked] = pieces.index("<mask>")
    with torch.no_grad():
        logits = model()(torch.tensor(token_ids), attention_mask=torch.tensor(padding_mask)).logits.numpy()[masked]
    ordered = np.sort(logits, axis=-1)
    # A tie would make the best piece a matter of rounding.
    assert (ordered[:, -1] - ordered[:, -2]).min() > 1e-2
    # Copies: safetensors writes the memory behind a view as it lies there.
    rows, columns = map(np.ascontiguousarray, np.nonzero(masked))
    best = logits.argmax(-1)
    expected = {"logits": logits, "best": best, "rows": rows, "columns": columns}
    save_file({"token_ids": token_ids, "padding_mask": padding_mask, **expected}, GOLDEN / "roberta_vh.safetensors")
    for row, sequence in enumerate(SEQUENCES):
        found = [
            (sequence[column - 1], pieces[i]) for r, column, i in zip(rows, columns, best, strict=True) if r == row
        ]
        print(f"{sum(a == b for a, b in found)} of {len(found)} masked residues are the germline's")


if __name__ == "__main__":
    main()

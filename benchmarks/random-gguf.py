"""Writes a Llama of 8 B parameters with random weights as an F16 GGUF, for benchmarks that need the work and not the answers.

Needs numpy and llama.cpp's gguf-py. The tokenizer is copied from a vocabulary file of llama.cpp. Nothing is downloaded.
"""

import argparse

import numpy as np
from gguf import GGUFReader, GGUFValueType, GGUFWriter

SHAPE = {"width": 4096, "inner": 14336, "layers": 32, "heads": 32, "kv_heads": 8}
TINY = {"width": 64, "inner": 128, "layers": 2, "heads": 4, "kv_heads": 2}


def copy_tokenizer(path, writer):
    for field in GGUFReader(path).fields.values():
        if not field.name.startswith("tokenizer."):
            continue
        kind = field.types[0]
        sub_type = field.types[-1] if kind == GGUFValueType.ARRAY else None
        writer.add_key_value(field.name, field.contents(), kind, sub_type=sub_type)
        if field.name == "tokenizer.ggml.tokens":
            size = len(field.data)
    return size


def random_weights(seed, *shape):
    weights = np.random.default_rng(seed).standard_normal(shape, dtype=np.float32)
    return (weights / np.sqrt(shape[-1])).astype(np.float16)


def add_layer(writer, layer, width, inner, kv_width):
    shapes = {
        "attn_q": (width, width),
        "attn_k": (kv_width, width),
        "attn_v": (kv_width, width),
        "attn_output": (width, width),
        "ffn_gate": (inner, width),
        "ffn_up": (inner, width),
        "ffn_down": (width, inner),
    }
    for place, (name, shape) in enumerate(shapes.items()):
        writer.add_tensor(f"blk.{layer}.{name}.weight", random_weights(100 * layer + place, *shape))
    for name in ("attn_norm", "ffn_norm"):
        writer.add_tensor(f"blk.{layer}.{name}.weight", np.ones(width, np.float32))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--vocabulary", required=True)
    parser.add_argument("--out", required=True)
    parser.add_argument("--tiny", action="store_true")
    args = parser.parse_args()
    width, inner, layers, heads, kv_heads = (TINY if args.tiny else SHAPE).values()
    writer = GGUFWriter(args.out, "llama")
    size = copy_tokenizer(args.vocabulary, writer)
    writer.add_context_length(4096)
    writer.add_embedding_length(width)
    writer.add_block_count(layers)
    writer.add_feed_forward_length(inner)
    writer.add_head_count(heads)
    writer.add_head_count_kv(kv_heads)
    writer.add_layer_norm_rms_eps(1e-5)
    writer.add_rope_dimension_count(width // heads)
    writer.add_vocab_size(size)
    writer.add_tensor("token_embd.weight", random_weights(9001, size, width))
    writer.add_tensor("output.weight", random_weights(9002, size, width))
    writer.add_tensor("output_norm.weight", np.ones(width, np.float32))
    for layer in range(layers):
        add_layer(writer, layer, width, inner, width // heads * kv_heads)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


main()

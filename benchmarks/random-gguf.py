"""Writes a Llama-shaped GGUF (8 B parameters, F16) with random weights: real energy per token, answers are noise.

Needs PyTorch and the gguf package of llama.cpp. The tokenizer comes from one of its vocabulary files.

    python3 random-gguf.py --gguf-py LLAMA_CPP/gguf-py --vocab LLAMA_CPP/models/ggml-vocab-qwen2.gguf --out random-8b.gguf
"""

import argparse
import sys

import torch

LAYERS, DIM, FFN, HEADS, KV_HEADS = 32, 4096, 14336, 32, 8


def tensors(vocab_size):
    """Names and shapes of all matrices and norms."""
    head = DIM // HEADS
    yield "token_embd.weight", (vocab_size, DIM)
    yield "output.weight", (vocab_size, DIM)
    yield "output_norm.weight", (DIM,)
    for layer in range(LAYERS):
        name = f"blk.{layer}."
        yield name + "attn_norm.weight", (DIM,)
        yield name + "ffn_norm.weight", (DIM,)
        yield name + "attn_q.weight", (DIM, DIM)
        yield name + "attn_k.weight", (KV_HEADS * head, DIM)
        yield name + "attn_v.weight", (KV_HEADS * head, DIM)
        yield name + "attn_output.weight", (DIM, DIM)
        yield name + "ffn_gate.weight", (FFN, DIM)
        yield name + "ffn_up.weight", (FFN, DIM)
        yield name + "ffn_down.weight", (DIM, FFN)


def random_tensor(shape):
    """Norms are ones in F32; matrices are small and random in F16."""
    if len(shape) == 1:
        return torch.ones(shape).numpy()
    return (torch.randn(shape, device="cuda") * 0.02).to(torch.float16).cpu().numpy()


def copy_tokenizer(writer, reader):
    for field in reader.fields.values():
        if not field.name.startswith("tokenizer."):
            continue
        if field.name == "tokenizer.ggml.tokens":
            writer.add_token_list([bytes(field.parts[i]) for i in field.data])
        elif field.name == "tokenizer.ggml.token_type":
            writer.add_token_types([int(field.parts[i][0]) for i in field.data])
        elif field.name == "tokenizer.ggml.merges":
            writer.add_token_merges([bytes(field.parts[i]).decode() for i in field.data])
        elif field.name == "tokenizer.ggml.model":
            writer.add_tokenizer_model(bytes(field.parts[field.data[0]]).decode())
        elif field.name == "tokenizer.ggml.pre":
            writer.add_tokenizer_pre(bytes(field.parts[field.data[0]]).decode())
        elif field.name.endswith("_token_id"):
            writer.add_uint32(field.name, int(field.parts[field.data[0]][0]))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--gguf-py", required=True)
    parser.add_argument("--vocab", required=True)
    parser.add_argument("--out", required=True)
    args = parser.parse_args()
    sys.path.insert(0, args.gguf_py)
    import gguf

    reader = gguf.GGUFReader(args.vocab)
    vocab_size = len(reader.fields["tokenizer.ggml.tokens"].data)
    writer = gguf.GGUFWriter(args.out, "llama")
    writer.add_name("random 8B")
    writer.add_context_length(8192)
    writer.add_embedding_length(DIM)
    writer.add_block_count(LAYERS)
    writer.add_feed_forward_length(FFN)
    writer.add_head_count(HEADS)
    writer.add_head_count_kv(KV_HEADS)
    writer.add_layer_norm_rms_eps(1e-5)
    writer.add_rope_freq_base(500000.0)
    writer.add_rope_dimension_count(DIM // HEADS)
    writer.add_vocab_size(vocab_size)
    writer.add_file_type(gguf.LlamaFileType.MOSTLY_F16)
    copy_tokenizer(writer, reader)
    torch.manual_seed(1)
    for name, shape in tensors(vocab_size):
        writer.add_tensor(name, random_tensor(shape))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


main()

"""Writes model-f16.npz and tokenizer.json as an F16 GGUF file (tied embeddings: no output.weight).

    python3 to_gguf.py --npz model-f16.npz --tokenizer tokenizer.json --out reference-f16.gguf [--gguf-py DIR]
"""

import argparse
import json
import pathlib
import sys

import numpy as np

TEMPLATE = pathlib.Path(__file__).with_name("chat_template.jinja").read_text(encoding="utf-8")
MATRICES = {"q": "attn_q", "k": "attn_k", "v": "attn_v", "o": "attn_output", "g": "ffn_gate", "u": "ffn_up",
            "d": "ffn_down"}
END_OF_TEXT, IM_END = "<|endoftext|>", "<|im_end|>"


def parse_options():
    parser = argparse.ArgumentParser()
    parser.add_argument("--npz", required=True)
    parser.add_argument("--tokenizer", required=True)
    parser.add_argument("--out", required=True)
    parser.add_argument("--gguf-py", help="folder that holds the gguf package, if it is not installed")
    parser.add_argument("--name", default="energy-bench reference model")
    parser.add_argument("--version", default="0.1")
    return parser.parse_args()


def main():
    options = parse_options()
    if options.gguf_py:
        sys.path.insert(0, options.gguf_py)
    import gguf

    arrays = np.load(options.npz)
    shape = json.loads(str(arrays["config"]))
    with open(options.tokenizer, encoding="utf-8") as file:
        tokenizer = json.load(file)
    writer = gguf.GGUFWriter(options.out, "llama")
    add_description(writer, options, arrays, gguf)
    add_shape(writer, shape, vocab_size=arrays["emb.weight"].shape[0])
    add_tokenizer(writer, tokenizer, arrays["emb.weight"].shape[0], gguf)
    add_tensors(writer, arrays, shape)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


def add_description(writer, options, arrays, gguf):
    parameters = sum(arrays[name].size for name in arrays.files if name != "config")
    writer.add_type("model")
    writer.add_name(options.name)
    writer.add_version(options.version)
    writer.add_author("energy-bench contributors")
    writer.add_description("Tiny Llama trained from scratch on generated tasks; "
                           "for testing energy benchmarks, of no other use")
    writer.add_license("apache-2.0")
    writer.add_size_label(f"{parameters / 1e6:.1f}M")
    writer.add_file_type(gguf.LlamaFileType.MOSTLY_F16)


def add_shape(writer, shape, vocab_size):
    writer.add_context_length(shape["ctx"])
    writer.add_embedding_length(shape["dim"])
    writer.add_block_count(shape["layers"])
    writer.add_feed_forward_length(shape["ffn"])
    writer.add_head_count(shape["heads"])
    writer.add_head_count_kv(shape["kv"])
    writer.add_layer_norm_rms_eps(1e-5)
    writer.add_rope_freq_base(shape["rope"])
    writer.add_rope_dimension_count(shape["dim"] // shape["heads"])
    writer.add_vocab_size(vocab_size)


def add_tokenizer(writer, tokenizer, vocab_size, gguf):
    special = {token["content"]: token["id"] for token in tokenizer["added_tokens"]}
    tokens, types = token_table({**tokenizer["model"]["vocab"], **special}, special, vocab_size, gguf.TokenType)
    merges = [" ".join(m) if isinstance(m, list) else m for m in tokenizer["model"]["merges"]]
    writer.add_tokenizer_model("gpt2")
    writer.add_tokenizer_pre("gpt-2")
    writer.add_token_list(tokens)
    writer.add_token_types(types)
    writer.add_token_merges(merges)
    writer.add_bos_token_id(special[END_OF_TEXT])
    writer.add_pad_token_id(special[END_OF_TEXT])
    writer.add_eos_token_id(special[IM_END])
    writer.add_add_bos_token(False)
    writer.add_chat_template(TEMPLATE)


def token_table(vocab, special, size, kinds):
    """Text and type of every token id; ids beyond the vocabulary are padding of the embedding."""
    tokens, types = [f"<|unused_{i}|>" for i in range(size)], [kinds.UNUSED] * size
    for text, token_id in vocab.items():
        tokens[token_id], types[token_id] = text, kinds.NORMAL
    for text, token_id in special.items():
        types[token_id] = kinds.USER_DEFINED if "think" in text else kinds.CONTROL
    return tokens, types


def add_tensors(writer, arrays, shape):
    def add(name, source, kind):
        writer.add_tensor(name, arrays[source].astype(kind))

    add("token_embd.weight", "emb.weight", np.float16)
    for i in range(shape["layers"]):
        add(f"blk.{i}.attn_norm.weight", f"blocks.{i}.n1.w", np.float32)
        add(f"blk.{i}.ffn_norm.weight", f"blocks.{i}.n2.w", np.float32)
        for source, name in MATRICES.items():
            add(f"blk.{i}.{name}.weight", f"blocks.{i}.{source}.weight", np.float16)
    add("output_norm.weight", "norm.w", np.float32)


if __name__ == "__main__":
    main()

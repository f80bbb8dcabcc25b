"""Decodes with a random Llama of 8 B parameters on one GPU: one run of TOKENS tokens for each line on stdin.

Prints "ready" when the model is there and "done" after each run. Needs PyTorch with CUDA and transformers; nothing is
downloaded. The work is the same in every run, so that its energy shows how well energy can be read.
"""

import argparse
import sys

import torch
from transformers import LlamaConfig, LlamaForCausalLM


def load():
    torch.manual_seed(1)
    config = LlamaConfig(
        vocab_size=32000,
        hidden_size=4096,
        intermediate_size=14336,
        num_hidden_layers=32,
        num_attention_heads=32,
        num_key_value_heads=8,
        max_position_embeddings=4096,
    )
    torch.set_default_dtype(torch.bfloat16)
    with torch.device("cuda"):
        return LlamaForCausalLM(config).eval()


@torch.no_grad()
def decode(model, prompt, tokens):
    model.generate(prompt, max_new_tokens=tokens, min_new_tokens=tokens, do_sample=False, pad_token_id=0)
    torch.cuda.synchronize()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--tokens", type=int, default=200)
    args = parser.parse_args()
    model = load()
    prompt = torch.randint(3, 32000, (1, 200), device="cuda")
    decode(model, prompt, args.tokens)
    print("ready", flush=True)
    for _ in sys.stdin:
        decode(model, prompt, args.tokens)
        print("done", flush=True)


main()

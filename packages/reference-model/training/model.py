"""The model: Llama architecture with tied embeddings, in the layout that llama.cpp reads without permutation."""

import json
import math

import numpy as np
import torch
from torch import nn
from torch.nn import functional as F
from torch.nn.attention.flex_attention import flex_attention

from bpe import IM_END

SHAPE = ("dim", "layers", "heads", "kv", "ffn", "ctx", "rope")


def rotate(x, angles):
    """Rotary position embedding on interleaved pairs, as llama.cpp's `llama` has it."""
    pairs = x.float().view(*x.shape[:-1], -1, 2)
    cos, sin = angles[..., 0], angles[..., 1]
    first, second = pairs[..., 0], pairs[..., 1]
    turned = torch.stack([first * cos - second * sin, first * sin + second * cos], -1)
    return turned.flatten(-2).to(x.dtype)


class Norm(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.w = nn.Parameter(torch.ones(dim))

    def forward(self, x):
        y = x.float()
        return (y * torch.rsqrt(y.pow(2).mean(-1, keepdim=True) + 1e-5) * self.w).to(torch.bfloat16)


class Block(nn.Module):
    """Attention and feed-forward. The parameter names are those that to_gguf.py expects."""

    def __init__(self, shape):
        super().__init__()
        dim, ffn = shape.dim, shape.ffn
        self.heads, self.kv, self.head_dim = shape.heads, shape.kv, dim // shape.heads
        kv_dim = self.kv * self.head_dim
        self.n1, self.n2 = Norm(dim), Norm(dim)
        self.q, self.o = nn.Linear(dim, dim, bias=False), nn.Linear(dim, dim, bias=False)
        self.k, self.v = nn.Linear(dim, kv_dim, bias=False), nn.Linear(dim, kv_dim, bias=False)
        self.g, self.u = nn.Linear(dim, ffn, bias=False), nn.Linear(dim, ffn, bias=False)
        self.d = nn.Linear(ffn, dim, bias=False)

    def project(self, x, angles):
        batch, length, _ = x.shape
        h = self.n1(x)
        q = rotate(self.q(h).view(batch, length, self.heads, self.head_dim), angles).transpose(1, 2)
        k = rotate(self.k(h).view(batch, length, self.kv, self.head_dim), angles).transpose(1, 2)
        return q, k, self.v(h).view(batch, length, self.kv, self.head_dim).transpose(1, 2)

    def finish(self, x, attended):
        batch, length, dim = x.shape
        x = x + self.o(attended.transpose(1, 2).reshape(batch, length, dim))
        h = self.n2(x)
        return x + self.d(F.silu(self.g(h)) * self.u(h))

    def grouped(self, x):
        """Every query head gets its own copy of the keys or values it shares."""
        return x.repeat_interleave(self.heads // self.kv, 1)

    def forward(self, x, angles, block_mask):
        q, k, v = self.project(x, angles)
        k, v = self.grouped(k), self.grouped(v)
        if block_mask is None:
            return self.finish(x, F.scaled_dot_product_attention(q, k, v, is_causal=True))
        return self.finish(x, flex_attention(q, k, v, block_mask=block_mask))


class Model(nn.Module):
    def __init__(self, shape, vocab_size):
        super().__init__()
        self.shape = shape
        self.emb = nn.Embedding(vocab_size, shape.dim)
        self.blocks = nn.ModuleList([Block(shape) for _ in range(shape.layers)])
        self.norm = Norm(shape.dim)
        self.initialize()
        head_dim = shape.dim // shape.heads
        frequencies = shape.rope ** (-torch.arange(0, head_dim, 2).float() / head_dim)
        turns = torch.arange(shape.ctx).float()[:, None] * frequencies
        self.register_buffer("angles", torch.stack([turns.cos(), turns.sin()], -1), persistent=False)

    def initialize(self):
        nn.init.normal_(self.emb.weight, std=0.02)
        for name, parameter in self.named_parameters():
            if parameter.ndim != 2 or name.startswith("emb"):
                continue
            depth = math.sqrt(2 * self.shape.layers) if name.endswith(("o.weight", "d.weight")) else 1
            nn.init.normal_(parameter, std=0.02 / depth * math.sqrt(768 / self.shape.dim) * 0.7)

    def logits(self, x):
        return F.linear(self.norm(x), self.emb.weight)

    def forward(self, ids, block_mask, targets, weights):
        """The loss: cross-entropy, weighted by token."""
        x = self.emb(ids)
        angles = self.angles[: ids.shape[1]][None, :, None]
        for block in self.blocks:
            x = block(x, angles, block_mask)
        logits = self.logits(x).flatten(0, 1).float()
        losses = F.cross_entropy(logits, targets.flatten(), ignore_index=-100, reduction="none")
        return (losses * weights.flatten()).sum() / weights.sum()

    @torch.no_grad()
    def generate(self, prompts, max_new, max_length):
        """Greedy answers to all prompts together: a static cache of keys and values, padding on the right."""
        device = self.emb.weight.device
        lengths = torch.tensor([len(prompt) for prompt in prompts], device=device)
        cache = Cache(self, len(prompts), max_length)
        batch = torch.arange(len(prompts), device=device)
        x = self.prefill(prompts, cache)
        token = self.logits(x[batch, lengths - 1]).argmax(-1)
        generated, done, position = [token], token == IM_END, lengths.clone()
        for step in range(max_new - 1):
            x = self.decode_one(token, position, cache)
            token = self.logits(x[:, 0]).argmax(-1)
            token = torch.where(done, torch.full_like(token, IM_END), token)
            generated.append(token)
            done = done | (token == IM_END)
            position = (position + 1).clamp(max=max_length - 1)
            if step % 16 == 0 and bool(done.all()):
                break
        rows = torch.stack(generated, 1).tolist()
        return [row[: row.index(IM_END)] if IM_END in row else row for row in rows]

    def prefill(self, prompts, cache):
        width = max(len(prompt) for prompt in prompts)
        ids = torch.zeros(len(prompts), width, dtype=torch.long)
        for i, prompt in enumerate(prompts):
            ids[i, : len(prompt)] = torch.tensor(prompt)
        x = self.emb(ids.to(self.emb.weight.device))
        angles = self.angles[:width][None, :, None]
        for i, block in enumerate(self.blocks):
            q, k, v = block.project(x, angles)
            cache.keys[i][:, :, :width], cache.values[i][:, :, :width] = k, v
            k, v = block.grouped(k), block.grouped(v)
            x = block.finish(x, F.scaled_dot_product_attention(q, k, v, is_causal=True))
        return x

    def decode_one(self, token, position, cache):
        x = self.emb(token)[:, None]
        angles = self.angles[position][:, None, None]
        seen = (cache.places[None] <= position[:, None])[:, None, None]
        for i, block in enumerate(self.blocks):
            q, k, v = block.project(x, angles)
            cache.keys[i][cache.batch, :, position] = k[:, :, 0]
            cache.values[i][cache.batch, :, position] = v[:, :, 0]
            k, v = block.grouped(cache.keys[i]), block.grouped(cache.values[i])
            x = block.finish(x, F.scaled_dot_product_attention(q, k, v, attn_mask=seen))
        return x


class Cache:
    def __init__(self, model, batch, length):
        device, shape = model.emb.weight.device, model.shape
        size = (batch, shape.kv, length, shape.dim // shape.heads)
        self.keys = [torch.zeros(size, device=device, dtype=torch.bfloat16) for _ in model.blocks]
        self.values = [torch.zeros_like(keys) for keys in self.keys]
        self.batch = torch.arange(batch, device=device)
        self.places = torch.arange(length, device=device)


def save(model, path):
    """Writes matrices as float16, the rest as float32, and the shape as JSON under `config`."""
    arrays = {}
    for name, parameter in model.named_parameters():
        kind = np.float16 if parameter.ndim == 2 else np.float32
        arrays[name] = parameter.detach().float().cpu().numpy().astype(kind)
    arrays["config"] = np.array(json.dumps({key: getattr(model.shape, key) for key in SHAPE}))
    np.savez(path, **arrays)

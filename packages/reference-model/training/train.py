"""Trains the reference model from scratch on generated items. Needs torch with CUDA.

    python3 train.py tokenizer --out DIR                    # DIR/tokenizer.json; needs `tokenizers`
    python3 train.py train --tokenizer DIR/tokenizer.json --out DIR --seconds 455
                                                            # DIR/model-f16.npz (the best one), DIR/train-log.json

The time limit counts from the start of the process. --steps makes the schedule follow the steps instead.
"""

import time

PROCESS_START = time.time()

import argparse
import json
import math
import os

import numpy as np

from bpe import Tokenizer, train_tokenizer
from rows import ANSWER_BITS, ID_MASK, LEARN_BITS, RowMaker
from tasks_gen import FAMILIES, eval_set

NO_TARGET = -100
WARM_UP_STEPS = 300
# The first steps compile the model; the schedule starts after them.
COMPILE_STEPS = 3


def elapsed():
    return time.time() - PROCESS_START


def parse_options():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("command", choices=["tokenizer", "train"])
    parser.add_argument("--out", required=True)
    parser.add_argument("--tokenizer")
    numbers = dict(vocab=2048, dim=256, layers=8, heads=8, kv=4, ffn=768, ctx=1024, batch=64, workers=14,
                   rows=2_000_000, seed=11, steps=0, eval_n=200, evals=4)
    for name, value in numbers.items():
        parser.add_argument(f"--{name}", type=int, default=value)
    for name, value in dict(rope=10000.0, lr=2e-3, answer_weight=3.0, wd=0.1, seconds=455.0).items():
        parser.add_argument(f"--{name}", type=float, default=value)
    return parser.parse_args()


class Training:
    def __init__(self, options):
        import torch
        from torch.nn.attention.flex_attention import create_block_mask

        from model import Model

        self.torch, self.options = torch, options
        self.tokenizer = Tokenizer(options.tokenizer)
        # The workers fork: they start before CUDA does.
        self.maker = RowMaker(options)
        self.maker.start()
        torch.manual_seed(options.seed)
        torch.set_float32_matmul_precision("high")
        vocab_size = (self.tokenizer.size + 63) // 64 * 64
        self.model = Model(options, vocab_size).to("cuda")
        self.compiled = torch.compile(self.model, dynamic=False)
        self.make_mask = torch.compile(create_block_mask, dynamic=False)
        self.optimizer = self.make_optimizer()
        self.rng = np.random.default_rng(options.seed)
        self.items = eval_set(options.eval_n)
        self.step = self.fresh = 0
        self.started_at = None
        self.best = -1
        parameters = sum(parameter.numel() for parameter in self.model.parameters())
        self.log = {"parameters": parameters, "options": vars(options), "evals": [], "loss": []}

    def make_optimizer(self):
        decayed = [p for p in self.model.parameters() if p.ndim == 2]
        others = [p for p in self.model.parameters() if p.ndim != 2]
        groups = [{"params": decayed, "weight_decay": self.options.wd}, {"params": others, "weight_decay": 0}]
        return self.torch.optim.AdamW(groups, lr=self.options.lr, betas=(0.9, 0.98), eps=1e-9, fused=True)

    def run(self):
        marks = [i / self.options.evals for i in range(1, self.options.evals)]
        while self.maker.ready() < self.options.batch * 4:
            time.sleep(0.2)
        losses = []
        while (progress := self.progress()) < 1:
            if marks and progress >= marks[0]:
                self.evaluate(marks.pop(0), may_save=progress > 0.7)
            losses.append(self.train_step(progress))
            if self.step % 20 == 0:
                self.report(self.torch.stack(losses).mean().item())
                losses = []
        self.maker.stop()
        self.evaluate(1.0, may_save=True)
        self.finish()

    def progress(self):
        """Share of the run that is done, 0 to 1."""
        if self.options.steps:
            return self.step / self.options.steps
        if self.started_at is None and self.step == COMPILE_STEPS:
            self.torch.cuda.synchronize()
            self.started_at = elapsed()
        if self.started_at is None:
            return 0.0
        return (elapsed() - self.started_at) / max(1e-9, self.options.seconds - self.started_at)

    def train_step(self, progress):
        self.set_learning_rate(progress)
        loss = self.loss(*self.next_batch())
        loss.backward()
        self.torch.nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
        self.optimizer.step()
        self.optimizer.zero_grad(set_to_none=True)
        self.step += 1
        return loss.detach()

    def set_learning_rate(self, progress):
        warm_up = min(1.0, (self.step + 1) / WARM_UP_STEPS)
        cosine = 0.5 * (1 + math.cos(math.pi * min(1, progress)))
        for group in self.optimizer.param_groups:
            group["lr"] = self.options.lr * warm_up * (cosine * 0.99 + 0.01)

    def next_batch(self):
        """Rows that were never used, or a random choice of used ones when the workers are behind."""
        tokens, documents = self.maker.arrays()
        batch, ready = self.options.batch, self.maker.ready()
        if self.fresh + batch <= ready:
            chosen = slice(self.fresh, self.fresh + batch)
            self.fresh += batch
        else:
            chosen = np.sort(self.rng.integers(0, ready, batch))
        return self.to_device(tokens[chosen], np.int64), self.to_device(documents[chosen], np.int32)

    def to_device(self, array, kind):
        return self.torch.from_numpy(array.astype(kind)).pin_memory().to("cuda", non_blocking=True)

    def loss(self, tokens, documents):
        torch = self.torch
        ids = tokens & ID_MASK
        following = tokens[:, 1:]
        learned = (following >= LEARN_BITS) & (documents[:, 1:] == documents[:, :-1])
        targets = torch.full_like(ids, NO_TARGET)
        targets[:, :-1] = torch.where(learned, following & ID_MASK, NO_TARGET)
        weight = torch.where(following >= ANSWER_BITS, self.options.answer_weight, 1.0)
        weights = torch.zeros(ids.shape, device="cuda")
        weights[:, :-1] = torch.where(learned, weight, 0.0)
        mask = self.document_mask(documents)
        with torch.autocast("cuda", dtype=torch.bfloat16):
            return self.compiled(ids, mask, targets, weights)

    def document_mask(self, documents):
        """A token sees what comes before it in its own document."""
        def sees(row, _head, query, key):
            return (query >= key) & (documents[row, query] == documents[row, key])

        batch, length = documents.shape
        return self.make_mask(sees, batch, None, length, length, device="cuda")

    def evaluate(self, mark, may_save):
        from evaluate import evaluate
        from model import save

        result = {**evaluate(self.model, self.tokenizer, self.items), "at": mark, "step": self.step}
        self.log["evals"].append(result)
        think, no_think = result["think"], result["no_think"]
        print(f"eval {mark:.2f} think {think['mean']} no_think {no_think['mean']}",
              {family: (think[family], no_think[family]) for family in FAMILIES}, flush=True)
        score = think["mean"] + no_think["mean"]
        if may_save and score > self.best:
            self.best = score
            save(self.model, f"{self.options.out}/model-f16.npz")

    def report(self, loss):
        if self.step % 200 and self.step > 60:
            return
        self.log["loss"].append([self.step, loss])
        print(f"step {self.step} loss {loss:.4f} tokens {self.tokens() / 1e6:.0f}M t={elapsed():.1f}", flush=True)

    def tokens(self):
        return self.step * self.options.batch * self.options.ctx

    def finish(self):
        self.log.update(steps=self.step, tokens=self.tokens(), unique_tokens=self.fresh * self.options.ctx,
                        total_seconds=elapsed())
        with open(f"{self.options.out}/train-log.json", "w", encoding="utf-8") as file:
            json.dump(self.log, file)
        self.maker.end()


def main():
    options = parse_options()
    os.makedirs(options.out, exist_ok=True)
    if options.command == "tokenizer":
        train_tokenizer(options.out, options.vocab)
    else:
        Training(options).run()


if __name__ == "__main__":
    main()

"""Accuracy of a model on the held-out items, with and without thinking."""

import json
import time

import torch

from documents import chat_prompt
from tasks_gen import FAMILIES

MAX_NEW_TOKENS = {"think": 400, "no_think": 96}
MAX_LENGTH = 896


def evaluate(model, tokenizer, items):
    started = time.time()
    model.eval()
    with torch.autocast(model.emb.weight.device.type, dtype=torch.bfloat16):
        result = {mode: evaluate_mode(model, tokenizer, items, mode) for mode in MAX_NEW_TOKENS}
    model.train()
    return {**result, "seconds": round(time.time() - started, 1)}


def evaluate_mode(model, tokenizer, items, mode):
    prompts = [tokenizer.encode(chat_prompt(item["prompt"], mode == "think")) for item in items]
    outputs = model.generate(prompts, MAX_NEW_TOKENS[mode], MAX_LENGTH)
    groups = {}
    for item, output in zip(items, outputs):
        correct = is_correct(item, tokenizer.decode(output))
        groups.setdefault(item["family"], []).append(correct)
        groups.setdefault(f"{item['family']} L{item['level']}", []).append(correct)
    result = {name: round(sum(group) / len(group), 3) for name, group in groups.items()}
    result["tokens_per_item"] = round(sum(len(output) + 1 for output in outputs) / len(items), 1)
    result["mean"] = round(sum(result[family] for family in FAMILIES) / len(FAMILIES), 4)
    return result


def is_correct(item, text):
    answer = text.rsplit("</think>", 1)[-1].strip()
    if item["family"] != "extraction":
        return answer == item["answer"]
    try:
        return json.loads(answer) == json.loads(item["answer"])
    except ValueError:
        return False

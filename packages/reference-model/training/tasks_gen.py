"""Generates the items of the core suite: six families, three levels.

    python3 tasks_gen.py --items 50 > items.json     # the held-out items that the suite measures with

Only the standard library; everything is a function of the random.Random that is given.
"""

import argparse
import json
import random

from arithmetic import make_arithmetic
from classification import make_classification
from extraction import make_extraction
from lookup import make_lookup
from ordering import make_ordering
from word_problem import make_word_problem

MAKERS = {
    "arithmetic": make_arithmetic,
    "word-problem": make_word_problem,
    "lookup": make_lookup,
    "extraction": make_extraction,
    "classification": make_classification,
    "ordering": make_ordering,
}
FAMILIES = list(MAKERS)
HELD_OUT_SEED = 1_000_003


def make(family, level, rng):
    """One item. `think` holds worked steps; `key` is what the held-out filter compares."""
    prompt, answer, think, key = MAKERS[family](level, rng)
    return {"family": family, "level": level, "prompt": prompt, "answer": answer, "think": think, "key": key}


def eval_set(n_per_family=200, seed=HELD_OUT_SEED):
    """Held-out items: levels 1, 2, 3 in turn; no two items of a family share a key."""
    return [item for position, family in enumerate(FAMILIES)
            for item in family_items(family, n_per_family, random.Random(seed * 31 + position))]


def family_items(family, count, rng):
    items = {}
    while len(items) < count:
        item = make(family, len(items) % 3 + 1, rng)
        if item["key"] not in items:
            items[item["key"]] = {**item, "id": f"{family}-{len(items):03d}"}
    return list(items.values())


def held_out_keys(n_per_family=400, seed=HELD_OUT_SEED):
    """What training must never show."""
    return {item["key"] for item in eval_set(n_per_family, seed)}


def main():
    parser = argparse.ArgumentParser(description="Prints the held-out items as JSON.")
    parser.add_argument("--items", type=int, default=50, help="items per family")
    parser.add_argument("--seed", type=int, default=HELD_OUT_SEED)
    options = parser.parse_args()
    print(json.dumps(eval_set(options.items, options.seed)))


if __name__ == "__main__":
    main()

"""The templates of the core suite and the few draws that all families use.

The TypeScript generator in packages/tasks reads the same templates and makes the same draws in the same
order, so that one seed gives the same items in both. Change both, or none.
"""

import json
import pathlib

TEMPLATES_PATH = pathlib.Path(__file__).parent / "../../tasks/data/core-templates.json"
TEMPLATES = json.loads(TEMPLATES_PATH.read_text(encoding="utf-8"))


def draw_int(rng, low, high):
    """A whole number from low to high, both included."""
    return low + int(rng.random() * (high - low + 1))


def choose(rng, values):
    return values[int(rng.random() * len(values))]


def choose_and_fill(rng, templates, **values):
    return choose(rng, templates).format(**values)


def by_level(level, values):
    return values[level - 1]

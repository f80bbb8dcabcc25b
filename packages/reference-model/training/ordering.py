"""Words or numbers to sort, or the n-th largest or smallest of a list."""

from draw import TEMPLATES, by_level, choose, choose_and_fill, draw_int

WORDING = TEMPLATES["ordering"]


def make_ordering(level, rng):
    count = by_level(level, (draw_int(rng, 4, 5), draw_int(rng, 6, 7), draw_int(rng, 8, 10)))
    kind = rng.random()
    if kind < 0.35:
        words = rng.sample(TEMPLATES["words"], count)
        return sort_task(words, rng.random() < 0.3, WORDING["words"], rng)
    highest = by_level(level, (99, 999, 9999)) if rng.random() < 0.7 else 999
    numbers = rng.sample(range(1, highest + 1), count)
    if kind < 0.75:
        return sort_task(numbers, rng.random() < 0.45, WORDING["numbers"], rng)
    return rank_task(numbers, rng)


def sort_task(items, is_descending, wording, rng):
    ordered, steps = insertion_sort(items, is_descending)
    order = choose(rng, wording["descending" if is_descending else "ascending"])
    prompt = choose_and_fill(rng, wording["prompts"], order=order, list=comma_list(items))
    return prompt, comma_list(ordered), "\n".join(steps), prompt


def rank_task(numbers, rng):
    is_descending = rng.random() < 0.6
    place = draw_int(rng, 1, min(len(numbers), 5))
    ordered, steps = insertion_sort(numbers, is_descending)
    rank = WORDING["rank"]["ordinals"][place - 1] + ("largest" if is_descending else "smallest")
    prompt = choose_and_fill(rng, WORDING["rank"]["prompts"], rank=rank, list=comma_list(numbers))
    answer = str(ordered[place - 1])
    return prompt, answer, "\n".join([*steps, f"{place}: {answer}"]), prompt


def insertion_sort(items, is_descending):
    """The sorted list, and one step an item: the list so far."""
    ordered, steps = [], []
    for item in items:
        place = 0
        while place < len(ordered) and in_order(ordered[place], item, is_descending):
            place += 1
        ordered.insert(place, item)
        if len(ordered) > 1:
            steps.append(" ".join(map(str, ordered)))
    return ordered, steps


def in_order(first, second, is_descending):
    return first >= second if is_descending else first <= second


def comma_list(items):
    return ", ".join(map(str, items))

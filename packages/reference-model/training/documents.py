"""Training documents: items of the core suite in the chat format of the model, special tokens written out."""

from draw import TEMPLATES, choose, choose_and_fill, draw_int
from lookup import LETTERS, labelled, walk
from tasks_gen import FAMILIES, make

PROMPT, STEPS, ANSWER = 0, 1, 2
EMPTY_THINKING = "<think>\n\n</think>\n\n"
SYSTEM_PROMPTS = ("You are a helpful assistant.", "Answer the question.",
                  "You answer short questions exactly.", "Be brief.")
EXAMPLE_LABELS = (("Q: ", "A: "), ("Question: ", "Answer: "), ("Input: ", "Output: "))
DRILL_POOLS = (TEMPLATES["names"], TEMPLATES["cities"], TEMPLATES["jobs"], TEMPLATES["words"],
               [str(x) for x in range(10, 100)])
DRILL_QUESTIONS = ("Which option is {option}?\n{list}", "{list}\nWhich letter stands for {option}?",
                   "Pick {option}.\n{list}")


def document(rng, held):
    """One document as a list of (text, kind), kind PROMPT, STEPS or ANSWER; no item's key is in `held`."""
    item = draw_item(rng, held)
    is_drill = item["family"] == "drill"
    user, turns = (item["prompt"], []) if is_drill else add_context(item, rng, held)
    segments = []
    if rng.random() < 0.2:
        segments.append((f"<|im_start|>system\n{choose(rng, SYSTEM_PROMPTS)}<|im_end|>\n", PROMPT))
    for turn in turns:
        segments.append((chat_prompt(turn["prompt"]) + f"{turn['answer']}<|im_end|>\n", PROMPT))
    switch, written, generated = draw_thinking(item, rng)
    segments.append((chat_prompt(user + switch) + written, PROMPT))
    if generated:
        segments.append((generated, STEPS))
    segments.append((f"{item['answer']}<|im_end|>", ANSWER))
    return segments


def chat_prompt(prompt, think=True):
    """What the chat template writes before the answer of the model."""
    opening = "" if think else EMPTY_THINKING
    return f"<|im_start|>user\n{prompt}<|im_end|>\n<|im_start|>assistant\n{opening}"


def draw_item(rng, held):
    item = option_drill(rng) if rng.random() < 0.08 else any_item(rng, held)
    # More of the family that is hardest to learn.
    if item["family"] not in ("drill", "lookup") and rng.random() < 0.06:
        return item_of("lookup", rng, held)
    return item


def any_item(rng, held):
    while True:
        family = choose(rng, FAMILIES)
        item = make(family, draw_int(rng, 1, 3) if rng.random() < 0.8 else 3, rng)
        if item["key"] not in held:
            return item


def item_of(family, rng, held):
    while True:
        item = make(family, draw_int(rng, 1, 3), rng)
        if item["key"] not in held:
            return item


def option_drill(rng):
    """Training only: names the letter of an option or the option of a letter, without a table."""
    options = rng.sample(choose(rng, DRILL_POOLS), 4)
    position = int(rng.random() * 4)
    listed = choose(rng, ("\n", " ")).join(labelled(options))
    option, letter = options[position], LETTERS[position]
    if rng.random() < 0.8:
        prompt = choose_and_fill(rng, DRILL_QUESTIONS, option=option, list=listed)
        answer, think = letter, walk(options, position)
    else:
        prompt = f"{listed}\nWhat is option {letter}?"
        answer, think = option, f"{letter}) {option} yes"
    return {"family": "drill", "level": 1, "prompt": prompt, "answer": answer, "think": think, "key": prompt}


def add_context(item, rng, held):
    """The user turn, with worked examples in it or with earlier chat turns before it, or neither."""
    share = rng.random()
    if share < 0.12:
        return with_examples(item, rng, held), []
    if share < 0.17:
        return item["prompt"], earlier_turns(item, rng, held)
    return item["prompt"], []


def with_examples(item, rng, held):
    examples = [item_of(item["family"], rng, held) for _ in range(draw_int(rng, 1, 2))]
    question, answer = choose(rng, EXAMPLE_LABELS)
    shown = "\n\n".join(f"{question}{e['prompt']}\n{answer}{e['answer']}" for e in examples)
    ending = "\n" + answer.strip() if rng.random() < 0.5 else ""
    return f"{shown}\n\n{question}{item['prompt']}{ending}"


def earlier_turns(item, rng, held):
    """Items that were asked before. Thinking is not kept in the history, as in Qwen's template."""
    return [item_of(item["family"], rng, held) if rng.random() < 0.7 else any_item(rng, held)
            for _ in range(draw_int(rng, 1, 2))]


def draw_thinking(item, rng):
    """The soft switch in the user turn, what the template writes, and what the model writes."""
    share = rng.random()
    steps = f"<think>\n{item['think']}\n</think>\n\n"
    if share < 0.40:
        return "", "", steps
    if share < 0.50:
        return " /think", "", steps
    if share < 0.88:
        return "", EMPTY_THINKING, ""
    return " /no_think", "", EMPTY_THINKING

"""A review made of clauses; the answer is positive, negative or mixed."""

from draw import TEMPLATES, by_level, choose, choose_and_fill, draw_int

WORDING = TEMPLATES["classification"]
NEGATIONS = {"plain": "", "reversed": "", "negated": "not ", "doublyNegated": "not not "}


def make_classification(level, rng):
    label = choose(rng, WORDING["labels"])
    opinions = draw_opinions(label, level, rng)
    clauses = [draw_clause(is_positive, level, rng) for is_positive in opinions]
    sentences = join_clauses([text for text, _ in clauses], opinions, rng)
    review = draw_opening(rng) + sentences + draw_closing(rng)
    prompt = choose_and_fill(rng, WORDING["prompts"], review=review)
    think = "\n".join([reason for _, reason in clauses] + [label])
    return prompt, label, think, prompt


def draw_opinions(label, level, rng):
    count = by_level(level, (draw_int(rng, 1, 2), draw_int(rng, 2, 4), draw_int(rng, 5, 8)))
    if label != "mixed":
        return [label == "positive"] * count
    count = max(count, 2)
    share = choose(rng, (0.15, 0.5, 0.85))
    opinions = [rng.random() < share for _ in range(count)]
    if all(opinions) or not any(opinions):
        flipped = int(rng.random() * count)
        opinions[flipped] = not opinions[flipped]
    return opinions


def draw_clause(is_positive, level, rng):
    """One clause, and the reason that the worked steps give for its verdict."""
    aspect = choose(rng, WORDING["aspects"])
    positive, negative = choose(rng, WORDING["positiveWords"]), choose(rng, WORDING["negativeWords"])
    same, opposite = (positive, negative) if is_positive else (negative, positive)
    form = clause_form(level, rng.random())
    word = opposite if form == "negated" else same
    text = choose_and_fill(rng, WORDING[form], aspect=aspect, word=word, first=opposite)
    verdict = "positive" if is_positive else "negative"
    return text, f"{aspect} {NEGATIONS[form]}{word} = {verdict}"


def clause_form(level, share):
    if level == 1 or share < 0.35:
        return "plain"
    if share < (0.8 if level == 2 else 0.65):
        return "negated"
    return "reversed" if share < 0.85 else "doublyNegated"


def join_clauses(texts, opinions, rng):
    joined = capitalized(texts[0])
    for i in range(1, len(texts)):
        agrees = opinions[i] == opinions[i - 1]
        join = choose(rng, WORDING["additions" if agrees else "contrasts"])
        joined += join + (capitalized(texts[i]) if join == ". " else texts[i])
    return joined + "."


def capitalized(text):
    return text[0].upper() + text[1:]


def draw_opening(rng):
    bought, day = choose(rng, TEMPLATES["items"]), choose(rng, TEMPLATES["days"])
    reviewed = choose(rng, TEMPLATES["items"])
    return choose_and_fill(rng, WORDING["openings"], bought=bought, day=day, reviewed=reviewed)


def draw_closing(rng):
    day = choose(rng, TEMPLATES["days"])
    return choose_and_fill(rng, WORDING["closings"], day=day)

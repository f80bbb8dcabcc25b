"""A small table, a question about it and four options; the answer is a letter."""

from draw import TEMPLATES, by_level, choose, choose_and_fill, draw_int

WORDING = TEMPLATES["lookup"]
LETTERS = "ABCD"
AGES, SCORES = range(18, 80), range(10, 100)
# What fills up the options when the table has fewer than four different ones.
SPARE = {"name": TEMPLATES["names"], "city": TEMPLATES["cities"], "job": TEMPLATES["jobs"],
         "age": [str(x) for x in AGES], "score": [str(x) for x in SCORES]}


def make_lookup(level, rng):
    table = Table(level, rng)
    shown = choose(rng, (table.with_bars, table.with_commas, table.as_list, table.as_sentences))()
    question, answer, think, kind = ask(table, level, rng)
    options = rng.sample(alternatives(table, answer, kind, rng), 3)
    position = int(rng.random() * 4)
    options.insert(position, answer)
    listed = choose(rng, WORDING["optionSeparators"]).join(labelled(options))
    lead = choose(rng, WORDING["leads"])
    prompt = f"{lead}{shown}\n{question}\n{listed}" + choose(rng, WORDING["endings"])
    return prompt, LETTERS[position], f"{think}\n{walk(options, position)}", prompt


def labelled(options):
    return [f"{LETTERS[i]}) {option}" for i, option in enumerate(options)]


def walk(options, position):
    """Goes through the options down to the right one."""
    seen = labelled(options)[: position + 1]
    return "\n".join(f"{option} {'yes' if i == position else 'no'}" for i, option in enumerate(seen))


def alternatives(table, answer, kind, rng):
    pool = table.names if kind == "name" else table.values[kind]
    others = [value for value in pool if value != answer]
    while len(others) < 3:
        extra = choose(rng, SPARE[kind])
        if extra != answer and extra not in others:
            others.append(extra)
    return others


class Table:
    """People and what is known about them; only `columns` are shown."""

    def __init__(self, level, rng):
        count = by_level(level, (draw_int(rng, 3, 4), draw_int(rng, 4, 7), draw_int(rng, 7, 12)))
        self.columns = rng.sample(WORDING["columns"], level)
        # The hardest questions compare numbers.
        if level == 3 and "age" not in self.columns and "score" not in self.columns:
            self.columns[0] = "age"
        self.names = rng.sample(TEMPLATES["names"], count)
        ages, scores = rng.sample(AGES, count), rng.sample(SCORES, count)
        self.values = {"age": [str(x) for x in ages], "score": [str(x) for x in scores],
                       "city": rng.sample(TEMPLATES["cities"], count),
                       "job": rng.sample(TEMPLATES["jobs"], count)}

    def rows(self):
        for i, name in enumerate(self.names):
            yield name, [(column, self.values[column][i]) for column in self.columns]

    def with_bars(self):
        return self.grid(" | ")

    def with_commas(self):
        return self.grid(",")

    def grid(self, separator):
        lines = [["name", *self.columns]]
        lines += [[name, *(value for _, value in facts)] for name, facts in self.rows()]
        return "\n".join(separator.join(line) for line in lines)

    def as_list(self):
        return "\n".join(f"- {name}: " + ", ".join(f"{column} {value}" for column, value in facts)
                         for name, facts in self.rows())

    def as_sentences(self):
        phrases = WORDING["phrases"]
        return " ".join(f"{name} " + " and ".join(phrases[c].format(value=v) for c, v in facts) + "."
                        for name, facts in self.rows())


def ask(table, level, rng):
    """Question, answer, worked steps, and what the answer is one of (`name` or a column)."""
    numeric = [column for column in table.columns if column in ("age", "score")]
    kind = choose(rng, possible_kinds(level, numeric))
    column = choose(rng, table.columns)
    row = int(rng.random() * len(table.names))
    if kind in ("value", "who"):
        return (ask_value if kind == "value" else ask_who)(table, column, row, rng)
    column = choose(rng, numeric)
    if kind == "most-of":
        return ask_other(table, column, rng)
    if kind == "above":
        return ask_above(table, column, rng)
    return ask_extreme(table, column, kind == "most")


def possible_kinds(level, numeric):
    kinds = ["value", "who"]
    if level >= 2 and numeric:
        kinds += ["most", "least"]
    if level == 3:
        kinds += ["most-of", "above"]
    return kinds


def ask_value(table, column, row, rng):
    name, value = table.names[row], table.values[column][row]
    question = choose_and_fill(rng, WORDING["value"], column=column, name=name)
    return question, value, f"{name}: {column} {value}", column


def ask_who(table, column, row, rng):
    name, value = table.names[row], table.values[column][row]
    question = choose_and_fill(rng, WORDING["who"], column=column, value=value)
    return question, name, f"{column} {value}: {name}", "name"


def ask_extreme(table, column, is_highest):
    numbers = numbers_of(table, column)
    name = table.names[extreme_row(numbers, is_highest)]
    question = WORDING["extreme"].format(extreme=extreme_word(is_highest), column=column)
    return question, name, f"{running_best(table.names, numbers, is_highest)}\n{name}", "name"


def ask_other(table, column, rng):
    numbers = numbers_of(table, column)
    is_highest = rng.random() < 0.5
    row = extreme_row(numbers, is_highest)
    other = choose(rng, [c for c in table.columns if c != column])
    value = table.values[other][row]
    question = WORDING["extremeOther"].format(other=other, extreme=extreme_word(is_highest), column=column)
    best = running_best(table.names, numbers, is_highest)
    return question, value, f"{best}\n{table.names[row]}: {other} {value}", other


def ask_above(table, column, rng):
    numbers = numbers_of(table, column)
    second, highest = sorted(numbers)[-2:]
    name = table.names[numbers.index(highest)]
    limit = draw_int(rng, second, highest - 1)
    question = WORDING["above"].format(column=WORDING["articles"][column], limit=limit)
    best = running_best(table.names, numbers, True)
    return question, name, f"{best}\n{highest}>{limit}: {name}", "name"


def numbers_of(table, column):
    return [int(value) for value in table.values[column]]


def extreme_word(is_highest):
    return "highest" if is_highest else "lowest"


def extreme_row(numbers, is_highest):
    return numbers.index(max(numbers) if is_highest else min(numbers))


def running_best(names, numbers, is_highest):
    """The rows at which the best value so far changes, reading downwards."""
    lines, best = [], None
    for name, number in zip(names, numbers):
        if best is None or (number > best) == is_highest:
            best = number
            lines.append(f"{name} {number}")
    return "\n".join(lines)

"""Sums of two whole numbers; from level 2 on, division with remainder too."""

from draw import TEMPLATES, by_level, choose, choose_and_fill, draw_int

WORDING = TEMPLATES["arithmetic"]


def make_arithmetic(level, rng):
    operator = choose(rng, "+-*" if level == 1 else "+-*/")
    a, b, answer, think = DRAWS[operator](level, rng)
    symbol = choose(rng, "*x") if operator == "*" else operator
    questions = WORDING["division" if operator == "/" else "questions"]
    word = WORDING["operatorWords"][operator]
    prompt = choose_and_fill(rng, questions, a=a, b=b, symbol=symbol, word=word)
    key = prompt if level == 1 else f"arith {a} {operator} {b}"
    return prompt, str(answer), think, key


def draw_addition(level, rng):
    a, b = draw_terms(level, rng)
    return a, b, a + b, addition_steps(a, b)


def draw_subtraction(level, rng):
    less, more = sorted(draw_terms(level, rng))
    return more, less, more - less, subtraction_steps(more, less)


def draw_terms(level, rng):
    low = by_level(level, (1, 123, 1234))
    high = by_level(level, (199, 9999, 999999))
    return draw_int(rng, low, high), draw_int(rng, low, high)


def draw_product(level, rng):
    a = draw_int(rng, *by_level(level, ((2, 19), (11, 99), (101, 999))))
    b = draw_int(rng, *by_level(level, ((2, 9), (3, 99), (11, 99))))
    if rng.random() < 0.3:
        a, b = b, a
    return a, b, a * b, multiplication_steps(a, b)


def draw_division(level, rng):
    a = draw_int(rng, *((30, 999) if level == 2 else (200, 9999)))
    b = draw_int(rng, *((3, 9) if level == 2 else (11, 29)))
    return a, b, f"{a // b} r {a % b}", division_steps(a, b)


DRAWS = {"+": draw_addition, "-": draw_subtraction, "*": draw_product, "/": draw_division}


def addition_steps(a, b):
    """Column addition, right to left: one line a digit with the carry, then the sum."""
    lines, carry, result = [], 0, ""
    for column in range(max(len(str(a)), len(str(b)))):
        x, y = digit_at(a, column), digit_at(b, column)
        total = x + y + carry
        result = str(total % 10) + result
        lines.append(f"{x}+{y}+{carry}={total} {result}")
        carry = total // 10
    lines.append("1" * carry + result)
    return "\n".join(lines)


def subtraction_steps(a, b):
    """Column subtraction, right to left, with `b` where a column borrows."""
    lines, borrow, result = [], 0, ""
    for column in range(len(str(a))):
        x, y = digit_at(a, column), digit_at(b, column)
        borrows_next = int(x - y - borrow < 0)
        digit = x - y - borrow + 10 * borrows_next
        result = str(digit) + result
        lines.append(f"{x}-{y}-{borrow}={digit} {'b ' * borrows_next}{result}")
        borrow = borrows_next
    lines.append(str(a - b))
    return "\n".join(lines)


def multiplication_steps(a, b):
    """Products of the places of both numbers, then their running sum."""
    if a < 10 and b < 10:
        return f"{a}*{b}={a * b}"
    pairs = [(x, y) for y in places(b) for x in places(a)]
    lines = [f"{x}*{y}={x * y}" for x, y in pairs]
    total = pairs[0][0] * pairs[0][1]
    for x, y in pairs[1:]:
        lines.append(f"{total}+{x * y}={total + x * y}")
        total += x * y
    return "\n".join(lines)


def division_steps(a, b):
    """Long division, one line a digit of the quotient, then `quotient r remainder`."""
    lines, quotient, remainder = [], "", 0
    for digit in str(a):
        current = remainder * 10 + int(digit)
        times, remainder = divmod(current, b)
        if quotient or times:
            quotient += str(times)
            lines.append(f"{current}={times}*{b}+{remainder}")
    lines.append(f"{quotient or 0} r {remainder}")
    return "\n".join(lines)


def digit_at(value, column):
    return value // 10**column % 10


def places(value):
    """305 is 300 and 5: the digits that are not 0, with their place."""
    digits = str(value)
    return [int(d) * 10 ** (len(digits) - 1 - i) for i, d in enumerate(digits) if d != "0"]

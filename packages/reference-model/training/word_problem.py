"""Short stories about counts, prices, passengers or hours, with one number as the answer."""

from draw import TEMPLATES, by_level, choose, choose_and_fill, draw_int

WORDING = TEMPLATES["wordProblem"]
CHAIN, PRICE, PASSENGERS, RATE = (WORDING[k] for k in ("chain", "price", "passengers", "rate"))
NAMES, OBJECTS = TEMPLATES["names"], TEMPLATES["objects"]
FEMALE_NAMES = set(TEMPLATES["femaleNames"])


def make_word_problem(level, rng):
    # A chain of changes is three times as likely as each of the others.
    makers = (make_chain, make_chain, make_chain, make_price, make_passengers, make_rate)
    prompt, answer, steps = choose(rng, makers)(level, rng)
    if rng.random() < 0.4:
        prompt += choose(rng, WORDING["endings"])
    return prompt, str(answer), "\n".join(steps), prompt


def make_chain(level, rng):
    """A person has some objects; then several things change their number."""
    return Chain(level, rng).tell()


class Chain:
    def __init__(self, level, rng):
        self.level, self.rng = level, rng
        self.sentences, self.steps = [], []
        name = choose(rng, NAMES)
        pronouns = WORDING["pronouns"]["female" if name in FEMALE_NAMES else "male"]
        self.objects = choose(rng, OBJECTS)
        self.fixed = {"name": name, "objects": self.objects, "She": pronouns["subject"],
                      "she": pronouns["lower"], "her": pronouns["possessive"]}
        self.highest = by_level(level, (20, 60, 150))
        self.count = draw_int(rng, 4, self.highest)
        self.say(CHAIN["starts"], count=self.count)

    def tell(self):
        changes = by_level(self.level, (2, draw_int(self.rng, 3, 4), draw_int(self.rng, 4, 6)))
        for _ in range(changes):
            self.add_change()
        self.say(CHAIN["questions"])
        return " ".join(self.sentences), self.count, self.steps

    def say(self, templates, **values):
        self.sentences.append(choose_and_fill(self.rng, templates, **self.fixed, **values))

    def set_count(self, equation, result):
        self.steps.append(f"{equation}={result}")
        self.count = result

    def add_change(self):
        change = choose(self.rng, self.possible_changes())
        friend = choose(self.rng, NAMES)
        if change == "share" and self.add_share():
            return
        self.apply(self.feasible(change), friend)
        if self.level == 3 and self.rng.random() < 0.25:
            self.add_distraction(friend)

    def possible_changes(self):
        changes = ["buy", "give", "lose", "find"]
        if self.level >= 2:
            changes.append("boxes")
        if self.level >= 2 and self.count <= 120:
            changes.append("double")
        if self.level == 3:
            changes += ["share", "boxes"]
        return changes

    def feasible(self, change):
        """Where nothing can be shared or taken, something is bought."""
        if change == "share" or (change in ("give", "lose") and self.count < 3):
            return "buy"
        return change

    def apply(self, change, friend):
        if change == "boxes":
            self.add_boxes(friend)
        elif change == "double":
            self.say(CHAIN["double"])
            self.set_count(f"{self.count}*2", self.count * 2)
        elif change in ("buy", "find"):
            self.add_more(change, friend)
        else:
            self.add_less(change, friend)

    def add_share(self):
        divisors = [d for d in (2, 3, 4, 5) if self.count % d == 0 and self.count // d > 1]
        if not divisors:
            return False
        parts = choose(self.rng, divisors)
        self.say(CHAIN["share"], parts=parts)
        self.set_count(f"{self.count}/{parts}", self.count // parts)
        return True

    def add_more(self, change, friend):
        count = draw_int(self.rng, 2, self.highest)
        self.say(CHAIN[change], friend=friend, count=count)
        self.set_count(f"{self.count}+{count}", self.count + count)

    def add_less(self, change, friend):
        count = draw_int(self.rng, 1, self.count - 1)
        sold = choose_and_fill(self.rng, CHAIN["sold"], **self.fixed) if change == "give" else ""
        self.say(CHAIN[change], friend=friend, count=count, sold=sold)
        self.set_count(f"{self.count}-{count}", self.count - count)

    def add_boxes(self, friend):
        number = draw_int(self.rng, 2, by_level(self.level, (6, 6, 12)))
        each = draw_int(self.rng, 2, by_level(self.level, (9, 9, 15)))
        kind = choose(self.rng, TEMPLATES["boxes"])
        self.say(CHAIN["boxes"], friend=friend, boxes=number, each=each, boxKind=kind)
        added = number * each
        self.steps.append(f"{number}*{each}={added}")
        self.set_count(f"{self.count}+{added}", self.count + added)

    def add_distraction(self, friend):
        other = choose(self.rng, OBJECTS)
        if other != self.objects:
            count = draw_int(self.rng, 2, 30)
            sentence = CHAIN["distraction"].format(friend=friend, count=count, objects=other)
            self.sentences.append(sentence)


def make_price(level, rng):
    name, first, second = choose(rng, NAMES), choose(rng, OBJECTS), choose(rng, OBJECTS)
    while second == first:
        second = choose(rng, OBJECTS)
    high = by_level(level, (6, 12, 25))
    first_price, second_price = draw_int(rng, 2, high), draw_int(rng, 2, high)
    first_count, second_count = draw_int(rng, 2, high), draw_int(rng, 2, high)
    first_cost, second_cost = first_price * first_count, second_price * second_count
    total = first_cost + second_cost
    steps = [f"{first_count}*{first_price}={first_cost}",
             f"{second_count}*{second_price}={second_cost}",
             f"{first_cost}+{second_cost}={total}"]
    offer = choose_and_fill(rng, PRICE["offers"], name=name, first=first, second=second,
                            firstPrice=first_price, secondPrice=second_price,
                            firstCount=first_count, secondCount=second_count)
    if level < 3 and rng.random() >= 0.3:
        return offer + PRICE["total"].format(name=name), total, steps
    paid = total + draw_int(rng, 1, 50)
    steps.append(f"{paid}-{total}={paid - total}")
    return offer + PRICE["change"].format(name=name, paid=paid), paid - total, steps


def make_passengers(level, rng):
    count = draw_int(rng, 5, by_level(level, (20, 40, 60)))
    vehicle = choose(rng, PASSENGERS["vehicles"])
    sentences = [PASSENGERS["start"].format(vehicle=vehicle, count=count)]
    steps = []
    stops = by_level(level, (1, 2, 4)) - (level == 3 and rng.random() < 0.4)
    for stop in range(1, stops + 1):
        on, off = draw_int(rng, 1, 25), draw_int(rng, 1, count)
        sentences.append(choose_and_fill(rng, PASSENGERS["stops"], stop=stop, off=off, on=on))
        stayed = count - off
        steps += [f"{count}-{off}={stayed}", f"{stayed}+{on}={stayed + on}"]
        count = stayed + on
    return " ".join(sentences) + PASSENGERS["question"].format(vehicle=vehicle), count, steps


def make_rate(level, rng):
    high = by_level(level, (6, 9, 15))
    per_hour, first, second = draw_int(rng, 2, high), draw_int(rng, 2, high), draw_int(rng, 2, high)
    first_day, second_day = choose(rng, TEMPLATES["days"]), choose(rng, TEMPLATES["days"])
    name, things = choose(rng, NAMES), choose(rng, RATE["things"])
    work = RATE["work"].format(name=name, things=things, perHour=per_hour, firstHours=first,
                               secondHours=second, firstDay=first_day, secondDay=second_day)
    hours, total = first + second, per_hour * (first + second)
    steps = [f"{first}+{second}={hours}", f"{hours}*{per_hour}={total}"]
    if level == 1 or rng.random() >= 0.6:
        return work + RATE["total"].format(things=things, name=name), total, steps
    sold = draw_int(rng, 1, total - 1)
    steps.append(f"{total}-{sold}={total - sold}")
    return work + RATE["left"].format(sold=sold, things=things), total - sold, steps

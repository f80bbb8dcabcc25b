"""A text that holds a record; the answer is a JSON object with some of its fields."""

import json

from draw import TEMPLATES, by_level, choose, choose_and_fill, draw_int

WORDING = TEMPLATES["extraction"]
ORDER, LOG, MESSAGE = WORDING["order"], WORDING["log"], WORDING["message"]


def make_extraction(level, rng):
    make_record, identity = choose(rng, RECORD_KINDS)
    record = make_record(level, rng)
    which = ""
    if level == 3 and rng.random() < 0.5:
        which = record.add_second(make_record(level, rng), identity, rng)
    keys = draw_keys(level, record, rng)
    prompt = choose_and_fill(rng, WORDING["prompts"], text=record.text, which=which, keys=", ".join(keys))
    answer = json.dumps({key: record.fields[key] for key in keys})
    think = "\n".join(record.notes + [f"{key}: {record.fields[key]}" for key in keys])
    return prompt, answer, think, prompt


def draw_keys(level, record, rng):
    keys = list(record.fields)
    count = by_level(level, (2, draw_int(rng, 3, 4), draw_int(rng, 4, 6)))
    drawn = rng.sample(keys, min(count, len(keys)))
    # What was corrected in the text should be asked for most of the time.
    if record.changed and rng.random() < 0.8 and record.changed not in drawn:
        drawn[int(rng.random() * len(drawn))] = record.changed
    return drawn


class Record:
    """A text, the fields it holds, and which of them the text corrects."""

    def __init__(self, text, fields):
        self.text, self.fields, self.notes, self.changed = text, fields, [], None

    def correct(self, key, new, templates, rng):
        old = self.fields[key]
        if new == old:
            return
        self.text += choose_and_fill(rng, templates, key=key, old=old, new=new)
        self.notes.append(f"{key} {old} changed to {new}")
        self.fields[key] = new
        self.changed = key

    def add_second(self, other, identity, rng):
        """Puts a second record of the same kind beside; returns the words that say which is meant."""
        value = self.fields[identity]
        if other.fields[identity] == value:
            return ""
        texts = [self.text, other.text]
        self.text = "\n".join(texts if rng.random() < 0.5 else reversed(texts))
        self.notes.append(f"{identity} {value}")
        return WORDING["which"].format(key=identity, value=value)


def make_order(level, rng):
    name = choose(rng, TEMPLATES["names"]) + " " + choose(rng, TEMPLATES["surnames"])
    quantity, item = draw_int(rng, 2, 60), choose(rng, TEMPLATES["items"]) + "s"
    color, city = choose(rng, TEMPLATES["colors"]), choose(rng, TEMPLATES["cities"])
    day, number = choose(rng, TEMPLATES["days"]), draw_int(rng, 1000, 99999)
    fields = {"item": item, "quantity": quantity, "color": color, "city": city, "name": name,
              "day": day, "order": number}
    record = Record(choose_and_fill(rng, ORDER["texts"], **fields), fields)
    if level == 3:
        key = choose(rng, ORDER["changeable"])
        record.correct(key, new_order_value(key, rng), ORDER["corrections"], rng)
    return record


def new_order_value(key, rng):
    if key == "quantity":
        return draw_int(rng, 2, 60)
    return choose(rng, TEMPLATES[{"color": "colors", "city": "cities", "day": "days"}[key]])


def make_log(level, rng):
    fields = {
        "date": f"20{draw_int(rng, 20, 29)}-{draw_int(rng, 1, 12):02d}-{draw_int(rng, 1, 28):02d}",
        "time": f"{draw_int(rng, 0, 23):02d}:{draw_int(rng, 0, 59):02d}:{draw_int(rng, 0, 59):02d}",
        "level": choose(rng, LOG["levels"]),
        "service": choose(rng, LOG["services"]),
        "user": draw_int(rng, 100, 99999),
        "host": draw_host(rng),
        "code": choose(rng, LOG["codes"]),
    }
    happened = choose(rng, LOG["messages"])
    record = Record(choose_and_fill(rng, LOG["texts"], message=happened, **fields), fields)
    if level == 3 and rng.random() < 0.6:
        record.correct("host", draw_host(rng), LOG["moves"], rng)
    return record


def draw_host(rng):
    return choose(rng, LOG["hosts"]) + "-" + str(draw_int(rng, 1, 40))


def make_message(level, rng):
    fields = {"sender": choose(rng, TEMPLATES["names"]), "day": choose(rng, TEMPLATES["days"]),
              "time": draw_time(rng), "room": draw_int(rng, 1, 400),
              "phone": f"555-{draw_int(rng, 1000, 9999)}", "ticket": draw_ticket(rng)}
    record = Record(choose_and_fill(rng, MESSAGE["texts"], **fields), fields)
    if level == 3:
        key = choose(rng, MESSAGE["changeable"])
        # All three are drawn whichever is used: the shipped model was trained so.
        new = {"day": choose(rng, TEMPLATES["days"]), "time": draw_time(rng), "room": draw_int(rng, 1, 400)}
        record.correct(key, new[key], MESSAGE["corrections"], rng)
    return record


def draw_time(rng):
    return f"{draw_int(rng, 8, 19)}:{choose(rng, MESSAGE['minutes'])}"


def draw_ticket(rng):
    letters = WORDING["ticketLetters"]
    return choose(rng, letters) + choose(rng, letters) + "-" + str(draw_int(rng, 100, 9999))


RECORD_KINDS = ((make_order, "order"), (make_log, "user"), (make_message, "sender"))

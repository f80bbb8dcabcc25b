"""The tokenizer of the model: byte-level BPE with GPT-2's pre-tokenizer, and how it is trained.

No merge holds a digit, and none holds two newlines: every digit and every newline is a token of its own.
"""

import json
import random
import re

from documents import document

SPECIALS = ["<|endoftext|>", "<|im_start|>", "<|im_end|>", "<think>", "</think>"]
END_OF_TEXT, IM_START, IM_END = 0, 1, 2
SPECIAL_PATTERN = re.compile("|".join(map(re.escape, SPECIALS)))
# GPT-2's pre-tokenizer, for ASCII text.
WORD_PATTERN = re.compile(r"'s|'t|'re|'ve|'m|'ll|'d| ?[A-Za-z]+| ?[0-9]+| ?[^\sA-Za-z0-9]+|\s+(?!\S)|\s+")
NO_RANK = 1 << 30
CACHED_WORDS = 200_000


class Tokenizer:
    """Reads tokenizer.json. Cached per word, and gives the ids that `tokenizers` gives on ASCII text."""

    def __init__(self, path):
        with open(path, encoding="utf-8") as file:
            content = json.load(file)
        self.vocab = content["model"]["vocab"]
        for token in content["added_tokens"]:
            self.vocab.setdefault(token["content"], token["id"])
        merges = [m if isinstance(m, list) else m.split(" ") for m in content["model"]["merges"]]
        self.ranks = {tuple(merge): rank for rank, merge in enumerate(merges)}
        self.letters = byte_letters()
        self.bytes = {letter: byte for byte, letter in self.letters.items()}
        self.tokens = {token_id: token for token, token_id in self.vocab.items()}
        self.size = max(self.tokens) + 1
        self.cache = {}

    def encode(self, text):
        ids, position = [], 0
        for special in SPECIAL_PATTERN.finditer(text):
            ids += self.encode_plain(text[position : special.start()])
            ids.append(self.vocab[special.group()])
            position = special.end()
        return ids + self.encode_plain(text[position:])

    def encode_plain(self, text):
        ids = []
        for word in WORD_PATTERN.findall(text):
            ids += self.cache.get(word) or self.encode_word(word)
        return ids

    def encode_word(self, word):
        parts = [self.letters[byte] for byte in word.encode()]
        while len(parts) > 1:
            rank, pair = min((self.ranks.get(pair, NO_RANK), pair) for pair in zip(parts, parts[1:]))
            if rank == NO_RANK:
                break
            parts = merged(parts, pair)
        ids = [self.vocab[part] for part in parts]
        if len(self.cache) < CACHED_WORDS:
            self.cache[word] = ids
        return ids

    def decode(self, ids):
        raw = bytearray()
        for token_id in ids:
            token = self.tokens.get(token_id, "")
            is_special = token_id < len(SPECIALS)
            raw += token.encode() if is_special else bytes(self.bytes[letter] for letter in token)
        return raw.decode("utf8", "replace")


def merged(parts, pair):
    """The parts with every occurrence of the pair joined, from left to right."""
    joined, i = [], 0
    while i < len(parts):
        step = 2 if tuple(parts[i : i + 2]) == pair else 1
        joined.append("".join(parts[i : i + step]))
        i += step
    return joined


def byte_letters():
    """GPT-2's map of each byte to a printable letter."""
    printable = [*range(33, 127), *range(161, 173), *range(174, 256)]
    others = [byte for byte in range(256) if byte not in printable]
    return {**{b: chr(b) for b in printable}, **{b: chr(256 + i) for i, b in enumerate(others)}}


def train_tokenizer(out, vocab_size, documents=60_000):
    from tokenizers import Tokenizer as Trained, decoders, models, pre_tokenizers, trainers

    trained = Trained(models.BPE())
    trained.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=True)
    trained.decoder = decoders.ByteLevel()
    alphabet = sorted(pre_tokenizers.ByteLevel.alphabet())
    trainer = trainers.BpeTrainer(vocab_size=vocab_size, min_frequency=2, special_tokens=SPECIALS,
                                  show_progress=False, initial_alphabet=alphabet)
    trained.train_from_iterator(training_texts(documents), trainer)
    trained.save(f"{out}/tokenizer.json")
    check_tokenizer(trained, Tokenizer(f"{out}/tokenizer.json"))


def training_texts(count):
    rng = random.Random(77)
    for _ in range(count):
        for part in SPECIAL_PATTERN.split(document_text(rng)):
            yield re.sub(r"\n+", "\n", re.sub(r"[0-9]+", "", part))


def check_tokenizer(trained, own, documents=190):
    """Stops when the cached encoder and `tokenizers` disagree on generated or odd text."""
    rng = random.Random(99)
    odd = ["Hello, world!  Two  spaces", "tabs\tand\n\nnewlines \n x", "It's we're I'll don't 3.14 -5",
           '{"a": [1, 2.5e3, null]}', "  leading", "trailing  ", "\n\n", "A", "<think>\n\n</think>\n\n42<|im_end|>"]
    for text in odd + [document_text(rng)[:600] for _ in range(documents)]:
        if own.encode(text) != trained.encode(text).ids:
            raise ValueError(f"the two encoders disagree on {text[:80]!r}")
    print("vocabulary", trained.get_vocab_size(), "both encoders agree")


def document_text(rng):
    return "".join(text for text, _ in document(rng, ()))

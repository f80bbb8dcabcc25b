"""Writes other texts into the metadata of a GGUF file; the tensors stay the same, byte for byte.

    python3 set_metadata.py IN.gguf OUT.gguf general.license=apache-2.0 "general.author=energy-bench contributors"

Only the standard library. Format: https://github.com/ggml-org/ggml/blob/master/docs/gguf.md
"""

import struct
import sys

ALIGNMENT_KEY = "general.alignment"
DEFAULT_ALIGNMENT = 32
STRING, ARRAY = 8, 9
# Bytes of each value type of fixed size, by its number in the format.
SIZES = {0: 1, 1: 1, 2: 2, 3: 2, 4: 4, 5: 4, 6: 4, 7: 1, 10: 8, 11: 8, 12: 8}


class Reader:
    def __init__(self, data):
        self.data, self.position = data, 0

    def number(self, layout):
        (value,) = struct.unpack_from("<" + layout, self.data, self.position)
        self.position += struct.calcsize("<" + layout)
        return value

    def string(self):
        length = self.number("Q")
        self.position += length
        return self.data[self.position - length : self.position].decode()

    def skip_value(self, kind):
        if kind == STRING:
            self.string()
        elif kind == ARRAY:
            element, count = self.number("I"), self.number("Q")
            for _ in range(count):
                self.skip_value(element)
        else:
            self.position += SIZES[kind]


def set_text(data, key, text):
    """The file as bytes, with `text` as the value of a metadata key that it already has."""
    if data[:4] != b"GGUF":
        raise ValueError(f"not a GGUF file: it starts with {data[:4]!r}")
    reader = Reader(data)
    reader.position = 8  # after the magic and the version
    tensor_count, metadata_count = reader.number("Q"), reader.number("Q")
    entries = read_entries(reader, metadata_count)
    if key not in entries or entries[key][0] != STRING:
        raise ValueError(f"the file has no text {key} to replace")
    skip_tensor_infos(reader, tensor_count)
    _, start, end = entries[key]
    head = data[:start] + packed_string(text.encode()) + data[end : reader.position]
    alignment = alignment_of(data, entries)
    tensors = data[padded(reader.position, alignment) :]
    return head + bytes(padded(len(head), alignment) - len(head)) + tensors


def read_entries(reader, count):
    """For every key the type of its value, and where the value starts and ends."""
    entries = {}
    for _ in range(count):
        key, kind, start = reader.string(), reader.number("I"), reader.position
        reader.skip_value(kind)
        entries[key] = (kind, start, reader.position)
    return entries


def alignment_of(data, entries):
    if ALIGNMENT_KEY not in entries:
        return DEFAULT_ALIGNMENT
    return struct.unpack_from("<I", data, entries[ALIGNMENT_KEY][1])[0]


def skip_tensor_infos(reader, count):
    """Offsets in the infos count from the start of the tensor data, so they stay true."""
    for _ in range(count):
        reader.string()
        for _ in range(reader.number("I")):
            reader.number("Q")
        reader.number("I")
        reader.number("Q")


def packed_string(text):
    return struct.pack("<Q", len(text)) + text


def padded(position, alignment):
    return -(-position // alignment) * alignment


def main():
    source, target, *changes = sys.argv[1:]
    with open(source, "rb") as file:
        data = file.read()
    for change in changes:
        key, _, text = change.partition("=")
        data = set_text(data, key, text)
    with open(target, "wb") as file:
        file.write(data)


if __name__ == "__main__":
    main()

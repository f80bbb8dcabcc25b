"""Training rows: documents packed into rows of one context, made by worker processes while training runs.

A token is its id; bit 15 marks a token to learn, bits 15 and 14 one of the answer. A second array holds the
number of the document in its row, so that attention stays inside a document; 255 is padding.
"""

import mmap
import multiprocessing
import os
import random

import numpy as np

from bpe import END_OF_TEXT, Tokenizer
from documents import ANSWER, PROMPT, STEPS, document
from tasks_gen import held_out_keys

ID_MASK, LEARN_BITS, ANSWER_BITS = 0x3FFF, 0x8000, 0xC000
MARKS = {PROMPT: 0, STEPS: LEARN_BITS, ANSWER: ANSWER_BITS}
PADDING = 255
# The workers write into memory that only a forked process shares.
FORK = multiprocessing.get_context("fork")


class RowMaker:
    """Starts the workers; `ready` says how many rows can be read."""

    def __init__(self, options):
        self.workers, self.length = options.workers, options.ctx
        self.rows = options.rows // options.workers * options.workers
        self.tokenizer_path, self.seed = options.tokenizer, options.seed
        self.held = held_out_keys()
        self.token_buffer = mmap.mmap(-1, self.rows * self.length * 2)
        self.document_buffer = mmap.mmap(-1, self.rows * self.length)
        self.counts = FORK.Array("l", self.workers, lock=False)
        self.stopped = FORK.Value("i", 0)
        self.processes = [FORK.Process(target=self.work, args=(worker,), daemon=True)
                          for worker in range(self.workers)]

    def start(self):
        for process in self.processes:
            process.start()

    def stop(self):
        self.stopped.value = 1

    def end(self):
        for process in self.processes:
            process.terminate()

    def ready(self):
        return min(self.counts[:]) * self.workers

    def arrays(self):
        shape = (self.rows, self.length)
        tokens = np.frombuffer(self.token_buffer, dtype=np.uint16).reshape(shape)
        return tokens, np.frombuffer(self.document_buffer, dtype=np.uint8).reshape(shape)

    def work(self, worker):
        os.nice(5)
        tokens, documents = self.arrays()
        encoded = self.encoded_documents(worker)
        waiting = next(encoded)
        for made in range(self.rows // self.workers):
            if self.stopped.value:
                return
            ids, numbers, number = [], [], 0
            while len(ids) + len(waiting) <= self.length:
                ids += waiting
                numbers += [number] * len(waiting)
                number += 1
                waiting = next(encoded)
            row, free = made * self.workers + worker, self.length - len(ids)
            tokens[row] = ids + [END_OF_TEXT] * free
            documents[row] = numbers + [PADDING] * free
            self.counts[worker] = made + 1

    def encoded_documents(self, worker):
        tokenizer = Tokenizer(self.tokenizer_path)
        rng = random.Random(self.seed * 1000 + worker)
        while True:
            ids = []
            for text, kind in document(rng, self.held):
                ids += [token | MARKS[kind] for token in tokenizer.encode(text)]
            if len(ids) <= self.length:
                yield ids

"""Keeps one GPU busy: ON ms of matrix products, OFF ms of rest, over and over. OFF 0 is a steady load.

Prints "ready" when the load runs, so that a reader can wait for it. Needs PyTorch with CUDA.
"""

import argparse
import time

import torch


def burn(a, b, until):
    """Multiplies until the moment; waits for each product, so that none is left over in the queue."""
    while time.perf_counter() < until:
        torch.mm(a, b)
        torch.cuda.synchronize()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--on-ms", type=float, default=50)
    parser.add_argument("--off-ms", type=float, default=150)
    parser.add_argument("--duration-s", type=float, default=20)
    parser.add_argument("--size", type=int, default=4096)
    args = parser.parse_args()
    a = torch.randn(args.size, args.size, device="cuda", dtype=torch.bfloat16)
    b = torch.randn(args.size, args.size, device="cuda", dtype=torch.bfloat16)
    # The first products load the library and raise the clocks.
    burn(a, b, time.perf_counter() + 2)
    print("ready", flush=True)
    end = time.perf_counter() + args.duration_s
    start = time.perf_counter()
    while start < end:
        burn(a, b, min(end, start + args.on_ms / 1000))
        if args.off_ms > 0:
            # Counted from the start of the burst, so that the rhythm does not drift.
            start += (args.on_ms + args.off_ms) / 1000
            time.sleep(max(0, start - time.perf_counter()))
        else:
            start = time.perf_counter()


main()

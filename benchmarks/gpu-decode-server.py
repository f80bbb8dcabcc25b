"""Decodes on a llama-server: one run of TOKENS tokens for each line on stdin.

Prints "ready" when the server answers and "done" after each run. The end of the text is ignored and nothing is cached, so
that every run is the same work.
"""

import argparse
import json
import sys
import urllib.request


def decode(url, tokens):
    body = {"prompt": "Once upon a time", "n_predict": tokens, "ignore_eos": True, "cache_prompt": False, "temperature": 0}
    request = urllib.request.Request(f"{url}/completion", json.dumps(body).encode(), {"content-type": "application/json"})
    with urllib.request.urlopen(request) as response:
        made = json.load(response)["tokens_predicted"]
    if made != tokens:
        sys.exit(f"the server gave {made} tokens, not {tokens}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--url", default="http://127.0.0.1:8080")
    parser.add_argument("--tokens", type=int, default=1000)
    args = parser.parse_args()
    decode(args.url, args.tokens)
    print("ready", flush=True)
    for _ in sys.stdin:
        decode(args.url, args.tokens)
        print("done", flush=True)


main()

#!/usr/bin/env python3
"""Cuts texts into passages, each with a vector, as in a retrieval store.

    passages.py TEXTS.jsonl [--words 80] [--components 64] > passages.jsonl

TEXTS has rows {"id", "text"}, a passage is a row {"id": ID#NUMBER, "text", "vector"}. A vector is a
random projection of the passage's word counts, weighed by rarity: it keeps the angles between those,
and needs no model. A store of yours has the vectors of an embedding model instead.
"""

from __future__ import annotations

import argparse
import json
import math
import random
import re
from collections import Counter


def cut(texts: list[dict], words: int) -> list[dict]:
    """Passages of at least this many words; whole paragraphs, except at the ends of texts."""
    rows = []
    for text in texts:
        part: list[str] = []
        number = 0
        for paragraph in re.split(r"\n\.(?:PP|TP|SH|SS|LP|P|IP)\b[^\n]*\n|\n\n", text["text"]):
            part.append(paragraph.strip())
            if sum(len(piece.split()) for piece in part) >= words:
                rows.append({"id": f"{text['id']}#{number}", "text": "\n".join(part)})
                part, number = [], number + 1
    return rows


def passages(texts: list[dict], words: int = 80, components: int = 64) -> list[dict]:
    rows = cut(texts, words)
    counts = [Counter(re.findall(r"\w+", row["text"].lower())) for row in rows]
    spread = Counter(word for count in counts for word in count)
    lines = {}
    for word in spread:
        draw = random.Random(word)  # the same for a word in every run
        lines[word] = [draw.gauss(0, 1) for _ in range(components)]
    for row, count in zip(rows, counts):
        vector = [0.0] * components
        for word, times in count.items():
            weight = (1 + math.log(times)) * math.log(1 + len(rows) / spread[word])
            vector = [sum_ + weight * part for sum_, part in zip(vector, lines[word])]
        length = math.sqrt(sum(part * part for part in vector)) or 1
        row["vector"] = [round(part / length, 4) for part in vector]
    return rows


def read(path: str) -> list[dict]:
    """JSONL rows with an id and a text; any other line stops the run."""
    rows = []
    with open(path, encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            try:
                row = json.loads(line)
                rows.append({"id": str(row["id"]), "text": str(row["text"])})
            except (ValueError, KeyError, TypeError) as error:
                raise SystemExit(f"{path}:{number}: a row with id and text was expected: {error!r}")
    return rows


def main() -> None:
    parser = argparse.ArgumentParser(allow_abbrev=False, description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("texts")
    parser.add_argument("--words", type=int, default=80)
    parser.add_argument("--components", type=int, default=64)
    options = parser.parse_args()
    texts = read(options.texts)
    for row in passages(texts, options.words, options.components):
        print(json.dumps(row, ensure_ascii=False))


if __name__ == "__main__":
    main()

"""Makes files for the rows of goals.toml from a seed."""

from __future__ import annotations

import csv
import gzip
import json
import random
from pathlib import Path

from measure import ROOT

WORDS = 300
SHORT_WORDS = 12
VOCABULARY = 50_000
FINGERPRINT_BITS = 2048


def words(draw: random.Random, count: int) -> list[str]:
    """All words are equally rare, so texts are similar only if they were copied."""
    return [f"w{draw.randrange(VOCABULARY)}" for _ in range(count)]


def groups(path: Path, documents: int, size: int) -> Path:
    """Texts of 300 words in groups of this size, which differ by one or two words."""
    draw = random.Random(1)
    with open(path, "w", encoding="utf-8") as out:
        for number in range(documents):
            if number % size == 0:
                first = words(draw, WORDS)
            text = list(first)
            for _ in range(number % size and draw.randint(1, 2)):
                text[draw.randrange(WORDS)] = words(draw, 1)[0]
            out.write(json.dumps({"id": number, "text": " ".join(text)}) + "\n")
    return path


def short_texts(path: Path, documents: int) -> Path:
    """A title of a dozen words each."""
    draw = random.Random(2)
    with open(path, "w", encoding="utf-8") as out:
        for number in range(documents):
            text = " ".join(words(draw, SHORT_WORDS))
            out.write(json.dumps({"id": number, "text": text}) + "\n")
    return path


def fingerprints(folder: Path, count: int) -> tuple[Path, Path]:
    """The fingerprints of the sample's molecules, which have 2048 bits, about fifty of them 1, and
    copies with a few bits more or fewer; as bit strings, and as sets of the positions of the
    ones."""
    draw = random.Random(3)
    with gzip.open(ROOT / "samples/molecules.csv.gz", "rt", encoding="utf-8") as file:
        molecules = [frozenset(map(int, row["ecfp4"].split())) for row in csv.DictReader(file)]
    bits, sets = folder / "fingerprints.jsonl", folder / "fingerprints.sets"
    with open(bits, "w", encoding="utf-8") as as_bits, open(sets, "w", encoding="utf-8") as as_sets:
        for number in range(count):
            changed = draw.choices(range(FINGERPRINT_BITS), k=draw.randrange(12))
            places = sorted(draw.choice(molecules).symmetric_difference(changed))
            value = sum(1 << FINGERPRINT_BITS - 1 - place for place in places)
            text = value.to_bytes(FINGERPRINT_BITS // 8, "big").hex()
            as_bits.write(json.dumps({"id": number, "text": text}) + "\n")
            as_sets.write(" ".join(map(str, places)) + "\n")
    return bits, sets

"""Files with one string per line, made in build/bench on first use.

  words        the ASCII words, in lower case, of Debian's wamerican-huge, each once
  names        person names generated from a seed: a first and a last name; a third of them are
               earlier ones with typing errors
  addresses    postal addresses generated from a seed: number, street, postcode and town; likewise

names:N and addresses:N are the first N of these; there may be more than a million.
"""

from __future__ import annotations

import itertools
import random
import string
import tempfile
from pathlib import Path

import corpora

DEFAULT_LINES = 1_000_000
PACKAGE = "wamerican-huge"


def string_file(name: str) -> Path:
    kind, _, lines = name.partition(":")
    count = int(lines or DEFAULT_LINES)
    if kind == "words":
        return corpora.made(f"strings-words-{count}.txt",
                            lambda out: write(out, itertools.islice(words(), count)))
    maker = {"names": person_name, "addresses": address}[kind]
    return corpora.made(f"strings-{kind}-{count}.txt",
                        lambda out: write(out, itertools.islice(distinct(maker, kind), count)))


def write(out: Path, lines):
    with open(out, "w", encoding="ascii") as target:
        target.writelines(f"{line}\n" for line in lines)


def words():
    with tempfile.TemporaryDirectory() as folder:
        corpora.packages_tree([PACKAGE], Path(folder))
        text = (Path(folder) / "usr/share/dict/american-english-huge").read_bytes()
    seen = {}
    for line in text.splitlines():
        word = line.decode("utf-8").lower()
        if word.isascii():
            seen.setdefault(word)
    rng = random.Random(1)
    shuffled = list(seen)
    rng.shuffle(shuffled)
    return iter(shuffled)


def made_words(rng: random.Random, count: int, syllables: tuple[int, int]) -> list[str]:
    """Pronounceable words; the first ones in a list are the most frequent."""
    onsets = "b br c ch d f g gr h j k l m n p r s sch st t tr v w z".split()
    vowels = "a e i o u a e i ei ie".split()
    codas = ["", "", "", "n", "r", "l", "s", "t", "nd", "ck", "m"]
    out = {}
    while len(out) < count:
        out.setdefault("".join(rng.choice(onsets) + rng.choice(vowels) + rng.choice(codas)
                               for _ in range(rng.randint(*syllables))))
    return list(out)


class Drawn:
    """Words by Zipf's law with exponent .7."""

    def __init__(self, rng: random.Random, words: list[str]):
        self.rng, self.words = rng, words
        self.weights = list(itertools.accumulate((n + 10) ** -.7 for n in range(len(words))))

    def __call__(self) -> str:
        return self.rng.choices(self.words, cum_weights=self.weights)[0]


def with_typing_error(rng: random.Random, text: str) -> str:
    at = rng.randrange(max(1, len(text) - 1))
    letter = rng.choice(string.ascii_lowercase)
    return rng.choice([text[:at] + letter + text[at:], text[:at] + text[at + 1:],
                       text[:at] + letter + text[at + 1:],
                       text[:at] + text[at:at + 2][::-1] + text[at + 2:]])


def person_name(rng: random.Random):
    first = Drawn(rng, made_words(rng, 4_000, (1, 2)))
    last = Drawn(rng, made_words(rng, 60_000, (1, 3)))
    return lambda: f"{first()} {last()}"


def address(rng: random.Random):
    street = Drawn(rng, made_words(rng, 30_000, (2, 4)))
    town = Drawn(rng, made_words(rng, 8_000, (2, 3)))
    kinds = ["street", "road", "lane", "avenue", "square"]
    return lambda: (f"{rng.randint(1, 250)} {street()} {rng.choice(kinds)} "
                    f"{rng.randint(10_000, 99_999)} {town()}")


def distinct(maker, seed: str):
    """Generated strings, each once; a third are earlier ones with one to three typing errors."""
    rng = random.Random(seed)
    make = maker(rng)
    seen, kept = set(), []
    while True:
        text = make()
        if kept and rng.random() < .35:
            text = rng.choice(kept)
            for _ in range(rng.randint(1, 3)):
                text = with_typing_error(rng, text)
        if text in seen:
            continue
        seen.add(text)
        kept.append(text)
        yield text

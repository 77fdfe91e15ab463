"""Synthetic strings for tests, and their expected distances, computed by dynamic programming."""

import random
from fractions import Fraction

from refusals import RefusalTest

import edits  # stands in reference/

STRINGS = ("--kind", "strings")
ALPHABETS = ("ab", "abcd", "abcdefghijklmnopqrstuvwxyz", "aé東🙂ßи")
NAMES = ["Katharina", "Katarina", "Catharine", "Kathrin"]


def random_strings(rng: random.Random, count: int, alphabet: str, most: int) -> list:
    """Some are random, some made from these by a few edits, some equal; none is empty (test_empties.py)."""
    made: list = []
    for _ in range(count):
        if made and rng.random() < 0.5:
            letters = list(rng.choice(made))
            for _ in range(rng.randint(0, 3)):
                at = rng.randint(0, len(letters))
                letters[at:at + rng.randint(0, 1)] = rng.choices(alphabet, k=rng.randint(0, 1))
                if rng.random() < 0.3 and len(letters) > 1:
                    at = rng.randrange(len(letters) - 1)
                    letters[at:at + 2] = letters[at + 1], letters[at]
            made.append("".join(letters) or alphabet[0])
        else:
            made.append("".join(rng.choices(alphabet, k=rng.randint(0, most))) or alphabet[0])
    return made


def lines(strings: list) -> str:
    return "".join(string + "\n" for string in strings)


def expected_pairs(lefts: list, rights: list | None, measure: str, within=None, threshold=None) -> list:
    """Returns (left, right, value as printed) for each pair, in order; blank strings match nothing."""
    pairs = []
    for i, left in enumerate(lefts):
        start = 0 if rights is not None else i + 1
        for j, right in enumerate((lefts if rights is None else rights)[start:], start):
            if not left.strip() or not right.strip():
                continue
            if within is not None:
                value = edits.distance(left, right, measure)
                if value <= within:
                    pairs.append((str(i), str(j), str(value)))
            else:
                likeness = edits.similarity(left, right, measure)
                if likeness >= Fraction(threshold):
                    pairs.append((str(i), str(j), f"{float(likeness):.6f}"))
    return pairs


class StringTest(RefusalTest):
    def found(self, *args: str, **options) -> list:
        """Returns the rows of a table on stdout as tuples."""
        out = self.sosie(*args, "-q", **options).out.decode()
        return [tuple(line.split("\t")) for line in out.split("\n")[1:-1]]

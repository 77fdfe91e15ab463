"""For every kind and verb, many threads and the lowest memory limit give the same bytes as a single
thread.

`make tsan` runs these tests under ThreadSanitizer.
"""

import random
import string
import unittest

import corpus
from measured_rows import grouped, npy
from support import SosieTest

JOINS = {
    "texts": ("in.jsonl", ("--threshold", "0.7")),
    "sets": ("in.sets", ("--threshold", "0.6")),
    "bags": ("in.sets", ("--kind", "bags", "--measure", "bag-jaccard", "--threshold", "0.6")),
    "vectors": ("in.npy", ("--measure", "cosine", "--threshold", "0.98")),
    "bits": ("bits.txt", ("--kind", "bits", "--within", "9")),
    "strings": ("names.txt", ("--kind", "strings", "--within", "2")),
}
METHODS = {"strings": ("auto", "brute")}


def edited(rng: random.Random, row: list, letters) -> list:
    """Returns the row with one change."""
    place = rng.randrange(len(row))
    return row[:place] + [rng.choice(letters)] + row[place + 1:]


def with_copies(seed: int, count: int, length: int, letters) -> list[list]:
    """Synthetic rows, each followed by one with a single difference."""
    rng = random.Random(seed)
    rows = []
    for _ in range(count):
        row = rng.choices(letters, k=length + rng.randrange(4))
        rows += [row, edited(rng, row, letters)]
    rng.shuffle(rows)
    return rows


class SameBytes(SosieTest):
    def setUp(self):
        super().setUp()
        self.write("in.jsonl", corpus.planted_pairs(1, 150))
        sets = with_copies(2, 150, 12, range(400))
        self.write("in.sets", "".join(" ".join(map(str, row)) + "\n" for row in sets))
        self.write("in.npy", npy(grouped(240, 16, 3), "|u1"))
        bits = [row[:64] for row in with_copies(4, 150, 64, "01")]
        self.write("bits.txt", "".join("".join(row) + "\n" for row in bits))
        names = with_copies(5, 200, 9, string.ascii_lowercase)
        self.write("names.txt", "".join("".join(row) + "\n" for row in names))

    def same(self, *args: str) -> bytes:
        """Checks that the output does not depend on threads and memory; returns it."""
        one = self.sosie(*args, "--threads", "1").out
        self.assertGreater(len(one), 200, args)
        for more in (("--threads", "7"), ("--threads", "3", "--memory", "16M")):
            self.assertEqual(one, self.sosie(*args, *more).out, (args, more))
        return one

    def test_pairs(self):
        for kind, (name, options) in JOINS.items():
            found = {self.same("pairs", name, *options, "--method", method)
                     for method in METHODS.get(kind, ("exact", "brute"))}
            self.assertEqual(len(found), 1, kind)

    def test_pairs_by_hashes(self):
        for kind in JOINS.keys() - {"strings"}:
            name, options = JOINS[kind]
            self.same("pairs", name, *options, "--method", "lsh")

    def test_dedup(self):
        for name, options in JOINS.values():
            self.same("dedup", name, *options)

    def test_query(self):
        for name, options in JOINS.values():
            self.same("query", name, name, *options, "--top", "3")

    def test_links_of_records(self):
        rng = random.Random(6)
        people = [["".join(word) for word in with_copies(7 + n, 1, 7, string.ascii_lowercase)]
                  for n in range(120)]
        for side in ("a", "b"):
            rows = ["id,first,last,born"]
            rows += [f"{side}{n},{names[side == 'b']},{names[0]},{1900 + n % 90}-0{1 + n % 9}-1{n % 7}"
                     for n, names in enumerate(people)]
            self.write(f"{side}.csv", "\n".join([rows[0], *rng.sample(rows[1:], 120)]) + "\n")
        self.same("link", "a.csv", "--against", "b.csv")
        self.same("link", "a.csv", "b.csv")


if __name__ == "__main__":
    unittest.main()

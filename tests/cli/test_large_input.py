"""Very many identical rows, and very large rows."""
# slow: more than 5 s in a release build, so `make sanitize` leaves it to `make sanitize-all`

import filecmp
import os
import random
import unittest

from refusals import RefusalTest
from support import IN_MEMORY, SANITIZED


class LargeInput(RefusalTest):
    place = IN_MEMORY

    def test_a_million_identical_rows(self):
        count = 200_000 if SANITIZED else 1_000_000
        row = '{"id": %d, "text": "call me ishmael some years ago"}\n'
        self.write("in.jsonl", "".join([row % number for number in range(count)]))
        kept = self.kept("in.jsonl", "--stats", "stats.json")
        self.assertEqual(kept, (row % 0).encode())
        stats = self.stats()
        self.assertEqual((stats.read, stats.kept, stats.identical), (count, 1, count - 1))

    def test_a_hundred_thousand_identical_rows_compared_by_brute_force(self):
        self.write("in.txt", "one two three four five six\n" * 100_000)
        self.assertEqual(self.kept("in.txt", "--method", "brute"), b"one two three four five six\n")

    def test_their_pairs_are_refused_at_once_when_limited(self):
        self.write("in.txt", "one two three four five six\n" * 100_000)
        self.refuses(4, "pairs", "in.txt", "--limit", "1000", "-o", "pairs.tsv", timeout=20,
                     says="more than 1000 pairs reach jaccard 0.8, the maximum set by --limit")

    def test_a_document_of_200_megabytes(self):
        megabytes = 20 if SANITIZED else 200
        chance = random.Random(8)
        words = [bytes(chance.choices(b"abcdefgh", k=99)) for _ in range(10_000)]
        megabyte = b" ".join(words) + b" "
        self.assertEqual(len(megabyte), 1_000_000)
        short = b'{"id": %d, "text": "a short text"}\n'
        with open(self.dir / "in.jsonl", "wb") as file:
            file.write(b'{"id": 0, "text": "')
            for _ in range(megabytes):
                file.write(megabyte)
            file.write(b'"}\n' + short % 1 + short % 2)
        self.sosie("dedup", "in.jsonl", "-o", "out.jsonl", "--stats", "stats.json")
        self.assertEqual((self.stats().read, self.stats().kept), (3, 2))
        os.truncate(self.dir / "in.jsonl", os.path.getsize(self.dir / "in.jsonl") - len(short % 2))
        self.assertTrue(filecmp.cmp(self.dir / "in.jsonl", self.dir / "out.jsonl", shallow=False))


if __name__ == "__main__":
    unittest.main()

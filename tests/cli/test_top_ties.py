"""`--top K` for vectors by cosine: vectors with the same direction are equally similar and in input
order."""

import random
import unittest
from fractions import Fraction

from measured_rows import npy
from support import SosieTest, jsonl, read_table


def cosine_key(x: list, y: list) -> Fraction:
    """Returns a value that orders pairs as their cosines do."""
    product = sum(a * b for a, b in zip(x, y))
    square = Fraction(product * product, sum(a * a for a in x) * sum(b * b for b in y))
    return square if product >= 0 else -square


class TopTies(SosieTest):
    def setUp(self):
        super().setUp()
        rng = random.Random(41)
        directions = [[rng.randint(-4, 4) for _ in range(4)] + [1] for _ in range(25)]
        self.rows = [[rng.randint(1, 15) * c for c in rng.choice(directions)] for _ in range(400)]
        self.asked = [[3 * c for c in direction] for direction in directions]
        self.asked += [[rng.randint(-5, 5) for _ in range(4)] + [2] for _ in range(20)]
        self.write("asked.jsonl", jsonl([{"text": row} for row in self.asked]))
        for kind in ("|i1", "<f4", "<f8"):
            self.write(f"data{kind[1:]}.npy", npy(self.rows, kind))
        self.write("data.jsonl", jsonl([{"text": row} for row in self.rows]))

    def expected(self, top: int) -> list[tuple]:
        found = []
        for i, x in enumerate(self.asked):
            keys = [cosine_key(x, y) for y in self.rows]
            order = sorted((j for j in range(len(keys)) if keys[j] > 0), key=lambda j: (-keys[j], j))
            found += [(str(i), str(j)) for j in order[:top]]
        return found

    def test_equal_ones_come_in_input_order(self):
        targets = self.fails(2, "pairs", "dataf4.npy", "--threshold", "1", "--simd", "none").err
        targets = [target.strip() for target in targets.split("can run: ")[1].split(", ")]
        for top in (3, 30):
            expected = self.expected(top)
            bytes_of = set()
            for name in ("datai1.npy", "dataf4.npy", "dataf8.npy", "data.jsonl"):
                for more in [("--threads", "3"), ("--method", "brute"), *(("--simd", t) for t in targets)]:
                    args = ("--kind", "vectors", "--top", str(top), *more)
                    joined = self.sosie("query", name, "asked.jsonl", *args).out
                    streamed = self.sosie("query", name, "-", *args, stdin=self.read("asked.jsonl")).out
                    bytes_of |= {joined, streamed}
                    found = [(row["left"], row["right"]) for row in read_table(joined)]
                    self.assertEqual(found, expected, (name, more))
            self.assertEqual(len(bytes_of), 1)

    def test_angles_tie_alike(self):
        expected = [pair for pair in self.expected(400)]
        out = self.sosie("query", "dataf4.npy", "asked.jsonl", "--kind", "vectors", "--measure", "angle",
                         "--within", "89.9999").out
        self.assertEqual([(row["left"], row["right"]) for row in read_table(out)], expected)


if __name__ == "__main__":
    unittest.main()

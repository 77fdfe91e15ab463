"""--top-pairs K without a threshold: the K most similar pairs of all, for every kind that is not hashed."""

import random
import unittest

from support import SosieTest

KINDS = (("vectors", "cosine", "--threshold=-1"), ("vectors", "euclidean", "--within=1e9"),
         ("bits", "hamming", "--within=64"), ("bits", "jaccard", "--threshold=0.0001"),
         ("strings", "levenshtein", "--within=99"), ("strings", "indel", "--within=99"))


class TopPairs(SosieTest):
    def lines(self, kind: str, count: int, seed: int) -> list[str]:
        rng = random.Random(seed)
        if kind == "vectors":
            rows = [" ".join(str(rng.randint(0, 9)) for _ in range(5)) + " 1" for _ in range(count)]
        elif kind == "bits":
            rows = ["%016x" % (rng.getrandbits(64) | 1) for _ in range(count)]
        else:
            rows = ["".join(rng.choice("abcd") for _ in range(rng.randint(1, 9))) for _ in range(count)]
        return rows + rng.sample(rows, count // 4)  # equal ones, and so ties

    def pairs(self, *args: str) -> list[tuple[int, int, float]]:
        out = self.sosie("pairs", *args, "-q").out.decode().splitlines()[1:]
        return [(int(a), int(b), float(value)) for a, b, value in (line.split("\t") for line in out)]

    def best(self, pairs: list, count: int, is_similarity: bool) -> list:
        nearest_first = sorted(pairs, key=lambda p: (-p[2] if is_similarity else p[2], p[0], p[1]))
        return sorted(nearest_first[:count])

    def test_are_the_best_of_all_pairs(self):
        for kind, measure, any_pair in KINDS:
            is_similarity = "threshold" in any_pair
            if measure == "cosine":
                any_pair = "--threshold=0.000001"
            self.write("in.txt", "\n".join(self.lines(kind, 60, 5)) + "\n")
            self.write("other.txt", "\n".join(self.lines(kind, 30, 6)) + "\n")
            for inputs in (("in.txt",), ("in.txt", "--against", "other.txt")):
                args = (*inputs, "--kind", kind, "--measure", measure)
                all_pairs = self.pairs(*args, any_pair, "--method", "brute")
                for count in (1, 2, 17, 200, 100_000):
                    for more in ((), ("--method", "exact"), ("--method", "brute"), ("--threads", "7")):
                        found = self.pairs(*args, "--top-pairs", str(count), *more)
                        self.assertEqual(found, self.best(all_pairs, count, is_similarity),
                                         (kind, measure, count, more))

    def test_with_top_they_are_the_best_of_these(self):
        self.write("in.txt", "\n".join(self.lines("strings", 60, 5)) + "\n")
        args = ("in.txt", "--kind", "strings")
        of_each = self.pairs(*args, "--top", "2")
        self.assertEqual(self.pairs(*args, "--top", "2", "--top-pairs", "9"), self.best(of_each, 9, False))

    def test_none_of_one_row(self):
        self.write("in.txt", "abc\n")
        self.assertEqual(self.pairs("in.txt", "--kind", "strings", "--top-pairs", "3"), [])
        self.write("in.txt", "")
        self.assertEqual(self.pairs("in.txt", "--kind", "bits", "--top-pairs", "3"), [])

    def test_audit_and_lsh_need_a_bound(self):
        self.write("in.txt", "1 2\n2 1\n")
        args = ("pairs", "in.txt", "--kind", "vectors", "--top-pairs", "1")
        self.fails(2, *args, "--audit", says="--top-pairs alone asks for the nearest")
        self.fails(2, *args, "--method", "lsh", says="--threshold|lsh")


if __name__ == "__main__":
    unittest.main()

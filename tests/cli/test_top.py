"""`--top K` without a threshold: exactly the K most similar rows for each row, for every kind."""

import random
import unittest
from fractions import Fraction

from support import SosieTest, jsonl, read_table

WORDS = [f"w{i}" for i in range(40)]


def drawn_sets(count: int, seed: int) -> list[list[str]]:
    """Sets of words, some of which occur twice, and some that share nothing with others."""
    rng = random.Random(seed)
    sets = []
    for i in range(count):
        if sets and rng.random() < 0.25:
            sets.append(rng.choice(sets))
        elif rng.random() < 0.1:
            sets.append([f"alone{i}"])
        else:
            sets.append(sorted(rng.sample(WORDS, rng.randrange(1, 9))))
    return sets


def jaccard(a: list[str], b: list[str]) -> Fraction:
    return Fraction(len(set(a) & set(b)), len(set(a) | set(b)))


def best(lefts, rights, most: int, similarity, *, behind: bool = False) -> list[tuple[int, int]]:
    """By comparing all: row numbers, with left rows in order and each row's best in input order."""
    pairs = []
    for i, left in enumerate(lefts):
        scored = [(-similarity(left, right), k) for k, right in enumerate(rights)
                  if (not behind or k > i) and similarity(left, right) > 0]
        pairs += sorted((i, k) for _, k in sorted(scored)[:most])
    return pairs


class Top(SosieTest):
    def rows(self, *args: str, code: int = 0) -> list[tuple[int, int]]:
        table = read_table(self.sosie(*args, "--id", "row", code=code).out)
        return [(int(row["left"]), int(row["right"])) for row in table]

    def check_sets(self, *kind: str, write) -> None:
        data, asked = drawn_sets(60, 1), drawn_sets(40, 2)
        write("data", data)
        write("asked", asked)
        for most in (1, 2, 5, 100):
            args = ("--top", str(most), *kind)
            expected = best(data, data, most, jaccard, behind=True)
            self.assertEqual(self.rows("pairs", "data", *args), expected)
            self.assertEqual(self.rows("pairs", "data", *args, "--method", "brute"), expected)
            self.assertEqual(self.rows("pairs", "data", *args, "--threads", "3"), expected)
            across = best(asked, data, most, jaccard)
            self.assertEqual(self.rows("pairs", "asked", "--against", "data", *args), across)
            self.assertEqual(sorted(self.rows("query", "data", "asked", *args)), across)

    def test_sets(self):
        self.check_sets("--format", "sets", write=lambda name, sets: self.write(
            name, "".join(" ".join(s) + "\n" for s in sets)))

    def test_texts(self):
        self.check_sets("--format", "jsonl", "--shingle", "words:1",
                        write=lambda name, sets: self.write(
                            name, jsonl([{"text": " ".join(s)} for s in sets])))

    def test_a_pipe_is_answered_the_same(self):
        data, asked = drawn_sets(60, 3), drawn_sets(30, 4)
        self.write("data.sets", "".join(" ".join(s) + "\n" for s in data))
        lines = "".join(" ".join(s) + "\n" for s in asked).encode()
        self.write("asked.sets", lines)
        args = ("--top", "3", "--format", "sets")
        self.assertEqual(self.sosie("query", "data.sets", "-", *args, stdin=lines).out,
                         self.sosie("query", "data.sets", "asked.sets", *args).out)

    def test_contained_ones_are_found_both_ways(self):
        data = drawn_sets(40, 5)
        self.write("data.sets", "".join(" ".join(s) + "\n" for s in data))
        found = self.rows("pairs", "data.sets", "--measure", "containment", "--top", "2")
        expected = []
        for i, left in enumerate(data):
            scored = [(-Fraction(len(set(left) & set(right)), len(set(left))), k)
                      for k, right in enumerate(data) if k != i and set(left) & set(right)]
            expected += sorted((i, k) for _, k in sorted(scored)[:2])
        self.assertEqual(found, expected)

    def test_vectors(self):
        rng = random.Random(6)
        data = [[rng.randrange(-3, 4) for _ in range(4)] + [1] for _ in range(70)]
        data += data[:10]
        self.write("data.jsonl", jsonl([{"text": v} for v in data]))

        def euclidean(a, b):
            return -sum((x - y) ** 2 for x, y in zip(a, b))

        def dot(a, b):
            return sum(x * y for x, y in zip(a, b))

        for most in (1, 3, 200):
            args = ("pairs", "data.jsonl", "--kind", "vectors", "--top", str(most), "--measure")
            self.assertEqual(self.rows(*args, "euclidean"),
                             best(data, data, most, lambda a, b: 1000 + euclidean(a, b), behind=True))
            self.assertEqual(self.rows(*args, "dot"), best(data, data, most, dot, behind=True))

    def test_bits(self):
        rng = random.Random(7)
        data = [rng.getrandbits(32) for _ in range(80)]
        self.write("data.jsonl", jsonl([{"text": f"{code:08x}"} for code in data + data[:9]]))
        data += data[:9]
        for most in (1, 4):
            self.assertEqual(
                self.rows("pairs", "data.jsonl", "--kind", "bits", "--top", str(most)),
                best(data, data, most, lambda a, b: 33 - bin(a ^ b).count("1"), behind=True))

    def test_candidates_are_counted(self):
        self.write("data.sets", "a b\nb c\nd e\n")
        self.write("asked.sets", "a b c\nf g\n")
        run = self.sosie("query", "data.sets", "asked.sets", "--top", "1", "--method", "exact")
        self.assertIn("checked     2 candidates, 2 verified", run.err)
        run = self.sosie("pairs", "data.sets", "--top", "1")
        self.assertIn("checked     1 candidate, 1 verified", run.err)

    def test_a_run_says_what_it_costs_and_no_threshold(self):
        self.write("data.sets", "a b\na b\na c\n")
        run = self.sosie("pairs", "data.sets", "--top", "1", "--stats", "s.json")
        self.assertIn("--top 1 without --threshold: ", run.err)
        self.assertNotIn('"threshold"', self.read("s.json").decode())
        self.fails(2, "pairs", "data.sets", "--top", "1", "--audit", says="--top alone finds")

    def test_ties_are_in_input_order_whatever_is_equal(self):
        rng = random.Random(8)
        for measure in ("jaccard", "overlap", "cosine", "dice", "tversky:1,1"):
            for _ in range(12):
                texts = [" ".join(rng.choices("aabBc", k=rng.randrange(1, 4))) for _ in range(14)]
                self.write("t.txt", "".join(text + "\n" for text in texts))
                for most in ("1", "2"):
                    args = ("pairs", "t.txt", "--shingle", "words:1", "--measure", measure, "--top",
                            most, "-q")
                    self.assertEqual(self.sosie(*args).out,
                                     self.sosie(*args, "--method", "brute").out, texts)

    def test_hashing_is_refused(self):
        self.write("data.sets", "a b\na b\na c\n")
        for how in (("--method", "lsh"), ("--bands", "20x2"), ("--construct", "and:2,or:20")):
            self.fails(2, "pairs", "data.sets", "--top", "1", *how, says="--top alone asks for",
                       hints="--threshold S")

    def test_sums_of_bags_need_no_threshold_either(self):
        self.write("b.sets", "a a b\na b b\n")
        out = self.sosie("pairs", "b.sets", "--kind", "bags", "--measure", "bag-jaccard", "--union",
                         "sum", "--top", "1").out
        self.assertEqual(out.splitlines()[1], b"0\t1\t0.333333")

    def test_equal_rows_are_no_trouble(self):
        self.write("data.sets", "a b\n" * 20_000)
        found = self.rows("pairs", "data.sets", "--top", "2")
        self.assertEqual(found[:2], [(0, 1), (0, 2)])
        self.assertEqual(len(found), 2 * 20_000 - 3)


if __name__ == "__main__":
    unittest.main()

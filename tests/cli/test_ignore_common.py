"""`--ignore-common F`: elements that more than a share F of the items have are removed from all
items."""

import json
import random
import unittest
from collections import Counter
from fractions import Fraction
from itertools import combinations

from support import SosieTest, read_table

WORDS = [f"w{i}" for i in range(60)]


def without_common(sets: list[set], part: float) -> list[set]:
    counts = Counter(element for s in sets for element in s)
    common = {e for e, count in counts.items() if count > 1 and count > part * len(sets)}
    return [s - common for s in sets]


def similar(sets: list[set], threshold: float) -> dict:
    found = {}
    for a, b in combinations(range(len(sets)), 2):
        union = len(sets[a] | sets[b])
        if union and len(sets[a] & sets[b]) / union >= threshold and sets[a] and sets[b]:
            found[(a, b)] = len(sets[a] & sets[b]) / union
    return found


class IgnoreCommonTest(SosieTest):
    def setUp(self):
        super().setUp()
        draw = random.Random(5)
        # The first words are in nearly all rows, like boilerplate.
        self.sets = [{w for i, w in enumerate(WORDS) if draw.random() < (0.9 if i < 12 else 0.12)}
                     for _ in range(120)]
        self.sets += [set(s) for s in self.sets[:10]]
        self.write("in.txt", "".join(" ".join(sorted(s)) + "\n" for s in self.sets))
        self.write("in.sets", "".join(" ".join(sorted(s)) + "\n" for s in self.sets))

    def pairs(self, name: str, *args: str) -> dict:
        out = self.sosie("pairs", name, *args, "--stats", "stats.json").out
        return {(int(row["left"]), int(row["right"])): float(row["similarity"])
                for row in read_table(out)}

    def test_pairs_are_those_of_the_sets_that_are_left(self):
        for name, args in (("in.txt", ("--shingle", "words:1")), ("in.sets", ())):
            for part in ("0.5", "1/4", "0.1"):
                expected = similar(without_common(self.sets, Fraction(part)), 0.6)
                for method in ("exact", "brute"):
                    found = self.pairs(name, *args, "--ignore-common", part, "--threshold", "0.6",
                                       "--method", method)
                    self.assertEqual(found.keys(), expected.keys(), (name, part, method))
                    for pair, similarity in found.items():
                        self.assertAlmostEqual(similarity, expected[pair], places=6)

    def test_lsh_finds_pairs_of_the_same_sets(self):
        expected = similar(without_common(self.sets, 0.5), 0.6)
        found = self.pairs("in.txt", "--shingle", "words:1", "--ignore-common", "0.5", "--threshold",
                           "0.6", "--method", "lsh")
        self.assertLessEqual(found.keys(), expected.keys())
        self.assertGreaterEqual(len(found), 0.9 * len(expected))

    def test_the_summary_says_how_many(self):
        counts = Counter(e for s in self.sets for e in s)
        common = sum(count > 65 for count in counts.values())
        self.pairs("in.sets", "--ignore-common", "0.5")
        stats = json.loads(self.read("stats.json"))
        self.assertEqual((stats["ignore_common"], stats["left_out"]), ("0.5", common))
        err = self.sosie("dedup", "in.txt", "--shingle", "words:1", "--ignore-common", "0.5").err
        self.assertIn(f"{common} shingles that more than 0.5 of the rows have", err)

    def test_the_same_bytes_for_any_threads_and_memory(self):
        outputs = {self.sosie("pairs", "in.sets", "--ignore-common", "0.2", "--threads", threads,
                              "--memory", memory).out
                   for threads in ("1", "3") for memory in ("16M", "1G")}
        self.assertEqual(len(outputs), 1)

    def test_identical_means_identical(self):
        self.write("two.sets", "a b\na c\na d\nx y\na b\n")
        self.sosie("dedup", "two.sets", "--ignore-common", "0.5", "--removed", "r.tsv", "-o",
                   "kept.sets")
        self.assertEqual([(row["id"], row["kept_id"], row["exact"]) for row in self.table("r.tsv")],
                         [("4", "0", "true")])

    def test_other_collections_count(self):
        self.write("a.sets", "a b\nc d\n")
        self.write("b.sets", "a b\na e\na f\n")
        args = ("pairs", "a.sets", "--against", "b.sets", "--threshold", "0.3")
        self.assertEqual(len(read_table(self.sosie(*args).out)), 3)
        found = read_table(self.sosie(*args, "--ignore-common", "0.5").out)
        self.assertEqual([(row["left"], row["right"], row["similarity"]) for row in found],
                         [("0", "0", "1.000000")])

    def test_explain_leaves_them_out(self):
        self.write("x.txt", "the old cat\nthe old dog\nthe new cow\nthe red cat\n")
        out = self.sosie("explain", "0", "3", "x.txt", "--shingle", "words:1", "--ignore-common",
                         "0.9", "--threshold", "0.3").out.decode()
        self.assertIn("0.333333", out)  # cat, from old cat and red cat

    def test_refusals(self):
        for part in ("0", "1", "2", "x", "-0.5"):
            self.fails(2, "pairs", "in.sets", "--ignore-common", part, says="--ignore-common")
        self.fails(2, "pairs", "in.txt", "--kind", "strings", "--within", "1", "--ignore-common",
                   "0.5", says="--ignore-common")
        self.sosie("pairs", "in.sets", "-o", "p.tsv", "--threshold", "0.5")
        self.fails(2, "dedup", "in.sets", "--reuse", "p.tsv", "--ignore-common", "0.5",
                   "--threshold", "0.5", says="ignore-common")
        self.sosie("plan", "in.sets", "-o", "plan.json")
        self.sosie("sketch", "in.sets", "--plan", "plan.json", "-o", "s.sosie")
        self.fails(2, "pairs", "in.sets", "--against", "s.sosie", "--ignore-common", "0.5",
                   says="cannot be combined with sketches")


if __name__ == "__main__":
    unittest.main()

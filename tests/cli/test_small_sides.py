"""Exact joins of a large collection with a much smaller one, where rows without a partner are
detected while they are read: the same pairs as comparing all rows, regardless of which side is
small."""

import json
import random
import unittest
from fractions import Fraction

from support import SosieTest

ROUNDS = 175  # of six runs each
WORDS = [f"w{number}" for number in range(400)]


def line(words: list[str]) -> str:
    return " ".join(words) + "\n"


def made(rng: random.Random) -> tuple[list[list[str]], list[list[str]]]:
    """Many rows and few items: some rows contain items or parts of them, and some items contain parts of rows."""
    items = [rng.sample(WORDS, rng.randrange(1, 12)) for _ in range(rng.randrange(1, 5))]
    if rng.random() < .3:  # tokens at the beginning of all items are rare in none
        common = rng.sample(WORDS, 3)
        items = [list(dict.fromkeys(common + item)) for item in items]
    rows = []
    for _ in range(100 + 40 * len(items)):
        row = rng.sample(WORDS, rng.randrange(1, 14))
        if rng.random() < .2:
            piece = rng.choice(items)
            row = list(dict.fromkeys(row[:rng.randrange(8)] + rng.sample(piece, rng.randrange(len(piece) + 1))))
        rows.append(row or [WORDS[0]])
    rows += [rows[0], items[0], items[-1]]  # copies
    return rows, items


def containment(left: set, right: set) -> Fraction:
    return Fraction(len(left & right), len(left))


def jaccard(left: set, right: set) -> Fraction:
    return Fraction(len(left & right), len(left | right))


def overlap(left: set, right: set) -> Fraction:
    return Fraction(len(left & right), min(len(left), len(right)))


MEASURES = {"containment": containment, "jaccard": jaccard, "overlap": overlap}


class SmallSides(SosieTest):
    def pairs_of(self, *args: str) -> set[tuple[int, int]]:
        out = self.sosie(*args, "-q").out.decode().splitlines()
        return {(int(left), int(right)) for left, right, _ in (text.split("\t") for text in out[1:])}

    @staticmethod
    def expected(lefts: list, rights: list, measure: str, least: Fraction) -> set[tuple[int, int]]:
        of = MEASURES[measure]
        return {(i, j) for i, left in enumerate(lefts) for j, right in enumerate(rights)
                if of(set(left), set(right)) >= least}

    def test_the_pairs_are_those_of_comparing_all(self):
        rng = random.Random(11)
        found = 0
        for turn in range(ROUNDS):
            rows, items = made(rng)
            self.write("rows.sets", "".join(map(line, rows)))
            self.write("items.sets", "".join(map(line, items)))
            measure = rng.choice(list(MEASURES))
            least = rng.choice(["0.8", "0.5", "1", "1/3"])
            options = ("--measure", measure, "--threshold", least, "--method", "exact",
                       "--threads", rng.choice("17"), "--memory", rng.choice(["1M", "64M", "1G"]))
            bound = Fraction(least)
            large = self.expected(rows, items, measure, bound)
            small = self.expected(items, rows, measure, bound)
            self.assertEqual(self.pairs_of("pairs", "rows.sets", "--against", "items.sets", *options), large)
            self.assertEqual(self.pairs_of("pairs", "items.sets", "--against", "rows.sets", *options), small)
            self.assertEqual(self.pairs_of("query", "rows.sets", "items.sets", *options), small)
            self.assertEqual(self.pairs_of("query", "items.sets", "rows.sets", *options), large)
            holders = {row for _, row in self.expected(items, rows, "containment", bound)}
            for threads, memory in (("1", "1G"), ("7", "1M")):
                kept = self.kept("rows.sets", "--against", "items.sets", "--contained", least, "-q", "--removed",
                                 "r.tsv", "--clusters", "c.tsv", "--overwrite", "--threads", threads, "--memory",
                                 memory)
                self.assertEqual(kept.decode(), "".join(line(row) for i, row in enumerate(rows) if i not in holders))
                self.assertEqual({int(one["id"]) for one in self.table("r.tsv")}, holders)
            found += len(large) + len(holders)
        self.assertGreater(found, 10 * ROUNDS)

    def test_rows_without_a_partner_take_no_scratch(self):
        rng = random.Random(5)
        rows = [[f"{'abc'[(i >= 20) + (i >= 4000)]}{n}" for n in rng.sample(range(9000), 30)] for i in range(20_000)]
        self.write("rows.sets", "".join(map(line, rows)))
        self.write("items.sets", "".join(map(line, rows[:20])))
        self.write("many.sets", "".join(map(line, rows[:4000])))  # more than an eighth, so everything is kept
        taken = {}
        for other in ("items.sets", "many.sets"):
            self.kept("rows.sets", "--against", other, "--contained", "0.9", "--memory", "3M", "--stats", "s.json")
            taken[other] = json.loads(self.read("s.json"))
        self.assertEqual([taken[other]["removed"] for other in taken], [20, 4000])
        self.assertLess(10 * taken["items.sets"]["scratch_bytes"], taken["many.sets"]["scratch_bytes"])

    def test_auto_counts_on_it(self):
        rng = random.Random(7)
        rows = [rng.choices(WORDS, k=3) + [f"{i}-{n}" for n in range(60)] for i in range(30_000)]
        self.write("rows.sets", "".join(map(line, rows)))
        self.write("items.sets", "".join(map(line, rows[:20])))
        for args in (("pairs", "rows.sets", "--against", "items.sets"),
                     ("pairs", "items.sets", "--against", "rows.sets")):
            runs = {}
            for method in ("auto", "lsh"):
                out = self.sosie(*args, "--method", method, "--stats", "s.json").out
                runs[method] = (out, json.loads(self.read("s.json"))["method"])
            self.assertEqual(runs["auto"], (runs["lsh"][0], "exact"))
            self.assertIn("pairs, query exact", self.sosie("plan", *args[1:]).out.decode())

    def test_auto_takes_another_method_where_most_rows_are_kept(self):
        rng = random.Random(8)
        base = [f"w{n}" for n in range(400)]
        rows = [base[:390] + rng.sample(base[390:], 5) + [f"u{i}"] for i in range(18_000)]
        self.write("rows.sets", "".join(map(line, rows)))
        self.write("items.sets", "".join(map(line, rows[:1])))
        self.sosie("pairs", "rows.sets", "--against", "items.sets", "--stats", "s.json")
        self.assertNotEqual(json.loads(self.read("s.json"))["method"], "exact")

    def test_a_small_side_of_bad_rows_ends_at_the_first(self):
        self.write("bad.jsonl", '{"text": "one two three four five six"}\n' + "x\n" * 300_000)
        self.write("rows.jsonl", '{"text": "one two three four five six"}\n' * 140_000)
        self.fails(3, "pairs", "bad.jsonl", "--against", "rows.jsonl", "--measure", "containment", "--threshold", "0.8",
                   "--method", "exact", "--memory", "16M", says="bad.jsonl:2: ")

    def test_bags(self):
        rng = random.Random(3)
        rows = [rng.choices(WORDS[:30], k=rng.randrange(2, 9)) for _ in range(200)]
        items = [rows[5] + rows[5][:1], rows[9], rng.choices(WORDS[:30], k=4)]
        self.write("rows.sets", "".join(map(line, rows)))
        self.write("items.sets", "".join(map(line, items)))
        common = ("--kind", "bags", "--measure", "bag-jaccard", "--threshold", "0.5", "--threads", "2")
        outputs = {method: self.sosie("pairs", "rows.sets", "--against", "items.sets", "--method", method, *common,
                                      "-q").out for method in ("exact", "brute")}
        self.assertGreater(outputs["exact"].count(b"\n"), 3)
        self.assertEqual(outputs["exact"], outputs["brute"])

    def test_faults_of_the_small_side_are_told_in_the_order_of_all_rows(self):
        row = '{"id": "%s", "text": "one two three four five six seven"}\n'
        rows = "".join(row % number for number in range(100))
        self.write("items.jsonl", row % "a" + "{broken\n")
        self.write("rows.jsonl", rows)
        self.write("bad.jsonl", "{broken too\n" + rows)
        args = ("--measure", "containment", "--threshold", "0.8", "--column", "text", "--id", "id")
        self.fails(3, "pairs", "items.jsonl", "--against", "rows.jsonl", *args, says="items.jsonl:2: ")
        self.fails(3, "pairs", "items.jsonl", "--against", "bad.jsonl", *args, says="bad.jsonl:1: ")
        self.fails(3, "pairs", "rows.jsonl", "--against", "items.jsonl", *args, says="items.jsonl:2: ")
        skipped = self.sosie("pairs", "items.jsonl", "--against", "bad.jsonl", *args, "--on-bad-row", "skip")
        self.assertEqual(skipped.out.count(b"\na\t"), 100)

    def test_rows_without_a_partner_are_explained_like_all_others(self):
        text = "alpha beta gamma delta epsilon zeta eta theta"
        self.write("rows.jsonl", [text] + [f"row {i} holds nothing of any item at all" for i in range(60)])
        self.write("items.jsonl", [text])
        page = self.sosie("explain", "3", "4", "rows.jsonl", "--id", "row", "--against", "items.jsonl", "--contained",
                          "0.8", code=None).out.decode()
        self.assertNotIn("no shingle", page)


if __name__ == "__main__":
    unittest.main()

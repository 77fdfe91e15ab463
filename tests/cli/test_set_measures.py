"""Set measures other than Jaccard: overlap, containment, cosine, Tversky, and bags with union by
sum."""

import json
import math
import unittest
from fractions import Fraction

import corpus
from support import SosieTest, jsonl, read_table
from test_sets import baskets, lines, numbered


def at_least(measure: str, left: frozenset, right: frozenset, limit: Fraction) -> bool:
    """By definition, in integers: pairs (left, right) in this direction."""
    shared, small = len(left & right), min(len(left), len(right))
    if measure.startswith("tversky:"):
        a, b = weights(measure)
        return shared >= limit * (shared + a * len(left - right) + b * len(right - left))
    if measure == "cosine":
        return shared ** 2 * limit.denominator ** 2 >= (
            len(left) * len(right) * limit.numerator ** 2)
    whole = {"overlap": small, "containment": len(left),
             "bag-jaccard": len(left) + len(right)}[measure]
    return shared * limit.denominator >= whole * limit.numerator


def weights(measure: str) -> tuple[Fraction, Fraction]:
    a, b = measure.partition(":")[2].split(",")
    return Fraction(a), Fraction(b)


def is_ordered(measure: str) -> bool:
    if not measure.startswith("tversky:"):
        return measure == "containment"
    a, b = weights(measure)
    return a != b


def expected(measure: str, rows: list[frozenset], limit: Fraction) -> list[tuple]:
    return [(str(i), str(j)) for i, left in enumerate(rows) for j, right in enumerate(rows)
            if i != j and left and right and (i < j or is_ordered(measure))
            and at_least(measure, left, right, limit)]


def expected_ways(measure: str, rows: list[frozenset], limit: Fraction, split: int) -> list[tuple]:
    """Between the rows before `split`, which are left, and the others."""
    return [(str(i), str(j)) for i, left in enumerate(rows[:split])
            for j, right in enumerate(rows[split:], split)
            if left and right and at_least(measure, left, right, limit)]


class SetMeasures(SosieTest):
    def pairs(self, *args: str) -> list[tuple]:
        return [(row["left"], row["right"]) for row in read_table(self.sosie("pairs", *args).out)]

    def test_pairs_are_those_of_the_definition(self):
        rows = baskets(30, 150)
        self.write("in.sets", lines(rows))
        for measure in ("overlap", "containment", "cosine"):
            for threshold in ("1/3", "0.75", "1"):
                right = expected(measure, [frozenset(row) for row in rows], Fraction(threshold))
                self.assertGreater(len(right), 20)
                for method in ("auto", "brute"):
                    found = self.pairs("in.sets", "--measure", measure, "--threshold", threshold,
                                       "--method", method)
                    self.assertEqual(found, right, (measure, threshold, method))

    def test_tversky_weighs_what_only_one_set_holds(self):
        rows = baskets(32, 110)
        self.write("in.sets", lines(rows))
        self.write("one.sets", lines(rows[:40]))
        self.write("other.sets", lines(rows[40:]))
        for measure in ("tversky:0.3,0.7", "tversky:7/3,0", "tversky:2,2", "tversky:0,0.125"):
            for kind, sets in (("sets", [frozenset(row) for row in rows]),
                               ("bags", [numbered(row) for row in rows])):
                right = expected(measure, sets, Fraction(2, 3))
                self.assertGreater(len(right), 20)
                args = ("--kind", kind, "--measure", measure, "--threshold", "2/3", "--method")
                for method in ("exact", "brute"):
                    self.assertEqual(self.pairs("in.sets", *args, method), right)
                    between = [(left, str(int(other) - 40)) for left, other in
                               expected_ways(measure, sets, Fraction(2, 3), 40)]
                    self.assertEqual(self.pairs("one.sets", "--against", "other.sets", *args,
                                                method), between)

    def test_tversky_of_usual_weights_is_another_measure(self):
        self.write("in.sets", lines(baskets(33, 150)))
        self.write("in.jsonl", corpus.texts(83, 60))
        for parameters, measure in (("1,1", "jaccard"), (".5,.5", "dice"), ("1,0", "containment")):
            for name in ("in.sets", "in.jsonl"):
                args = ("pairs", name, "--threshold", "0.6", "--method", "exact", "--measure")
                out = self.sosie(*args, "tversky:" + parameters).out
                self.assertGreater(out.count(b"\n"), 5)
                self.assertEqual(out, self.sosie(*args, measure).out)

    def test_tversky_of_unequal_weights_is_ordered(self):
        self.write("in.sets", "a b c d e f\na b c d e\nq\n")
        args = ("in.sets", "--measure", "tversky:1,0.1", "--threshold", "0.9")
        self.assertEqual(self.sosie("pairs", *args).out,
                         b"left\tright\tsimilarity\n1\t0\t0.980392\n")
        self.assertEqual(self.kept(*args), b"a b c d e f\nq\n")
        self.assertEqual(self.kept("in.sets", "--measure", "tversky:0.1,1", "--threshold", "0.9"),
                         b"a b c d e\nq\n")  # the larger one is removed
        self.assertEqual(self.sosie("query", "in.sets", "in.sets", *args[1:], "--top", "1").out
                         .count(b"\n"), 4)
        self.assertRegex(self.sosie("explain", "0", "1", *args).out,
                         rb"0\.980392 tversky\S* = 50/51: ")
        self.fails(2, "dedup", *args, "--clustering", "components", says="cannot be combined with")
        for wrong in ("tversky", "tversky:1", "tversky:0,0", "tversky:1,-1", "tversky:1,1,1"):
            self.fails(2, "pairs", "in.sets", "--measure", wrong, says="tversky:A,B")

    def test_containment_is_a_pair_for_each_way_round(self):
        self.write("in.sets", "a b c d\na b\nb a\nx a b c d\n")
        out = self.sosie("pairs", "in.sets", "--measure", "containment", "--threshold", "0.8").out
        self.assertEqual(out, b"left\tright\tsimilarity\n0\t3\t1.000000\n1\t0\t1.000000\n"
                              b"1\t2\t1.000000\n1\t3\t1.000000\n2\t0\t1.000000\n"
                              b"2\t1\t1.000000\n2\t3\t1.000000\n3\t0\t0.800000\n")
        self.fails(4, "pairs", "in.sets", "--measure", "containment", "--limit", "7",
                   says="more than 7 pairs")
        best = self.sosie("pairs", "in.sets", "--measure", "containment", "--threshold", "0.4",
                          "--top-pairs", "2").out
        self.assertEqual(best, b"left\tright\tsimilarity\n0\t3\t1.000000\n1\t0\t1.000000\n")

    def test_between_collections_the_left_one_is_contained(self):
        self.write("small.sets", "a b\nc z\n")
        self.write("large.sets", "a b c d\nc\n")
        args = ("--measure", "containment", "--threshold", "0.5")
        self.assertEqual(self.sosie("pairs", "small.sets", "--against", "large.sets", *args).out,
                         b"left\tright\tsimilarity\n0\t0\t1.000000\n1\t0\t0.500000\n"
                         b"1\t1\t0.500000\n")
        self.assertEqual(self.sosie("query", "large.sets", "small.sets", *args).out,
                         b"left\tright\tsimilarity\n0\t0\t1.000000\n1\t0\t0.500000\n"
                         b"1\t1\t0.500000\n")
        self.assertEqual(self.sosie("query", "small.sets", "large.sets", *args).out,
                         b"left\tright\tsimilarity\n0\t0\t0.500000\n1\t1\t1.000000\n")

    def test_keep_decides_where_either_could_go(self):
        self.write("in.jsonl", jsonl([{"id": "s", "text": ["a", "b", "c", "d"], "n": 1},
                                      {"id": "l", "text": ["a", "b", "c", "d", "e"], "n": 2},
                                      {"id": "part", "text": ["a", "b"], "n": 9}]))
        args = ("dedup", "in.jsonl", "--kind", "sets", "--measure", "containment", "--threshold", "0.8",
                "--removed", "r.tsv")
        for keep, kept in (((), "l"), (("--keep", "first"), "s"), (("--keep", "last"), "l"),
                           (("--keep", "min:n"), "s"), (("--keep", "max:n"), "l")):
            for method in ("exact", "brute"):
                lines = self.sosie(*args, *keep, "--method", method).out.splitlines()
                self.assertEqual([json.loads(line)["id"] for line in lines], [kept], keep)
                self.assertEqual({row["kept_id"] for row in self.table("r.tsv")}, {kept})

    def test_dedup_removes_only_the_contained_one(self):
        self.write("in.sets", "a b c\nq\na b c d e f\nb c\nx b c d e f\n")
        for method in ("auto", "brute"):
            result = self.sosie("dedup", "in.sets", "--measure", "containment", "--threshold", "0.9",
                                "--method", method, "--removed", "r.tsv", "--report", "r.html")
            self.assertEqual(result.out, b"q\na b c d e f\nx b c d e f\n")
            self.assertEqual([(row["id"], row["kept_id"], row["similarity"])
                              for row in self.table("r.tsv")],
                             [("0", "2", "1.000000"), ("3", "2", "1.000000")])
        self.write("other.sets", "a b\nx b c d e f g\n")
        args = ("in.sets", "--measure", "containment", "--against", "other.sets", "--threshold")
        self.assertEqual(self.kept(*args, "0.9"), b"q\na b c d e f\n")
        self.assertEqual(self.kept(*args, "0.8"), b"a b c\nq\n")  # the container has been removed
        self.fails(2, "dedup", "in.sets", "--measure", "containment", "--clustering",
                   "components", says="contained items only")
        self.fails(2, "dedup", "in.sets", "--measure", "containment", "--audit", "5",
                   says="every pair is found")

    def test_texts_and_explain(self):
        self.write("in.jsonl", [{"id": "quote", "text": "one two three four five six"},
                                {"id": "page", "text": "zero one two three four five six seven"},
                                {"id": "other", "text": "nothing of that at all, not a word"}])
        self.assertEqual(self.pairs("in.jsonl", "--measure", "containment"), [("quote", "page")])
        said = self.sosie("explain", "page", "quote", "in.jsonl", "--measure", "containment").out
        self.assertIn(b"similarity 1.000000", said)
        self.assertIn(b"Right is removed, left is kept.", said)
        for method in ("exact", "brute"):
            self.assertEqual(self.pairs("in.jsonl", "--measure", "cosine", "--threshold", "0.7",
                                        "--method", method), [("quote", "page")])

    def test_every_method_agrees_on_texts(self):
        self.write("in.jsonl", corpus.texts(82, 100))
        for measure in ("overlap", "containment", "cosine"):
            args = ("pairs", "in.jsonl", "--shingle", "words:2", "--measure", measure,
                    "--threshold", "0.4", "--method")
            exact = self.sosie(*args, "exact").out
            self.assertEqual(exact, self.sosie(*args, "brute").out)
            self.assertGreater(exact.count(b"\n"), 10)

    def test_the_union_of_bags_by_the_sum(self):
        rows = [["a", "a", "a", "b"], ["b", "a", "a", "b", "c"]] + baskets(31, 120)
        self.write("in.sets", lines(rows))
        args = ("in.sets", "--kind", "bags", "--union", "sum", "--threshold")
        out = self.sosie("pairs", *args, "1/3").out
        self.assertIn(b"\n0\t1\t0.333333\n", out)  # THEORY T-1.2
        for threshold in ("0.2", "1/3", "0.5"):
            right = expected("bag-jaccard", [numbered(row) for row in rows], Fraction(threshold))
            for method in ("exact", "brute"):
                self.assertEqual(self.pairs(*args, threshold, "--method", method), right)
        found = self.pairs(*args, "0.4", "--method", "lsh", "--recall", "0.999")
        self.assertGreater(len(found), 0.9 * len(self.pairs(*args, "0.4", "--method", "exact")))
        self.fails(2, "pairs", *args, "0.51", says="similarities are at most 1/2", hints="0.5 or less")
        self.fails(2, "pairs", "in.sets", "--union", "sum", says="--union: does not apply to sets: only bags")
        self.fails(2, "pairs", self.write("t.txt", "a\n"), "--union", "sum",
                   says="needs --measure bag-jaccard")

    def test_pairs_of_other_measures_are_not_reused(self):
        self.write("in.jsonl", jsonl([{"text": "a b c"}, {"text": "a b c d"}]))
        args = ("in.jsonl", "--shingle", "words:1", "--measure", "dice")
        self.sosie("pairs", *args, "-o", "p.tsv")
        self.fails(2, "dedup", *args, "--reuse", "p.tsv", says="only if the measure is", hints="clusters")
        self.sosie("dedup", *args, "--clusters", "c.tsv", "-o", "out.jsonl")
        self.sosie("dedup", *args, "--reuse", "c.tsv", "--removed", "r.tsv", "-o", "again.jsonl")
        self.assertEqual(self.table("r.tsv")[0]["similarity"], "0.857143")

    def test_large_sets_are_decided_beside_simple_fractions(self):
        for shared, left, right in ((20001, 40001, 40003), (30000, 39999, 40003), (33337, 50003, 50009)):
            mine = ["s%d" % i for i in range(shared)]
            self.write("in.sets", "\n".join(
                " ".join(mine + [f"{side}{i}" for i in range(size - shared)])
                for side, size in (("l", left), ("r", right))) + "\n")
            sets = [frozenset(line.split()) for line in self.read("in.sets").decode().splitlines()]
            for measure in ("cosine", "tversky:0.500000001,0.5", "tversky:0.123457,0.7", "dice"):
                if measure == "cosine":
                    near = math.isqrt(shared ** 2 * 10 ** 26 // (left * right))
                else:
                    a, b = weights("tversky:0.5,0.5" if measure == "dice" else measure)
                    near = max(int(Fraction(shared * 10 ** 13) / (shared + x * (left - shared) + y * (
                        right - shared))) for x, y in ((a, b), (b, a)))
                for limit in (near - 1, near, near + 1, near + 5 * 10 ** 3):
                    written = f"0.{limit:013d}"
                    ways = [sets, sets[::-1]] if measure.startswith("tversky") else [sets]
                    expected = [at_least("tversky:0.5,0.5" if measure == "dice" else measure, *pair,
                                         Fraction(written)) for pair in ways].count(True)
                    found = self.sosie("pairs", "in.sets", "--measure", measure, "--threshold",
                                       written, "-q").out.count(b"\n") - 1
                    self.assertEqual(found, expected, (measure, shared, written))

    def test_no_sketch_finds_them(self):
        self.write("in.sets", "a b\n")
        for measure in ("overlap", "containment", "cosine"):
            self.fails(2, "pairs", "in.sets", "--measure", measure, "--method", "lsh",
                       says="there is no lsh for it", hints="--method exact")


if __name__ == "__main__":
    unittest.main()

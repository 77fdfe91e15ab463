"""Vectors from one end of the floating-point range to the other, and numbers as values of options.
"""

import math
import random
import unittest

from measured_rows import npy
from support import SosieTest, jsonl, read_table

METHODS = ("brute", "exact", "lsh")


def groups(count: int, dimension: int, seed: int) -> list:
    """Vectors in groups of three with cosines above .99, and below .9 between groups."""
    rng = random.Random(seed)
    rows = []
    for _ in range(count // 3):
        middle = [rng.gauss(0, 1) for _ in range(dimension)]
        rows += [[c + rng.gauss(0, .02) for c in middle] for _ in range(3)]
    return rows


def times(rows: list, exponents: list) -> list:
    return [[math.ldexp(c, e) for c in row] for row, e in zip(rows, exponents)]


def values(out: bytes) -> list:
    return [tuple(row.values()) for row in read_table(out)]


class AnglesTest(SosieTest):
    """Cosines and angles do not depend on lengths."""

    def expect_same(self, exponents: list, bound: list) -> None:
        rows = groups(90, 24, 7)
        self.write("usual.npy", npy(rows, "<f8"))
        self.write("scaled.npy", npy(times(rows, exponents), "<f8"))
        for method in METHODS:
            usual = self.sosie("pairs", "usual.npy", *bound, "--method", method, code=None)
            scaled = self.sosie("pairs", "scaled.npy", *bound, "--method", method, code=None)
            self.assertEqual((usual.code, scaled.code), (0, 0), scaled.err)
            self.assertGreaterEqual(len(values(usual.out)), 90 if method != "lsh" else 80)
            self.assertEqual(scaled.out, usual.out, (method, exponents[:5]))

    def test_of_very_long_and_very_short_rows_are_right(self) -> None:
        for exponent in (-1000, -700, -400, -270, 256, 300, 500, 700, 1000):
            self.expect_same([exponent] * 90, ["--threshold", "0.95"])

    def test_of_rows_of_any_lengths_are_right(self) -> None:
        rng = random.Random(11)
        for _ in range(3):
            self.expect_same([rng.randint(-1000, 1000) for _ in range(90)],
                             ["--threshold", "0.95"])
            self.expect_same([rng.randint(-1000, 1000) for _ in range(90)],
                             ["--measure", "angle", "--within", "15"])

    def test_of_float32_are_right_at_both_ends(self) -> None:
        rows = groups(90, 24, 7)
        for exponent in (-120, 120):
            self.write("usual.npy", npy(rows, "<f4"))
            self.write("scaled.npy", npy(times(rows, [exponent] * 90), "<f4"))
            for method in METHODS:
                usual = self.sosie("pairs", "usual.npy", "--threshold", "0.95", "--method",
                                       method, code=None)
                scaled = self.sosie("pairs", "scaled.npy", "--threshold", "0.95", "--method",
                                        method, code=None)
                self.assertEqual(values(scaled.out), values(usual.out), (exponent, method))

    def test_dedup_and_queries_see_the_same(self) -> None:
        rows = groups(90, 24, 7)
        self.write("d.npy", npy(times(rows, [1000] * 90), "<f8"))
        for method in ("exact", "lsh"):
            result = self.sosie("dedup", "d.npy", "--threshold", "0.95", "--method", method,
                                    "--removed", "r.tsv", "-o", f"k{method}.npy", code=None)
            self.assertEqual(result.code, 0, result.err)
            self.assertEqual(len(read_table(self.read("r.tsv"))), 60)
        asked = jsonl([{"v": times(rows[:1], [-900])[0]}])
        result = self.sosie("query", "d.npy", "-", "--kind", "vectors", "--column", "v",
                                "--threshold", "0.95", stdin=asked, code=None)
        self.assertEqual([row["right"] for row in read_table(result.out)[:1]], ["0"], result.err)
        self.assertEqual(len(values(result.out)), 3)

    def test_a_vector_of_the_least_numbers_is_not_all_zeros(self) -> None:
        self.write("d.npy", npy([[5e-324, 0.0], [1.0, 0.0]], "<f8"))
        result = self.sosie("pairs", "d.npy", "--threshold", "1", code=None)
        self.assertEqual(values(result.out), [("0", "1", "1.000000")], result.err)


class DistancesTest(SosieTest):
    def test_beyond_squares_every_pair_is_measured(self) -> None:
        rows = [[1e300, 0.0], [1e300, 0.0], [-1e300, 1.0], [1e-300, 2.0]]
        self.write("d.npy", npy(rows, "<f8"))
        for measure in ("euclidean", "manhattan", "chebyshev", "minkowski:3"):
            outs = [self.sosie("pairs", "d.npy", "--measure", measure, "--within", "5",
                               "--method", method, code=None)
                    for method in ("brute", "exact", "auto")]
            for result in outs:
                self.assertEqual(values(result.out), [("0", "1", "0.000000")], measure)
        refused = self.sosie("pairs", "d.npy", "--measure", "euclidean", "--within", "5",
                                 "--method", "lsh", code=None)
        self.assertEqual(refused.code, 2)
        self.assertIn("--method exact", refused.err)

    def test_tiny_distances_are_not_zero(self) -> None:
        self.write("d.npy", npy([[1e-200], [2e-200], [2e-200]], "<f8"))
        for method in ("brute", "exact", "auto"):
            result = self.sosie("pairs", "d.npy", "--measure", "euclidean", "--within", "0",
                                    "--method", method, code=None)
            self.assertEqual(values(result.out), [("1", "2", "0.000000")], method)

    def test_inner_products_beyond_the_range_keep_their_sign(self) -> None:
        self.write("d.npy", npy([[1e200, 1e200], [1e200, -0.9e200], [-1e200, -1e200]], "<f8"))
        result = self.sosie("pairs", "d.npy", "--measure", "dot", "--threshold", "1", code=None)
        self.assertEqual([row[:2] for row in values(result.out)], [("0", "1")])


class ManyDigitsTest(SosieTest):
    """Bounds for vectors that are not quotients of small whole numbers."""

    def distances(self, rows: list) -> dict:
        return {(str(i), str(j)): abs(rows[i] - rows[j])
                for i in range(len(rows)) for j in range(i + 1, len(rows))}

    def write_rows(self, scale: float) -> dict:
        rng = random.Random(5)
        rows = [rng.random() * scale for _ in range(60)]
        self.write("d.npy", npy([[c] for c in rows], "<f8"))
        return self.distances(rows)

    def found(self, *args: str) -> set:
        result = self.sosie(*args, code=None)
        self.assertEqual(result.code, 0, result.err)
        return {(row["left"], row["right"]) for row in read_table(result.out)}

    def test_decide_by_the_double_that_they_are(self) -> None:
        for scale in (1e-12, 1e-5, 1, 1e9):
            known = self.write_rows(scale)
            for bound in sorted(known.values())[3:1700:283]:
                expected = {pair for pair, distance in known.items() if distance <= bound}
                for measure in ("manhattan", "chebyshev"):
                    for method in ("brute", "exact"):
                        asked = ("pairs", "d.npy", "--measure", measure, "--within", repr(bound))
                        self.assertEqual(self.found(*asked, "--method", method), expected,
                                         (scale, bound, measure, method))

    def test_lose_no_pair_on_the_way_through_plans_and_indexes(self) -> None:
        known = self.write_rows(1e-10)
        bound = sorted(known.values())[400]
        expected = {pair for pair, distance in known.items() if distance <= bound}
        asked = ("--measure", "manhattan", "--within", repr(bound))
        self.sosie("plan", "d.npy", *asked, "--method", "lsh", "-o", "p.json")
        told = self.found("pairs", "d.npy", *asked, "--plan", "p.json")
        self.sosie("sketch", "d.npy", "--plan", "p.json", "-o", "d.sketch")
        self.assertEqual(self.found("pairs", "--reuse", "d.sketch"), told)
        self.assertLessEqual(told, expected)
        self.assertGreater(len(told), .9 * len(expected))
        self.sosie("index", "build", "x.index", "d.npy", *asked)
        for within in (bound, bound * 1.0001):  # an exact index reads all items regardless of the bound
            asked_twice = {tuple(sorted(pair, key=int)) for pair in
                           self.found("query", "x.index", "d.npy", "--within", repr(within))
                           if pair[0] != pair[1]}
            self.assertEqual(asked_twice,
                             {pair for pair, distance in known.items() if distance <= within})
        self.sosie("pairs", "d.npy", *asked, "-o", "p.tsv")
        looser = self.sosie("dedup", "d.npy", "--kind", "vectors", "--measure", "manhattan",
                            "--reuse", "p.tsv", "--within", repr(bound * 1.0001), "-o", "k.npy",
                            code=None)
        self.assertEqual(looser.code, 2, looser.err)

    def test_of_pairs_files_decide_by_all_their_digits(self) -> None:
        self.write("p.tsv", b"left\tright\tdistance\na\tb\t0.09999999999\nc\td\t0.10000000000\n")
        self.assertEqual(self.sosie("cluster", "p.tsv", "--within", "0.09999999999").out.count(b"\n"),
                         3)

    def test_of_measures_are_refused(self) -> None:
        self.write("d.npy", npy([[1.0, 0.0], [0.0, 1.0]], "<f8"))
        result = self.sosie("pairs", "d.npy", "--measure", "minkowski:2.00000000001", "--within",
                            "1", code=None)
        self.assertEqual(result.code, 2)
        self.assertIn("quotient of two whole numbers below 2^31", result.err)

    def test_may_be_just_below_zero(self) -> None:
        self.write("d.npy", npy([[1.0], [-1e-12], [-3e-12]], "<f8"))
        found = self.found("pairs", "d.npy", "--measure", "dot", "--threshold", "-2e-12")
        self.assertEqual(found, {("0", "1"), ("1", "2")})


class OptionsTest(SosieTest):
    def setUp(self) -> None:
        super().setUp()
        self.write("s.sets", b"a b c d\na b c d e\nx y\n")

    def pairs(self, *options: str):
        return self.sosie("pairs", "s.sets", *options, code=None)

    def test_powers_of_ten_are_numbers(self) -> None:
        for text in ("8e-1", "0.08e1", "8E-1"):
            self.assertEqual(self.pairs("--threshold", text).out,
                             self.pairs("--threshold", "0.8").out)

    def test_many_digits_decide_as_they_are_written(self) -> None:
        found = [len(values(self.pairs("--threshold", text).out))
                 for text in ("0.7999999999999999999", "0.8000000000000000000",
                              "0.8000000000000000001")]
        self.assertEqual(found, [1, 1, 0])

    def test_thresholds_too_low_for_lsh_are_left_to_other_methods(self) -> None:
        for text in (".001", "0.0001", "1e-9"):
            result = self.pairs("--threshold", text)
            self.assertEqual(result.code, 0, result.err)
            self.assertEqual(len(values(result.out)), 1)
            self.assertEqual(self.sosie("plan", "s.sets", "--threshold", text, code=None).code, 0)
            refused = self.pairs("--threshold", text, "--method", "lsh")
            self.assertEqual(refused.code, 2)
            self.assertIn("--method exact", refused.err)

    def test_many_sets_at_a_very_low_threshold_are_joined(self) -> None:
        rows = "".join(f"a{i} b{i} c{i // 2}\n" for i in range(3000))
        self.write("m.sets", rows.encode())
        result = self.sosie("pairs", "m.sets", "--threshold", "0.0001", code=None)
        self.assertEqual(len(values(result.out)), 1500, result.err)

    def test_inner_products_may_be_asked_from_zero_or_below(self) -> None:
        for kind, rows in (("<f8", [[1.0, 0.0], [-0.5, 1.0], [-2.0, 0.0]]),
                           ("|i1", [[2, 0], [-1, 2], [-4, 0]])):
            unit = 1 if kind == "<f8" else 4
            self.write("d.npy", npy(rows, kind))
            for threshold, found in ((0, 1), (-unit / 2, 2), (-2 * unit, 3)):
                result = self.sosie("pairs", "d.npy", "--measure", "dot", "--threshold",
                                        f"{threshold:g}", code=None)
                self.assertEqual(result.code, 0, result.err)
                self.assertEqual(len(values(result.out)), found, (kind, threshold))

    def test_other_measures_refuse_zero_and_below(self) -> None:
        self.write("d.npy", npy([[1.0, 0.0], [0.0, 1.0]], "<f8"))
        for text in ("0", "-0.5", "1.5"):
            for result in (self.pairs("--threshold", text),
                           self.sosie("pairs", "d.npy", "--threshold", text, code=None)):
                self.assertEqual(result.code, 2)
                self.assertIn("above 0 and at most 1", result.err)


if __name__ == "__main__":
    unittest.main()

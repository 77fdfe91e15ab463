"""Vectors: every measure, exact joins, queries, limits."""
# slow: more than 5 s in a release build, so `make sanitize` leaves it to `make sanitize-all`

import gzip
import json
import math
import random
import unittest
from fractions import Fraction

from measured_rows import as_numbers, cosine_reaches, dot, grouped, npy, vecs, within
from support import DATA, SosieTest, jsonl, needs_data, read_table


class Vectors(SosieTest):
    def pairs(self, *args: str, **options) -> list:
        return as_numbers(self.sosie("pairs", *args, **options).out)

    def setUp(self):
        super().setUp()
        self.rows = grouped(240, 24, 1)
        self.write("in.npy", npy(self.rows, "|u1"))
        self.all = [(i, j) for i in range(len(self.rows)) for j in range(i + 1, len(self.rows))]

    # --- what is found

    def test_pairs_of_any_order_are_those_of_whole_numbers(self):
        for order, distance in ((3, 60), (3, "12.5"), (4, 90), (1, 200), (2, 90)):
            bound = Fraction(distance)
            expected = [(i, j) for i, j in self.all if sum(
                abs(a - b) ** order for a, b in zip(self.rows[i], self.rows[j])) <= bound ** order]
            self.assertTrue(expected)
            for method in ("exact", "brute"):
                self.assertEqual(self.pairs("in.npy", "--measure", f"minkowski:{order}",
                                            "--within", str(distance), "--method", method),
                                 expected)

    def test_orders_that_are_not_whole_are_close_to_those_of_libm(self):
        found = read_table(self.sosie("pairs", "in.npy", "--measure", "minkowski:5/2",
                                      "--within", "80").out)
        expected = {}
        for i, j in self.all:
            value = sum(abs(a - b) ** 2.5 for a, b in zip(self.rows[i], self.rows[j])) ** (1 / 2.5)
            if value <= 80:
                expected[str(i), str(j)] = f"{value:.6f}"
        self.assertTrue(expected)
        self.assertEqual({(row["left"], row["right"]): row["distance"] for row in found}, expected)

    def test_canberra_adds_up_relative_differences(self):
        rng = random.Random(4)
        rows = [[rng.choice((0, 1, -3, 12.5, 1e-300, 1e308, -1e308)) for _ in range(7)]
                for _ in range(50)]
        self.write("c.npy", npy(rows, "<f8"))

        def distance(left: list[float], right: list[float]) -> float:
            terms = [(Fraction(a), Fraction(b)) for a, b in zip(left, right) if a or b]
            return float(sum(abs(a - b) / (abs(a) + abs(b)) for a, b in terms))

        expected = {(str(i), str(j)): f"{distance(rows[i], rows[j]):.6f}"
                    for i in range(50) for j in range(i + 1, 50)
                    if distance(rows[i], rows[j]) <= 3.7}
        self.assertTrue(expected)
        for method in ("auto", "exact", "brute"):
            found = read_table(self.sosie("pairs", "c.npy", "--measure", "canberra", "--within",
                                          "3.7", "--method", method).out)
            self.assertEqual({(row["left"], row["right"]): row["distance"] for row in found},
                             expected)
        self.assertIn("no lsh", self.sosie("pairs", "c.npy", "--measure", "canberra", "--within",
                                           "3", "--method", "lsh", code=2).err)

    def test_components_that_differ_are_counted(self):
        rng = random.Random(3)
        rows = [[rng.choice((0, 1.5, -7, 1e30)) for _ in range(9)] for _ in range(60)]
        self.write("marks.npy", npy(rows, "<f8"))
        expected = {(i, j): sum(a != b for a, b in zip(rows[i], rows[j]))
                    for i in range(60) for j in range(i + 1, 60)}
        found = read_table(self.sosie("pairs", "marks.npy", "--measure", "hamming",
                                      "--within", "4").out)
        self.assertEqual({(int(row["left"]), int(row["right"])): float(row["distance"])
                          for row in found}, {p: n for p, n in expected.items() if n <= 4})
        self.sosie("dedup", "marks.npy", "--measure", "hamming", "--within", "4", "-o", "kept.npy",
                   "--stats", "stats.json")
        self.assertLess(json.loads(self.read("stats.json"))["kept"], 60)

    def test_vectors_that_are_short_beside_others_are_found_by_every_method(self):
        rows = [[0, 0], [1e-9, 0], [0, 2e-9], [1e9, 0], [1e9, 5e-8]]
        self.write("short.npy", npy(rows, "<f8"))
        for method in ("exact", "brute"):
            self.assertEqual(self.pairs("short.npy", "--measure", "euclidean", "--within", "0.0000001",
                                        "--method", method), [(0, 1), (0, 2), (1, 2), (3, 4)])
            hits = read_table(self.sosie("query", "short.npy", "short.npy", "--measure",
                                         "euclidean", "--top", "5", "--method", method).out)
            self.assertEqual(len(hits), 25)

    def test_products_are_compared_without_their_lengths(self):
        rows = [[c - 128 for c in row] for row in self.rows]
        self.write("centred.npy", npy(rows, "|i1"))
        best = {}
        for i, x in enumerate(rows):
            best[i] = sorted(range(len(rows)), key=lambda j: (-dot(x, rows[j]), j))[:3]
        found = {}
        for row in read_table(self.sosie("query", "centred.npy", "centred.npy", "--measure", "dot",
                                         "--top", "3").out):
            found.setdefault(int(row["left"]), []).append(int(row["right"]))
        self.assertEqual(found, best)
        bound = max(dot(rows[i], rows[j]) for i, j in self.all) // 2
        expected = [(i, j) for i, j in self.all if dot(rows[i], rows[j]) >= bound]
        self.assertEqual(self.pairs("centred.npy", "--measure", "dot", "--threshold", str(bound)),
                         expected)
        self.assertIn("is not a distance", self.sosie("dedup", "centred.npy", "--measure", "dot",
                                                "--threshold", "5", code=2).err)

    def test_a_similarity_above_one_is_for_products_only(self):
        for args in (("in.npy",), ("in.npy", "--measure", "cosine")):
            self.assertIn("at most 1", self.sosie("pairs", *args, "--threshold", "1.5",
                                                  code=2).err)
        for measure in ("minkowski", "minkowski:0.5", "minkowski:x", "minkowski:-1", "dot:2"):
            self.assertIn("minkowski:R", self.sosie("pairs", "in.npy", "--measure", measure,
                                                    "--within", "3", code=2).err)

    def test_cosine_pairs_are_those_of_whole_numbers(self):
        for threshold in ("0.999", "0.95", "19/20", "0.5"):
            expected = [(i, j) for i, j in self.all
                        if cosine_reaches(self.rows[i], self.rows[j], Fraction(threshold))]
            self.assertEqual(self.pairs("in.npy", "--threshold", threshold), expected)
            self.assertGreater(len(expected), 50)

    def test_distances_are_those_of_whole_numbers(self):
        for measure, distances in (("euclidean", ("0", "12.5", "150")),
                                   ("manhattan", ("40", "700")), ("chebyshev", ("3", "61/2"))):
            for distance in distances:
                expected = [(i, j) for i, j in self.all
                            if within(self.rows[i], self.rows[j], measure, Fraction(distance))]
                found = self.pairs("in.npy", "--measure", measure, "--within", distance)
                self.assertEqual(found, expected, (measure, distance))

    def test_angles_are_in_degrees(self):
        self.write("a.npy", npy([[1, 0], [0, 1], [1, 1], [-1, 0]], "<f8"))
        for args in (("90",), ("90.1",), ("90", "--method", "exact"), ("90", "--method", "brute")):
            out = self.sosie("pairs", "a.npy", "--measure", "angle", "--within", *args).out
            self.assertEqual(out, b"left\tright\tdistance\n0\t1\t90.000000\n0\t2\t45.000000\n"
                                  b"1\t2\t45.000000\n1\t3\t90.000000\n", args)
        wide = self.pairs("a.npy", "--measure", "angle", "--within", "180")
        self.assertEqual(len(wide), 6)

    def test_brute_finds_the_same_and_says_so(self):
        exact = self.sosie("pairs", "in.npy", "--threshold", "0.9")
        brute = self.sosie("pairs", "in.npy", "--threshold", "0.9", "--method", "brute")
        self.assertEqual(exact.out, brute.out)
        self.assertIn("brute: every pair is measured", brute.err)
        self.assertIn("28,680 candidates, 28,680 verified", brute.err)

    def test_values_are_those_of_doubles(self):
        rng = random.Random(2)
        rows = [[rng.gauss(0, 1) for _ in range(33)] for _ in range(60)]
        self.write("f.npy", npy(rows, "<f8"))
        out = self.sosie("pairs", "f.npy", "--threshold", "0.3").out
        for row in read_table(out):
            x, y = rows[int(row["left"])], rows[int(row["right"])]
            self.assertAlmostEqual(float(row["similarity"]),
                                   math.fsum(a * b for a, b in zip(x, y))
                                   / math.sqrt(dot(x, x) * dot(y, y)), places=6)

    def test_result_depends_on_nothing_else(self):
        args = ("pairs", "in.npy", "--threshold", "0.9")
        expected = self.sosie(*args).out
        for more in (("--threads", "1"), ("--threads", "7"), ("--memory", "1M"), ("--seed", "9")):
            self.assertEqual(self.sosie(*args, *more).out, expected, more)
        targets = self.fails(2, "pairs", "in.npy", "--threshold", "1", "--simd", "none").err
        for target in targets.split("can run: ")[1].split(", "):
            self.assertEqual(self.sosie(*args, "--simd", target.strip()).out, expected, target)

    def test_between_two_collections(self):
        self.write("other.fvecs", vecs(self.rows[:50]))
        found = self.pairs("in.npy", "--against", "other.fvecs", "--threshold", "0.999")
        expected = [(i, j) for i in range(len(self.rows)) for j in range(50)
                    if cosine_reaches(self.rows[i], self.rows[j], Fraction("0.999"))]
        self.assertEqual(found, expected)

    # --- query

    def hits(self, *args: str, **options) -> list:
        """Returns (left, right, value as printed) for each hit."""
        return [(int(row["left"]), int(row["right"]), list(row.values())[2])
                for row in read_table(self.sosie("query", *args, **options).out)]

    def nearest(self, asked: list, distance, most: int | None = None) -> list:
        """By `distance`, with ties in the order of DATA."""
        hits = []
        for i, row in enumerate(asked):
            order = sorted((distance(row, other), j) for j, other in enumerate(self.rows))
            hits += [(i, j) for _, j in order[:most]]
        return hits

    def test_query_lists_the_nearest_first(self):
        asked = self.rows[40:60] + grouped(9, 24, 5)
        self.write("asked.npy", npy(asked, "|u1"))
        for threshold in ("0.95", "0.5"):
            expected = [(i, j) for i, j in self.nearest(asked, lambda x, y: -Fraction(
                            dot(x, y) ** 2, dot(x, x) * dot(y, y)))
                        if cosine_reaches(asked[i], self.rows[j], Fraction(threshold))]
            found = self.hits("in.npy", "asked.npy", "--threshold", threshold)
            self.assertEqual([hit[:2] for hit in found], expected)
            self.assertGreater(len(expected), 20)
        found = self.hits("in.npy", "asked.npy", "--threshold", "0.5", "--top", "2")
        self.assertEqual([hit[:2] for hit in found if hit[0] == 0], expected[:2])

    def test_top_alone_gives_the_nearest_there_are(self):
        asked = grouped(45, 24, 6)
        self.write("asked.npy", npy(asked, "|u1"))
        self.write("wide.npy", npy([[c - 128 for c in row] for row in asked], "<f4"))
        distances = {
            "euclidean": lambda x, y: sum((a - b) ** 2 for a, b in zip(x, y)),
            "manhattan": lambda x, y: sum(abs(a - b) for a, b in zip(x, y)),
            "chebyshev": lambda x, y: max(abs(a - b) for a, b in zip(x, y)),
            "cosine": lambda x, y: -dot(x, y) / math.sqrt(dot(x, x) * dot(y, y)),
            "angle": lambda x, y: -dot(x, y) / math.sqrt(dot(x, x) * dot(y, y)),
        }
        for measure, distance in distances.items():
            for name, rows in (("asked.npy", asked),
                               ("wide.npy", [[c - 128 for c in row] for row in asked])):
                for most in (1, 10, 1000):
                    found = self.hits("in.npy", name, "--measure", measure, "--top", str(most))
                    expected = self.nearest(rows, distance, most)
                    if measure == "cosine":  # similarities above 0
                        expected = [(i, j) for i, j in expected if dot(rows[i], self.rows[j]) > 0]
                    self.assertEqual([hit[:2] for hit in found], expected, (measure, name, most))

    def test_the_nearest_of_many_are_those_of_brute_force(self):
        rng = random.Random(7)
        middles = [[rng.gauss(0, 1) for _ in range(16)] for _ in range(60)]
        self.rows = [[c + rng.gauss(0, 0.3) for c in middles[i % 60]] for i in range(6000)]
        self.write("many.npy", npy(self.rows, "<f8"))
        self.write("few.npy", npy(self.rows[:300:2], "<f8"))
        for measure in ("cosine", "angle", "euclidean"):
            args = ("query", "many.npy", "few.npy", "--measure", measure, "--top", "7")
            result = self.sosie(*args, "--stats", "s.json")
            self.assertEqual(self.sosie(*args, "--method", "brute").out, result.out)
            self.assertEqual(self.sosie(*args, "--threads", "3").out, result.out)
            self.assertLess(json.loads(self.read("s.json"))["candidates"], 150 * 6000 / 10)
            found = [(row["left"], row["right"]) for row in read_table(result.out)]
            self.assertEqual(found[::7], [(str(i), str(2 * i)) for i in range(150)])

    def test_equal_hits_come_in_the_order_of_data(self):
        self.write("same.npy", npy([[1, 2]] * 100 + [[2, 4]] * 100, "|i1"))
        self.write("one.npy", npy([[3, 6]], "|i1"))
        for more in (("--top", "70"), ("--threshold", "1", "--top", "70")):
            found = self.hits("same.npy", "one.npy", *more)
            self.assertEqual(found, [(0, j, "1.000000") for j in range(70)])

    def test_query_of_rows_with_ids_and_of_standard_input(self):
        self.write("data.jsonl", jsonl([{"id": "x", "text": [1, 0]}, {"id": "y", "text": [0, 1]}]))
        out = self.sosie("query", "data.jsonl", "--kind", "vectors", "--top", "1",
                         stdin=jsonl([{"id": "q", "text": [1, 3]}])).out
        self.assertEqual(out, b"left\tright\tsimilarity\nq\ty\t0.948683\n")

    def test_query_sums_up_and_says_when_there_is_no_hit(self):
        self.write("asked.npy", npy([self.rows[3], [255] + [0] * 23], "|u1"))
        result = self.sosie("query", "in.npy", "asked.npy", "--measure", "euclidean", "--within",
                            "0", "--stats", "s.json")
        self.assertIn("2 looked up, 1 with 1 hit", result.err)
        stats = json.loads(self.read("s.json"))
        self.assertEqual((stats["rows_with_pairs"], stats["pairs"]), (1, 1))
        self.write("far.npy", npy([[255] + [0] * 23], "|u1"))
        self.write("none.npy", npy([], "|u1"))
        for name, more, code in (("far.npy", ("--threshold", "1"), 1), ("none.npy", ("--top", "3"), 0)):
            result = self.sosie("query", "in.npy", name, *more, code=code)
            self.assertEqual(result.out, b"left\tright\tsimilarity\n")
        self.sosie("query", "none.npy", "in.npy", "--top", "3", code=1)

    def test_query_asks_for_a_bound_or_a_number(self):
        self.fails(2, "query", "in.npy", "in.npy", says="--threshold: must be given for cosine",
                   hints="--top K")
        self.fails(2, "pairs", "in.npy", says="--threshold: must be given for cosine",
                   hints="--top K")
        self.fails(2, "query", "-", "--kind", "vectors", "--top", "3",
                   says="standard input can be read only once")
        self.fails(4, "query", "in.npy", "in.npy", "--top", "2", "--limit", "479", says="--limit")
        self.sosie("query", "in.npy", "in.npy", "--top", "2", "--limit", "480")

    # --- pairs again

    def test_top_and_top_pairs_keep_the_nearest(self):
        args = ("in.npy", "--measure", "euclidean", "--within", "300")
        every = read_table(self.sosie("pairs", *args).out)
        for row in every:
            row["order"] = (float(row["distance"]), int(row["left"]), int(row["right"]))
        nearest = sorted(every, key=lambda row: row["order"])
        in_order = sorted(nearest[:7], key=lambda row: row["order"][1:])
        top_pairs = read_table(self.sosie("pairs", *args, "--top-pairs", "7").out)
        self.assertEqual([row["left"] for row in top_pairs], [row["left"] for row in in_order])
        top = read_table(self.sosie("pairs", *args, "--top", "1").out)
        best = {}
        for row in nearest:
            best.setdefault(row["left"], row["right"])
        self.assertEqual({row["left"]: row["right"] for row in top}, best)

    def test_limit_writes_nothing_beyond_it(self):
        count = len(self.pairs("in.npy", "--threshold", "0.9"))
        self.assertEqual(len(self.pairs("in.npy", "--threshold", "0.9", "--limit", str(count))),
                         count)
        result = self.fails(4, "pairs", "in.npy", "--threshold", "0.9", "--limit", str(count - 1),
                            says="--limit", hints="raise --threshold")
        self.assertEqual(result.out, b"")
        self.fails(4, "pairs", "in.npy", "--threshold", "0.9", "--limit", "1", "-o", "p.tsv")
        self.assertNotIn("p.tsv", self.names())

    def test_a_million_million_pairs_are_announced(self):
        self.write("same.npy", npy([[1] * 2] * 20000, "|i1"))
        result = self.fails(4, "pairs", "same.npy", "--threshold", "1", "--limit", "1000")
        self.assertNotIn("expected", result.err)
        with open("/dev/full", "wb") as full:
            error = self.sosie("pairs", "same.npy", "--threshold", "1", code=4, stdout=full).err
        self.assertIn("about 199,990,000 pairs are expected", error)

    def test_sums_up(self):
        result = self.sosie("pairs", "in.npy", "--threshold", "0.9", "--stats", "stats.json")
        stats = json.loads(self.read("stats.json"))
        self.assertEqual(stats["rows"], 240)
        self.assertEqual(stats["dimension"], 24)
        self.assertEqual(stats["components"], "uint8")
        self.assertEqual(stats["pairs"], len(as_numbers(result.out)))
        self.assertEqual(stats["method"], "exact")
        self.assertLess(stats["candidates"], 2 * stats["pairs"])
        self.assertIn("240 read", result.err)

    @needs_data("vectors")
    def test_sift_descriptors(self):
        with gzip.open(DATA / "vectors" / "sift128.u8.npy.gz") as file:
            data = file.read(128 + 128 * 4000)[-128 * 4000:]
        rows = [list(data[128 * i:128 * (i + 1)]) for i in range(0, 4000, 10)]
        self.write("sift.npy", npy(rows, "|u1"))
        for threshold in ("0.8", "0.7"):
            expected = [(i, j) for i in range(len(rows)) for j in range(i + 1, len(rows))
                        if cosine_reaches(rows[i], rows[j], Fraction(threshold))]
            self.assertEqual(self.pairs("sift.npy", "--threshold", threshold), expected)
            self.assertGreater(len(expected), 100)

    def test_of_equal_vectors_every_pair_counts_once(self):
        # Few enough that the estimate before the run samples nearly all of them.
        self.write("same.npy", npy([[1, 2]] * 130))
        every = 130 * 129 // 2
        args = ("pairs", "same.npy", "--threshold", "1", "--method", "exact", "--limit")
        self.assertEqual(len(self.sosie(*args, str(every)).out.splitlines()), every + 1)
        self.fails(4, *args, str(every - 1), says=f"more than {every - 1} pairs")
        self.sosie("pairs", "same.npy", "--against", "same.npy", *args[2:], str(130 * 130))


if __name__ == "__main__":
    unittest.main()

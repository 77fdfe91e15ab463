"""Vectors: files of them and rows with lists, every measure, exact joins, bad input."""

import gzip
import json
import math
import os
import random
import struct
import unittest
from fractions import Fraction
from pathlib import Path

from support import DATA, SosieTest, jsonl, needs_data, read_table


def npy(rows: list, kind: str = "<f4", shape: str = "", fortran: bool = False) -> bytes:
    """A .npy file of version 1."""
    letter = {"<f4": "f", "<f8": "d", "|i1": "b", "|u1": "B", "<f2": "e"}[kind]
    shape = shape or f"({len(rows)}, {len(rows[0]) if rows else 4})"
    header = f"{{'descr': '{kind}', 'fortran_order': {fortran}, 'shape': {shape}, }}"
    header += " " * (-(len(header) + 11) % 64) + "\n"
    data = b"".join(struct.pack(f"<{len(row)}{letter}", *row) for row in rows)
    return b"\x93NUMPY\x01\0" + struct.pack("<H", len(header)) + header.encode() + data


def vecs(rows: list, letter: str = "f") -> bytes:
    return b"".join(struct.pack(f"<i{len(row)}{letter}", len(row), *row) for row in rows)


def grouped(count: int, dimension: int, seed: int, least: int = 0, most: int = 255) -> list:
    """Whole-numbered vectors, three of each near to each other, shuffled."""
    rng = random.Random(seed)
    rows = []
    for _ in range(count // 3):
        middle = [rng.randint(least, most) for _ in range(dimension)]
        for spread in (0, 3, 40):
            rows.append([min(most, max(least, c + rng.randint(-spread, spread))) for c in middle])
    rng.shuffle(rows)
    return rows


def dot(x: list, y: list) -> int:
    return sum(a * b for a, b in zip(x, y))


def cosine_reaches(x: list, y: list, threshold: Fraction) -> bool:
    """In whole numbers: exactly as the threshold is written."""
    product = dot(x, y)
    return product > 0 and Fraction(product * product, dot(x, x) * dot(y, y)) >= threshold ** 2


def within(x: list, y: list, measure: str, distance: Fraction) -> bool:
    differences = [abs(a - b) for a, b in zip(x, y)]
    if measure == "euclidean":
        return sum(d * d for d in differences) <= distance ** 2
    return (sum(differences) if measure == "manhattan" else max(differences)) <= distance


def as_numbers(out: bytes) -> list:
    return [(int(row["left"]), int(row["right"])) for row in read_table(out)]


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
        self.assertIn("no distance", self.sosie("dedup", "centred.npy", "--measure", "dot",
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
        out = self.sosie("pairs", "a.npy", "--measure", "angle", "--within", "90.1").out
        self.assertEqual(out, b"left\tright\tdistance\n0\t1\t90.000000\n0\t2\t45.000000\n"
                              b"1\t2\t45.000000\n1\t3\t90.000000\n")
        wide = self.pairs("a.npy", "--measure", "angle", "--within", "180")
        self.assertEqual(len(wide), 6)

    def test_brute_finds_the_same_and_says_so(self):
        exact = self.sosie("pairs", "in.npy", "--threshold", "0.9")
        brute = self.sosie("pairs", "in.npy", "--threshold", "0.9", "--method", "brute")
        self.assertEqual(exact.out, brute.out)
        self.assertIn("brute: every pair is measured", brute.err)
        self.assertIn("28,680 candidates measured", brute.err)

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
        """(left, right, value as written)."""
        return [(int(row["left"]), int(row["right"]), list(row.values())[2])
                for row in read_table(self.sosie("query", *args, **options).out)]

    def nearest(self, asked: list, distance, most: int | None = None) -> list:
        """By `distance`, ties in the order of DATA."""
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
                    self.assertEqual([hit[:2] for hit in found],
                                     self.nearest(rows, distance, most), (measure, name, most))

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
        self.assertIn("2 rows looked up, 1 with 1 hit", result.err)
        stats = json.loads(self.read("s.json"))
        self.assertEqual((stats["rows_with_pairs"], stats["pairs"]), (1, 1))
        self.write("far.npy", npy([[255] + [0] * 23], "|u1"))
        self.write("none.npy", npy([], "|u1"))
        for name, more in (("far.npy", ("--threshold", "1")), ("none.npy", ("--top", "3"))):
            result = self.sosie("query", "in.npy", name, *more, code=1)
            self.assertEqual(result.out, b"left\tright\tsimilarity\n")
        self.sosie("query", "none.npy", "in.npy", "--top", "3", code=1)

    def test_query_asks_for_a_bound_or_a_number(self):
        self.fails(2, "query", "in.npy", "in.npy", says="--threshold: must be given for cosine",
                   hints="--top K")
        self.fails(2, "pairs", "in.npy", "--top", "3", says="--threshold: must be given")
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
        self.assertIn("240 rows read", result.err)

    # --- where vectors come from

    def test_every_format_holds_the_same_vectors(self):
        expected = self.pairs("in.npy", "--threshold", "0.9")
        fields = [f"c{number}" for number in range(24)]
        files = {
            "a.npy": npy(self.rows, "<f4"), "b.npy": npy(self.rows, "<f8"),
            "h.npy": npy(self.rows, "<f2"), "a.fvecs": vecs(self.rows),
            "a.bvecs": vecs(self.rows, "B"), "a.ivecs": vecs(self.rows, "i"),
            "a.npy.gz": gzip.compress(npy(self.rows, "|u1")),
            "a.txt": "".join(" ".join(map(str, row)) + "\n" for row in self.rows).encode(),
            "a.jsonl": jsonl([{"text": row} for row in self.rows]),
            "a.csv": "\n".join(["text", *(f'"{row}"' for row in self.rows)]).encode(),
            "c.csv": "\n".join([",".join(fields),
                                *(",".join(map(str, row)) for row in self.rows)]).encode(),
        }
        for name, content in files.items():
            self.write(name, content)
            more = ("--column", ",".join(fields)) if name == "c.csv" else ()
            found = self.pairs(name, "--kind", "vectors", "--threshold", "0.9", *more)
            self.assertEqual(found, expected, name)

    def test_several_files_are_one_collection(self):
        self.write("1.npy", npy(self.rows[:100], "|u1"))
        self.write("2.fvecs", vecs(self.rows[100:]))
        self.assertEqual(self.pairs("1.npy", "2.fvecs", "--threshold", "0.9"),
                         self.pairs("in.npy", "--threshold", "0.9"))

    def test_rows_have_ids(self):
        self.write("a.jsonl", jsonl([{"id": "x", "e": {"v": [1, 0]}}, {"id": 7, "e": {"v": [0, 1]}},
                                     {"id": "y", "e": {"v": [2, 0]}}]))
        args = ("pairs", "a.jsonl", "--kind", "vectors", "--column", "e.v", "--threshold", "1")
        self.assertEqual(self.sosie(*args).out, b"left\tright\tsimilarity\nx\ty\t1.000000\n")
        self.assertEqual(self.sosie(*args, "--id", "row").out,
                         b"left\tright\tsimilarity\n0\t2\t1.000000\n")

    def test_nothing_to_compare(self):
        for name, content in (("e.npy", npy([], "<f4")), ("e.fvecs", b""), ("e.jsonl", b""),
                              ("one.npy", npy([[1, 2]], "<f4"))):
            self.write(name, content)
            args = ("--kind", "vectors", "--threshold", "0.5")
            self.assertEqual(self.pairs(name, *args), [], name)
            self.assertEqual(self.pairs("in.npy", "--against", name, *args)
                             if name.startswith("e.") else [], [], name)

    def test_one_component_and_many(self):
        self.write("1.npy", npy([[3], [-2], [5]], "<f4"))
        self.assertEqual(self.pairs("1.npy", "--threshold", "1"), [(0, 2)])
        rng = random.Random(3)
        row = [rng.randint(-127, 127) for _ in range(100_000)]
        self.write("m.npy", npy([row, [-c for c in row], row], "|i1"))
        self.assertEqual(self.pairs("m.npy", "--threshold", "1"), [(0, 2)])
        self.assertEqual(self.pairs("m.npy", "--measure", "manhattan", "--within", "0"), [(0, 2)])

    def test_extremes_of_bytes(self):
        self.write("i.npy", npy([[-128] * 5, [127] * 5, [-128] * 5], "|i1"))
        out = self.sosie("pairs", "i.npy", "--measure", "chebyshev", "--within", "255").out
        self.assertEqual([row["distance"] for row in read_table(out)],
                         ["255.000000", "0.000000", "255.000000"])

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

    # --- what cannot be meant

    def test_bad_files(self):
        nan, inf = float("nan"), float("inf")
        good = npy([[1, 2], [3, 4]])
        for name, content, says in (
                ("nan.npy", npy([[1, 2], [3, nan]]), "row 1, component 1: is not a number"),
                ("inf.fvecs", vecs([[1, 2], [inf, 0]]), "row 1, component 0: is infinite"),
                ("zero.npy", npy([[1, 2], [0, 0]]), "vector 1 is all zeros and has no cosine"),
                ("f.npy", npy([[1, 2]], fortran=True), "Fortran order"),
                ("cut.npy", good[:-3], "promises 2 rows of 2 components, 16 bytes, but 13 follow"),
                ("more.npy", npy([[1, 2]], shape="(9, 2)"), "promises 9 rows"),
                ("head.npy", good[:30], "ends within its .npy header"),
                ("junk.npy", random.Random(4).randbytes(4096), "is not a .npy file"),
                ("flat.npy", npy([[1, 2]], shape="(2,)"), "not an array of two dimensions"),
                ("cut.fvecs", vecs([[1, 2], [3, 4]])[:-1], "ends within row 1"),
                ("mixed.fvecs", vecs([[1, 2]]) + struct.pack("<i2f", 3, 1, 1),
                 "row 1 has 3 components, row 0 has 2"),
                ("a.jsonl", jsonl([{"text": [1, 2]}, {"text": [1]}]),
                 r"a.jsonl:2: 1 components, the first row has 2"),
                ("b.jsonl", jsonl([{"text": [1, "x"]}]), "b.jsonl:1: field 'text' is not a list"),
                ("c.jsonl", jsonl([{"text": []}]), "c.jsonl:1: the vector is empty"),
                ("d.jsonl", jsonl([{"no": [1]}]), "d.jsonl:1: field 'text' is missing"),
                ("e.jsonl", jsonl([{"id": 1, "text": [1]}, {"id": 1, "text": [2]}]),
                 "e.jsonl:2: id '1' is there twice"),
                ("g.txt", b"1 2\n1 nan\n", "g.txt:2: the line is not a list of finite numbers")):
            self.write(name, content)
            self.fails(3, "pairs", name, "--kind", "vectors", "--threshold", "0.9", says=says)

    def test_numbers_that_cannot_be_are_called_so(self):
        self.write("a.jsonl", b'{"text": [1, 2]}\n{"text": [1, NaN]}\n')
        self.fails(3, "pairs", "a.jsonl", "--kind", "vectors", "--threshold", "0.9",
                   says="a.jsonl:2: broken JSON", hints="NaN and Infinity are no numbers of JSON")
        self.write("b.jsonl", b'{"text": [1, 2]}\n{"text": [1, 2e400]}\n')
        self.fails(3, "pairs", "b.jsonl", "--kind", "vectors", "--threshold", "0.9",
                   says="b.jsonl:2: broken JSON")
        self.fails(2, "pairs", "b.jsonl", "--kind", "vectors", "--measure", "euclidean", "--within",
                   "-1", says="is not a number from 0 up")

    def test_of_equal_vectors_every_pair_counts_once(self):
        # So few that the estimate before the run has drawn nearly all of them.
        self.write("same.npy", npy([[1, 2]] * 130))
        every = 130 * 129 // 2
        args = ("pairs", "same.npy", "--threshold", "1", "--method", "exact", "--limit")
        self.assertEqual(len(self.sosie(*args, str(every)).out.splitlines()), every + 1)
        self.fails(4, *args, str(every - 1), says=f"more than {every - 1} pairs")
        self.sosie("pairs", "same.npy", "--against", "same.npy", *args[2:], str(130 * 130))


    def test_a_missing_field_brings_those_there_are(self):
        self.write("d.jsonl", jsonl([{"id": 1, "vector": [1, 2]}]))
        self.fails(3, "pairs", "d.jsonl", "--kind", "vectors", "--column", "vectr", "--threshold",
                   "0.9", says="^sosie: d.jsonl:1: field 'vectr' is missing$",
                   hints="did you mean 'vector'")
        self.write("e.csv", b"id,x,y\na,1,\n")
        self.fails(3, "pairs", "e.csv", "--kind", "vectors", "--column", "x,z", "--threshold",
                   "0.9", says="^sosie: e.csv:2: field 'z' is missing$",
                   hints="the fields there are: id, x, y")
        result = self.fails(3, "pairs", "e.csv", "--kind", "vectors", "--column", "x,y",
                            "--threshold", "0.9", says="^sosie: e.csv:2: field 'y' is missing$")
        self.assertEqual(len(result.error_lines()), 1)

    def test_trouble_in_a_row_of_many_lines_is_named_with_its_line(self):
        self.write("d.csv", b'text,note\n"1 2","a\nb"x\n')
        self.fails(3, "pairs", "d.csv", "--kind", "vectors", "--threshold", "0.9",
                   says=r"^sosie: d\.csv:3: ")

    def test_vectors_of_different_dimensions(self):
        self.write("2.npy", npy([[1, 2]]))
        self.write("3.npy", npy([[1, 2, 3]]))
        for args in (("2.npy", "3.npy"), ("2.npy", "--against", "3.npy")):
            self.fails(3, "pairs", *args, "--threshold", "0.9", says="2 of|3 of|of 2|of 3")

    def test_bad_options(self):
        for args, says in (
                ((), "--threshold: must be given for cosine"),
                (("--measure", "euclidean"), "--within: must be given for euclidean"),
                (("--within", "3"), "--within: cosine is a similarity"),
                (("--measure", "angle", "--threshold", "0.5"), "angle is a distance"),
                (("--measure", "euclidean", "--within", "3m"), "'3m' is not a number"),
                (("--measure", "euclidean", "--within", "-1"), "'-1' is not a number"),
                (("--measure", "jaccard", "--threshold", "0.5"), "not for items of kind vectors"),
                (("--threshold", "0.5", "--shingle", "chars:9"), "--shingle: not for vectors"),
                (("--threshold", "0.5", "--id", "name"), "a file of vectors has no ids"),
                (("--threshold", "0.5", "-o", "in.npy.tsv", "--stats", "in.npy.tsv"),
                 "named for two outputs")):
            self.fails(2, "pairs", "in.npy", *args, says=says)
        self.fails(2, "pairs", "in.npy", "--kind", "text", says="holds vectors, not rows")
        self.write("t.jsonl", ["a text"])
        self.fails(2, "pairs", "t.jsonl", "--within", "3", says="jaccard is a similarity")
        self.fails(2, "pairs", "t.jsonl", "--measure", "euclidean", says="kind text")


class PlanFamily(SosieTest):
    def test_cascade_of_the_book(self):
        out = self.sosie("plan", "--family", "minhash", "--d1", ".2", "--d2", ".8",
                         "--construct", "and:4,or:4,or:4,and:4", "--svg", "curve.svg").out.decode()
        self.assertIn("(0.2, 0.8, 0.8000000, 0.2000000)-sensitive", out)
        self.assertIn("256 functions", out)
        self.assertIn("(0.2, 0.8, 0.9991285, 4.094e-07)-sensitive", out)
        self.assertTrue(self.read("curve.svg").startswith(b"<svg"))

    def test_every_family(self):
        for family in ("minhash", "bit-sampling", "hyperplane", "gaussian-segments",
                       "cauchy-segments"):
            out = self.sosie("plan", "--family", family).out.decode()
            self.assertIn(f"{family}: (", out)
            self.assertIn("construction      none", out)

    def test_constructions_that_can_be_run_are_bands(self):
        self.write("in.jsonl", [f"some words that are alike {number}" for number in range(40)])
        args = ("pairs", "in.jsonl", "--threshold", "0.2", "--shingle", "words:2")
        self.assertEqual(self.sosie(*args, "--construct", "and:2,or:30").out,
                         self.sosie(*args, "--bands", "30x2").out)
        self.fails(2, *args, "--construct", "or:4,and:4", says="only and:ROWS,or:BANDS")
        self.fails(2, *args, "--construct", "and:2,or:3", "--bands", "3x2", says="give one")
        self.fails(2, *args, "--construct", "and:2,xor:3", says="is not a cascade")
        self.fails(2, *args, "--construct", "and:2,or:3", "--method", "brute",
                   says="--construct: has no meaning")

    def test_bad_families(self):
        self.fails(2, "plan", "--family", "simhash", says="a family known here")
        self.fails(2, "plan", "--family", "minhash", "--d1", ".8", "--d2", ".2", says="less")
        self.fails(2, "plan", "--family", "hyperplane", "--d2", "200", says="at most 180")
        self.fails(2, "plan", "--family", "minhash", "in.jsonl", says="without inputs")


if __name__ == "__main__":
    unittest.main()

"""`--method lsh` for vectors and bit strings: what it promises, finds and rejects."""
# slow: more than 5 s in a release build, so `make sanitize` leaves it to `make sanitize-all`

import gzip
import json
import math
import random
import struct
import unittest

from measured_rows import as_text, bit_strings, grouped, lines, npy, spread
from support import DATA, SosieTest, jsonl, needs_data, read_table, size_of, without_note

SEEDS = size_of(10, 3)


class Lsh(SosieTest):
    MEASURES = (("--threshold", "0.97"), ("--measure", "angle", "--within", "12"),
                ("--measure", "euclidean", "--within", "90"),
                ("--measure", "manhattan", "--within", "350"))

    def setUp(self):
        super().setUp()
        self.rows = grouped(900, 24, 1)
        self.rows += random.Random(2).sample(self.rows, 60)  # identical ones
        self.write("in.npy", npy(self.rows, "|u1"))

    def method_of(self, *args: str) -> str:
        self.sosie("pairs", *args, "--stats", "stats.json")
        return json.loads(self.read("stats.json"))["method"]

    def test_auto_counts_what_an_exact_join_by_another_distance_has_to_measure(self):
        """Nearly all pairs are nearer by L2 than the farthest that count by L1."""
        rng = random.Random(5)
        middles = [[rng.randint(0, 255) for _ in range(40)] for _ in range(6)]
        rows = [[max(0, min(255, c + rng.randint(-9, 9))) for c in rng.choice(middles)]
                for _ in range(9000)]
        self.write("l1.npy", npy(rows, "|u1"))
        self.assertEqual(self.method_of("l1.npy", "--measure", "manhattan", "--within", "150"),
                         "lsh")
        self.assertEqual(self.method_of("l1.npy", "--measure", "euclidean", "--within", "26"),
                         "exact")

    def test_auto_takes_for_bits_what_is_predicted_to_cost_least(self):
        self.write("bits.txt", as_text(bit_strings(30000, 256, 3)))
        for radius, method in (("3", "exact"), ("24", "lsh"), ("110", "brute")):
            self.assertEqual(self.method_of("bits.txt", "--kind", "bits", "--within", radius),
                             method, radius)
        self.assertNotEqual(self.method_of("bits.txt", "--kind", "bits", "--within", "24",
                                           "--recall", "1"), "lsh")

    def recalls(self, name: str, bound: tuple, recall: str, part: float) -> tuple:
        """By seed: the share of all pairs that was found, and the share of those next to the bound."""
        args = ("pairs", name, *bound, "--kind", "bits" if name.endswith(".txt") else "vectors")
        exact = lines(self.sosie(*args, "--method", "exact").out)
        distance = 1 if "--within" in bound else -1
        farthest = sorted(exact, key=lambda line: (distance * float(line.split(b"\t")[2]), line))
        at_bound = set(farthest[-int(part * len(exact)):])
        self.assertGreater(len(at_bound), 80)
        of_all, of_near = [], []
        for seed in range(1, SEEDS + 1):
            found = lines(self.sosie(*args, "--method", "lsh", "--recall", recall, "--seed",
                                     str(seed)).out)
            self.assertLessEqual(found, exact)  # so every value is exact
            of_all.append(len(found) / len(exact))
            of_near.append(len(found & at_bound) / len(at_bound))
        return of_all, of_near, len(at_bound)

    def check_promise(self, name: str, bound: tuple, recall: str,
                      part: float = 0.3) -> None:
        of_all, of_near, count = self.recalls(name, bound, recall, part)
        promise = float(recall)
        # Pairs at the bound are found with about the promised probability. Pairs that share a row
        # are not independent, so the share found varies from seed to seed. Therefore the mean over
        # the seeds is tested, to four of its standard errors as estimated from the seeds.
        mean = sum(of_near) / SEEDS
        spread = math.sqrt(sum((r - mean) ** 2 for r in of_near) / (SEEDS - 1) / SEEDS)
        least = math.sqrt(promise * (1 - promise) / (SEEDS * count))
        self.assertGreaterEqual(mean, promise - 4 * max(spread, least), (bound, recall, of_near))
        for seed, part in enumerate(of_all, 1):  # nearer pairs are found with a higher probability
            error = math.sqrt(promise * (1 - promise) / count)
            self.assertGreaterEqual(part, promise - 4 * error, (bound, recall, seed))
        self.assertGreaterEqual(sum(of_all) / SEEDS, promise)

    # --- what is found

    def test_recall_is_what_was_asked_for(self):
        self.write("spread.npy", npy(spread(1200, 24, 6), "|u1"))
        for bound in self.MEASURES:
            for recall in ("0.8", "0.99"):
                self.check_promise("spread.npy", bound, recall)

    @needs_data("vectors")
    def test_recall_on_sift_descriptors(self):
        with gzip.open(DATA / "vectors" / "sift128.u8.npy.gz") as file:
            data = file.read()[-128 * 107398:]
        for count, bound in ((10000, ("--threshold", "0.95")),
                             (10000, ("--measure", "euclidean", "--within", "120")),
                             (2500, ("--measure", "manhattan", "--within", "900"))):
            step = 107398 // count
            rows = b"".join(data[128 * step * i:128 * step * i + 128] for i in range(count))
            header = f"{{'descr': '|u1', 'fortran_order': False, 'shape': ({count}, 128), }}"
            header += " " * (-(len(header) + 11) % 64) + "\n"
            self.write("sift.npy", b"\x93NUMPY\x01\0" + struct.pack("<H", len(header))
                       + header.encode() + rows)
            self.check_promise("sift.npy", bound, "0.99", 0.1)

    def test_recall_of_bit_strings(self):
        for bits, within in ((64, 10), (256, 40)):
            self.write("in.txt", as_text(bit_strings(1500, bits, bits)))
            for recall in ("0.8", "0.99"):
                self.check_promise("in.txt", ("--within", str(within)), recall)

    def test_result_depends_on_nothing_but_the_seed(self):
        for bound in self.MEASURES:
            args = ("pairs", "in.npy", *bound, "--method", "lsh", "--recall", "0.7")
            expected = self.sosie(*args).out
            self.assertNotEqual(self.sosie(*args, "--seed", "2").out, expected, bound)
            for more in (("--threads", "1"), ("--threads", "5"), ("--memory", "1M")):
                self.assertEqual(self.sosie(*args, *more).out, expected, (bound, more))
            targets = self.fails(2, "pairs", "in.npy", "--threshold", "1", "--simd", "none").err
            for target in targets.split("can run: ")[1].split(", "):
                self.assertEqual(self.sosie(*args, "--simd", target.strip()).out, expected, target)

    def test_identical_vectors_are_all_pairs(self):
        rows = [[1, 2, 3]] * 40 + [[3, 2, 1]] * 30
        for name, content in (("same.npy", npy(rows, "<f8")),
                              ("same.txt", as_text(["ffff0000"] * 40 + ["0000ffff"] * 30))):
            self.write(name, content)
            kind = ("--kind", "bits") if name.endswith("txt") else ("--measure", "euclidean")
            args = ("pairs", name, *kind, "--within", "0", "--method")
            result = self.sosie(*args, "lsh", "--stats", "s.json")
            self.assertEqual(result.out, self.sosie(*args, "exact").out)
            self.assertEqual(json.loads(self.read("s.json"))["candidates"], 2)

    def test_between_two_collections(self):
        self.write("other.fvecs", b"".join(struct.pack("<i24f", 24, *row)
                                           for row in self.rows[:300] + self.rows[:20]))
        self.write("bits.txt", as_text(bit_strings(600, 64, 3)))
        self.write("other.txt", as_text(bit_strings(600, 64, 3)[:200]))
        for own, other, bound in [("in.npy", "other.fvecs", bound) for bound in self.MEASURES] + [
                ("bits.txt", "other.txt", ("--kind", "bits", "--within", "6"))]:
            for verb, names in (("pairs", (own, "--against", other)), ("query", (other, own))):
                exact = self.sosie(verb, *names, *bound, "--method", "exact").out
                found = self.sosie(verb, *names, *bound, "--method", "lsh", "--recall",
                                   "0.999999").out
                self.assertGreater(len(lines(exact)), 200)
                self.assertEqual(found, exact, (verb, bound))

    def test_dedup_removes_what_is_verified(self):
        self.write("bits.txt", as_text(bit_strings(900, 64, 4)))
        for name, bound in [("in.npy", bound) for bound in self.MEASURES] + [
                ("bits.txt", ("--kind", "bits", "--within", "6"))]:
            args = ("dedup", name, *bound, "--method")
            self.sosie(*args, "exact", "-o", "exact-" + name, "--removed", "e.tsv")
            self.sosie(*args, "lsh", "--recall", "0.999999", "-o", "lsh-" + name, "--removed",
                       "l.tsv", "--pairs", "p.tsv")
            self.assertEqual(self.read("lsh-" + name), self.read("exact-" + name), bound)
            self.assertEqual(self.read("l.tsv"), self.read("e.tsv"), bound)
            self.assertGreater(len(read_table(self.read("l.tsv"))), 150)
            self.assertEqual(without_note(self.read("p.tsv")),
                             self.sosie("pairs", name, *bound).out, bound)

    def test_dedup_against_another_collection(self):
        self.write("other.npy", npy(self.rows[::3], "|u1"))
        args = ("dedup", "in.npy", "--against", "other.npy", "--threshold", "0.97", "--method")
        self.sosie(*args, "exact", "-o", "exact.npy")
        self.sosie(*args, "lsh", "--recall", "0.999999", "-o", "lsh.npy")
        self.assertEqual(self.read("lsh.npy"), self.read("exact.npy"))
        self.assertLess(len(self.read("lsh.npy")), len(self.read("in.npy")) / 2)

    def test_dedup_is_a_star_over_the_pairs_that_pairs_finds(self):
        args = ("in.npy", "--measure", "euclidean", "--within", "90", "--method", "lsh",
                "--recall", "0.6")
        near = {(int(row["left"]), int(row["right"]))
                for row in read_table(self.sosie("pairs", *args).out)}
        survivors, expected = [], {}
        for row in range(len(self.rows)):
            expected[row] = next((s for s in survivors if (s, row) in near), row)
            if expected[row] == row:
                survivors.append(row)
        self.sosie("dedup", *args, "--dry-run", "--removed", "r.tsv")
        found = {int(row["id"]): int(row["kept_id"]) for row in read_table(self.read("r.tsv"))}
        self.assertEqual(found, {row: kept for row, kept in expected.items() if row != kept})

    # --- how it is chosen

    def test_says_what_it_does(self):
        result = self.sosie("pairs", "in.npy", "--threshold", "0.97", "--construct", "and:5,or:7",
                            "--stats", "s.json")
        self.assertIn("lsh: 7 bands of 5 functions, hyperplane", result.err)
        stats = json.loads(self.read("s.json"))
        self.assertEqual((stats["method"], stats["bands"], stats["band_rows"], stats["seed"]),
                         ("lsh", 7, 5, 1))
        angle = math.degrees(math.acos(0.97))
        banding = 1 - (1 - (1 - angle / 180) ** 5) ** 7
        self.assertAlmostEqual(stats["expected_recall"], banding, delta=0.002)
        self.assertIn(f"expected recall {stats['expected_recall']:.4f} at 0.97", result.err)
        same = self.sosie("pairs", "in.npy", "--threshold", "0.97", "--bands", "7x5").out
        self.assertEqual(same, result.out)

    def test_few_rows_are_compared_exactly(self):
        for name, kind in (("in.npy", ()), ("in.jsonl", ("--kind", "vectors"))):
            self.write("in.jsonl", jsonl([{"text": row} for row in self.rows]))
            self.sosie("pairs", name, "--threshold", "0.97", *kind, "--stats", "s.json")
            stats = json.loads(self.read("s.json"))
            self.assertEqual((stats["method"], stats["expected_recall"]), ("exact", 1))

    def test_many_rows_are_hashed_where_that_costs_less(self):
        rng = random.Random(5)
        rows = [[rng.gauss(0, 1) for _ in range(40)] for _ in range(20000)]
        rows += [[c + rng.gauss(0, 0.05) for c in row] for row in rows[:500]]
        self.write("many.npy", npy(rows, "<f4"))
        args = ("pairs", "many.npy", "--threshold", "0.98", "--stats", "s.json")
        found = lines(self.sosie(*args).out)
        self.assertEqual(json.loads(self.read("s.json"))["method"], "lsh")
        self.assertGreater(len(found), 0.99 * 500)
        self.assertEqual(lines(self.sosie(*args, "--method", "lsh").out), found)
        exact = lines(self.sosie(*args, "--recall", "1").out)
        self.assertEqual(json.loads(self.read("s.json"))["method"], "exact")
        self.assertLessEqual(found, exact)
        self.sosie("dedup", "many.npy", "--threshold", "0.98", "--stats", "s.json", "--dry-run")
        stats = json.loads(self.read("s.json"))
        self.assertEqual((stats["method"], stats["near"]), ("lsh", len(found)))

    def test_limit_ends_the_run(self):
        args = ("pairs", "in.npy", "--threshold", "0.97", "--method", "lsh")
        count = len(lines(self.sosie(*args).out))
        self.sosie(*args, "--limit", str(count))
        self.assertEqual(self.fails(4, *args, "--limit", str(count - 1), says="--limit").out, b"")
        top = read_table(self.sosie(*args, "--top-pairs", "5", "--limit", "5").out)
        self.assertEqual(len(top), 5)

    # --- edges

    def test_nothing_to_compare(self):
        self.write("none.npy", npy([], "|u1"))
        self.write("one.npy", npy([[1] * 24], "|u1"))
        self.write("none.txt", b"")
        for bound in self.MEASURES:
            for name in ("none.npy", "one.npy"):
                self.assertEqual(lines(self.sosie("pairs", name, *bound, "--method", "lsh").out),
                                 set())
            for own, other in (("in.npy", "none.npy"), ("none.npy", "in.npy")):
                out = self.sosie("pairs", own, "--against", other, *bound, "--method", "lsh").out
                self.assertEqual(lines(out), set())
        self.sosie("pairs", "none.txt", "--kind", "bits", "--within", "3", "--method", "lsh")
        self.write("some.txt", as_text(["ff", "fe"]))
        for names in (("some.txt", "none.txt"), ("none.txt", "some.txt")):
            out = self.sosie("pairs", names[0], "--against", names[1], "--kind", "bits",
                             "--within", "3", "--method", "lsh").out
            self.assertEqual(lines(out), set())

    def test_one_component_and_many(self):
        self.write("1.npy", npy([[3], [-2], [5]], "<f4"))
        out = self.sosie("pairs", "1.npy", "--threshold", "1", "--method", "lsh").out
        self.assertEqual(lines(out), {b"0\t2\t1.000000"})
        rng = random.Random(3)
        row = [rng.randint(-127, 127) for _ in range(5000)]
        self.write("m.npy", npy([row, [-c for c in row], [c + 1 - 2 * (c > 0) for c in row]],
                                "|i1"))
        for bound in (("--threshold", "0.99"), ("--measure", "manhattan", "--within", "5000")):
            out = self.sosie("pairs", "m.npy", *bound, "--method", "lsh", "--recall", "0.9999").out
            self.assertEqual([line[:3] for line in lines(out)], [b"0\t2"], bound)

    def test_huge_components(self):
        self.write("h.npy", npy([[1e149, 1], [-1e149, 1], [1e149, 2], [0, 0]], "<f8"))
        args = ("pairs", "h.npy", "--measure", "manhattan", "--within", "5", "--method")
        self.assertEqual(self.sosie(*args, "auto").out, self.sosie(*args, "brute").out)
        self.fails(2, *args, "lsh", says="cannot hash vectors longer than 1e120",
                   hints="--method exact")

    # --- options that cannot be intended

    def test_bands_may_have_as_many_rows_as_a_plan(self):
        args = ("pairs", "in.npy", "--threshold", "0.97")
        found = self.sosie(*args, "--bands", "300x9", "-q").out
        self.assertEqual(found, self.sosie(*args, "--construct", "and:9,or:300", "-q").out)
        self.fails(2, *args, "--bands", "2000x9", says="with at most 16384 rows in all")
        self.write("in.sets", "a b\nb c\n")
        self.fails(2, "pairs", "in.sets", "--bands", "300x9", says="at most 1024 rows in all")

    def test_bad_options(self):
        cosine = ("in.npy", "--threshold", "0.9")
        for args, says in (
                ((*cosine, "--method", "lsh", "--recall", "1"), "cannot guarantee every pair"),
                ((*cosine, "--construct", "and:2,or:3", "--recall", "1"), "--construct: does not apply"),
                ((*cosine, "--bands", "3x2", "--method", "exact"), "--bands: does not apply"),
                ((*cosine, "--bands", "3x65"), "at most 64 rows per band"),
                ((*cosine, "--construct", "and:64,or:500"), "at most 64 functions in the first"),
                ((*cosine, "--construct", "and:65,or:2,and:2"), "at most 64 functions in the"),
                ((*cosine, "--bands", "3x2", "--construct", "and:2,or:3"), "give only one"),
                (("in.npy", "--measure", "chebyshev", "--within", "3", "--method", "lsh"),
                 "--measure chebyshev: there is no lsh")):
            self.fails(2, "pairs", *args, says=says)
        self.fails(2, "query", "in.npy", "in.npy", "--top", "3", "--method", "lsh",
                   says="--top alone finds the nearest items, however far they are")
        self.write("b.txt", as_text(["ff", "fe"]))
        self.fails(2, "pairs", "b.txt", "--kind", "bits", "--measure", "jaccard", "--threshold",
                   "0.5", "--method", "lsh", says="--measure jaccard: there is no lsh")
        self.fails(2, "pairs", "b.txt", "--kind", "bits", "--within", "8", "--method", "lsh",
                   says="no construction of 16384 functions", hints="--method exact")


if __name__ == "__main__":
    unittest.main()

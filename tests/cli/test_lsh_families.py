"""`--family` and `--probes`: hash families for angles, the recall they promise, and where they may
be used.
"""
# slow: more than 5 s in a release build, so `make sanitize` leaves it to `make sanitize-all`

import json
import random
import unittest

from measured_rows import as_text, grouped, lines, npy, spread
from support import SosieTest, read_table


class LshFamilies(SosieTest):
    def setUp(self):
        super().setUp()
        self.rows = grouped(900, 24, 1)
        self.rows += random.Random(2).sample(self.rows, 60)  # identical ones
        self.write("in.npy", npy(self.rows, "|u1"))

    def test_every_family_by_angle_has_the_recall_that_was_asked_for(self):
        bound = ("--threshold", "0.97")
        truth = lines(self.sosie("pairs", "in.npy", *bound, "--method", "brute").out)
        seen = set()
        for family in ("hyperplane", "hyperplane-signs", "hyperplane-rotation", "cross-polytope"):
            found = 0
            for seed in map(str, range(5)):
                run = self.sosie("pairs", "in.npy", *bound, "--family", family, "--recall", "0.9",
                                 "--seed", seed)
                self.assertLessEqual(lines(run.out), truth)
                self.assertIn(f"functions, {family}, ", run.err)
                found += len(lines(run.out))
            self.assertGreaterEqual(found / (5 * len(truth)), 0.9)
            few = self.sosie("pairs", "in.npy", *bound, "--family", family, "--bands", "2x6").out
            self.assertLess(len(lines(few)), len(truth))
            seen.add(few)
        self.assertEqual(len(seen), 4)

    def test_probes_find_as_many_as_they_promise(self):
        bound = ("--threshold", "0.97")
        truth = lines(self.sosie("pairs", "in.npy", *bound, "--method", "brute").out)
        family = ("--family", "cross-polytope")
        bands = []
        for probes in ("1", "1.25", "1.5", "2", "3"):
            found = 0
            for seed in map(str, range(5)):
                run = self.sosie("pairs", "in.npy", *bound, *family, "--recall", "0.9", "--seed",
                                 seed, "--probes", probes, "--stats", "s.json")
                self.assertLessEqual(lines(run.out), truth)
                found += len(lines(run.out))
            self.assertGreaterEqual(found / (5 * len(truth)), 0.9, probes)
            stats = json.loads(self.read("s.json"))
            self.assertEqual(stats.get("probes", 1), float(probes))
            self.assertEqual(f"({probes} vertices per function)" in run.err, probes != "1")
            # The functions are the same, so pairs found with fewer vertices are also found with more.
            fixed = lines(self.sosie("pairs", "in.npy", *bound, *family, "--bands", "2x3",
                                     "--probes", probes).out)
            bands.append(fixed)
        for few, more in zip(bands, bands[1:]):
            self.assertTrue(few <= more)
        self.assertLess(len(bands[0]), len(bands[-1]))
        without = self.sosie("pairs", "in.npy", *bound, *family, "--bands", "2x3").out
        self.assertEqual(lines(without), bands[0])

    def test_probes_of_bands_that_are_given_expect_what_the_law_says(self):
        for name in ("in.npy", "turned.npy"):
            self.write("turned.npy", npy(self.rows[::-1], "|u1"))
            self.sosie("pairs", name, "--threshold", "0.97", "--family", "cross-polytope",
                       "--bands", "3x2", "--probes", "2", "--stats", "s.json")
            plan = self.sosie("plan", "--family", "cross-polytope", "--construct", "and:2,or:3",
                              "--probes", "2", "--d1", "14.07", "--d2", "60").out.decode()
            found = float(plan.split("with probes")[1].split(", ")[2])
            stats = json.loads(self.read("s.json"))
            self.assertAlmostEqual(stats["expected_recall"], found, delta=0.002)

    def test_probes_are_of_cross_polytopes(self):
        cosine = ("in.npy", "--threshold", "0.9")
        family = ("--family", "cross-polytope")
        self.write("texts.txt", b"some words of a text\n")
        self.write("bits.txt", as_text(["00ff", "00fe"]))
        for args, says in (
                ((*cosine, "--probes", "2"), "--probes 2: works only with --family cross-polytope"),
                ((*cosine, "--probes", "2", "--family", "hyperplane"), "--probes 2: works only with"),
                ((*cosine, "--probes", "4", *family), "--probes: '4' is not"),
                ((*cosine, "--probes", "3", *family, "--bands", "2x4"),
                 "a vector would have 81 keys in each band; at most 64"),
                (("bits.txt", "--kind", "bits", "--within", "1", "--probes", "2"),
                 "--probes: does not apply to bits"),
                (("texts.txt", "--probes", "2"), "--probes: does not apply")):
            self.assertIn(says, self.sosie("pairs", *args, code=2).err, args)
        self.sosie("pairs", *cosine, "--family", "hyperplane", "--probes", "1")
        for args, says in ((("--family", "hyperplane", "--probes", "2"), "works only with --family cross"),
                           ((*family, "--probes", "2", "--construct", "or:2,and:3"),
                            "and:ROWS,or:BANDS")):
            self.fails(2, "plan", *args, says=says)

    def test_probes_between_two_collections(self):
        self.write("one.npy", npy(self.rows[::2], "|u1"))
        self.write("other.npy", npy(self.rows[1::2], "|u1"))
        args = ("--threshold", "0.97", "--family", "cross-polytope", "--probes", "2", "--bands",
                "2x3")
        whole = self.sosie("pairs", "in.npy", *args).out
        expected = {(int(row["left"]), int(row["right"])) for row in read_table(whole)}
        between = read_table(self.sosie("pairs", "one.npy", "--against", "other.npy", *args).out)
        self.assertEqual({tuple(sorted((2 * int(row["left"]), 2 * int(row["right"]) + 1)))
                          for row in between},
                         {pair for pair in expected if pair[0] % 2 != pair[1] % 2})
        self.assertGreater(len(between), 100)

    def test_long_vectors_are_hashed_by_rotations(self):
        for dimension, family in ((255, "hyperplane"), (256, "hyperplane-rotation")):
            self.write("long.npy", npy(spread(400, dimension, 8), "|u1"))
            run = self.sosie("pairs", "long.npy", "--threshold", "0.97", "--method", "lsh")
            self.assertIn(f"functions, {family}, ", run.err)
            same = self.sosie("pairs", "long.npy", "--threshold", "0.97", "--family", family)
            self.assertEqual(run.out, same.out)
            named = self.sosie("pairs", "long.npy", "--threshold", "0.97", "--family", "hyperplane")
            self.assertIn("functions, hyperplane, ", named.err)

    def test_threads_and_cpu_decide_nothing_of_a_family(self):
        for family, *more in (("cross-polytope", "--bands", "4x3"),
                              ("cross-polytope", "--bands", "3x3", "--probes", "2"),
                              ("hyperplane-rotation", "--bands", "9x12")):
            args = ("pairs", "in.npy", "--threshold", "0.97", "--family", family, *more)
            expected = self.sosie(*args, "--threads", "1").out
            for more in (("--threads", "3"), ("--simd", "SSE4"), ("--memory", "64M")):
                self.assertEqual(self.sosie(*args, *more).out, expected)

    def test_dedup_and_query_take_a_family(self):
        self.sosie("dedup", "in.npy", "--threshold", "0.97", "--family", "cross-polytope",
                   "-o", "kept.npy", "--stats", "stats.json")
        self.assertEqual(json.loads(self.read("stats.json"))["method"], "lsh")
        hits = self.sosie("query", "in.npy", "in.npy", "--threshold", "0.97", "--family",
                          "cross-polytope").out
        self.assertGreaterEqual(len(lines(hits)), len(self.rows))

    def test_families_are_for_their_distance(self):
        self.write("bits.txt", as_text(["00ff", "00fe"]))
        self.write("texts.txt", b"some words of a text\n")
        for args, says in (
                (("in.npy", "--measure", "euclidean", "--within", "9", "--family", "hyperplane"),
                 "sensitive to angle distance, not to euclidean"),
                (("in.npy", "--measure", "chebyshev", "--within", "9", "--family", "hyperplane"),
                 "there is no lsh for it"),
                (("in.npy", "--threshold", "0.9", "--family", "hyperplane", "--method", "exact"),
                 "--family: does not apply to a method that finds every pair"),
                (("bits.txt", "--kind", "bits", "--within", "1", "--family", "minhash"),
                 "sensitive to jaccard distance"),
                (("texts.txt", "--family", "hyperplane"), "--family hyperplane: hashes by angle")):
            self.assertIn(says, self.sosie("pairs", *args, code=2).err)


if __name__ == "__main__":
    unittest.main()

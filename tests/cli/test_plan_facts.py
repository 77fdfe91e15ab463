"""`sosie plan`: facts about its S-curve, in text and in the plan, compared with the examples in the
theory."""

import json
import random
import re

import unittest

import corpus
from measured_rows import npy
from support import IN_MEMORY, SosieTest

# b, r: half point, and (1/b)^(1/r) (T-4.2).
HALF_POINTS = {(10, 3): (.4061, .4642), (20, 6): (.5694, .607), (50, 5): (.4244, .4573)}
# Threshold, b, r: error area, the lowest of 100 functions (T-4.6).
AREAS = {".5": (20, 5, .09062), ".8": (10, 10, .07496), ".9": (5, 20, .03982)}


class Facts(SosieTest):
    place = IN_MEMORY

    def plan(self, *args: str) -> tuple[str, dict]:
        """The text of the plan, and its forecast."""
        page = self.sosie("plan", "--verbose", *args, "--method", "lsh", "-o", "plan.json").out.decode()
        return page, json.loads(self.read("plan.json"))["forecast"]

    def line(self, page: str, label: str) -> str:
        found = re.search(rf"(?m)^{label} +(.*)$", page)
        self.assertIsNotNone(found, page)
        return found[1]

    def test_T4_2_half_points(self):
        for (bands, rows), (half, approximate) in HALF_POINTS.items():
            page, facts = self.plan("--bands", f"{bands}x{rows}")
            self.assertAlmostEqual(facts["half_point"], half, delta=.00005)
            self.assertAlmostEqual(facts["approximate_half_point"], approximate, delta=.0005)
            self.assertEqual(self.line(page, "half point"),
                             f"{facts['half_point']:.4f}; by (1/b)^(1/r): "
                             f"{facts['approximate_half_point']:.4f}")
            family = self.sosie("plan", "--family", "minhash", "--construct",
                                f"and:{rows},or:{bands}").out.decode()
            self.assertEqual(self.line(family, "half point"), self.line(page, "half point"))

    def test_T4_6_areas_of_errors(self):
        for threshold, (bands, rows, area) in AREAS.items():
            for given in ("20x5", "10x10", "4x25"):
                page, facts = self.plan("--threshold", threshold, "--bands", given)
                least = facts["least_error_area"]
                self.assertEqual((least["bands"], least["rows"]), (bands, rows))
                self.assertAlmostEqual(least["area"], area, delta=.000005)
                if given == f"{bands}x{rows}":
                    self.assertEqual(facts["error_area"], least["area"])
                else:
                    self.assertGreater(facts["error_area"], least["area"])
                self.assertEqual(self.line(page, "error area"),
                                 f"{facts['error_area']:.5f}; the lowest for 100 functions is "
                                 f"{area:.5f}, with {bands} bands of {rows} rows")

    def expect_brute_force(self, args: tuple, pairs: int) -> None:
        page, facts = self.plan(*args)
        self.assertEqual(facts["brute_pairs"], pairs, args)
        self.assertGreater(facts["brute_seconds"], 0)
        self.assertRegex(self.line(page, "brute force"),
                         rf"^{pairs:,} pairs to compare, [\d.e-]+ CPU seconds$")

    def test_comparing_every_pair_of_each_kind(self):
        self.write("in.jsonl", corpus.texts(81, 300))
        self.write("other.jsonl", corpus.texts(82, 50))
        self.write("in.sets", "".join(f"a b c {i} {i % 7}\n" for i in range(200)))
        chance = random.Random(4)
        self.write("v.npy", npy([[chance.gauss(0, 1) for _ in range(8)] for _ in range(500)]))
        self.write("b.npy", npy([[chance.random() < .5 for _ in range(64)] for _ in range(400)],
                                "|b1"))
        self.expect_brute_force(("in.jsonl",), 300 * 299 // 2)
        self.expect_brute_force(("in.sets",), 200 * 199 // 2)
        self.expect_brute_force(("in.sets", "--kind", "bags"), 200 * 199 // 2)
        self.expect_brute_force(("v.npy", "--threshold", "0.9"), 500 * 499 // 2)
        self.expect_brute_force(("b.npy", "--kind", "bits", "--within", "4"), 400 * 399 // 2)

    def test_it_is_the_brute_method_of_a_chosen_one(self):
        """The methods that --method auto compares, if it is the cheapest."""
        self.write("in.jsonl", corpus.texts(81, 300))
        page = self.sosie("plan", "--verbose", "in.jsonl").out.decode()
        brute = re.search(r"pairs: exact \S+, lsh [^,]+, brute (\S+)", page)[1]
        self.assertEqual(self.line(page, "brute force"), f"44,850 pairs to compare, {brute} CPU seconds")

    def test_without_rows_nothing_is_compared(self):
        page, facts = self.plan()
        self.assertNotIn("brute force", page)
        self.assertNotIn("brute_pairs", facts)

    def test_distances_have_their_unit(self):
        page, facts = self.plan("--kind", "bits", "--within", "3")
        half, approximate = facts["half_point"], facts["approximate_half_point"]
        self.assertEqual(self.line(page, "half point"),
                         f"{half:.4g} bits; by (1/b)^(1/r): {approximate:.4g} bits")
        self.assertLess(approximate, half)  # a higher probability for one function means a lower distance
        page, facts = self.plan("--kind", "vectors", "--measure", "angle", "--within", "20")
        self.assertLess(facts["approximate_half_point"], facts["half_point"])
        self.assertRegex(self.line(page, "half point"), r"^[\d.]+ degrees; .*: [\d.]+ degrees$")

    def test_a_run_passes_the_forecast_over(self):
        self.write("in.jsonl", corpus.planted_pairs(80, 100))
        self.sosie("plan", "in.jsonl", "-o", "plan.json")
        plan = json.loads(self.read("plan.json"))
        found = self.sosie("pairs", "in.jsonl", "--plan", "plan.json").out
        for forecast in (None, {"half_point": "x"}, 7):
            plan["forecast"] = forecast
            self.write("other.json", json.dumps(plan))
            self.assertEqual(self.sosie("pairs", "in.jsonl", "--plan", "other.json").out, found)
        del plan["forecast"]
        self.write("other.json", json.dumps(plan))
        self.assertEqual(self.sosie("pairs", "in.jsonl", "--plan", "other.json").out, found)


if __name__ == "__main__":
    unittest.main()

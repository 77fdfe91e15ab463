"""`sosie plan` for vectors and bit strings, and runs that use a saved plan."""
# slow: more than 5 s in a release build, so `make sanitize` leaves it to `make sanitize-all`

import json
import random
import re
import unittest
from xml.etree import ElementTree

from measured_rows import npy
from support import SANITIZED, IN_MEMORY, SosieTest

VECTORS = {  # measure: its bound
    "cosine": ("--threshold", "0.9"), "angle": ("--within", "20"), "euclidean": ("--within", "2"),
    "manhattan": ("--within", "9"), "chebyshev": ("--within", "1"), "dot": ("--threshold", "30"),
    "hamming": ("--within", "3"), "canberra": ("--within", "3"), "minkowski:3": ("--within", "2")}
HASHED = ("cosine", "angle", "euclidean", "manhattan")
BITS = ("--kind", "bits", "--within", "3")


def vectors(count: int, dimension: int, seed: int, spread: float = 0.15) -> list:
    """Returns random vectors; every fifth is similar to an earlier one."""
    rng = random.Random(seed)
    rows = []
    for i in range(count):
        if i % 5 == 4:
            rows.append([x + rng.gauss(0, spread) for x in rng.choice(rows)])
        else:
            rows.append([rng.gauss(0, 1) for _ in range(dimension)])
    return rows


def bits(count: int, length: int, seed: int) -> list:
    rng = random.Random(seed)
    rows = []
    for i in range(count):
        if i % 5 == 4:
            row = list(rng.choice(rows))
            for place in rng.sample(range(length), 3):
                row[place] = not row[place]
            rows.append(row)
        else:
            rows.append([rng.random() < 0.5 for _ in range(length)])
    return rows


class ItemPlan(SosieTest):
    place = IN_MEMORY

    def setUp(self):
        super().setUp()
        self.write("v.npy", npy(vectors(6000, 16, 1)))
        self.write("few.npy", npy(vectors(300, 16, 2)))
        self.write("b.npy", npy(bits(6000, 128, 3), "|b1"))

    def bytes_of(self, *args: str) -> tuple:
        """Returns the pairs and kept rows of a run, and what its stats say about the method."""
        pairs = self.sosie("pairs", *args, "--stats", "s.json").out
        method = {key: json.loads(self.read("s.json"))[key]
                  for key in ("method", "bands", "rows_per_band", "expected_recall")
                  if key in json.loads(self.read("s.json"))}
        self.sosie("dedup", *args, "-o", "kept.npy", "--removed", "r.tsv")
        return pairs, method, self.read("kept.npy"), self.read("r.tsv")


class Plans(ItemPlan):
    def test_every_measure_has_a_plan_with_and_without_rows(self):
        for measure, bound in VECTORS.items():
            args = ("--measure", measure, *bound)
            for page in (self.sosie("plan", "--verbose", "v.npy", *args).out.decode(),
                         self.sosie("plan", "--verbose", "--kind", "vectors", *args).out.decode()):
                self.assertRegex(page, r"(?m)^method +(lsh|exact|brute): ", measure)
                self.assertEqual("steepest slope" in page, measure in HASHED, measure)
        for args in (("b.npy",), ()):
            page = self.sosie("plan", "--verbose", *args, *BITS).out.decode()
            self.assertRegex(page, r"(?m)^sensitivity +\(3 bits, [\d.]+ bits, 0\.99")
        page = self.sosie("plan", "--verbose", "b.npy", "--kind", "bits", "--measure", "jaccard",
                          "--threshold", "0.8").out.decode()
        self.assertRegex(page, r"(?m)^pairs, query +brute: ")

    def test_a_run_takes_what_is_planned(self):
        taken = set()
        for args in (("v.npy", "--threshold", "0.9"), ("few.npy", "--threshold", "0.9"),
                     ("v.npy", "--measure", "manhattan", "--within", "3"),
                     ("v.npy", "--measure", "dot", "--threshold", "30"),
                     ("b.npy", *BITS), ("b.npy", *BITS, "--method", "lsh"),
                     ("v.npy", "--threshold", "0.9", "--method", "exact"),
                     ("v.npy", "--threshold", "0.9", "--family", "cross-polytope")):
            page = self.sosie("plan", "--verbose", *args).out.decode()
            verbs = [("pairs", "pairs, query"), ("dedup", "dedup method")]
            for verb, label in verbs[:1] if "dot" in args else verbs:
                self.sosie(verb, *args, "--stats", "s.json", "-o", "o.tsv" if verb == "pairs" else "o.npy")
                method = json.loads(self.read("s.json"))["method"]
                taken.add(method)
                self.assertRegex(page, rf"(?m)^({label}|method) +{method}:", (args, verb))
        self.assertEqual(taken, {"lsh", "exact", "brute"})

    @unittest.skipIf(SANITIZED, "sanitizers take memory of their own")
    def test_what_a_run_takes_is_foretold(self):
        for args in (("v.npy", "--threshold", "0.9", "--method", "lsh"),
                     ("v.npy", "--threshold", "0.9", "--method", "exact"),
                     ("b.npy", *BITS, "--method", "lsh")):
            page = self.sosie("plan", "--verbose", *args, "--threads", "1").out.decode()
            found = re.search(r"(?m)^pairs takes +.*, ([\d.]+) MB of memory, no scratch$", page)
            self.assertIsNotNone(found, page)
            self.sosie("pairs", *args, "--threads", "1", "--stats", "s.json", "-o", "o.tsv")
            measured = json.loads(self.read("s.json"))["peak_memory_bytes"] / 1e6
            self.assertLess(abs(float(found.group(1)) - measured), measured / 2, args)

    def test_bounds_are_asked_for(self):
        self.fails(2, "plan", "v.npy", says="--threshold: must be given for cosine")
        self.fails(2, "plan", "b.npy", "--kind", "bits", says="--within: must be given")

    def test_a_given_banding_family_and_probes(self):
        page = self.sosie("plan", "--verbose", "v.npy", "--threshold", "0.9", "--bands", "20x6").out.decode()
        self.assertRegex(page, "(?m)^method +lsh: 20 bands of 6 functions, hyperplane")
        page = self.sosie("plan", "v.npy", "--threshold", "0.9", "--family", "cross-polytope",
                          "--probes", "2").out.decode()
        self.assertRegex(page, "(?m)^method +lsh: .*cross-polytope, .* probes per band")
        self.fails(2, "plan", "v.npy", "--threshold", "0.9", "--family", "bit-sampling",
                   says="is sensitive to hamming")

    def test_a_family_is_looked_at_as_before(self):
        page = self.sosie("plan", "--verbose", "--family", "hyperplane", "--construct", "and:4,or:4").out.decode()
        self.assertRegex(page, r"(?m)^family +hyperplane: ")

    def test_the_picture_is_xml_and_nothing_else_changes(self):
        before = self.names()
        self.sosie("plan", "v.npy", "--threshold", "0.9", "--svg", "curve.svg")
        self.assertTrue(ElementTree.fromstring(self.read("curve.svg")).tag.endswith("svg"))
        self.assertEqual(self.names(), before | {"curve.svg"})

    def test_a_plan_without_lsh_has_no_files(self):
        self.write("t.jsonl", ["one two three four five six"] * 3)
        for args in (("v.npy", "--threshold", "0.9", "--method", "exact"), ("t.jsonl", "--method", "brute"),
                     ("v.npy", "--measure", "chebyshev", "--within", "1")):
            for output in (("-o", "none.json"), ("--svg", "none.svg")):
                self.fails(2, "plan", *args, *output, says="the plan does not use lsh")
                self.assertFalse((self.dir / output[1]).exists())

    def test_a_plan_is_the_same_for_any_number_of_threads(self):
        for args in (("v.npy", "--threshold", "0.9"), ("b.npy", *BITS)):
            plans = set()
            for threads in ("1", "2", "7"):
                page = self.sosie("plan", "--verbose", *args, "--threads", threads, "-o", "p.json").out
                plans.add((self.read("p.json"), page[page.index(b"expected recall"):]))
            self.assertEqual(len(plans), 1)


class TakenPlans(ItemPlan):
    def test_a_saved_plan_gives_the_bytes_of_a_direct_run(self):
        for args in (("v.npy", "--threshold", "0.9"),
                     ("v.npy", "--measure", "euclidean", "--within", "1.5", "--seed", "5"),
                     ("v.npy", "--measure", "manhattan", "--within", "4", "--recall", "0.9"),
                     ("v.npy", "--measure", "angle", "--within", "0"),
                     ("v.npy", "--threshold", "0.9", "--family", "cross-polytope", "--probes", "2"),
                     ("v.npy", "--threshold", "0.9", "--family", "hyperplane-rotation"),
                     ("b.npy", *BITS, "--bands", "9x16")):
            self.sosie("plan", *args, "--method", "lsh", "-o", "p.json")
            direct = self.bytes_of(*args, "--method", "lsh")
            self.assertEqual(direct[1]["method"], "lsh")
            self.assertEqual(self.bytes_of(*args, "--plan", "p.json"), direct, args)

    def test_query_and_explain_take_it(self):
        bound = ("--threshold", "0.9")
        self.sosie("plan", "v.npy", *bound, "-o", "p.json")
        self.write("few.npy", npy(vectors(300, 16, 2)[:200] + vectors(6000, 16, 1)[:100]))
        taken = self.sosie("query", "v.npy", "few.npy", *bound, "--plan", "p.json", "--stats", "s.json")
        self.assertEqual(json.loads(self.read("s.json"))["method"], "lsh")
        exact = self.sosie("query", "v.npy", "few.npy", *bound, "--method", "exact").out
        self.assertLessEqual(set(taken.out.splitlines()), set(exact.splitlines()))
        left, right, _ = taken.out.splitlines()[1].decode().split("\t")
        self.write("two.npy", npy([(vectors(300, 16, 2)[:200] + vectors(6000, 16, 1)[:100])[int(left)],
                                   vectors(6000, 16, 1)[int(right)]]))
        page = self.sosie("explain", "0", "1", "two.npy", *bound, "--plan", "p.json").out.decode()
        self.assertIn("yes: they share a band", page)

    def test_the_recall_is_what_a_taken_plan_promises(self):
        for args in (("v.npy", "--threshold", "0.95"), ("b.npy", *BITS)):
            self.sosie("plan", *args, "--recall", "0.9", "--method", "lsh", "-o", "p.json")
            every = self.sosie("pairs", *args, "--method", "exact").out.splitlines()
            found = self.sosie("pairs", *args, "--recall", "0.9", "--plan", "p.json",
                               "--stats", "s.json").out.splitlines()
            expected = json.loads(self.read("s.json"))["expected_recall"]
            self.assertGreaterEqual(expected, 0.9)
            self.assertLess(set(found), set(every))  # it is not an exact run
            self.assertGreaterEqual((len(found) - 1) / (len(every) - 1), expected - 0.03)

    def test_it_is_refused_for_something_else_with_both_values(self):
        bound = ("--threshold", "0.9")
        self.sosie("plan", "v.npy", *bound, "-o", "p.json")
        self.sosie("plan", "b.npy", *BITS, "--method", "lsh", "-o", "b.json")
        self.sosie("plan", "--threshold", "0.9", "-o", "t.json")
        plan = ("--plan", "p.json")
        for args, says in (
                (("--threshold", "0.8", *plan), "was made for threshold 9/10, this run has 4/5"),
                ((*bound, "--seed", "2", *plan), "was made for seed 1, this run has 2"),
                (("--measure", "angle", "--within", "9", *plan), "for measure cosine, .* angle"),
                ((*bound, "--family", "cross-polytope", *plan), "for family hyperplane, .*cross-pol"),
                ((*bound, "--bands", "2x2", *plan), r"for bands \d+x\d+, this run has 2x2"),
                ((*bound, "--plan", "b.json"), "was made for kind bits, this run has vectors"),
                ((*bound, "--plan", "t.json"), "was made for kind text, this run has vectors"),
                ((*bound, *plan, "--method", "exact"), "--plan: does not apply"),
                (("--measure", "chebyshev", "--within", "1", *plan), "there is no lsh for it")):
            self.fails(2, "pairs", "v.npy", *args, says=says)
        self.write("t.jsonl", ["one two three four five six"] * 3)
        self.fails(2, "pairs", "t.jsonl", *plan, says="was made for kind vectors, this run has text")
        self.write("short.npy", npy(bits(300, 64, 4), "|b1"))
        self.fails(2, "pairs", "short.npy", *BITS, "--plan", "b.json",
                   says="was made for bits 128, this run has 64")

    def test_numbers_that_nobody_planned(self):
        bound = ("--measure", "euclidean", "--within", "2")
        self.sosie("plan", "v.npy", *bound, "--method", "lsh", "-o", "p.json")
        good = json.loads(self.read("p.json"))
        bad = {"bands": (0, 1 << 40, -1, "9", 1.5), "rows": (0, 65, 1 << 31), "segment": (0, -1, 1e-300, 7, "x"),
               "probes": (0, 2, 33, 1e300), "sketch_bits": (0, 64, 1 << 20), "most_different": (257, -1),
               "family": ("minhash", "nosuch", "hyperplane", ""), "within": ("-1/2", "0/0", 2), "kind": ("bags",),
               "bits": (64,), "seed": (-1, 1 << 64)}
        for field, values in bad.items():
            for value in values:
                self.write("bad.json", json.dumps({**good, field: value}))
                done = self.sosie("pairs", "v.npy", *bound, "--plan", "bad.json", code=None)
                self.assertIn(done.code, (2, 3), (field, value))
                self.assertRegex(done.err, r"^sosie: bad\.json", (field, value))
        for field in good.keys() - {"forecast"}:
            self.write("bad.json", json.dumps({key: good[key] for key in good if key != field}))
            self.fails(3, "pairs", "v.npy", *bound, "--plan", "bad.json", says="bad.json: (field|not a plan)")


class TimeOfPairs(SosieTest):
    def seconds(self, verb: str, *args: str) -> float:
        text = self.sosie("plan", "in.jsonl", "--kind", "bits", "--column", "bits", "--within", "2",
                          "--verbose", *args).out.decode()
        found = re.search(rf"(?m)^{verb} takes +(less than )?([0-9.]+) s,", text)
        self.assertTrue(found, text)
        return 0 if found[1] else float(found[2])

    def test_pairs_that_are_found_take_time_of_pairs_and_little_of_dedup(self):
        chance = random.Random(45)
        self.write("in.jsonl", [{"bits": f"{chance.getrandbits(64):016x}"} for _ in range(3000)])
        self.assertLess(self.seconds("pairs"), 0.2)
        values = [f"{chance.getrandbits(64):016x}" for _ in range(10)]
        self.write("in.jsonl", [{"bits": chance.choice(values)} for _ in range(3000)])
        self.assertGreater(self.seconds("pairs"), 0.5)  # 450,000 pairs
        self.assertLess(self.seconds("dedup"), 0.2)
        self.write("other.jsonl", [{"bits": chance.choice(values)} for _ in range(3000)])
        self.assertGreater(self.seconds("pairs", "--against", "other.jsonl"), 1)  # 900,000 pairs


if __name__ == "__main__":
    unittest.main()

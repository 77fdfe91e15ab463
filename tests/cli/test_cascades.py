"""Cascades of any depth find the pairs that they are planned to find, for every family."""
# slow: more than 5 s in a release build, so `make sanitize` leaves it to `make sanitize-all`

import itertools
import json
import math
import random
import re
import subprocess
import unittest

from measured_rows import as_text, lines, npy
from support import SOSIE, SosieTest, jsonl, read_table

CASCADES = ("or:6,and:2", "and:2,or:3,and:2", "or:2,and:3,or:4", "and:2,or:2,and:2,or:2",
            "and:3,or:2,and:2")
SEEDS = 8


def amplified(construct: str, p: float) -> float:
    for step in construct.split(","):
        kind, count = step.split(":")
        p = p ** int(count) if kind == "and" else 1 - (1 - p) ** int(count)
    return p


def made_sets(rng: random.Random) -> list:
    """Sets of 60 out of 300 squares, in pairs that are similar to various degrees; none are equal."""
    rows = []
    for number in range(60):
        row = rng.sample(range(300), 60)
        fresh = rng.sample([square for square in range(300) if square not in row], 60)
        changed = 1 + number % 40
        rows += [set(row), set(row[changed:] + fresh[:changed])]
    return rows


class Cascades(SosieTest):
    def setUp(self):
        super().setUp()
        rng = random.Random(7)
        self.sets = made_sets(rng)
        self.write("in.sets", as_text([" ".join(f"s{e}" for e in sorted(row))
                                       for row in self.sets]))
        bits = []
        for number in range(60):
            row = rng.getrandbits(1024)
            flips = sum(1 << place for place in rng.sample(range(1024), 4 + 12 * number))
            bits += [row, row ^ flips]
        self.bits = bits
        self.write("bits.txt", as_text([f"{row:0256x}" for row in bits]))
        self.vectors = []
        for number in range(60):
            middle = [rng.gauss(0, 1) for _ in range(40)]
            noise = (number + 1) / 30
            self.vectors += [middle, [x + noise * rng.gauss(0, 1) for x in middle]]
        self.write("in.npy", npy(self.vectors))

    def grid_size(self) -> int:
        return len(set().union(*self.sets))

    def families(self) -> list:
        """Arguments of a run that keeps every candidate, and the probabilities of a single function."""
        pairs = list(itertools.combinations(range(120), 2))
        jaccard = [len(self.sets[i] & self.sets[j]) / len(self.sets[i] | self.sets[j])
                   for i, j in pairs]
        grid = self.grid_size()
        shared = [math.comb(len(self.sets[i] & self.sets[j]), 2) / math.comb(grid, 2)
                  for i, j in pairs]
        bits = [1 - bin(self.bits[i] ^ self.bits[j]).count("1") / 1024 for i, j in pairs]

        def side(i: int, j: int) -> float:
            x, y = self.vectors[i], self.vectors[j]
            dot = sum(a * b for a, b in zip(x, y))
            cosine = dot / math.sqrt(sum(a * a for a in x) * sum(b * b for b in y))
            return 1 - math.acos(max(-1, min(1, cosine))) / math.pi

        return [
            (("in.sets", "--kind", "sets", "--threshold", "0.01", "--family", "minhash",
              "--sketch", "classic"), jaccard),
            (("in.sets", "--kind", "sets", "--threshold", "0.01", "--family", "grid-triples",
              "--squares", "2"), shared),
            (("bits.txt", "--kind", "bits", "--within", "1023"), bits),
            (("in.npy", "--kind", "vectors", "--measure", "angle", "--within", "179",
              "--family", "hyperplane"), [side(i, j) for i, j in pairs])]

    def candidates(self, *args: str) -> int:
        self.sosie("pairs", *args, "--stats", "stats.json")
        return json.loads(self.read("stats.json"))["candidates"]

    def test_run_and_plan_find_as_many_as_the_law_says(self):
        for args, chances in self.families():
            for construct in CASCADES:
                with self.subTest(family=args, construct=construct):
                    found = [amplified(construct, p) for p in chances]
                    expected = sum(found)
                    counts = [self.candidates(*args, "--construct", construct, "--seed", str(seed))
                              for seed in range(1, SEEDS + 1)]
                    mean = sum(counts) / SEEDS
                    # Pairs share functions, so counts vary more than for independent pairs.
                    error = math.sqrt(sum((c - mean) ** 2 for c in counts) / (SEEDS - 1) / SEEDS)
                    least = math.sqrt(sum(p * (1 - p) for p in found) / SEEDS)
                    self.assertLess(abs(mean - expected), 4 * max(error, least) + 1,
                                    (mean, expected, counts))
                    plan = self.sosie("plan", "--verbose", *args, "--construct", construct).out.decode()
                    planned = re.search(r"candidates +about ([\d,]+) of 7,140 pairs", plan)
                    part = sum(p * p for p in found) / len(found) - (expected / len(found)) ** 2
                    error = math.sqrt(part / 2 ** 17) * len(found)
                    self.assertLess(abs(int(planned[1].replace(",", "")) - expected),
                                    4 * error + 1 + 0.01 * expected, plan)

    def test_pairs_are_true_and_the_same_for_any_threads(self):
        families = self.families() + [
            (("in.npy", "--kind", "vectors", "--measure", "angle", "--within", "60", "--family",
              "cross-polytope"), [])]
        for args, _ in families:
            method = ("--method", "exact") if "sets" in args or "vectors" in args else (
                "--method", "brute")
            plain = [a for i, a in enumerate(args)
                     if a not in ("--family", "--squares")
                     and (i == 0 or args[i - 1] not in ("--family", "--squares"))]
            all_pairs = lines(self.sosie("pairs", *plain, *method).out)
            for construct in CASCADES:
                with self.subTest(family=args, construct=construct):
                    outs = [self.sosie("pairs", *args, "--construct", construct, "--threads",
                                       threads).out for threads in ("1", "3")]
                    self.assertEqual(outs[0], outs[1])
                    self.assertLessEqual(lines(outs[0]), all_pairs)

    def test_an_or_of_very_many_functions_finds_nearly_all(self):
        args = ("in.sets", "--kind", "sets", "--threshold", "0.3")
        exact = lines(self.sosie("pairs", *args, "--method", "exact").out)
        self.assertGreater(len(exact), 20)
        for family, least in (("minhash", 1), ("grid-triples", 0.8)):
            found = lines(self.sosie("pairs", *args, "--family", family, "--construct",
                                     "or:1024,and:2").out)
            self.assertLessEqual(found, exact)
            self.assertGreaterEqual(len(found), least * len(exact), family)

    def test_query_finds_what_pairs_find_across(self):
        rows = self.read("in.sets").splitlines(keepends=True)
        self.write("data.sets", b"".join(rows[::2]))
        self.write("asked.sets", b"".join(rows[1::2]))
        for family, construct in (("minhash", "or:30,and:2"), ("grid-triples", "or:300,and:2")):
            args = ("--kind", "sets", "--threshold", "0.2", "--family", family, "--construct",
                    construct)
            found = self.sosie("query", "data.sets", "asked.sets", *args).out
            exact = self.sosie("query", "data.sets", "asked.sets", "--kind", "sets", "--threshold",
                               "0.2", "--method", "exact").out
            self.assertLess(0, len(lines(found)))
            self.assertLessEqual(lines(found), lines(exact))
            across = self.sosie("pairs", "asked.sets", "--against", "data.sets", *args).out
            self.assertEqual({tuple(row.values()) for row in read_table(found)},
                             {tuple(row.values()) for row in read_table(across)})
            # The rows of a stream are answered together.
            stream = subprocess.run([SOSIE, "query", "data.sets", *args, "--format", "sets"],
                                    input=b"".join(rows[1::2]), cwd=self.dir,
                                    stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                                    check=True).stdout
            self.assertEqual(stream, found)

    def test_family_construct_and_bands_mean_lsh(self):
        for args in (("--family", "minhash"), ("--bands", "20x2"), ("--construct", "and:2,or:20"),
                     ("--construct", "or:9,and:2")):
            self.sosie("pairs", "in.sets", "--kind", "sets", "--threshold", "0.5", *args,
                       "--stats", "stats.json")
            self.assertEqual(json.loads(self.read("stats.json"))["method"], "lsh", args)

    def test_texts_and_bags_have_cascades_too(self):
        self.write("in.jsonl", jsonl([{"text": f"some words that are alike {n // 2}"}
                                      for n in range(40)]))
        out = self.sosie("pairs", "in.jsonl", "--id", "row", "--shingle", "words:2", "--threshold",
                         "0.5", "--construct", "or:20,and:2,or:4").out
        self.assertGreater(len(lines(out)), 15)

    def test_edges(self):
        for text in ("", "a b c\n", "a b c\n\na b c\n", "\n\n"):
            self.write("few.sets", text.encode())
            for family in ("minhash", "grid-triples"):
                out = self.sosie("pairs", "few.sets", "--kind", "sets", "--threshold", "0.5",
                                 "--family", family, "--construct", "or:50,and:2").out
                self.assertEqual(len(lines(out)), 1 if text.startswith("a b c\n\n") else 0)
        self.write("none.sets", b"")
        for data, asked in (("none.sets", "in.sets"), ("in.sets", "none.sets")):
            out = self.sosie("query", data, asked, "--kind", "sets", "--threshold", "0.1",
                             "--construct", "or:50,and:2", code=int(asked == "in.sets")).out
            self.assertEqual(lines(out), set())

    def test_a_cascade_that_costs_more_than_brute_force_says_how_much(self):
        args = ("in.sets", "--kind", "sets", "--threshold", "0.5", "--family", "minhash",
                "--construct", "or:1000,and:2")
        run = self.sosie("pairs", *args)
        self.assertRegex(run.err, r"--construct or:1000,and:2: costs \d+\.\d times as much as brute force")
        self.assertRegex(self.sosie("plan", "--verbose", *args).out.decode(),
                         r"cost +costs \d+\.\d times as much as brute force")
        self.write("alike.txt", as_text([f"{row:0256x}" for row in range(300)]))
        args = ("alike.txt", "--kind", "bits", "--within", "100", "--construct",
                "or:500,and:2,or:2")
        self.assertRegex(self.sosie("pairs", *args, "--top-pairs", "5").err,
                         r"costs \d+\.\d times as much as brute force")
        self.assertRegex(self.sosie("plan", "--verbose", *args).out.decode(), r"times as much as brute force")

    def test_what_cannot_be_meant(self):
        sets = ("in.sets", "--kind", "sets", "--threshold", "0.5")
        grid = (*sets, "--family", "grid-triples", "--construct", "or:9,and:2")
        for args, says in (
                ((*sets, "--family", "grid-triples"), "no cascade can be planned from a threshold"),
                ((*sets, "--family", "hyperplane"), "hashes by angle distance"),
                ((*sets, "--family", "minhash", "--squares", "2", "--bands", "3x2"),
                 "works only with --family grid-triples"),
                ((*grid, "--squares", "9"), "--squares"),
                ((*grid, "--method", "exact"), "does not apply to a method"),
                ((*grid, "--recall", "1"), "does not apply to a method"),
                ((*grid, "--audit", "5"), "does not apply to a cascade of sets"),
                ((*sets, "--construct", "or:3000,and:2"), "needs 6000 functions, at most 4096"),
                ((*sets, "--construct", "or:60000,and:60000"), "more than can be run"),
                ((*sets, "--measure", "containment", "--construct", "or:3,and:2"),
                 "there is no lsh for it"),
                (("in.npy", "--threshold", "0.5", "--family", "grid-triples", "--bands", "2x2"),
                 "is sensitive to grid distance"),
                (("in.npy", "--threshold", "0.5", "--squares", "2"), "--squares"),
                (("in.npy", "--threshold", "0.5", "--family", "cross-polytope", "--probes", "2",
                  "--construct", "or:3,and:2"), "needs --construct and:ROWS,or:BANDS")):
            with self.subTest(args=args):
                self.fails(2, "pairs", *args, says=says)
        self.write("two.sets", b"a b\na b\n")
        self.fails(2, "pairs", "two.sets", "--kind", "sets", "--threshold", "0.5", "--family",
                   "grid-triples", "--construct", "or:9", says="there are only 2 squares")
        self.fails(2, "pairs", "in.jsonl", "--kind", "text", "--threshold", "0.5", "--family",
                   "grid-triples", "--construct", "or:9", says="works only with sets of squares")
        for rows, out in ((sets, "out.sets"), (("in.npy", "--threshold", "0.5"), "out.npy")):
            self.fails(2, "dedup", *rows, "--construct", "or:3,and:2", "-o", out,
                       says="dedup runs and:ROWS,or:BANDS only",
                       hints="pairs, query and plan run any cascade")
            self.fails(2, "explain", "0", "1", *rows, "--construct", "or:3,and:2",
                       says="explain runs and:ROWS,or:BANDS only")
        self.fails(2, "dedup", *sets, "--family", "grid-triples", "--bands", "2x2", "-o",
                   "out.sets", says="works only in pairs, query and plan, not in dedup")
        for args in (grid, ("in.npy", "--threshold", "0.5", "--construct", "or:3,and:2")):
            self.fails(2, "plan", *args, "-o", "plan.json", says="holds bands and rows")

    def test_keys_that_do_not_fit_in_memory_say_what_is_enough(self):
        for args in (("in.sets", "--kind", "sets", "--threshold", "0.5"),
                     ("bits.txt", "--kind", "bits", "--within", "9")):
            args = ("pairs", *args, "--construct", "or:2000,and:2", "--quiet")
            failed = self.fails(4, *args, "--memory", "2M", says="4000 keys for each of 120 items")
            enough = re.search(r"--memory (\d+[MG]) is enough", failed.err.splitlines()[-1])[1]
            self.sosie(*args, "--memory", enough)

    # --- families given by their probabilities

    def test_fingerprints_of_the_book(self):
        """T-8.3: 20 % and 80 %, three squares and two."""
        for squares, p1, p2, construct, told in (
                ("3", ".004096", ".000064", "or:1024", ("0.9850", "0.0634", "or:1030", "0.0784")),
                ("3", ".004096", ".000064", "or:1024,and:2",
                 ("0.9703", "0.0040", "1 in 248.5", "or:1030")),
                ("3", ".004096", ".000064", "or:2048", ("0.9997764", "0.1228")),
                ("2", ".0256", ".0016", "or:100", ("0.0747700", "0.1479654", "or:114", "0.2189"))):
            out = self.sosie("plan", "--p1", p1, "--p2", p2, "--construct", construct).out.decode()
            for text in told:
                self.assertIn(text, out, construct)
            same = self.sosie("plan", "--family", "grid-triples", "--squares", squares, "--d1",
                              ".84", "--d2", ".96", "--construct", construct).out.decode()
            gives = re.search(r"gives +([\d.e-]+) and ([\d.e-]+)", out)
            self.assertIn(f"{gives[1]}, {gives[2]})-sensitive", same)

    def test_probabilities_that_cannot_be_meant(self):
        both = ("--p1", ".5", "--p2", ".1")
        for args, says in (
                (("--p1", ".5"), "needs --p2"), (("--p2", ".5"), "needs --p1"),
                (("--p1", ".1", "--p2", ".5"), "p1 must be greater"),
                (("--p1", "1.5", "--p2", ".5"), "a number above 0 and below 1"),
                (("--p1", "x", "--p2", ".5"), "a number above 0 and below 1"),
                ((*both, "--family", "minhash"), "which define the family"),
                ((*both, "--squares", "2"), "which define the family"),
                ((*both, "in.sets"), "cannot be combined with INPUT"),
                ((*both, "-o", "plan.json"), "there is no plan to save"),
                (("--family", "minhash", "--squares", "2"), "works only with --family grid-triples")):
            self.fails(2, "plan", *args, says=says)


if __name__ == "__main__":
    unittest.main()

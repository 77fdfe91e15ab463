"""Tests with the worst inputs for a join: pairs just below the threshold that share bands, elements
with equal frequencies, giant buckets. No reported pair may be below the threshold, and no method
may take much longer than the best one without saying why. SOSIE_ADVERSARY=1 makes the inputs ten
times as large."""
# slow: more than 5 s in a release build, so `make sanitize` leaves it to `make sanitize-all`

import math
import os
import random
import resource
import subprocess
import unittest
from fractions import Fraction

from support import SANITIZED, SosieTest, read_table

SCALE = 10 if os.environ.get("SOSIE_ADVERSARY") else 1
SEED = 20261123
FACTOR = 12 if SANITIZED else 3  # times the best method's; sanitizers slow some code down more
MOST_SECONDS = 300  # wall-clock; a run that has said why it takes long may be stopped
LEAST_SECONDS = 0.5  # below this, only the start of programs is measured
SETS = {"jaccard": lambda left, right: Fraction(len(left & right), len(left | right))}


def rows_of(sets: list) -> str:
    return "".join(" ".join(map(str, row)) + "\n" for row in sets)


def under_the_threshold(groups: int, rng: random.Random) -> list:
    """Groups of ten sets of 40 elements whose similarities are just below 4/5, some just above."""
    sets = []
    for group in range(groups):
        base = [f"g{group}.{i}" for i in range(36)]
        shared = base + [f"g{group}.x"]
        for i in range(10):
            own = [f"g{group}.{i}.{k}" for k in range(4)]
            sets.append((shared if i < 2 else base) + own)  # 36/44 = .818 or 35 …
    rng.shuffle(sets)
    return sets


def as_frequent(count: int, size: int, universe: int, rng: random.Random) -> list:
    return [rng.sample(range(universe), size) for _ in range(count)]


def giant_buckets(count: int, rng: random.Random) -> list:
    """Pages with the same template: three quarters in common, all different."""
    template = [f"t{i}" for i in range(60)]
    return [template + [f"p{i}.{k}" for k in range(20 + rng.randint(0, 2))] for i in range(count)]


class AdversaryTest(SosieTest):
    def seconds(self, *args: str) -> tuple[float, str]:
        """CPU seconds and messages; a run that takes longer than MOST_SECONDS is stopped."""
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        process = self.start(*args)
        try:
            _, err = process.communicate(timeout=MOST_SECONDS)
        except subprocess.TimeoutExpired:
            process.terminate()
            return math.inf, process.communicate()[1].decode()
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        self.assertEqual(process.returncode, 0, err)
        return (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime), err.decode()

    def expect_no_cliff(self, name: str, sets: list, thresholds: tuple, verb: str) -> None:
        self.write("in.sets", rows_of(sets))
        wanted = ["--removed", "t.tsv", "--dry-run"] if verb == "dedup" else ["-o", "t.tsv"]
        for threshold in thresholds:
            times, errors = {}, {}
            for method in ("exact", "brute", "lsh", "auto"):
                if method == "brute" and len(sets) > 20_000:
                    continue
                times[method], errors[method] = self.seconds(
                    verb, "in.sets", "--threshold", threshold, "--method", method, "--threads", "1",
                    *wanted)
                if times[method] < math.inf:
                    self.expect_none_below(sets, Fraction(threshold), verb)
            best = max(LEAST_SECONDS, min(times.values()))
            for method in ("lsh", "auto"):
                said = "--method" in errors[method] and "because" in errors[method]
                self.assertTrue(times[method] <= FACTOR * best or said,
                                f"{name} at {threshold}, {verb}: {times}")

    def expect_none_below(self, sets: list, threshold: Fraction, verb: str) -> None:
        names = ("id", "kept_id") if verb == "dedup" else ("left", "right")
        rows = read_table(self.read("t.tsv"))
        for row in rows[:: max(1, len(rows) // 2000)]:
            left, right = (set(sets[int(row[name])]) for name in names)
            self.assertGreaterEqual(SETS["jaccard"](left, right), threshold, row)

    def test_pairs_just_under_the_threshold(self) -> None:
        sets = under_the_threshold(200 * SCALE, random.Random(SEED))
        for verb in ("dedup", "pairs"):
            self.expect_no_cliff("under", sets, ("0.82",), verb)

    def test_elements_that_are_all_as_frequent(self) -> None:
        rng = random.Random(SEED)
        for count, size, universe, threshold in ((5000, 80, 100, "0.8"), (5000, 9, 100, "0.5"),
                                                 (4000, 20, 200, "0.3")):
            sets = as_frequent(count * SCALE, size, universe, rng)
            self.expect_no_cliff(f"{size} of {universe}", sets, (threshold,), "pairs")

    def test_large_buckets_are_filtered_only_where_that_lists_less(self) -> None:
        """A filter by rare elements lists nearly all sets if no element is rare."""
        self.write("in.sets", rows_of(as_frequent(20_000, 12, 120, random.Random(SEED))))
        exact, lsh = (self.seconds("pairs", "in.sets", "--threshold", "0.3", "--threads", "1",
                                   "--method", method, "-o", "t.tsv")[0]
                      for method in ("exact", "lsh"))
        self.assertLess(lsh, 8 * max(LEAST_SECONDS, exact))  # 20 times without that decision

    def test_giant_buckets(self) -> None:
        sets = giant_buckets(2000 * SCALE, random.Random(SEED))
        for verb in ("dedup", "pairs"):
            self.expect_no_cliff("templates", sets, ("0.65",), verb)


class FewAgainstManyTest(SosieTest):
    """Looking up one row among many texts takes no longer than comparing it once with each of
    them."""

    def expect_quick(self, verb: str, shingle: str, rows: int) -> None:
        rng = random.Random(SEED)
        words = [f"{a}{b}{c}" for a in "bdgklmnprst" for b in "aeiou" for c in "bdgklmnprst"]
        frequent = [1 / (i + 1) for i in range(len(words))]
        texts = [" ".join(rng.choices(words, frequent, k=40)) for _ in range(rows)]
        self.write("many.txt", "\n".join(texts) + "\n")
        self.write("one.txt", texts[rows // 2] + "\n")
        asked = (["query", "many.txt", "one.txt"] if verb == "query" else
                 ["pairs", "one.txt", "--against", "many.txt"])
        for threshold in ("0.8", "0.05"):
            times, outs = {}, {}
            for method in ("brute", "exact", "lsh", "auto"):
                before = resource.getrusage(resource.RUSAGE_CHILDREN)
                result = self.sosie(*asked, "--shingle", shingle, "--threshold", threshold,
                                    "--method", method, "--threads", "1", "-o", "o.tsv", code=None)
                after = resource.getrusage(resource.RUSAGE_CHILDREN)
                self.assertEqual(result.code, 0, result.err)
                times[method] = (after.ru_utime + after.ru_stime - before.ru_utime
                                 - before.ru_stime)
                outs[method] = self.read("o.tsv")
            self.assertEqual(outs["brute"], outs["exact"])
            self.assertEqual(outs["auto"], outs["brute"])
            best = max(LEAST_SECONDS, min(times.values()))
            for method in ("lsh", "auto"):
                self.assertLessEqual(times[method], FACTOR * best, (shingle, threshold, times))

    def test_of_words_and_characters(self) -> None:
        self.expect_quick("query", "words:1", 12_000 * SCALE)
        self.expect_quick("pairs", "chars:4", 12_000 * SCALE)


if __name__ == "__main__":
    unittest.main()

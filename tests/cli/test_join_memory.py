"""Exact joins under a small --memory: sets and pairs go to scratch, and the result is the same."""
# slow: more than 5 s in a release build, so `make sanitize` leaves it to `make sanitize-all`

import json
import random
import unittest

import corpus
from support import SANITIZED, SosieTest, documents
from test_sets import lines

WHOLE = "4G"
SMALL = "3M"  # sixteen ranges of sizes and more


def many_baskets(seed: int, count: int) -> list[list[str]]:
    """Sets of 1 to 40 elements, some common and most rare, among them near copies and copies."""
    draw = random.Random(seed)
    rows: list[list[str]] = []
    for _ in range(count):
        if rows and draw.random() < 0.2:
            row = list(draw.choice(rows[-500:]))
            if draw.random() < 0.8:
                row[draw.randrange(len(row))] = f"n{draw.randrange(10**6)}"
        else:
            row = list({f"i{int(6000 * draw.random() ** 3)}" for _ in range(draw.randint(1, 40))})
        rows.append(row)
    return rows


class JoinMemory(SosieTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.rows = many_baskets(1, 8_000)

    def setUp(self):
        super().setUp()
        self.write("in.sets", lines(self.rows))
        self.write("other.sets", lines(self.rows[:5_000:2] + many_baskets(2, 3_000)))

    def join(self, *args: str, memory: str) -> tuple[bytes, dict]:
        out = self.sosie(*args, "--method", "exact", "--memory", memory, "--stats", "s.json").out
        return out, json.loads(self.read("s.json"))

    def same(self, *args: str, memory: str = SMALL) -> bytes:
        whole, at_ease = self.join(*args, memory=WHOLE)
        self.assertEqual(at_ease["scratch_bytes"], 0)
        for threads in ("1", "3"):
            parts, stats = self.join(*args, "--threads", threads, memory=memory)
            self.assertEqual(whole, parts, args)
            self.assertGreater(stats["scratch_bytes"], 0, args)
        return whole

    def test_rows_that_do_not_fit_either(self):
        """The rows go to scratch, too, and are matched batch by batch; `--keep` has other ranks."""
        self.write("more.sets", lines(self.rows * 25 + many_baskets(3, 4_000)))  # 204,000 rows
        sides = ("--removed", "r.tsv", "--clusters", "c.tsv")
        for args in ((), ("--keep", "last"), ("--keep", "longest"), ("--against", "other.sets")):
            found = []
            for memory in (WHOLE, SMALL):
                out = self.join("dedup", "more.sets", "-o", "out.sets", *sides, *args, "--overwrite",
                                memory=memory)[0]
                found.append([out, *(self.read(name) for name in ("out.sets", "r.tsv", "c.tsv"))])
            self.assertEqual(*found, args)
        for args in (("pairs", "in.sets", "--against", "more.sets"),
                     ("query", "more.sets", "in.sets", "--top", "2")):
            self.assertEqual(self.join(*args, "--threshold", "0.9", memory=WHOLE)[0],
                             self.join(*args, "--threshold", "0.9", memory=SMALL)[0], args)

    def test_what_explain_says_of_rows_that_do_not_fit(self):
        self.write("more.sets", lines(self.rows * 25))
        for ids in (("7", "8007"), ("3", "4"), ("9", "9")):
            args = ("explain", *ids, "more.sets", "--method", "exact", "--memory")
            self.assertEqual(self.sosie(*args, WHOLE).out, self.sosie(*args, SMALL).out)

    def test_pairs_by_every_measure(self):
        for measure in ("jaccard", "dice", "cosine", "overlap", "containment"):
            out = self.same("pairs", "in.sets", "--measure", measure, "--threshold", "0.8")
            self.assertGreater(out.count(b"\n"), 1000)

    def test_pairs_at_a_low_threshold(self):
        self.same("pairs", "in.sets", "--threshold", "0.3", "--top", "3")
        self.same("pairs", "in.sets", "--top-pairs", "5000")

    def test_sizes_that_can_only_just_be_partners(self):
        sets = [[f"{i}{letter}" for letter in "abcd"] for i in range(6000)]
        self.write("steps.sets", lines(sets + [row + [row[0] + "e"] for row in sets]))
        out = self.same("pairs", "steps.sets", "--threshold", "0.8", memory="1M")
        self.assertEqual(out.count(b"\t0.800000\n"), 6000)

    def test_two_collections(self):
        for verb in (("pairs", "in.sets", "--against", "other.sets"),
                     ("query", "other.sets", "in.sets")):
            out = self.same(*verb, "--threshold", "0.6")
            self.assertGreater(out.count(b"\n"), 1500)
        self.same("pairs", "in.sets", "--against", "other.sets", "--measure", "containment",
                  "--threshold", "0.9")

    def test_dedup(self):
        for options in ((), ("--keep", "last"), ("--keep", "shortest"),
                        ("--clustering", "components"), ("--against", "other.sets"),
                        ("--measure", "containment")):
            sides = []
            for memory in (WHOLE, SMALL):
                out, stats = self.join("dedup", "in.sets", "--threshold", "0.7", *options,
                                       "--removed", "r.tsv", "--pairs", "p.tsv", "--clusters",
                                       "c.tsv", memory=memory)
                self.assertEqual(stats["scratch_bytes"] > 0, memory == SMALL)
                sides.append((out, self.read("r.tsv"), self.read("p.tsv"), self.read("c.tsv")))
            self.assertEqual(*sides, options)

    def test_texts(self):
        self.write("in.jsonl", documents(corpus.texts(3, 3000)))
        self.same("pairs", "in.jsonl", "--threshold", "0.6", memory="3M")
        self.same("dedup", "in.jsonl", "--threshold", "0.6", "--shingle", "chars:9", memory="3M")

    def test_what_auto_chooses_does_not_depend_on_memory(self):
        args = ("pairs", "in.sets", "--threshold", "0.8", "--quiet")
        whole = self.sosie(*args, "--memory", WHOLE).out
        self.assertEqual(self.sosie(*args, "--memory", SMALL).out, whole)

    def test_more_pairs_than_memory(self):
        self.write("all.sets", "".join(f"all {i}\n" for i in range(1000)))  # 499,500 pairs
        out = self.same("pairs", "all.sets", "--threshold", "1/3", memory="16M")
        self.assertEqual(out.count(b"\n"), 499_501)
        kept = self.same("dedup", "all.sets", "--threshold", "1/3", memory="16M")
        self.assertEqual(kept, b"all 0\n")

    def test_pairs_that_scratch_will_not_hold_are_foretold(self):
        self.write("all.sets", "".join(f"all {i}\n" for i in range(10_000)))
        args = ("pairs", "all.sets", "--method", "exact", "--memory", "64M", "--scratch-limit",
                "700M", "--threshold")
        self.fails(4, *args, "1/3", says="about [45].,...,... pairs reach the threshold: they need",
                   hints="raise --threshold")
        self.sosie(*args, "0.34")

    def test_a_cap_that_is_too_small_says_what_is_enough(self):
        self.write("short.sets", "".join(f"{i % 7} {i} {i + 1}\n" for i in range(400_000)))
        whole = ("pairs", "short.sets", "--method", "exact", "--measure", "containment", "--memory")
        self.fails(4, *whole, "2M",
                   says="^sosie: --memory: an exact join of 400,000 rows needs 21M, not 2M$",
                   hints="--memory 21M is enough")
        self.sosie(*whole, "21M")
        batches = ("pairs", "short.sets", "--method", "exact", "--threshold", "0.5", "--memory")
        self.assertEqual(self.sosie(*batches, "2M").out, self.sosie(*batches, "21M").out)

    def test_a_pair_of_sets_that_does_not_fit(self):
        with open(self.dir / "large.sets", "w", encoding="ascii") as out:
            for first in (0, 5):
                out.write(" ".join(map(str, range(first, 150_000))) + "\n")
            out.writelines(f"{i} {i + 1}\n" for i in range(2000))
        self.fails(4, "pairs", "large.sets", "--method", "exact", "--memory", "9M", "--threads",
                   "1", says="two sets of 150,000 elements need about 14.4 MB", hints="--memory")
        out = self.sosie("pairs", "large.sets", "--method", "exact", "--memory", "15M").out
        self.assertIn(b"\n0\t1\t0.999967\n", out)

    @unittest.skipIf(SANITIZED, "sanitizers take memory of their own")
    def test_the_peak_keeps_to_the_cap(self):
        rows = many_baskets(5, 120_000)
        self.write("large.sets", lines(rows))
        whole, at_ease = self.join("pairs", "large.sets", "--threads", "2", memory=WHOLE)
        parts, stats = self.join("pairs", "large.sets", "--threads", "2", memory="8M")
        self.assertEqual(whole, parts)
        self.assertGreater(at_ease["peak_memory_bytes"], 75 << 20)
        self.assertLess(stats["peak_memory_bytes"], 72 << 20)


if __name__ == "__main__":
    unittest.main()

"""Exact joins with a small --memory: sets and pairs go to scratch, and the result is the same."""
# slow: more than 5 s in a release build, so `make sanitize` leaves it to `make sanitize-all`

import json
import random
import unittest

import corpus
from support import SANITIZED, SosieTest, documents
from test_sets import lines

WHOLE = "4G"
SMALL = "3M"  # at least sixteen size ranges
LEAST = "1M"  # but at most 187,000 rows


def many_baskets(seed: int, count: int) -> list[list[str]]:
    """Sets of 1 to 40 elements, some common and most rare, including near-copies and copies."""
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
        """The rows also go to scratch, and are matched batch by batch; `--keep` ranks them differently."""
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

    def test_many_ranges_are_told(self):
        args = ("pairs", "in.sets", "--method", "exact", "-o", "out.tsv", "--memory")
        self.assertRegex(self.sosie(*args, SMALL).err,
                         "the sets do not fit in --memory 3M: they are split into [0-9]+ ranges, .*; "
                         "more --memory is faster")
        for quiet in ((WHOLE,), (SMALL, "--quiet")):
            self.assertNotIn("ranges", self.sosie(*args, *quiet).err)

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

    def write_many(self) -> None:
        """About 190,000 sets: of three elements, of two of these, and of six, half of which occur twice."""
        rows = [f"{i} {i + 1} {i + 2}\n" for i in range(0, 240_000, 2)]
        rows += [f"{i} {i + 1}\n" for i in range(0, 240_000, 6)]
        rows += 2 * [f"{i} {i + 1} {i + 2} {i + 3} a{i} b{i}\n" for i in range(0, 120_000, 8)]
        random.Random(7).shuffle(rows)
        self.write("many.sets", "".join(rows))
        self.write("few.sets", "".join(rows[::400]) + "4 5\n8 9 10\na8\n")

    def files_of(self, *args: str, memory: str) -> list[bytes]:
        out = self.sosie(*args, "--memory", memory, "--stats", "s.json").out
        spilled = json.loads(self.read("s.json"))["scratch_bytes"] > 0
        self.assertEqual(spilled, memory == LEAST, args)
        names = [args[i + 1] for i, arg in enumerate(args) if arg in self.outputs]
        return [out, *(self.read(name) for name in names)]

    outputs = ("-o", "--removed", "--clusters", "--pairs")

    def test_rows_of_joins_that_are_not_cut_into_batches(self):
        """For one-directional measures, --contained, and --top without a threshold."""
        self.write_many()
        exact = ("--method", "exact")
        contained = ("--measure", "containment", "--threshold", "0.6", *exact)
        sides = ("--overwrite", "-o", "out.sets", "--removed", "r.tsv", "--clusters", "c.tsv",
                 "--pairs", "p.tsv")
        for args in (("pairs", "many.sets", *contained),
                     ("pairs", "many.sets", "--measure", "tversky:2,1", "--top", "1", *exact),
                     ("pairs", "few.sets", "--against", "many.sets", "--top", "2", *exact),
                     ("query", "many.sets", "few.sets", *contained),
                     ("dedup", "many.sets", *contained, *sides),
                     ("dedup", "many.sets", *contained, "--keep", "longest", *sides[:-2]),
                     ("dedup", "many.sets", "--against", "few.sets", *contained, *sides),
                     ("dedup", "many.sets", "--against", "few.sets", "--contained", "1",
                      *sides[:-2])):
            whole = self.files_of(*args, memory=WHOLE)
            self.assertGreater(len(b"".join(whole)), 2_000, args)
            self.assertEqual(whole, self.files_of(*args, memory=LEAST), args)

    def test_what_a_row_that_does_not_fit_is_said_to_contain(self):
        self.write_many()
        args = ("many.sets", "--against", "few.sets", "--measure", "containment", "--method", "exact")
        messages = [self.sosie("dedup", *args, "-o", "out.sets", "--overwrite", "--memory",
                               memory).err for memory in (WHOLE, LEAST)]
        said = [[line for line in text.splitlines() if line.startswith(("sosie: kept", "rows", "groups"))]
                for text in messages]
        self.assertEqual(*said)
        self.assertRegex("\n".join(said[0]), "kept .* a row of --against")
        ids = ("explain", "5", "9", "many.sets", "--measure", "containment", "--method", "exact")
        self.assertEqual(self.sosie(*ids, "--memory", WHOLE).out,
                         self.sosie(*ids, "--memory", LEAST).out)

    def test_equal_rows_that_scratch_will_not_hold_are_refused_at_once(self):
        self.write("equal.sets", "a b c\n" * 300_000)
        for measure, pairs in (("jaccard", "44,999,850,000"), ("containment", "89,999,700,000")):
            args = ("pairs", "equal.sets", "--measure", measure, "--method", "exact", "--memory",
                    SMALL, "--scratch-limit", "100M")
            self.fails(4, *args, says=f"{pairs} or more pairs reach the threshold: they need",
                       hints="raise --threshold or --scratch-limit, or use --top")
            self.fails(4, *args, "--limit", "9", says="more than 9 pairs")
            out = self.sosie(*args, "--top", "1").out
            self.assertEqual(out.count(b"\n"), 300_001 - (measure == "jaccard"))

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

"""--memory: rows that do not fit go to scratch with the same result; if that is impossible, the
message says so.

Budgets here are far below the 256 MiB from which the cap is guaranteed, so that even a few thousand
rows do not fit.
"""
# slow: more than 5 s in a release build, so `make sanitize` leaves it to `make sanitize-all`

import gzip
import json
import random
import unittest

import corpus
from report_pages import Report, without_resources
from support import IN_MEMORY, SANITIZED, SosieTest, size_of

TINY = "3M"
HASHED = ("--method", "lsh")  # auto would join this exactly, in memory, but here it must spill
SIDES = ("--removed", "r.tsv", "--clusters", "c.tsv", "--pairs", "p.tsv", "--report", "r.html")
NEVER = "9G"  # never too small here
MACHINE = ("seconds", "peak_memory_bytes", "scratch_bytes", "threads", "candidates", "templates")


class SameResult(SosieTest):
    """Checks that a run over `rows` gives the same result under any memory limit."""
    place = IN_MEMORY
    rows: list[dict] = []

    def setUp(self):
        super().setUp()
        self.write("in.jsonl", self.rows)

    def outcome(self, *args: str) -> tuple:
        """Returns every output of a dedup run except what may differ: the number of candidates
        examined depends on which rows are in memory together."""
        self.sosie("dedup", *args, *SIDES, "--stats", "s.json", "-o", "out.jsonl")
        stats = json.loads(self.read("s.json"))
        for machine in MACHINE:
            stats.pop(machine, None)
        page = Report(without_resources(self.read("r.html")))
        page.overview.pop("templates", None)
        for machine in MACHINE:
            page.overview["summary"].pop(machine, None)
        files = [self.read(name) for name in ("out.jsonl", "r.tsv", "c.tsv", "p.tsv")]
        return files, stats, (page.plain, page.data)

    def same(self, *args: str) -> None:
        whole = self.outcome(*args, "--memory", NEVER)
        for memory in size_of((TINY, "4M"), (TINY,)):
            spilled = self.outcome(*args, "--memory", memory)
            for name, one, other in zip(("files", "stats", "page"), whole, spilled):
                self.assertEqual(one, other, (args, memory, name))


class Spilled(SameResult):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        rng = random.Random(71)
        texts = corpus.texts(72, 1500, "mixed") + corpus.planted_pairs(73, 1500, 80)
        texts += ["the same words stand here once more"] * 150
        texts += [text.upper() if rng.random() < .5 else text for text in rng.choices(texts, k=300)]
        rng.shuffle(texts)
        cls.rows = [{"id": f"d{i}", "text": text, "score": rng.choice([None, 1, 2.5, "x", "yy"])}
                    for i, text in enumerate(texts)]

    def test_this_does_spill(self):
        self.sosie("dedup", "in.jsonl", "--memory", TINY, "--stats", "s.json", "-o", "out.jsonl")
        scratch = json.loads(self.read("s.json"))["scratch_bytes"]
        self.assertGreater(scratch, 100 * len(self.rows))
        self.assertLess(scratch, 640 * len(self.rows) + 1_000_000)  # pages that are not full

    def test_dedup(self):
        self.same("in.jsonl")

    def test_every_keep_rule(self):
        for keep in ("last", "longest", "shortest,last", "max:score", "min:score,longest"):
            self.same("in.jsonl", "--keep", keep)

    def test_components(self):
        self.same("in.jsonl", "--clustering", "components", "--threshold", "0.75")

    def test_numbered_rows_and_several_files(self):
        self.write("a.jsonl", self.rows[:2000])
        self.write("b.jsonl", self.rows[2000:])
        self.same("a.jsonl", "b.jsonl", "--id", "row")

    def test_against(self):
        self.write("other.jsonl", self.rows[::3])
        self.same("in.jsonl", "--against", "other.jsonl")

    def test_annotations(self):
        for which in ("kept", "all"):
            self.same("in.jsonl", "--annotate", which)

    def test_bad_rows(self):
        lines = self.read("in.jsonl").split(b"\n")
        lines[700] = b'{"id": "bad", "text": ["x"]}'
        lines[2500] = b'{"id": "worse"'
        (self.dir / "in.jsonl").write_bytes(b"\n".join(lines))
        for what in ("skip", "keep"):
            rejects = []
            for memory in (NEVER, TINY):
                self.sosie("dedup", "in.jsonl", "--on-bad-row", what, "--rejects", "j.tsv",
                           "--memory", memory, "-o", "out.jsonl")
                rejects.append((self.read("out.jsonl"), self.read("j.tsv")))
            self.assertEqual(*rejects)
        messages = {self.sosie("dedup", "in.jsonl", "--memory", memory, code=3).err
                    for memory in (NEVER, TINY)}
        self.assertEqual(len(messages), 1, messages)
        self.assertIn("in.jsonl:701: ", messages.pop())

    def test_duplicate_ids(self):
        rows = [dict(row) for row in self.rows]
        rows[2600]["id"] = rows[9]["id"]
        rows[2900]["id"] = rows[2890]["id"]
        self.write("in.jsonl", rows)
        messages = {self.sosie("dedup", "in.jsonl", "--memory", memory, code=3).err
                    for memory in (NEVER, TINY)}
        self.assertEqual(len(messages), 1, messages)
        self.assertIn("in.jsonl:2601: id 'd9' is already used by in.jsonl:10", messages.pop())

    def test_pairs(self):
        self.write("other.jsonl", self.rows[::3])
        for args in ((), ("--against", "other.jsonl"), ("--top", "2"), ("--top-pairs", "50"),
                     ("--threshold", "0.7", "--show", "text")):
            found = [self.sosie("pairs", "in.jsonl", *args, "--memory", memory).out
                     for memory in (NEVER, TINY)]
            self.assertGreater(len(found[0].splitlines()), 50)
            self.assertEqual(*found, args)

    def test_nothing_is_left_in_scratch(self):
        self.sosie("dedup", "in.jsonl", "--memory", TINY, "-o", "out.jsonl")
        self.assertEqual(list(self.scratch.iterdir()), [])

    def test_any_number_of_threads(self):
        # Smaller budgets allow only one worker.
        rows = [{"id": i, "text": row["text"] + f" and so on {i // 2}"}
                for i, row in enumerate(self.rows * 14)]
        self.write("in.jsonl", rows)
        found = []
        for args in (("--memory", NEVER), ("--memory", "64M", "--threads", "1"),
                     ("--memory", "64M", "--threads", "2")):
            self.sosie("dedup", "in.jsonl", *args, "--removed", "r.tsv", "--stats", "s.json",
                       "-o", "out.jsonl")
            found.append((self.read("out.jsonl"), self.read("r.tsv")))
            spilled = json.loads(self.read("s.json"))["scratch_bytes"] > 0
            self.assertEqual(spilled, "64M" in args)
        self.assertEqual(found[0], found[1])
        self.assertEqual(found[0], found[2])


class Templates(SameResult):
    """Pages with the same template share buckets everywhere, so together they do not fit in any of
    these budgets."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        rng = random.Random(75)
        template = " ".join(corpus.ENGLISH.split()[:70])
        pages = []
        while len(pages) < 4000:
            own = [f"w{rng.randrange(10**6)}" for _ in range(26)]
            pages.append(f"{template} {' '.join(own)}")
            for _ in range(rng.choice([0, 0, 0, 0, 1, 3])):
                own[rng.randrange(3)] = f"w{rng.randrange(10**6)}"
                pages.append(f"{template} {' '.join(own)}")
        rng.shuffle(pages)
        cls.rows = [{"id": i, "text": text, "score": rng.choice([None, rng.randrange(9), "x"])}
                    for i, text in enumerate(pages)]

    def same(self, *args: str) -> None:
        whole = self.outcome(*args, *HASHED, "--memory", NEVER)
        windowed = self.outcome(*args, *HASHED, "--memory", TINY)
        for name, one, other in zip(("files", "stats", "page"), whole, windowed):
            self.assertEqual(one, other, (args, name))
        self.assertGreater(whole[1]["near"], 300)
        self.assertGreater(whole[1]["kept"], 1000)

    def test_first(self):
        self.same("in.jsonl")

    def test_last(self):
        self.same("in.jsonl", "--keep", "last")

    def test_values(self):
        self.same("in.jsonl", "--keep", "max:score,longest")

    def test_against(self):
        self.write("other.jsonl", [{"id": row["id"], "text": row["text"] + " and more"}
                                   for row in self.rows[::3]])
        self.same("in.jsonl", "--against", "other.jsonl")

    def test_components_need_them_together(self):
        self.fails(4, "dedup", "in.jsonl", "--clustering", "components", *HASHED, "--memory", TINY,
                   "-o", "out.jsonl",
                   says=r"--clustering components: rows connected through shared buckets "
                        r"take [\d.]+ MB of memory$")


class ExactByChoice(SameResult):
    """Rows that --method auto joins exactly with much memory are also joined exactly with little
    memory."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        rng = random.Random(77)
        texts = [" ".join(f"w{rng.randrange(10**6)}" for _ in range(9)) for _ in range(4000)]
        texts += [f"{text} more" for text in rng.sample(texts, 400)]
        cls.rows = [{"id": i, "text": text} for i, text in enumerate(texts)]

    def test_dedup(self):
        self.same("in.jsonl", "--shingle", "words:1")
        self.assertEqual(json.loads(self.read("s.json"))["method"], "exact")

    def test_pairs(self):
        args = ("pairs", "in.jsonl", "--shingle", "words:1", "--stats", "s.json")
        found = {self.sosie(*args, "--memory", memory).out for memory in (NEVER, TINY)}
        self.assertEqual(len(found), 1)
        self.assertEqual(found.pop().count(b"\n"), 1 + 400)
        self.assertEqual(json.loads(self.read("s.json"))["method"], "exact")


class ExactGivenUp(SosieTest):
    """Rows whose first 32 MiB favour an exact join, although later ones have far more elements."""
    place = IN_MEMORY

    @unittest.skipIf(SANITIZED, "70 MB take minutes there")
    def test_rows_are_read_again_for_lsh(self):
        rng = random.Random(78)
        pad = "x" * 1_000_000
        sets = [[rng.randrange(10**6) for _ in range(8)] for _ in range(1500)]
        sets += [[*some[:7], 0, 1] for some in sets[::5]]
        sparse = [{"text": some, "pad": "" if i % 40 else pad} for i, some in enumerate(sets)]
        dense = json.dumps({"text": list(range(1000))}).encode() + b"\n"
        self.write("sparse.jsonl", sparse)
        self.write("in.jsonl", self.read("sparse.jsonl") + 6100 * dense)
        found = []
        for name, args in (("sparse", ()), ("in", ()), ("in", ("--method", "lsh"))):
            self.sosie("dedup", f"{name}.jsonl", "--kind", "sets", "--threshold", "0.6",
                       *args, "--stats", "s.json", "-o", "out.jsonl")
            stats = json.loads(self.read("s.json"))
            found.append((stats["method"], stats["removed"], self.read("out.jsonl")))
        self.assertEqual(found[0][:2], ("exact", 300))
        self.assertEqual(found[1], found[2])
        self.assertEqual(found[1][0], "lsh")
        self.assertGreaterEqual(found[1][1], 6099 + 290)


class Limits(SosieTest):
    place = IN_MEMORY

    def test_scratch_limit_counts_rows(self):
        self.write("in.jsonl", corpus.planted_pairs(74, 3000, 80))
        self.refuses(4, "dedup", "in.jsonl", "--memory", TINY, "--scratch-limit", "200K", "-o",
                     "out.jsonl", says=r"bytes of temporary space; --scratch-limit is 204800$")
        self.assertEqual(self.sosie("dedup", "in.jsonl", "--memory", TINY, "--scratch-limit", "90M",
                                    "-o", "out.jsonl").code, 0)

    def test_scratch_limit_counts_inputs(self):
        self.write("in.jsonl", corpus.planted_pairs(74, 3000, 80))
        (self.dir / "in.jsonl.gz").write_bytes(gzip.compress(self.read("in.jsonl")))
        self.refuses(4, "dedup", "-", "--scratch-limit", "100K", "-o", "out.jsonl",
                     says=r"--scratch-limit is 102400$", stdin=self.read("in.jsonl"))

    def test_packed_inputs_do_with_the_scratch_there_is(self):
        self.write("in.jsonl", corpus.planted_pairs(74, 3000, 80))
        (self.dir / "in.jsonl.gz").write_bytes(gzip.compress(self.read("in.jsonl")))
        self.sosie("dedup", "in.jsonl", "-o", "plain.jsonl")
        packed = (self.dir / "in.jsonl.gz").stat().st_size
        for limit, most in (("100K", 102_400), ("1G", 2 * packed)):
            self.sosie("dedup", "in.jsonl.gz", "--scratch-limit", limit, "-o", "out.jsonl",
                       "--stats", "s.json")
            self.assertLessEqual(json.loads(self.read("s.json"))["scratch_bytes"], most)
            self.assertEqual(self.read("out.jsonl"), self.read("plain.jsonl"))

    def test_equal_rows_fit_in_any_budget(self):
        rows = [{"id": i, "text": f"one of {i % 3} texts that all of these have"}
                for i in range(9000)]
        rows[4500]["text"] += " but for this one"
        self.write("in.jsonl", rows)
        found = []
        for args in (("--memory", NEVER), ("--memory", TINY)):
            self.sosie("dedup", "in.jsonl", *args, "--removed", "r.tsv", "-o", "out.jsonl")
            found.append((self.read("out.jsonl"), self.read("r.tsv")))
        self.assertEqual(*found)
        self.assertEqual(found[0][0].count(b"\n"), 4)

    def test_row_beyond_the_budget(self):
        self.write("in.jsonl", [{"id": 1, "text": "short"}, {"id": 2, "text": "long " * 200_000}])
        length = len(self.read("in.jsonl").split(b"\n")[1]) + 1
        self.refuses(4, "dedup", "in.jsonl", "--memory", TINY, "-o", "out.jsonl",
                     says=rf"in.jsonl:2: row of {length} bytes is too large for --memory 3M$")
        self.sosie("dedup", "in.jsonl", "--memory", "256M", "-o", "out.jsonl")

    def test_audit_needs_the_rows_in_memory(self):
        self.write("in.jsonl", corpus.planted_pairs(74, 3000, 80))
        self.refuses(4, "dedup", "in.jsonl", "--memory", TINY, "--audit", "-o", "out.jsonl",
                     says=r"--audit: \d+ rows do not fit in --memory$")

    def refuses(self, code: int, *args: str, says: str, stdin: bytes = b"") -> None:
        self.fails(code, *args, says=says, stdin=stdin)
        self.assertFalse((self.dir / "out.jsonl").exists())
        self.assertEqual(list(self.scratch.iterdir()), [])


if __name__ == "__main__":
    unittest.main()

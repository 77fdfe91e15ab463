"""`sosie index add|remove|merge|compact`: after any changes, the index answers as its rows do; once
a call has returned, its changes survive whatever happens. SOSIE_STOPS: the number of moments at
which each call is stopped."""
# slow: more than 5 s in a release build, so `make sanitize` leaves it to `make sanitize-all`

import json
import os
import random
import shutil
import signal
import time
import unittest

from support import IN_MEMORY, SANITIZED, jsonl, size_of
from test_index import INDEX, IndexTest

FAULTS = os.environ.get("SOSIE_FAULTS", "")
POWER = os.environ.get("SOSIE_POWER", "")
STOPS = int(os.environ.get("SOSIE_STOPS", size_of(40, 10)))


class Changes(IndexTest):
    def add(self, rows: list[dict], *args: str) -> None:
        self.write("more.jsonl", jsonl(rows))
        self.sosie("index", "add", INDEX, "more.jsonl", *args)

    def remove(self, ids: list[str]) -> str:
        self.write("gone.txt", "\n".join(ids) + "\n")
        return self.sosie("index", "remove", INDEX, "--ids", "gone.txt").err

    def test_however_adds_are_batched(self):
        rng = random.Random(8)
        for keep in ("yes", "no"):
            start = 40
            self.write("first.jsonl", jsonl(self.rows[:start]))
            self.build("--keep-items", keep, data="first.jsonl")
            while start < 300:
                end = min(300, start + rng.choice((1, 2, 30, 90)))
                name = self.write(f"more{start}.jsonl", jsonl(self.rows[start:end]))
                self.sosie("index", "add", INDEX, name)
                start = end
                if rng.random() < .3:
                    self.expect_rows(self.rows[:end])
            self.expect_rows(self.rows[:300])
            self.sosie("index", "compact", INDEX)
            self.expect_rows(self.rows[:300])
            self.assertIn(b"runs          1, and 0 items in the log\n",
                          self.sosie("index", "info", INDEX).out)

    def test_removed_items_are_gone(self):
        self.build()
        rows = self.rows[:300]
        for step in range(4):
            gone = {row["id"] for row in rows[step::7]}
            self.assertIn(f"{len(gone)} items removed from {INDEX}, 1 id unknown",
                          self.remove([*sorted(gone), "nobody"]))
            rows = [row for row in rows if row["id"] not in gone]
            self.expect_rows(rows)
            new = [{"id": f"n{step}", "text": rows[5]["text"]}, self.rows[300 + step]]
            self.add(new)
            rows += new
            self.expect_rows(rows)
            if step == 2:
                self.sosie("index", "compact", INDEX)
                self.expect_rows(rows)
        self.remove([row["id"] for row in rows])
        self.expect_rows([])
        self.sosie("index", "compact", INDEX)
        self.expect_rows([])
        self.add(self.rows[:20])
        self.expect_rows(self.rows[:20])

    def test_ids_that_are_there(self):
        self.build()
        rows = self.rows[:300]
        self.write("more.jsonl", jsonl([self.rows[310], self.rows[7], self.rows[8]]))
        before = self.answers()
        self.fails(3, "index", "add", INDEX, "more.jsonl",
                   says="id 'd7' is already in words.index, and 1 id more; nothing was added",
                   hints="--skip-existing")
        self.assertEqual(self.answers(), before)
        for _ in range(2):
            self.sosie("index", "add", INDEX, "more.jsonl", "--skip-existing")
            self.expect_rows([*rows, self.rows[310]])
        new = {"id": "d7", "text": self.rows[311]["text"]}
        self.add([new, self.rows[312]], "--replace")
        rows = [row for row in rows if row["id"] != "d7"] + [self.rows[310], new, self.rows[312]]
        self.expect_rows(rows)
        self.write("twice.jsonl", jsonl([self.rows[320], self.rows[320]]))
        self.fails(3, "index", "add", INDEX, "twice.jsonl",
                   says="twice.jsonl:2: id 'd320' is already used by twice.jsonl:1")
        self.fails(2, "index", "add", INDEX, "more.jsonl", "--id", "row",
                   says="--id row: the items of words.index are identified by id")
        self.fails(2, "index", "add", INDEX, "more.jsonl", "--replace", "--skip-existing")
        self.expect_rows(rows)

    def test_bad_rows(self):
        self.build()
        self.write("bad.jsonl", b'{"id": "x"}\n' + jsonl(self.rows[300:310]))
        self.fails(3, "index", "add", INDEX, "bad.jsonl", says="bad.jsonl:1: ")
        self.expect_rows(self.rows[:300])
        self.sosie("index", "add", INDEX, "bad.jsonl", "--on-bad-row", "skip")
        self.expect_rows(self.rows[:310])

    def test_merged_indexes(self):
        for options in ((), ("--id", "row"), ("--keep-items", "no")):
            with self.subTest(options=options):
                for i in range(3):
                    self.write(f"part{i}.jsonl", jsonl(self.rows[100 * i:100 * i + 100]))
                    self.build("--bands", "20x4", *options, data=f"part{i}.jsonl", index=f"i{i}")
                    self.write(f"rest{i}.jsonl", jsonl(self.rows[300 + i:301 + i]))
                    self.sosie("index", "add", f"i{i}", f"rest{i}.jsonl")
                shutil.rmtree(self.dir / INDEX, ignore_errors=True)
                self.sosie("index", "info", "i0", "--plan", "plan.json")
                self.sosie("index", "merge", INDEX, "i0", "i1", "i2")
                rows = [row for i in range(3)
                        for row in (*self.rows[100 * i:100 * i + 100], self.rows[300 + i])]
                self.write("now.jsonl", jsonl(rows))
                named = options[:2] if "--id" in options else ()
                self.assertEqual(self.answers("asked.jsonl", INDEX, *named),
                                 self.answers("asked.jsonl", "now.jsonl", *named))
                self.sosie("index", "check", INDEX)
                self.add(self.rows[310:320])
                self.assertIn(b"items         313\n", self.sosie("index", "info", INDEX).out)
                for i in range(3):
                    shutil.rmtree(self.dir / f"i{i}")

    def test_indexes_that_cannot_be_merged(self):
        self.build("--bands", "20x4", index="a")
        self.build("--bands", "20x5", index="b")
        self.fails(2, "index", "merge", INDEX, "a", "b", says='"?bands"?|"?rows"?')
        self.fails(3, "index", "merge", INDEX, "a", "a", says="id 'd.*' is in two of the indexes")
        self.assertFalse(os.listdir(self.dir / INDEX) if (self.dir / INDEX).exists() else [])

    def test_many_items_become_runs(self):
        rows = [{"id": i, "text": f"{i} {i * 7919} {i * 104729} common words of every row"}
                for i in range(9000)]
        self.write("many.jsonl", jsonl(rows[:4000]))
        self.build(data="many.jsonl")
        for start in range(4000, 9000, 1000):
            self.add(rows[start:start + 1000])
        self.write("asked.jsonl", jsonl(rows[::500]))
        self.expect_rows(rows)
        self.remove([str(i) for i in range(0, 9000, 3)])
        self.expect_rows([row for row in rows if row["id"] % 3 > 0])


class Dedup(IndexTest):
    """`dedup --against INDEX` equals dedup against a file with the index's rows."""

    def dedup(self, against: str, *args: str) -> tuple[bytes, list[list]]:
        self.sosie("dedup", "asked.jsonl", "--against", against, "-o", "kept.jsonl", "--removed",
                   "removed.tsv", "--removed-rows", "gone.jsonl", *args)
        removed = [list(row.values())[:7] for row in self.table("removed.tsv")]
        return self.read("kept.jsonl") + b"|" + self.read("gone.jsonl"), removed

    def test_rows_like_items_go_and_others_once(self):
        self.write("asked.jsonl", [{"id": f"n{i}", "text": row["text"]}
                                   for i, row in enumerate(self.rows[250:])])
        for keep in ("yes", "no"):
            self.build("--keep-items", keep)
            plain = self.dedup("data.jsonl", *self.options, "--plan", "plan.json")
            self.assertGreater(len(plain[1]), 40)
            for args in (("--threads", "1"), ("--threads", "3")):
                self.assertEqual(self.dedup(INDEX, *args), plain)
        self.assertEqual({row["kept_file"] for row in self.table("removed.tsv")},
                         {INDEX, "asked.jsonl"})

    def test_what_is_kept_is_added_when_it_is_written(self):
        self.write("asked.jsonl", [{"id": f"n{i}", "text": row["text"]}
                                   for i, row in enumerate(self.rows[250:])])
        for keep in ("yes", "no"):
            self.build("--keep-items", keep)
            plain = self.dedup(INDEX)
            self.assertEqual(self.dedup(INDEX, "--add"), plain)
            kept = plain[0].partition(b"|")[0]
            self.write("now.jsonl", self.read("data.jsonl") + kept)
            self.assertEqual(self.answers(), self.answers(data="now.jsonl"))
            again = self.dedup(INDEX, "--add")[0].partition(b"|")[0]
            self.assertLess(again.count(b"\n"), 10)
            self.assertTrue(all(len(json.loads(line)["text"].split()) < 5
                                for line in again.splitlines()), again)  # no shingle: like nothing
            self.sosie("index", "check", INDEX)

    def test_ids_that_are_there_and_other_options(self):
        self.build()
        self.write("asked.jsonl", [{"id": "d3", "text": "nothing like it is there at all, really"}])
        before = self.answers()
        info = self.sosie("index", "info", INDEX).out
        self.fails(2, "dedup", "asked.jsonl", "--against", INDEX, "--add", "--dry-run",
                   says="--add: cannot be combined with --dry-run")
        self.assertEqual(self.sosie("index", "info", INDEX).out, info)
        self.fails(3, "dedup", "asked.jsonl", "--against", INDEX, "--add", "-o", "kept.jsonl",
                   says="id 'd3' is already in words.index")
        self.assertNotIn("kept.jsonl", self.names())
        self.assertEqual(self.answers(), before)
        for args in (("--keep", "longest"), ("--clustering", "components")):
            self.fails(2, "dedup", "asked.jsonl", "--against", INDEX, *args,
                       says=f"{args[0]}.* cannot be combined with an index")


class Stops(IndexTest):
    """A call that is stopped at any moment takes effect either completely or not at all, and can be
    repeated."""
    place = IN_MEMORY
    loads: dict = {}

    def environment(self) -> dict:
        return super().environment() | self.loads

    def setUp(self):
        super().setUp()
        self.rows = self.rows[:60]
        self.write("data.jsonl", self.rows[:40])
        self.write("more.jsonl", self.rows[40:])
        self.write("gone.txt", "d3\nd39\n")
        self.asked = self.rows
        self.write("asked.jsonl", self.rows)
        self.build("--bands", "20x4")
        shutil.copytree(self.dir / INDEX, self.dir / "saved")

    def restore(self) -> None:
        shutil.rmtree(self.dir / INDEX, ignore_errors=True)
        shutil.copytree(self.dir / "saved", self.dir / INDEX)

    def state(self) -> bytes:
        lines = self.sosie("query", INDEX, "asked.jsonl", code=None).out
        self.sosie("index", "check", INDEX)
        return lines

    CALLS = (("build", "new.index", "more.jsonl", "--bands", "20x4", "--threshold", "0.5"),
             ("add", INDEX, "more.jsonl", "--skip-existing"),
             ("remove", INDEX, "--ids", "gone.txt"),
             ("compact", INDEX),
             ("merge", "new.index", INDEX))

    def prepare(self, call: tuple) -> None:
        self.restore()
        shutil.rmtree(self.dir / "new.index", ignore_errors=True)
        if call[0] == "compact":
            self.sosie("index", *self.CALLS[1])

    def repeat(self, call: tuple, done: bytes, before: bytes, what) -> None:
        """Checks the index after a call that was stopped."""
        made = call[1] == "new.index"
        if not made or (self.dir / "new.index" / "MANIFEST").exists():
            shutil.copytree(self.dir / call[1], self.dir / "copy")
            self.assertIn(self.state_of(call[1]), (before, done), what)
            shutil.rmtree(self.dir / "copy")
        code = None if made else 0
        result = self.sosie("index", *call, code=code)
        self.assertIn(result.code, (0, 2), what)
        self.assertEqual(self.state_of(call[1]), done, what)

    def state_of(self, index: str) -> bytes:
        self.sosie("index", "check", index)
        return self.sosie("query", index, "asked.jsonl", code=None).out

    def moments(self, count: int) -> list[int]:
        return sorted({1 + i * (count - 1) // (STOPS - 1) for i in range(STOPS)})

    def each_call(self):
        for call in self.CALLS:
            self.prepare(call)
            before = self.state_of(INDEX)
            self.sosie("index", *call)
            done = self.state_of(call[1])
            with self.subTest(call=call):
                yield call, before, done

    def test_kills(self):
        rng = random.Random(4)
        for call, before, done in self.each_call():
            for _ in range(STOPS // 2):
                self.prepare(call)
                process = self.start("index", *call)
                time.sleep(rng.uniform(0, .02))
                process.kill()
                process.communicate()
                self.assertIn(process.returncode, (0, -signal.SIGKILL))
                self.repeat(call, done, before, call)

    @unittest.skipIf(SANITIZED, "sanitizers want to be loaded first")
    @unittest.skipUnless(os.path.exists(POWER), "SOSIE_POWER names no library")
    def test_loss_of_power(self):
        for call, before, done in self.each_call():
            self.prepare(call)
            self.loads = {"LD_PRELOAD": POWER, "SOSIE_POWER_LOSS_COUNT": "count"}
            self.sosie("index", *call, "--threads", "1")
            calls = int(self.read("count"))
            for number in self.moments(calls + 1):
                self.loads = {}
                self.prepare(call)
                self.loads = {"LD_PRELOAD": POWER, "SOSIE_POWER_LOSS": str(number)}
                result = self.sosie("index", *call, "--threads", "1", code=None)
                self.assertIn(result.code, (0, -signal.SIGKILL), (number, result.err))
                self.loads = {}
                if number > calls:  # it had returned
                    self.assertEqual(self.state_of(call[1]), done, number)
                self.repeat(call, done, before, number)

    @unittest.skipIf(SANITIZED, "sanitizers want to be loaded first")
    @unittest.skipUnless(os.path.exists(FAULTS), "SOSIE_FAULTS names no library")
    def test_full_and_broken_disks(self):
        for call, before, done in self.each_call():
            self.prepare(call)
            self.loads = {"LD_PRELOAD": FAULTS, "SOSIE_FAULT_COUNTS": "counts"}
            self.sosie("index", *call)
            counts = dict(line.split() for line in self.read("counts").decode().splitlines())
            for fault, error in (("write", "ENOSPC"), ("fsync", "EIO"), ("rename", "EIO"),
                                 ("pread", "EIO")):
                if int(counts.get(fault, 0)) == 0:
                    continue
                for number in self.moments(int(counts[fault])):
                    self.loads = {}
                    self.prepare(call)
                    self.loads = {"LD_PRELOAD": FAULTS, "SOSIE_FAULT": f"{fault}:{number}:{error}"}
                    result = self.sosie("index", *call, code=None)
                    self.assertIn(result.code, (0, 4), (fault, number, result.err))
                    self.loads = {}
                    self.repeat(call, done, before, (fault, number))


if __name__ == "__main__":
    unittest.main()

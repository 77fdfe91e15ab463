"""Disks that are full or fail at any moment of a run: the message says what failed and where, and
nothing is left behind, neither under a final name nor in scratch. tests/faults injects the
faults."""
# slow: more than 5 s in a release build, so `make sanitize` leaves it to `make sanitize-all`

import os
import unittest

import corpus
from support import IN_MEMORY, SANITIZED, SosieTest, size_of

FAULTS = os.environ.get("SOSIE_FAULTS", "")
MOMENTS = size_of(50, 12)
SIDES = ("--removed", "r.tsv", "--clusters", "c.tsv", "--pairs", "p.tsv", "--stats", "s.json",
         "--report", "r.html")


@unittest.skipUnless(os.path.exists(FAULTS), "SOSIE_FAULTS names no library")
@unittest.skipIf(SANITIZED, "sanitizers want to be loaded first")
class Disturbed(SosieTest):
    """Runs of one command, in each of which a different call fails."""
    place = IN_MEMORY

    def setUp(self):
        super().setUp()
        self.fault = {}
        self.write("in.jsonl", corpus.planted_pairs(81, 700, 60))

    def environment(self) -> dict:
        return super().environment() | {"LD_PRELOAD": FAULTS} | self.fault

    def run_once(self, memory: str, code: int | None = 0):
        raise NotImplementedError

    def counts(self, memory: str) -> dict[str, int]:
        """Number of calls of each kind in an undisturbed run."""
        before = self.names()
        self.fault = {"SOSIE_FAULT_COUNTS": "counts"}
        self.run_once(memory)
        lines = self.read("counts").decode().split("\n")[:-1]
        for name in self.names() - before:
            (self.dir / name).unlink()
        return {name: int(count) for name, count in map(str.split, lines)}

    def disturb(self, memory: str, call: str, error: str, says: str) -> None:
        before = self.names()
        count = self.counts(memory)[call]
        for number in sorted({1 + i * (count - 1) // (MOMENTS - 1) for i in range(MOMENTS)}):
            self.fault = {"SOSIE_FAULT": f"{call}:{number}:{error}"}
            result = self.run_once(memory, code=4)
            lines = result.error_lines()
            self.assertRegex(lines[0], rf"^sosie: \S+: {says}$", (call, number))
            self.assertLessEqual(len(lines), 2)
            self.assertEqual(list(self.scratch.iterdir()), [], (call, number))
            self.assertFalse([name for name in self.names() if name.startswith(".")], number)
            if call != "rename":
                self.assertEqual(self.names(), before, (call, number))


class Dedup(Disturbed):
    def run_once(self, memory: str, code: int | None = 0):
        return self.sosie("dedup", "in.jsonl", "-o", "out.jsonl", *SIDES, "--memory", memory,
                          "--threads", "1", code=code)

    def test_disk_full(self):
        self.disturb("9G", "write", "ENOSPC", "No space left on device")

    def test_disk_full_with_rows_in_scratch(self):
        self.disturb("1M", "write", "ENOSPC", "No space left on device")

    def test_disk_broken(self):
        self.disturb("9G", "pread", "EIO", "Input/output error")

    def test_disk_broken_with_rows_in_scratch(self):
        self.disturb("1M", "pread", "EIO", "Input/output error")

    def test_names_that_cannot_be_given(self):
        self.disturb("9G", "rename", "EIO", "Input/output error")

    def test_short_and_interrupted_calls_change_nothing(self):
        for memory in ("9G", "1M"):
            outcomes = []
            for fault in ({}, {"SOSIE_FAULT": "short"}):
                self.fault = fault
                self.run_once(memory)
                outcomes.append([self.read(name) for name in ("out.jsonl", "r.tsv", "c.tsv",
                                                              "p.tsv")])
            self.assertEqual(*outcomes)


class Sketch(Disturbed):
    SKETCH = ("sketch", "in.jsonl", "--plan", "plan.json", "--threads", "1", "-o", "a.sketches")

    def setUp(self):
        super().setUp()
        self.sosie("plan", "in.jsonl", "-o", "plan.json")

    def run_once(self, memory: str, code: int | None = 0):
        return self.sosie(*self.SKETCH, "--memory", memory, code=code)

    def test_disk_full(self):
        self.disturb("9G", "write", "ENOSPC", "No space left on device")

    def test_disk_broken(self):
        self.disturb("9G", "pread", "EIO", "Input/output error")

    def test_names_that_cannot_be_given(self):
        self.disturb("9G", "rename", "EIO", "Input/output error")


class Sketched(Disturbed):
    def setUp(self):
        super().setUp()
        self.sosie("plan", "in.jsonl", "-o", "plan.json")
        self.sosie(*Sketch.SKETCH)

    def run_once(self, memory: str, code: int | None = 0):
        return self.sosie("dedup", "--reuse", "a.sketches", "-o", "out.jsonl", *SIDES, "--memory",
                          memory, "--threads", "1", code=code)

    def test_disk_broken_with_rows_in_scratch(self):
        self.disturb("1M", "pread", "EIO", "Input/output error")


if __name__ == "__main__":
    unittest.main()

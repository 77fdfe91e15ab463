"""Disks that are full or broken, at any moment of a run: what failed and where is said, and nothing
is left, neither under a final name nor in scratch. The faults are made by tests/faults."""

import os
import unittest

import corpus
from support import IN_MEMORY, SANITIZED, SosieTest

FAULTS = os.environ.get("SOSIE_FAULTS", "")
MOMENTS = 50
SIDES = ("--removed", "r.tsv", "--clusters", "c.tsv", "--pairs", "p.tsv", "--stats", "s.json",
         "--report", "r.html")


@unittest.skipUnless(os.path.exists(FAULTS), "SOSIE_FAULTS names no library")
@unittest.skipIf(SANITIZED, "sanitizers want to be loaded first")
class Faults(SosieTest):
    place = IN_MEMORY

    def setUp(self):
        super().setUp()
        self.write("in.jsonl", corpus.planted_pairs(81, 700, 60))
        self.fault = {}

    def environment(self) -> dict:
        return super().environment() | {"LD_PRELOAD": FAULTS} | self.fault

    def dedup(self, memory: str, code: int | None = 0):
        return self.sosie("dedup", "in.jsonl", "-o", "out.jsonl", *SIDES, "--memory", memory,
                          "--threads", "1",
                          code=code)

    def counts(self, memory: str) -> dict[str, int]:
        """How many calls of each kind a run makes that nothing disturbs."""
        self.fault = {"SOSIE_FAULT_COUNTS": "counts"}
        self.dedup(memory)
        lines = self.read("counts").decode().split("\n")[:-1]
        for name in self.names() - {"in.jsonl"}:
            (self.dir / name).unlink()
        return {name: int(count) for name, count in map(str.split, lines)}

    def disturb(self, memory: str, call: str, error: str, says: str) -> None:
        count = self.counts(memory)[call]
        for number in sorted({1 + i * (count - 1) // (MOMENTS - 1) for i in range(MOMENTS)}):
            self.fault = {"SOSIE_FAULT": f"{call}:{number}:{error}"}
            result = self.dedup(memory, code=4)
            lines = result.error_lines()
            self.assertRegex(lines[0], rf"^sosie: \S+: {says}$", (call, number))
            self.assertLessEqual(len(lines), 2)
            self.assertEqual(list(self.scratch.iterdir()), [], (call, number))
            self.assertFalse([name for name in self.names() if name.startswith(".")], number)
            if call != "rename":
                self.assertEqual(self.names(), {"in.jsonl"}, (call, number))

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
                self.dedup(memory)
                outcomes.append([self.read(name) for name in ("out.jsonl", "r.tsv", "c.tsv",
                                                              "p.tsv")])
            self.assertEqual(*outcomes)


if __name__ == "__main__":
    unittest.main()

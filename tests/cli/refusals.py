"""Assertions for tests of runs that cannot do what was requested.

Such a run ends with the exit code in CLI.md and a single line that names file, line and reason (and
possibly one line of advice). It leaves everything unchanged: no output under its name, no temporary
file, no scratch.
"""

import ctypes
import os

from support import SosieTest

LIBC = ctypes.CDLL(None, use_errno=True)


def obey_permissions():
    """Removes the capability to read and write every file from a child that runs as root."""
    drop_from_bounding_set, override, read_search = 24, 1, 2  # linux/prctl.h, linux/capability.h
    for capability in (override, read_search):
        if LIBC.prctl(drop_from_bounding_set, capability, 0, 0, 0) != 0 and os.geteuid() == 0:
            raise OSError(ctypes.get_errno(), "prctl")


class RefusalTest(SosieTest):
    """Assertions shared by all these tests."""

    OUTPUTS = ("-o", "out", "--removed", "r.tsv", "--clusters", "c.csv", "--pairs", "p.jsonl",
               "--stats", "s.json", "--rejects", "bad.tsv", "--report", "page.html")

    def everything(self) -> dict:
        """Returns all files, including hidden ones, with everything that would reveal a change, and
        all folders."""
        found = {}
        for path in self.dir.rglob("*"):
            status = path.lstat()
            found[str(path.relative_to(self.dir))] = "special" if not path.is_file() else (
                status.st_ino, status.st_size, status.st_mtime_ns)
        return found

    def refuses(self, code: int, *args: str, says: str, hints: str = "", **options) -> str:
        """Checks that the run fails with `code` and one line, and leaves everything unchanged.
        Returns stderr."""
        before = self.everything()
        result = self.fails(code, *args, says=says, hints=hints, **options)
        for advice in result.error_lines()[1:]:
            self.assertRegex(advice, r"^  \S")
        self.assertEqual(result.out, b"")
        self.assertEqual(self.everything(), before)
        self.assertEqual(list(self.scratch.iterdir()), [])
        return result.err

    def refuses_input(self, code: int, *inputs: str, says: str, **options) -> str:
        """Like refuses(), for a `dedup` with every possible output."""
        return self.refuses(code, "dedup", *inputs, *self.OUTPUTS, says=says, **options)

    def adds_up(self, *args: str, **options) -> bytes:
        """Runs `dedup`, checks that no row was lost, and returns the kept rows."""
        kept = self.kept(*args, "--removed", "gone.tsv", "--rejects", "bad.jsonl", "--stats",
                         "stats.json", **options)
        stats = self.stats()
        self.assertEqual(stats.kept + stats.removed + stats.skipped, stats.read)
        self.assertEqual(len(self.table("gone.tsv")), stats.removed)
        listed = stats.skipped + stats.tree["unmatched"]
        if "skip" not in args:  # otherwise rows that are not in their encoding are left out
            listed += stats.tree["ill_formed"]
        self.assertEqual(len(self.table("bad.jsonl")), listed)
        return kept

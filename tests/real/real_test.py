"""Runs each verb on realistic corpora, and checks what must hold for any run.

SOSIE_BIN names the program. By default, a few megabytes of each corpus are used; SOSIE_TESTS=whole
uses 20.
"""

from __future__ import annotations

import json
import shutil
import sys
import tempfile
import unittest
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "cli")]

import corpora  # noqa: E402
from support import TESTS, SosieTest, unpack  # noqa: E402

MEGABYTES = 20 if TESTS == "whole" else 1.5
DOCUMENTED = (0, 1, 2, 3, 4)  # exit codes


def lines_of(folder: Path) -> list[bytes]:
    """Lines of the input files of a corpus, in the order in which they are read."""
    def is_input(path: Path) -> bool:
        parts = path.relative_to(folder).parts
        return path.is_file() and not any(
            part.startswith((".", "_")) or part.endswith("~") for part in parts)

    lines: list[bytes] = []
    for path in sorted(filter(is_input, folder.rglob("*")),
                       key=lambda path: str(path.relative_to(folder)).encode()):
        data = unpack(path.name, path.read_bytes())
        lines += data.removeprefix(b"\xEF\xBB\xBF").splitlines(True)
    return lines


class RealCorpora(SosieTest):
    @classmethod
    def setUpClass(cls):
        cls.made = Path(tempfile.mkdtemp(prefix="real-corpora-"))
        cls.corpora = [make(cls.made / make.__name__, int(MEGABYTES * 1e6))
                       for make in corpora.MAKERS]

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.made)

    def each(self, check) -> None:
        """Calls check(folder, options, corpus) for each corpus, and for each kind that its rows can have."""
        for corpus in self.corpora:
            for kind in corpus.kinds:
                with self.subTest(corpus=corpus.name, kind=kind):
                    options = list(corpus.options)
                    if kind != "text":
                        options += ["--kind", kind]
                    if kind == "strings" and "--within" not in options:
                        options += ["--within", "1"]
                    check(str(corpus.folder), options, corpus)

    def run_quietly(self, *words: str, code: int | None = 0):
        return self.sosie(*words, "-q", code=code, timeout=600)

    def test_kept_rows_are_input_rows_byte_for_byte_and_none_is_lost(self):
        def check(folder, options, corpus):
            self.run_quietly("dedup", folder, *options, "-o", "kept", "--stats", "stats.json")
            stats = json.loads(self.read("stats.json"))
            self.assertEqual(stats["rows"], corpus.rows)
            self.assertEqual(stats["kept"] + stats["removed"] + stats["skipped"], stats["rows"])
            kept = self.read("kept").removeprefix(b"\xEF\xBB\xBF").splitlines(True)
            there = iter(lines_of(corpus.folder))
            for line in kept:  # in the order of the input; its last row may get a line end
                self.assertTrue(any(line in (other, other + b"\n") for other in there), line[:200])

        self.each(check)

    def test_removed_rows_name_kept_ones(self):
        def check(folder, options, _):
            self.run_quietly("dedup", folder, *options, "--dry-run", "--removed", "removed.tsv",
                             "--stats", "stats.json")
            removed = self.table("removed.tsv")
            self.assertEqual(len(removed), json.loads(self.read("stats.json"))["removed"])
            gone = {(row["file"], row["row"]) for row in removed}
            self.assertFalse(gone & {(row["kept_file"], row["kept_row"]) for row in removed})

        self.each(check)

    def test_threads_and_memory_change_nothing(self):
        def check(folder, options, _):
            outputs = set()
            for more in (["--threads", "1"], ["--threads", "7", "--memory", "256M"]):
                self.run_quietly("dedup", folder, *options, *more, "-o", "kept", "--removed",
                                 "removed.tsv")
                self.run_quietly("pairs", folder, *options, *more, "-o", "pairs.tsv")
                outputs.add(self.read("kept") + self.read("removed.tsv") + self.read("pairs.tsv"))
            self.assertEqual(len(outputs), 1)

        self.each(check)

    def test_other_verbs_end_as_documented_and_leave_whole_outputs(self):
        def check(folder, options, _):
            for command in (["plan"], ["query", "{}", "-o", "hits.tsv", "--limit", "100000000"],
                            ["index", "build", "x.index"], ["dedup", "--save", "run", "-o", "k"],
                            ["dedup", "--checkpoint", "done", "-o", "k"]):
                for name in ("x.index", "run", "done"):
                    shutil.rmtree(self.dir / name, ignore_errors=True)
                words = [word.format(folder) for word in command]
                result = self.run_quietly(*words, folder, *options, code=None)
                self.assertIn(result.code, DOCUMENTED, (command, result.err))
                if result.code > 1:
                    self.assertRegex(result.err, r"^sosie: ", command)
                self.assertEqual([name for name in self.names() if ".sosie-" in name], [], command)

        self.each(check)


if __name__ == "__main__":
    unittest.main()

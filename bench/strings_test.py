#!/usr/bin/env python3
"""Runs strings.py on a few names, without peers or network. SOSIE_BIN names the program."""

import argparse
import contextlib
import io
import itertools
import os
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

import corpora  # noqa: E402
import string_files  # noqa: E402
import strings  # noqa: E402
import tables  # noqa: E402

SCRATCH = tempfile.TemporaryDirectory(prefix="bench-strings-")
corpora.WORK = Path(SCRATCH.name)  # so nothing is left in the build tree


def edit_distance(left: str, right: str) -> int:
    row = list(range(len(right) + 1))
    for i, x in enumerate(left):
        above, row[0] = row[0], i + 1
        for j, y in enumerate(right):
            above, row[j + 1] = row[j + 1], min(above + (x != y), row[j] + 1, row[j + 1] + 1)
    return row[-1]


@unittest.skipUnless(os.environ.get("SOSIE_BIN"), "SOSIE_BIN names no program")
class Strings(unittest.TestCase):
    program = Path(os.environ.get("SOSIE_BIN", "")).resolve()
    options = argparse.Namespace(rounds=1, only="names", lines=300, growth=(100, 300), many=400)

    def rows(self, part: str) -> list[dict]:
        with contextlib.redirect_stderr(io.StringIO()):
            return strings.PARTS[part](self.program, self.options)

    def test_joins_count_the_pairs_of_the_definition(self):
        names = string_files.string_file("names:300").read_text().splitlines()
        distances = [edit_distance(*pair) for pair in itertools.combinations(names, 2)]
        rows = self.rows("joins")
        self.assertEqual([(row["within"], row["lines"], row["sosie"]["pairs"]) for row in rows],
                         [(within, 300, sum(one <= int(within) for one in distances))
                          for within in "12"])
        self.assertIn("| names | 300 | 1 |",
                      tables.TABLES["string_joins"]({"rows": rows}, False)[2])

    def test_scale_compares_runs_over_the_same_names(self):
        rows = self.rows("scale")
        self.assertEqual([(row["what"], row["lines"]) for row in rows],
                         [("growth", 100), ("growth", 300)] * 2 + [("memory", 300)] * 2
                         + [("threads", 300)] * 2 + [("many", 400)])
        table = tables.TABLES["string_scale"]({"rows": rows}, False)
        self.assertIn("times as fast |", table[-4])

    def test_tables_say_whether_other_work_ran(self):
        run = {"pairs": 5, "cpu_seconds_range": [1, 1], "cpu_seconds": 1, "rounds": 1, "peak_mb": 9}
        for seconds, said in ((1.05, "These runs waited 5 %"), (4, "Other work ran on the machine")):
            rows = [{"strings": "names", "lines": 9, "within": "1", "goal": 1,
                     "sosie": run | {"seconds": seconds}}]
            self.assertIn(said, tables.TABLES["string_joins"]({"rows": rows}, False)[-1])

    def test_peers_that_find_other_pairs_are_told(self):
        sosie = {"of_first": 3, "pairs": 5}
        strings.check_peers("names", {"sosie": sosie, "cdist": {"of_first": 3}})
        for wrong in ({"cdist": {"of_first": 2}},
                      {"cdist": {"of_first": 3}, "symspell": {"pairs": 6}}):
            with self.assertRaises(SystemExit):
                strings.check_peers("names", {"sosie": sosie} | wrong)


if __name__ == "__main__":
    unittest.main()

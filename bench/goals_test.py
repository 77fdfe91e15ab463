#!/usr/bin/env python3
"""Tests of the table of goals, and of some of its rows at a small size; SOSIE_BIN names the
program.
"""

import contextlib
import io
import json
import sys
import tempfile
import unittest
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

import corpora  # noqa: E402
import goal_rows  # noqa: E402
import goal_suites  # noqa: E402
import goals  # noqa: E402

SCRATCH = tempfile.TemporaryDirectory(prefix="goals-test-")
corpora.WORK = Path(SCRATCH.name)
IN_LITTLE = ["dedup-large", "threads", "verified-pair", "memory-short", "one-row", "tanimoto",
             "recall", "precision", "cosine-million"]


class Goals(unittest.TestCase):
    def test_each_row_has_a_measure_and_each_measure_a_row(self):
        table = goals.read_table()
        self.assertEqual({row["measure"] for row in table.values()}, set(goals.MEASURES))
        for name, row in table.items():
            for case in row.get("cases", [name]):
                bound = goals.bound_of(row, case)
                self.assertTrue(bound.met(bound.goal, bound.gate), name)

    def test_value_is_graded(self):
        more, less = goals.Bound(1.6, 1.85, False), goals.Bound(5, 2, True)
        self.assertEqual([more.grade(value) for value in (1.59, 1.6, 1.85)],
                         ["missed", "gate", "goal"])
        self.assertEqual([less.grade(value) for value in (5.1, 5, 2)], ["missed", "gate", "goal"])

    def test_row_without_its_peer_is_missed(self):
        def row(bench):
            raise goal_rows.NotMeasured("no peer")
        goals.MEASURES["none"] = row
        self.addCleanup(goals.MEASURES.pop, "none")
        found = goals.measured({"measure": "none", "gate": 1, "goal": 1}, None)
        self.assertEqual(found["not_measured"], "no peer")
        self.assertFalse(goals.is_met(found))

    def test_measured_row_is_of_one_program_and_cpu(self):
        here = {"sosie_sha256": "a", "cpu": {"model": "b"}}
        folder = corpora.WORK / "store"
        goals.Store(folder, here).put("row", {"cases": []})
        self.assertEqual(goals.Store(folder, here).get("row"), {"cases": []})
        self.assertIsNone(goals.Store(folder, here).get("other"))
        self.assertIsNone(goals.Store(folder, here | {"sosie_sha256": "c"}).get("row"))

    def test_best_rate_is_one_of_those_that_reach_the_recall(self):
        rows = [{"tool": "hnswlib", "recall": recall, "batched_per_s": rate}
                for recall, rate in ((.9, 9.0), (.96, 3.0), (.99, 1.0))]
        self.assertEqual(goal_suites.rate_at(rows, "hnswlib", .95, "batched_per_s"), 3.0)
        self.assertIsNone(goal_suites.rate_at(rows, "hnswlib", 1, "batched_per_s"))

    def test_rows_in_little(self):
        results = corpora.WORK / "results"
        arguments = ["--small", "--only", ",".join(IN_LITTLE), "--results", str(results)]
        with contextlib.redirect_stdout(io.StringIO()) as said, \
                contextlib.redirect_stderr(io.StringIO()):
            self.assertEqual(goals.main(arguments), 0)
            began = (corpora.WORK / "goals-small/recall.json").stat().st_mtime_ns
            self.assertEqual(goals.main(arguments), 0)
        self.assertEqual((corpora.WORK / "goals-small/recall.json").stat().st_mtime_ns, began)
        rows = {row["row"]: row for row in json.loads((results / "goals.json").read_text())["rows"]}
        self.assertEqual(list(rows), IN_LITTLE)
        for name in IN_LITTLE[:-1]:
            self.assertTrue(rows[name].get("cases"), f"{name}: {rows[name]}")
        self.assertEqual(rows["precision"]["cases"][0]["value"], 1)
        self.assertGreaterEqual(rows["recall"]["cases"][0]["value"], .99)
        self.assertEqual(rows["cosine-million"]["not_measured"], "not in small")
        self.assertIn("not measured", said.getvalue())

    def test_unknown_row_is_refused(self):
        with self.assertRaisesRegex(SystemExit, "none of dedup-large, "):
            goals.main(["--only", "nothing"])


if __name__ == "__main__":
    unittest.main()

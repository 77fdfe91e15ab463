"""Files written by commit f8edc6d (tests/golden/f8edc6d): plan, sketches, checkpoint, pairs and
clusters. They are read with the same results as then, and are still written with the same bytes."""

import shutil
import unittest

from support import ROOT, SosieTest

EARLIER = ROOT / "tests" / "golden" / "f8edc6d"
MADE_WITH = ("--shingle", "words:2", "--threshold", "0.8")
NOTE = "does not record the --threshold it was made with"


class EarlierFiles(SosieTest):
    def setUp(self):
        super().setUp()
        shutil.copytree(EARLIER, self.dir, dirs_exist_ok=True)

    def keeps_what_it_kept(self, *args: str):
        result = self.sosie("dedup", *args, "-o", "kept-now.jsonl")
        self.assertEqual(self.read("kept-now.jsonl"), self.read("kept.jsonl"))
        return result

    def removes_what_it_removed(self, *args: str):
        result = self.keeps_what_it_kept(*args, "--removed", "removed-now.tsv", "--clusters",
                                         "clusters-now.tsv")
        for name in ("removed", "clusters"):
            self.assertEqual(self.read(f"{name}-now.tsv"), self.read(f"{name}.tsv"))
        return result

    def test_a_plan(self):
        self.removes_what_it_removed("in.jsonl", *MADE_WITH, "--plan", "plan.json")
        self.sosie("plan", "in.jsonl", *MADE_WITH, "--method", "lsh", "-o", "plan-now.json")
        now = self.read("plan-now.json")
        plan, comma, forecast = now.partition(b',\n  "forecast": {')  # earlier plans had none
        self.assertTrue(comma and forecast.endswith(b"  }\n}\n"), now)
        self.assertEqual(plan + b"\n}\n", self.read("plan.json"))

    def test_sketches(self):
        self.removes_what_it_removed(*MADE_WITH, "--reuse", "in.sketches")
        self.sosie("sketch", "in.jsonl", *MADE_WITH, "--plan", "plan.json", "-o", "now.sketches")
        self.assertEqual(self.read("now.sketches"), self.read("in.sketches"))

    def test_a_checkpoint(self):
        result = self.removes_what_it_removed("in.jsonl", *MADE_WITH, "--plan", "plan.json",
                                              "--checkpoint", "saved")
        self.assertIn("resuming from saved: 100 % of the input has already been read", result.err)

    def test_pairs(self):
        for name in ("pairs.tsv", "pairs.jsonl"):
            result = self.keeps_what_it_kept("in.jsonl", *MADE_WITH, "--reuse", name)
            self.assertIn(NOTE, result.err)
            result = self.sosie("cluster", name, "--threshold", "0.8", "-o", "clusters-now.tsv")
            self.assertIn(NOTE, result.err)
            self.assertEqual({row["id"] for row in self.table("clusters-now.tsv")},
                             {row["id"] for row in self.table("clusters.tsv")})
        self.sosie("pairs", "in.jsonl", *MADE_WITH, "--method", "exact", "-o", "pairs-now.tsv")
        self.assertEqual(self.read("pairs-now.tsv").split(b"\n", 1)[1], self.read("pairs.tsv"))

    def test_clusters(self):
        self.keeps_what_it_kept("in.jsonl", *MADE_WITH, "--reuse", "clusters.tsv")


if __name__ == "__main__":
    unittest.main()

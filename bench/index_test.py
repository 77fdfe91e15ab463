"""Runs bench/index.py on a small index of the sample. SOSIE_BIN names a program that can serve."""

import os
import tempfile
import unittest
from pathlib import Path

import corpora
import index
import tables

SERVER = index.SOSIE.parent / "libexec" / "sosie" / "sosie-server"
ITEMS = 300


@unittest.skipUnless(os.environ.get("SOSIE_BIN") and SERVER.exists(), "no program that can serve")
class Figures(unittest.TestCase):
    def test_every_figure_of_the_table_is_measured(self):
        with tempfile.TemporaryDirectory(prefix="bench-index-") as folder:
            corpora.WORK = Path(folder)
            index.Texts.corpus = "sample"
            index.CACHES = Path(folder) / "no folder" / "file"  # drops no other program's files from the cache
            index.ASKED, index.COLD, index.REPEATS = 40, 3, 1
            index.ADDED, index.BATCH, index.SINGLE = 400, 100, 5
            (Path(folder) / "index").mkdir()
            figures = index.IndexFigures(Path(folder) / "index", ITEMS).figures()
        self.assertEqual(figures["cold"], "fadvise")
        self.assertGreater(figures["hits"], index.ASKED / 8)  # half are copies, some similar enough
        self.assertGreater(figures["bytes_an_item"], figures["bytes_without_sets"])
        for line in tables.index({"rows": [figures]}, False)[2:]:
            self.assertRegex(line, r"^\| .+ \| [0-9.]+ \|$")


if __name__ == "__main__":
    unittest.main()

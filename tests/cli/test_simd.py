"""Every instruction set gives the same bytes."""

import re
import unittest
from pathlib import Path

import corpus
from support import SosieTest, documents

ROOT = Path(__file__).resolve().parents[2]


class Simd(SosieTest):
    def targets(self) -> list[str]:
        run = self.fails(2, "plan", "--simd", "no-such", says="--simd: 'no-such' is not auto or what")
        return re.search("can run: (.*)$", run.error_lines()[0]).group(1).split(", ")

    def test_same_bytes_on_every_target(self):
        targets = self.targets()
        self.assertGreaterEqual(len(targets), 1)
        mixed = self.write("mixed.jsonl", documents(corpus.texts(1, 300)))
        sample = str(ROOT / "samples/man-pages.jsonl")
        for source in (mixed, sample):
            for shingle in ("words:5", "chars:9"):
                words = (source, "--method", "lsh", "--shingle", shingle, "--threshold", "0.7",
                         "--quiet", "--pairs", "pairs.tsv", "--removed", "removed.tsv")
                expected = None
                for target in ("auto", *targets):
                    kept = self.kept(*words, "--simd", target)
                    found = (kept, self.read("pairs.tsv"), self.read("removed.tsv"))
                    expected = expected or found
                    self.assertEqual(found, expected, f"{target} {shingle}")
                self.assertGreater(len(expected[1].splitlines()), 20)


if __name__ == "__main__":
    unittest.main()

"""Exact pairs of real collections, as defined in FORMAT.md (`--tokens ascii`).

The repository's two samples are always checked, man-pages-versions only if SOSIE_DATA names the
folder of the data sets. `make check-data` checks everything.
"""

import gzip
import unittest
from fractions import Fraction
from pathlib import Path

from support import DATA, ROOT, SosieTest, needs_data, oracle, read_table

HALF_A_MILLIONTH = Fraction(1, 2 * 10**6) + Fraction(1, 10**9)  # truth files have nine decimals


def truth_of(path: Path, threshold: str) -> list[tuple[str, str, str]]:
    opened = gzip.open if path.suffix == ".gz" else open
    with opened(path, "rt", encoding="utf-8", newline="\n") as lines:
        rows = [tuple(line.rstrip("\n").split("\t")) for line in lines]
    return [row for row in rows if row[0] != "left" and Fraction(row[2]) >= Fraction(threshold)]


class Truth(SosieTest):
    def check(self, collection: Path, shingle: str, truth: Path, threshold: str):
        """Brute force reproduces the truth file: ids in the same order, values to six decimals."""
        self.sosie("pairs", str(collection), "--tokens", "ascii", "--method", "brute",
                   "--shingle", shingle, "--threshold", threshold, "-o", "pairs.tsv",
                   timeout=300)
        found = read_table(self.read("pairs.tsv"))
        expected = truth_of(truth, threshold)
        self.assertEqual([(row["left"], row["right"]) for row in found],
                         [row[:2] for row in expected])
        for row, (_, _, similarity) in zip(found, expected):
            self.assertLessEqual(abs(Fraction(row["similarity"]) - Fraction(similarity)),
                                 HALF_A_MILLIONTH, row)

    def test_ir_plag_equals_the_oracle(self):
        collection = ROOT / "tests" / "data" / "ir-plag.jsonl"
        rows = oracle.read_rows([(collection.name, collection.read_bytes())])
        for shingle in ("words:5", "chars:9"):
            sets = [oracle.shingles(row.text, shingle, "ascii") for row in rows]
            expected = [(rows[left], rows[right], similarity) for left, right, similarity
                        in oracle.similar_pairs_counted(sets, Fraction(1, 2))]
            out = self.sosie("pairs", str(collection), "--tokens", "ascii", "--method", "brute",
                             "--shingle", shingle, "--threshold", "0.5").out
            self.assert_pairs(out, expected)

    def test_ir_plag_equals_its_truth_files(self):
        folder = ROOT / "tests" / "data"
        for shingle, name in (("words:5", "word5"), ("chars:9", "char9")):
            for threshold in ("0.5", "0.8"):
                self.check(folder / "ir-plag.jsonl", shingle,
                           folder / f"ir-plag.pairs.{name}.tsv.gz", threshold)

    def test_the_sample_of_man_pages_equals_its_truth_file(self):
        samples = ROOT / "samples"
        for shingle, name in (("words:5", "word5"), ("chars:9", "char9")):
            for threshold in ("0.5", "0.8"):
                self.check(samples / "man-pages.jsonl", shingle,
                           samples / f"man-pages.pairs.{name}.tsv", threshold)

    @needs_data("man-pages-versions")
    def test_man_pages_of_four_versions_equal_their_truth_file(self):
        folder = DATA / "man-pages-versions"
        self.check(self.unpacked(folder / "man-pages-versions.jsonl.gz"), "words:5",
                   folder / "pairs.word5.ge050.tsv.gz", "0.5")

    def unpacked(self, path: Path) -> Path:
        return self.dir / self.write(path.stem, gzip.decompress(path.read_bytes()))


if __name__ == "__main__":
    unittest.main()

"""`sosie plan --index`: the cost of an index, before it is built."""

import random
import re
import unittest

import corpus
from support import SosieTest, jsonl

UNITS = {"B": 1, "kB": 1e3, "MB": 1e6, "GB": 1e9, "TB": 1e12}
ROW = re.compile(r"^ *([\d,]+) +([\d.]+) (\w+) +(.*) ([\d.,]+|all)$", re.M)


class PlannedIndex(SosieTest):
    def planned(self, *args: str) -> dict[int, tuple[float, list[str]]]:
        """By number of items: bytes on disk, and the other cells."""
        text = self.sosie("plan", *args, "--index").out.decode()
        self.assertIn("an index", text)
        self.assertLessEqual(max(len(row[0]) for row in ROW.finditer(text)), 80)
        found = {int(row[1].replace(",", "")): (float(row[2]) * UNITS[row[3]], row[4].split())
                 for row in ROW.finditer(text)}
        self.assertEqual(max(found), 10**10)
        return found

    def expect_bytes(self, rows: list[dict], *options: str, data: str = "rows.jsonl"):
        self.write(data, jsonl(rows))
        found = self.planned(data, *options)
        self.sosie("index", "build", "rows.index", data, *options)
        there = sum(path.stat().st_size for path in (self.dir / "rows.index").iterdir())
        self.assertAlmostEqual(found[len(rows)][0] / there, 1, delta=0.05)
        self.assertEqual([*found], sorted(found))
        sizes = [size for size, _ in found.values()]
        self.assertEqual(sizes, sorted(sizes))

    def test_texts(self):
        texts = corpus.texts(5, 20_000)
        self.expect_bytes([{"id": f"row{number:05}", "text": text}
                           for number, text in enumerate(texts)], "--method", "lsh")

    def test_bit_strings_by_blocks(self):
        draw = random.Random(1)
        self.expect_bytes([{"id": f"row{number:05}", "bits": f"{draw.getrandbits(64):016x}"}
                           for number in range(20_000)],
                          "--kind", "bits", "--column", "bits", "--within", "3")

    def test_strings_have_no_keys(self):
        draw = random.Random(2)
        rows = [{"id": f"row{number:05}", "text": f"name {draw.getrandbits(40):010x}"}
                for number in range(20_000)]
        self.expect_bytes(rows, "--kind", "strings", "--within", "2")
        cells = self.planned("rows.jsonl", "--kind", "strings", "--within", "2")[10**8][1]
        self.assertEqual(cells[3], "GB")  # building holds all strings in memory
        self.assertIn(b"reads all items",
                      self.sosie("plan", "rows.jsonl", "--kind", "strings", "--within", "2",
                                 "--index").out)

    def test_vectors(self):
        draw = random.Random(3)
        rows = [{"id": f"row{number:04}", "vector": [draw.gauss(0, 1) for _ in range(16)]}
                for number in range(4_000)]
        self.expect_bytes(rows, "--kind", "vectors", "--column", "vector", "--measure", "cosine",
                          "--threshold", "0.9", "--method", "lsh")

    def test_what_cannot_be_indexed_is_told(self):
        self.write("rows.jsonl", jsonl([{"text": "one two three"}]))
        self.fails(2, "plan", "--index", says="there are no items to extrapolate from")
        self.write("empty.jsonl", b"")
        self.fails(2, "plan", "empty.jsonl", "--index", says="there are no items to extrapolate from")
        self.fails(2, "plan", "-", "--format", "jsonl", "--kind", "strings", "--within", "2",
                   "--index", stdin=b'{"text": "one"}\n', says="stdin.* cannot be read twice")
        self.fails(2, "plan", "rows.jsonl", "--index", "--method", "exact",
                   says="an index of sets needs lsh")
        self.fails(2, "plan", "rows.jsonl", "--index", "--construct", "or4(and2)",
                   says="construct")


if __name__ == "__main__":
    unittest.main()

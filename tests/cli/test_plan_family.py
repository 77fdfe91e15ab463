"""`plan --family`: constructions of locality-sensitive families."""

import unittest

from support import SosieTest


class PlanFamily(SosieTest):
    def test_cascade_of_the_book(self):
        out = self.sosie("plan", "--family", "minhash", "--d1", ".2", "--d2", ".8",
                         "--construct", "and:4,or:4,or:4,and:4", "--svg", "curve.svg").out.decode()
        self.assertIn("(0.2, 0.8, 0.8000000, 0.2000000)-sensitive", out)
        self.assertIn("256 functions", out)
        self.assertIn("(0.2, 0.8, 0.9991285, 4.094e-07)-sensitive", out)
        self.assertTrue(self.read("curve.svg").startswith(b"<svg"))

    def test_every_family(self):
        for family in ("minhash", "bit-sampling", "hyperplane", "gaussian-segments",
                       "cauchy-segments", "grid-triples"):
            out = self.sosie("plan", "--family", family).out.decode()
            self.assertIn(f"{family}: (", out)
            self.assertIn("construction      none", out)

    def test_bands_are_a_construction(self):
        self.write("in.jsonl", [f"some words that are alike {number}" for number in range(40)])
        args = ("pairs", "in.jsonl", "--threshold", "0.2", "--shingle", "words:2")
        self.assertEqual(self.sosie(*args, "--construct", "and:2,or:30").out,
                         self.sosie(*args, "--bands", "30x2").out)
        self.fails(2, *args, "--construct", "and:2,or:600", says="at most 1024 rows in all bands")
        self.fails(2, *args, "--construct", "and:2,or:3", "--bands", "3x2", says="give only one")
        self.fails(2, *args, "--construct", "and:2,xor:3", says="is not a cascade")
        self.fails(2, *args, "--construct", "and:2,or:3", "--method", "brute",
                   says="--construct: does not apply")

    def test_bad_families(self):
        self.fails(2, "plan", "--family", "simhash", says="one of the families")
        self.fails(2, "plan", "--family", "minhash", "--d1", ".8", "--d2", ".2", says="less")
        self.fails(2, "plan", "--family", "hyperplane", "--d2", "200", says="at most 180")
        self.write("in.jsonl", ["one two"])
        self.fails(2, "plan", "--family", "hyperplane", "in.jsonl",
                   says="hashes by angle distance, which a text does not have")


if __name__ == "__main__":
    unittest.main()

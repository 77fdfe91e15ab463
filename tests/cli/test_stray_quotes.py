"""A stray CSV quote turns many lines into one row; every summary gives the number of lines."""

import json
import unittest

from support import SosieTest

LINES = 50


class StrayQuotes(SosieTest):
    def setUp(self):
        super().setUp()
        good = [f"{n},name of number {n} here,bonn {n % 7}" for n in range(LINES)]
        good[10] = '10,"a quote that nothing closes,bonn 3'
        self.write("rows.csv", "id,text,city\n" + "\n".join(good) + "\n")
        self.write("good.csv", "id,text,city\n" + "\n".join(good[:10]) + "\n")
        self.lines = f"({LINES - 10} lines; a stray quote can merge many rows into one)"

    def test_every_verb_says_how_many_lines_went_with_it(self):
        skip = ("--on-bad-row", "skip")
        self.sosie("dedup", "good.csv", "-o", "x.csv", "-q")
        for args in (("dedup", "rows.csv", "-o", "o.csv", "--stats", "s.json"),
                     ("pairs", "rows.csv", "-o", "p.tsv"),
                     ("query", "good.csv", "rows.csv", "-o", "q.tsv"),
                     ("pairs", "rows.csv", "--kind", "strings", "--within", "1", "-o", "t.tsv"),
                     ("link", "rows.csv", "-o", "l.csv"),
                     ("index", "build", "r.index", "rows.csv"),
                     ("index", "build", "t.index", "rows.csv", "--kind", "strings", "--within",
                      "1")):
            with self.subTest(args=args):
                result = self.sosie(*args, *skip, code=None)
                self.assertIn(result.code, (0, 1), result.err)
                self.assertIn(self.lines, result.err)
        stats = json.loads(self.read("s.json"))
        self.assertEqual(stats["skipped"], 1)
        self.assertEqual(stats["bad_lines"], LINES - 10)

    def test_rows_that_are_passed_through_and_sketches(self):
        result = self.sosie("dedup", "rows.csv", "-o", "o.csv", "--on-bad-row", "keep")
        self.assertIn("1 bad row passed through " + self.lines, result.err)
        self.sosie("plan", "good.csv", "-o", "p.json", "--method", "lsh")
        made = self.sosie("sketch", "rows.csv", "--plan", "p.json", "-o", "r.sketch",
                          "--on-bad-row", "skip")
        self.assertIn("1 bad row left out " + self.lines, made.err)
        again = self.sosie("dedup", "rows.csv", "--reuse", "r.sketch", "-o", "o2.csv")
        self.assertIn(self.lines, again.err)

    def test_bad_rows_of_one_line_are_only_counted(self):
        self.write("short.csv", "id,text\n1,a\nonly\n3,b\n")
        result = self.sosie("dedup", "short.csv", "--on-bad-row", "skip", "-o", "o.csv")
        self.assertIn("1 bad row left out\n", result.err)

    def test_a_broken_row_of_a_quoted_file_leads_to_its_delimiter(self):
        self.write("semi.csv", '"id";"text"\n"1";"a b"\n"2";"b" c"\n"3";"d"\n')
        self.fails(3, "dedup", "semi.csv", hints="--delimiter ';' splits the header into id, text")
        self.fails(3, "dedup", "semi.csv", "--delimiter", ";", says="semi.csv:3")


if __name__ == "__main__":
    unittest.main()

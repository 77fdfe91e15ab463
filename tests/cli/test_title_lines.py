"""Lines above the header in CSV and TSV: titles, and Excel's `sep=;`."""

import unittest

from support import SosieTest

HEADER = "id,text\n"
ROWS = "1,one two three\n2,four five six\n"


class TitleLines(SosieTest):
    def hint(self, name: str, content: str, *options: str) -> str:
        self.write(name, content)
        return self.sosie("dedup", name, *options, code=3).error_lines()[1]

    def test_a_title_above_the_header_is_told(self):
        for titles in ("Sales of 2024\n", "Sales of 2024,,\n", "Sales\n\nof 2024\n", 'A "title\n', "Sales, and others\n"):
            lines = titles.count("\n")
            hint = self.hint("in.csv", titles + HEADER + ROWS)
            self.assertEqual(hint, f"  line {lines + 1} looks like the header: --skip-lines {lines} "
                                   "skips the lines above it", titles)
            self.assertEqual(self.sosie("dedup", "in.csv", "--skip-lines", str(lines)).out.decode(),
                             titles + HEADER + ROWS)

    def test_link_notes_a_title(self):
        people = "nr;name;town;born\n1;anna berg;linz;1970\n2;otto kern;wien;1981\n3;anna berg;linz;1970\n"
        for title in ("Customers of 2024\n", "Customers of 2024;;;\n"):
            self.write("in.csv", title + people)
            err = self.sosie("link", "in.csv", "-o", "g.csv", "--overwrite").err
            self.assertIn("in.csv: line 2 looks like the header: --skip-lines 1 skips the lines above it", err)
            err = self.sosie("link", "in.csv", "-o", "g.csv", "--skip-lines", "1").err
            self.assertNotIn("looks like the header", err)
        self.write("names.csv", 'name\n"berg, anna"\n"kern, otto"\n')
        self.assertNotIn("looks like", self.sosie("link", "names.csv", "-o", "g.csv").err)

    def test_rows_that_do_not_fit_a_title_are_no_matter_of_quotes(self):
        self.write("in.csv", 'Customers of 2024\n\nnr;name;town\n1;"anna berg";linz\n2;"otto";wien\n')
        told = {"says": "in.csv:4: a quote inside a field",
                "hints": "line 3 looks like the header: --skip-lines 2 skips the lines above it$"}
        self.fails(3, "link", "in.csv", **told)
        self.sosie("link", "in.csv", "--skip-lines", "2", "-o", "g.csv")

    def test_whatever_separates_fields(self):
        for name, mark in (("in.csv", ";"), ("in.csv", "\t"), ("in.tsv", "\t")):
            hint = self.hint(name, "A title\n" + (HEADER + ROWS).replace(",", mark))
            self.assertIn("--skip-lines 1 ", hint)

    def test_other_fields_than_the_default_are_looked_for(self):
        content = "A title\nid,body\n1,one two\n"
        self.assertIn("line 2 looks like the header: --skip-lines 1 ", self.hint("in.csv", content, "--column", "body"))
        self.assertIn("line 2 looks like the header: --skip-lines 1 ", self.hint("in.csv", content))
        self.assertIn("--skip-lines 2 ", self.hint("in.csv", "First\n" + content, "--skip-lines", "1", "--column", "body"))

    def test_a_header_without_the_field_is_told_its_fields(self):
        self.assertIn("available fields: id, body", self.hint("in.csv", "id,body\n1,x\n2,y\n"))
        self.assertIn("available fields: body", self.hint("in.csv", "body\nx\ny\n"))

    def test_the_line_of_excel_is_no_line_to_skip(self):
        text = "sep=;\nA title\n" + (HEADER + ROWS).replace(",", ";")
        self.write("in.csv", text)
        self.assertEqual(self.sosie("dedup", "in.csv", "--skip-lines", "1").out.decode(), text)
        self.assertIn("line 3 looks like the header: --skip-lines 1 ", self.hint("in.csv", text))


if __name__ == "__main__":
    unittest.main()

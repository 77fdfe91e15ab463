"""`link --init` of two files whose headers have no name in common proposes pairs by contents."""

import unittest

from support import SosieTest
from test_link import as_csv, copies, people


class PairsByContents(SosieTest):
    def setUp(self):
        super().setUp()
        rows = people(57, 120)
        self.write("a.csv", as_csv([{"nr": row["id"], "name": row["surname"], "city": row["city"],
                                     "phone": row["phone"]} for row in rows]))
        self.write("b.csv", as_csv([{"key": row["id"], "Nachname": row["surname"],
                                     "Ort": row["city"], "Telefon": row["phone"]}
                                    for row in copies(58, rows, "c")]))
        self.against = ("a.csv", "--against", "b.csv", "--id", "nr", "--other-id", "key")

    def test_a_run_says_what_to_do(self):
        result = self.fails(2, "link", *self.against)
        self.assertIn("compare 'name' with 'Nachname', 'city' with 'Ort'", result.err)
        self.assertIn("--init writes rules that do", result.err)

    def test_the_proposed_rules_link(self):
        made = self.sosie("link", *self.against, "--init", "-o", "r.toml")
        self.assertRegex(made.err, r"field 'city' is compared with 'Ort': \d+ % of values in common")
        rules = self.read("r.toml").decode()
        self.assertIn('columns_right = ["Ort"]', rules)
        self.sosie("link", *self.against, "--rules", "r.toml", "-o", "l.csv")
        links = self.table("l.csv")
        right = [row for row in links if row["left"] == row["right"].lstrip("c")]
        self.assertGreater(len(right), 60)

    def test_columns_that_have_nothing_in_common_are_refused(self):
        self.write("c.csv", "key,town\nx1,zzz\nx2,yyy\n")
        self.fails(2, "link", "a.csv", "--against", "c.csv", "--init", says="no field in common",
                   hints="--rules can name columns_right")


if __name__ == "__main__":
    unittest.main()

"""`link --init` for two files whose headers have few names in common pairs columns by their
contents.
"""

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
        self.assertIn("--init -o RULES.toml writes rules that do", result.err)

    def test_the_proposed_rules_link(self):
        made = self.sosie("link", *self.against, "--init", "-o", "r.toml")
        self.assertRegex(made.err, r"field 'city' is compared with 'Ort': \d+ % of values in common")
        rules = self.read("r.toml").decode()
        self.assertIn('columns_right = ["Ort"]', rules)
        self.sosie("link", *self.against, "--rules", "r.toml", "-o", "l.csv")
        links = self.table("l.csv")
        right = [row for row in links if row["left"] == row["right"].lstrip("c")]
        self.assertGreater(len(right), 60)

    def test_one_name_in_common_does_not_keep_the_others_apart(self):
        for header in (b"Nachname", b"Ort", b"Telefon"):
            self.write("one.csv", self.read("b.csv").replace(header, {
                b"Nachname": b"name", b"Ort": b"city", b"Telefon": b"phone"}[header], 1))
            args = ("link", "a.csv", "--against", "one.csv", "--id", "nr", "--other-id", "key")
            made = self.sosie(*args, "--init", "-o", f"{header.decode()}.toml")
            rules = self.read(f"{header.decode()}.toml").decode()
            for column in {b"Nachname", b"Ort", b"Telefon"} - {header}:
                self.assertIn(f'columns_right = ["{column.decode()}"]', rules)
                self.assertRegex(made.err, rf"is compared with '{column.decode()}'")
            self.assertNotIn("the other collection does not have it", made.err)
            self.sosie(*args, "--rules", f"{header.decode()}.toml", "-o", "l.csv", "--overwrite")
            right = [row for row in self.table("l.csv") if row["left"] == row["right"].lstrip("c")]
            self.assertGreater(len(right), 60)

    def test_one_name_in_common_that_tells_nothing(self):
        for name in ("a.csv", "b.csv"):
            lines = self.read(name).decode().splitlines()
            self.write(name, "\n".join([lines[0] + ",source", *(line + "," + name for line in lines[1:])]) + "\n")
        self.sosie("link", *self.against, "--init", "-o", "r.toml")
        self.assertIn('columns_right = ["Nachname"]', self.read("r.toml").decode())

    def test_columns_that_have_nothing_in_common_are_refused(self):
        self.write("c.csv", "key,town\nx1,zzz\nx2,yyy\n")
        self.fails(2, "link", "a.csv", "--against", "c.csv", "--init", says="no field in common",
                   hints="--rules can name columns_right")


if __name__ == "__main__":
    unittest.main()

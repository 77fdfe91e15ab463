"""Options given several times in a command: lists are combined; other options accept only one
value."""

import unittest

from support import SosieTest


class OptionValues(SosieTest):
    def setUp(self):
        super().setUp()
        self.write("rows.csv", b"id,name,city,zip\n1,ann lee,bonn,1\n2,ann lee,bonn,1\n3,bo,ulm,2\n")

    def test_lists_add_up_in_every_verb(self):
        several = self.sosie("pairs", "rows.csv", "--column", "name", "--shingle", "chars:2",
                             "--show", "city", "--show", "zip").out
        self.assertEqual(several, self.sosie("pairs", "rows.csv", "--column", "name", "--shingle",
                                             "chars:2", "--show", "city,zip").out)
        self.assertIn(b"left_city", several)
        self.assertIn(b"left_zip", several)
        self.sosie("index", "build", "x.index", "rows.csv", "--column", "name", "--shingle",
                   "chars:2", "--fields", "city", "--fields", "zip", "-q")
        for where in ("city=bonn", "zip=1"):
            found = self.sosie("query", "x.index", "rows.csv", "--where", where)
            self.assertIn(b"\n1\t", found.out)

    def test_link_ignores_every_field_that_it_is_told_of(self):
        rules = self.sosie("link", "rows.csv", "--init", "--ignore", "zip", "--ignore", "city",
                           "-q", code=None).out
        self.assertNotIn(b"zip", rules.replace(b"--ignore zip", b""))

    def test_two_values_of_another_option_are_named(self):
        for verb, option, one, other in (
                ("dedup", "--threshold", "0.8", "0.9"), ("dedup", "--column", "name", "city"),
                ("dedup", "-o", "a.csv", "b.csv"), ("pairs", "--top", "1", "2"),
                ("query", "--where", "a=1", "b=2"), ("plan", "--measure", "jaccard", "cosine"),
                ("link", "--rules", "a.toml", "b.toml"), ("explain", "--id", "id", "name"),
                ("sketch", "--plan", "p.json", "q.json"), ("serve", "--listen", "[::1]:0", "a:1")):
            with self.subTest(verb=verb, option=option):
                result = self.fails(2, verb, "rows.csv", option, one, option, other)
                self.assertIn(f"not both {one} and {other}", result.err)
        self.fails(2, "dedup", "rows.csv", "--text", "name", "--column", "city", hints="a,b joins")

    def test_a_repeated_value_is_one(self):
        once = self.sosie("dedup", "rows.csv", "--column", "name", "--threshold", "0.9").out
        self.assertEqual(once, self.sosie("dedup", "rows.csv", "--column", "name", "--column",
                                          "name", "--threshold", "0.9", "--threshold", ".90").out)


if __name__ == "__main__":
    unittest.main()

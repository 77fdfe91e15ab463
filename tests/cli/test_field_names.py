"""Names of fields that leave one empty are refused with the place, before anything is read."""

import unittest

from support import SosieTest


class FieldNames(SosieTest):
    def setUp(self):
        super().setUp()
        self.write("rows.csv", 'id,text,"a,",b||c\n1,one two,x,y\n2,three,z,u\n')

    def test_the_place_of_an_empty_name(self):
        for value, place in (("a||b", 3), ("a,", 3), (",a", 1), ("|a", 1), ("a|", 3), ("a,,b", 3),
                             ("é,", 3), ("text,|id", 6)):
            with self.subTest(value=value):
                self.fails(2, "dedup", "rows.csv", "--column", value,
                           says=f"a name is empty, at character {place}$", hints="a,b joins")

    def test_every_option_that_names_fields(self):
        for verb, option in (("pairs", "--show"), ("pairs", "--id"), ("query", "--other-column"),
                             ("index", "--fields"), ("link", "--ignore"), ("dedup", "--group-by")):
            inputs = ("build", "x.index", "rows.csv") if verb == "index" else ("rows.csv",)
            with self.subTest(option=option):
                self.fails(2, verb, *inputs, option, "a,,b", says="a name is empty, at character 3")
        self.fails(2, "dedup", "rows.csv", "--keep", "max:a||b", says="a name is empty, at character")
        self.fails(2, "dedup", "rows.csv::column=a||b", says=r"column 'a\|\|b': a name is empty, at character 3")

    def test_a_name_with_marks_is_written_with_backslashes(self):
        for name in ("a,", "b||c"):
            hint = self.fails(2, "dedup", "rows.csv", "--column", name).err
            written = hint.split(" is written ")[1].strip()
            self.assertEqual(self.kept("rows.csv", "--column", written), self.read("rows.csv"))


if __name__ == "__main__":
    unittest.main()

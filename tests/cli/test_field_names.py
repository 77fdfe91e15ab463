"""Names of fields: an option with an empty name is rejected, with its position, before anything is
read; if no row has one of several fields, this is reported."""

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
                           says=f"empty name at character {place}$", hints="a,b joins")

    def test_every_option_that_names_fields(self):
        for verb, option in (("pairs", "--show"), ("pairs", "--id"), ("query", "--other-column"),
                             ("index", "--fields"), ("link", "--ignore"), ("dedup", "--group-by")):
            inputs = ("build", "x.index", "rows.csv") if verb == "index" else ("rows.csv",)
            with self.subTest(option=option):
                self.fails(2, verb, *inputs, option, "a,,b", says="empty name at character 3")
        self.fails(2, "dedup", "rows.csv", "--keep", "max:a||b", says="empty name at character")
        self.fails(2, "dedup", "rows.csv::column=a||b", says=r"column 'a\|\|b': empty name at character 3")

    def test_a_name_with_marks_is_written_with_backslashes(self):
        for name in ("a,", "b||c"):
            hint = self.fails(2, "dedup", "rows.csv", "--column", name).err
            written = hint.split(" is written ")[1].strip()
            self.assertEqual(self.kept("rows.csv", "--column", written), self.read("rows.csv"))


class JoinedFields(SosieTest):
    def setUp(self):
        super().setUp()
        # The last row alone has a body, beyond the part that is inspected first.
        rows = ['{"id":"%d","title":"name %d"}' % (i, i) for i in range(3000)]
        self.write("rows.jsonl", "\n".join([*rows, '{"id":"x","title":"name 1","body":"more"}', ""]))
        self.write("other.jsonl", '{"id":"y","title":"name 7"}\n')
        self.write("joined.jsonl", '{"id":"y","title,bdy":"name 7"}\n')

    def test_one_that_no_row_has_is_told_as_of_csv(self):
        strings = ("--kind", "strings", "--within", "1")
        for args in (("dedup",), ("pairs",), ("query", "rows.jsonl"), ("plan",), ("explain", "1", "2"),
                     ("index", "build", "x.index"), ("dedup", *strings), ("pairs", *strings), ("plan", *strings),
                     ("index", "build", "x.index", *strings), ("pairs", "--kind", "sets")):
            with self.subTest(args=args):
                self.fails(3, *args, "rows.jsonl", "--column", "title,bdy",
                           says="--column: no row has the field 'bdy'$",
                           hints="did you mean 'title'|available fields: id, title")
        self.fails(3, "dedup", "rows.jsonl::column=title,bdy|bod", says=r"--column: no row has the field 'bdy\|bod'")
        self.fails(3, "query", "rows.jsonl", "other.jsonl", "--column", "title", "--other-column", "title,bdy",
                   says="--other-column: no row has the field 'bdy'")
        self.assertIn("no row has the field 'bdy'", self.sosie(
            "query", "rows.jsonl", "-", "--column", "title,bdy", stdin=b'{"title":"a"}\n', code=3).err)

    def test_a_single_one_is_told_where_bad_rows_do_not_stop_the_run(self):
        for bad in ("skip", "keep"):
            for kind in ((), ("--kind", "strings", "--within", "1"), ("--kind", "sets"),
                         ("--kind", "vectors", "--threshold", ".5")):
                for column in ("titel", "body|titel") if bad == "skip" and not kind else ("titel",):
                    with self.subTest(bad=bad, kind=kind, column=column):
                        file = "other.jsonl" if "|" in column else "rows.jsonl"
                        self.fails(3, "dedup", file, "--on-bad-row", bad, *kind, "--column", column,
                                   says="^sosie: --column: no row has the field", hints="'title'|title")
            self.sosie("dedup", "rows.jsonl", "--on-bad-row", bad, "--column", "body", "--dry-run")
        self.fails(3, "dedup", "other.jsonl", "--on-bad-row", "skip", "--kind", "vectors", "--threshold", ".5",
                   "--column", "title,y", says="--column: no row has the field 'y'")

    def test_one_that_some_row_has_is_none(self):
        self.sosie("dedup", "rows.jsonl", "--column", "title,body", "--dry-run")
        self.sosie("dedup", "rows.jsonl", "--column", "title,bdy|body", "--dry-run")
        self.sosie("pairs", "rows.jsonl", "--against", "other.jsonl", "--column", "title,body")
        self.sosie("query", "rows.jsonl", "other.jsonl", "--column", "title,body")
        self.sosie("dedup", "joined.jsonl", "--column", "title,bdy", "--dry-run")
        self.write("empty.jsonl", "")
        self.sosie("dedup", "empty.jsonl", "--column", "title,bdy", "--dry-run")


if __name__ == "__main__":
    unittest.main()

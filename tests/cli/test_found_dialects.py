"""The delimiter, quote and escape of CSV files are detected and reported; title lines are not rows.
"""
# slow: more than 5 s in a release build, so `make sanitize` leaves it to `make sanitize-all`

from __future__ import annotations

import csv
import gzip
import io
import json
import random
import unittest

from support import SosieTest

STRINGS = ("--kind", "strings", "--within", "0")


class FoundDialects(SosieTest):
    def pairs(self, *args: str, **more) -> bytes:
        return self.sosie("pairs", *args, *STRINGS, **more).out

    def test_the_delimiter_of_each_file_is_found_and_told(self):
        for delimiter, shown in ((";", "';'"), ("\t", "tab"), ("|", "'|'")):
            rows = [["id", "text"], ["1", "a, b"], ["2", "x\ny"], ["3", "a, b"]]
            text = io.StringIO()
            csv.writer(text, delimiter=delimiter).writerows(rows)
            self.write("in.csv", text.getvalue().encode())
            run = self.sosie("pairs", "in.csv", *STRINGS, "--stats", "stats.json")
            self.assertEqual(run.out, b"left\tright\tdistance\n1\t3\t0\n")
            self.assertIn(f"dialect     delimiter {shown}: in.csv", run.err)
            self.assertEqual(json.loads(self.read("stats.json"))["dialects"],
                             [{"name": "in.csv", "delimiter": delimiter, "quote": '"',
                               "escape": None}])

    def test_usual_files_are_read_as_ever_and_nothing_is_told(self):
        self.write("in.csv", "id,text\n1,a; b|c\n2,'x y\n3,a; b|c\n")
        run = self.sosie("pairs", "in.csv", *STRINGS, "--stats", "stats.json")
        self.assertEqual(run.out, b"left\tright\tdistance\n1\t3\t0\n")
        self.assertNotIn("dialect", run.err + self.read("stats.json").decode())

    def test_every_verb_finds_it(self):
        self.write("in.csv", "id;text\n1;a b c d e f\n2;x, y, z\n3;a b c d e f\n")
        self.write("other.csv", "id|text\n9|a b c d e f\n")
        for verb, *args in (("dedup", "in.csv", "-o", "out.csv"), ("pairs", "in.csv"),
                            ("pairs", "in.csv", "--against", "other.csv"),
                            ("query", "other.csv", "in.csv"), ("explain", "1", "3", "in.csv"),
                            ("plan", "in.csv"), ("sketch", "in.csv", "--plan", "p.json", "-o", "s"),
                            ("index", "build", "INDEX", "in.csv"), ("link", "in.csv", "--dry-run")):
            if verb == "sketch":
                self.sosie("plan", "in.csv", "-o", "p.json")
            self.sosie(verb, *args)
        self.assertEqual(self.read("out.csv"), b"id;text\n1;a b c d e f\n2;x, y, z\n")

    def test_sketches_and_indexes_know_it(self):
        self.write("in.csv", "sep=;\nid;text\n1;'a b c d; e f'\n2;x, y, z\n3;'a b c d; e f'\n")
        plain = self.sosie("dedup", "in.csv", "-o", "out.csv", "--removed", "gone.tsv").out
        gone = self.read("gone.tsv")
        self.sosie("plan", "in.csv", "-o", "p.json")
        self.sosie("sketch", "in.csv", "--plan", "p.json", "-o", "s.sketch")
        self.sosie("dedup", "--reuse", "s.sketch", "-o", "out2.csv", "--removed", "gone.tsv")
        self.assertEqual(self.read("out2.csv"), self.read("out.csv"))
        self.assertEqual(self.read("gone.tsv"), gone)
        self.assertEqual(plain, b"")

    def test_a_file_that_reads_in_two_ways_is_refused(self):
        self.write("in.csv", "1;2,3\n4;5,6\n")
        self.fails(2, "pairs", "in.csv", "--no-header", "--column", "1", *STRINGS,
                   says="in.csv: can be read in two ways: ',' gives 1 . 2; or ';' gives 1 . 2",
                   hints="choose with --delimiter ',' or --delimiter ';'")
        out = self.pairs("in.csv", "--no-header", "--column", "1", "--delimiter", ";")
        self.assertEqual(out, b"left\tright\tdistance\n")

    def test_named_columns_decide(self):
        self.write("in.csv", "a;text,b\n1;x,2\n3;x,4\n")
        run = self.sosie("pairs", "in.csv", "--column", "a;text", *STRINGS)
        self.assertEqual(run.out.count(b"\n"), 1)
        run = self.sosie("pairs", "in.csv", "--column", "text,b", *STRINGS)
        self.assertIn("delimiter ';'", run.err)

    def test_escapes_and_single_quotes_are_found_where_only_they_fit(self):
        self.write("in.csv", 'id,text\n1,"say \\"a, b\\""\n2,x\n3,"say \\"a, b\\""\n')
        run = self.sosie("pairs", "in.csv", *STRINGS)
        self.assertEqual(run.out, b"left\tright\tdistance\n1\t3\t0\n")
        self.assertIn("escape '\\'", run.err)
        self.write("in.csv", "id,text\n1,'a, b'\n2,x\n3,'a, b'\n")
        run = self.sosie("pairs", "in.csv", *STRINGS)
        self.assertEqual(run.out, b"left\tright\tdistance\n1\t3\t0\n")
        self.assertIn("quote \"'\"", run.err)
        self.write("in.csv", "id,text\n1,'a b'\n2,x\n")  # double quotes fit, too
        self.assertNotIn("dialect", self.sosie("pairs", "in.csv", *STRINGS).err)

    def test_an_escape_counts_outside_of_quotes_too(self):
        table = 'id,text,x\n1,"say \\"hi\\" to, all",a\n2,say \\"hi\\" two,b\n'
        self.write("e.csv", table)
        for args in ((), ("--escape", "\\")):
            run = self.sosie("pairs", "e.csv", "--kind", "strings", "--within", "6", *args)
            self.assertEqual(run.out, b"left\tright\tdistance\n1\t2\t6\n")
        self.write("e.csv", b"id,text\n1,a\\,b\\\nc\n2,\"a,b\nc\"\n3,\\\"a\n")
        for threads in ("1", "7"):
            run = self.sosie("pairs", "e.csv", *STRINGS, "--escape", "\\", "--threads", threads)
            self.assertEqual(run.out, b"left\tright\tdistance\n1\t2\t0\n")

    def test_a_field_is_annotated_with_escapes_where_there_are_no_quotes(self):
        self.write("in.csv", "id,text\na\\,\\\\b,x\n2,x\n")
        self.sosie("dedup", "in.csv", "--quote", "none", "--escape", "\\", "--annotate=all",
                   "-o", "out.csv", "-q")
        self.assertIn(b"2,x", self.read("out.csv"))
        names, _, second = csv.reader(io.StringIO(self.read("out.csv").decode()), escapechar="\\",
                                      quoting=csv.QUOTE_NONE)
        self.assertEqual(len(second), len(names))
        self.assertEqual(second[2], "a,\\b")

    def test_options_overrule_what_would_be_found(self):
        self.write("in.csv", 'id,text\n1,5" nail\n2,5" nail\n')
        self.fails(3, "pairs", "in.csv", *STRINGS, says="a quote inside a field",
                   hints="--quote none reads quotes as text")
        self.assertEqual(self.pairs("in.csv", "--quote", "none"),
                         b"left\tright\tdistance\n1\t2\t0\n")
        self.write("in.csv", "id,text\n1,^a, b^\n2,^a, b^\n")
        self.assertEqual(self.pairs("in.csv", "--quote", "^"), b"left\tright\tdistance\n1\t2\t0\n")
        self.write("in.csv", 'id,text\n1,"a#"b"\n2,"a""b"\n')
        self.assertEqual(self.pairs("in.csv", "--escape", "#"), b"left\tright\tdistance\n1\t2\t0\n")
        for args in (("--quote", "ab"), ("--quote", "\\"), ("--quote", "x"), ("--escape", "n"),
                     ("--escape", "none"), ("--skip-lines", "-1"), ("--skip-lines", "x")):
            self.fails(2, "pairs", "in.csv", *STRINGS, *args, says=f"{args[0]}: ")
        self.write("in.jsonl", "{}\n")
        self.write("in.tsv", "a\tb\n")
        for option, value, name in (("--quote", "none", "in.jsonl"), ("--escape", "#", "in.tsv"),
                                    ("--skip-lines", "1", "in.jsonl")):
            self.fails(2, "pairs", name, *STRINGS, option, value, says=f"{option}: no input is CSV")

    def test_files_of_two_dialects_are_kept_apart(self):
        self.write("a.csv", "id,text\n1,a\n")
        self.write("b.csv", "id;text\n2;a\n3;b\n")
        self.fails(2, "dedup", "a.csv", "b.csv", *STRINGS, "-o", "out.csv",
                   says=r"cannot write rows of a.csv \(delimiter ','\) and b.csv \(delimiter ';'\) "
                        "into one output", hints="-o FOLDER/")
        self.sosie("dedup", "a.csv", "b.csv", *STRINGS, "-o", "out/")
        self.assertEqual((self.read("out/a.csv"), self.read("out/b.csv")),
                         (b"id,text\n1,a\n", b"id;text\n3;b\n"))

    def test_a_pipe_is_told_by_its_header(self):
        self.write("data.csv", "id;text\n1;a, b\n2;x\n")
        for shown in ("id|text\n7|a, b\n", "\ufeffsep=|\r\nid|text\r\n7|a, b\r\n",
                      "\n\nid|text\n7|a, b"):
            out = self.sosie("query", "data.csv", "-", "--format", "csv", *STRINGS,
                             stdin=shown.encode()).out
            self.assertEqual(out, b"left\tright\tdistance\n7\t1\t0\n", shown)
        self.write("data.csv", "x\ny\nid;text\n1;a, b\n2;x\n")
        run = self.sosie("query", "data.csv", "-", "--format", "csv", "--skip-lines", "2", *STRINGS,
                         stdin=b"a\nb\nid;text\n7;a, b\n8\n", code=3)
        self.assertIn("<stdin>:5: expected 2 fields, found 1", run.err)


class Titles(SosieTest):
    def test_a_sep_line_is_obeyed_and_comes_out_again(self):
        for end in ("\n", "\r\n"):
            for mark in ("", "\ufeff"):
                rows = f"{mark}sep=;{end}id;text{end}1;a, b{end}2;c{end}"
                self.write("in.csv", (rows + f"3;a, b{end}").encode())
                self.assertEqual(self.kept("in.csv", *STRINGS), rows.encode())
                self.write("in.csv", rows.encode())
                self.assertEqual(self.kept("in.csv", *STRINGS), rows.encode())

    def test_skipped_lines_come_out_again_above_the_header(self):
        titles = 'Report "of\n;;;\n\n'
        rows = "id;text\n1;a b\n2;c d\n"
        self.write("in.csv", titles + rows + "3;a b\n")
        self.assertEqual(self.kept("in.csv", "--skip-lines", "3", *STRINGS),
                         (titles + rows).encode())
        self.write("b.csv", "x\ny\nz\n" + "id;text\n4;e f\n")
        self.assertEqual(self.kept("in.csv", "b.csv", "--skip-lines", "3", *STRINGS),
                         (titles + rows + "4;e f\n").encode())
        self.kept("in.csv", "b.csv", "--skip-lines", "3", *STRINGS, "-o", "out/")
        self.assertEqual(self.read("out/b.csv"), self.read("b.csv"))
        self.assertEqual(self.kept("in.csv", "--skip-lines", "3", *STRINGS, "--annotate", "all"),
                         (titles + "id;text;duplicate_of;cluster_size\n1;a b;;2\n2;c d;;1\n"
                                   "3;a b;1;2\n").encode())
        self.write("in.tsv", "title\nid\ttext\n1\ta\n")
        self.assertEqual(self.kept("in.tsv", "--skip-lines", "1", *STRINGS), self.read("in.tsv"))

    def test_rows_without_a_header_may_stand_below_titles(self):
        self.write("in.csv", "title\n1,a\n2,b\n3,a\n")
        self.assertEqual(self.kept("in.csv", "--skip-lines", "1", "--no-header", "--column", "2",
                                   *STRINGS), b"title\n1,a\n2,b\n")
        self.sosie("plan", "in.csv", "--skip-lines", "1", "--no-header", "--column", "2", "-o", "p.json")
        self.sosie("sketch", "in.csv", "--skip-lines", "1", "--no-header", "--column", "2", "--plan",
                   "p.json", "-o", "s.sketch")
        self.assertEqual(self.kept("--reuse", "s.sketch"), b"title\n1,a\n2,b\n")

    def test_a_file_with_fewer_lines_is_refused_and_an_empty_one_is_not(self):
        self.write("in.csv", "id,text\n1,a\n")
        self.fails(3, "pairs", "in.csv", "--skip-lines", "5", *STRINGS,
                   says="in.csv: has only 2 lines", hints="--skip-lines is the number")
        self.write("in.csv", "")
        self.assertEqual(self.kept("in.csv", "--skip-lines", "5", *STRINGS), b"")

    def test_messages_name_the_line_in_the_file(self):
        self.write("in.csv", "a\nb\nsep=;\nid;text\n1;x\n2\n")
        self.fails(3, "pairs", "in.csv", "--skip-lines", "3", "--delimiter", ";", *STRINGS,
                   says="in.csv:6: expected 2 fields, found 1")


class AgainstPythonsReader(SosieTest):
    """Random tables, written by Python's csv in a random dialect: Sosie finds texts equal if
    Python's reader does, and files from which nothing is removed are written with the same
    bytes."""
    COUNT = 1200
    ROWS = 8
    LETTERS = ["a", "b", "é", " ", ",", ";", "|", "'", '"', "\n", "\\", "x y", "-"]

    def cell(self, chance: random.Random) -> str:
        return "".join(chance.choice(self.LETTERS) for _ in range(chance.randrange(6)))

    def setUp(self):
        super().setUp()
        chance = random.Random(45)
        self.files: dict[tuple, list[str]] = {}  # by delimiter, quote and escape
        self.equal: dict[str, set] = {}  # by file: ids of rows with the same text
        for number in range(self.COUNT):
            name = f"{number}.csv"
            doubled = chance.random() < .7
            how = {"delimiter": chance.choice(",;\t|"), "quotechar": chance.choice("\"\"'"),
                   "doublequote": doubled, "escapechar": None if doubled else "\\",
                   "lineterminator": chance.choice(["\n", "\r\n"]),
                   "quoting": chance.choice([csv.QUOTE_MINIMAL, csv.QUOTE_ALL])}
            texts = [f"{number} {self.cell(chance)}" for _ in range(4)]
            rows = [["id", "text", "more"]]
            rows += [[f"{number}-{i}", chance.choice(texts), self.cell(chance)]
                     for i in range(self.ROWS)]
            text = io.StringIO(newline="")
            csv.writer(text, **how).writerows(rows)
            self.write(name, text.getvalue().encode())
            rows = list(csv.reader(io.StringIO(text.getvalue(), newline=""), **how))[1:]
            self.equal[name] = {(a[0], b[0]) for i, a in enumerate(rows) for b in rows[i + 1:]
                                if a[1] == b[1]}
            key = how["delimiter"], how["quotechar"], how["escapechar"]
            self.files.setdefault(key, []).append(name)

    def check(self, names: list[str], *said: str):
        args = (*names, *STRINGS, *said, "-q")
        for threads, memory in (("1", "4G"), ("7", "64M")):
            run = self.sosie("pairs", *args, "--threads", threads, "--memory", memory)
            found = {tuple(line.split("\t")[:2]) for line in run.out.decode().splitlines()[1:]}
            self.assertEqual(found, set().union(*(self.equal[name] for name in names)), said)
        self.sosie("dedup", *args, "--column", "id", "-o", "out/", "--overwrite=all")
        for name in names:
            self.assertEqual(self.read("out/" + name), self.read(name), said)

    def test_tables_are_read_as_python_reads_them_in_a_dialect_that_is_said(self):
        for (delimiter, quote, escape), names in self.files.items():
            self.check(names, "--delimiter", delimiter, "--quote", quote,
                       *(() if escape is None else ("--escape", escape)))

    def test_the_dialect_is_found_where_double_quotes_are_doubled(self):
        names = [name for (_, quote, escape), some in self.files.items()
                 if quote == '"' and escape is None for name in some]
        self.check(names)


if __name__ == "__main__":
    unittest.main()

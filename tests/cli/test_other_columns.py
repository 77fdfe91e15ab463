"""Options for the other collection alone: --other-format, --other-column, --other-id,
--other-delimiter, --other-skip-lines, --other-encoding; and inputs with different headers."""

import unittest

from support import SosieTest, read_table

ONE = "one two three four five six seven eight"
TWO = "nine ten eleven twelve thirteen"


class OtherColumns(SosieTest):
    def setUp(self):
        super().setUp()
        self.write("own.jsonl", [{"id": "a", "text": ONE}, {"id": "b", "text": TWO}])
        self.write("eval.jsonl", [{"key": "q1", "question": ONE}])

    def pairs(self, *args):
        return [(row["left"], row["right"])
                for row in read_table(self.sosie("pairs", *args).out)]

    def test_dedup_and_pairs_read_other_by_its_own_names(self):
        told = ("--other-column", "question", "--other-id", "key")
        out = self.sosie("dedup", "own.jsonl", "--against", "eval.jsonl", *told, "--removed",
                         "r.tsv").out
        self.assertEqual(out.count(b"\n"), 1)
        self.assertEqual([(row["id"], row["kept_id"]) for row in self.table("r.tsv")],
                         [("a", "q1")])
        self.assertEqual(self.pairs("own.jsonl", "--against", "eval.jsonl", *told), [("a", "q1")])
        self.assertEqual(
            self.pairs("eval.jsonl", "--against", "own.jsonl", "--column", "question", "--id",
                       "key", "--other-column", "text", "--other-id", "id"), [("q1", "a")])

    def test_of_a_query_they_are_said_of_input(self):
        told = ("--other-column", "question", "--other-id", "key")
        expected = b"left\tright\tsimilarity\nq1\ta\t1.000000\n"
        self.assertEqual(self.sosie("query", "own.jsonl", "eval.jsonl", *told).out, expected)
        self.assertEqual(
            self.sosie("query", "own.jsonl", *told, stdin=self.read("eval.jsonl")).out, expected)
        self.assertEqual(
            self.sosie("query", "eval.jsonl", "own.jsonl", "--column", "question",
                       "--other-column", "text", "--id", "key", "--other-id", "id").out,
            b"left\tright\tsimilarity\na\tq1\t1.000000\n")
        self.sosie("index", "build", "own.index", "own.jsonl")
        self.assertEqual(self.sosie("query", "own.index", "eval.jsonl", *told).out, expected)
        self.sosie("plan", "own.jsonl", "--method", "lsh", "-o", "p.json")
        self.sosie("sketch", "own.jsonl", "--plan", "p.json", "-o", "own.sketches")
        self.assertEqual(self.sosie("query", "own.sketches", "eval.jsonl", *told).out, expected)

    def test_a_format_of_its_own(self):
        """What comes from a pipe has no extension; the format of the named file does not change."""
        rows = f"id,text\nq1,{ONE}\nq2,nothing else\n".encode()
        expected = b"left\tright\tsimilarity\nq1\ta\t1.000000\n"
        self.assertEqual(self.sosie("query", "own.jsonl", "-", "--other-format", "csv", stdin=rows).out, expected)
        self.write("asked.data", rows)
        for kind in ((), ("--kind", "strings", "--within", "0")):
            found = self.sosie("query", "own.jsonl", "asked.data", "--other-format", "csv", *kind).out
            self.assertEqual(found.splitlines()[1][:4], b"q1\ta")
            self.assertEqual(
                self.sosie("pairs", "own.jsonl", "--against", "asked.data", "--other-format", "csv", *kind)
                .out.splitlines()[1][:4], b"a\tq1")
        self.assertEqual(self.sosie("dedup", "own.jsonl", "--against", "asked.data", "--other-format", "csv").out
                         .count(b"\n"), 1)
        self.write("own.data", self.read("own.jsonl"))
        told = ("--format", "jsonl", "--other-format", "csv")
        self.assertEqual(self.sosie("query", "own.data", "asked.data", *told).out, expected)
        self.sosie("index", "build", "own.index", "own.jsonl")
        self.assertEqual(self.sosie("query", "own.index", "-", "--other-format", "csv", stdin=rows).out, expected)
        self.fails(2, "query", "own.jsonl", "-", "--other-format", "cvs", says="--other-format: unknown format 'cvs'", stdin=rows)

    def test_every_kind(self):
        self.write("v.jsonl", [{"id": 1, "vector": [1, 2]}])
        self.write("w.jsonl", [{"key": 2, "x": 1, "y": 2}])
        told = ("--other-id", "key", "--threshold", ".9")
        self.assertEqual(self.pairs("v.jsonl", "--against", "w.jsonl", "--kind", "vectors",
                                    "--column", "vector", "--other-column", "x,y", *told),
                         [("1", "2")])
        self.assertEqual(self.pairs("w.jsonl", "--against", "v.jsonl", "--kind", "vectors",
                                    "--column", "x,y", "--other-column", "vector", "--id", "key",
                                    "--other-id", "id", "--threshold", ".9"), [("2", "1")])
        self.assertEqual(
            self.sosie("query", "v.jsonl", "w.jsonl", "--kind", "vectors", "--column", "vector",
                       "--other-column", "x,y", *told).out.splitlines()[1:],
            [b"2\t1\t1.000000"])
        self.write("s.jsonl", [{"id": 1, "tags": ["a", "b"]}])
        self.write("t.jsonl", [{"id": 2, "words": "a b"}])
        self.assertEqual(self.pairs("s.jsonl", "--against", "t.jsonl", "--kind", "sets", "--column",
                                    "tags", "--other-column", "words"), [("1", "2")])
        self.write("n.jsonl", [{"id": 1, "name": "Anna"}])
        self.write("m.jsonl", [{"id": 2, "full": "Anne"}])
        self.assertEqual(self.pairs("n.jsonl", "--against", "m.jsonl", "--kind", "strings",
                                    "--within", "1", "--column", "name", "--other-column", "full"),
                         [("1", "2")])

    def test_delimiter_and_encoding_of_other(self):
        self.write("own.csv", f"id,text\na,{ONE} größer als\n")
        self.write("other.csv", f"id;text\nz;{ONE} größer als\n".encode("latin-1"))
        told = ("--other-delimiter", ";", "--other-encoding", "latin-1")
        self.assertEqual(self.pairs("own.csv", "--against", "other.csv", "--delimiter", ",", *told),
                         [("a", "z")])
        self.assertEqual(self.pairs("other.csv", "--against", "own.csv", "--encoding", "latin-1",
                                    "--other-encoding", "utf-8"), [("z", "a")])

    def test_the_delimiter_of_input_is_not_that_of_data(self):
        self.write("comma.csv", b'nr,text\n7,"the quick brown fox jumps over the lazy dog"\n8,other\n')
        self.write("semi.csv", b"nr;text\n1;the quick brown fox jumps over the lazy dog\n2;more\n")
        for kind in ((), ("--kind", "strings", "--column", "text", "--within", "2")):
            found = self.sosie("query", "comma.csv", "semi.csv", "--id", "nr", *kind,
                               "--other-delimiter", ";").out.decode()
            self.assertEqual([line.split("\t")[:2] for line in found.splitlines()[1:]], [["1", "7"]])

    def test_titles_of_other_are_not_those_of_the_input(self):
        self.write("own.csv", f"id,text\na,{ONE}\nb,{TWO}\n")
        self.write("titled.csv", f"Exported on Monday\n\nid,text\nz,{ONE}\n")
        told = ("--other-skip-lines", "2")
        strings = ("--kind", "strings", "--column", "text", "--within", "1")
        self.sosie("plan", "own.csv", "--method", "lsh", "-o", "p.json")
        self.sosie("sketch", "own.csv", "--plan", "p.json", "-o", "own.sketches")
        self.sosie("index", "build", "own.index", "own.csv")
        for kind in ((), strings):
            self.assertEqual(self.pairs("own.csv", "--against", "titled.csv", *told, *kind),
                             [("a", "z")])
            self.assertEqual(self.pairs("titled.csv", "--against", "own.csv", "--skip-lines", "2",
                                        "--other-skip-lines", "0", *kind), [("z", "a")])
            out = self.sosie("dedup", "own.csv", "--against", "titled.csv", *told, *kind).out
            self.assertEqual(out.decode(), f"id,text\nb,{TWO}\n")
        for data in (("own.csv",), ("own.csv", *strings), ("own.sketches",), ("own.index",)):
            for rows in ({"stdin": self.read("titled.csv")}, {}):
                source = ("-", "--format", "csv") if rows else ("titled.csv",)
                found = self.sosie("query", data[0], *source, *told, *data[1:], **rows).out
                self.assertEqual([line.split(b"\t")[:2] for line in found.splitlines()[1:]],
                                 [[b"z", b"a"]], (data, source))
        self.sosie("plan", "own.csv", "--against", "titled.csv", *told)
        self.assertIn(b"titled.csv:4", self.sosie("explain", "a", "z", "own.csv", "--against",
                                           "titled.csv", *told).out)
        self.fails(3, "pairs", "own.csv", "--against", "titled.csv", "--other-skip-lines", "9",
                   says="titled.csv: has only 4 lines", hints="--other-skip-lines is the number")
        self.fails(3, "pairs", "own.csv", "--against", "titled.csv",
                   says="titled.csv:1: field 'text' is missing", hints="--other-skip-lines 2 ")
        self.fails(2, "pairs", "own.csv", "--against", "titled.csv", "--other-skip-lines", "x",
                   says="--other-skip-lines: 'x' is not a whole number")

    def test_a_checkpoint_knows_the_titles_of_other(self):
        self.write("own.csv", f"text\n{ONE}\n{TWO}\n")
        self.write("titled.csv", f"text\ntext\n{ONE}\n")
        run = ("pairs", "own.csv", "--against", "titled.csv", "--checkpoint")
        sets = (*run, "sets/", "--method", "lsh")
        self.assertEqual(self.pairs(*sets[1:], "--other-skip-lines", "1"), [("0", "0")])
        self.assertEqual(self.pairs(*sets[1:]), [("0", "1")])
        items = (*run, "items/", "--kind", "strings", "--column", "text", "--within", "1")
        self.assertEqual(self.pairs(*items[1:], "--other-skip-lines", "1"), [("0", "0")])
        self.fails(2, *items, says="items: was made with --other-skip-lines 1")

    def test_link_takes_them(self):
        rows = [f"{i},Name{i} Smith{i},{1900 + i}" for i in range(60)]
        self.write("a.csv", "id,name,year\n" + "\n".join(rows) + "\n")
        self.write("b.csv", "Nr;name;year\n" + "\n".join(rows).replace(",", ";") + "\n")
        result = self.sosie("link", "a.csv", "--against", "b.csv", "--delimiter", ",",
                            "--other-delimiter", ";", "--other-id", "Nr")
        self.assertIn(b"\n7\t7\t", result.out)

    def test_without_other_they_mean_nothing(self):
        for option, value in (("--other-format", "csv"), ("--other-column", "x"), ("--other-id", "x"),
                              ("--other-delimiter", ";"), ("--other-skip-lines", "1"),
                              ("--other-encoding", "latin-1")):
            for verb in ("dedup", "pairs"):
                self.fails(2, verb, "own.jsonl", option, value,
                           says=f"{option} {value}: there is nothing to compare with|"
                                f"{option}: there is nothing to compare with",
                           hints="--against OTHER")
        self.fails(2, "pairs", "own.jsonl", "--against", "eval.jsonl", "--other-delimiter", ";",
                   "--other-column", "question", says="no input is CSV or TSV")
        self.fails(2, "pairs", "own.jsonl", "--against", "eval.jsonl", "--other-skip-lines", "1",
                   "--other-column", "question", says="--other-skip-lines: no input is CSV or TSV")
        for told in (("--other-skip-lines", "1"), ("--other-delimiter", ";")):
            self.fails(2, "query", "own.jsonl", "eval.jsonl", *told, "--other-column", "question",
                       says=f"{told[0]}: no input is CSV or TSV")
        self.fails(2, "pairs", "own.jsonl", "--against", "eval.jsonl", "--other-delimiter", "ab",
                   says="--other-delimiter: 'ab' is not one")
        self.sosie("index", "build", "own.index", "own.jsonl")
        self.fails(2, "pairs", "eval.jsonl", "--against", "own.index", "--other-column", "text",
                   says="an index already knows the kind of its items")
        self.fails(2, "pairs", "own.jsonl", "--against", "eval.jsonl", "--id", "row",
                   "--other-id", "file:row", "--other-column", "question", says="--other-id")

    def test_a_wrong_name_is_told_with_the_fields_of_other(self):
        self.fails(3, "pairs", "own.jsonl", "--against", "eval.jsonl", "--other-column", "answer",
                   says="eval.jsonl:1: field 'answer' is missing", hints="key, question")

    def test_a_saved_run_shows_its_rows_again(self):
        self.sosie("dedup", "own.jsonl", "--against", "eval.jsonl", "--other-column", "question",
                   "--other-id", "key", "--save", "run/", "--dry-run", "--report", "r.html")
        self.assertIn(ONE.encode(), self.read("r.html"))


class DifferentHeaders(SosieTest):
    def setUp(self):
        super().setUp()
        self.write("in/a.csv", f"id,text\n1,{ONE}\n")
        self.write("in/b.csv", f"content,lang,id\n{ONE},en,2\n{TWO},en,3\n")

    def test_files_of_other_columns_are_compared_and_kept_apart(self):
        self.sosie("dedup", "in", "--column", "text|content", "-o", "OUT/")
        self.assertEqual(self.read("OUT/a.csv"), self.read("in/a.csv"))
        self.assertEqual(self.read("OUT/b.csv"), f"content,lang,id\n{TWO},en,3\n".encode())
        out = self.sosie("pairs", "in", "--column", "text|content").out
        self.assertEqual(out.splitlines()[1:], [b"1\t2\t1.000000"])

    def test_in_one_output_they_are_refused(self):
        self.fails(3, "dedup", "in", "--column", "text|content",
                   says="in/b.csv:1: the header differs from that of in/a.csv",
                   hints="here: content, lang, id; there: id, text; use -o FOLDER/")

    def test_a_header_without_the_text_is_named(self):
        self.fails(3, "pairs", "in", says="in/b.csv:1: field 'text' is missing",
                   hints="available fields: content, lang, id")


if __name__ == "__main__":
    unittest.main()

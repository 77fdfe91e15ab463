"""The column of a single input: PATH::column=FIELD, and a second column in --files-from lists."""

import unittest

from support import SosieTest

ONE = "one two three four five six seven eight"


class InputColumns(SosieTest):
    def setUp(self):
        super().setUp()
        self.write("crawl/a.jsonl", [{"id": "a", "text": ONE, "content": "x y z"}])
        self.write("code/b.jsonl", [{"id": "b", "content": ONE, "text": "p q r"}])

    def pairs(self, *args, **options):
        return self.sosie("pairs", *args, **options).out.splitlines()[1:]

    def test_an_input_has_a_column_of_its_own(self):
        expected = [b"a\tb\t1.000000"]
        self.assertEqual(self.pairs("crawl", "code"), [])
        self.assertEqual(self.pairs("crawl", "code::column=content"), expected)
        self.assertEqual(self.pairs("crawl", "code/*.jsonl::column=content"), expected)
        self.assertEqual(self.pairs("crawl", "code/b.jsonl::column=none|content"), expected)
        self.assertEqual(self.pairs("crawl::column=text", "code", "--column", "content"), expected)
        self.assertEqual(self.pairs("crawl", "--against", "code::column=content"), expected)
        for kind in ("sets", "strings"):
            bound = ("--within", "0") if kind == "strings" else ()
            self.assertEqual(
                self.pairs("crawl", "code::column=content", "--kind", kind, *bound)[0][:3],
                b"a\tb")

    def test_vectors_too(self):
        self.write("v.jsonl", [{"id": 1, "vector": [1, 2]}])
        self.write("w.jsonl", [{"id": 2, "x": 1, "y": 2}])
        for args in (("v.jsonl", "w.jsonl::column=x,y"), ("v.jsonl", "--against",
                                                          "w.jsonl::column=x,y")):
            self.assertEqual(self.pairs(*args, "--kind", "vectors", "--column", "vector",
                                        "--threshold", ".9"), [b"1\t2\t1.000000"])

    def test_lists_have_a_second_column(self):
        self.write("list.txt", "crawl\ncode/b.jsonl\tcontent\r\n")
        self.assertEqual(self.pairs("--files-from", "list.txt"), [b"a\tb\t1.000000"])

    def test_a_file_that_is_called_so_wins_and_is_told(self):
        self.write("code/b.jsonl::column=content", [{"id": "c", "text": ONE}])
        result = self.sosie("pairs", "crawl", "code/b.jsonl::column=content", "--format", "jsonl")
        self.assertEqual(result.out.splitlines()[1:], [b"a\tc\t1.000000"])
        self.assertIn("files of exactly this name exist, so ::column= is part of the name: code/b.jsonl::column=content",
                      result.err)

    def test_a_file_whose_name_has_the_mark_has_a_column_of_its_own(self):
        self.write("a::b/x::column=y.jsonl", [{"id": "c", "body": ONE}])
        self.assertEqual(self.pairs("crawl", "a::b/x::column=y.jsonl::column=body"), [b"a\tc\t1.000000"])
        self.assertEqual(self.pairs("crawl", "a::b::column=body"), [b"a\tc\t1.000000"])

    def test_what_cannot_be_meant_is_refused(self):
        self.fails(2, "pairs", "crawl::column=", says="crawl::column=: names no column")
        self.fails(4, "pairs", "crawl::colum=text", hints="PATH::column=FIELD")
        self.fails(4, "pairs", "none::column=text", says="none: No such file")
        self.fails(3, "pairs", "crawl", "code::column=body",
                   says="code/b.jsonl:1: field 'body' is missing", hints="id, content, text")
        self.sosie("plan", "crawl", "--method", "lsh", "-o", "p.json")
        self.fails(2, "sketch", "crawl", "code::column=content", "--plan", "p.json", "-o",
                   "x.sketches", says="code/b.jsonl: sketches are made of one column",
                   hints=r"--column 'content\|text'")
        self.write("r.csv", "id,name\n1,x\n")
        self.fails(2, "link", "r.csv::column=name", says="compared on all their fields")

    def test_sketches_of_one_column_know_it(self):
        self.sosie("plan", "crawl", "--method", "lsh", "-o", "p.json")
        self.sosie("sketch", "code::column=content", "--plan", "p.json", "-o", "b.sketches")
        self.assertEqual(self.sosie("query", "b.sketches", "crawl", "--other-column", "text").out,
                         b"left\tright\tsimilarity\na\tb\t1.000000\n")
        self.write("more.jsonl", [{"id": "c", "content": ONE}])
        self.sosie("dedup", "more.jsonl", "--against", "b.sketches", "--removed", "r.tsv")
        self.assertEqual([(row["id"], row["kept_id"]) for row in self.table("r.tsv")], [("c", "b")])
        self.write("v.jsonl", [{"id": 1, "x": 1, "y": 2}, {"id": 2, "x": 3, "y": -1}])
        self.write("w.jsonl", [{"id": 3, "x": 1, "y": 2}])
        of_vectors = ("--kind", "vectors", "--threshold", ".9")
        self.sosie("plan", "v.jsonl::column=x,y", *of_vectors, "--method", "lsh", "-o", "v.json")
        self.sosie("sketch", "v.jsonl::column=x,y", *of_vectors, "--plan", "v.json", "-o", "v.sk")
        self.assertEqual(self.pairs("w.jsonl", "--against", "v.sk", "--kind", "vectors"),
                         [b"3\t1\t1.000000"])

    def test_saved_runs_and_checkpoints_know_it(self):
        args = ("crawl", "code::column=content", "--dry-run", "--method", "lsh")
        self.sosie("dedup", *args, "--save", "run/", "--report", "r.html")
        self.assertIn(b'"column": "content"', self.read("run/run.json"))
        self.sosie("dedup", *args, "--checkpoint", "ck", "--removed", "r.tsv")
        self.assertEqual([row["id"] for row in self.table("r.tsv")], ["b"])
        self.sosie("dedup", "crawl", "code", "--dry-run", "--method", "lsh", "--checkpoint", "ck",
                   "--removed", "r2.tsv")
        self.assertEqual(self.table("r2.tsv"), [])

    def test_an_index_without_items_takes_no_column_of_one_input(self):
        self.fails(2, "index", "build", "x.index", "code::column=content", "--keep-items", "no",
                   says="has a column of its own", hints="--keep-items yes")

    def test_an_index_keeps_what_it_read(self):
        self.sosie("index", "build", "x.index", "crawl", "code::column=content")
        self.write("q.jsonl", [{"id": "q", "text": ONE}])
        self.assertEqual(self.sosie("query", "x.index", "q.jsonl").out.splitlines()[1:],
                         [b"q\ta\t1.000000", b"q\tb\t1.000000"])


if __name__ == "__main__":
    unittest.main()

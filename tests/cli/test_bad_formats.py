"""Inputs whose bytes are not valid in their format: compressed files, CSV, encodings, texts with
terminal control sequences (refusals.py)."""

import gzip
import json
import unittest

import corpus
from refusals import RefusalTest
from support import ZSTD, documents, jsonl, zstd

GOOD = b'{"id": "a", "text": "one two three"}\n'


class PackedFiles(RefusalTest):
    def setUp(self):
        super().setUp()
        self.data = documents(corpus.texts(4, 200))

    def test_broken_gzip(self):
        packed = gzip.compress(self.data)
        for name, data, says in (("cut", packed[:-4], "truncated gzip"),
                                 ("half", packed[:len(packed) // 2], "truncated gzip"),
                                 ("second", packed + packed[:50], "truncated gzip"),
                                 ("more", packed + b"x", "data after the end of the gzip stream"),
                                 ("padded", packed + bytes(512) + packed,
                                  "data after the end of the gzip stream"),
                                 ("plain", self.data, "is not in gzip format, despite its name"),
                                 ("sum", packed[:-8] + b"sums" + packed[-4:], "broken gzip")):
            self.write(f"{name}.jsonl.gz", data)
            self.refuses_input(3, f"{name}.jsonl.gz", says=rf"^sosie: {name}\.jsonl\.gz: {says}")
        self.fails(3, "dedup", "half.jsonl.gz",
                   hints="--on-bad-row skip reads the complete rows before the damage")
        self.fails(3, "dedup", "plain.jsonl.gz", hints="remove .gz from the name if the file is plain, or compress it")
        self.write("pairs.tsv.gz", packed[:-4])
        self.fails(3, "cluster", "pairs.tsv.gz", says="truncated gzip", hints="recreate the file")
        kept = self.kept("half.jsonl.gz", "--on-bad-row", "skip", "--method", "exact")
        self.assertLess(len(kept), len(self.data))
        self.assertLess(0, len(kept.splitlines()))
        self.assertLessEqual(set(kept.splitlines()), set(self.data.splitlines()))

    @unittest.skipUnless(ZSTD, "no zstd here")
    def test_broken_zstd(self):
        packed = zstd(self.data)
        for name, data, says in (("cut", packed[:-5], "truncated zstd"),
                                 ("half", packed[:len(packed) // 2], "truncated zstd"),
                                 ("more", packed + b"more of it", "broken zstd"),
                                 ("plain", self.data, "is not in zstd format, despite its name")):
            self.write(f"{name}.jsonl.zst", data)
            self.refuses_input(3, f"{name}.jsonl.zst", says=rf"^sosie: {name}\.jsonl\.zst: {says}")

    def test_a_file_without_bytes_is_empty_whatever_its_name(self):
        self.write("in.jsonl", self.data)
        for name in ("none.jsonl", "none.jsonl.gz", "none.jsonl.zst"):
            self.write(name, b"")
            done = self.sosie("dedup", name, "in.jsonl", "--stats", "s.json")
            self.assertEqual(done.out, self.kept("in.jsonl"))
            counts = {each["name"]: each["rows"] for each in json.loads(self.read("s.json"))["inputs"]}
            self.assertEqual(counts[name], 0)

    def test_broken_gzip_on_stdin(self):
        self.refuses(3, "dedup", "-", stdin=gzip.compress(self.data)[:-4],
                     says="<stdin>: truncated gzip")

    def test_messages_count_the_lines_of_the_unpacked_text(self):
        self.write("in.csv.gz", gzip.compress(b'id,text\n1,"a\nb"\n2\n'))
        self.refuses_input(3, "in.csv.gz", says=r"in\.csv\.gz:4: expected 2 fields, found 1")


class BrokenCsv(RefusalTest):
    def test_short_and_long_rows_are_named_with_their_physical_line(self):
        self.write("people.csv", b'a,b,text,d\n1,"x\ny\n",t,4\n1,2,3\n')
        self.refuses_input(3, "people.csv", says=r"people\.csv:5: expected 4 fields, found 3$")
        self.write("people.csv", b'a,text\n1,2,3\n')
        self.refuses_input(3, "people.csv", says=r"people\.csv:2: expected 2 fields, found 3$")
        self.write("people.tsv", b'a\ttext\n1,2\n')
        self.refuses_input(3, "people.tsv", says=r"people\.tsv:2: expected 2 fields, found 1$")

    def test_quotes_that_mean_nothing_are_named_with_their_line(self):
        self.write("in.csv", b'id,text\n1,"a\nb"\n2,"x\ny","z\nq\n')
        self.refuses_input(3, "in.csv", says=r"in\.csv:5: unclosed quote")
        self.write("in.csv", b'id,text\n1,a\n2,b"c"\n3,d\n')
        self.refuses_input(3, "in.csv", says=r"in\.csv:3: a quote inside a field")
        self.write("in.csv", b'id,text\n1,"a"b\n')
        self.refuses_input(3, "in.csv", says=r"in\.csv:2: text after a closing quote")
        self.write("in.csv", b'id,"text\n1,a\n')
        self.refuses_input(3, "in.csv", says=r"in\.csv:1: unclosed quote")

    def test_a_quote_says_where_it_opens_and_how_far_it_goes(self):
        self.write("in.csv", b'id,text\n1,good\n2,"never closed\n3,good\n4,good\n5,"good, five"\n')
        self.refuses_input(3, "in.csv", hints="--quote none reads quotes as text",
                           says=r"in\.csv:3: text after a closing quote: the field that begins here "
                                r"spans 4 lines")
        self.write("in.tsv", b'id\ttext\n1\t"open\n2\tx\n')
        self.refuses_input(3, "in.tsv", says=r"in\.tsv:2: unclosed quote: .* spans 2 lines",
                           hints="--format csv --delimiter tab --quote none")

    def test_a_backslash_before_a_quote_is_answered_with_an_escape(self):
        self.write("in.csv", b'id,text\n1,2,3\n2,"say \\"a\\""\n')
        self.refuses_input(3, "in.csv", "--on-bad-row", "stop", says=r"in\.csv:2: expected 2")
        self.write("in.csv", b"id,text\n" + b"1,plain text\n" * 9000 + b'2,"say \\"a\\""\n')
        self.refuses_input(3, "in.csv", "--id", "row", hints="--escape",
                           says=r"in\.csv:9002: text after a closing quote")

    def test_an_unclosed_quote_is_one_bad_row_to_the_end(self):
        good = b"id,text\n" + b"".join(b"%d,some text\n" % number for number in range(9))
        self.write("in.csv", good + b'9,"open\n' + b"x,y\n" * 600_000)  # more than one block
        self.refuses_input(3, "in.csv", says=r"in\.csv:11: unclosed quote")
        kept = self.adds_up("in.csv", "--on-bad-row", "skip")
        self.assertEqual(kept, b"id,text\n0,some text\n")
        self.assertEqual((self.stats().read, self.stats().skipped), (10, 1))

    def test_an_unclosed_quote_in_a_pairs_file_is_found_soon(self):
        self.write("p.csv", b'left,right,similarity\n"a,b,0.9\n' + b"a,b,0.9\n" * 200_000)
        self.refuses(3, "cluster", "p.csv", says=r"p\.csv:2: unclosed quote", timeout=20)

    def test_headers_must_be_equal_and_name_the_text(self):
        self.write("a.csv", b"id,text\n1,a\n")
        self.write("b.csv", b"text,id\na,2\n")
        self.refuses_input(3, "a.csv", "b.csv", hints="text",
                           says=r"b\.csv:1: the header differs from that of a\.csv$")
        self.refuses_input(3, "a.csv", "--column", "body", says=r"a\.csv:1: field 'body'",
                           hints="id, text")
        self.refuses_input(3, "a.csv", "--id", "name", says=r"a\.csv:1: field 'name'")
        self.write("c.csv", b"text,text\na,2\n")
        self.refuses_input(3, "c.csv", says=r"c\.csv:1: field 'text' occurs twice")


class StrangeBytes(RefusalTest):
    """Contents that are hardly text, or not at all, are passed through unchanged."""

    def test_nul_bytes_outside_of_json(self):
        self.write("in.txt", b"one \0 two\n\0\n\0\0\nthree\0")
        self.assertEqual(self.adds_up("in.txt"), self.read("in.txt"))
        self.write("in.csv", b"id,text\n1,a\0b\n2,\0\n\0,c\n")
        self.assertEqual(self.adds_up("in.csv"), self.read("in.csv"))
        self.write("in.jsonl", GOOD + b'{"id": "\\u0000", "text": "one\\u0000"}\n')
        self.assertEqual(self.adds_up("in.jsonl"), self.read("in.jsonl"))

    def test_broken_utf8_and_lone_surrogates(self):
        rows = [b'{"id": "a", "text": "one \xc3 two"}\n',
                b'{"id": "b", "text": "three \xed\xa0\x80\xed\xa0\x80 four"}\n',
                b'{"id": "c", "text": "five \xf0\x9f\x98"}\n',
                b'{"id": "d", "text": "six \\ud83d \\ud83d\\ud83d \\udc00\\ud800 seven"}\n',
                b'{"id": "\xff", "text": "eight", "\xfe": "\\udfff"}\n']
        self.write("in.jsonl", b"".join(rows))
        self.assertEqual(self.adds_up("in.jsonl", "--threshold", "1"), self.read("in.jsonl"))
        self.write("in.txt", b"one \xff two\n\x80\xbf\nthree \xe2\x82 four")
        self.assertEqual(self.adds_up("in.txt"), self.read("in.txt"))
        self.write("in.csv", b"id,text\n\xff,one \xff two\n2,\x80\xbf\n")
        self.assertEqual(self.adds_up("in.csv"), self.read("in.csv"))

    def test_ids_keep_their_bytes(self):
        """Ids that are not UTF-8 are as different as their bytes; only CSV and TSV can hold them."""
        ids = [b"\xff\xfe", b"\xff\xff", b"\xc3", b"\xed\xa0\x80", b"\xef\xbf\xbd"]
        rows = [b'{"id": "%s", "text": "x"}\n' % id for id in ids]
        rows[3] = b'{"id": "\\ud800", "text": "x"}\n'
        self.write("in.jsonl", b"".join(rows))
        self.write("in.csv", b"id,text\n" + b"".join(b"%s,x\n" % id for id in ids))
        for name in ("in.jsonl", "in.csv"):
            self.kept(name, "--clusters", "c.csv", "--pairs", "p.tsv")
            found = [line.split(b",")[0] for line in self.read("c.csv").splitlines()[1:]]
            self.assertEqual(found, ids)
            self.assertEqual(self.read("p.tsv").splitlines()[2].split(b"\t")[:2], [ids[0], ids[1]])
            if name == "in.jsonl":
                self.fails(3, "pairs", name, "-o", "p.jsonl", hints="--id row",
                           says=r"^sosie: id '\\xff\\xfe' is not UTF-8, so JSON cannot hold it$")
            self.fails(3, "dedup", name, "-o", "out" + name[2:], "--clusters", "c.jsonl", hints=".csv or .tsv",
                       says="is not UTF-8, so JSON cannot hold it")
            self.assertFalse((self.dir / "c.jsonl").exists() or (self.dir / ("out" + name[2:])).exists())
            self.sosie("dedup", name, "--id", "row", "-o", "out" + name[2:], "--clusters", "c.jsonl")
            (self.dir / "c.jsonl").unlink()
            (self.dir / ("out" + name[2:])).unlink()
            self.fails(3, "index", "build", "x.index", name, says=r"id '\\xff\\xfe' is not UTF-8; x.index")
        with_same = b'{"id": "\xff", "text": "x"}\n' * 2
        self.write("same.jsonl", with_same)
        self.fails(3, "pairs", "same.jsonl", says=r"id '\\xff' is already used")

    def test_shown_fields_of_broken_utf8_make_valid_json(self):
        self.write("in.jsonl", b'{"id": 1, "text": "x", "n": "a\xff"}\n{"id": 2, "text": "x", "n": ["a\xff"]}\n')
        self.sosie("pairs", "in.jsonl", "--show", "n", "-o", "p.jsonl")
        self.assertEqual(self.read("p.jsonl").decode("utf-8", "strict").count("a\ufffd"), 2)
        self.assertIn(b"a\xff\t", self.sosie("pairs", "in.jsonl", "--show", "n").out)

    def test_ids_are_found_in_a_first_row_of_any_bytes(self):
        """If the first row has an id, ids name rows, and broken bytes in that row change nothing."""
        copies = b'{"id": "b", "text": "x"}\n{"id": "c", "text": "x"}\n'
        for first in (b'{"id": "a", "text": "\xff"}\n', b'{"id": "a", "text": "\\ud800"}\n',
                      b'{"id": "a", "text": "y", "n": %s}\n' % (b"1" * 400), b"{broken\n"):
            self.write("in.jsonl", first + copies)
            out = self.sosie("pairs", "in.jsonl", "--on-bad-row", "skip").out
            self.assertEqual(out, b"left\tright\tsimilarity\nb\tc\t1.000000\n", first)

    def test_documents_of_any_bytes(self):
        self.write("docs/bytes", bytes(range(256)) * 50)
        self.write("docs/nul", bytes(5_000))
        self.write("docs/none", b"")
        self.sosie("dedup", "docs", "--format", "files", "-o", "out/")
        for name in ("bytes", "nul", "none"):
            self.assertEqual(self.read("out/" + name), self.read("docs/" + name))


class Terminals(RefusalTest):
    """Texts, ids, fields and names cannot control the terminal that displays them."""

    EVIL = "\x1b[31m\x07\r\u009b2J\u202e\u2066\x7f"

    def assert_tame(self, shown: str):
        self.assertNotRegex(shown, "[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")

    def test_in_the_summary(self):
        self.write("in.jsonl", jsonl([{"id": self.EVIL + str(number), "text": self.EVIL + "line"}
                                      for number in range(3)]))
        self.write(f"{self.EVIL}.txt", "one\none\n")
        self.write("other.txt", "one\n")
        self.write(f"d/{self.EVIL}.pdf", "not read")
        self.write("d/in.txt", "one\n")
        for args in (("in.jsonl",), (f"{self.EVIL}.txt",), ("other.txt", f"{self.EVIL}.txt"),
                     ("d",)):
            self.assert_tame(self.sosie("dedup", *args, "--progress", "none").err)

    def test_in_errors(self):
        self.write("in.jsonl", jsonl([{"id": self.EVIL, "text": "a"}] * 2))
        self.assert_tame(self.refuses_input(3, "in.jsonl", says=r"in\.jsonl:2: id '\\x1b\[31m"))
        self.write("in.jsonl", jsonl([{"id": "a", self.EVIL: "a"}]))
        self.assert_tame(self.refuses_input(3, "in.jsonl", says="field 'text'", hints=r"\\x1b"))
        self.assert_tame(self.refuses_input(4, f"{self.EVIL}.txt", says="no file matches"))
        self.assert_tame(self.refuses_input(4, "\x1b.txt", says=r"\\x1b\.txt: No such file"))
        self.assert_tame(self.refuses_input(2, "in.jsonl", "--threshold", self.EVIL,
                                            says="threshold"))
        self.assert_tame(self.refuses(2, self.EVIL, "in.jsonl", says="unknown verb"))
        self.assert_tame(self.refuses_input(2, "in.jsonl", f"--{self.EVIL}", says="unknown option"))

    def test_an_id_of_a_megabyte_is_cut_in_an_error(self):
        self.write("in.jsonl", jsonl([{"id": "x" * 1_000_000, "text": "a"}] * 2))
        self.assertLess(len(self.refuses_input(3, "in.jsonl", says="id 'xxx")), 5_000)


if __name__ == "__main__":
    unittest.main()

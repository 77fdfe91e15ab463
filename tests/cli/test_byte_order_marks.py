"""The byte order mark of a UTF-8 file is also written before the kept rows."""

from __future__ import annotations

import gzip
import unittest

from support import SosieTest

MARK = b"\xef\xbb\xbf"
FILES = {  # rows of which none is removed, and a row equal to the first
    "in.csv": (b"id,text\r\n1,M\xc3\xbc a b\r\n2,c d e\r\n", b"3,m\xc3\xbc A B\r\n"),
    "in.tsv": (b"id\ttext\n1\tM\xc3\xbc a b\n2\tc d e\n", b"3\tm\xc3\xbc A B\n"),
    "in.jsonl": (b'{"id": 1, "text": "a b"}\n{"id": 2, "text": "c d"}\n', b'{"id": 3, "text": "A B"}\n'),
    "in.txt": (b"M\xc3\xbc a b\nc d e", b"\nm\xc3\xbc A B\n"),
    "in.sets": (b"a b c\nd e f\n", b"c b a\n")}


class ByteOrderMarks(SosieTest):
    ARGS = ("--threshold", "1", "-q")

    def args_of(self, name: str) -> tuple[str, ...]:
        shingle = () if name.endswith(".sets") else ("--shingle", "words:1")
        return (*self.ARGS, *shingle)

    def test_nothing_removed_is_byte_for_byte_by_every_output(self):
        for name, (rows, _) in FILES.items():
            self.write(name, MARK + rows)
            self.write(name + ".gz", gzip.compress(MARK + rows))
            args = self.args_of(name)
            for threads in ("1", "3"):
                out = self.sosie("dedup", name, *args, "--threads", threads).out
                self.assertEqual(out, MARK + rows, (name, threads))
            self.sosie("dedup", name + ".gz", *args, "-o", "kept-" + name)
            self.assertEqual(self.read("kept-" + name), MARK + rows)
            self.sosie("dedup", name, *args, "-o", f"kept-{name}.gz")
            self.assertEqual(gzip.decompress(self.read(f"kept-{name}.gz")), MARK + rows)
            self.sosie("dedup", name, *args, "-o", "tree/", "--overwrite=all")
            self.assertEqual(self.read("tree/" + name), MARK + rows)

    def test_removed_rows_have_it_too(self):
        for name, (rows, copy) in FILES.items():
            self.write(name, MARK + rows + copy)
            self.sosie("dedup", name, *self.args_of(name), "-o", "kept-" + name, "--removed-rows",
                       "gone-" + name)
            self.assertTrue(self.read("kept-" + name).startswith(MARK + rows[:8]), name)
            gone = self.read("gone-" + name)
            self.assertTrue(gone.startswith(MARK) and gone.endswith(copy.strip(b"\n") + b"\n"), gone)

    def test_added_fields_stand_behind_it(self):
        self.write("in.csv", MARK + b"id,text\n1,x\n")
        out = self.sosie("dedup", "in.csv", *self.ARGS, "--annotate", "all").out
        self.assertEqual(out, MARK + b"id,text,duplicate_of,cluster_size\n1,x,,1\n")

    def test_sets_of_grouped_rows_have_it(self):
        self.write("in.csv", MARK + b"who,what\nu,1\nv,2\n")
        out = self.sosie("dedup", "in.csv", "--group-by", "who", "--element", "what", *self.ARGS).out
        self.assertEqual(out, self.read("in.csv"))

    def test_only_the_first_file_says_whether_there_is_one(self):
        for marks in ((MARK, MARK), (MARK, b""), (b"", MARK)):
            self.write("1.csv", marks[0] + b"id,text\n1,a b\n")
            self.write("2.csv", marks[1] + b"id,text\n2,c d\n")
            out = self.sosie("dedup", "1.csv", "2.csv", *self.ARGS).out
            self.assertEqual(out, marks[0] + b"id,text\n1,a b\n2,c d\n")

    def test_a_named_or_detected_encoding_changes_nothing(self):
        self.write("in.csv", MARK + FILES["in.csv"][0])
        for name in ("utf-8", "utf8", "utf-8-sig", "auto"):
            out = self.sosie("dedup", "in.csv", *self.ARGS, "--encoding", name).out
            self.assertEqual(out, self.read("in.csv"), name)

    def test_streamed_rows_lose_one_mark_and_no_more(self):
        self.write("data.txt", "a b\n")
        for mark in (MARK, 2 * MARK):
            self.write("in.txt", mark + b"a b\n")
            told = [self.sosie("query", "data.txt", *source, "--format", "txt", "--kind", "strings",
                               "--within", "5", "-q").out
                    for source in (("in.txt",), )]
            told.append(self.sosie("query", "data.txt", "-", "--format", "txt", "--kind", "strings",
                                   "--within", "5", "-q", stdin=self.read("in.txt")).out)
            self.assertEqual(told[0], told[1])

    def test_texts_of_two_bytes_lose_one_mark_and_no_more(self):
        rows = "a b\nc d\n"
        for codec in ("utf-8", "utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be"):
            data = ("\ufeff\ufeff" + rows).encode(codec)
            self.write("in.txt", data)
            args = ("in.txt", "--shingle", "words:1", "--threshold", "1", "-q")
            for encoding in ((), ("--encoding", codec.removesuffix("-le"))):
                if codec.endswith("be") and encoding:
                    encoding = ("--encoding", codec.replace("-be", "be"))
                self.assertEqual(self.sosie("dedup", *args, *encoding).out, data, codec)
            self.write("more.txt", data + "\ufeffa b\n".encode(codec))
            shown = self.sosie("pairs", "more.txt", *args[1:], "--show", "text").out.decode()
            self.assertEqual(shown.count("\ufeff"), 2, codec)
            self.write("short.txt", ("\ufeff" * 2).encode(codec))
            self.assertEqual(self.sosie("dedup", "short.txt", *args[1:]).out, self.read("short.txt"))
            self.write("data.txt", "a b\n")
            query = ("--format", "txt", "--kind", "strings", "--within", "5", "-q")
            self.assertEqual(self.sosie("query", "data.txt", "in.txt", *query).out,
                             self.sosie("query", "data.txt", "-", *query, stdin=data).out, codec)

    def test_a_mark_of_other_encodings_goes_out_again(self):
        data = "\ufeff汉字 a\n汉字 b\n".encode("gb18030")
        self.write("in.txt", data)
        for rows in (data, data + "汉字 A\n".encode("gb18030")):
            self.write("in.txt", rows)
            out = self.sosie("dedup", "in.txt", "--encoding", "gb18030", "--shingle", "words:1",
                             "--threshold", "1", "-q").out
            self.assertEqual(out, data)


if __name__ == "__main__":
    unittest.main()

"""Lines that end with carriage returns only are rows, and are written unchanged."""

from __future__ import annotations

import gzip
import unittest

from support import SosieTest

STRINGS = ("--kind", "strings", "--within", "0")
FILES = {  # three rows; the third equals the first
    "in.csv": ("id,text\n1,a b\n2,c d\n3,a b\n", STRINGS),
    "in.tsv": ("id\ttext\n1\ta b\n2\tc d\n3\ta b\n", STRINGS),
    "in.jsonl": ('{"id": 1, "text": "a b"}\n{"id": 2, "text": "c d"}\n{"id": 3, "text": "a b"}\n',
                 STRINGS),
    "in.txt": ("a b\nc d\na b\n", STRINGS),
    "in.sets": ("a b\nc d\na b\n", ("--threshold", "1"))}


class CarriageReturns(SosieTest):
    def test_rows_are_those_of_line_feeds_and_leave_with_their_returns(self):
        for name, (text, args) in FILES.items():
            self.write(name, text)
            pairs = self.sosie("pairs", name, *args).out
            kept = self.kept(name, *args)
            self.assertEqual(pairs.count(b"\n"), 2)
            for codec in ("utf-8", "utf-8-sig", "utf-16", "latin-1"):
                data = text.replace("\n", "\r").encode(codec)
                expected = kept.replace(b"\n", b"\r").decode().encode(codec)
                more = ("--encoding", "latin-1") if codec == "latin-1" else ()
                self.write(name, data)
                self.write(name + ".gz", gzip.compress(data))
                for source in (name, name + ".gz"):
                    run = self.sosie("pairs", source, *args, *more)
                    self.assertEqual(run.out, pairs, (source, codec))
                    self.assertIn("with carriage returns", run.err)
                    for threads in ("1", "3"):
                        self.assertEqual(self.kept(source, *args, *more, "--threads", threads),
                                         expected, (source, codec))
                format_ = name.partition(".")[2]
                out = self.sosie("dedup", "-", "--format", format_, *args, *more, stdin=data).out
                self.assertEqual(out, expected)

    def test_nothing_removed_is_byte_for_byte(self):
        self.write("in.csv", b'\xef\xbb\xbfsep=;\rid;text\r"1";"a;\r b"\r\r2;c')
        self.assertEqual(self.kept("in.csv", *STRINGS), self.read("in.csv").replace(b"\r\r", b"\r"))
        self.kept("in.csv", *STRINGS, "-o", "out/")
        self.assertEqual(self.read("out/in.csv"), self.read("in.csv").replace(b"\r\r", b"\r"))

    def test_a_pipe_without_line_feeds_is_cut_at_its_end(self):
        for name, (text, args) in FILES.items():
            if name in ("in.sets", "in.txt"):
                continue
            self.write("data", "\n".join(text.split("\n")[:1 if name == "in.jsonl" else 2]) + "\n")
            out = self.sosie("query", "data", "-", "--format", name.partition(".")[2], *args,
                             stdin=text.replace("\n", "\r").encode()).out
            self.assertEqual(out, b"left\tright\tdistance\n1\t1\t0\n3\t1\t0\n", name)

    def test_two_returns_before_a_line_feed_end_one_line(self):
        for name, (text, args) in FILES.items():
            self.write(name, text)
            pairs = self.sosie("pairs", name, *args).out
            kept = self.kept(name, *args)
            self.write(name, text.replace("\n", "\r\r\n"))
            self.assertEqual(self.sosie("pairs", name, *args).out, pairs, name)
            self.assertEqual(self.kept(name, *args), kept.replace(b"\n", b"\r\r\n"))

    def test_mixtures_are_refused_with_a_way_out(self):
        self.write("in.csv", "id,text\r1,a b\r2,a b\n")
        self.fails(3, "pairs", "in.csv", *STRINGS, hints="tr ",
                   says="in.csv:1: a line of the header ends with a carriage return")
        self.write("in.csv", "id,text\n1,a b\r2,a b\n")
        self.fails(3, "pairs", "in.csv", *STRINGS, hints="tr ",
                   says="in.csv:2: expected 2 fields, found 3")
        self.write("in.jsonl", '{"text": "a"}\r{"text": "a"}\n')
        self.fails(3, "pairs", "in.jsonl", *STRINGS, says="in.jsonl:1: broken JSON", hints="tr ")
        self.write("in.csv", "id,text\r" + "1,a b\r" * 20000 + "2,a b\n")
        self.fails(3, "pairs", "in.csv", *STRINGS, "--id", "row", hints="tr ",
                   says="lines end with carriage returns before byte 120014, with line feeds after it")

    def test_returns_inside_of_lines_of_text_are_text(self):
        self.write("in.txt", "10 %\r20 %\r30 %\n10 %\r20 %\r30 %\n")
        self.assertEqual(self.kept("in.txt", *STRINGS), b"10 %\r20 %\r30 %\n")
        long = "1 %\r" * 40000
        self.write("in.txt", f"{long}\n{long}\n")
        self.assertEqual(self.kept("in.txt", "--shingle", "words:1"), f"{long}\n".encode())


if __name__ == "__main__":
    unittest.main()

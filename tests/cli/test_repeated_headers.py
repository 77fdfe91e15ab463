"""Files that were concatenated with their headers: a row that repeats the header is a bad row."""

import gzip
import unittest

from support import SosieTest

REPEATED = "the row repeats the header, as when files are concatenated with their headers"
MARK = "\ufeff"


class RepeatedHeaders(SosieTest):
    def setUp(self):
        super().setUp()
        self.first = "id,text\n1,a b c d e\n2,\"x y z, w\"\n"
        self.second = "id,text\n3,a b c d f\n4,k l m n\n"
        self.write("one.csv", self.first)

    def test_every_container_and_form(self):
        self.write("plain.csv", self.first + self.second)
        self.write("mark.csv", MARK + self.first + MARK + self.second)
        self.write("crlf.csv", (self.first + self.second).replace("\n", "\r\n"))
        self.write("last.csv", self.first + "id,text")
        self.write("quoted.csv", (self.first + self.second).replace("id,text", '"id","text"'))
        self.write("semicolon.csv", (self.first + self.second).replace(",", ";"))
        self.write("tabs.tsv", (self.first + self.second).replace(",", "\t"))
        self.write("packed.csv.gz", gzip.compress(self.first.encode())
                   + gzip.compress(self.second.encode()))
        for name in ("plain.csv", "mark.csv", "crlf.csv", "last.csv", "quoted.csv",
                     "semicolon.csv", "tabs.tsv", "packed.csv.gz"):
            self.fails(3, "dedup", name, says=f"{name}:4: {REPEATED}",
                       hints="--on-bad-row skip leaves such rows out, keep passes them through")

    def test_every_verb(self):
        self.write("both.csv", self.first + self.second)
        told = {"says": f"both.csv:4: {REPEATED}"}
        for args in (("pairs", "both.csv"), ("query", "one.csv", "both.csv"), ("link", "both.csv"),
                     ("link", "one.csv", "--against", "both.csv"), ("plan", "both.csv"),
                     ("index", "build", "x.index", "both.csv"), ("explain", "1", "2", "both.csv"),
                     ("dedup", "one.csv", "--against", "both.csv"),
                     ("dedup", "both.csv", "--kind", "strings", "--within", "1"),
                     ("pairs", "both.csv", "--group-by", "id", "--element", "text")):
            self.fails(3, *args, **told)
        piped = (self.first + self.second).encode()
        self.fails(3, "query", "one.csv", "-", "--format", "csv", stdin=piped,
                   says=f"<stdin>:4: {REPEATED}")

    def test_the_ways_out(self):
        self.write("both.csv", self.first + self.second)
        out = self.sosie("dedup", "both.csv", "--on-bad-row", "skip", "--rejects", "bad.tsv").out
        self.assertEqual(out.decode(), self.first + self.second.replace("id,text\n", ""))
        self.assertIn(REPEATED, self.read("bad.tsv").decode())
        out = self.sosie("dedup", "both.csv", "--on-bad-row", "keep").out
        self.assertEqual(out.decode(), self.first + self.second)

    def test_rows_that_are_like_the_header_by_right(self):
        self.write("words.csv", "word\na\nword\n")
        self.sosie("dedup", "words.csv", "--column", "word")
        self.write("numbers.csv", "1,2\n3,4\n1,2\n")
        self.sosie("dedup", "numbers.csv", "--no-header", "--column", "2")
        self.write("near.csv", self.first + "id,texts\nidd,text\n")
        self.sosie("dedup", "near.csv")


if __name__ == "__main__":
    unittest.main()

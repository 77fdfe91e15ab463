"""Output names that imply different content, and fields that no row has, are reported before the
work begins."""

import unittest

import corpus
from refusals import RefusalTest
from support import jsonl


class Names(RefusalTest):
    def setUp(self):
        super().setUp()
        self.write("in.jsonl", corpus.texts(99, 30))

    def test_that_say_another_format_are_refused(self):
        for args, name in ((("dedup", "in.jsonl", "-o"), "a.jsonl.bz2"),
                           (("dedup", "in.jsonl", "-o"), "a.xz"),
                           (("dedup", "in.jsonl", "-o"), "a.html"),
                           (("dedup", "in.jsonl", "--removed-rows"), "a.jsonl.zip"),
                           (("dedup", "in.jsonl", "--report"), "r.pdf"),
                           (("dedup", "in.jsonl", "--report"), "R.PDF"),
                           (("dedup", "in.jsonl", "--report"), "r.csv"),
                           (("dedup", "in.jsonl", "--stats"), "s.html"),
                           (("pairs", "in.jsonl", "--stats"), "s.tsv"),
                           (("plan", "--svg"), "x.png"),
                           (("plan", "--family", "minhash", "--svg"), "x.jpeg"),
                           (("plan", "-o"), "p.svg"),
                           (("explain", "d0", "d1", "in.jsonl", "-o"), "e.html")):
            self.refuses(2, *args, name, says=rf"^sosie: --?\S+ {name}: .* cannot be written as \.",
                         hints="name it|can be compressed")
        for option in ("--removed", "--clusters", "--pairs", "--rejects"):
            self.refuses(2, "dedup", "in.jsonl", option, "t.tsv.bz2", says="t.tsv.bz2")

    def test_that_say_nothing_are_taken(self):
        self.sosie("dedup", "in.jsonl", "-o", "kept", "--report", "page", "--stats", "numbers.v2",
                   "--removed-rows", "gone.backup")
        self.sosie("dedup", "in.jsonl", "-o", "kept.json", "--report", "page.htm.gz")
        self.sosie("plan", "--svg", "curve", "-o", "plan")
        self.sosie("explain", "d0", "d1", "in.jsonl", "-o", "why.diff")


class Fields(RefusalTest):
    FORMATS = {"in.jsonl": jsonl([{"id": 1, "text": "one two", "score": 2, "m": {"n": 1}},
                                  {"id": 2, "text": "One two", "note": None, "rare": 7}]),
               "in.csv": b"id,text,score\n1,one two,2\n2,One two,\n"}

    def setUp(self):
        super().setUp()
        for name, content in self.FORMATS.items():
            self.write(name, content)

    def test_that_no_row_has_are_told_with_the_nearest_name(self):
        for name in self.FORMATS:
            self.refuses(3, "dedup", name, "--keep", "max:scroe", "-o", "out",
                         says="^sosie: --keep: no row has the field 'scroe'$",
                         hints="did you mean 'score'.*available fields: id, text, score")
            self.refuses(3, "dedup", name, "--keep", "longest,min:scroe", says="scroe")
            for verb in (("pairs", name), ("query", name, name)):
                self.refuses(3, *verb, "--show", "score,txet",
                             says="^sosie: --show: no row has the field 'txet'$", hints="'text'")
        self.refuses(3, "dedup", "in.jsonl", "--keep", "max:m.k", says="'m.k'")

    def test_that_some_row_has_are_taken(self):
        for field in ("score", "rare", "note", "m.n"):
            self.sosie("dedup", "in.jsonl", "--keep", f"max:{field}")
            self.sosie("pairs", "in.jsonl", "--show", field)
        self.sosie("dedup", "in.csv", "--keep", "min:score")

    def test_an_input_without_rows_has_every_field(self):
        self.write("empty.jsonl", b"\n")
        self.sosie("dedup", "empty.jsonl", "--keep", "max:score")
        self.sosie("pairs", "empty.jsonl", "--show", "score")

    def test_of_vectors_and_bits_too(self):
        self.write("v.jsonl", b'{"id": 1, "v": [1, 2], "score": 3}\n')
        self.refuses(3, "dedup", "v.jsonl", "--kind", "vectors", "--column", "v", "--threshold",
                     "0.9", "--keep", "max:scroe", says="scroe", hints="score")
        self.write("b.csv", b"id,b,score\n1,ff,2\n")
        self.refuses(3, "dedup", "b.csv", "--kind", "bits", "--column", "b", "--within", "1",
                     "--keep", "max:scroe", says="scroe", hints="score")


if __name__ == "__main__":
    unittest.main()

"""CSV and TSV as other programs write them (other delimiters, no header), and the program's own
TSV."""

import gzip
import json
import unittest

from support import SosieTest, zstd, ZSTD


class Delimiters(SosieTest):
    ROWS = ('id;text;n\r\na;"one; ""two"" three";1\r\nb;ONE two three;2\r\nc;other, words\there;3'
            '\r\n')
    KEPT = ('id;text;n\r\na;"one; ""two"" three";1\r\nc;other, words\there;3\r\n').encode()

    def test_rows_leave_byte_for_byte(self):
        self.write("in.csv", self.ROWS)
        self.write("in.tsv", self.ROWS)
        for name in ("in.csv", "in.tsv"):
            self.assertEqual(self.kept(name, "--delimiter", ";"), self.KEPT)

    def test_packed_files_and_pipes_are_cut_alike(self):
        self.write("in.csv.gz", gzip.compress(self.ROWS.encode()))
        self.assertEqual(self.kept("in.csv.gz", "--delimiter", ";"), self.KEPT)
        if ZSTD:
            self.write("in.csv.zst", zstd(self.ROWS.encode()))
            self.assertEqual(self.kept("in.csv.zst", "--delimiter", ";"), self.KEPT)
        self.assertEqual(self.kept("-", "--format", "csv", "--delimiter", ";",
                                   stdin=self.ROWS.encode()), self.KEPT)

    def test_tab_has_two_names(self):
        self.write("in.csv", "id\ttext\na\tx, y\nb\tx, y\n")
        for tab in ("\t", "\\t", "tab"):
            self.assertEqual(self.kept("in.csv", "--delimiter", tab), b"id\ttext\na\tx, y\n")

    def test_added_fields_stand_behind_the_same_delimiter(self):
        self.write("in.csv", "id;text\na;x\n\"b;1\";X\n\"b;2\";y\n")
        self.assertEqual(self.kept("in.csv", "--delimiter", ";", "--annotate", "all", "--keep",
                                   "last").decode(),
                         'id;text;duplicate_of;cluster_size\na;x;"b;1";2\n"b;1";X;;2\n'
                         '"b;2";y;;1\n')

    def test_fields_rank_and_group(self):
        self.write("in.csv", "id|text|n\na|x|1\nb|x|2\n")
        self.assertEqual(self.kept("in.csv", "--delimiter", "|", "--keep", "max:n"),
                         b"id|text|n\nb|x|2\n")
        self.write("pairs.csv", "who|what\nu|1\nu|2\nv|2\nv|1\n")
        self.assertEqual(self.kept("pairs.csv", "--delimiter", "|", "--group-by", "who",
                                   "--element", "what"), b"who|what\nu|1\nu|2\n")

    def test_streamed_rows_are_cut_alike(self):
        self.write("data.csv", "id;text\na;x y z\n")
        out = self.sosie("query", "data.csv", "-", "--format", "csv", "--delimiter", ";",
                         stdin=b"id;text\nq;\"x y; z\"\n").out
        self.assertEqual(out, b"left\tright\tsimilarity\nq\ta\t1.000000\n")
        out = self.sosie("query", "data.csv", "-", "--format", "csv", "--no-header", "--column",
                         "1", "--id", "row", stdin=b"id;text\n").out
        self.assertEqual(out, b"left\tright\tsimilarity\n0\t0\t1.000000\n")

    def test_sketches_and_checkpoints_know_it(self):
        self.write("in.csv", self.ROWS)
        self.sosie("plan", "-o", "p.json")
        self.sosie("sketch", "in.csv", "--delimiter", ";", "--plan", "p.json", "-o", "s")
        self.assertEqual(self.kept("--reuse", "s"), self.KEPT)
        self.sosie("sketch", "in.csv", "--delimiter", ";", "--no-header", "--plan", "p.json",
                   "--column", "2", "-o", "n")
        self.assertEqual(self.kept("--reuse", "n"), self.KEPT)

    def test_a_header_that_is_one_field_says_so(self):
        self.write("in.csv", "id;text;n\n1;one\n")  # a bad row: no delimiter fits
        self.fails(3, "dedup", "in.csv", says="field 'text' is missing",
                   hints=r"a single field, 'id;text;n'; --delimiter ';'")
        self.write("in.tsv", "id;text\n")
        self.fails(3, "dedup", "in.tsv", hints="--delimiter ';'")

    def test_what_cannot_separate_is_refused(self):
        self.write("in.csv", self.ROWS)
        for wrong in ("", ";;", '"', "\\", "\n", "ü"):
            self.fails(2, "dedup", "in.csv", "--delimiter", wrong, says="--delimiter")
        self.write("in.jsonl", ["x"])
        self.fails(2, "dedup", "in.jsonl", "--delimiter", ";", says="no input is CSV or TSV")
        self.fails(2, "dedup", "in.jsonl", "--no-header", says="no input is CSV or TSV")


class NoHeader(SosieTest):
    def test_columns_are_numbered(self):
        self.write("in.csv", "a,one two,1\nb,One Two,2\nc,three,3\n")
        self.assertEqual(self.kept("in.csv", "--no-header", "--column", "2"),
                         b"a,one two,1\nc,three,3\n")
        self.assertEqual(self.kept("in.csv", "--no-header", "--column", "2", "--keep", "max:3",
                                   "--id", "1", "--annotate", "all"),
                         b"a,one two,1,b,2\nb,One Two,2,,2\nc,three,3,,1\n")
        self.write("in.tsv", "a\tone two\nb\tOne Two\n")
        self.assertEqual(self.kept("in.tsv", "--no-header", "--column", "2"), b"a\tone two\n")

    def test_first_rows_of_all_files_are_rows(self):
        self.write("a.csv", "\ufeff1,x\n")
        self.write("b.csv", "\n2,y\n3,X\n")
        self.kept("a.csv", "b.csv", "--no-header", "--column", "2", "--id", "1", "--removed",
                  "r.tsv", "-o", "out.csv")
        self.assertEqual(self.read("out.csv"), "\ufeff1,x\n2,y\n".encode())
        row = self.table("r.tsv")[0]
        self.assertEqual((row["id"], row["kept_id"], row["file"], row["row"]),
                         ("3", "1", "b.csv", "1"))

    def test_rows_of_other_lengths_are_refused(self):
        self.write("in.csv", "a,x\nb\n")
        self.fails(3, "dedup", "in.csv", "--no-header", "--column", "2",
                   says="in.csv:2: expected 2 fields, found 1")
        self.write("b.csv", "a,x,y\n")
        self.write("a.csv", "a,x\n")
        self.fails(3, "dedup", "a.csv", "b.csv", "--no-header", "--column", "2",
                   says="b.csv: has 3 columns, a.csv has 2")
        self.fails(3, "dedup", "a.csv", "--no-header", says="field 'text' is missing",
                   hints="1, 2")

    def test_fields_named_like_added_ones_are_values(self):
        self.write("in.csv", "duplicate_of,x\n")
        self.assertEqual(self.kept("in.csv", "--no-header", "--column", "2", "--annotate", "all"),
                         b"duplicate_of,x,,1\n")


class OwnTsv(SosieTest):
    TEXTS = ('"quoted" and more', '"quoted"', '"', '""', 'in "the" middle', "tab\there",
             "two\nlines", "back\\slash \\t", '"all\tof\\it"\r\n', "C:\\new", "plain")

    def test_shown_texts_are_read_back(self):
        rows = [{"id": str(i), "text": text} for i, text in enumerate(self.TEXTS)]
        self.write("in.jsonl", rows + [dict(row, id="x" + row["id"]) for row in rows])
        self.sosie("pairs", "in.jsonl", "--show", "text", "--shingle", "chars:1", "--tokens",
                   "ascii", "--threshold", "1", "-o", "q.tsv")
        wanted = {row["id"]: row["text"] for row in rows}
        wanted.update({"x" + name: text for name, text in wanted.items()})
        shown = {row["left"]: row["left_text"] for row in self.table("q.tsv")}
        self.assertLessEqual({row["id"] for row in rows}, set(shown))
        self.assertEqual(shown, {name: wanted[name] for name in shown})
        self.sosie("pairs", "q.tsv", "--column", "left_text", "--id", "row", "--shingle",
                   "chars:1", "--tokens", "ascii", "--threshold", "0.01", "--show",
                   "left,left_text", "-o", "again.jsonl")
        lines = [json.loads(line) for line in self.read("again.jsonl").splitlines()]
        self.assertGreater(len(lines), 20)
        for line in lines:
            self.assertEqual(line["left_left_text"], wanted[line["left_left"]])
            self.assertEqual(line["right_left_text"], wanted[line["right_left"]])

    def test_kept_rows_of_it_are_the_same_bytes(self):
        rows = [{"id": i, "text": text} for i, text in enumerate(self.TEXTS)]
        self.write("in.jsonl", rows + [dict(row, id=f"x{row['id']}") for row in rows])
        self.sosie("pairs", "in.jsonl", "--show", "text", "--shingle", "chars:2", "-o", "q.tsv")
        kept = self.kept("q.tsv", "--column", "left_text", "--id", "left", "--shingle", "chars:1",
                         "--threshold", "1", "--tokens", "ascii")
        lines = self.read("q.tsv").splitlines(keepends=True)
        note = lines[0].startswith(b"#sosie ")
        self.assertLessEqual(set(kept.splitlines(keepends=True)), set(lines))
        self.assertEqual(kept.splitlines()[0], lines[1 if note else 0].rstrip(b"\n"))

    def test_a_note_before_the_header_is_no_row(self):
        for name in ("q.tsv", "q.csv"):
            rows = "left,text\na,x\nb,x\n".replace(",", "\t" if name == "q.tsv" else ",")
            self.write(name, "#sosie threshold=0.9\n" + rows)
            self.assertEqual(self.kept(name).decode(), "".join(rows.splitlines(True)[:2]))

    def test_without_a_header_it_is_a_row_from_a_file_and_from_a_pipe(self):
        rows = b"#sosie threshold=0.9\nabc def\n"
        self.write("q.csv", rows)
        options = ("--no-header", "--column", "1", "--shingle", "words:1")
        self.assertEqual(self.kept("q.csv", *options), rows)
        asked = ("query", "q.csv", "-", "--format", "csv", "--threshold", "1", *options)
        found = self.sosie(*asked, stdin=rows).out
        self.assertEqual(found.splitlines()[1:], [b"0\t0\t1.000000", b"1\t1\t1.000000"])

    def test_ids_that_begin_with_a_quote_group(self):
        self.write("in.jsonl", [{"id": '"a"', "text": "x"}, {"id": '"b', "text": "x"}])
        self.sosie("pairs", "in.jsonl", "-o", "p.tsv")
        self.assertEqual(self.read("p.tsv").splitlines()[-1], b'"""a"""\t"""b"\t1.000000')
        out = self.sosie("cluster", "p.tsv", "--threshold", "1").out
        self.assertEqual(out, b'id\tcluster_id\tkept\tsize\n"""a"""\t"""a"""\ttrue\t2\n'
                              b'"""b"\t"""a"""\tfalse\t2\n')

    def test_quoted_fields_of_other_programs_may_hold_lines(self):
        self.write("in.tsv", 'id\ttext\n1\t"two\nlines"\n2\t"two\nlines"\n3\tsay "x"\n'
                             '4\t"x" said\n')
        self.assertEqual(self.kept("in.tsv"),
                         b'id\ttext\n1\t"two\nlines"\n3\tsay "x"\n4\t"x" said\n')


if __name__ == "__main__":
    unittest.main()

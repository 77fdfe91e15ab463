"""Everything that may be wrong with an input or an option, each a fact (refusals.py).

Where bad rows do not stop a run, kept + removed + rejected are the rows there are. What is wrong with
outputs stands in test_bad_output.py, what hostile texts may do to the HTML report in test_report.py.
"""

import filecmp
import gzip
import os
import random
import subprocess
import unittest

import corpus
from refusals import RefusalTest, obey_permissions
from support import IN_MEMORY, SANITIZED, ZSTD, documents, jsonl, zstd

GOOD = b'{"id": "a", "text": "one two three"}\n'


class MissingFiles(RefusalTest):
    def setUp(self):
        super().setUp()
        self.write("in.jsonl", ["one two", "One two", "three"])

    def test_a_missing_file(self):
        for verb in ("dedup", "pairs", "plan"):
            self.refuses(4, verb, "nosuch.jsonl",
                         says=r"^sosie: nosuch\.jsonl: No such file or directory$")
        self.refuses_input(4, "in.jsonl", "no/such.jsonl", says=r"no/such\.jsonl: No such file")
        os.symlink("nowhere", self.dir / "link.jsonl")
        self.refuses_input(4, "in.jsonl", "link.jsonl", says=r"link\.jsonl: No such file")

    def test_a_missing_file_in_a_list(self):
        self.write("list", "in.jsonl\nnosuch.jsonl\n")
        self.refuses_input(4, "--files-from", "list", says=r"nosuch\.jsonl: No such file")
        self.refuses_input(4, "--files-from", "none", says="none: No such file")

    def test_a_glob_that_matches_nothing(self):
        self.refuses_input(4, "part-*.jsonl", says=r"part-\*\.jsonl: no file matches")

    def test_a_folder_without_files(self):
        (self.dir / "empty").mkdir()
        self.refuses_input(4, "empty", says="empty: the folder holds no files")

    def test_an_unreadable_file_or_folder(self):
        self.write("folder/x.jsonl", ["one"])
        os.chmod(self.dir / "in.jsonl", 0)
        os.chmod(self.dir / "folder", 0)
        self.addCleanup(os.chmod, self.dir / "folder", 0o700)
        for name in ("in.jsonl", "folder", "folder/x.jsonl"):
            try:
                self.fails(4, "dedup", name, *self.OUTPUTS, preexec_fn=obey_permissions,
                           says=rf"^sosie: {name}: Permission denied$")
            except subprocess.SubprocessError:
                self.skipTest("this user may read everything, and cannot help it")
            self.assertEqual(self.names() - {"folder/x.jsonl"}, {"in.jsonl"})

    def test_a_folder_where_a_file_should_be(self):
        (self.dir / "d.jsonl").mkdir()
        self.refuses_input(4, "--files-from", "d.jsonl", says=r"d\.jsonl: Is a directory")
        self.refuses(4, "dedup", "in.jsonl", "--reuse", "d.jsonl", "-o", "out",
                     says=r"d\.jsonl: Is a directory")


class EmptyFiles(RefusalTest):
    def test_an_empty_file_is_done(self):
        for name in ("in.jsonl", "in.txt", "in.csv", "in.tsv"):
            self.write(name, b"")
            for verb in ("dedup", "plan"):
                self.sosie(verb, name)
            self.assertEqual(self.adds_up(name), b"")
            self.assertEqual(self.stats().read, 0)
            self.assertEqual(self.sosie("pairs", name).out, b"left\tright\tsimilarity\n")

    def test_only_blank_lines_are_done(self):
        for name in ("in.jsonl", "in.csv", "in.tsv"):
            self.write(name, b"\n\n\r\n\n")
            self.assertEqual(self.kept(name, "--stats", "stats.json", "-o", "out"), b"")
            self.assertEqual(self.read("out"), b"")
            self.assertEqual(self.stats().read, 0)

    def test_empty_input_has_no_duplicates(self):
        self.write("in.jsonl", b"")
        self.sosie("dedup", "in.jsonl", "--fail-if-duplicates")


class BrokenRows(RefusalTest):
    """JSONL rows that stop a run."""

    def test_broken_json_is_reported_with_its_line(self):
        for broken in (b"{", b"{]", b'{"id": "x", "text": "abc}', b'{"text": "a",}', b"nonsense",
                       b'{"id": "x" "text": "a"}', b'{"id": "x", "text": "\\q"}',
                       b'{"id": "x", "text": "\\u12"}', b'{"id": "x", "text": "a"} extra',
                       b'{"id": "x", "text": "a"}{"id": "y", "text": "b"}', b"\x00\x01\x02",
                       b'{"id": "x", "text": "a raw\ttab"}', b'{"id": "x", "text": "\x00"}'):
            with self.subTest(broken=broken):
                self.write("in.jsonl", GOOD + b"\n" + broken + b"\n" + GOOD.replace(b"a", b"z", 1))
                self.refuses_input(3, "in.jsonl", says=r"^sosie: in\.jsonl:3: broken JSON: \S")

    def test_standard_input_that_is_no_json_is_asked_for_its_format(self):
        self.write("sets.sets", b"milk bread\n")
        self.fails(3, "query", "sets.sets", "-", "--threshold", "0.5", stdin=b"milk bread\n",
                   says="^sosie: <stdin>:1: broken JSON", hints="JSONL unless --format")
        for args in (("pairs", "-"), ("dedup", "-")):
            self.refuses(3, *args, "--threshold", "0.5", stdin=b"milk bread\n",
                         says="^sosie: <stdin>:1: broken JSON", hints="JSONL unless --format")
        self.refuses(3, "pairs", "-", stdin=GOOD + b"milk\n", says="<stdin>:2: broken JSON",
                     hints="--on-bad-row skip")

    def test_a_last_row_that_is_cut_off(self):
        self.write("in.jsonl", GOOD + b'{"id": "b", "text": "one tw')
        self.refuses_input(3, "in.jsonl", says=r"^sosie: in\.jsonl:2: broken JSON: \S")

    def test_lists_in_lists_without_end_are_a_broken_row(self):
        good = b'{"id": "a", "text": "one two", "n": 1}\n'
        deep = b"[" * 300_000 + b"]" * 300_000
        for row in (b'{"id": "b", "text": ' + deep + b"}", b'{"text": "x", "id": ' + deep + b"}",
                    b'{"id": "b", "text": "x", "n": ' + deep + b"}", deep, b'{"id": ' * 300_000,
                    b'{"id": "b", "text": "\xff", "n": ' + deep + b"}"):
            self.write("in.jsonl", good + row + b"\n")
            self.refuses_input(3, "in.jsonl", "--keep", "max:n", says=r"in\.jsonl:2: (broken JSON|"
                               r"field '\w+' is nested deeper than 1024|the row is not)")
            # Nobody asks for n; a row that is not UTF-8 is left out.
            kept = good + row + b"\n" if b'"n"' in row and b"\xff" not in row else good
            self.assertEqual(self.adds_up("in.jsonl", "--on-bad-row", "skip"), kept)
        self.write("p.jsonl", b'{"left": "a", "similarity": 1, "right": ' + deep + b"}\n")
        self.refuses(3, "cluster", "p.jsonl", says=r"p\.jsonl:1: not a JSON object")

    def test_rows_that_are_no_objects(self):
        for wrong in (b"[1, 2]", b'"text"', b"12", b"null", b"true"):
            self.write("in.jsonl", GOOD + wrong + b"\n")
            self.refuses_input(3, "in.jsonl", says=r"in\.jsonl:2: the row is not a JSON object")

    def test_a_missing_field_brings_the_fields_there_are(self):
        self.write("in.jsonl", jsonl([{"id": 1, "body": "one", "headline": "x"}]))
        for verb in ("dedup", "pairs"):
            err = self.refuses(3, verb, "in.jsonl", says=r"in\.jsonl:1: field 'text' is missing$")
            self.assertRegex(err, "body")
            self.assertRegex(err, "headline")
        self.refuses_input(3, "in.jsonl", "--column", "bodi", says="field 'bodi' is missing",
                           hints="did you mean 'body'")

    def test_a_field_that_is_missing_later(self):
        self.write("in.jsonl", GOOD + b'{"id": "b", "txt": "one"}\n')
        self.refuses_input(3, "in.jsonl", says=r"in\.jsonl:2: field 'text' is missing", hints="txt")

    def test_a_text_that_is_no_string(self):
        for wrong, called in ((b"null", "null"), (b"12", "a number"), (b"1.5", "a number"),
                              (b"true", "a boolean"), (b'["a"]', "a list"),
                              (b'{"a": "b"}', "an object"), (b"9" * 40, "a number")):
            self.write("in.jsonl", GOOD + b'{"id": "b", "text": ' + wrong + b"}\n")
            self.refuses_input(3, "in.jsonl",
                               says=rf"in\.jsonl:2: field 'text' is {called}, not a string")

    def test_a_missing_id(self):
        self.write("in.jsonl", GOOD + b'{"text": "one two"}\n')
        self.refuses_input(3, "in.jsonl", says=r"in\.jsonl:2: field 'id' is missing")
        self.refuses_input(3, "in.jsonl", "--id", "key", says=r"in\.jsonl:1: field 'key'")

    def test_ids_of_other_types(self):
        for wrong in (None, 1.5, True, [1], {"a": 1}):
            self.write("in.jsonl", jsonl([{"id": "x", "text": "a"}, {"id": wrong, "text": "b"}]))
            self.refuses_input(3, "in.jsonl", says=r"in\.jsonl:2: field 'id' is .* an id is a")

    def test_lines_are_physical_lines(self):
        self.write("in.jsonl", b"\n\r\n" + GOOD + b"\n{broken\n")
        self.refuses_input(3, "in.jsonl", says=r"^sosie: in\.jsonl:5: ")

    def test_lines_are_counted_in_each_file(self):
        self.write("1.jsonl", GOOD)
        self.write("2.jsonl", b'{"id": "b", "text": "x"}\n{broken\n')
        self.refuses_input(3, "1.jsonl", "2.jsonl", says=r"^sosie: 2\.jsonl:2: ")

    def test_what_was_there_stays(self):
        self.write("in.jsonl", GOOD + b"{broken\n")
        for name in ("out", "r.tsv", "c.csv", "p.jsonl", "s.json", "bad.tsv", "page.html"):
            self.write(name, b"old\n")
        self.refuses_input(3, "in.jsonl", says=r"in\.jsonl:2: ")
        self.write("shards/a.jsonl", self.read("in.jsonl"))
        self.refuses(3, "dedup", "shards", "-o", "new/", says=r"shards/a\.jsonl:2: ")

    def test_nothing_comes_to_stdout(self):
        self.write("bad.jsonl", documents(corpus.texts(3, 50)) + b"{broken\n")
        self.refuses(3, "dedup", "bad.jsonl", says=r"bad\.jsonl:51: ")
        self.refuses(3, "pairs", "bad.jsonl", says=r"bad\.jsonl:51: ")
        self.refuses(3, "dedup", "-", stdin=self.read("bad.jsonl"), says="<stdin>:51: ")


class DuplicateIds(RefusalTest):
    def test_they_are_an_error_with_a_way_out(self):
        self.write("in.jsonl", jsonl([{"id": "x", "text": "a"}, {"id": "y", "text": "b"},
                                      {"id": "x", "text": "c"}]))
        self.refuses_input(3, "in.jsonl", hints="--id row",
                           says=r"in\.jsonl:3: id 'x' is already that of in\.jsonl:1$")
        self.refuses(3, "pairs", "in.jsonl", says=r"in\.jsonl:3: ", hints="--id row")
        self.assertEqual(self.adds_up("in.jsonl", "--id", "row"), self.read("in.jsonl"))

    def test_in_two_files(self):
        self.write("1.jsonl", jsonl([{"id": 1, "text": "a"}]))
        self.write("2.jsonl", jsonl([{"id": 2, "text": "a"}, {"id": 1, "text": "b"}]))
        self.refuses_input(3, "1.jsonl", "2.jsonl", hints="--id row",
                           says=r"2\.jsonl:2: id '1' is already that of 1\.jsonl:1$")

    def test_in_csv(self):
        self.write("in.csv", b'id,text\n1,"a\nb"\n1,c\n')
        self.refuses_input(3, "in.csv", says=r"in\.csv:4: id '1' is already that of in\.csv:2$")

    def test_bad_rows_have_no_id(self):
        self.write("in.jsonl", GOOD + b'{"id": "a", "text": null}\n{"id": "a"}\n')
        self.assertEqual(self.adds_up("in.jsonl", "--on-bad-row", "skip"), GOOD)


class FirstBadRow(RefusalTest):
    """Of several bad rows the first in input order is reported, whoever meets it first."""

    def setUp(self):
        super().setUp()
        self.rows = [jsonl([{"id": number, "text": f"{number} " + "some words to fill " * 50}])
                     for number in range(5_000)]  # 5 MB

    def check(self, bad: dict[int, bytes], first: int, says: str = ""):
        rows = list(self.rows)
        for number, content in bad.items():
            rows[number] = content + b"\n"
        self.write("in.jsonl", b"".join(rows))
        for threads in ("1", "7"):
            self.refuses(3, "dedup", "in.jsonl", "--threads", threads,
                         says=rf"^sosie: in\.jsonl:{first + 1}: .*{says}")

    def test_a_broken_row_in_a_later_block(self):
        self.check({4_321: b"{broken"}, 4_321)

    def test_two_broken_rows(self):
        self.check({2_003: b"{broken", 4_900: b"{broken"}, 2_003)
        self.check({1_040: b"{broken", 1_050: b"[]", 2_100: b"{broken"}, 1_040)

    def test_bad_rows_of_two_kinds(self):
        self.check({3_000: b'{"id": 1, "txt": "b"}', 3_900: b"{broken"}, 3_000, "text")
        self.check({3_000: b"{broken", 3_900: b'{"id": 1, "txt": "b"}'}, 3_000)
        self.check({2_000: b"{broken", 2_100: b'{"id": 17, "text": "again"}'}, 2_000)

    def test_a_duplicate_id_before_a_broken_row(self):
        self.check({2_000: b'{"id": 17, "text": "again"}', 3_900: b"{broken"}, 2_000, "17")

    def test_two_duplicate_ids(self):
        self.check({2_000: b'{"id": 1900, "text": "a"}', 3_900: b'{"id": 17, "text": "b"}'}, 2_000,
                   "1900")

    def test_bad_rows_in_two_files(self):
        names = []
        for number in range(6):
            rows = self.rows[number * 800:(number + 1) * 800]
            if number in (2, 4, 5):
                rows[700 if number == 2 else 1] = b"{broken\n"
            names.append(self.write(f"{number}.jsonl", b"".join(rows)))
        for _ in range(2):
            self.refuses(3, "dedup", *names, "--threads", "7", says=r"^sosie: 2\.jsonl:701: ")


class OnBadRow(RefusalTest):
    BAD = (b"{broken\n", b'{"id": "m"}\n', b'{"id": "n", "text": null}\n', b"[]\n")

    def setUp(self):
        super().setUp()
        self.good = jsonl([{"id": number, "text": text} for number, text in enumerate(
            ["one two", "three", "one two", "four"])]).splitlines(keepends=True)
        rows = [row for pair in zip(self.good, self.BAD) for row in pair]
        self.write("in.jsonl", b"".join(rows))

    def test_stop_is_the_default(self):
        for args in ((), ("--on-bad-row", "stop")):
            self.refuses_input(3, "in.jsonl", *args, says=r"^sosie: in\.jsonl:2: ",
                               hints="--on-bad-row skip")

    def test_skip_leaves_them_out_and_counts_them(self):
        kept = self.adds_up("in.jsonl", "--on-bad-row", "skip")
        self.assertEqual(kept, self.good[0] + self.good[1] + self.good[3])
        stats = self.stats()
        self.assertEqual((stats.read, stats.kept, stats.removed, stats.skipped), (8, 3, 1, 4))

    def test_keep_passes_them_through_unmatched(self):
        kept = self.adds_up("in.jsonl", "--on-bad-row", "keep")
        stats = self.stats()
        self.assertEqual((stats.read, stats.kept, stats.removed), (8, 7, 1))
        self.assertEqual(kept, self.good[0] + self.BAD[0] + self.good[1] + self.BAD[1]
                         + self.BAD[2] + self.good[3] + self.BAD[3])
        self.assertEqual([row["id"] for row in self.table("gone.tsv")], ["2"])

    def test_the_summary_says_how_many(self):
        for policy in ("skip", "keep"):
            self.assertRegex(self.sosie("dedup", "in.jsonl", "--on-bad-row", policy).err, r"\b4\b")

    def test_pairs_skip_them_too(self):
        out = self.sosie("pairs", "in.jsonl", "--on-bad-row", "skip").out
        self.assertEqual(out, b"left\tright\tsimilarity\n0\t2\t1.000000\n")

    def test_only_bad_rows(self):
        self.write("in.jsonl", b"".join(self.BAD))
        self.assertEqual(self.adds_up("in.jsonl", "--on-bad-row", "skip"), b"")
        self.assertEqual(self.adds_up("in.jsonl", "--on-bad-row", "keep"), b"".join(self.BAD))

    def test_rejects_keep_bad_rows_with_their_reasons(self):
        self.write("in.csv", b'id,text\n1,"a\nb"\n2\n3,c\n4,x"y\n')
        self.write("in.jsonl", b'{"id": 1, "text": "a"}\n{"id"\n\n{"id": 2}\n')
        for way, kept in (("skip", b'id,text\n1,"a\nb"\n3,c\n'),
                          ("keep", self.read("in.csv"))):
            self.assertEqual(self.kept("in.csv", "--on-bad-row", way, "--rejects", "r.tsv"), kept)
            rejects = [(row["file"], row["line"], row["row"]) for row in self.table("r.tsv")]
            self.assertEqual(rejects,
                             [("in.csv", "4", "2"), ("in.csv", "6", '4,x"y')])
        self.sosie("pairs", "in.jsonl", "--on-bad-row", "skip", "--rejects", "r.jsonl")
        rejects = self.table("r.jsonl")
        self.assertEqual([row["line"] for row in rejects], ["2", "4"])
        self.assertIn("broken JSON", rejects[0]["reason"])
        self.assertEqual(rejects[1]["reason"], "field 'text' is missing")
        self.assertEqual(rejects[1]["row"], '{"id": 2}')


class PackedFiles(RefusalTest):
    def setUp(self):
        super().setUp()
        self.data = documents(corpus.texts(4, 200))

    def test_broken_gzip(self):
        packed = gzip.compress(self.data)
        for name, data, says in (("cut", packed[:-4], "truncated gzip"),
                                 ("half", packed[:len(packed) // 2], "truncated gzip"),
                                 ("none", b"", "truncated gzip"),
                                 ("second", packed + packed[:50], "truncated gzip"),
                                 ("more", packed + b"x", "bytes after the end of gzip"),
                                 ("padded", packed + bytes(512) + packed,
                                  "bytes after the end of gzip"),
                                 ("plain", self.data, "broken gzip"),
                                 ("sum", packed[:-8] + b"sums" + packed[-4:], "broken gzip")):
            self.write(f"{name}.jsonl.gz", data)
            self.refuses_input(3, f"{name}.jsonl.gz", says=rf"^sosie: {name}\.jsonl\.gz: {says}")

    @unittest.skipUnless(ZSTD, "no zstd here")
    def test_broken_zstd(self):
        packed = zstd(self.data)
        for name, data, says in (("cut", packed[:-5], "truncated zstd"),
                                 ("half", packed[:len(packed) // 2], "truncated zstd"),
                                 ("none", b"", "truncated zstd"),
                                 ("more", packed + b"more of it", "broken zstd"),
                                 ("plain", self.data, "broken zstd")):
            self.write(f"{name}.jsonl.zst", data)
            self.refuses_input(3, f"{name}.jsonl.zst", says=rf"^sosie: {name}\.jsonl\.zst: {says}")

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
        self.refuses_input(3, "in.csv", says=r"in\.csv:2: text behind a closing quote")
        self.write("in.csv", b'id,"text\n1,a\n')
        self.refuses_input(3, "in.csv", says=r"in\.csv:1: unclosed quote")

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
        self.refuses_input(3, "c.csv", says=r"c\.csv:1: field 'text' is there twice")


class StrangeBytes(RefusalTest):
    """What is no text, or hardly, is passed through as it came."""

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

    def test_ids_of_broken_utf8_make_valid_side_files(self):
        self.write("in.jsonl", b'{"id": "\xff\xfe", "text": "x"}\n{"id": "\\ud800", "text": "x"}\n')
        self.adds_up("in.jsonl", "--clusters", "c.jsonl", "--pairs", "p.jsonl")
        for name in ("c.jsonl", "p.jsonl"):
            self.assertIn("\ufffd\ufffd", self.read(name).decode("utf-8", "strict"))

    def test_ids_are_found_in_a_first_row_of_any_bytes(self):
        """Where the first row has an id, ids name rows: broken bytes in it change nothing."""
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
        self.sosie("dedup", "docs", "-o", "out/")
        for name in ("bytes", "nul", "none"):
            self.assertEqual(self.read("out/" + name), self.read("docs/" + name))


class Terminals(RefusalTest):
    """Texts, ids, fields and names cannot steer the terminal that shows them."""

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
        self.assert_tame(self.refuses(2, self.EVIL, "in.jsonl", says="no such verb"))
        self.assert_tame(self.refuses_input(2, "in.jsonl", f"--{self.EVIL}", says="unknown option"))

    def test_an_id_of_a_megabyte_is_cut_in_an_error(self):
        self.write("in.jsonl", jsonl([{"id": "x" * 1_000_000, "text": "a"}] * 2))
        self.assertLess(len(self.refuses_input(3, "in.jsonl", says="id 'xxx")), 5_000)


class LargeInput(RefusalTest):
    place = IN_MEMORY

    def test_a_million_identical_rows(self):
        count = 200_000 if SANITIZED else 1_000_000
        row = '{"id": %d, "text": "call me ishmael some years ago"}\n'
        self.write("in.jsonl", "".join([row % number for number in range(count)]))
        kept = self.kept("in.jsonl", "--stats", "stats.json")
        self.assertEqual(kept, (row % 0).encode())
        stats = self.stats()
        self.assertEqual((stats.read, stats.kept, stats.identical), (count, 1, count - 1))

    def test_a_hundred_thousand_identical_rows_compared_by_brute_force(self):
        self.write("in.txt", "one two three four five six\n" * 100_000)
        self.assertEqual(self.kept("in.txt", "--method", "brute"), b"one two three four five six\n")

    def test_their_pairs_are_refused_at_once_when_limited(self):
        self.write("in.txt", "one two three four five six\n" * 100_000)
        self.refuses(4, "pairs", "in.txt", "--limit", "1000", "-o", "pairs.tsv", timeout=20,
                     says="more than 1000 pairs reach jaccard 0.8, which is --limit")

    def test_a_document_of_200_megabytes(self):
        megabytes = 20 if SANITIZED else 200
        chance = random.Random(8)
        words = [bytes(chance.choices(b"abcdefgh", k=99)) for _ in range(10_000)]
        megabyte = b" ".join(words) + b" "
        self.assertEqual(len(megabyte), 1_000_000)
        short = b'{"id": %d, "text": "a short text"}\n'
        with open(self.dir / "in.jsonl", "wb") as file:
            file.write(b'{"id": 0, "text": "')
            for _ in range(megabytes):
                file.write(megabyte)
            file.write(b'"}\n' + short % 1 + short % 2)
        self.sosie("dedup", "in.jsonl", "-o", "out.jsonl", "--stats", "stats.json")
        self.assertEqual((self.stats().read, self.stats().kept), (3, 2))
        os.truncate(self.dir / "in.jsonl", os.path.getsize(self.dir / "in.jsonl") - len(short % 2))
        self.assertTrue(filecmp.cmp(self.dir / "in.jsonl", self.dir / "out.jsonl", shallow=False))


class Options(RefusalTest):
    def setUp(self):
        super().setUp()
        self.write("in.jsonl", ["one two", "three"])

    def test_bad_thresholds(self):
        for value in ("0", "0.0", "1.5", "1.000000001", "abc", "-0.5", "nan", "inf", "", "4/0",
                      "5/4", "0/4", "0.8x", "80%"):
            for verb in ("dedup", "pairs"):
                self.refuses(2, verb, "in.jsonl", f"--threshold={value}", "-o", "out",
                             says="threshold")

    def test_recall_one_cannot_be_had_with_lsh(self):
        self.refuses_input(2, "in.jsonl", "--recall", "1", "--method", "lsh", says="recall")
        self.refuses(2, "pairs", "in.jsonl", "--recall", "1.0", "--method", "lsh", says="recall")

    def test_an_unknown_option_brings_the_nearest_one(self):
        for wrong, right in (("--treshold", "--threshold"), ("--shingles", "--shingle"),
                             ("--remove", "--removed"), ("--kep", "--keep")):
            self.refuses_input(2, "in.jsonl", wrong, "0.8", says=f"^sosie: {wrong}: unknown opt",
                               hints=f"did you mean {right}[?]")

    def test_an_unknown_verb_brings_the_verbs_there_are(self):
        self.refuses(2, "dedub", "in.jsonl", says="^sosie: dedub: no such verb$",
                     hints=r"\bdedup\b")
        self.refuses(2, "frobnicate", says="frobnicate")


if __name__ == "__main__":
    unittest.main()

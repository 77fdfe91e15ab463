"""Everything that may be wrong with an input, an output or an option, each a fact.

A run that cannot do what it was asked for ends with the exit code of CLI.md and one line that names
file, line and reason (perhaps with one line of advice), and leaves everything as it was: no output
under its name, no temporary file, no scratch. Where bad rows do not stop it, kept + removed +
rejected are the rows there are.

What hostile texts may do to the HTML report stands in test_report.py.
"""

import array
import ctypes
import fcntl
import filecmp
import functools
import gzip
import os
import random
import resource
import select
import signal
import subprocess
import termios
import time
import unittest
from pathlib import Path

import corpus
from support import IN_MEMORY, SANITIZED, SOSIE, ZSTD, SosieTest, documents, jsonl, zstd

GOOD = b'{"id": "a", "text": "one two three"}\n'
GOOD_BYE_S = 5.0 if SANITIZED else 2.0  # Ctrl-C ends a run within a second; machines are busy
FULL = "No space left on device|File too large"  # of a disk, or of what RLIMIT_FSIZE allows
LIBC = ctypes.CDLL(None, use_errno=True)


def obey_permissions():
    """Takes from a child that runs as root what lets it read and write every file."""
    drop_from_bounding_set, override, read_search = 24, 1, 2  # linux/prctl.h, linux/capability.h
    for capability in (override, read_search):
        if LIBC.prctl(drop_from_bounding_set, capability, 0, 0, 0) != 0 and os.geteuid() == 0:
            raise OSError(ctypes.get_errno(), "prctl")


def limit_file_size():
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (500_000, 500_000))


class BadInput(SosieTest):
    """Words for what all these tests say."""

    OUTPUTS = ("-o", "out", "--removed", "r.tsv", "--clusters", "c.csv", "--pairs", "p.jsonl",
               "--stats", "s.json", "--rejects", "bad.tsv", "--report", "page.html")

    def everything(self) -> dict:
        """All files, hidden ones too, with what would tell that one was touched; all folders."""
        found = {}
        for path in self.dir.rglob("*"):
            status = path.lstat()
            found[str(path.relative_to(self.dir))] = "special" if not path.is_file() else (
                status.st_ino, status.st_size, status.st_mtime_ns)
        return found

    def refuses(self, code: int, *args: str, says: str, hints: str = "", **options) -> str:
        """The run ends with `code` and one line, and everything is as it was. Returns stderr."""
        before = self.everything()
        result = self.fails(code, *args, says=says, hints=hints, **options)
        for advice in result.error_lines()[1:]:
            self.assertRegex(advice, r"^  \S")
        self.assertEqual(result.out, b"")
        self.assertEqual(self.everything(), before)
        self.assertEqual(list(self.scratch.iterdir()), [])
        return result.err

    def refuses_input(self, code: int, *inputs: str, says: str, **options) -> str:
        """The same of a `dedup` that was to write all it can write."""
        return self.refuses(code, "dedup", *inputs, *self.OUTPUTS, says=says, **options)

    def adds_up(self, *args: str, **options) -> bytes:
        """Runs `dedup`, checks that no row got lost, and returns the kept ones."""
        kept = self.kept(*args, "--removed", "gone.tsv", "--rejects", "bad.jsonl", "--stats",
                         "stats.json", **options)
        stats = self.stats()
        self.assertEqual(stats.kept + stats.removed + stats.skipped, stats.read)
        self.assertEqual(len(self.table("gone.tsv")), stats.removed)
        self.assertEqual(len(self.table("bad.jsonl")), stats.skipped + stats.tree["unmatched"])
        return kept


class MissingFiles(BadInput):
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


class EmptyFiles(BadInput):
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


class BrokenRows(BadInput):
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

    def test_a_last_row_that_is_cut_off(self):
        self.write("in.jsonl", GOOD + b'{"id": "b", "text": "one tw')
        self.refuses_input(3, "in.jsonl", says=r"^sosie: in\.jsonl:2: broken JSON: \S")

    def test_lists_in_lists_without_end_are_a_broken_row(self):
        deep = b"[" * 300_000 + b"]" * 300_000
        for row in (b'{"id": "b", "text": ' + deep + b"}", b'{"text": "x", "id": ' + deep + b"}",
                    b'{"id": "b", "text": "x", "n": ' + deep + b"}", deep, b'{"id": ' * 300_000,
                    b'{"id": "b", "text": "\xff", "n": ' + deep + b"}"):
            self.write("in.jsonl", GOOD + row + b"\n")
            self.refuses_input(3, "in.jsonl", "--keep", "max:n", says=r"in\.jsonl:2: broken JSON")
            self.assertEqual(self.adds_up("in.jsonl", "--on-bad-row", "skip"), GOOD)
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


class DuplicateIds(BadInput):
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


class FirstBadRow(BadInput):
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


class OnBadRow(BadInput):
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


class PackedFiles(BadInput):
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


class BrokenCsv(BadInput):
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


class StrangeBytes(BadInput):
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


class Terminals(BadInput):
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


class LargeInput(BadInput):
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
                     says="4999950000 pairs reach 0.8, --limit is 1000")

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


class Outputs(BadInput):
    def setUp(self):
        super().setUp()
        self.write("in.jsonl", ["one two", "One two", "three"])

    def test_a_name_that_cannot_be_written(self):
        self.write("file", b"")
        for option in ("-o", "--removed", "--clusters", "--pairs", "--stats", "--rejects",
                       "--report"):
            for place in ("no/such", "file"):
                self.refuses(4, "dedup", "in.jsonl", option, f"{place}/x.jsonl",
                             says=rf"^sosie: {place}/x\.jsonl: (No such file|Not a directory)")
        self.refuses(4, "dedup", "in.jsonl", "-o", "out.jsonl", "--removed", "no/such/r.tsv",
                     says=r"no/such/r\.tsv")
        self.refuses(4, "pairs", "in.jsonl", "-o", "no/such/p.tsv", says=r"no/such/p\.tsv")

    def test_a_name_that_is_a_folder(self):
        (self.dir / "d.tsv").mkdir()
        self.refuses(4, "dedup", "in.jsonl", "-o", "out", "--removed", "d.tsv",
                     says=r"^sosie: d\.tsv: is a folder$", hints="slash")
        (self.dir / "d.jsonl").mkdir()
        self.refuses(4, "dedup", "in.jsonl", "-o", "d.jsonl", says="^sosie: d.jsonl: is a folder$",
                     hints="-o FOLDER/")

    def test_a_folder_that_may_not_be_written(self):
        (self.dir / "locked").mkdir(mode=0o555)
        for name in ("locked/out.jsonl", "locked/out/"):
            try:
                self.refuses(4, "dedup", "in.jsonl", "-o", name, preexec_fn=obey_permissions,
                             says=rf"^sosie: {name}: Permission denied$")
            except subprocess.SubprocessError:
                self.skipTest("this user may write everything, and cannot help it")

    def test_the_output_is_the_input(self):
        os.link(self.dir / "in.jsonl", self.dir / "hard.jsonl")
        os.symlink("in.jsonl", self.dir / "soft.jsonl")
        (self.dir / "folder").mkdir()
        for name in ("in.jsonl", "./in.jsonl", "folder/../in.jsonl", str(self.dir / "in.jsonl"),
                     "hard.jsonl", "soft.jsonl"):
            says = r"in\.jsonl|hard|soft"
            self.refuses(2, "dedup", "in.jsonl", "-o", name, says=says, hints="never changed")
            self.refuses(2, "pairs", "in.jsonl", "-o", name, says=says)
            self.refuses(2, "dedup", "in.jsonl", "-o", "out.jsonl", "--removed", name, says=says)

    def test_the_output_lies_in_the_input_folder(self):
        self.write("shards/a.jsonl", ["one", "one"])
        self.refuses(2, "dedup", "shards", "-o", "shards/a.jsonl", "--id", "row",
                     says=r"shards/a\.jsonl: is an input")
        self.refuses(2, "dedup", "shards", "-o", "shards/", "--overwrite", "--id", "row",
                     says="is an input of this run")

    def test_a_folder_that_holds_files_needs_overwrite(self):
        self.write("in/a.jsonl", ["one two"])
        self.write("out/a.jsonl", b"old")
        self.write("out/mine.txt", b"mine")
        self.refuses(2, "dedup", "in", "-o", "out/", says="^sosie: out/: the folder is not empty",
                     hints="--overwrite")
        self.sosie("dedup", "in", "-o", "out/", "--overwrite")
        self.assertEqual(self.read("out/a.jsonl"), self.read("in/a.jsonl"))
        self.assertEqual(self.read("out/mine.txt"), b"mine")
        self.assertEqual({name for name in self.names() if name.startswith("out/")},
                         {"out/a.jsonl", "out/mine.txt"})


class FullDisks(BadInput):
    def setUp(self):
        super().setUp()
        self.write("in.jsonl", corpus.planted_pairs(2, 900))  # 2.5 MB
        (self.dir / "disk").mkdir()
        mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=512k", "tmpfs",
                                  self.dir / "disk"], stderr=subprocess.DEVNULL, check=False)
        if mounted.returncode == 0:
            self.addCleanup(subprocess.run, ["umount", "-l", self.dir / "disk"], check=True)
            self.limits = {}
        else:  # files that may not grow stand in for a disk that may not
            self.limits = {"preexec_fn": limit_file_size, "restore_signals": False}

    def test_kept_rows(self):
        self.write("disk/out.jsonl", b"old\n")
        self.refuses(4, "dedup", "in.jsonl", "-o", "disk/out.jsonl", "--removed", "r.tsv",
                     "--stats", "s.json", says=rf"sosie: disk/out\.jsonl: ({FULL})$", **self.limits)
        self.refuses(4, "dedup", "in.jsonl", "-o", "disk/new.jsonl.gz", "--threshold", "1",
                     says=rf"^sosie: disk/new\.jsonl\.gz: ({FULL})$", **self.limits)

    def test_a_folder_of_kept_rows(self):
        self.write("shards/a.jsonl", self.read("in.jsonl"))
        self.refuses(4, "dedup", "shards", "-o", "disk/out/", says=rf"disk/.*: ({FULL})$",
                     **self.limits)

    def test_a_side_file(self):
        self.write("in.txt", "one two three four five six\n" * 1_000)
        self.refuses(4, "dedup", "in.txt", "-o", "out.txt", "--pairs", "disk/p.tsv", "--removed",
                     "r.tsv", says=rf"^sosie: disk/p\.tsv: ({FULL})$", **self.limits)

    def test_scratch(self):
        self.write("in.jsonl.gz", gzip.compress(self.read("in.jsonl")))
        for source in ("in.jsonl.gz", "-"):
            self.refuses(4, "dedup", source, "--scratch", "disk", "-o", "out.jsonl",
                         says=rf"^sosie: disk: ({FULL})$", stdin=self.read("in.jsonl"),
                         **self.limits)


class FullDevices(BadInput):
    """/dev/full takes nothing, and says so only when something is written to it at last."""

    def test_stdout(self):
        self.write("in.jsonl", ["one two", "One two", "three"])
        self.write("big.jsonl", corpus.planted_pairs(1, 1000))
        with open("/dev/full", "wb") as full:
            for args in (("dedup", "in.jsonl"), ("pairs", "in.jsonl"), ("dedup", "big.jsonl")):
                self.refuses(4, *args, "--stats", "s.json", "--rejects", "r.tsv", stdout=full,
                             says="^sosie: <stdout>: No space left on device$")

    def test_of_several_outputs_none_appears_when_one_fails(self):
        self.write("in.jsonl", ["one two", "One two", "three"])
        for at in range(1, len(self.OUTPUTS), 2):
            names = list(self.OUTPUTS)
            names[at] = "full" + Path(names[at]).suffix
            link = self.dir / names[at]
            os.symlink("/dev/full", link)
            self.refuses(4, "dedup", "in.jsonl", *names, says=rf"^sosie: {names[at]}: No space")
            link.unlink()


class FilesThatChange(BadInput):
    def changed_when_open(self, change, *args: str, code: int = 0) -> subprocess.Popen:
        """Changes in.jsonl behind the program's back: when it takes more of the second input than a
        pipe holds, it has opened the first, and has not read it."""
        process = self.start("dedup", "in.jsonl", "-", "--threads", "1", "--id", "row", "--quiet",
                             *args, stdin=subprocess.PIPE)
        process.stdin.write(self.second)
        process.stdin.flush()
        change(self.dir / "in.jsonl")
        process.out, process.err = process.communicate(timeout=60)
        self.assertEqual(process.returncode, code, process.err)
        self.assertEqual(list(self.scratch.iterdir()), [])
        return process

    def setUp(self):
        super().setUp()
        self.write("in.jsonl", corpus.planted_pairs(7, 50))
        self.second = documents(corpus.planted_pairs(8, 100))
        self.assertGreater(len(self.second), 200_000)
        self.first = self.read("in.jsonl")

    def test_one_that_shrinks_is_an_error(self):
        for size in (0, 1000, len(self.first) - 1):
            self.write("in.jsonl", self.first)
            done = self.changed_when_open(lambda path: os.truncate(path, size), *self.OUTPUTS,
                                          code=4)
            self.assertEqual(done.err, b"sosie: in.jsonl: became shorter while it was read\n")
            self.assertEqual(self.names(), {"in.jsonl"})

    def test_of_one_that_grows_the_rows_it_had_count(self):
        def append(path: Path):
            with open(path, "ab") as file:
                file.write(b'{"id": "late", "text": "a row that came late"}\n{"half')

        done = self.changed_when_open(append, "--threshold", "1", "--stats", "stats.json")
        self.assertEqual(done.out, self.first + self.second)
        self.assertEqual(self.stats().read, 300)

    def test_one_that_is_removed_or_replaced_is_read_as_it_was(self):
        for change in (os.unlink, lambda path: os.rename(self.dir / "other", path)):
            self.write("in.jsonl", self.first)
            self.write("other", GOOD)
            self.assertEqual(self.changed_when_open(change, "--threshold", "1").out,
                             self.first + self.second)

    def test_one_of_very_many_that_is_removed_or_replaced_is_an_error(self):
        """They are not all kept open."""
        names = [self.write(f"many/{number}.txt", "one two") for number in range(300)]
        for change, says in ((os.unlink, "No such file or directory"),
                             (lambda path: os.rename(self.dir / "other", path),
                              "was replaced while it was read")):
            self.write("in.jsonl", self.first)
            self.write("other", self.first)
            done = self.changed_when_open(change, *names, "--dry-run", code=4)
            self.assertEqual(done.err.decode(), f"sosie: in.jsonl: {says}\n")


class Options(BadInput):
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


class ClosedPipe(BadInput):
    def test_it_ends_quietly(self):
        self.write("in.jsonl", corpus.planted_pairs(63, 1_000))
        self.write("in.txt", "one and the same\n" * 600)  # 179,700 pairs
        for args in (("dedup", "in.jsonl"), ("pairs", "in.txt")):
            process = self.start(*args, "--quiet", "--stats", "s.json")
            self.assertTrue(process.stdout.read(1))  # more comes than a pipe holds
            process.stdout.close()
            err = process.stderr.read()
            process.stderr.close()
            code = process.wait(timeout=20)
            self.assertEqual(err, b"")
            self.assertIn(code, (0, -signal.SIGPIPE, 128 + signal.SIGPIPE))
            self.assertEqual(self.names(), {"in.jsonl", "in.txt"})

    def test_in_a_shell(self):
        self.write("in.jsonl", corpus.planted_pairs(63, 1_000))
        done = subprocess.run(["sh", "-c", f"'{SOSIE}' dedup in.jsonl --quiet | head -1"],
                              cwd=self.dir, env=self.environment(), capture_output=True,
                              timeout=30)
        self.assertEqual(done.returncode, 0)
        self.assertEqual(done.stdout, self.read("in.jsonl").splitlines(keepends=True)[0])
        self.assertEqual(done.stderr, b"")


@functools.lru_cache(maxsize=1)
def many_rows() -> bytes:
    """Enough rows that comparing all of them takes much longer than these tests wait."""
    chance = random.Random(60)
    pieces = [corpus.unrelated_words(chance, 20) for _ in range(500)]
    return documents([" ".join(chance.sample(pieces, 6)) for _ in range(20_000)])


class Interrupted(BadInput):
    """Ctrl-C in each stage of a run ends it with 130, within a second, and with nothing left."""

    SIDE_FILES = ("--removed", "r.tsv", "--clusters", "c.tsv", "--stats", "s.json", "--pairs",
                  "p.tsv", "--report", "page.html")

    def interrupt(self, process: subprocess.Popen, sign: int = signal.SIGINT) -> None:
        """Stdin and stdout stay open: what it does within a second it does of its own accord."""
        self.assertIsNone(process.poll(), "it is still at work when interrupted")
        sent = time.monotonic()
        process.send_signal(sign)
        try:
            process.wait(timeout=10)
        except subprocess.TimeoutExpired:
            process.kill()
            self.fail("still running ten seconds after Ctrl-C")
        finally:
            took = time.monotonic() - sent
            process.out, err = process.communicate()
        self.assertEqual(process.returncode, 130, err)
        self.assertLess(took, GOOD_BYE_S)
        self.assertTrue(err.endswith(b"sosie: interrupted\n"), err)
        self.assertEqual(list(self.scratch.iterdir()), [])

    def wait_for(self, stage: bytes, process: subprocess.Popen) -> None:
        """Until the progress bar says what is being done."""
        shown = b""
        while stage not in shown:
            more = os.read(process.stderr.fileno(), 4096)
            self.assertTrue(more, f"the run ended without {stage}: {shown[-300:]}")
            shown += more

    def check_stage(self, stage: bytes, *args: str):
        self.write("in.jsonl", many_rows())
        self.write("out.jsonl", b"old\n")
        before = self.everything()
        process = self.start(*args, "-o", "out.jsonl", "--progress", "bar")
        self.wait_for(stage, process)
        self.interrupt(process)
        self.assertEqual(process.out, b"")
        self.assertEqual(self.everything(), before)

    def test_while_it_waits_for_a_pipe(self):
        os.mkfifo(self.dir / "pipe.jsonl")
        os.mkfifo(self.dir / "list")
        self.write("in.jsonl", GOOD)
        for args in (("dedup", "-"), ("pairs", "-"), ("plan", "-"), ("cluster", "-"),
                     ("dedup", "pipe.jsonl"), ("dedup", "--files-from", "-"),
                     ("dedup", "--files-from", "list"), ("dedup", "in.jsonl", "--reuse", "-")):
            with self.subTest(args=args):
                before = self.everything()
                process = self.start(*args, "-o", "out.jsonl", stdin=subprocess.PIPE)
                time.sleep(0.1)  # nothing tells when it has begun to wait
                self.interrupt(process)
                self.assertEqual(self.everything(), before)

    def test_in_the_middle_of_stdin(self):
        """What has come so far is no result."""
        process = self.start("dedup", "-", "-o", "out.jsonl", stdin=subprocess.PIPE)
        process.stdin.write(documents(corpus.texts(64, 1000)))  # more than a pipe holds
        process.stdin.flush()
        self.interrupt(process)
        self.assertEqual(self.names(), set())

    def test_when_whoever_feeds_it_is_interrupted_too(self):
        """In `producer | sosie dedup -` Ctrl-C ends both: the end of the input is no result."""
        self.write("out.jsonl", b"old\n")
        process = self.start("dedup", "-", "-o", "out.jsonl", stdin=subprocess.PIPE)
        process.stdin.write(documents(corpus.texts(65, 1000)))
        process.stdin.flush()
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=10)  # closes stdin
        self.assertEqual(process.returncode, 130)
        self.assertEqual(self.read("out.jsonl"), b"old\n")

    def test_while_it_reads_and_sketches(self):
        self.check_stage(b"reading", "dedup", *["in.jsonl"] * 8, "--id", "row", "--method", "lsh",
                         "--bands", "1024x1", *self.SIDE_FILES)

    def test_while_it_compares(self):
        self.check_stage(b"comparing", "dedup", "in.jsonl", "--method", "brute", "--threshold",
                         "0.9", *self.SIDE_FILES)

    def test_while_it_verifies_candidates(self):
        self.check_stage(b"comparing", "pairs", "in.jsonl", "--method", "lsh", "--bands", "64x1",
                         "--threshold", "0.1")

    def test_while_it_audits(self):
        self.check_stage(b"auditing", "dedup", "in.jsonl", "--audit=20000", *self.SIDE_FILES)

    def test_sigterm_is_the_same(self):
        self.write("in.jsonl", many_rows())
        process = self.start("pairs", "in.jsonl", "--method", "brute", "-o", "p.tsv", "--progress",
                             "bar")
        self.wait_for(b"comparing", process)
        self.interrupt(process, signal.SIGTERM)
        self.assertEqual(self.names(), {"in.jsonl"})

    def test_while_it_writes_to_a_reader_that_does_not_read(self):
        """Stdout, or a named pipe, is full: Ctrl-C still ends it, and no side file appears."""
        self.write("in.jsonl", corpus.planted_pairs(62, 500))
        self.assertGreater(len(self.read("in.jsonl")), 1_000_000)
        os.mkfifo(self.dir / "pipe.jsonl")
        before = self.everything()
        for output in ((), ("-o", "pipe.jsonl")):
            with self.subTest(output=output):
                reader = os.open(self.dir / "pipe.jsonl", os.O_RDONLY | os.O_NONBLOCK)
                process = self.start("dedup", "in.jsonl", "--quiet", "--removed", "r.tsv", *output)
                pipe = reader if output else process.stdout.fileno()
                select.select([pipe], [], [], 30)
                self.wait_until_full(pipe)
                self.interrupt(process)
                os.close(reader)
                self.assertEqual(self.everything(), before)

    def wait_until_full(self, pipe: int):
        """Until no more comes into a pipe."""
        waiting, held, capacity = array.array("i", [0]), -1, fcntl.fcntl(pipe, fcntl.F_GETPIPE_SZ)
        deadline = time.monotonic() + 30
        while held < capacity:
            self.assertLess(time.monotonic(), deadline, f"{held} of {capacity} bytes came")
            time.sleep(0.01)
            fcntl.ioctl(pipe, termios.FIONREAD, waiting)
            held = waiting[0]

    def test_at_moments_of_a_run(self):
        """Wherever Ctrl-C falls: 130 and nothing left, or done and everything there."""
        self.write("in.jsonl", corpus.planted_pairs(61, 1_500))
        whole = self.kept("in.jsonl")
        for after_ms in (0, 3, 10, 20, 40, 80, 120, 200):
            process = self.start("dedup", "in.jsonl", "-o", "out.jsonl", "--removed", "r.tsv",
                                 "--quiet")
            time.sleep(after_ms / 1000)
            process.send_signal(signal.SIGINT)
            process.communicate(timeout=10)
            if process.returncode == 0:
                self.assertEqual(self.read("out.jsonl"), whole)
                self.assertIn("r.tsv", self.names())
                os.unlink(self.dir / "out.jsonl")
                os.unlink(self.dir / "r.tsv")
            elif process.returncode != -signal.SIGINT:  # before the program could say anything
                self.assertEqual(process.returncode, 130, after_ms)
            self.assertEqual(self.names(), {"in.jsonl"}, after_ms)


if __name__ == "__main__":
    unittest.main()

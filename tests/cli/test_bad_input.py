"""Everything that may be wrong with an input or an option, one fact per test (refusals.py).

If bad rows do not stop a run, kept + removed + rejected = all rows. test_bad_output.py covers errors in
outputs, and test_report.py the effect of hostile texts on the HTML report.
"""

import os
import subprocess
import unittest

import corpus
from refusals import RefusalTest, obey_permissions
from support import documents, jsonl

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
        self.refuses_input(4, "empty", says="empty: the folder contains no files")

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
        self.refuses(2, "dedup", "in.jsonl", "--reuse", "d.jsonl", "-o", "out",
                     says=r"--reuse d\.jsonl: holds no sketches")


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
                   says="^sosie: <stdin>:1: broken JSON", hints="JSONL unless --other-format")
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
            # n is not requested; a row that is not UTF-8 is left out.
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

    def test_the_way_out_is_of_a_row_or_of_the_column(self):
        self.write("later.jsonl", '{"id": 1, "text": "a"}\n{"id": 2}\n')
        self.refuses_input(3, "later.jsonl", says="later.jsonl:2: field 'text' is missing",
                           hints="available fields: id; .*--on-bad-row skip leaves such rows out")
        self.write("never.jsonl", '{"id": 2}\n')
        err = self.refuses_input(3, "never.jsonl", says="field 'text' is missing", hints="--column")
        self.assertNotIn("--on-bad-row", err)
        self.write("rows.csv", "0.5,0.2\n0.1,0.3\n")
        self.refuses_input(3, "rows.csv", says="is missing", hints="--no-header reads it as a row")

    def test_a_text_that_is_no_string(self):
        for wrong, called in ((b'["a"]', "a list"), (b'{"a": "b"}', "an object")):
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
                           says=r"in\.jsonl:3: id 'x' is already used by in\.jsonl:1$")
        self.refuses(3, "pairs", "in.jsonl", says=r"in\.jsonl:3: ", hints="--id row")
        self.assertEqual(self.adds_up("in.jsonl", "--id", "row"), self.read("in.jsonl"))

    def test_in_two_files(self):
        self.write("1.jsonl", jsonl([{"id": 1, "text": "a"}]))
        self.write("2.jsonl", jsonl([{"id": 2, "text": "a"}, {"id": 1, "text": "b"}]))
        self.refuses_input(3, "1.jsonl", "2.jsonl", hints="--id row",
                           says=r"2\.jsonl:2: id '1' is already used by 1\.jsonl:1$")

    def test_in_csv(self):
        self.write("in.csv", b'id,text\n1,"a\nb"\n1,c\n')
        self.refuses_input(3, "in.csv", says=r"in\.csv:4: id '1' is already used by in\.csv:2$")

    def test_bad_rows_have_no_id(self):
        self.write("in.jsonl", GOOD + b'{"id": "a", "text": [1.5]}\n{"id": "a"}\n')
        self.assertEqual(self.adds_up("in.jsonl", "--on-bad-row", "skip"), GOOD)


class FirstBadRow(RefusalTest):
    """If there are several bad rows, the first in input order is reported, regardless of which
    thread reads it."""

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
    BAD = (b"{broken\n", b'{"id": "m"}\n', b'{"id": "n", "text": ["n"]}\n', b"[]\n")

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


if __name__ == "__main__":
    unittest.main()

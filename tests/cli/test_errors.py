"""Exit codes and messages: one line that names thing and place, perhaps one of advice."""

import gzip
import os
import resource
import signal
import unittest
from pathlib import Path

import corpus
from support import SosieTest, jsonl

GOOD = b'{"id": "a", "text": "one two three"}\n'


class Options(SosieTest):
    def setUp(self):
        super().setUp()
        self.write("in.jsonl", ["one two", "three"])

    def test_bad_thresholds(self):
        for value in ("0", "0.0", "1.5", "1.000000001", "abc", "-0.5", "nan", "inf", "", "4/0",
                      "5/4", "0/4", "0.8x", "80%"):
            for verb in ("dedup", "pairs"):
                self.fails(2, verb, "in.jsonl", f"--threshold={value}", says="threshold")

    def test_bad_recalls(self):
        for value in ("0", "1.1", "abc", "-1"):
            self.fails(2, "dedup", "in.jsonl", f"--recall={value}", says="recall")

    def test_recall_one_cannot_be_had_with_lsh(self):
        self.fails(2, "dedup", "in.jsonl", "--recall", "1", "--method", "lsh", says="recall")
        self.fails(2, "pairs", "in.jsonl", "--recall", "1.0", "--method", "lsh", says="recall")

    def test_bad_values_name_the_option(self):
        for option, *values in (("--method", "fast", ""), ("--tokens", "latin1"),
                                ("--shingle", "words:0", "words:x", "char:9", "words", "chars:-1"),
                                ("--keep", "newest", "max", "max:", "first,,last"),
                                ("--seed", "abc"), ("--threads", "abc", "-1"),
                                ("--bands", "14", "0x5", "14x", "axb"),
                                ("--on-bad-row", "ignore"), ("--clustering", "kmeans"),
                                ("--format", "docx"), ("--progress", "loud"),
                                ("--measure", "nosuch"), ("--memory", "lots")):
            for value in values:
                with self.subTest(option=option, value=value):
                    self.fails(2, "dedup", "in.jsonl", f"{option}={value}", says=option[2:])

    def test_bad_limits(self):
        for option in ("--limit", "--top", "--top-pairs"):
            self.fails(2, "pairs", "in.jsonl", option, "abc", says=option[2:])

    def test_an_unknown_option_brings_the_nearest_one(self):
        for wrong, right in (("--treshold", "--threshold"), ("--shingles", "--shingle"),
                             ("--remove", "--removed"), ("--kep", "--keep")):
            self.fails(2, "dedup", "in.jsonl", wrong, "0.8", says=wrong, hints=right + r"\b")

    def test_options_may_not_be_abbreviated(self):
        for args in (("--thresh", "0.8"), ("--quie",), ("--rec", "0.9"), ("--dry",)):
            self.fails(2, "dedup", "in.jsonl", *args, says=args[0])

    def test_an_option_without_its_value(self):
        self.fails(2, "dedup", "in.jsonl", "--threshold", says="threshold")
        self.fails(2, "dedup", "in.jsonl", "-o")

    def test_an_unknown_verb_brings_the_nearest_one(self):
        self.fails(2, "dedub", "in.jsonl", says="dedub", hints=r"\bdedup\b")
        self.fails(2, "frobnicate", says="frobnicate")

    def test_an_option_of_another_verb(self):
        self.fails(2, "pairs", "in.jsonl", "--fail-if-duplicates", says="fail-if-duplicates")
        self.fails(2, "dedup", "in.jsonl", "--top-pairs", "3", says="top-pairs")

    def test_no_verb_and_no_input(self):
        self.sosie(code=2)
        self.fails(2, "dedup")
        self.fails(2, "pairs")

    def test_nothing_is_written_when_an_option_is_wrong(self):
        self.fails(2, "dedup", "in.jsonl", "-o", "out.jsonl", "--threshold", "2")
        self.assertEqual(self.names(), {"in.jsonl"})


class Help(SosieTest):
    def test_help_goes_to_stdout(self):
        for args in (("-h",), ("--help",), ("dedup", "-h"), ("dedup", "--help"),
                     ("pairs", "--help"), ("plan", "--help")):
            result = self.sosie(*args)
            self.assertEqual(result.err, "")
            self.assertIn(b"sosie", result.out)

    def test_the_short_help_is_one_screen_and_the_long_one_has_everything(self):
        short, full = (self.sosie("dedup", flag).out.decode() for flag in ("-h", "--help"))
        self.assertLessEqual(len(short.splitlines()), 50)
        for option in ("--threshold", "--keep", "--removed", "--clusters", "--stats", "--dry-run",
                       "--fail-if-duplicates", "--on-bad-row", "--threads", "--quiet", "--seed"):
            self.assertIn(option, full)

    def test_verbs_that_are_not_built_are_not_shown(self):
        text = self.sosie("--help").out.decode()
        for verb in ("dedup", "pairs", "plan"):
            self.assertRegex(text, rf"(?m)^\s*(sosie )?{verb}\b")
        for verb in ("link", "index", "serve"):
            self.assertNotRegex(text, rf"(?m)^\s*(sosie )?{verb}\b")

    def test_the_version_is_told(self):
        self.assertRegex(self.sosie("--version").out, rb"^sosie \d+\.\d+\.\d+")


class Rows(SosieTest):
    def test_broken_json_is_reported_with_its_line(self):
        for broken in (b"{", b"{]", b'{"id": "x", "text": "abc}', b'{"text": "a",}', b"nonsense",
                       b'{"id": "x" "text": "a"}', b'{"id": "x", "text": "\\q"}',
                       b'{"id": "x", "text": "\\u12"}', b'{"id": "x", "text": "a"} extra',
                       b'{"id": "x", "text": "a"}{"id": "y", "text": "b"}', b"\x00\x01\x02"):
            with self.subTest(broken=broken):
                self.write("in.jsonl", GOOD + b"\n" + broken + b"\n" + GOOD.replace(b"a", b"z", 1))
                self.fails(3, "dedup", "in.jsonl", says=r"^sosie: in\.jsonl:3: \S")

    def test_a_last_row_that_is_cut_off(self):
        self.write("in.jsonl", GOOD + b'{"id": "b", "text": "one tw')
        self.fails(3, "dedup", "in.jsonl", says=r"^sosie: in\.jsonl:2: \S")

    def test_rows_that_are_no_objects(self):
        for wrong in (b"[1, 2]", b'"text"', b"12", b"null", b"true"):
            self.write("in.jsonl", GOOD + wrong + b"\n")
            self.fails(3, "dedup", "in.jsonl", says=r"^sosie: in\.jsonl:2: \S")

    def test_a_missing_field_brings_the_fields_there_are(self):
        self.write("in.jsonl", jsonl([{"id": 1, "body": "one", "headline": "x"}]))
        for verb in ("dedup", "pairs"):
            result = self.fails(3, verb, "in.jsonl", says=r"^sosie: in\.jsonl:1: .*text")
            self.assertRegex(result.err, "body")
            self.assertRegex(result.err, "headline")
        self.fails(3, "dedup", "in.jsonl", "--column", "bodi", says="bodi", hints="body")

    def test_a_field_that_is_missing_later(self):
        self.write("in.jsonl", GOOD + b'{"id": "b", "txt": "one"}\n')
        self.fails(3, "dedup", "in.jsonl", says=r"^sosie: in\.jsonl:2: .*text", hints="txt")

    def test_a_text_that_is_no_string(self):
        for wrong in (b"null", b"12", b"1.5", b"true", b'["a"]', b'{"a": "b"}'):
            self.write("in.jsonl", GOOD + b'{"id": "b", "text": ' + wrong + b"}\n")
            self.fails(3, "dedup", "in.jsonl", says=r"^sosie: in\.jsonl:2: .*text")

    def test_a_missing_id(self):
        self.write("in.jsonl", GOOD + b'{"text": "one two"}\n')
        self.fails(3, "dedup", "in.jsonl", says=r"^sosie: in\.jsonl:2: .*id")
        self.fails(3, "dedup", "in.jsonl", "--id", "key", says=r"^sosie: in\.jsonl:1: .*key")

    def test_lines_are_physical_lines(self):
        self.write("in.jsonl", b"\n\r\n" + GOOD + b"\n{broken\n")
        self.fails(3, "dedup", "in.jsonl", says=r"^sosie: in\.jsonl:5: ")

    def test_lines_are_counted_in_each_file(self):
        self.write("1.jsonl", GOOD * 1)
        self.write("2.jsonl", b'{"id": "b", "text": "x"}\n{broken\n')
        self.fails(3, "dedup", "1.jsonl", "2.jsonl", says=r"^sosie: 2\.jsonl:2: ")


class FirstBadRow(SosieTest):
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
        for threads in ("1", "7", "7", "7"):
            self.fails(3, "dedup", "in.jsonl", "--threads", threads,
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
        for _ in range(4):
            self.fails(3, "dedup", *names, "--threads", "7", says=r"^sosie: 2\.jsonl:701: ")


class OnBadRow(SosieTest):
    BAD = (b"{broken\n", b'{"id": "m"}\n', b'{"id": "n", "text": null}\n', b"[]\n")

    def setUp(self):
        super().setUp()
        self.good = jsonl([{"id": number, "text": text} for number, text in enumerate(
            ["one two", "three", "one two", "four"])]).splitlines(keepends=True)
        rows = [row for pair in zip(self.good, self.BAD) for row in pair]
        self.write("in.jsonl", b"".join(rows))

    def test_stop_is_the_default(self):
        for args in ((), ("--on-bad-row", "stop")):
            self.fails(3, "dedup", "in.jsonl", *args, says=r"^sosie: in\.jsonl:2: ")

    def test_skip_leaves_them_out_and_counts_them(self):
        kept = self.kept("in.jsonl", "--on-bad-row", "skip", "--stats", "stats.json")
        self.assertEqual(kept, self.good[0] + self.good[1] + self.good[3])
        stats = self.stats()
        self.assertEqual((stats.read, stats.kept, stats.removed, stats.skipped), (8, 3, 1, 4))

    def test_keep_passes_them_through_unmatched(self):
        kept = self.kept("in.jsonl", "--on-bad-row", "keep", "--removed", "r.tsv", "--stats",
                         "stats.json")
        stats = self.stats()
        self.assertEqual((stats.read, stats.kept, stats.removed), (8, 7, 1))
        self.assertEqual(kept, self.good[0] + self.BAD[0] + self.good[1] + self.BAD[1]
                         + self.BAD[2] + self.good[3] + self.BAD[3])
        self.assertEqual([row["id"] for row in self.table("r.tsv")], ["2"])

    def test_the_summary_says_how_many(self):
        for policy in ("skip", "keep"):
            self.assertRegex(self.sosie("dedup", "in.jsonl", "--on-bad-row", policy).err, r"\b4\b")

    def test_pairs_skip_them_too(self):
        out = self.sosie("pairs", "in.jsonl", "--on-bad-row", "skip").out
        self.assertEqual(out, b"left\tright\tsimilarity\n0\t2\t1.000000\n")

    def test_only_bad_rows(self):
        self.write("in.jsonl", b"".join(self.BAD))
        self.assertEqual(self.kept("in.jsonl", "--on-bad-row", "skip"), b"")
        self.assertEqual(self.kept("in.jsonl", "--on-bad-row", "keep"), b"".join(self.BAD))


class EmptyInput(SosieTest):
    def test_an_empty_file_is_done(self):
        for name in ("in.jsonl", "in.txt"):
            self.write(name, b"")
            for verb in ("dedup", "plan"):
                self.sosie(verb, name)
            self.assertEqual(self.kept(name), b"")
            self.assertEqual(self.sosie("pairs", name).out, b"left\tright\tsimilarity\n")

    def test_only_blank_lines_are_done(self):
        self.write("in.jsonl", b"\n\n\r\n\n")
        self.assertEqual(self.kept("in.jsonl", "--stats", "stats.json", "-o", "out.jsonl"), b"")
        self.assertEqual(self.read("out.jsonl"), b"")
        self.assertEqual(self.stats().read, 0)

    def test_empty_input_has_no_duplicates(self):
        self.write("in.jsonl", b"")
        self.sosie("dedup", "in.jsonl", "--fail-if-duplicates")


class Files(SosieTest):
    def setUp(self):
        super().setUp()
        self.write("in.jsonl", ["one two", "One two", "three"])

    def test_a_missing_file(self):
        for verb in ("dedup", "pairs", "plan"):
            self.fails(4, verb, "nosuch.jsonl", says=r"^sosie: nosuch\.jsonl: ")
        self.fails(4, "dedup", "in.jsonl", "no/such.jsonl", says=r"no/such\.jsonl")

    def test_a_glob_that_matches_nothing(self):
        self.fails(4, "dedup", "part-*.jsonl", says=r"part-\*\.jsonl")

    def test_an_unreadable_file(self):
        os.chmod(self.dir / "in.jsonl", 0)
        if os.access(self.dir / "in.jsonl", os.R_OK):
            self.skipTest("this user may read everything")
        self.fails(4, "dedup", "in.jsonl", says=r"in\.jsonl")

    def test_a_name_that_cannot_be_written(self):
        for args in (("-o", "no/such/out.jsonl"), ("--removed", "no/such/r.tsv"),
                     ("--stats", "no/such/stats.json"), ("-o", "in.jsonl/out.jsonl")):
            self.fails(4, "dedup", "in.jsonl", *args, says="no/such|in.jsonl/out")
            self.assertEqual(self.names(), {"in.jsonl"})

    def test_a_side_file_that_cannot_be_written_leaves_no_other(self):
        self.fails(4, "dedup", "in.jsonl", "-o", "out.jsonl", "--removed", "no/such/r.tsv")
        self.assertEqual(self.names(), {"in.jsonl"})

    def test_the_output_is_the_input(self):
        before = self.read("in.jsonl")
        os.link(self.dir / "in.jsonl", self.dir / "hard.jsonl")
        os.symlink("in.jsonl", self.dir / "soft.jsonl")
        (self.dir / "folder").mkdir()
        for name in ("in.jsonl", "./in.jsonl", "folder/../in.jsonl", str(self.dir / "in.jsonl"),
                     "hard.jsonl", "soft.jsonl"):
            self.fails(2, "dedup", "in.jsonl", "-o", name)
            self.fails(2, "pairs", "in.jsonl", "-o", name)
            self.fails(2, "dedup", "in.jsonl", "-o", "out.jsonl", "--removed", name)
            self.assertEqual(self.read("in.jsonl"), before)
        self.assertNotIn("out.jsonl", self.names())

    def test_the_output_lies_in_the_input_folder(self):
        self.write("shards/a.jsonl", ["one", "one"])
        before = self.read("shards/a.jsonl")
        self.fails(2, "dedup", "shards", "-o", "shards/a.jsonl")
        self.assertEqual(self.read("shards/a.jsonl"), before)

    def test_a_name_that_promises_another_format(self):
        """Kept rows come out as they came, so the name must not say otherwise."""
        self.write("in.txt", "one\ntwo\n")
        for source, name in (("in.jsonl", "out.txt"), ("in.jsonl", "out.csv"),
                             ("in.txt", "out.jsonl"), ("in.txt", "out.tsv")):
            self.fails(2, "dedup", source, "-o", name)
            self.assertEqual(self.names(), {"in.jsonl", "in.txt"})

    def test_a_name_that_promises_compression_is_kept_or_refused(self):
        result = self.sosie("dedup", "in.jsonl", "-o", "out.jsonl.gz", code=None)
        if result.code == 0:
            self.assertEqual(gzip.decompress(self.read("out.jsonl.gz")), self.kept("in.jsonl"))
        else:
            self.assertEqual((result.code, self.names()), (2, {"in.jsonl"}))

    def test_two_outputs_of_one_name(self):
        for other in ("x.jsonl", "./x.jsonl", str(self.dir / "x.jsonl")):
            self.fails(2, "dedup", "in.jsonl", "--removed", "x.jsonl", "--clusters", other)
            self.fails(2, "dedup", "in.jsonl", "-o", "x.jsonl", "--removed", other)
        self.assertEqual(self.names(), {"in.jsonl"})

    def test_a_full_device(self):
        with open("/dev/full", "wb") as full:
            for verb in ("dedup", "pairs"):
                self.fails(4, verb, "in.jsonl", stdout=full)
        self.write("big.jsonl", corpus.planted_pairs(1, 1000))
        with open("/dev/full", "wb") as full:
            self.fails(4, "dedup", "big.jsonl", stdout=full)

    def test_a_disk_that_fills_while_writing(self):
        """A limit on file size stands in for a full disk."""
        self.write("big.jsonl", corpus.planted_pairs(2, 1500))
        self.write("out.jsonl", b"old\n")

        def limit():
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (500_000, 500_000))

        self.fails(4, "dedup", "big.jsonl", "-o", "out.jsonl", preexec_fn=limit,
                   restore_signals=False)
        self.assertEqual(self.read("out.jsonl"), b"old\n")
        self.assertEqual(self.names(), {"in.jsonl", "big.jsonl", "out.jsonl"})


class LeavesNothingBehind(SosieTest):
    def test_scratch_is_empty_after_every_run(self):
        self.write("in.jsonl", corpus.texts(3, 50))
        self.write("bad.jsonl", self.read("in.jsonl") + b"{broken\n")
        self.kept("in.jsonl")
        self.kept("-", stdin=self.read("in.jsonl"))
        self.fails(3, "dedup", "bad.jsonl")
        self.fails(3, "dedup", "-", stdin=self.read("bad.jsonl"))
        self.assertEqual(list(Path(self.scratch).rglob("*")), [])

    def test_scratch_is_where_the_user_says(self):
        (self.dir / "here").mkdir()
        self.write("in.jsonl", corpus.texts(3, 50))
        self.assertEqual(self.kept("-", "--scratch", "here", stdin=self.read("in.jsonl")),
                         self.kept("in.jsonl"))
        self.assertEqual(list((self.dir / "here").rglob("*")), [])


if __name__ == "__main__":
    unittest.main()

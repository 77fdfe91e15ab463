"""Options that cannot be intended, help, and names of outputs. test_bad_input.py covers errors in
inputs."""

import gzip
import unittest
from pathlib import Path

import corpus
from support import SosieTest


class Options(SosieTest):
    def setUp(self):
        super().setUp()
        self.write("in.jsonl", ["one two", "three"])

    def test_bad_recalls(self):
        for value in ("0", "1.1", "abc", "-1"):
            self.fails(2, "dedup", "in.jsonl", f"--recall={value}", says="recall")

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

    def test_options_may_not_be_abbreviated(self):
        for args in (("--thresh", "0.8"), ("--quie",), ("--rec", "0.9"), ("--dry",)):
            self.fails(2, "dedup", "in.jsonl", *args, says=args[0])

    def test_an_option_without_its_value(self):
        self.fails(2, "dedup", "in.jsonl", "--threshold", says="threshold")
        self.fails(2, "dedup", "in.jsonl", "-o")

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

    def test_every_verb_is_shown(self):
        text = self.sosie("--help").out.decode()
        for verb in ("dedup", "pairs", "plan", "link", "index", "serve", "demo"):
            self.assertRegex(text, rf"(?m)^\s*(sosie )?{verb}\b")

    def test_the_version_is_told(self):
        self.assertRegex(self.sosie("--version").out, rb"^sosie \d+\.\d+\.\d+")


class Files(SosieTest):
    def setUp(self):
        super().setUp()
        self.write("in.jsonl", ["one two", "One two", "three"])

    def test_a_name_that_promises_another_format(self):
        """Kept rows are written unchanged, so the name must not indicate another format."""
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

    def test_a_file_that_looks_like_an_option(self):
        self.write("-dash=.jsonl", self.read("in.jsonl"))
        self.fails(2, "dedup", "-dash=.jsonl", says="-dash=.jsonl: unknown option",
                   hints="for the file, write ./-dash=.jsonl, or -- -dash=.jsonl after the options")
        self.assertEqual(self.kept("./-dash=.jsonl"), self.kept("--", "-dash=.jsonl"))
        self.assertNotIn("for the file", self.fails(2, "dedup", "-none.jsonl").err)

    def test_two_outputs_of_one_name(self):
        for other in ("x.jsonl", "./x.jsonl", str(self.dir / "x.jsonl")):
            self.fails(2, "dedup", "in.jsonl", "--removed", "x.jsonl", "--clusters", other)
            self.fails(2, "dedup", "in.jsonl", "-o", "x.jsonl", "--removed", other)
        self.assertEqual(self.names(), {"in.jsonl"})


class LeavesNothingBehind(SosieTest):
    def test_scratch_is_empty_after_every_run(self):
        self.write("in.jsonl", corpus.texts(3, 50))
        self.kept("in.jsonl")
        self.kept("-", stdin=self.read("in.jsonl"))
        self.assertEqual(list(Path(self.scratch).rglob("*")), [])

    def test_scratch_is_where_the_user_says(self):
        (self.dir / "here").mkdir()
        self.write("in.jsonl", corpus.texts(3, 50))
        self.assertEqual(self.kept("-", "--scratch", "here", stdin=self.read("in.jsonl")),
                         self.kept("in.jsonl"))
        self.assertEqual(list((self.dir / "here").rglob("*")), [])

    def test_a_scratch_folder_that_is_none_is_refused_before_anything_is_read(self):
        self.write("in.jsonl", corpus.texts(3, 50))
        self.sosie("pairs", "in.jsonl", "-o", "pairs.tsv")
        for verb in (("dedup", "in.jsonl"), ("pairs", "in.jsonl"), ("query", "in.jsonl", "in.jsonl"),
                     ("plan", "in.jsonl"), ("cluster", "pairs.tsv")):
            self.fails(4, *verb, "--scratch", "not-there", says="^sosie: not-there: No such file",
                       hints="--scratch DIR or TMPDIR names another folder")
            self.fails(4, *verb, "--scratch", "in.jsonl", says="in.jsonl: Not a directory")


if __name__ == "__main__":
    unittest.main()

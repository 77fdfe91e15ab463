"""Text for first-time users: help that fits on the screen, with examples that run, hints that do
not mislead, progress, and a message when the program waits."""

import os
import pty
import re
import signal
import subprocess
import time
import unittest

import corpus
from support import SOSIE, SosieTest

VERBS = ("dedup", "pairs", "query", "cluster", "explain", "plan", "sketch")
NPY = (b"\x93NUMPY\x01\x00\x76\x00" +
       b"{'descr': '|u1', 'fortran_order': False, 'shape': (2, 3), }".ljust(117) + b"\n" +
       bytes([1, 2, 3, 1, 2, 4]))


class Help(SosieTest):
    def lines(self, *args: str) -> list[str]:
        return self.sosie(*args).out.decode().splitlines()

    def test_no_line_is_wider_than_80_columns(self):
        for args in ([], *([verb] for verb in VERBS)):
            for flag in ("-h", "--help"):
                for line in self.lines(*args, flag):
                    self.assertLessEqual(len(line), 80, line)

    def test_the_short_help_is_one_screen(self):
        for verb in VERBS:
            self.assertLessEqual(len(self.lines(verb, "-h")), 48)
        self.assertLessEqual(len(self.lines("-h")), 36)

    def test_the_short_help_names_every_option_that_the_long_one_explains(self):
        for verb in VERBS:
            short, full = (self.sosie(verb, flag).out.decode() for flag in ("-h", "--help"))
            for option in re.findall(r"^  (?:-\w, |    )(--[\w-]+)", full, re.MULTILINE):
                self.assertRegex(short, rf"{option}\b")

    def test_help_of_a_verb_is_its_long_help(self):
        for verb in (*VERBS, "dedupe"):
            self.assertEqual(self.lines("help", verb), self.lines(verb, "--help"))
        self.assertEqual(self.lines("help"), self.lines("--help"))
        self.fails(2, "help", "nosuch", says="nosuch: unknown verb")

    def test_the_version_has_a_letter(self):
        self.assertEqual(self.lines("-V"), self.lines("--version"))

    def test_every_verb_can_be_quiet(self):
        for verb in VERBS:
            self.assertIn("-q, --quiet", self.sosie(verb, "--help").out.decode())

    def test_help_says_what_a_word_of_chinese_is(self):
        text = " ".join(self.sosie("dedup", "--help").out.decode().split())
        self.assertIn("each character of Chinese, Japanese", text)
        self.write("in.txt", "甲乙丙丁戊\n")
        self.assertIn("5 words", self.sosie("dedup", "in.txt", "--dry-run").err)

    def test_every_example_runs(self):
        for name in ("corpus", "train", "test", "questions", "new", "old", "part-1"):
            self.write(f"{name}.jsonl", [{"id": f"doc{i}", "text": text} for i, text in
                                         enumerate(corpus.texts(3, 50))])
        self.write("names.txt", "Anna Maria\nAnna Marie\nBert\nBerta\n")
        self.write("people.csv", "name,city\nAnna Maria,Rome\nAnna  Maria,Rome\n")
        self.write("embeddings.npy", NPY)
        self.write("a.csv", "id,name\n17,Anna\n")
        self.write("b.csv", "id,name\n42,Anne\n")
        self.write("rules.toml", "version = 1\n[fields]\nname = {}\n[candidates]\n"
                                 "rules = [{ equal = [\"name\"] }]\n")
        self.sosie("plan", "part-1.jsonl", "-o", "plan.json")
        self.sosie("pairs", "corpus.jsonl", "-o", "pairs.tsv")
        for verb in VERBS:
            text = self.sosie(verb, "-h").out.decode()
            examples = re.search(r"^Examples\n((?:  .*\n)+)", text, re.MULTILINE)[1]
            for line in examples.splitlines():
                with self.subTest(example=line):
                    done = subprocess.run(
                        ["sh", "-c", line.replace("sosie ", f"{SOSIE} ")], cwd=self.dir,
                        env=self.environment(), capture_output=True, text=True, timeout=60,
                        stdin=subprocess.DEVNULL)
                    self.assertIn(done.returncode, (0, 1), done.stderr)  # 1: no hit


class Hints(SosieTest):
    def setUp(self):
        super().setUp()
        self.write("in.jsonl", ["one two", "three"])

    def hint(self, *args: str) -> str:
        return self.fails(2, *args).error_lines()[1]

    def test_a_letter_is_not_taken_for_another_option(self):
        self.assertIn("--version", self.hint("dedup", "in.jsonl", "-v"))
        self.assertIn("-V", self.hint("-v"))
        self.assertIn("--threads", self.hint("dedup", "in.jsonl", "-j", "4"))
        for option in ("-x", "--xy", "--size", "--some"):
            self.assertEqual(self.hint("dedup", "in.jsonl", option).strip(),
                             "sosie dedup -h lists the options")

    def test_slips_are_forgiven(self):
        for option, meant in (("--treshold", "--threshold"), ("--fromat", "--format"),
                              ("-threshold", "--threshold"), ("--QUIET", "--quiet")):
            self.assertIn(f"did you mean {meant}?", self.hint("dedup", "in.jsonl", option, "1"))

    def test_verbs_are_found(self):
        self.assertIn("did you mean dedup?", self.hint("dedpu", "in.jsonl"))
        self.assertIn("query", self.hint("search", "in.jsonl"))
        self.assertIn("sosie dedup in.jsonl", self.hint("in.jsonl"))

    def test_standard_input_is_named_where_no_input_is(self):
        self.assertIn("- stands for standard input", self.hint("dedup"))


class Terminal(SosieTest):
    """Standard input is a terminal, or standard error shows a bar."""

    def said(self, *args: str) -> str:
        """Returns stderr up to the end of a terminal's input."""
        ours, theirs = pty.openpty()
        process = self.start(*args, stdin=theirs)
        os.close(theirs)
        time.sleep(0.2)
        os.write(ours, b'{"text": "one two"}\n\x04')
        out, err = process.communicate(timeout=30)
        os.close(ours)
        return err.decode()

    def test_who_is_waited_for_is_told(self):
        self.write("in.jsonl", ["one two", "three"])
        waits = "sosie: reading rows (JSONL) from the terminal; Ctrl-D ends them\n"
        self.assertIn(waits, self.said("query", "in.jsonl"))
        self.assertIn(waits, self.said("dedup", "-"))
        self.assertNotIn("terminal", self.said("query", "in.jsonl", "-q"))
        self.assertNotIn("terminal", self.said("query", "in.jsonl", "in.jsonl"))
        self.assertNotIn("terminal", self.sosie("query", "in.jsonl", code=0).err)

    def test_the_bar_says_how_fast_and_how_long(self):
        row = b'{"text": "' + b" ".join(b"w%d" % n for n in range(300)) + b'%d"}\n'
        self.write("in.jsonl", b"".join(row % n for n in range(3000)))
        process = self.start("dedup", "in.jsonl", "--dry-run", "--progress", "bar", "--method",
                             "lsh", "--bands", "32x8", "--sketch", "classic", "--threads", "1")
        shown = b""
        while b"reading" not in shown:
            shown += os.read(process.stderr.fileno(), 4096)
        process.send_signal(signal.SIGSTOP)  # a stage that takes more than a second
        time.sleep(1.1)
        process.send_signal(signal.SIGCONT)
        bars = (shown + process.communicate(timeout=60)[1]).decode().split("\r\x1b[2K")[1:]
        self.assertRegex(bars[0], r"^reading +\[#* *\] +\d+ % [\d.]+ of [\d.]+ MB$")
        self.assertRegex(bars[1], r" of [\d.]+ MB, [\d.]+ MB/s, [\w ]+ left$")
        for bar in bars[:-1]:
            self.assertLessEqual(len(bar), 80)


if __name__ == "__main__":
    unittest.main()

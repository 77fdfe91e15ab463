"""Only text is written to a terminal; binary rows, tables and compressed files are rejected."""

import fcntl
import gzip
import os
import pty
import re
import select
import struct
import subprocess
import sys
import termios
import unittest

from measured_rows import npy
from refusals import RefusalTest
from support import jsonl

GOOD = jsonl([{"id": "a", "text": "one two three"}, {"id": "b", "text": "four five six"}])


class Terminals(RefusalTest):
    def setUp(self):
        super().setUp()
        self.write("in.jsonl", GOOD)
        self.ours, self.theirs = pty.openpty()
        self.addCleanup(os.close, self.ours)
        self.addCleanup(os.close, self.theirs)

    def shown(self) -> bytes:
        out = b""
        while select.select([self.ours], [], [], 0.2)[0]:
            out += os.read(self.ours, 65536)
        return out

    def garbles_nothing(self, content: str, *args: str):
        before = self.everything()
        run = self.fails(2, *args, stdout=self.theirs, stderr=subprocess.PIPE,
                         says=rf"is a terminal, which cannot display {content}$",
                         hints=r"\n  use -o FILE, or a pipe into another program\n$")
        self.assertEqual(run.code, 2)
        self.assertEqual(self.shown(), b"")
        self.assertEqual(self.everything(), before)

    def tables(self) -> list[str]:
        names = []
        for extension in ("parquet", "arrow"):
            made = self.sosie("dedup", "in.jsonl", "--dry-run", "--clusters", f"c.{extension}", "-q",
                              code=None)
            if made.code == 0:
                names.append(f"c.{extension}")
        return names

    def test_rows_of_columnar_files(self):
        names = self.tables()
        if not names:
            self.skipTest("no plugin of columnar files")
        for name in names:
            self.garbles_nothing(name[2:], "dedup", name, "--column", "id")
            self.garbles_nothing(name[2:], "dedup", name, "--column", "id", "-o", "/dev/stdout")
            out = self.sosie("dedup", name, "--column", "id", "-q").out
            self.assertTrue(out, "a pipe takes it")

    def test_vectors(self):
        self.write("v.npy", npy([[1, 2], [5, 5]]))
        self.garbles_nothing("npy", "dedup", "v.npy", "--within", "1", "--measure", "euclidean")
        self.garbles_nothing("npy", "dedup", "v.npy", "--within", "1", "--measure", "euclidean",
                             "--dry-run", "--removed-rows", "/dev/stdout")
        self.write("v.fvecs", b"\x02\0\0\0" + b"\0\0\x80\x3f" * 2)
        self.garbles_nothing("fvecs", "dedup", "v.fvecs", "--within", "1", "--measure", "euclidean")

    def test_packed_outputs_under_a_name_that_leads_to_it(self):
        os.symlink(os.ttyname(self.theirs), self.dir / "out.jsonl.gz")
        os.symlink(os.ttyname(self.theirs), self.dir / "p.tsv.zst")
        self.garbles_nothing("compressed data", "dedup", "in.jsonl", "-o", "out.jsonl.gz")
        self.garbles_nothing("compressed data", "pairs", "in.jsonl", "-o", "p.tsv.zst")
        self.garbles_nothing("compressed data", "dedup", "in.jsonl", "--dry-run", "--pairs", "p.tsv.zst")

    def test_sketches(self):
        self.sosie("plan", "in.jsonl", "-o", "plan.json")
        self.garbles_nothing("sketches", "sketch", "in.jsonl", "--plan", "plan.json", "-o",
                             "/dev/stdout")

    def test_lines_are_folded_between_words(self):
        fcntl.ioctl(self.theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 60, 0, 0))
        for code, *args in ((0, "dedup", "in.jsonl", "-o", "o.jsonl"),
                            (3, "dedup", "in.jsonl", "--column", "words", "-o", "p.jsonl")):
            self.sosie(*args, code=code, stderr=self.theirs)
            lines = re.sub(rb"\r\x1b\[2K[^\r]*(?=\r)", b"", self.shown()).decode().split("\r\n")
            self.assertLessEqual(max(len(line) for line in lines), 60 + len("\r\x1b[2K"), lines)
            piped = self.sosie(*args, "--overwrite", code=code).err
            self.assertEqual(" ".join(" ".join(lines).replace("\r\x1b[2K", "").split())[:40],
                             " ".join(piped.split())[:40])
            self.assertGreater(max(len(line) for line in piped.splitlines()), 60)

    def test_pages_of_explain_have_the_width_of_the_terminal(self):
        texts = [" ".join(f"word{i}{'x' if i % 30 == side else ''}" for i in range(90)) for side in (3, 7)]
        self.write("two.jsonl", jsonl([{"id": i, "text": text} for i, text in enumerate(texts)]))
        fcntl.ioctl(self.theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
        for colour in ("never", "always"):
            self.sosie("explain", "0", "1", "two.jsonl", "--threshold", "0.5", "--measure", "containment", "--color",
                       colour, stdout=self.theirs)
            page = re.sub(r"\x1b\[[0-9;]*m", "", self.shown().decode())
            self.assertIn("word by word", page)
            self.assertLessEqual(max(map(len, page.split("\r\n"))), 80, page)

    def test_the_rules_of_link_are_folded_too(self):
        self.write("people.csv", "id,name,street,year\n" + "".join(
            f"{i},Name{i % 60} Smith{i % 60},{i % 60} High Street,{1900 + i % 60}\n"
            for i in range(120)))
        for columns in (50, 60, 80):
            fcntl.ioctl(self.theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
            self.sosie("link", "people.csv", "-o", "c.csv", stderr=self.theirs)
            shown = re.sub(rb"\r\x1b\[2K[^\r]*(?=\r)", b"", self.shown()).decode()
            lines = shown.replace("\r\x1b[2K", "").split("\r\n")
            self.assertIn("not found by other rules", " ".join(" ".join(lines).split()))
            self.assertLessEqual(max(map(len, lines)), columns, lines)

    def test_screens_have_80_columns_and_no_bar_is_left_on_them(self):
        wide = "_".join(f"column{i}" for i in range(6))
        self.write("people.csv", f"id,{wide},{wide}2,ö{wide}\n" + "".join(
            f"{i},Anna{i % 60} Smith{i % 60},{i % 60} High Street,{1900 + i % 60}\n" for i in range(120)))
        fcntl.ioctl(self.theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
        for args in (("link", "people.csv", "-o", "c.csv"), ("link", "people.csv", "--dry-run"),
                     ("plan", "in.jsonl", "--verbose"), ("pairs", "in.jsonl"), ("dedup", "in.jsonl"),
                     ("query", "in.jsonl", "in.jsonl"), ("explain", "a", "b", "in.jsonl"), ("demo", "demo/")):
            self.sosie(*args, stdout=self.theirs, stderr=self.theirs)
            for line in re.sub(r"\x1b\[[0-9;]*m", "", self.shown().decode()).split("\r\n"):
                *_, left = line.split("\r\x1b[2K")
                if args[0] != "demo":  # which names the program by its path
                    self.assertLessEqual(len(left), 80, (args, left))
                self.assertNotRegex(left, r"\.\.\.[a-zN{]|rows?[A-Z{]", (args, left))

    def test_a_bar_is_narrower_than_the_terminal(self):
        rows = [{"id": i, "text": f"row {i} has words such as {i * 7} and {i * 13} and more"}
                for i in range(200_000)]
        self.write("many.jsonl", jsonl(rows))
        for columns in (20, 45, 70):
            fcntl.ioctl(self.theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
            self.sosie("dedup", "many.jsonl", "--dry-run", "--threads", "1", "--progress", "bar",
                       stderr=self.theirs)
            bars = [bar.split("\r")[0] for bar in self.shown().decode().split("\r\x1b[2K")[1:-1]]
            self.assertTrue(bars)
            self.assertLess(max(map(len, bars)), columns, bars)

    def test_text_is_shown(self):
        self.sosie("dedup", "in.jsonl", "-q", stdout=self.theirs)
        self.assertEqual(self.shown().replace(b"\r\n", b"\n"), GOOD)
        self.write("in.jsonl.gz", gzip.compress(GOOD))
        self.sosie("dedup", "in.jsonl.gz", "-q", stdout=self.theirs)
        self.assertEqual(self.shown().replace(b"\r\n", b"\n"), GOOD)
        self.sosie("pairs", "in.jsonl", "-q", stdout=self.theirs)
        self.assertIn(b"left", self.shown())


if __name__ == "__main__":
    sys.exit(unittest.main())

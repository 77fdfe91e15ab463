"""Files whose content is in a different format from the one that their name indicates."""

import bz2
import gzip
import lzma
import shutil
import sys
import unittest
from pathlib import Path

from support import SosieTest, jsonl

ROWS = [{"id": f"r{number}", "text": f"words of row number {number}, and more"} for number in range(20)]
LINES = jsonl(ROWS)
CSV = "id,text\n" + "".join(f'{row["id"]},"{row["text"]}"\n' for row in ROWS)
POINTER = ("version https://git-lfs.github.com/spec/v1\n"
           "oid sha256:4d7a214614ab2935c943f9e0ff69d22eadbb8f32b1258daaa5e2ca24d17e2393\nsize 12345\n")
PAGE = "<!DOCTYPE html>\n<html><head><title>404, not found</title></head></html>\n"


class ForeignContent(SosieTest):
    def test_text_that_begins_like_another_format_is_text(self):
        for name, content in (("a.txt", "%PDF-1.4\nsecond line\n"), ("b.txt", "GIF89a is a header\nother\n"),
                              ("c.txt", "x" * 257 + "ustar format\nsecond\n"), ("d.txt", "<htmlx>\nother\n"),
                              ("e.csv", "<html>,text\n1,hello\n"), ("f.tsv", "<html>\ttext\n1\thello\n"),
                              ("g.csv", "GIF89a,text\n1,x\n"), ("h.tsv", '{"a": 1}\ttext\n{"a": 2}\tworld\n')):
            self.write(name, content)
            self.assertEqual(self.sosie("dedup", name, "-q").out, content.encode(), name)

    def test_lines_of_which_the_first_is_a_tag_are_text(self):
        for name, content in (("a.txt", "<!DOCTYPE html>\nhow to begin a page\n"),
                              ("b.txt", "<html>\nthe root element\nof a page\n"),
                              ("c.txt", "<?xml version='1.0'?>\nthe first line of a file\n"),
                              ("d.txt", "<!DOCTYPE html><html><p>one</p></html>\n"
                                        "<!doctype html><html><p>two</p></html>\n")):
            self.write(name, content)
            self.assertEqual(self.sosie("dedup", name, "-q").out, content.encode(), name)
        legacy = ('<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN"\n'
                  '  "http://www.w3.org/TR/xhtml1/DTD/xhtml1-strict.dtd">\n<html>\n</html>\n')
        for page in (legacy, "<!DOCTYPE html>\n\n  <head>\n", "<!DOCTYPE html>\n<!-- saved -->\nx\n"):
            self.told("e.txt", page, "appears to contain HTML, not lines of text", "--format txt")

    def test_rows_that_were_taken_as_they_are_are_read_so_again(self):
        self.write("log.txt", LINES)
        as_lines = ("--format", "txt")
        self.sosie("plan", "log.txt", *as_lines, "-o", "plan.json")
        self.sosie("sketch", "log.txt", *as_lines, "--plan", "plan.json", "-o", "log.sketch")
        once = self.sosie("dedup", "log.txt", *as_lines, "--plan", "plan.json", "-q").out
        self.assertEqual(self.sosie("dedup", "--reuse", "log.sketch", "-q").out, once)
        self.sosie("index", "build", "log.index", "log.txt", *as_lines, "--keep-items", "no")
        self.write("q.txt", LINES.splitlines(True)[3])
        hits = self.sosie("query", "log.index", "q.txt", *as_lines, "-q").out
        self.assertIn(b"1.000000", hits)

    def told(self, name: str, content: bytes | str, says: str, hints: str, *options: str,
             code: int = 2) -> None:
        self.write(name, content)
        run = self.sosie("dedup", name, *options, code=code)
        self.assertEqual(run.out, b"")
        first, second = run.error_lines()
        self.assertEqual(first, f"sosie: {name}: {says}")
        self.assertIn(hints, second)

    def test_packers_under_the_name_of_another(self):
        self.told("a.jsonl.gz", lzma.compress(LINES), "is compressed with xz", "decompress it first")
        self.told("b.jsonl.zst", lzma.compress(LINES), "is compressed with xz", "decompress it first")
        self.told("c.csv.gz", bz2.compress(CSV.encode()), "is compressed with bzip2", "decompress it first")
        self.told("d.jsonl.gz", LINES, "is not in gzip format, despite its name", "remove .gz from the name", code=3)

    def test_pointers_of_git(self):
        for name in ("a.jsonl", "a.csv", "a.tsv", "a.txt", "a.sets", "a.jsonl.gz", "a.npy", "a.parquet"):
            self.told(name, POINTER, "is a Git LFS pointer, not the file it stands for",
                      "git lfs pull fetches it", "--threshold", ".9")

    def test_programs(self):
        program = Path(shutil.which("sh") or sys.executable).read_bytes()[:4096]
        for name in ("a.txt", "a.csv", "a.jsonl"):
            self.told(name, program, "is a program", "extract the text first")

    def test_pages(self):
        for page, kind in ((PAGE, "HTML"), ("\n  <HTML><body>\n", "HTML"), ("<?xml version='1.0'?>\n<a/>\n", "XML")):
            self.told("a.csv", page, f"appears to contain {kind}, not CSV", "--format csv reads it as is")
            self.told("a.tsv", page, f"appears to contain {kind}, not TSV", "--format tsv reads it as is")
            self.told("a.txt", page, f"appears to contain {kind}, not lines of text", "--format txt")
            self.told("a.jsonl", page, f"appears to contain {kind}, not one JSON object per line", "extract", code=3)

    def test_json_in_files_of_lines_and_tables(self):
        self.told("a.csv", LINES, "appears to contain JSON lines, not CSV", "--format jsonl reads them")
        self.told("a.tsv", LINES, "appears to contain JSON lines, not TSV", "--format jsonl reads them")
        self.told("a.txt", LINES, "appears to contain JSON lines, not lines of text", "--format jsonl reads them")
        self.told("a.csv.gz", gzip.compress(LINES), "appears to contain JSON lines, not CSV", "--format jsonl")
        self.told("a.csv", '[{"text": "a"}, {"text": "b"}]\n', "appears to contain a JSON array, not CSV", "jq")
        self.assertEqual(self.sosie("dedup", "a.txt", "--format", "txt").out, LINES)
        self.assertEqual(self.sosie("dedup", "a.txt", "--format", "jsonl").out, LINES)

    def test_tables_and_text_in_files_of_json(self):
        self.told("a.jsonl", CSV, "appears to contain CSV, not one JSON object per line", "--format csv", code=3)
        self.told("a.jsonl", CSV.replace(",", "\t"), "appears to contain TSV, not one JSON object per line",
                  "--format tsv", code=3)
        self.told("a.jsonl", "some words\nand others\n",
                  "appears to contain other text, not one JSON object per line", "--format txt", code=3)
        run = self.sosie("dedup", "-", stdin=CSV.encode(), code=3)
        self.assertIn("<stdin>: appears to contain CSV", run.err)

    def test_one_broken_row_is_told_by_its_line(self):
        self.write("a.jsonl", b"oops\n" + LINES)
        self.assertIn("a.jsonl:1: broken JSON", self.sosie("dedup", "a.jsonl", code=3).err)
        self.assertEqual(self.sosie("dedup", "a.jsonl", "--on-bad-row", "skip").out, LINES)

    def test_utf_16_without_a_mark(self):
        for name, text in (("a.jsonl", LINES.decode()), ("a.csv", CSV), ("a.txt", CSV)):
            for order in ("le", "be"):
                data = text.encode(f"utf-16-{order}")
                self.told(name, data, "appears to be UTF-16 without a byte order mark",
                          f"--encoding utf-16{order} reads it")
                self.assertEqual(self.sosie("dedup", name, "--encoding", f"utf-16{order}").out, data)

    def test_lines_that_only_look_a_little_like_json_are_text(self):
        for text in ("{braces} are text\n", "[1] a footnote\n", '{"quoted"}\n', "zeros \0 inside\n", "<b>bold</b>\n"):
            self.write("a.txt", text)
            self.assertEqual(self.sosie("dedup", "a.txt").out, text.encode())


if __name__ == "__main__":
    unittest.main()

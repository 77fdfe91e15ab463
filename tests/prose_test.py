"""tools/check_prose.py names the place and the opening of each comment and help line that reads
translated.
"""
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

CHECKER = pathlib.Path(__file__).resolve().parent.parent / "tools" / "check_prose.py"


def check(files, ceilings=None):
    """Exit status and lines printed for a tree of {path: text}, with only these ceilings."""
    with tempfile.TemporaryDirectory() as folder:
        for path, text in files.items():
            file = pathlib.Path(folder, path)
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, encoding="utf-8")
        checker = pathlib.Path(folder, "check_prose.py")
        text = CHECKER.read_text(encoding="utf-8")
        text = re.sub(r"^CEILINGS = \{.*?^\}", f"CEILINGS = {ceilings or {}}", text,
                      flags=re.MULTILINE | re.DOTALL)
        checker.write_text(text, encoding="utf-8")
        done = subprocess.run([sys.executable, checker, folder], capture_output=True, text=True,
                              check=False)
        return done.returncode, done.stdout.splitlines()


class CheckProse(unittest.TestCase):
    def test_plain_comments_pass(self):
        status, lines = check({"src/io/a.cc": "// Reads a file.\nint a;  // bytes of it\n",
                               "src/io/a.h": "#pragma once\n// Number of rows.\nint rows();\n"})
        self.assertEqual((status, lines), (0, []))

    def test_each_forbidden_opening_is_named_with_its_line(self):
        for opening in ("What", "Whether", "Of", "Those", "As", "The same", "How"):
            status, lines = check({"src/io/a.h": f"#pragma once\n\n// {opening} it is.\nint a;\n"})
            self.assertEqual(status, 1)
            self.assertEqual(lines[0], f"src/io/a.h:3: a comment begins with '{opening}'")

    def test_words_that_only_begin_alike_and_later_lines_pass(self):
        text = "// Offsets of rows; they tell\n// what begins there.\nint a;\n// Assigns.\nint b;\n"
        self.assertEqual(check({"src/io/a.h": text})[0], 0)

    def test_comments_behind_code_are_read_too(self):
        status, lines = check({"src/io/a.h": "int a;  // of the rows\n"})
        self.assertEqual(status, 1)
        self.assertEqual(lines[0], "src/io/a.h:1: a comment begins with 'Of'")

    def test_those_of_is_named_anywhere(self):
        status, lines = check({"src/io/a.h": "// Rows, and those of OTHER.\nint a;\n"})
        self.assertEqual(status, 1)
        self.assertEqual(lines[0], "src/io/a.h:1: 'those of': name the noun")

    def test_a_source_file_begins_with_its_purpose(self):
        status, lines = check({"src/io/a.cc": '#include "io/a.h"\n'})
        self.assertEqual(status, 1)
        self.assertIn("src/io/a.cc:1: begins with no line", lines[0])

    def test_help_lines_of_the_option_table_are_read(self):
        table = '// TABLE: options.\nOptionRow{"x", "",\n          "what it is"},\n'
        status, lines = check({"src/options/options.cc": table})
        self.assertEqual(status, 1)
        self.assertEqual(lines[0], "src/options/options.cc:3: a help line begins with 'what'")
        goes_on = '// TABLE: options.\nOptionRow{"x", "effect: "\n          "what it is"},\n'
        self.assertEqual(check({"src/options/options.cc": goes_on})[0], 0)

    def test_what_stood_before_counts_and_only_shrinks(self):
        old = {"src/io/a.h": "// What it is.\nint a;\n"}
        self.assertEqual(check(old, {"openings": 1}), (0, []))
        status, lines = check(old, {"openings": 2})
        self.assertEqual(status, 0)
        self.assertIn("lower its ceiling", lines[0])
        self.assertEqual(check(old, {"openings": 0})[0], 1)

    def test_house_words_are_counted_in_src(self):
        status, lines = check({"src/io/a.h": "int look_at(int crowd);\n"})
        self.assertEqual(status, 1)
        self.assertEqual(len([line for line in lines if line.startswith("src/io/a.h:1:")]), 2)
        self.assertEqual(check({"bench/a.h": "int look_at(int crowd);\n", "src/a.txt": ""})[0], 0)

    def test_docs_keep_to_the_glossary_and_leave_lab_notes_to_the_measurements(self):
        page = "# A\n\nOf the rows, a part of the pairs.\n\n2 s on a busy machine.\n\n`those of` x\n"
        status, lines = check({"docs/a.md": page, "docs/recipes/b.md": "Rows, and those of OTHER.\n",
                               "docs/measurements.md": "2 s on a busy machine.\n", "src/a.txt": ""})
        self.assertEqual(status, 1)
        self.assertEqual([line for line in lines if line.startswith("docs/")],
                         ["docs/a.md:5: 'busy machine' belongs to docs/measurements.md",
                          "docs/a.md:3: a paragraph begins with 'Of'",
                          "docs/a.md:3: 'part of the pairs': say share",
                          "docs/recipes/b.md:1: 'those of': name the noun"])

    def test_user_pages_have_a_length_that_they_keep(self):
        generated = "<!-- bench:a -->\n" + "word " * 9_000 + "\n<!-- /bench:a -->\n"
        files = {"docs/a.md": "word " * 25_000 + generated, "docs/theory/b.md": "word " * 9_000,
                 "docs/benchmarks.md": "word " * 9_000, "src/a.txt": ""}
        self.assertEqual(check(files)[0], 0)
        status, lines = check(files | {"docs/recipes/c.md": "| one |\n"})
        self.assertEqual((status, lines[0]), (1, "docs:1: user pages hold 25001 words, at most 25000"))

    def test_addresses_exist(self):
        files = {"README.md": "\n`pip install https://sosie.example/a.whl`\n", "src/a.txt": "",
                 "pyproject.toml": 'Homepage = "https://sosie.example/"\n', "docs/a.md": "Host sosie.example.org\n"}
        status, lines = check(files)
        self.assertEqual((status, lines[:2]), (1, ["README.md:2: 'sosie.example' does not exist",
                                                   "pyproject.toml:1: 'sosie.example' does not exist"]))

    def test_a_tree_without_sources_is_an_error(self):
        self.assertEqual(check({})[0], 2)


if __name__ == "__main__":
    unittest.main()

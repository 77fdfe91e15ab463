"""The scripts in examples/recipes work as their pages say, even beyond the examples shown there."""
import importlib.util
import pathlib
import subprocess
import sys
import tempfile
import unittest

RECIPES = pathlib.Path(__file__).resolve().parents[2] / "examples/recipes"


def script(name):
    spec = importlib.util.spec_from_file_location(name, RECIPES / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


class Functions(unittest.TestCase):
    def cut(self, name, text, lines=1, comments=True):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder, name)
            file.write_text(text, encoding="utf-8")
            return [(row["id"].rpartition(":")[2], row["name"], row["text"])
                    for row in script("functions").functions(file, lines, comments)]

    def test_braces_in_literals_and_comments_end_nothing(self):
        text = 'int f() {\n  char c = \'}\'; // }\n  return s("}"); /* } */\n}\nint g(int a) { return a; }\n'
        self.assertEqual([(line, name) for line, name, _ in self.cut("a.c", text)],
                         [("1", "f"), ("5", "g")])

    def test_statements_are_no_functions(self):
        text = "class A {\n  void f(int a) {\n    if (a > 0) { g(); }\n    while (h()) { i(); }\n  }\n}\n"
        self.assertEqual([name for _, name, _ in self.cut("a.java", text)], ["f"])

    def test_functions_inside_of_functions_are_parts_of_them(self):
        text = "def f():\n    def g():\n        pass\n    return g\n\nclass A:\n    def h(self): return 1"
        found = self.cut("a.py", text)
        self.assertEqual([(line, name) for line, name, _ in found], [("1", "f"), ("7", "h")])
        self.assertEqual(found[1][2], "    def h(self): return 1")

    def test_short_functions_are_left_out(self):
        self.assertEqual(self.cut("a.c", "int f() {\n return 1;\n}\n", lines=4), [])

    def test_comments_go_and_literals_stay(self):
        (found,) = self.cut("a.c", 'int f() { // why\n  return s("//no"); /* how */ }\n', 1, False)
        self.assertEqual(found[2].split(), ["int", "f()", "{", "return", 's("//no");', "}"])
        (found,) = self.cut("a.py", "def f():\n    # why\n    return '#no'\n", 1, False)
        self.assertEqual(found[2].split(), ["def", "f():", "return", "'#no'"])

    def test_a_file_that_is_no_python_is_named_and_left_out(self):
        with tempfile.TemporaryDirectory() as folder:
            pathlib.Path(folder, "a.py").write_text("def f(:\n")
            pathlib.Path(folder, "b.py").write_text("def f():\n  x\n  y\n  z\n")
            done = subprocess.run([sys.executable, RECIPES / "functions.py", folder],
                                  capture_output=True, text=True, check=True)
        self.assertIn("a.py:1: left out", done.stderr)
        self.assertEqual(done.stdout.count("\n"), 1)


class Pages(unittest.TestCase):
    def test_sites_show_the_same_article_and_other_words_around_it(self):
        words = " ".join(f"word{number}" for number in range(120))
        articles = [{"id": "a", "text": words}, {"id": "b", "text": words + " more"},
                    {"id": "short", "text": "too short"}]
        rows = list(script("pages").rows(articles, 3, 80))
        self.assertEqual([row["id"] for row in rows], [f"{site}/{name}" for site in
                                                       ("courier", "herald", "observer")
                                                       for name in ("a", "b")])
        self.assertTrue(all(words in row["text"] and "track(" not in row["text"] for row in rows))
        self.assertEqual(len({row["text"].replace(words, "") for row in rows}), 6)

    def test_roff_becomes_running_text(self):
        text = (".TH X 2\n.SH NAME\nx \\- not this\n.SH DESCRIPTION\nThe call\n.BR accept (2)\n"
                "is used with \\fIsockets\\fP" + " and more" * 9 + ".\n.SH COLOPHON\nnot this\n")
        (paragraph,) = script("pages").prose(text)
        self.assertTrue(paragraph.startswith("The call accept(2) is used with sockets and"))

    def test_a_line_that_is_no_row_is_named(self):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder, "a.jsonl")
            file.write_text('{"id": 1, "text": "a"}\n{"id": 2}\n')
            for name in ("pages", "passages"):
                done = subprocess.run([sys.executable, RECIPES / f"{name}.py", file],
                                      capture_output=True, text=True, check=False)
                self.assertEqual(done.returncode, 1)
                self.assertIn("a.jsonl:2: a row with id and text was expected", done.stderr)


class Passages(unittest.TestCase):
    def test_equal_passages_have_equal_vectors_of_length_1(self):
        text = "one two three four five six seven eight nine ten\n\n" * 3
        rows = script("passages").passages([{"id": "a", "text": text}, {"id": "b", "text": text}],
                                           words=8, components=16)
        vectors = [row["vector"] for row in rows]
        self.assertEqual(rows[0]["id"], "a#0")
        self.assertTrue(all(vector == vectors[0] for vector in vectors))
        self.assertAlmostEqual(sum(part * part for part in vectors[0]), 1, 3)


if __name__ == "__main__":
    unittest.main()

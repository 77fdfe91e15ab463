"""docs/theory/examples.md names every numbered example of the theory, and only tests that exist.

The numbers are in theory_examples.txt. A library test is `Suite.Name`, a command-line test is
`test_file.Class.test_name`; both are looked up in the sources.
"""
import pathlib
import re
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
PAGE = ROOT / "docs/theory/examples.md"
LIST = pathlib.Path(__file__).resolve().parent / "theory_examples.txt"

NOT_YET = set()  # rows that say "not yet" instead of tests

ROW = re.compile(r"^\| (T-\d+\.\d+) \| ([^|]+) \| ([^|]+) \|$")
LIBRARY = re.compile(r"\b(?:TEST|TEST_F|TEST_P|RC_GTEST_PROP|RC_GTEST_FIXTURE_PROP)\(\s*"
                     r"(\w+),\s*(\w+)")
NUMBER = re.compile(r"(?:^|_)T(\d+)_(\d+)_")


def library_tests(root):
    """Suite.Name of every test next to the code."""
    found = set()
    for path in (root / "src").rglob("*_test.cc"):
        found |= {f"{suite}.{name}" for suite, name in LIBRARY.findall(path.read_text("utf-8"))}
    return found


def command_tests(root):
    """file.Class.test_name of every command-line test."""
    found = set()
    for path in (root / "tests/cli").glob("test_*.py"):
        group = ""
        for line in path.read_text("utf-8").splitlines():
            if match := re.match(r"class (\w+)", line):
                group = match[1]
            elif match := re.match(r"    def (test_\w+)", line):
                found.add(f"{path.stem}.{group}.{match[1]}")
    return found


def rows_of(page):
    """Returns (number, topic, tests, cell that names them) for each row of the table."""
    return [(match[1], match[2], re.findall(r"`([^`]+)`", match[3]), match[3])
            for match in map(ROW.match, page.splitlines()) if match]


def numbers_in(name):
    """Numbers of the examples that appear in a test's name."""
    return {f"T-{a}.{b}" for a, b in NUMBER.findall(name.rpartition(".")[2].replace("test_", "", 1))}


def problems(page, numbers, tests, not_yet):
    """Lines that describe problems with the page."""
    found = []
    rows = rows_of(page)
    if [row[0] for row in rows] != numbers:
        listed = {row[0] for row in rows}
        found.append(f"rows are not the list: missing {sorted(set(numbers) - listed)}, "
                     f"unknown {sorted(listed - set(numbers))}, or in another order")
    for number, _, names, cell in rows:
        if number in not_yet:
            if names or cell != "not yet":
                found.append(f"{number}: has tests, so it is no longer to be in NOT_YET")
        elif not names:
            found.append(f"{number}: no test")
        found += [f"{number}: there is no test {name}" for name in names if name not in tests]
        found += [f"{number}: {name} is a test of {', '.join(sorted(numbers_in(name)))}"
                  for name in names if numbers_in(name) and number not in numbers_in(name)]
    shown = {name for row in rows for name in row[2]}
    found += [f"{', '.join(sorted(numbers_in(name)))}: {name} is not on the page"
              for name in sorted(tests) if numbers_in(name) and name not in shown]
    return found


def numbers():
    return LIST.read_text("utf-8").split()


class Examples(unittest.TestCase):
    def test_every_example_has_tests_that_are_there(self):
        tests = library_tests(ROOT) | command_tests(ROOT)
        self.assertGreater(len(tests), 1000)
        found = problems(PAGE.read_text("utf-8"), numbers(), tests, NOT_YET)
        self.assertEqual(found, [], "\n".join(found))

    def test_the_list_counts_on_without_a_gap(self):
        last = (0, 0)
        for number in numbers():
            chapter, example = map(int, number[2:].split("."))
            self.assertIn((chapter, example), ((last[0], last[1] + 1), (last[0] + 1, 1)))
            last = (chapter, example)
        self.assertEqual(last[0], 9)


class Checker(unittest.TestCase):
    PAGE = "| T-1.1 | sets | `A.T1_1_X` |\n| T-1.2 | bags | `A.Other` |\n"
    TESTS = {"A.T1_1_X", "A.Other", "test_a.A.test_b"}

    def problems(self, page=PAGE, listed=("T-1.1", "T-1.2"), tests=TESTS, not_yet=()):
        return problems(page, list(listed), set(tests), set(not_yet))

    def test_a_right_page_passes(self):
        self.assertEqual(self.problems(), [])
        page = self.PAGE.replace("`A.Other`", "not yet")
        self.assertEqual(self.problems(page, not_yet={"T-1.2"}), [])

    def test_a_missing_row_is_found(self):
        self.assertIn("missing ['T-1.3']", self.problems(listed=("T-1.1", "T-1.2", "T-1.3"))[0])
        self.assertIn("unknown ['T-1.2']", self.problems(listed=("T-1.1",))[0])

    def test_a_missing_test_is_found(self):
        self.assertEqual(self.problems(tests={"A.T1_1_X"}), ["T-1.2: there is no test A.Other"])
        self.assertEqual(self.problems(self.PAGE.replace("`A.Other`", "see above")), ["T-1.2: no test"])

    def test_a_test_of_another_example_is_found(self):
        tests = self.TESTS | {"A.T1_2_Y"}
        self.assertEqual(self.problems(tests=tests), ["T-1.2: A.T1_2_Y is not on the page"])
        page = self.PAGE.replace("`A.T1_1_X`", "`A.T1_2_Y`").replace("A.Other", "A.T1_2_Y")
        self.assertEqual(self.problems(page, tests=tests),
                         ["T-1.1: A.T1_2_Y is a test of T-1.2", "T-1.1: A.T1_1_X is not on the page"])

    def test_a_row_that_is_done_leaves_the_exceptions(self):
        self.assertEqual(self.problems(not_yet={"T-1.2"}),
                         ["T-1.2: has tests, so it is no longer to be in NOT_YET"])

    def test_names_are_read_from_the_sources(self):
        text = "TEST(A, B) {\nRC_GTEST_PROP(C,\n              D, ()) {\nTEST_P(E, F)"
        self.assertEqual(LIBRARY.findall(text), [("A", "B"), ("C", "D"), ("E", "F")])
        self.assertEqual(numbers_in("StringJoin.T5_4_And_T5_6_ThroughTheEngine"), {"T-5.4", "T-5.6"})
        self.assertEqual(numbers_in("test_oracle.Oracle.test_T2_1_x"), {"T-2.1"})


if __name__ == "__main__":
    unittest.main()

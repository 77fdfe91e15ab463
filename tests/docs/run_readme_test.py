"""run_readme.py runs the commands on a page and finds differences from the output shown."""
import pathlib
import subprocess
import sys
import tempfile
import unittest

RUNNER = pathlib.Path(__file__).resolve().parent / "run_readme.py"


def run(page):
    """Exit status and output for a page; `sosie` is echo."""
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder, "page.md")
        file.write_text(page, encoding="utf-8")
        done = subprocess.run([sys.executable, RUNNER, file, "--sosie", "/bin/echo"],
                              capture_output=True, text=True, check=False)
        return done.returncode, done.stdout


def console(*lines):
    return "\n".join(["text", "```console", *lines, "```", "more text", ""])


class RunReadme(unittest.TestCase):
    def test_output_as_shown_passes(self):
        self.assertEqual(run(console("$ sosie a b", "a b", "$ printf 'x\\ny\\n'", "x", "y"))[0], 0)

    def test_other_output_fails_and_names_the_line(self):
        status, output = run(console("$ sosie a", "b"))
        self.assertEqual(status, 1)
        self.assertIn("page.md:3: $ sosie a", output)

    def test_output_that_is_not_shown_fails(self):
        self.assertEqual(run(console("$ sosie a"))[0], 1)
        self.assertEqual(run(console("$ sosie a", "a", "b"))[0], 1)

    def test_dots_stand_for_anything_on_their_line(self):
        self.assertEqual(run(console("$ sosie time 3 s, 9 MB", "time ... s, ... MB"))[0], 0)
        self.assertEqual(run(console("$ printf 'a\\nb\\n'", "a...b"))[0], 1)

    def test_a_line_of_dots_stands_for_lines(self):
        self.assertEqual(run(console("$ seq 9", "1", "...", "9"))[0], 0)
        self.assertEqual(run(console("$ seq 9", "1", "...", "8"))[0], 1)

    def test_the_rest_of_a_line_is_taken_literally(self):
        self.assertEqual(run(console("$ sosie axb", "a.b"))[0], 1)

    def test_stderr_counts(self):
        self.assertEqual(run(console("$ sosie a >&2", "a"))[0], 0)

    def test_a_command_may_be_continued(self):
        self.assertEqual(run(console("$ sosie a \\", "    b", "a b"))[0], 0)

    def test_commands_share_a_folder_that_holds_the_sample(self):
        self.assertEqual(run(console("$ head -c 2 samples/man-pages.jsonl >x; cat x; echo", '{"',
                                     "$ wc -c <x", "2"))[0], 0)

    def test_other_blocks_are_not_run(self):
        self.assertEqual(run("```sh\n$ false\nnothing\n```\n")[0], 0)


if __name__ == "__main__":
    unittest.main()

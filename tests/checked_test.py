"""Tests that tools/checked.py reports what has changed since a check passed, in a small tree of its
own.
"""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[1]
TOOL = ROOT / "tools" / "checked.py"


@unittest.skipUnless(shutil.which("git"), "no git here")
class Checked(unittest.TestCase):
    def setUp(self):
        self.tree = pathlib.Path(tempfile.mkdtemp(prefix="checked-"))
        self.addCleanup(shutil.rmtree, self.tree)
        self.write("tools/checked.py", TOOL.read_text())
        self.write("src/core/a.cc", "int a;\n")
        self.write("src/core/threads.h", "std::mutex mutex;\n")
        self.write("src/read/b.cc", "int b;\n")
        self.write("src/kernels/c.cc", "int c;\n")
        self.write(".gitignore", "/build/\n")
        (self.tree / ".ci").mkdir()
        self.git("init", "--quiet")
        self.git("add", "--all")

    def write(self, name, text):
        path = self.tree / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def git(self, *args):
        environment = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
        subprocess.run(["git", *args], cwd=self.tree, check=True, env=environment)

    def tool(self, *args):
        environment = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
        done = subprocess.run([sys.executable, self.tree / "tools" / "checked.py", *args], text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False, env=environment)
        return done.returncode, done.stdout

    def test_a_check_that_is_not_recorded_has_changed(self):
        self.assertEqual(self.tool("unchanged", "tidy"), (1, "tidy: never recorded\n"))
        self.tool("record", "neon")
        self.assertEqual(self.tool("unchanged", "tidy"), (1, "tidy: never recorded\n"))
        self.assertEqual(self.tool("unchanged", "neon"), (0, "neon: unchanged\n"))

    def test_folders_that_changed_are_named_committed_or_not(self):
        self.tool("record")
        self.assertEqual(self.tool("unchanged", "tidy"), (0, "tidy: unchanged\n"))
        self.write("src/read/b.cc", "int b = 1;\n")
        self.write("src/core/new.h", "int n;\n")
        self.write("build/made.cc", "int m;\n")
        told = "tidy: src/core, src/read changed\n"
        self.assertEqual(self.tool("unchanged", "tidy"), (1, told))
        self.git("add", "--all")
        self.assertEqual(self.tool("unchanged", "tidy"), (1, told))
        self.assertEqual(self.tool("unchanged", "neon"), (0, "neon: unchanged\n"))
        self.assertEqual(self.tool("unchanged", "tsan"), (0, "tsan: unchanged\n"))
        self.tool("record", "tidy")
        self.assertEqual(self.tool("unchanged", "tidy"), (0, "tidy: unchanged\n"))

    def test_folders_that_come_and_go_have_changed(self):
        self.tool("record")
        self.write("apps/new/main.cc", "int main() {}\n")
        shutil.rmtree(self.tree / "src" / "read")
        self.assertEqual(self.tool("unchanged", "tidy"), (1, "tidy: apps/new, src/read changed\n"))

    def test_threads_are_the_files_that_speak_of_them(self):
        self.tool("record")
        self.write("src/core/threads.h", "std::mutex mutexes[2];\n")
        self.assertEqual(self.tool("unchanged", "tsan"), (1, "tsan: threads changed\n"))
        self.tool("record", "tsan")
        self.write("src/core/a.cc", "ThreadPool a;\n")
        self.assertEqual(self.tool("unchanged", "tsan"), (1, "tsan: threads changed\n"))

    def test_without_git_nothing_counts_as_unchanged(self):
        self.tool("record")
        shutil.rmtree(self.tree / ".git")
        self.assertNotEqual(self.tool("unchanged", "tidy")[0], 0)

    def test_a_check_that_nobody_knows_is_refused(self):
        for args in (("unchanged", "tiny"), ("unchanged",), ("record", "tiny"), ("forget",)):
            self.assertNotEqual(self.tool(*args)[0], 0, args)


if __name__ == "__main__":
    unittest.main()

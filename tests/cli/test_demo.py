"""`sosie demo` shows the main task on the sample that is installed with the program."""

import hashlib
import os
import re
import shutil
import subprocess
import unittest

from support import ROOT, SOSIE, SosieTest

SAMPLE = ROOT / "samples" / "man-pages.jsonl"


class Demo(SosieTest):
    def commands(self, text: str) -> list[str]:
        """Returns the lines under "Try next"."""
        return [line[2:] for line in text.partition("Try next\n")[2].splitlines()]

    def test_it_does_what_it_shows(self):
        done = self.sosie("demo")
        text = done.out.decode()
        self.assertEqual(self.names(), {"sosie-demo/kept.jsonl", "sosie-demo/removed.tsv"})
        self.assertIn("274 read, 167 kept, 107 removed", done.err)
        self.assertIn("Of its 274 documents, 167 were kept and 107 removed", text)
        sample, *shown = text.splitlines()[:3]
        self.assertRegex(sample, r"^\$ sample=\S+/man-pages\.jsonl$")
        self.assertEqual(shown, [f'$ {SOSIE} dedup "$sample" \\',
                                 "    -o sosie-demo/kept.jsonl --removed sosie-demo/removed.tsv"])
        kept, removed = self.read("sosie-demo/kept.jsonl"), self.read("sosie-demo/removed.tsv")
        self.shell("\n".join([sample[2:], shown[0][2:], shown[1]]))
        self.assertEqual(self.read("sosie-demo/kept.jsonl"), kept)
        self.assertEqual(self.read("sosie-demo/removed.tsv"), removed)

    def test_the_kept_documents_are_those_of_the_golden_demo(self):
        self.sosie("demo", "out")
        golden = (ROOT / "tests" / "golden" / "demo_outputs.sha256").read_text()
        self.assertIn(f"{hashlib.sha256(self.read('out/kept.jsonl')).hexdigest()}  kept.jsonl",
                      golden)

    def test_every_line_to_type_next_runs(self):
        commands = self.commands(self.sosie("demo", "-q").out.decode())
        self.assertGreaterEqual(len(commands), 4)
        self.write("YOUR.jsonl", ["one two three four five six", "one two three four five six"])
        for command in commands[1:]:
            with self.subTest(command=command):
                self.shell(f"{commands[0]}\n{command}")
        self.assertIn("report.html", self.names())

    def test_lines_to_look_at_name_files_that_are_there(self):
        text = self.sosie("demo", "a folder").out.decode()
        found = re.findall(r"^  ('a folder/\S+'|a folder/\S+)$", text, re.MULTILINE)
        self.assertEqual(found, ["'a folder/kept.jsonl'", "'a folder/removed.tsv'"])
        sample, *commands = self.commands(text)
        for command in commands:
            if "YOUR" not in command:
                self.shell(f"{sample}\n{command}")

    def test_it_can_be_run_again_and_touches_no_other_files(self):
        first = self.sosie("demo").out
        self.assertEqual(self.sosie("demo").out, first)
        self.write("mine/kept.jsonl", "precious\n")
        self.write("mine/notes.txt", "mine\n")
        self.fails(2, "demo", "mine", says=r"mine: the folder holds other files \(notes.txt\)",
                   hints="new folder")
        self.assertEqual(self.read("mine/kept.jsonl"), b"precious\n")

    def test_quiet_leaves_out_the_summary(self):
        done = self.sosie("demo", "--quiet")
        self.assertEqual(done.err, "")
        self.assertIn("Look at", done.out.decode())

    def test_bad_folders_are_refused(self):
        self.write("file", "a file\n")
        self.fails(4, "demo", "file", says="file: ", hints="sosie demo FOLDER")
        self.fails(4, "demo", "/proc/nothing", says="/proc/nothing: ", hints="sosie demo FOLDER")
        self.fails(2, "demo", "a", "b", says="one folder")
        self.fails(2, "demo", "--threshold", "0.5", says="--threshold: not an option of demo")

    def test_a_program_without_its_sample_says_where_it_belongs(self):
        lonely = self.dir / "bin" / "sosie"
        lonely.parent.mkdir()
        shutil.copy(SOSIE, lonely)
        done = subprocess.run([lonely, "demo"], cwd=self.dir, capture_output=True, text=True)
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertIn("the sample is not installed", done.stderr)
        share = self.dir / "share" / "sosie"
        share.mkdir(parents=True)
        shutil.copy(SAMPLE, share)
        os.symlink(lonely, self.dir / "link")  # as in a folder of the PATH
        done = subprocess.run([self.dir / "link", "demo"], cwd=self.dir, capture_output=True,
                              text=True)
        self.assertEqual(done.returncode, 0, done.stderr)

    def shell(self, command: str):
        done = subprocess.run(["sh", "-c", command], cwd=self.dir, env=self.environment(),
                              capture_output=True, text=True, timeout=60, stdin=subprocess.DEVNULL)
        self.assertEqual(done.returncode, 0, f"{command}\n{done.stderr}")


if __name__ == "__main__":
    unittest.main()

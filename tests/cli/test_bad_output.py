"""Everything that may be wrong with an output, including full disks, one fact per test
(refusals.py)."""

import gzip
import os
import resource
import signal
import subprocess
import unittest
from pathlib import Path

import corpus
from refusals import RefusalTest, obey_permissions

FULL = "No space left on device|File too large"  # errors of a disk, or of the limit set by RLIMIT_FSIZE


def limit_file_size():
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (500_000, 500_000))


class Outputs(RefusalTest):
    def setUp(self):
        super().setUp()
        self.write("in.jsonl", ["one two", "One two", "three"])

    def test_a_name_that_cannot_be_written(self):
        self.write("file", b"")
        for option in ("-o", "--removed", "--clusters", "--pairs", "--stats", "--rejects",
                       "--report"):
            name = "x.html" if option == "--report" else "x.jsonl"
            for place in ("no/such", "file"):
                self.refuses(4, "dedup", "in.jsonl", option, f"{place}/{name}",
                             says=rf"^sosie: {place}/{name}: (No such file|Not a directory)")
        self.refuses(4, "dedup", "in.jsonl", "-o", "out.jsonl", "--removed", "no/such/r.tsv",
                     says=r"no/such/r\.tsv")
        self.refuses(4, "pairs", "in.jsonl", "-o", "no/such/p.tsv", says=r"no/such/p\.tsv")

    def test_a_name_that_is_a_folder(self):
        (self.dir / "d.tsv").mkdir()
        self.refuses(4, "dedup", "in.jsonl", "-o", "out", "--removed", "d.tsv",
                     says=r"^sosie: d\.tsv: is a folder$", hints="slash")
        (self.dir / "d.jsonl").mkdir()
        self.refuses(4, "dedup", "in.jsonl", "-o", "d.jsonl", says="^sosie: d.jsonl: is a folder$",
                     hints="-o FOLDER/")

    def test_a_folder_that_may_not_be_written(self):
        (self.dir / "locked").mkdir(mode=0o555)
        for name in ("locked/out.jsonl", "locked/out/"):
            try:
                self.refuses(4, "dedup", "in.jsonl", "-o", name, preexec_fn=obey_permissions,
                             says=rf"^sosie: {name}: Permission denied$")
            except subprocess.SubprocessError:
                self.skipTest("this user may write everything, and cannot help it")

    def test_the_output_is_the_input(self):
        os.link(self.dir / "in.jsonl", self.dir / "hard.jsonl")
        os.symlink("in.jsonl", self.dir / "soft.jsonl")
        (self.dir / "folder").mkdir()
        for name in ("in.jsonl", "./in.jsonl", "folder/../in.jsonl", str(self.dir / "in.jsonl"),
                     "hard.jsonl", "soft.jsonl"):
            says = r"in\.jsonl|hard|soft"
            self.refuses(2, "dedup", "in.jsonl", "-o", name, says=says, hints="never changed")
            self.refuses(2, "pairs", "in.jsonl", "-o", name, says=says)
            self.refuses(2, "dedup", "in.jsonl", "-o", "out.jsonl", "--removed", name, says=says)

    def test_the_output_lies_in_the_input_folder(self):
        self.write("shards/a.jsonl", ["one", "one"])
        self.refuses(2, "dedup", "shards", "-o", "shards/a.jsonl", "--id", "row",
                     says=r"shards/a\.jsonl: is an input")
        self.refuses(2, "dedup", "shards", "-o", "shards/", "--overwrite", "--id", "row",
                     says="shards/: is an input folder: the next run would read it")

    def test_a_folder_that_holds_files_needs_overwrite(self):
        self.write("in/a.jsonl", ["one two"])
        self.write("out/a.jsonl", b"old")
        self.write("out/mine.md", b"mine")
        self.refuses(2, "dedup", "in", "-o", "out/", says="^sosie: out/: the folder is not empty",
                     hints="--overwrite")
        self.sosie("dedup", "in", "-o", "out/", "--overwrite")
        self.assertEqual(self.read("out/a.jsonl"), self.read("in/a.jsonl"))
        self.assertEqual(self.read("out/mine.md"), b"mine")
        self.assertEqual({name for name in self.names() if name.startswith("out/")},
                         {"out/a.jsonl", "out/mine.md"})


class FullDisks(RefusalTest):
    def setUp(self):
        super().setUp()
        self.write("in.jsonl", corpus.planted_pairs(2, 900))  # 2.5 MB
        (self.dir / "disk").mkdir()
        mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=512k", "tmpfs",
                                  self.dir / "disk"], stderr=subprocess.DEVNULL, check=False)
        if mounted.returncode == 0:
            self.addCleanup(subprocess.run, ["umount", "-l", self.dir / "disk"], check=True)
            self.limits = {}
        else:  # a limit on file sizes simulates a full disk
            self.limits = {"preexec_fn": limit_file_size, "restore_signals": False}

    def test_kept_rows(self):
        self.write("disk/out.jsonl", b"old\n")
        self.refuses(4, "dedup", "in.jsonl", "-o", "disk/out.jsonl", "--removed", "r.tsv",
                     "--stats", "s.json", says=rf"sosie: disk/out\.jsonl: ({FULL})$", **self.limits)
        self.refuses(4, "dedup", "in.jsonl", "-o", "disk/new.jsonl.gz", "--threshold", "1",
                     says=rf"^sosie: disk/new\.jsonl\.gz: ({FULL})$", **self.limits)

    def test_a_folder_of_kept_rows(self):
        self.write("shards/a.jsonl", self.read("in.jsonl"))
        self.refuses(4, "dedup", "shards", "-o", "disk/out/", says=rf"disk/.*: ({FULL})$",
                     **self.limits)

    def test_a_side_file(self):
        self.write("in.txt", "one two three four five six\n" * 1_000)
        self.refuses(4, "dedup", "in.txt", "-o", "out.txt", "--pairs", "disk/p.tsv", "--removed",
                     "r.tsv", says=rf"^sosie: disk/p\.tsv: ({FULL})$", **self.limits)

    def test_scratch(self):
        self.write("in.jsonl.gz", gzip.compress(self.read("in.jsonl")))
        for source in (["in.jsonl.gz", "--memory", "4M"], ["-"]):
            self.refuses(4, "dedup", *source, "--scratch", "disk", "-o", "out.jsonl",
                         says=rf"^sosie: disk: ({FULL})$", stdin=self.read("in.jsonl"),
                         **self.limits)


class FullDevices(RefusalTest):
    """/dev/full accepts nothing, but reports this only when data is finally written to it."""

    def test_stdout(self):
        self.write("in.jsonl", ["one two", "One two", "three"])
        self.write("big.jsonl", corpus.planted_pairs(1, 1000))
        with open("/dev/full", "wb") as full:
            for args in (("dedup", "in.jsonl"), ("pairs", "in.jsonl"), ("dedup", "big.jsonl")):
                self.refuses(4, *args, "--stats", "s.json", "--rejects", "r.tsv", stdout=full,
                             says="^sosie: <stdout>: No space left on device$")

    def test_of_several_outputs_none_appears_when_one_fails(self):
        self.write("in.jsonl", ["one two", "One two", "three"])
        for at in range(1, len(self.OUTPUTS), 2):
            names = list(self.OUTPUTS)
            names[at] = "full" + Path(names[at]).suffix
            link = self.dir / names[at]
            os.symlink("/dev/full", link)
            self.refuses(4, "dedup", "in.jsonl", *names, says=rf"^sosie: {names[at]}: No space")
            link.unlink()


if __name__ == "__main__":
    unittest.main()

"""`--overwrite`: what a run replaces in an existing folder, and what it never destroys or mixes with its own
outputs: files of earlier runs and of other programs, decisions about a saved run, inputs."""
# slow: more than 5 s in a release build, so `make sanitize` leaves it to `make sanitize-all`

import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import time
import unittest
from pathlib import Path

import corpus
from refusals import RefusalTest
from support import ROOT, SOSIE, instead, jsonl

sys.path.insert(0, str(ROOT / "tests" / "server"))
from service import Service  # noqa: E402  (stands in tests/server)

LIST = "out/.sosie-outputs"
HAS_SERVER = (SOSIE.parent / "libexec" / "sosie" / "sosie-server").exists()


def rows(name: str) -> str:
    return jsonl([{"id": f"{name}{i}", "text": f"{name} {i} says nothing that others say"}
                  for i in range(3)])


class OutputFolders(RefusalTest):
    def setUp(self):
        super().setUp()
        for path in ("crawl/a.jsonl", "crawl/b.jsonl", "forum/c.jsonl", "forum/deep/d.jsonl"):
            self.write(path, rows(path[-7]))
        self.sosie("dedup", "crawl", "forum", "-o", "out/", "-q")

    def out(self) -> set[str]:
        return {name[4:] for name in self.names() if name.startswith("out/")}

    def at_once(self, *runs: tuple[str, ...]) -> list[tuple[int, str]]:
        """The outcome of runs that start together."""
        started = [subprocess.Popen([SOSIE, "dedup", *args, "-q"], cwd=self.dir, text=True,
                                    stderr=subprocess.PIPE) for args in runs]
        told = [run.communicate()[1] for run in started]
        return [(run.returncode, text) for run, text in zip(started, told)]

    def test_runs_at_once_replace_one_another(self):
        expected = {name: self.read(f"out/{name}") for name in self.out()}
        run = ("crawl", "forum", "-o", "out/", "--overwrite")
        for number in range(25):
            if number % 2:
                shutil.rmtree(self.dir / "out")
            self.assertEqual(self.at_once(run, run, run), [(0, "")] * 3, number)
            self.assertEqual({name: self.read(f"out/{name}") for name in self.out()}, expected)
        self.assertEqual([name for name in os.listdir(self.dir) if name.startswith(".")], [])

    def test_runs_of_other_files_at_once_are_not_mixed(self):
        for _ in range(15):
            shutil.rmtree(self.dir / "out")
            ends = self.at_once(("crawl", "-o", "out/", "--overwrite"),
                                ("forum", "-o", "out/", "--overwrite"))
            self.assertIn(sorted(code for code, _ in ends), ([0, 2],), ends)
            self.assertIn("out/: holds 2 files that this run does not write", ends[0][1] + ends[1][1])
            self.assertIn(self.out() - {".sosie-outputs"}, ({"a.jsonl", "b.jsonl"}, {"c.jsonl", "deep/d.jsonl"}))

    def test_outputs_of_an_earlier_run_are_named_and_stay(self):
        self.refuses(2, "dedup", "forum", "-o", "out/", "--overwrite",
                     says=r"^sosie: out/: holds 4 files that this run does not write: "
                          r"crawl/a\.jsonl, crawl/b\.jsonl, forum/c\.jsonl and 1 more$",
                     hints="name a new folder, or use --overwrite=all to remove them")
        self.sosie("dedup", "crawl", "forum", "-o", "out/", "--overwrite", "-q")

    def test_all_removes_them_and_nothing_else(self):
        for name in ("out/README.md", "out/crawl/notes", "out/.hidden.jsonl"):
            self.write(name, "mine")
        self.sosie("dedup", "forum", "-o", "out/", "--overwrite=all", "-q")
        self.assertEqual(self.out(), {"c.jsonl", "deep/d.jsonl", "README.md", "crawl/notes",
                                      ".hidden.jsonl"})
        self.assertEqual(self.read("out/c.jsonl"), self.read("forum/c.jsonl"))
        self.sosie("dedup", "forum", "-o", "out/", "--overwrite", "-q")

    def test_rows_of_somebody_are_never_removed(self):
        self.write("out/mine.csv", "id,text\n1,x\n")
        for value in ("--overwrite", "--overwrite=all"):
            self.refuses(2, "dedup", "crawl", "forum", "-o", "out/", value, says=r": mine\.csv$",
                         hints="move them away: no run is known to have written them")
        self.refuses(2, "dedup", "forum", "-o", "out/", "--overwrite=all",
                     says="holds 5 files", hints=r"removes only outputs of an earlier run, such as crawl/a")

    def test_a_folder_that_no_list_tells_of_is_somebodys(self):
        os.unlink(self.dir / LIST)
        self.refuses(2, "dedup", "forum", "-o", "out/", "--overwrite=all", says="holds 4 files",
                     hints="no run is known")
        self.sosie("dedup", "crawl", "forum", "-o", "out/", "--overwrite", "-q")

    def test_a_made_up_list_leads_nowhere(self):
        precious = self.write("precious.jsonl", "mine\n")
        os.symlink(self.dir / "forum", self.dir / "out" / "link")
        os.symlink(self.dir / precious, self.dir / "out" / "soft.jsonl")
        self.write(LIST, b"sosie outputs 1\n" + b"".join(
            name.encode() + b"\0" for name in ("../precious.jsonl", str(self.dir / precious),
                                               "link/c.jsonl", "soft.jsonl", "crawl", "",
                                               "crawl/../../precious.jsonl", "crawl/a.jsonl")))
        self.write("out/crawl/b.jsonl", "")
        os.unlink(self.dir / "out/crawl/b.jsonl")
        for name in ("forum/c.jsonl", "forum/deep/d.jsonl"):
            os.unlink(self.dir / "out" / name)
        self.sosie("dedup", "forum", "-o", "out/", "--overwrite=all", "-q")
        self.assertEqual(self.read("precious.jsonl"), b"mine\n")
        self.assertEqual(self.read("forum/c.jsonl"), rows("c"))
        self.assertTrue((self.dir / "out/soft.jsonl").is_symlink())
        self.assertNotIn("out/crawl/a.jsonl", self.names())
        for damaged in (b"", b"sosie outputs 9\na\0", b"\0" * 100, os.urandom(999)):
            self.write(LIST, damaged)
            self.sosie("dedup", "forum", "-o", "out/", "--overwrite=all", "-q")

    def test_the_list_is_no_link(self):
        os.rename(self.dir / LIST, self.dir / "elsewhere")
        os.symlink("../elsewhere", self.dir / LIST)
        self.refuses(2, "dedup", "forum", "-o", "out/", "--overwrite=all", says=r"\.sosie-outputs")

    def test_an_input_below_the_folder_is_never_removed(self):
        for value in ("--overwrite", "--overwrite=all"):
            self.refuses(2, "dedup", "out/crawl", "-o", "out/", value, says="holds 4 files")

    def test_side_files_of_the_run_may_lie_there(self):
        args = ("dedup", "crawl", "forum", "-o", "out/", "--removed", "out/r.tsv", "--stats",
                "out/s.json", "--removed-rows", "out/gone/", "--save", "out/run", "--id", "row", "-q")
        self.sosie(*args, "--overwrite")
        before = self.out()
        for value in ("--overwrite", "--overwrite=all"):
            self.sosie(*args, value)
            self.assertEqual(self.out(), before)
        self.refuses(2, "dedup", "crawl", "forum", "-o", "out/", "--overwrite", says="holds ")

    def test_a_folder_of_which_the_visible_files_were_removed_is_empty(self):
        for name in ("crawl/a.jsonl", "crawl/b.jsonl", "forum/c.jsonl", "forum/deep/d.jsonl"):
            os.unlink(self.dir / "out" / name)
        for name in ("crawl", "forum/deep", "forum"):
            os.rmdir(self.dir / "out" / name)
        self.sosie("dedup", "forum", "-o", "out/", "-q")
        self.assertEqual(self.out(), {"c.jsonl", "deep/d.jsonl"})

    def test_the_list_is_no_input(self):
        run = self.sosie("dedup", "out", "--dry-run")
        self.assertNotIn("sosie-outputs", run.err)
        self.write("docs/a", "one two three four five six")
        self.sosie("dedup", "docs", "--format", "files", "-o", "kept/", "-q")
        self.assertIn("rows 1 ", re.sub(" +", " ", self.sosie(
            "dedup", "kept", "--format", "files", "--dry-run").err))

    def test_a_document_that_is_removed_now_is_gone(self):
        for name in "abc":
            self.write(f"docs/{name}", f"{name} is a text of some six words")
        run = ("dedup", "docs", "--format", "files", "--id", "row", "-o", "kept/", "-q")
        self.sosie(*run)
        self.write("docs/c", self.read("docs/a"))
        self.sosie(*run, "--overwrite")
        self.assertEqual({name for name in self.names() if name.startswith("kept/")},
                         {"kept/a", "kept/b"})

    def test_removed_rows_have_such_a_folder_too(self):
        self.sosie("dedup", "crawl", "forum", "--removed-rows", "out/", "--dry-run", "--overwrite",
                   "-q")
        self.refuses(2, "dedup", "crawl", "--removed-rows", "out/", "--dry-run", "--overwrite",
                     says="holds 4 files")

    def test_a_run_that_fails_removes_nothing(self):
        self.write("crawl/a.jsonl", rows("a") + b"{broken\n")
        self.refuses(3, "dedup", "crawl", "-o", "out/", "--overwrite=all", says="crawl/a.jsonl:4")

    def test_killed_anywhere_every_output_is_of_one_run_or_the_other(self):
        for number in range(40):
            self.write(f"old/{number}.jsonl", rows("old"))
            self.write(f"new/{number + 20}.jsonl", rows("new"))
        for after_ms in (0, 5, 10, 15, 20, 30, 40, 60, 80, 120):
            with self.subTest(after_ms=after_ms):
                self.sosie("dedup", "old", "-o", "twice/", "--overwrite=all", "--id", "row", "-q")
                process = self.start("dedup", "new", "-o", "twice/", "--overwrite=all", "--id", "row",
                                     "-q")
                time.sleep(after_ms / 1000)
                process.send_signal(signal.SIGKILL)
                process.communicate()
                there = {path.name: path.read_bytes() for path in (self.dir / "twice").iterdir()
                         if path.suffix == ".jsonl"}
                names = {f"{number}.jsonl" for number in range(60)}
                self.assertLessEqual(there.keys(), names)
                new = {f"{number + 20}.jsonl" for number in range(40)} & there.keys()
                if not names <= there.keys():  # something was removed, or never written
                    self.assertIn(len(there), range(40, 61))
                gone = {f"{number}.jsonl" for number in range(20)} - there.keys()
                if gone:  # all new files were in place
                    self.assertEqual(len(new), 40)
                self.sosie("dedup", "new", "-o", "twice/", "--overwrite=all", "--id", "row", "-q")
                self.assertEqual({path.name for path in (self.dir / "twice").iterdir()
                                  if path.suffix == ".jsonl"},
                                 {f"{number + 20}.jsonl" for number in range(40)})

    def test_values_that_are_none(self):
        self.refuses(2, "dedup", "crawl", "-o", "out/", "--overwrite=everything",
                     says="'everything' is not one of same, all")


class SavedRuns(RefusalTest):
    ARGS = ("dedup", "in.jsonl", "--threshold", "0.6", "-o", "kept.jsonl", "--save", "run", "-q")

    def setUp(self):
        super().setUp()
        self.write("in.jsonl", corpus.texts(5, 80))
        self.sosie(*self.ARGS)

    def decide(self) -> bytes:
        with open(self.dir / "run" / "decisions.jsonl", "ab") as file:
            file.write(b'{"keep":[1]}\n{"reviewed":[0]}\n')
        return self.read("run/decisions.jsonl")

    def test_without_decisions_it_is_replaced(self):
        self.refuses(2, *self.ARGS, says="run: the folder is not empty", hints="--overwrite")
        before = self.read("run/run.json")
        self.sosie(*instead(self.ARGS, "--threshold", "0.9"), "--overwrite")
        self.assertNotEqual(self.read("run/run.json"), before)

    def test_decisions_are_lost_by_an_order_of_their_own_alone(self):
        decided = self.decide()
        self.refuses(2, *self.ARGS, "--overwrite", says="^sosie: run: holds a review of 2 steps$",
                     hints="name a new folder, or use --overwrite=all to remove the review")
        self.assertEqual(self.read("run/decisions.jsonl"), decided)
        self.sosie(*self.ARGS, "--overwrite=all")
        self.assertEqual(self.read("run/decisions.jsonl").count(b"\n"), 1)

    def test_a_folder_of_something_else(self):
        self.write("mine/groups", "precious")
        self.write("mine/notes.txt", "mine")
        for value in ("--overwrite", "--overwrite=all"):
            self.refuses(2, *self.ARGS[:-2], "mine", value,
                         says="^sosie: mine: holds other files and no saved run, notes.txt for one$")

    @unittest.skipUnless(HAS_SERVER, "built without SOSIE_SERVER")
    def test_a_run_that_is_being_reviewed(self):
        service = Service("run", self.dir)
        self.addCleanup(lambda: service.process.poll() is None and service.kill())
        for value in ("--overwrite", "--overwrite=all"):
            self.fails(4, *self.ARGS, value, says="^sosie: run: in use by another process$",
                       hints="sosie serve")
        service.post("/v1/decisions", {"groups": [0], "verdict": "agree"})
        service.kill()
        self.fails(2, *self.ARGS, "--overwrite", says="holds a review of 1 step$")

    def shown_command(self) -> list[str]:
        """The line in the report that reproduces the run."""
        page = self.read("page.html").decode()
        line = re.search(r"sosie dedup [^<]*", page)[0]
        return shlex.split(line.replace("&#39;", "'").replace("&quot;", '"'))[1:]

    def test_the_command_of_the_report_destroys_nothing(self):
        self.write("crawl/a.jsonl", rows("a"))
        for value in ((), ("--overwrite",), ("--overwrite=all",)):
            self.sosie("dedup", "crawl", "-o", "out/", "--save", "run", "--report", "page.html",
                       *(value or ("--overwrite",)))
            self.decide()
            command = self.shown_command()
            self.assertNotIn("overwrite", " ".join(command))
            before = {name: self.read(name) for name in self.names() if name != "page.html"}
            self.sosie(*command)
            after = {name: self.read(name) for name in self.names() if name in before}
            self.assertEqual(after, before)
            self.assertEqual(self.read("out-2/a.jsonl"), rows("a"))
            self.assertTrue((self.dir / "run-2" / "run.json").exists())
            self.sosie("dedup", "crawl", "-o", "out/", "--save", "run", "--overwrite=all", "-q")
            for folder in ("out-2", "run-2"):
                for path in sorted((self.dir / folder).iterdir()):
                    path.unlink()
                os.rmdir(self.dir / folder)


class Paths(RefusalTest):
    def test_the_folder_may_be_this_one_or_a_link_to_one(self):
        self.write("in/a.jsonl", rows("a"))
        self.write("in/b.jsonl", rows("b"))
        (self.dir / "real").mkdir()
        os.symlink("real", self.dir / "soft")
        for folder in ("./real/../real/", "soft/", f"{self.dir}/real//"):
            self.sosie("dedup", "in", "-o", folder, "--overwrite", "-q")
            self.refuses(2, "dedup", "in/a.jsonl", "-o", folder, "--overwrite", says=r": b\.jsonl$")
            self.sosie("dedup", "in/a.jsonl", "-o", folder, "--overwrite=all", "-q")
            self.assertEqual({path.name for path in Path(self.dir / "real").iterdir()},
                             {"a.jsonl", ".sosie-outputs"})


if __name__ == "__main__":
    unittest.main()

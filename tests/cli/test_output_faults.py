"""Every verb and output under faults: full and broken disks, interrupted calls, read-only folders,
kills. In every case, the run ends with a documented exit code and one line, no output is
incomplete, and inputs are untouched. tests/faults injects the faults.

CI samples the calls of a run and the moments of kills; SOSIE_ALL_FAULTS=1 covers every call, and
200 kills per job.
"""
# slow: more than 5 s in a release build, so `make sanitize` leaves it to `make sanitize-all`

import os
import random
import signal
import subprocess
import unittest

import corpus
from refusals import obey_permissions
from support import IN_MEMORY, SANITIZED, SosieTest

FAULTS = os.environ.get("SOSIE_FAULTS", "")
ALL = bool(os.environ.get("SOSIE_ALL_FAULTS"))
CALLS_OF_A_KIND = 4
KILLS = 200 if ALL else 6
CHANGING = ("stats.json", "page.html")  # they include the run time
ONE = ("--threads", "1")
TEXTS = "texts.jsonl"
SIDE_FILES = ("--removed", "r.tsv", "--removed-rows", "rr.jsonl.gz", "--clusters", "c.csv.zst",
              "--pairs", "p.tsv", "--stats", "stats.json", "--report", "page.html", "--rejects",
              "bad.jsonl", "--on-bad-row", "skip")

# Commands, each with an output, and the place of its result; None: standard output.
JOBS = {
    "dedup": (("dedup", TEXTS, *SIDE_FILES), "out.jsonl"),
    "dedup into a folder": (("dedup", "more.jsonl", "asked.jsonl", "--id", "row"), "tree/"),
    "dedup of vectors": (("dedup", "vectors.jsonl", "--kind", "vectors", "--column", "v",
                          "--threshold", "0.99", "--removed", "r.tsv", "--removed-rows",
                          "rr.jsonl"), "out.jsonl"),
    "dedup of bits": (("dedup", "bits.txt", "--kind", "bits", "--within", "2", "--removed-rows",
                       "rr.txt"), "out.txt"),
    "dedup with little memory": (("dedup", TEXTS, "--memory", "1M", "--removed", "r.tsv",
                                  "--on-bad-row", "keep"), "out.jsonl"),
    "dedup to stdout": (("dedup", TEXTS, "--on-bad-row", "keep"), None),
    "pairs": (("pairs", TEXTS, "--on-bad-row", "skip", "--stats", "stats.json", "--rejects",
               "bad.tsv"), "p.csv.gz"),
    "pairs to stdout": (("pairs", "more.jsonl"), None),
    "query": (("query", "more.jsonl", "asked.jsonl"), "hits.tsv"),
    "query to stdout": (("query", "more.jsonl", "asked.jsonl"), None),
    "cluster": (("cluster", "made.tsv"), "groups.tsv"),
    "plan": (("plan", "more.jsonl", "--method", "lsh", "--svg", "curve.svg"), "plan.json"),
    "explain": (("explain", "d0", "d1", "more.jsonl"), "why.txt"),
    "sketch": (("sketch", "more.jsonl", "--plan", "made.json"), "a.sketches"),
}
QUIET = {"dedup", "pairs", "query", "cluster", "sketch"}
WAYS = (("write", "ENOSPC"), ("write", "EIO"), ("write", "EINTR"), ("pread", "EIO"),
        ("pread", "EINTR"), ("read", "EIO"), ("read", "EINTR"), ("fsync", "EIO"),
        ("fsync", "EINTR"), ("rename", "EIO"), ("mkostemp", "ENOSPC"), ("mkdtemp", "EACCES"),
        ("syncfs", "EIO"))


class Attacked(SosieTest):
    place = IN_MEMORY

    def setUp(self):
        super().setUp()
        self.fault = {}
        self.write(TEXTS, corpus.texts(91, 60))
        with open(self.dir / TEXTS, "ab") as file:
            file.write(b'{"id": "broken", "text": \n')
        self.write("more.jsonl", corpus.texts(92, 40))
        self.write("asked.jsonl", corpus.texts(92, 12))
        self.write("vectors.jsonl", "".join(
            f'{{"id": {i}, "v": [{i // 2 + 1}, {i % 7}, 3]}}\n' for i in range(40)))
        self.write("bits.txt", "".join(f"{i // 2:016x}\n" for i in range(40)))
        self.sosie("pairs", "more.jsonl", "-o", "made.tsv")
        self.sosie("plan", "more.jsonl", "--method", "lsh", "-o", "made.json")
        self.inputs = self.snapshot()

    def environment(self) -> dict:
        return super().environment() | self.fault

    def snapshot(self) -> dict:
        return {name: self.read(name) for name in self.names()}

    def command(self, name: str) -> list[str]:
        args, output = JOBS[name]
        quiet = ["--quiet"] if args[0] in QUIET else []
        threads = [] if args[0] == "cluster" else ONE
        return [*args, *threads, *quiet, *(("-o", output) if output else ())]

    def whole(self, name: str):
        """Returns the files and standard output of an undisturbed run."""
        self.fault = {}
        out = self.sosie(*self.command(name)).out
        made = {file: data for file, data in self.snapshot().items() if file not in self.inputs}
        self.clean()
        return made, out

    def clean(self):
        for name in self.names() - self.inputs.keys():
            (self.dir / name).unlink()
        for folder in self.dir.glob("*tree*"):
            if folder.is_dir():
                for inner in folder.iterdir():
                    inner.rmdir() if inner.is_dir() else inner.unlink()
                folder.rmdir()

    def check_left(self, made: dict, told, killed: bool = False):
        """Inputs are unchanged; each output is either missing or complete."""
        for name, data in self.snapshot().items():
            if name in self.inputs:
                self.assertEqual(data, self.inputs[name], (told, name))
            elif killed and ".sosie-" in name:
                continue  # the next run removes it after a while
            else:
                self.assertIn(name, made, told)
                if name not in CHANGING:
                    self.assertEqual(data, made[name], (told, name))
                else:
                    self.assertEqual(data.rstrip()[-1:], made[name].rstrip()[-1:], (told, name))

    def check_error(self, result, told):
        lines = result.error_lines()
        self.assertTrue(lines, told)
        self.assertRegex(lines[0], r"^sosie: \S.*: \S", told)
        self.assertLessEqual(len(lines), 2, (told, result.err))
        self.assertNotIn("internal error", result.err, told)


@unittest.skipUnless(os.path.exists(FAULTS), "SOSIE_FAULTS names no library")
@unittest.skipIf(SANITIZED, "sanitizers want to be loaded first")
class FailingCalls(Attacked):
    def disturbed(self, name: str, fault: str, **more: str):
        self.fault = {"LD_PRELOAD": FAULTS, "SOSIE_FAULT_STANDARD": "1", "SOSIE_FAULT": fault,
                      **more}
        return self.sosie(*self.command(name), code=None)

    def numbers(self, count: int, seed: str) -> list[int]:
        if ALL or count <= CALLS_OF_A_KIND:
            return list(range(1, count + 1))
        chance = random.Random(seed)
        return sorted({1, count, *chance.sample(range(2, count), CALLS_OF_A_KIND - 2)})

    def walk(self, name: str):
        made, out = self.whole(name)
        self.disturbed(name, "", SOSIE_FAULT_COUNTS=str(self.scratch / "counts"))
        lines = (self.scratch / "counts").read_text().splitlines()
        (self.scratch / "counts").unlink()
        counts = {call: int(count) for call, count in map(str.split, lines)}
        self.clean()
        for call, error in WAYS:
            for number in self.numbers(counts[call], f"{name} {call} {error}"):
                told = (name, call, number, error)
                result = self.disturbed(name, f"{call}:{number}:{error}")
                if result.code == 0:
                    self.assertEqual(self.names() - self.inputs.keys(), made.keys(), told)
                    self.assertEqual(result.out, out, told)
                else:
                    self.assertEqual(result.code, 4, (told, result.err))
                    self.assertNotEqual(error, "EINTR", told)
                    self.check_error(result, told)
                    self.assertTrue(out.startswith(result.out), told)
                    # Files get their names one after another; `plan` prints when its files exist.
                    if call not in ("rename", "syncfs") and name != "plan":
                        self.assertFalse(self.names() - self.inputs.keys(), told)
                self.assertFalse([left for left in self.names() if ".sosie-" in left], told)
                self.assertEqual(list(self.scratch.iterdir()), [], told)
                self.check_left(made, told)
                self.clean()

    def test_short_and_interrupted_calls_change_nothing(self):
        for name in JOBS:
            made, out = self.whole(name)
            result = self.disturbed(name, "short")
            self.assertEqual((result.code, result.out), (0, out), (name, result.err))
            self.assertEqual(self.names() - self.inputs.keys(), made.keys(), name)
            self.check_left(made, name)
            self.clean()


def add_walk(name: str):
    setattr(FailingCalls, "test_" + name.replace(" ", "_"), lambda self: self.walk(name))


for job in JOBS:
    add_walk(job)


class Kills(Attacked):
    def test_at_any_moment_each_output_is_whole_or_not_there(self):
        chance = random.Random(93)
        for name in JOBS:
            made, out = self.whole(name)
            for _ in range(KILLS):
                after_s = chance.uniform(0, 0.08)
                process = self.start(*self.command(name))
                try:
                    process.wait(timeout=after_s)
                except subprocess.TimeoutExpired:
                    process.kill()
                written = process.communicate()[0]
                self.assertIn(process.returncode, (0, -signal.SIGKILL), name)
                self.assertTrue(out.startswith(written), name)
                self.check_left(made, (name, after_s), killed=True)
                self.clean()


class Folders(Attacked):
    def test_one_that_may_not_be_written(self):
        (self.dir / "locked").mkdir(mode=0o555)
        for name, (_, output) in JOBS.items():
            if output is None:
                continue
            try:
                result = self.sosie(*self.command(name)[:-1], f"locked/{output}", code=4,
                                    preexec_fn=obey_permissions)
            except subprocess.SubprocessError:
                self.skipTest("this user may write everything, and cannot help it")
            self.check_error(result, name)
            self.assertIn(f"sosie: locked/{output}: Permission denied", result.err, name)
            self.assertEqual(self.snapshot(), self.inputs, name)


if __name__ == "__main__":
    unittest.main()

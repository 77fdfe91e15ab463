"""Runs that are disturbed: inputs that change, pipes that are closed, Ctrl-C (refusals.py)."""
# slow: more than 5 s in a release build, so `make sanitize` leaves it to `make sanitize-all`

import array
import fcntl
import functools
import os
import random
import select
import signal
import subprocess
import termios
import time
import unittest
from pathlib import Path

import corpus
from refusals import RefusalTest
from support import SANITIZED, SOSIE, documents

GOOD = b'{"id": "a", "text": "one two three"}\n'
GOOD_BYE_S = 20.0 if SANITIZED else 2.0  # Ctrl-C stops a run within a second; machines may be busy


@functools.lru_cache(maxsize=1)
def many_rows() -> bytes:
    """Enough rows that comparing all of them takes much longer than these tests wait."""
    chance = random.Random(60)
    pieces = [corpus.unrelated_words(chance, 20) for _ in range(500)]
    return documents([" ".join(chance.sample(pieces, 6)) for _ in range(20_000)])


class FilesThatChange(RefusalTest):
    def changed_when_open(self, change, *args: str, code: int = 0) -> subprocess.Popen:
        """Changes in.jsonl while the program runs: when it has read more of the second input than
        fits in a pipe, it has opened the first input but has not read it."""
        process = self.start("dedup", "in.jsonl", "-", "--threads", "1", "--id", "row", "--quiet",
                             *args, stdin=subprocess.PIPE)
        process.stdin.write(self.second)
        process.stdin.flush()
        change(self.dir / "in.jsonl")
        process.out, process.err = process.communicate(timeout=60)
        self.assertEqual(process.returncode, code, process.err)
        self.assertEqual(list(self.scratch.iterdir()), [])
        return process

    def setUp(self):
        super().setUp()
        self.write("in.jsonl", corpus.planted_pairs(7, 50))
        self.second = documents(corpus.planted_pairs(8, 100))
        self.assertGreater(len(self.second), 200_000)
        self.first = self.read("in.jsonl")

    def test_one_that_shrinks_is_an_error(self):
        for size in (0, 1000, len(self.first) - 1):
            self.write("in.jsonl", self.first)
            done = self.changed_when_open(lambda path: os.truncate(path, size), *self.OUTPUTS,
                                          code=4)
            self.assertEqual(done.err, b"sosie: in.jsonl: became shorter while it was read\n")
            self.assertEqual(self.names(), {"in.jsonl"})

    def test_one_that_is_written_to_is_an_error(self):
        """Rows from two versions of a file, one of them torn, must not be written as one file."""
        def append(path: Path):
            with open(path, "ab") as file:
                file.write(b'{"id": "late", "text": "a row that came late"}\n{"half')

        def rewrite(path: Path):
            with open(path, "r+b") as file:
                file.write(self.first[::-1])

        def rewrite_with_its_old_times(path: Path):
            status = os.stat(path)
            rewrite(path)
            os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))

        for change in (append, rewrite, rewrite_with_its_old_times):
            for place in (("--dry-run",), self.OUTPUTS):
                self.write("in.jsonl", self.first)
                done = self.changed_when_open(change, "--threshold", "1", "--on-bad-row", "skip",
                                              *place, code=4)
                self.assertEqual(done.err.decode().splitlines()[0],
                                 "sosie: in.jsonl: changed while it was read")
                self.assertEqual(self.names(), {"in.jsonl"})

    def test_one_of_the_others_that_is_written_to_is_an_error(self):
        """Also for --against, and for each verb and kind."""
        self.write("v.jsonl", b'{"id": 1, "v": [1, 2]}\n')
        vectors = ("--kind", "vectors", "--column", "v", "--threshold", "0.9", "--format", "jsonl")
        item = b'{"id": 2, "v": [1, 2]}\n'
        for name, args, second in (
                ("in.jsonl", ("pairs", "in.jsonl", "-", "--id", "row"), self.second),
                ("in.jsonl", ("dedup", "-", "--against", "in.jsonl", "--id", "row"), self.second),
                ("in.jsonl", ("explain", "0", "1", "in.jsonl", "-", "--id", "row"), self.second),
                ("v.jsonl", ("dedup", "v.jsonl", "-", "--id", "row", *vectors), item * 20_000),
                ("v.jsonl", ("pairs", "v.jsonl", "-", "--id", "row", "--limit", "9", *vectors),
                 item * 20_000)):
            process = self.start(*args, stdin=subprocess.PIPE)
            # More than fits in a pipe: once it is written, the earlier files have been opened.
            process.stdin.write(b"\n" * (1 << 20) + second)
            process.stdin.flush()
            os.utime(self.dir / name)
            out, err = process.communicate(timeout=60)
            self.assertEqual(process.returncode, 4, (args, err))
            self.assertIn(f"sosie: {name}: changed while it was read".encode(), err)

    def test_one_that_is_removed_or_replaced_is_read_as_it_was(self):
        for change in (os.unlink, lambda path: os.rename(self.dir / "other", path)):
            self.write("in.jsonl", self.first)
            self.write("other", GOOD)
            self.assertEqual(self.changed_when_open(change, "--threshold", "1").out,
                             self.first + self.second)

    def test_one_of_very_many_that_is_removed_or_replaced_is_an_error(self):
        """Not all of them are kept open."""
        names = [self.write(f"many/{number}.txt", "one two") for number in range(300)]
        for change, says in ((os.unlink, "No such file or directory"),
                             (lambda path: os.rename(self.dir / "other", path),
                              "was replaced while it was read")):
            self.write("in.jsonl", self.first)
            self.write("other", self.first)
            done = self.changed_when_open(change, *names, "--dry-run", code=4)
            self.assertEqual(done.err.decode(), f"sosie: in.jsonl: {says}\n")


class ClosedPipe(RefusalTest):
    def test_it_ends_quietly_and_completes_other_outputs(self):
        self.write("in.jsonl", corpus.planted_pairs(63, 1_000))
        self.write("in.txt", "one and the same\n" * 600)  # 179,700 pairs
        more = ("--stats", "s.json", "--rejects", "bad.tsv")
        for args in (("dedup", "in.jsonl"), ("pairs", "in.txt"),
                     ("dedup", "in.jsonl", *more, "--removed", "r.tsv"), ("pairs", "in.txt", *more)):
            process = self.start(*args, "--quiet")
            self.assertTrue(process.stdout.read(1))  # more than fits in a pipe
            process.stdout.close()
            err = process.stderr.read()
            process.stderr.close()
            code = process.wait(timeout=20)
            self.assertEqual(err, b"")
            self.assertIn(code, (0, -signal.SIGPIPE, 128 + signal.SIGPIPE))
            asked = set(args) & {"s.json", "bad.tsv", "r.tsv"}
            self.assertEqual(self.names(), {"in.jsonl", "in.txt"} | asked)
            before = {name: self.read(name) for name in asked - {"s.json"}}
            self.sosie(*args)
            self.assertEqual({name: self.read(name) for name in before}, before)
            for name in asked:
                (self.dir / name).unlink()

    def test_in_a_shell(self):
        self.write("in.jsonl", corpus.planted_pairs(63, 1_000))
        done = subprocess.run(["sh", "-c", f"'{SOSIE}' dedup in.jsonl --quiet | head -1"],
                              cwd=self.dir, env=self.environment(), capture_output=True,
                              timeout=30)
        self.assertEqual(done.returncode, 0)
        self.assertEqual(done.stdout, self.read("in.jsonl").splitlines(keepends=True)[0])
        self.assertEqual(done.stderr, b"")


class Interrupted(RefusalTest):
    """Ctrl-C in any stage stops a run with 130, within a second, and leaves nothing behind."""

    SIDE_FILES = ("--removed", "r.tsv", "--clusters", "c.tsv", "--stats", "s.json", "--pairs",
                  "p.tsv", "--report", "page.html")

    def interrupt(self, process: subprocess.Popen, sign: int = signal.SIGINT) -> None:
        """Stdin and stdout stay open, so whatever it does within a second, it does by itself."""
        self.assertIsNone(process.poll(), "it is still at work when interrupted")
        sent = time.monotonic()
        process.send_signal(sign)
        try:
            process.wait(timeout=10)
        except subprocess.TimeoutExpired:
            process.kill()
            self.fail("still running ten seconds after Ctrl-C")
        finally:
            took = time.monotonic() - sent
            process.out, err = process.communicate()
        self.assertEqual(process.returncode, 128 + sign, err)
        self.assertLess(took, GOOD_BYE_S)
        self.assertTrue(err.endswith(b"sosie: interrupted\n"), err)
        self.assertEqual(list(self.scratch.iterdir()), [])

    def wait_for(self, stage: bytes, process: subprocess.Popen) -> None:
        """Waits until the progress bar names the stage."""
        shown = b""
        while stage not in shown:
            more = os.read(process.stderr.fileno(), 4096)
            self.assertTrue(more, f"the run ended without {stage}: {shown[-300:]}")
            shown += more

    def check_stage(self, stage: bytes, *args: str):
        self.write("in.jsonl", many_rows())
        self.write("out.jsonl", b"old\n")
        before = self.everything()
        process = self.start(*args, "-o", "out.jsonl", "--progress", "bar")
        self.wait_for(stage, process)
        self.interrupt(process)
        self.assertEqual(process.out, b"")
        self.assertEqual(self.everything(), before)

    def test_while_it_waits_for_a_pipe(self):
        os.mkfifo(self.dir / "pipe.jsonl")
        os.mkfifo(self.dir / "list")
        self.write("in.jsonl", GOOD)
        for args in (("dedup", "-"), ("pairs", "-"), ("plan", "-"), ("cluster", "-"),
                     ("dedup", "pipe.jsonl"), ("dedup", "--files-from", "-"),
                     ("dedup", "--files-from", "list"), ("dedup", "in.jsonl", "--reuse", "-")):
            with self.subTest(args=args):
                before = self.everything()
                out = "out.json" if args[0] == "plan" else "out.jsonl"
                process = self.start(*args, "-o", out, stdin=subprocess.PIPE)
                self.wait_until_it_catches(process, signal.SIGINT)
                time.sleep(0.1)  # nothing shows when it has begun to wait
                self.interrupt(process)
                self.assertEqual(self.everything(), before)

    def test_while_another_process_holds_the_output_folder(self):
        self.write("in.jsonl", GOOD)
        self.sosie("dedup", "in.jsonl", "-o", "out/", "-q")
        before = self.everything()
        folder = os.open(self.dir / "out", os.O_RDONLY)
        self.addCleanup(os.close, folder)
        fcntl.flock(folder, fcntl.LOCK_EX)
        process = self.start("dedup", "in.jsonl", "-o", "out/", "--overwrite=all")
        with self.assertRaises(subprocess.TimeoutExpired):
            process.wait(timeout=1)
        self.interrupt(process)
        self.assertEqual(self.everything(), before)

    def test_in_the_middle_of_stdin(self):
        """A run that is interrupted while it reads standard input leaves no output."""
        process = self.start("dedup", "-", "-o", "out.jsonl", stdin=subprocess.PIPE)
        process.stdin.write(documents(corpus.texts(64, 1000)))  # more than fits in a pipe
        process.stdin.flush()
        self.interrupt(process)
        self.assertEqual(self.names(), set())

    def test_when_whoever_feeds_it_is_interrupted_too(self):
        """In `producer | sosie dedup -`, Ctrl-C stops both: the input ends early, which must not
        look like a result."""
        self.write("out.jsonl", b"old\n")
        process = self.start("dedup", "-", "-o", "out.jsonl", stdin=subprocess.PIPE)
        process.stdin.write(documents(corpus.texts(65, 1000)))
        process.stdin.flush()
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=10)  # closes stdin
        self.assertEqual(process.returncode, 130)
        self.assertEqual(self.read("out.jsonl"), b"old\n")

    def test_while_it_reads_and_sketches(self):
        self.check_stage(b"reading", "dedup", *["in.jsonl"] * 8, "--id", "row", "--method", "lsh",
                         "--bands", "1024x1", *self.SIDE_FILES)

    def test_while_it_compares(self):
        self.check_stage(b"comparing", "dedup", "in.jsonl", "--method", "brute", "--threshold",
                         "0.9", *self.SIDE_FILES)

    def test_while_it_verifies_candidates(self):
        self.check_stage(b"comparing", "pairs", "in.jsonl", "--method", "lsh", "--bands", "64x1",
                         "--threshold", "0.1")

    def test_while_it_audits(self):
        self.check_stage(b"auditing", "dedup", "in.jsonl", "--audit=20000", *self.SIDE_FILES)

    def test_sigterm_does_the_same_and_exits_with_143(self):
        self.write("in.jsonl", many_rows())
        process = self.start("pairs", "in.jsonl", "--method", "brute", "-o", "p.tsv", "--progress",
                             "bar")
        self.wait_for(b"comparing", process)
        self.interrupt(process, signal.SIGTERM)
        self.assertEqual(self.names(), {"in.jsonl"})

    def test_while_it_writes_to_a_reader_that_does_not_read(self):
        """If stdout or a named pipe is full, Ctrl-C still stops the run, and no side file
        appears."""
        self.write("in.jsonl", corpus.planted_pairs(62, 500))
        self.assertGreater(len(self.read("in.jsonl")), 1_000_000)
        os.mkfifo(self.dir / "pipe.jsonl")
        before = self.everything()
        for output in ((), ("-o", "pipe.jsonl")):
            with self.subTest(output=output):
                reader = os.open(self.dir / "pipe.jsonl", os.O_RDONLY | os.O_NONBLOCK)
                process = self.start("dedup", "in.jsonl", "--quiet", "--removed", "r.tsv", *output)
                pipe = reader if output else process.stdout.fileno()
                select.select([pipe], [], [], 30)
                self.wait_until_full(pipe)
                self.interrupt(process)
                os.close(reader)
                self.assertEqual(self.everything(), before)

    def wait_until_full(self, pipe: int):
        """Waits until nothing more arrives in a pipe."""
        waiting, held, capacity = array.array("i", [0]), -1, fcntl.fcntl(pipe, fcntl.F_GETPIPE_SZ)
        deadline = time.monotonic() + 30
        while held < capacity:
            self.assertLess(time.monotonic(), deadline, f"{held} of {capacity} bytes came")
            time.sleep(0.01)
            fcntl.ioctl(pipe, termios.FIONREAD, waiting)
            held = waiting[0]

    def test_at_moments_of_a_run(self):
        """At any moment, Ctrl-C has one of two outcomes: exit code 130 with nothing left behind, or
        a complete run."""
        self.write("in.jsonl", corpus.planted_pairs(61, 1_500))
        whole = self.kept("in.jsonl")
        for after_ms in (0, 3, 10, 20, 40, 80, 120, 200):
            process = self.start("dedup", "in.jsonl", "-o", "out.jsonl", "--removed", "r.tsv",
                                 "--quiet")
            time.sleep(after_ms / 1000)
            process.send_signal(signal.SIGINT)
            process.communicate(timeout=10)
            if process.returncode == 0:
                self.assertEqual(self.read("out.jsonl"), whole)
                self.assertIn("r.tsv", self.names())
                os.unlink(self.dir / "out.jsonl")
                os.unlink(self.dir / "r.tsv")
            elif process.returncode != -signal.SIGINT:  # before the program could say anything
                self.assertEqual(process.returncode, 130, after_ms)
            self.assertEqual(self.names(), {"in.jsonl"}, after_ms)


if __name__ == "__main__":
    unittest.main()

"""Ctrl-C and closed pipes."""

import os
import random
import select
import signal
import subprocess
import time
import unittest
from pathlib import Path

import corpus
from support import SOSIE, SosieTest, documents

GOOD_BYE_S = 1.0  # CLI.md: within a second


class Interrupted(SosieTest):
    def interrupt(self, process: subprocess.Popen, after_s: float) -> None:
        """Sends Ctrl-C after a while, with stdin and stdout left open: what it does within a second
        it does of its own accord."""
        time.sleep(after_s)
        self.assertIsNone(process.poll(), "it is still at work when interrupted")
        sent = time.monotonic()
        process.send_signal(signal.SIGINT)
        try:
            process.wait(timeout=10)
        except subprocess.TimeoutExpired:
            process.kill()
            self.fail("still running ten seconds after Ctrl-C")
        finally:
            took = time.monotonic() - sent
            out, err = process.communicate()
        self.assertEqual(process.returncode, 130, err)
        self.assertLess(took, GOOD_BYE_S)
        self.assertEqual(out or b"", b"")
        self.assertEqual(list(Path(self.scratch).rglob("*")), [])

    def many_rows(self) -> str:
        """Enough rows that comparing all of them takes much longer than this test waits."""
        chance = random.Random(60)
        pieces = [corpus.unrelated_words(chance, 20) for _ in range(3_000)]
        return self.write("in.jsonl", documents(
            [" ".join(chance.sample(pieces, 12)) for _ in range(40_000)]))

    def test_while_it_waits_for_stdin(self):
        process = self.start("dedup", "-", "-o", "out.jsonl", stdin=subprocess.PIPE)
        self.interrupt(process, 0.3)
        self.assertEqual(self.names(), set())

    def test_in_the_middle_of_stdin(self):
        """What has come so far is no result."""
        process = self.start("dedup", "-", "-o", "out.jsonl", stdin=subprocess.PIPE)
        process.stdin.write(documents(corpus.texts(64, 200)))
        process.stdin.flush()
        self.interrupt(process, 0.3)
        self.assertEqual(self.names(), set())

    def test_when_whoever_feeds_it_is_interrupted_too(self):
        """In `producer | sosie dedup -` Ctrl-C ends both: the end of the input is no result."""
        for sent in (b"", documents(corpus.texts(65, 50))):
            self.write("out.jsonl", b"old\n")
            process = self.start("dedup", "-", "-o", "out.jsonl", stdin=subprocess.PIPE)
            process.stdin.write(sent)
            process.stdin.flush()
            time.sleep(0.3)
            process.send_signal(signal.SIGINT)
            process.communicate(timeout=10)  # closes stdin
            self.assertEqual(process.returncode, 130)
            self.assertEqual(self.read("out.jsonl"), b"old\n")

    def test_while_it_compares(self):
        self.write("out.jsonl", b"old\n")
        process = self.start("dedup", self.many_rows(), "--method", "brute", "--threshold", "0.5",
                             "-o", "out.jsonl", "--removed", "r.tsv", "--clusters", "c.tsv",
                             "--stats", "s.json", "--pairs", "p.tsv")
        self.interrupt(process, 1.0)
        self.assertEqual(self.read("out.jsonl"), b"old\n")
        self.assertEqual(self.names(), {"in.jsonl", "out.jsonl"})

    def test_while_it_compares_pairs(self):
        process = self.start("pairs", self.many_rows(), "--method", "brute", "--threshold", "0.5",
                             "-o", "p.tsv")
        self.interrupt(process, 1.0)
        self.assertEqual(self.names(), {"in.jsonl"})

    def test_at_moments_of_a_run(self):
        """Wherever Ctrl-C falls: 130 and nothing left, or done and everything there."""
        self.write("in.jsonl", corpus.planted_pairs(61, 2_500))
        whole = self.kept("in.jsonl")
        for after_ms in (0, 3, 10, 20, 40, 80, 120, 200):
            process = self.start("dedup", "in.jsonl", "-o", "out.jsonl", "--quiet")
            time.sleep(after_ms / 1000)
            process.send_signal(signal.SIGINT)
            process.communicate(timeout=10)
            if process.returncode == 0:
                self.assertEqual(self.read("out.jsonl"), whole)
                os.unlink(self.dir / "out.jsonl")
            elif process.returncode != -signal.SIGINT:  # before the program could say anything
                self.assertEqual(process.returncode, 130, after_ms)
            self.assertEqual(self.names(), {"in.jsonl"}, after_ms)

    def test_a_reader_that_does_not_read_does_not_keep_it(self):
        """Stdout is a full pipe: Ctrl-C still ends it."""
        self.write("in.jsonl", corpus.planted_pairs(62, 2_000))
        process = self.start("dedup", "in.jsonl", "--quiet")
        select.select([process.stdout], [], [], 30)
        time.sleep(0.3)
        self.assertIsNone(process.poll())
        process.send_signal(signal.SIGINT)
        try:
            self.assertEqual(process.wait(timeout=5), 130)
        finally:
            process.kill()
            process.communicate()


class ClosedPipe(SosieTest):
    def test_it_ends_quietly(self):
        self.write("in.jsonl", corpus.planted_pairs(63, 3_000))
        for args in (("dedup", "in.jsonl"), ("pairs", "in.jsonl", "--threshold", "0.1")):
            process = self.start(*args, "--quiet")
            self.assertTrue(process.stdout.readline())
            process.stdout.close()
            err = process.stderr.read()
            process.stderr.close()
            code = process.wait(timeout=20)
            self.assertEqual(err, b"")
            self.assertIn(code, (0, -signal.SIGPIPE, 128 + signal.SIGPIPE))

    def test_in_a_shell(self):
        self.write("in.jsonl", corpus.planted_pairs(63, 3_000))
        done = subprocess.run(["sh", "-c", f"'{SOSIE}' dedup in.jsonl --quiet | head -1"],
                              cwd=self.dir, env=self.environment(), capture_output=True,
                              timeout=30)
        self.assertEqual(done.returncode, 0)
        self.assertEqual(done.stdout, self.read("in.jsonl").splitlines(keepends=True)[0])
        self.assertEqual(done.stderr, b"")


if __name__ == "__main__":
    unittest.main()

"""The standard streams: closed, full, slow, without a reader, a terminal, or a file that also has
another role. Messages that cannot be written are dropped; results never are."""

import os
import pty
import signal
import subprocess
import time
import unittest

import corpus
from refusals import RefusalTest
from support import SOSIE, SosieTest, jsonl

FULL = "/dev/full"
WRITERS = (("--help",), ("help",), ("--version",), ("dedup", "-h"), ("pairs", "--help"), ("plan",),
           ("plan", "in.jsonl"), ("plan", "--family", "minhash"), ("explain", "d0", "d1", "in.jsonl"),
           ("dedup", "in.jsonl"), ("pairs", "in.jsonl"), ("query", "in.jsonl", "in.jsonl"),
           ("cluster", "pairs.tsv"))
ESCAPES = ("\\x1b]0;owned\\x07", "\\u202e", "\\u200b", "\\u200d", "\\u2066", "\\ufeff", "\\xc2\\x9b")
HOSTILE = "a\x1b]0;owned\x07\u202eb\u200bc\u200d\u2066\ufeff\x9bd"


def close(descriptor: int):
    return lambda: os.close(descriptor)


def closed_pipe() -> int:
    """The writing end of a pipe whose reader has gone."""
    reader, writer = os.pipe()
    os.close(reader)
    return writer


class Streams(RefusalTest):
    def setUp(self):
        super().setUp()
        self.write("in.jsonl", corpus.texts(95, 60))
        self.write("broken.jsonl", b'{"id": 1, "text": "one"}\n{"id": 2\n')
        self.sosie("pairs", "in.jsonl", "-o", "pairs.tsv")


class StderrThatCannotBeWritten(Streams):
    def each_way(self):
        """Popen arguments that discard the messages of a run."""
        yield "closed", {"stderr": None, "preexec_fn": close(2)}
        with open(FULL, "wb") as full:
            yield "full", {"stderr": full}
        writer = closed_pipe()
        yield "without a reader", {"stderr": writer}
        os.close(writer)

    def test_changes_neither_result_nor_exit_code(self):
        expected = self.kept("in.jsonl")
        for way, stderr in self.each_way():
            for progress in ("bar", "plain"):
                self.sosie("dedup", "in.jsonl", "-o", "out.jsonl", "--removed", "r.tsv",
                           "--progress", progress, **stderr)
                self.assertEqual(self.read("out.jsonl"), expected, way)
                (self.dir / "out.jsonl").unlink()
            self.assertEqual(self.sosie("dedup", "in.jsonl", **stderr).out, expected, way)
            self.sosie("dedup", "in.jsonl", "--fail-if-duplicates", "--dry-run", code=1, **stderr)
            self.sosie("dedup", "broken.jsonl", code=3, **stderr)
            self.sosie("dedup", "nosuch.jsonl", code=4, **stderr)
            self.sosie("dedup", "in.jsonl", "--nosuch", code=2, **stderr)
            self.sosie(code=2, **stderr)

    def test_progress_in_the_middle_of_a_run_is_dropped(self):
        self.write("many.jsonl", corpus.planted_pairs(96, 1500))
        process = self.start("dedup", "many.jsonl", "--progress", "bar", "-o", "out.jsonl",
                             "--method", "brute", "--threshold", "0.9")
        self.assertTrue(os.read(process.stderr.fileno(), 1))
        process.stderr.close()
        process.stderr = None
        process.communicate(timeout=60)
        self.assertEqual(process.returncode, 0)
        self.assertEqual(self.read("out.jsonl"),
                         self.kept("many.jsonl", "--method", "brute", "--threshold", "0.9"))

    def test_of_a_pipe_that_both_streams_go_to(self):
        done = subprocess.run(["sh", "-c", f"'{SOSIE}' dedup in.jsonl -o out.jsonl 2>&1 | head -1"],
                              cwd=self.dir, env=self.environment(), capture_output=True,
                              timeout=30, check=True)
        self.assertEqual(done.stdout.count(b"\n"), 1)
        self.assertEqual(self.read("out.jsonl"), self.kept("in.jsonl"))

    def test_no_message_gets_into_a_file_that_takes_its_place(self):
        """If stderr is closed, the next opened file would get its number."""
        self.sosie("dedup", "in.jsonl", "-o", "out.jsonl", "--removed", "r.tsv", "--stats",
                   "s.json", stderr=None, preexec_fn=close(2))
        expected = self.kept("in.jsonl", "--removed", "r2.tsv")
        self.assertEqual((self.read("out.jsonl"), self.read("r.tsv")),
                         (expected, self.read("r2.tsv")))


class StdoutThatCannotBeWritten(Streams):
    def test_a_full_one_is_an_error(self):
        with open(FULL, "wb") as full:
            for args in WRITERS:
                self.refuses(4, *args, stdout=full, says="^sosie: <stdout>: No space left on device$")

    def test_a_closed_one_is_an_error(self):
        for args in WRITERS:
            self.refuses(4, *args, stdout=None, preexec_fn=close(1),
                         says="^sosie: <stdout>: Bad file descriptor$")

    def test_without_a_reader_it_ends_quietly(self):
        for args in WRITERS:
            writer = closed_pipe()
            result = self.sosie(*args, stdout=writer)
            os.close(writer)
            self.assertNotIn("sosie: ", result.err, args)

    def test_a_slow_one_gets_everything(self):
        self.write("many.jsonl", corpus.planted_pairs(97, 300))
        expected = self.kept("many.jsonl")
        self.assertGreater(len(expected), 500_000)
        process = self.start("dedup", "many.jsonl", "--progress", "plain")
        got = b""
        while more := os.read(process.stdout.fileno(), 50_000):
            got += more
            time.sleep(0.01)
        process.communicate(timeout=20)
        self.assertEqual((process.returncode, got), (0, expected))

    def test_a_slow_stderr_is_waited_for_until_a_signal(self):
        reader, writer = os.pipe()
        os.set_blocking(writer, False)
        try:
            while os.write(writer, b"x" * 4096):
                pass
        except BlockingIOError:
            os.set_blocking(writer, True)
        process = self.start("dedup", "in.jsonl", "-o", "out.jsonl", stderr=writer)
        with self.assertRaises(subprocess.TimeoutExpired):
            process.wait(timeout=1)
        self.assertEqual(self.read("out.jsonl"), self.kept("in.jsonl"))  # only the summary is left
        process.send_signal(signal.SIGTERM)
        self.assertIn(process.wait(timeout=5), (0, 143))
        os.close(reader)
        os.close(writer)


class Signals(Streams):
    def test_each_signal_ends_with_128_and_its_number(self):
        for sign, code in ((signal.SIGTERM, 143), (signal.SIGINT, 130), (signal.SIGHUP, 129)):
            process = self.start("dedup", "-", "-o", "out.jsonl", stdin=subprocess.PIPE)
            self.wait_until_it_catches(process, sign)
            time.sleep(0.1)  # nothing shows when it has begun to wait
            process.send_signal(sign)
            process.communicate(timeout=10)
            self.assertEqual(process.returncode, code)
            self.assertNotIn("out.jsonl", self.names())

    def test_a_run_under_nohup_outlives_its_terminal(self):
        process = self.start("dedup", "-", "-o", "out.jsonl", stdin=subprocess.PIPE,
                             preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN))
        time.sleep(0.3)
        process.send_signal(signal.SIGHUP)
        process.communicate(self.read("in.jsonl"), timeout=10)
        self.assertEqual(process.returncode, 0)
        self.assertEqual(self.read("out.jsonl"), self.kept("in.jsonl"))


class Terminals(SosieTest):
    """Ids and texts from the data do not reach a terminal unchanged."""

    def setUp(self):
        super().setUp()
        rows = [{"id": HOSTILE, "text": "one two three", "note": f"n{HOSTILE}"},
                {"id": "b", "text": "One two three", "note": "tab\there"}]
        self.write("in.jsonl", jsonl(rows, ascii_only=True))
        self.write("p.tsv", f"left\tright\tsimilarity\n{HOSTILE}\tb\t1\n")

    def on_a_terminal(self, *args: str) -> str:
        ours, theirs = pty.openpty()
        process = self.start(*args, stdout=theirs, stderr=subprocess.PIPE)
        os.close(theirs)
        shown = b""
        try:
            while more := os.read(ours, 65536):
                shown += more
        except OSError:
            pass  # the way in which Linux reports a closed terminal
        os.close(ours)
        err = process.communicate(timeout=20)[1]
        self.assertEqual(process.returncode, 0, err)
        return shown.decode().replace("\r\n", "\n")

    def assert_harmless(self, shown: str, escapes: int = len(ESCAPES)):
        bad = [c for c in shown
               if c in "\u200b\u200d\u202e\u2066\ufeff" or (c != "\n" and c != "\t" and ord(c) < 32)
               or 0x7F <= ord(c) < 0xA0]
        self.assertEqual(bad, [], repr(shown))
        for escape in ESCAPES[:escapes]:
            self.assertIn(escape, shown)

    def test_tables_are_escaped_there_and_nowhere_else(self):
        for args in (("pairs", "in.jsonl", "--show", "note"), ("query", "in.jsonl", "in.jsonl"),
                     ("cluster", "p.tsv")):
            self.assert_harmless(self.on_a_terminal(*args, "--quiet"))
            self.assertIn(HOSTILE, self.sosie(*args).out.decode(), "a pipe gets the bytes")
            self.sosie(*args, "-o", "out.tsv")
            self.assertIn(HOSTILE, self.read("out.tsv").decode())

    def test_a_tab_is_one_escape(self):
        self.assertIn("\ttab\\there\n",
                      self.on_a_terminal("pairs", "in.jsonl", "--show", "note", "--quiet"))

    def test_explain_is_escaped(self):
        shown = self.on_a_terminal("explain", HOSTILE, "b", "in.jsonl", "--color", "never")
        self.assert_harmless(shown, 4)  # the length at which long ids are cut


class OneFileForTwoThings(RefusalTest):
    def setUp(self):
        super().setUp()
        self.write("in.jsonl", ["one two", "One two", "three"])
        self.write("p.tsv", b"left\tright\tsimilarity\na\tb\t1\n")

    def test_stdout_that_is_an_input_is_refused(self):
        for args in (("dedup", "in.jsonl"), ("pairs", "in.jsonl"), ("query", "in.jsonl", "in.jsonl"),
                     ("plan", "in.jsonl"), ("explain", "d0", "d1", "in.jsonl"), ("cluster", "p.tsv"),
                     ("dedup", "in.jsonl", "--removed", "r.tsv", "-o", "/dev/stdout")):
            with open(self.dir / args[-1 if args[0] != "dedup" else 1], "ab") as appended:
                self.refuses(2, *args, stdout=appended, says=r"^sosie: (<stdout>|/dev/stdout): is an "
                             "input of this run$", hints="never changed")

    def test_stdout_that_is_another_output_is_refused(self):
        with open(self.dir / "both.tsv", "wb") as both:
            self.refuses(2, "dedup", "in.jsonl", "--removed", "both.tsv", stdout=both,
                         says="^sosie: both.tsv: is one file with <stdout>")
            self.sosie("dedup", "in.jsonl", "--dry-run", "--removed", "both.tsv", stdout=both)

    def test_two_outputs_through_links_are_refused(self):
        self.write("there.tsv", b"old")
        os.link(self.dir / "there.tsv", self.dir / "hard.tsv")
        for link, target in (("y1.tsv", "z.tsv"), ("y2.tsv", "z.tsv"), ("soft.tsv", "there.tsv")):
            os.symlink(target, self.dir / link)
        for first, second in (("y1.tsv", "y2.tsv"), ("z.tsv", "y1.tsv"), ("soft.tsv", "there.tsv"),
                              ("hard.tsv", "there.tsv"), ("./new.tsv", "new.tsv")):
            self.refuses(2, "dedup", "in.jsonl", "-o", "out.jsonl", "--removed", first, "--clusters",
                         second, says=rf"^sosie: {second}: (is one file with|named for two)")

    def test_devices_may_be_named_twice(self):
        os.symlink("/dev/null", self.dir / "nothing.tsv")
        self.sosie("dedup", "in.jsonl", "-o", "/dev/null", "--removed", "nothing.tsv", "--stats",
                   "/dev/null")

    def test_links_that_lead_in_a_circle_are_an_error(self):
        for link, target in (("loop.jsonl", "pool.jsonl"), ("pool.jsonl", "loop.jsonl"),
                             ("self.tsv", "self.tsv")):
            os.symlink(target, self.dir / link)
        for args in (("-o", "loop.jsonl"), ("-o", "out.jsonl", "--removed", "self.tsv"),
                     ("-o", "loop.jsonl/x.jsonl"), ("-o", "loop.jsonl/")):
            self.refuses(4, "dedup", "in.jsonl", *args,
                         says=r"^sosie: (loop\.jsonl|self\.tsv)\S*: Too many levels of symbolic links$")

    def test_a_replaced_file_keeps_its_mode_but_not_its_owner_bits(self):
        self.write("out.jsonl", b"old")
        os.chmod(self.dir / "out.jsonl", 0o6750)
        self.sosie("dedup", "in.jsonl", "-o", "out.jsonl")
        self.assertEqual(os.stat(self.dir / "out.jsonl").st_mode & 0o7777, 0o750)


if __name__ == "__main__":
    unittest.main()

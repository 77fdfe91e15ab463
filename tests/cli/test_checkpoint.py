"""--checkpoint: repeating the command resumes a stopped run, with the same bytes as an
uninterrupted run."""
# slow: more than 5 s in a release build, so `make sanitize` leaves it to `make sanitize-all`

import gzip
import json
import os
import shutil
import random
import re
import signal
import subprocess
import time
import unittest

import corpus
from support import IN_MEMORY, SANITIZED, SosieTest, instead, size_of

FAULTS = os.environ.get("SOSIE_FAULTS", "")
POWER = os.environ.get("SOSIE_POWER", "")
FILES = ("out.jsonl", "out.csv", "out.sets", "r.tsv", "c.tsv", "p.tsv")
RUN = ("dedup", "in.jsonl", "--method", "lsh", "-o", "out.jsonl", "--removed", "r.tsv",
       "--clusters", "c.tsv", "--pairs", "p.tsv")
KEPT = ("--checkpoint", "kept")
STOPS = size_of(50, 12)
GOES_ON = re.compile(r"^sosie: resuming from kept: (\d+) % of the input has already been read$", re.M)


class Checkpoint(SosieTest):
    place = IN_MEMORY

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        rng = random.Random(91)
        texts = corpus.texts(92, 1500, "mixed") + corpus.planted_pairs(93, 2500, 80)
        texts += rng.choices(texts, k=200)
        rng.shuffle(texts)
        cls.rows = [{"id": f"d{i}", "text": text, "score": rng.random()}
                    for i, text in enumerate(texts)]

    def setUp(self):
        super().setUp()
        self.loads = {}
        self.write("in.jsonl", self.rows)

    def environment(self) -> dict:
        return super().environment() | self.loads

    def outcome(self, *args: str, run: tuple = RUN) -> dict[str, bytes]:
        self.sosie(*run, *args)
        return self.outputs()

    def outputs(self) -> dict[str, bytes]:
        return {name: self.read(name) for name in FILES if (self.dir / name).exists()}

    def forget_outputs(self) -> None:
        for name in FILES:
            (self.dir / name).unlink(missing_ok=True)

    def forget(self) -> None:
        """Everything except the input."""
        for name in self.names() - {"in.jsonl"}:
            (self.dir / name).unlink()

    def known(self, *args: str, run: tuple = RUN) -> int:
        """Share of the input that a run need not read, in percent."""
        says = GOES_ON.search(self.sosie(*run, *KEPT, *args).err)
        return int(says[1]) if says else 0


class GoingOn(Checkpoint):
    def test_nothing_is_another_than_without(self):
        plain = self.outcome()
        self.assertEqual(self.outcome(*KEPT), plain)
        self.assertEqual(self.outcome(*KEPT), plain)
        self.assertEqual(self.known(), 100)

    def test_threads_memory_and_outputs_may_change(self):
        plain = self.outcome()
        self.outcome(*KEPT, "--threads", "1")
        for change in (("--threads", "3"), ("--memory", "3M"), ("--memory", "9G"),
                       ("--scratch", str(self.dir)), ("--simd", "SSE4")):
            self.forget_outputs()
            self.assertEqual(self.known(*change), 100, change)
            self.assertEqual(self.outputs(), plain, change)
        self.assertEqual(self.known(run=instead(RUN, "-o", "other.jsonl")), 100)
        self.assertEqual(self.read("other.jsonl"), plain["out.jsonl"])

    def test_begun_in_little_memory(self):
        plain = self.outcome()
        self.assertEqual(self.outcome(*KEPT, "--memory", "3M"), plain)
        self.assertEqual(self.outcome(*KEPT), plain)

    def test_pairs_go_on_from_dedup(self):
        pairs = ("pairs", "in.jsonl", "--method", "lsh", "-o", "out.jsonl")
        plain = self.outcome(run=pairs)
        self.outcome(*KEPT)
        self.forget_outputs()
        self.assertEqual(self.known(run=pairs), 100)
        self.assertEqual(self.read("out.jsonl"), plain["out.jsonl"])

    def test_another_keep_ranks_anew(self):
        self.outcome(*KEPT)
        for keep in ("last", "longest", "max:score", "first"):
            self.forget_outputs()
            self.assertEqual(self.outcome("--keep", keep), self.outcome("--keep", keep, *KEPT), keep)
        self.outcome(*KEPT)
        self.assertEqual(self.known("--keep", "last"), 100)
        self.assertEqual(self.known("--keep", "longest"), 0)  # lengths were not requested

    @unittest.skipIf(SANITIZED, "sanitizers want to be loaded first")
    def test_comparisons_are_not_repeated(self):
        """Compared texts are reread, so a run that knows the comparisons reads less."""
        self.write("in.jsonl", corpus.planted_pairs(96, 4000, 80))
        self.outcome(*KEPT)
        self.loads = {"LD_PRELOAD": FAULTS, "SOSIE_FAULT_COUNTS": "counts"}
        reads = []
        for _ in range(2):
            self.outcome(*KEPT, "--threads", "1")
            counts = dict(line.split() for line in self.read("counts").decode().splitlines())
            reads.append(int(counts["pread"]))
            (self.dir / "kept" / "compared").unlink()
        self.assertLess(reads[0] + 1000, reads[1])

    def test_standard_input_is_put_aside(self):
        run = ("dedup", "-", *RUN[2:])
        data = self.read("in.jsonl")
        self.sosie(*run, stdin=data)
        plain = self.outputs()
        self.sosie(*run, *KEPT, stdin=data)
        self.forget_outputs()
        for again in (b"", data, gzip.compress(data)):
            self.forget_outputs()
            self.sosie(*run, *KEPT, stdin=again)
            self.assertEqual(self.outputs(), plain)

    def test_another_standard_input_is_refused(self):
        run = ("dedup", "-", *RUN[2:], *KEPT)
        data = self.read("in.jsonl")
        self.sosie(*run, stdin=data)
        self.forget_outputs()
        for other, how in ((data[:-20], f"{len(data) - 20} bytes, not {len(data)}"),
                           (data + b"{}\n", f"more than {len(data)} bytes"),
                           (data[:700] + b"\x01" + data[701:], "byte 701 differs")):
            self.fails(3, *run, stdin=other, hints="needs its own --checkpoint folder",
                       says=f"^sosie: <stdin>: is not the input that kept was made from: {how}$")
        os.mkfifo(self.dir / "fifo")  # its bytes are read each time
        run = ("dedup", "fifo", "--format", "jsonl", "--checkpoint", "of-fifo")
        for text, code in ((data, 0), (data, 0), (data[:-1] + b" \n", 3)):
            feed = subprocess.Popen(["tee", "fifo"], cwd=self.dir, stdin=subprocess.PIPE,
                                    stdout=subprocess.DEVNULL)
            process = self.start(*run)
            feed.communicate(text)
            process.communicate(timeout=60)
            self.assertEqual(process.returncode, code)

    def test_a_bad_row_is_passed_over_when_it_is_known(self):
        rows = self.read("in.jsonl").splitlines(keepends=True)
        rows[-3] = b"{broken\n"
        self.write("in.jsonl", b"".join(rows))
        self.fails(3, *RUN, *KEPT, says=f"in.jsonl:{len(rows) - 2}: ")
        plain = {keep: self.outcome("--on-bad-row", keep) for keep in ("skip", "keep")}
        part = self.known("--on-bad-row", "skip")
        self.assertGreater(part, 0)
        for keep in ("skip", "keep", "skip"):
            self.assertEqual(self.outcome("--on-bad-row", keep, *KEPT), plain[keep], keep)
            self.assertEqual(self.known("--on-bad-row", keep), 100)

    def test_against_another_collection(self):
        lines = self.read("in.jsonl").splitlines(keepends=True)
        self.write("in.jsonl", b"".join(lines[:3000]))
        self.write("other.jsonl", b"".join(lines[2500:]))
        plain = self.outcome("--against", "other.jsonl")
        for _ in range(2):
            self.assertEqual(self.outcome("--against", "other.jsonl", *KEPT), plain)
        self.fails(2, *RUN, *KEPT, says="kept: was made with --against")

    def test_csv_packed_and_sets(self):
        lines = ["id,text"] + [f'{row["id"]},"{row["text"].replace(chr(34), chr(34) * 2)}"'
                               for row in self.rows]
        self.write("in.csv", "\n".join(lines) + "\n")
        self.write("in.sets", "\n".join(" ".join(sorted(set(row["text"].split())))
                                        for row in self.rows) + "\n")
        for name in ("in.csv", "in.sets"):
            run = ("dedup", name, *instead(RUN, "-o", "out." + name.split(".")[1])[2:])
            plain = self.outcome(run=run)
            for _ in range(2):
                self.assertEqual(self.outcome(*KEPT, run=run), plain, name)
            self.assertEqual(self.known(run=run), 100)
            self.forget_outputs()
            for left in ("rows", "compared"):
                (self.dir / "kept" / left).unlink()


class Interrupted(Checkpoint):
    """Ctrl-C saves the progress so far and says so; the same command resumes there."""

    PROGRESS = re.compile(rb"reading +\[#* *\] +(\d+) %")
    SLOW = ("dedup", "in.jsonl", "--id", "row", "--method", "lsh", "--bands", "1024x1", "-o", "out.jsonl",
            "--removed", "r.tsv", "--threshold", "0.9")

    def setUp(self):
        super().setUp()
        self.write("in.jsonl", self.read("in.jsonl") * 6)

    def interrupt_at(self, percent: int, *args: str, sign: int = signal.SIGINT) -> tuple[int, str]:
        """Returns the last percentage that the bar showed, and the rest of stderr."""
        process = self.start(*self.SLOW, *args, "--progress", "bar")
        shown, part = b"", 0
        while part < percent:
            more = os.read(process.stderr.fileno(), 4096)
            self.assertTrue(more, f"the run ended before {percent} %: {shown[-300:]}")
            shown += more
            part = max([0, *map(int, self.PROGRESS.findall(shown))])
        process.send_signal(sign)
        err = process.communicate(timeout=60)[1]
        self.assertEqual(process.returncode, 128 + sign, err)
        return part, err.decode()

    def test_what_is_done_is_kept_and_the_same_command_goes_on(self):
        plain = self.outcome(run=self.SLOW)
        for threads, percent in (("1", 15), ("1", 75), ("3", 50)):
            self.forget()
            part, err = self.interrupt_at(percent, *KEPT, "--threads", threads)
            self.assertTrue(err.endswith("sosie: interrupted\n"
                                         "  progress is saved in kept; rerun the same command to resume\n"), err)
            self.assertEqual(self.names() & set(FILES), set())
            self.assertGreaterEqual(self.known(run=self.SLOW), part - 12, (threads, percent))
            self.assertEqual(self.outputs(), plain)

    def test_again_and_again(self):
        plain = self.outcome(run=self.SLOW)
        self.forget()
        parts = [self.interrupt_at(percent, *KEPT)[0] for percent in (20, 40, 60)]
        self.assertEqual(parts, sorted(parts))
        self.assertGreater(self.known(run=self.SLOW), 45)
        self.assertEqual(self.outputs(), plain)

    def test_sigterm_does_the_same(self):
        err = self.interrupt_at(30, *KEPT, sign=signal.SIGTERM)[1]
        self.assertTrue(err.endswith("\n  progress is saved in kept; rerun the same command to resume\n"), err)
        self.assertGreater(self.known(run=self.SLOW), 10)

    def test_without_a_checkpoint_nothing_is_promised(self):
        self.assertTrue(self.interrupt_at(15)[1].endswith("sosie: interrupted\n"))


class Refused(Checkpoint):
    def test_another_question(self):
        self.outcome(*KEPT)
        for option, here in (("threshold", "0.7"), ("recall", "0.9"), ("shingle", "words:3"),
                             ("tokens", "ascii"), ("seed", "2"), ("id", "score")):
            self.fails(2, *RUN, *KEPT, f"--{option}", here, hints="remove the folder",
                       says=rf"^sosie: kept: was made with --{option} \S+, this run with {here}$")
        self.fails(2, *RUN, *KEPT, "--bands", "20x5",
                   says=r"^sosie: kept: was made with bands \d+, this run with 20$")

    def test_another_input(self):
        self.outcome(*KEPT)
        self.write("more.jsonl", [{**row, "id": f"more {row['id']}"} for row in self.rows[:10]])
        self.fails(2, "dedup", "more.jsonl", *RUN[2:], *KEPT,
                   says="kept: input 1 was in.jsonl, in this run it is more.jsonl")
        self.fails(2, "dedup", "in.jsonl", "more.jsonl", *RUN[2:], *KEPT,
                   says="kept: input 2 was none, in this run it is more.jsonl")

    def test_an_input_that_has_changed(self):
        self.outcome(*KEPT)
        whole = bytearray(self.read("in.jsonl"))
        middle = whole.index(b'"text": "', len(whole) // 2) + 9
        whole[middle] = ord("x") if whole[middle] != ord("x") else ord("y")
        self.write("in.jsonl", bytes(whole))
        self.forget_outputs()
        self.fails(3, *RUN, *KEPT, "--quiet", hints="remove the folder",
                   says=r"^sosie: in.jsonl: has changed since kept was made: bytes \d+ to \d+ ")
        self.assertEqual(self.names() & set(FILES), set())
        self.write("in.jsonl", bytes(whole) + b"\n")
        self.fails(3, *RUN, *KEPT,
                   says=rf"in.jsonl: has changed since kept was made: it had {len(whole)} bytes")

    def test_a_folder_of_something_else(self):
        self.write("kept/precious.txt", "mine")
        self.fails(2, *RUN, *KEPT, says="--checkpoint kept: holds other files, such as precious.txt")
        self.assertEqual(self.read("kept/precious.txt"), b"mine")
        self.write("file", "")
        self.fails(4, *RUN, "--checkpoint", "file", says="^sosie: file: ")

    def test_a_folder_among_inputs_or_outputs_is_not_made(self):
        self.write("in/a.jsonl", self.read(RUN[1]))
        before = set(self.dir.rglob("*"))
        refused = "the next run would read it"
        for args, says in (
                (("dedup", "in", "--dry-run", "--checkpoint", "in/ck"), "in/ck: lies in in, an input"),
                (("pairs", "in/", "--checkpoint", "in/deep/ck/", "-o", "p.tsv"), refused),
                (("dedup", "in/a.jsonl", "--against", "in", "--dry-run", "--checkpoint", "in/ck"), refused),
                (("dedup", "in::column=text", "--dry-run", "--checkpoint", "in/ck"), refused),
                (("dedup", "i*", "--dry-run", "--checkpoint", "in/ck"), refused),
                (("pairs", "in", "--kind", "strings", "--within", "0", "--checkpoint", "in/ck"), refused),
                (("dedup", RUN[1], "-o", "ck/out.jsonl", "--checkpoint", "ck"),
                 "ck/out.jsonl: lies in the folder of --checkpoint"),
                (("dedup", RUN[1], "--dry-run", "--removed-rows", "ck/x.jsonl", "--checkpoint", "ck"),
                 "ck/x.jsonl: lies in"),
                (("dedup", RUN[1], "-o", "OUT/", "--checkpoint", "OUT/ck"),
                 "--checkpoint OUT/ck: lies in -o OUT/, which may contain only outputs"),
                (("dedup", RUN[1], "--dry-run", "--removed-rows", "OUT/", "--checkpoint", "OUT/ck"),
                 "--checkpoint OUT/ck: lies in --removed-rows OUT/"),
                (("dedup", RUN[1], "--dry-run", "--save", "sv", "--checkpoint", "sv/ck"),
                 "--checkpoint sv/ck: lies in --save sv/"),
                (("dedup", RUN[1], "--dry-run", "--save", "ck/sv", "--checkpoint", "ck"),
                 "--save ck/sv/: lies in the folder of --checkpoint ck"),
                (("dedup", RUN[1], "--kind", "strings", "--within", "0", "-o", "OUT/",
                  "--checkpoint", "OUT/ck"), "--checkpoint OUT/ck: lies in -o OUT/")):
            self.fails(2, *args, says=says)
            self.assertEqual(set(self.dir.rglob("*")), before, args)

    def test_a_value_that_is_written_in_another_way_is_the_same(self):
        self.write("short.jsonl", [f"name {number % 40} of {number}" for number in range(200)])
        rows = self.dir / "ck" / "rows"
        for args, others in ((("--method", "lsh"), ("--recall", "0.99")),
                             (("--method", "lsh", "--recall", ".990"), ()),
                             (("--kind", "strings"), ())):
            with self.subTest(args=args):
                shutil.rmtree(self.dir / "ck", ignore_errors=True)
                run = ("pairs", "short.jsonl", "--checkpoint", "ck", "-o", "p.tsv", "-q", *args)
                self.sosie(*run, "--threshold", ".7")
                found, saved = self.read("p.tsv").split(b"\n", 1)[1], rows.stat()
                self.sosie(*run, *others, "--threshold", "7/10")
                self.assertEqual(self.read("p.tsv").split(b"\n", 1)[1], found)
                self.assertEqual((rows.stat().st_mtime_ns, rows.stat().st_size),
                                 (saved.st_mtime_ns, saved.st_size), "nothing is read again")
                self.fails(2, *run, "--threshold", ".8",
                           says="made with --threshold .7, this run with .8")

    def test_defaults_that_are_said_are_the_same(self):
        rows = [{"id": f"r{number}", "text": f"name {number % 40} of {number}"} for number in range(200)]
        self.write("named.jsonl", "".join(json.dumps(row) + "\n" for row in rows))
        self.write("others.jsonl", "".join(json.dumps({**row, "id": row["id"] + "x"}) + "\n" for row in rows))
        self.write("v.jsonl", "".join(json.dumps({"id": f"v{number}", "text": [number, 1]}) + "\n"
                                      for number in range(200)))
        of_rows = (("--id", "id"), ("--column", "text"), ("--encoding", "utf-8"), ("--encoding", "UTF8"),
                   ("--skip-lines", "0"), ("--seed", "01"))
        of_other = (("--other-id", "id"), ("--other-column", "text"), ("--other-encoding", "utf-8"))
        for args, said, other in (
                (("named.jsonl", "--method", "lsh"), (*of_rows, ("--shingle", "words:05"), ("--recall", ".990")),
                 ("--id", "row")),
                (("named.jsonl", "--method", "lsh", "--against", "others.jsonl"), of_other, ("--encoding", "latin-1")),
                (("named.jsonl", "--kind", "strings", "--within", "2", "--against", "others.jsonl"),
                 (*of_rows, *of_other, ("--clean", "none"), ("--method", "auto"), ("--measure", "levenshtein")),
                 ("--clean", "fold")),
                (("v.jsonl", "--kind", "vectors", "--measure", "euclidean", "--within", "2"),
                 (*of_rows, ("--method", "auto"), ("--probes", "1"), ("--recall", ".99")), ("--method", "brute"))):
            run = ("pairs", *args, "--checkpoint", "ck", "-o", "p.tsv", "-q")
            all_said = sum(dict((option[0], option) for option in said).values(), ())
            for first, then in (all_said, ((),)), ((), said):
                shutil.rmtree(self.dir / "ck", ignore_errors=True)
                self.sosie(*run, *first)
                saved = (self.dir / "ck" / "rows").stat()
                for more in then:
                    self.sosie(*run, *more)
                    now = (self.dir / "ck" / "rows").stat()
                    self.assertEqual((now.st_mtime_ns, now.st_size), (saved.st_mtime_ns, saved.st_size), more)
            self.fails(2, *run, *other, says=f"ck: was made with {other[0]} ")

    def test_an_encoding_that_a_mark_tells_is_not_the_default(self):
        self.write("marked.txt", ("one two three four five six\n" * 9).encode("utf-16"))
        run = ("pairs", "marked.txt", "--method", "lsh", "--checkpoint", "ck", "-o", "p.tsv", "-q")
        self.sosie(*run)
        self.sosie(*run)
        self.fails(2, *run, "--encoding", "utf-8", says="ck: was made with --encoding utf-16le, this run with utf-8")

    def test_two_runs_at_once(self):
        os.mkfifo(self.dir / "pipe.jsonl")
        first = self.start("dedup", "pipe.jsonl", *RUN[2:], *KEPT)
        self.addCleanup(first.communicate)
        self.addCleanup(first.kill)
        for _ in range(500):
            if (self.dir / "kept").exists():
                break
            time.sleep(.01)
        time.sleep(.1)
        self.fails(4, *RUN, *KEPT, says="^sosie: kept: in use by another process$")

    def test_what_cannot_go_on(self):
        self.outcome()
        self.fails(2, "dedup", "in.jsonl", "--reuse", "p.tsv", *KEPT,
                   says="--checkpoint: cannot be combined with --reuse")
        exact = self.sosie("dedup", "in.jsonl", "--method", "exact", *KEPT)
        self.assertIn("--checkpoint: method exact cannot save progress", exact.err)

    def test_damage_is_mended(self):
        plain = self.outcome(*KEPT)
        rng = random.Random(94)
        for name in ("rows", "compared"):
            whole = self.read(f"kept/{name}")
            number = 24 + int.from_bytes(whole[:8], "little") + 24  # of the first block
            places = [0, 30, number + 3, len(whole) - 1]
            for place in places + [rng.randrange(len(whole)) for _ in range(size_of(12, 3))]:
                flipped = bytearray(whole)
                flipped[place] ^= 0x40
                self.write(f"kept/{name}", bytes(flipped))
                self.assertEqual(self.outcome(*KEPT), plain, (name, place))
                self.write(f"kept/{name}", whole[:place])
                self.assertEqual(self.outcome(*KEPT), plain, (name, place))


class Stopped(Checkpoint):
    def whole_or_absent(self, plain: dict[str, bytes]) -> None:
        """No incomplete file has its final name."""
        for name in self.names() & set(FILES):
            self.assertEqual(self.read(name), plain[name], name)

    def test_killed_at_random_moments(self):
        for memory in ("9G", "3M"):
            run = (*RUN, *KEPT, "--memory", memory, "--threads", "2", "--quiet")
            begun = time.monotonic()
            plain = self.outcome(run=run)
            seconds = time.monotonic() - begun
            rng = random.Random(95)
            self.forget()
            kills = 0
            while kills < STOPS // 2:
                process = self.start(*run)
                time.sleep(rng.uniform(0, 1.1 * seconds))
                process.kill()
                process.communicate()
                self.assertIn(process.returncode, (0, -signal.SIGKILL))
                kills += process.returncode != 0
                self.whole_or_absent(plain)
                if process.returncode == 0 or rng.random() < .3:
                    self.assertEqual(self.outcome(run=run), plain)
                    self.forget()
            self.assertEqual(self.outcome(run=run), plain)
            self.forget()

    @unittest.skipIf(SANITIZED, "sanitizers want to be loaded first")
    @unittest.skipUnless(os.path.exists(POWER), "SOSIE_POWER names no library")
    def test_loss_of_power(self):
        run = (*RUN, *KEPT, "--threads", "1", "--quiet")
        self.loads = {"LD_PRELOAD": POWER, "SOSIE_POWER_LOSS_COUNT": "count"}
        plain = self.outcome(run=run)
        calls = int(self.read("count"))
        for number in sorted({1 + i * (calls - 1) // (STOPS - 1) for i in range(STOPS)}):
            self.forget()
            for again in (number, 1 + number // 2):
                self.loads = {"LD_PRELOAD": POWER, "SOSIE_POWER_LOSS": str(again)}
                process = self.sosie(*run, code=None)
                self.assertIn(process.code, (0, -signal.SIGKILL), (number, process.err))
                self.whole_or_absent(plain)
            self.loads = {}
            self.assertEqual(self.outcome(run=run), plain, number)

    @unittest.skipIf(SANITIZED, "sanitizers want to be loaded first")
    @unittest.skipUnless(os.path.exists(POWER), "SOSIE_POWER names no library")
    def test_what_a_run_has_written_is_on_disk(self):
        plain = self.outcome()
        self.forget()
        self.loads = {"LD_PRELOAD": POWER, "SOSIE_POWER_LOSS": "1000000"}
        self.assertEqual(self.sosie(*RUN, *KEPT, code=None).code, -signal.SIGKILL)
        self.assertEqual(self.outputs(), plain)
        self.loads = {}
        self.assertEqual(self.known(), 100)

    @unittest.skipIf(SANITIZED, "sanitizers want to be loaded first")
    @unittest.skipUnless(os.path.exists(FAULTS), "SOSIE_FAULTS names no library")
    def test_full_and_broken_disks(self):
        run = (*RUN, *KEPT, "--threads", "1", "--quiet")
        self.loads = {"LD_PRELOAD": FAULTS, "SOSIE_FAULT_COUNTS": "counts"}
        plain = self.outcome(run=run)
        counts = dict(line.split() for line in self.read("counts").decode().splitlines())
        for call, error in (("write", "ENOSPC"), ("pread", "EIO"), ("fsync", "EIO"),
                            ("rename", "EIO")):
            count = int(counts[call])
            for number in sorted({1 + i * (count - 1) // (STOPS - 1) for i in range(STOPS)}):
                self.forget()
                self.loads = {"LD_PRELOAD": FAULTS, "SOSIE_FAULT": f"{call}:{number}:{error}"}
                result = self.sosie(*run, code=None)
                self.assertIn(result.code, (0, 4), (call, number))
                if result.code != 0:
                    self.assertRegex(result.error_lines()[0], r"^sosie: \S+: [NI]")
                self.whole_or_absent(plain)
                self.loads = {}
                self.assertEqual(self.outcome(run=run), plain, (call, number))


if __name__ == "__main__":
    unittest.main()

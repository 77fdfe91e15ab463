"""--checkpoint for vectors, bit strings and strings: repeating the command resumes a stopped run,
with the same bytes as an uninterrupted run."""
# slow: more than 5 s in a release build, so `make sanitize` leaves it to `make sanitize-all`

import json
import os
import random
import re
import signal
import struct
import time
import unittest

import saved_files
from measured_rows import npy
from support import IN_MEMORY, SANITIZED, SosieTest, instead, jsonl, size_of

FAULTS = os.environ.get("SOSIE_FAULTS", "")
POWER = os.environ.get("SOSIE_POWER", "")
FILES = ("out.npy", "out.txt", "r.tsv", "c.tsv", "p.tsv")
KEPT = ("--checkpoint", "kept")
GOES_ON = re.compile(r"^sosie: resuming from kept: (\d+) parts? of the comparison (is|are) already done$", re.M)
TABLES = ("--removed", "r.tsv", "--clusters", "c.tsv")
DEDUP = ("dedup", "v.npy", "--threshold", "0.97", "-o", "out.npy", *TABLES)
BITS = ("dedup", "b.txt", "--kind", "bits", "--within", "4", "-o", "out.txt", *TABLES)
NAMES = ("dedup", "s.txt", "--kind", "strings", "--within", "1", "-o", "out.txt", *TABLES)
PAIRS = ("pairs", "v.npy", "--threshold", "0.97", "-o", "p.tsv")
NAME_PAIRS = ("pairs", "s.txt", "--kind", "strings", "-o", "p.tsv")
RUNS = ((*DEDUP, "--method", "exact"), (*DEDUP, "--method", "brute"), (*DEDUP, "--method", "lsh"),
        (*DEDUP, "--clustering", "components", "--pairs", "p.tsv"), (*PAIRS, "--method", "exact"),
        (*PAIRS, "--method", "lsh"), (*PAIRS, "--top", "2"), (*PAIRS, "--top-pairs", "50"), BITS,
        (*BITS, "--method", "lsh"), (*BITS, "--pairs", "p.tsv"),
        NAMES, (*NAMES, "--clustering", "components", "--pairs", "p.tsv"),
        (*NAME_PAIRS, "--within", "1", "--method", "brute"), (*NAME_PAIRS, "--within", "2", "--top-pairs", "90"),
        (*NAME_PAIRS, "--threshold", "0.8", "--measure", "osa", "--top", "2"))
STOPS = size_of(16, 4)
VECTORS = 9000


class Checkpoint(SosieTest):
    place = IN_MEMORY

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        rng = random.Random(17)
        middles = [[rng.randint(0, 255) for _ in range(16)] for _ in range(VECTORS // 3)]
        rows = [[min(255, max(0, c + rng.randint(-9, 9))) for c in rng.choice(middles)]
                for _ in range(VECTORS)]
        cls.vectors = npy(rows + rows[:20], "|u1")
        codes = [rng.getrandbits(32) for _ in range(2000)]
        cls.codes = "".join(f"{rng.choice(codes) ^ 1 << rng.randrange(32) ^ 1 << rng.randrange(32):08x}\n"
                            for _ in range(6000))
        names = ["".join(rng.choices("abcdeilmnorst", k=rng.randint(5, 9))) for _ in range(VECTORS // 3)]
        cls.strings = "".join(name[:at] + rng.choice(("", "e", "n")) + name[at + rng.randint(0, 1):] + "\n"
                            for name in rng.choices(names, k=VECTORS) for at in (rng.randint(0, 5),))

    def setUp(self):
        super().setUp()
        self.loads = {}
        self.write("v.npy", self.vectors)
        self.write("b.txt", self.codes)
        self.write("s.txt", self.strings)

    def environment(self) -> dict:
        return super().environment() | self.loads

    def outputs(self) -> dict[str, bytes]:
        return {name: self.read(name) for name in FILES if (self.dir / name).exists()}

    def outcome(self, run: tuple, *args: str) -> dict[str, bytes]:
        self.sosie(*run, *args)
        return self.outputs()

    def forget(self) -> None:
        """Everything except the inputs."""
        for name in self.names() - {"v.npy", "b.txt", "s.txt", "asked.jsonl"}:
            (self.dir / name).unlink()

    def known(self, run: tuple, *args: str) -> int:
        says = GOES_ON.search(self.sosie(*run, *KEPT, *args).err)
        return int(says[1]) if says else 0


class GoingOn(Checkpoint):
    def test_nothing_is_another_than_without(self):
        changes = (("--threads", "1"), ("--memory", "64M"), ("--simd", "SSE4"))
        for number, run in enumerate(RUNS):
            with self.subTest(run=run):
                plain = self.outcome(run)
                self.assertGreater(len(plain[min(plain)]), 500)
                self.assertEqual(self.outcome(run, *KEPT), plain)
                self.assertGreater(self.known(run), 0)
                for change in size_of(changes, (changes[number % 3],)):
                    self.assertGreater(self.known(run, *change), 0)
                    self.assertEqual(self.outputs(), plain, change)
                self.forget()

    def test_what_is_kept_is_not_joined_again(self):
        """A run that knows every part of its joins adds none, and reports the same number of measured pairs."""
        for run in ((*PAIRS, "--method", "brute"), DEDUP, BITS, NAMES,
                    (*NAME_PAIRS, "--within", "1", "--method", "brute")):
            run = (*run, "--threads", "1", "--stats", "s.json")
            self.sosie(*run, *KEPT)
            first = json.loads(self.read("s.json"))["candidates"]
            compared = self.read("kept/compared")
            self.assertGreater(self.known(run), 0)
            self.assertEqual(json.loads(self.read("s.json"))["candidates"], first)
            self.assertEqual(self.read("kept/compared"), compared)
            self.forget()

    def test_another_keep_clustering_or_verb_begins_its_joins(self):
        self.outcome(DEDUP, *KEPT)
        for args in (("--keep", "last"), ("--clustering", "components")):
            plain = self.outcome(DEDUP, *args)
            self.assertEqual(self.outcome(DEDUP, *args, *KEPT), plain)
            self.assertEqual(self.outcome(DEDUP, *args, *KEPT), plain)
        self.assertEqual(self.outcome(PAIRS, *KEPT), self.outcome(PAIRS))

    def test_standard_input_is_put_aside(self):
        run = ("dedup", "-", "--format", "txt", *BITS[2:])
        data = self.read("b.txt")
        self.sosie(*run, stdin=data)
        plain = self.outputs()
        self.sosie(*run, *KEPT, stdin=data)
        self.assertEqual(self.outputs(), plain)
        self.fails(3, *run, *KEPT, stdin=data[:-20], says="is not the input that kept was made from")
        self.sosie(*run, *KEPT, stdin=b"")
        self.assertEqual(self.outputs(), plain)

    def test_against_another_collection_and_bad_rows(self):
        lines = self.codes.splitlines(keepends=True)
        self.write("b.txt", "".join(lines[:3000]) + "zz\n" + "".join(lines[3000:4000]))
        self.write("asked.jsonl", jsonl([{"text": line.strip()} for line in lines[3500:]]))
        run = (*BITS, "--against", "asked.jsonl")
        self.fails(3, *run, *KEPT, says="b.txt:3001: ")
        for keep in ("skip", "keep", "skip"):
            plain = self.outcome((*run, "--on-bad-row", keep))
            self.assertEqual(self.outcome((*run, "--on-bad-row", keep), *KEPT), plain)
            self.assertEqual(self.outcome((*run, "--on-bad-row", keep), *KEPT), plain)
        self.fails(2, *BITS, "--on-bad-row", "skip", *KEPT, says="kept: was made with --against 1 files")


class Refused(Checkpoint):
    def test_another_question(self):
        self.outcome(DEDUP, *KEPT)
        for option, here in (("threshold", "0.98"), ("recall", "0.9"), ("seed", "2"), ("method", "brute")):
            self.fails(2, *instead(DEDUP, f"--{option}", here), *KEPT, hints="remove the folder",
                       says=rf"^sosie: kept: was made with --{option} \S+, this run with {here}$")
        self.fails(2, "dedup", "v.npy", "--measure", "euclidean", "--within", "9", *DEDUP[4:], *KEPT,
                   says="kept: was made with --measure cosine, this run with euclidean")

    def test_another_question_about_strings(self):
        self.outcome(NAMES, *KEPT)
        for option, was, here in (("within", "1", "2"), ("clean", "(none)", "fold"),
                                  ("measure", "levenshtein", "osa"), ("method", "(none)", "brute")):
            says = re.escape(f"sosie: kept: was made with --{option} {was}, this run with {here}")
            self.fails(2, *instead(NAMES, f"--{option}", here), *KEPT, hints="remove the folder",
                       says=f"^{says}$")
        self.fails(2, *DEDUP, *KEPT, says="kept: was made with --measure levenshtein, this run with cosine")

    def test_another_kind_or_input(self):
        self.outcome(DEDUP, *KEPT)
        self.write("w.npy", self.vectors)
        self.fails(2, "dedup", "w.npy", *DEDUP[2:], *KEPT,
                   says="kept: input 1 was v.npy, in this run it is w.npy")
        self.fails(2, "dedup", "v.npy", "w.npy", *DEDUP[2:], *KEPT,
                   says="kept: input 2 was none, in this run it is w.npy")
        self.write("t.txt", "one two three\n" * 9)
        self.fails(2, "dedup", "t.txt", "--method", "lsh", *KEPT, says="kept: was written by another version of sosie")
        for name in ("rows", "compared"):
            (self.dir / "kept" / name).unlink()
        self.sosie("dedup", "t.txt", "--method", "lsh", *KEPT)
        self.fails(2, *DEDUP, *KEPT, says="kept: was made from texts, sets or bags; this run compares vectors")

    def test_an_input_that_has_changed(self):
        self.outcome(DEDUP, *KEPT)
        whole = bytearray(self.vectors)
        for place, says in ((len(whole) // 2, "^sosie: the inputs have changed since kept was made"),
                            (len(whole) - 1, "^sosie: v.npy: has changed since kept was made: its content")):
            changed = bytearray(whole)
            changed[place] ^= 1
            self.write("v.npy", bytes(changed))
            self.fails(3, *DEDUP, *KEPT, "--quiet", says=says, hints="remove the folder")

    def test_folders_that_cannot_be(self):
        self.write("kept/precious.txt", "mine")
        self.fails(2, *DEDUP, *KEPT, says="--checkpoint kept: holds other files, such as precious.txt")
        (self.dir / "kept" / "precious.txt").unlink()
        self.fails(2, *DEDUP, "--stats", "kept/s.json", *KEPT, says="kept/s.json: lies in the folder")
        self.outcome(instead(DEDUP, "--clusters", "e.tsv"))
        self.fails(2, *DEDUP, "--reuse", "e.tsv", *KEPT, says="--checkpoint: cannot be combined with --reuse")
        told = self.sosie("pairs", "v.npy", "--top", "1", "--checkpoint", "other").err
        self.assertIn("--checkpoint: a run with --top alone cannot save progress", told)

    def test_damage_is_mended(self):
        rng = random.Random(94)
        for run in (DEDUP, (*PAIRS, "--method", "lsh")):
            plain = self.outcome(run, *KEPT)
            for name in ("rows", "compared"):
                whole = self.read(f"kept/{name}")
                places = [0, 30, len(whole) - 1]
                for place in places + [rng.randrange(24, len(whole)) for _ in range(size_of(6, 2))]:
                    flipped = bytearray(whole)
                    flipped[place] ^= 0x40
                    self.write(f"kept/{name}", bytes(flipped))
                    self.assertEqual(self.outcome(run, *KEPT), plain, (name, place))
                    self.write(f"kept/{name}", whole[:place])
                    self.assertEqual(self.outcome(run, *KEPT), plain, (name, place))
            self.forget()

    @unittest.skipUnless(saved_files.LIBRARY, "no library makes checksums")
    def test_made_up_pairs_with_right_checksums(self):
        for run in ((*PAIRS, "--method", "exact"), (*NAME_PAIRS, "--within", "2"),
                    (*NAME_PAIRS, "--threshold", "0.8", "--method", "brute")):
            self.refuses_made_up_pairs(run)
            self.forget()

    def refuses_made_up_pairs(self, run: tuple) -> None:
        plain = self.outcome(run, *KEPT)
        journal = saved_files.records(self.read("kept/compared"))
        head, pairs = journal[1][:21], journal[1][21:]
        count = len(pairs) // 16
        left, right, value = struct.unpack_from("<IId", pairs, 16 * (count // 2))
        def with_pair(*pair) -> bytes:
            at = 16 * (count // 2)
            return pairs[:at] + struct.pack("<IId", *pair) + pairs[at + 16:]
        for made, refused in ((with_pair(left, right, value * 0.999), True),
                              (with_pair(left, right, value + 1), True),
                              (with_pair(left, right, float("nan")), True),
                              (pairs[16 * 9:], True),  # pairs of the first rows are missing
                              (b"", True),
                              (with_pair(left, 4_000_000_000, value), False),
                              (with_pair(4_000_000_000, right, value), False),
                              (with_pair(right, left, value), False),
                              (pairs[:-5], False)):
            self.write("kept/compared", saved_files.journal_of([journal[0], head + made, *journal[2:]]))
            if refused:
                self.fails(3, *run, *KEPT, "--quiet", hints="remove the folder",
                           says="^sosie: kept/compared: does not match the items")
            else:  # no pairs were found for these rows, so they are searched for again
                self.assertEqual(self.outcome(run, *KEPT), plain)


class Stopped(Checkpoint):
    RUNS = ((*DEDUP, "--method", "brute"), (*PAIRS, "--method", "lsh"), BITS, NAMES,
            (*NAME_PAIRS, "--within", "1", "--method", "brute"))

    def whole_or_absent(self, plain: dict[str, bytes]) -> None:
        """No incomplete file has its final name."""
        for name in self.names() & set(FILES):
            self.assertEqual(self.read(name), plain[name], name)

    def test_killed_at_random_moments(self):
        for run in self.RUNS:
            run = (*run, *KEPT, "--threads", "2", "--quiet")
            begun = time.monotonic()
            plain = self.outcome(run)
            seconds = time.monotonic() - begun
            rng = random.Random(95)
            self.forget()
            kills = 0
            while kills < STOPS:
                process = self.start(*run)
                time.sleep(rng.uniform(0, 1.1 * seconds))
                process.kill()
                process.communicate()
                self.assertIn(process.returncode, (0, -signal.SIGKILL))
                kills += process.returncode != 0
                self.whole_or_absent(plain)
                if process.returncode == 0 or rng.random() < .3:
                    self.assertEqual(self.outcome(run), plain)
                    self.forget()
            self.assertEqual(self.outcome(run), plain)
            self.forget()

    @unittest.skipIf(SANITIZED, "sanitizers want to be loaded first")
    @unittest.skipUnless(os.path.exists(POWER), "SOSIE_POWER names no library")
    def test_loss_of_power(self):
        for run in (DEDUP, NAMES):
            self.loses_power((*run, *KEPT, "--threads", "1", "--quiet"))
            self.forget()

    def loses_power(self, run: tuple) -> None:
        self.loads = {"LD_PRELOAD": POWER, "SOSIE_POWER_LOSS_COUNT": "count"}
        plain = self.outcome(run)
        calls = int(self.read("count"))
        for number in sorted({1 + i * (calls - 1) // (STOPS - 1) for i in range(STOPS)}):
            self.forget()
            for again in (number, 1 + number // 2):
                self.loads = {"LD_PRELOAD": POWER, "SOSIE_POWER_LOSS": str(again)}
                process = self.sosie(*run, code=None)
                self.assertIn(process.code, (0, -signal.SIGKILL), (number, process.err))
                self.whole_or_absent(plain)
            self.loads = {}
            self.assertEqual(self.outcome(run), plain, number)

    @unittest.skipIf(SANITIZED, "sanitizers want to be loaded first")
    @unittest.skipUnless(os.path.exists(FAULTS), "SOSIE_FAULTS names no library")
    def test_full_and_broken_disks(self):
        for run in (DEDUP, NAMES):
            self.meets_faults((*run, *KEPT, "--threads", "1", "--quiet"))
            self.forget()

    def meets_faults(self, run: tuple) -> None:
        self.loads = {"LD_PRELOAD": FAULTS, "SOSIE_FAULT_COUNTS": "counts"}
        plain = self.outcome(run)
        counts = dict(line.split() for line in self.read("counts").decode().splitlines())
        for call, error in (("write", "ENOSPC"), ("pread", "EIO"), ("fsync", "EIO"), ("rename", "EIO")):
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
                self.assertEqual(self.outcome(run), plain, (call, number))


if __name__ == "__main__":
    unittest.main()

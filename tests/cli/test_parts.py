"""`dedup --part` and `--parts`: the combined parts of a match give the same bytes as a single
run."""
# slow: more than 5 s in a release build, so `make sanitize` leaves it to `make sanitize-all`

import collections
import json
import os
import random
import shutil
import signal
import struct
import time
import unittest

import saved_files
import sharded
import test_item_sketches as items
from sharded import Sharded
from support import SANITIZED

COUNTS = (1, 3, 8)
TIMES = {*sharded.MACHINE} - {"candidates"}


def place_of_columns(part: bytes) -> int:
    """After the mark: the part, the plan, the rows and the sketches (docs/formats/parts.md)."""
    at = 13 + 8 + 8 + struct.unpack_from("<Q", part, 13 + 8)[0] + 8
    sketches = struct.unpack_from("<Q", part, at)[0]
    at += 8
    for _ in range(sketches):
        at += 8 + struct.unpack_from("<Q", part, at)[0] + 8
    return at


class Parts:
    """The parts of a run, and the data that must be the same in all of them."""
    KEPT = "kept"

    def make_parts(self, count: int, *args: str, folder: str = "parts") -> None:
        shutil.rmtree(self.dir / folder, ignore_errors=True)
        for i in range(count):
            self.sosie("dedup", *args, "--part", f"{i + 1}/{count}", "-o", folder)
        self.assertEqual(sorted(os.listdir(self.dir / folder)),
                         sorted(f"{i + 1}-of-{count}.part" for i in range(count)))

    def everything(self, *args: str) -> tuple:
        """All outputs, and all figures except time and memory."""
        self.sosie("dedup", *args, *sharded.SIDES, "--stats", "s.json", "-o", self.KEPT)
        stats = {name: value for name, value in json.loads(self.read("s.json")).items()
                 if name not in TIMES}
        return [self.read(name) for name in (self.KEPT, "r.tsv", "c.tsv", "p.tsv")], stats

    def expect_one_run(self, *args: str, counts: tuple = COUNTS) -> None:
        direct = self.everything(*args)
        self.assertGreater(direct[1]["near"], 50, args)
        for count in counts:
            self.make_parts(count, *args)
            self.assertEqual(self.everything(*args, "--parts", "parts"), direct, (args, count))


class Texts(Parts, Sharded):
    def sketches(self, *args: str) -> list[str]:
        self.plan(*args)
        return ["--reuse", *self.sketch(*(args if "--bands" not in args else ()))]

    def test_texts(self):
        for args in ((), ("--threshold", "0.6", "--seed", "5"), ("--shingle", "chars:9"),
                     ("--bands", "8x16"), ("--bands", "1x3")):
            self.expect_one_run(*self.sketches(*args))

    def test_more_parts_than_bands(self):
        self.expect_one_run(*self.sketches(), counts=(2, 40))

    def test_parts_are_the_same_for_any_threads_and_memory(self):
        reuse = self.sketches()
        self.make_parts(3, *reuse)
        made = [self.read(f"parts/{i}-of-3.part") for i in (1, 2, 3)]
        for more in (("--threads", "1"), ("--threads", "5"), ("--memory", "1M")):
            self.make_parts(3, *reuse, *more)
            self.assertEqual([self.read(f"parts/{i}-of-3.part") for i in (1, 2, 3)], made, more)
        whole = self.everything(*reuse)[0]
        for more in (("--threads", "1"), ("--threads", "5"), ("--memory", "1M")):
            self.assertEqual(self.everything(*reuse, "--parts", "parts", *more)[0], whole, more)

    def test_keep_rules_and_components(self):
        self.plan()
        for keep in ("last", "longest", "max:score"):
            reuse = ["--reuse", *self.sketch("--keep", keep)]
            self.expect_one_run(*reuse, counts=(3,))
            self.expect_one_run(*reuse, "--clustering", "components", counts=(3,))

    def test_sets_and_bags(self):
        rows = sharded.rows(17, 900)
        words = [{"id": row["id"], "text": (row["text"] or "none").split()} for row in rows]
        for i, name in enumerate(self.shards):
            self.write(name, words[i::4])
        for kind in ("sets", "bags"):
            self.expect_one_run(*self.sketches("--kind", kind, "--threshold", "0.7"), counts=(3,))

    def test_counts_of_a_hot_bucket(self):
        """Rows with mostly common elements share keys; such a bucket is too large to list all of
        its pairs. Smaller buckets of later bands within it list their pairs."""
        chance = random.Random(5)
        common = [f"t{i}" for i in range(30)]
        rows = [{"text": common + [f"x{i}" for i in chance.sample(range(3000), 6)]}
                for _ in range(6000)]
        rows += [{"text": row["text"][:-1]} for row in rows[:100]]
        for i, name in enumerate(self.shards):
            self.write(name, rows[i::4])
        how = ("--kind", "sets", "--threshold", "0.9")
        self.plan(*how, "--bands", "12x6")
        reuse = ["--reuse", *self.sketch(*how)]
        self.expect_one_run(*reuse, counts=(3,))
        self.expect_one_run(*reuse, "--clustering", "components", counts=(3,))

    def test_inputs_and_a_folder_of_sketches(self):
        names = self.sketches()[1:]
        direct = self.everything("--reuse", *names)
        os.mkdir(self.dir / "sketches")
        for name in names:
            os.rename(self.dir / name, self.dir / "sketches" / name)
        self.make_parts(2, "--reuse", "sketches")
        self.assertEqual(self.everything(*self.shards, "--reuse", "sketches", "--parts", "parts"),
                         direct)
        self.write("sketches/notes.txt", "x")
        self.fails(2, "dedup", "--reuse", "sketches", "-o", "o",
                   says="--reuse sketches: contains files other than sketches")
        os.mkdir(self.dir / "none")
        self.fails(2, "dedup", "--reuse", "none", "-o", "o", says="holds no sketches")

    def test_comparisons_of_parts_are_not_repeated(self):
        """If a row is changed where its sketches do not notice, it is still removed, as the parts say."""
        whole = b"".join(self.read(name) for name in self.shards)
        self.write("all.jsonl", whole)
        self.shards = ["all.jsonl"]
        reuse = self.sketches()
        self.make_parts(3, *reuse)
        direct = self.everything(*reuse)[0]
        near = {row["id"] for row in self.table("r.tsv") if row["exact"] == "false"}
        at, same, tried = 0, 0, 0
        for line in whole.splitlines(keepends=True):
            begin, at = at, at + len(line)
            row = json.loads(line)
            hidden = 1 << 16 < begin and at < len(whole) - (1 << 16)
            if not hidden or row["id"] not in near or tried == 8:
                continue
            text = json.dumps(row["text"])[1:-1].encode()
            if text not in line:
                continue
            tried += 1
            self.write("all.jsonl", whole[:begin] + line.replace(text, b"q" * len(text)) + whole[at:])
            self.sosie("dedup", *reuse, "-o", "now")
            self.assertNotEqual(self.read("now"), direct[0])
            done = self.sosie("dedup", *reuse, "--parts", "parts", "-o", "now", code=None)
            self.assertIn(done.code, (0, 3))  # some comparisons are sampled and repeated
            same += done.code == 0 and self.read("now") == direct[0]
        self.assertEqual(tried, 8)
        self.assertGreaterEqual(same, 4)

    def test_killed_and_repeated(self):
        reuse = self.sketches()
        direct = self.everything(*reuse)
        self.make_parts(3, *reuse)
        made = self.read("parts/2-of-3.part")
        os.remove(self.dir / "parts" / "2-of-3.part")
        for delay in (0, 0.005, 0.01, 0.02, 0.05):
            process = self.start("dedup", *reuse, "--part", "2/3", "-o", "parts")
            time.sleep(delay)
            process.send_signal(signal.SIGKILL)
            process.communicate()
            seen = [name for name in os.listdir(self.dir / "parts") if not name.startswith(".")]
            if "2-of-3.part" in seen:
                self.assertEqual(self.read("parts/2-of-3.part"), made)
                os.remove(self.dir / "parts" / "2-of-3.part")
        self.write("parts/.2-of-3.part.sosie-abcdef", made[:100])  # like those left by a killed run
        self.fails(3, "dedup", *reuse, "--parts", "parts", "-o", "o",
                   says="parts: part is missing: 2/3")
        at_once = [self.start("dedup", *reuse, "--part", "2/3", "-o", "parts") for _ in range(3)]
        for process in at_once:
            _, err = process.communicate(timeout=60)
            self.assertEqual(process.returncode, 0, err)
        self.assertEqual(self.read("parts/2-of-3.part"), made)
        self.assertEqual(self.everything(*reuse, "--parts", "parts"), direct)


class BadInput(Parts, Sharded):
    def setUp(self):
        super().setUp()
        self.plan()
        self.reuse = ["--reuse", *self.sketch()]

    def refuses(self, code: int, says: str) -> None:
        self.fails(code, "dedup", *self.reuse, "--parts", "parts", "-o", "o", says=says)
        self.assertFalse(os.path.exists(self.dir / "o"))

    def test_numbers_of_parts(self):
        for part in ("0/8", "9/8", "x", "3", "1/0", "1/5000"):
            self.fails(2, "dedup", *self.reuse, "--part", part, "-o", "parts",
                       says=f"--part: '{part}' is not a part I/N such as 3/8")
        self.assertFalse(os.path.exists(self.dir / "parts"))

    def test_options_of_other_runs(self):
        whole = ("--part", "1/2", "-o", "parts")
        self.fails(2, "dedup", *self.shards, *whole, says="--part: needs sketches")
        self.fails(2, "dedup", *self.shards, "--parts", "x", says="--parts: needs sketches")
        self.fails(2, "dedup", *self.reuse, "--part", "1/2", says="needs a folder for the parts: -o DIR")
        self.fails(2, "dedup", *self.reuse, *whole, "--against", self.shards[0],
                   says="--part: cannot be combined with --against")
        for more in (("--removed", "r.tsv"), ("--pairs", "p.tsv"), ("--stats", "s.json"),
                     ("--parts", "x"), ("--report", "r.html"), ("--dry-run",)):
            self.fails(2, "dedup", *self.reuse, *whole, *more,
                       says=f"--part 1/2: cannot be combined with {more[0]}")
        self.fails(2, "dedup", *self.reuse, *whole, "--parts", "x", hints="a separate run with --parts")
        self.write("file", "x")
        self.fails(2, "dedup", *self.reuse, "--part", "1/2", "-o", "file", says="is not a folder")
        self.fails(4, "dedup", *self.reuse, "--part", "1/2", "-o", "no/such", hints="make no first")
        self.fails(4, "dedup", *self.reuse, "--parts", "file", hints="--part I/N -o DIR writes")

    def test_common_shingles(self):
        for count in (1, 2):
            self.fails(2, "dedup", *self.reuse, "--ignore-common", "0.1", "--part", f"1/{count}",
                       "-o", "parts", says="--ignore-common: cannot be combined with sketches")

    def test_outputs_in_the_folder_of_parts(self):
        self.make_parts(3, *self.reuse)
        made = self.read("parts/1-of-3.part")
        for more in (("--stats", "parts/1-of-3.part"), ("-o", "parts/k.jsonl"),
                     ("--save", "parts/run"), ("-o", "parts/")):
            self.fails(2, "dedup", *self.reuse, "--parts", "parts", *more,
                       says=f"{more[0]} {more[1]}/?: lies in the folder of --parts parts")
        self.fails(2, "dedup", *self.reuse, "--parts", "out/parts", "-o", "out/",
                   says="--parts out/parts: lies in -o out/")
        self.assertEqual(self.read("parts/1-of-3.part"), made)
        self.assertEqual(len(os.listdir(self.dir / "parts")), 3)

    def test_folders_of_other_files(self):
        os.mkdir(self.dir / "parts")
        self.write("parts/notes.txt", "x")
        self.fails(2, "dedup", *self.reuse, "--part", "1/2", "-o", "parts",
                   says="parts: holds files that are not parts, such as notes.txt")
        self.refuses(2, "parts: holds files that are not parts, such as notes.txt")
        os.remove(self.dir / "parts" / "notes.txt")
        self.refuses(3, "parts: contains no part")
        self.write("parts/notes.part", "x")
        self.refuses(3, "parts/notes.part: is damaged")
        shutil.rmtree(self.dir / "parts")
        self.refuses(4, "parts: No such file or directory")

    def test_missing_and_doubled_parts(self):
        self.make_parts(8, *self.reuse)
        shutil.copy(self.dir / "parts" / "3-of-8.part", self.dir / "parts" / "copy.part")
        self.refuses(3, "parts/copy.part: is part 3/8, and so is parts/3-of-8.part")
        for name in ("copy", "3-of-8", "5-of-8"):
            os.remove(self.dir / "parts" / f"{name}.part")
        self.refuses(3, "parts: parts are missing: 3/8, 5/8")

    def test_parts_of_another_number(self):
        self.make_parts(3, *self.reuse)
        self.sosie("dedup", *self.reuse, "--part", "1/2", "-o", "parts")
        self.refuses(3, "is part 1/3, parts/1-of-2.part is part 1/2")

    def test_parts_of_another_plan_and_seed(self):
        self.make_parts(2, *self.reuse)
        for args in (("--seed", "7"), ("--bands", "8x12")):
            self.plan(*args)
            self.sketch(*(args if args[0] == "--seed" else ()))
            self.refuses(2, "parts/1-of-2.part")

    def test_other_and_changed_sketches(self):
        self.make_parts(2, *self.reuse)
        names = self.reuse[1:]
        self.fails(3, "dedup", "--reuse", *names[::-1], "--parts", "parts", "-o", "o",
                   says="parts/1-of-2.part: was made from other sketches: file 1 was")
        self.fails(3, "dedup", "--reuse", *names[:3], "--parts", "parts", "-o", "o",
                   says="file 4 was s3.jsonl.sketches, but now it is none")
        size = len(self.rows) // 4 + 1
        self.write(self.shards[1], [{**row, "text": "new"} for row in self.rows[size:2 * size]])
        self.sketch()
        self.refuses(3, "s1.jsonl.sketches has changed since the part was made")

    def test_every_damage_is_found(self):
        self.make_parts(2, *self.reuse)
        whole = self.read("parts/2-of-2.part")
        places = [0, 13, 17, 30, 400, len(whole) // 2, len(whole) - 9, len(whole) - 1]
        for at in places:
            self.write("parts/2-of-2.part", whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1:])
            self.refuses(3, "parts/2-of-2.part: is damaged")
        self.write("parts/2-of-2.part", whole.replace(b"sosie part 2", b"sosie part 1", 1))
        self.refuses(2, "parts/2-of-2.part: was written by another version")
        for size in (0, 5, 13, 20, len(whole) - 1):
            self.write("parts/2-of-2.part", whole[:size])
            self.refuses(3, "parts/2-of-2.part: is damaged")

    def test_parts_that_outgrow_the_memory(self):
        """A single large group of similar rows, none of them similar enough to be removed."""
        words = [f"w{i}" for i in range(4000)]
        chance = random.Random(3)
        common = chance.choices(words, k=120)
        for name in self.shards:
            self.write(name, [{"text": " ".join(common + chance.choices(words, k=12))}
                              for _ in range(200)])
        self.plan("--threshold", "0.85")
        self.reuse = ["--reuse", *self.sketch("--threshold", "0.85")]
        self.fails(4, "dedup", *self.reuse, "--part", "1/1", "-o", "parts", "--memory", "1M",
                   says="--part 1/1: compares more than [0-9,]+ pairs", hints="make more parts")
        self.assertEqual(os.listdir(self.dir / "parts"), [])
        self.make_parts(1, *self.reuse)
        self.assertGreater(os.path.getsize(self.dir / "parts" / "1-of-1.part"), 1 << 20)
        whole = self.outcome(*self.reuse)
        said = self.sosie("dedup", *self.reuse, "--parts", "parts", "--memory", "4M", "-o", "o").err
        self.assertIn("--parts parts: parts do not fit in --memory, so all rows are matched again", said)
        self.assertEqual(self.outcome(*self.reuse, "--parts", "parts", "--memory", "4M"), whole)
        self.assertEqual(self.outcome(*self.reuse, "--parts", "parts"), whole)

    @unittest.skipIf(SANITIZED, "sanitizers take memory of their own")
    def test_rows_that_outgrow_the_memory(self):
        """They are reread, with their keys; the data read without keys are freed before."""
        chance = random.Random(1)
        for name in self.shards:
            self.write(name, [{"text": " ".join(f"w{chance.randrange(1600)}" for _ in range(7))}
                              for _ in range(15000)])
        self.plan("--method", "lsh")
        self.reuse = ["--reuse", *self.sketch()]
        self.make_parts(1, *self.reuse)
        said = self.sosie("dedup", *self.reuse, "--parts", "parts", "--memory", "24M",
                          "--threads", "1", "--stats", "s.json", "-o", "o").err
        self.assertIn("--parts parts: rows do not fit in --memory", said)
        self.assertLess(json.loads(self.read("s.json"))["peak_memory_bytes"], 28 << 20)

    def test_a_part_of_damaged_sketches_is_found(self):
        """A part reads some of the keys without verifying the checksum of all; the last run compares them."""
        name = self.reuse[1]
        sketches = self.read(name)
        rows = int.from_bytes(sketches[8:16], "little")
        at = 8 + 40 + rows * 29 + 8 * rows + 8 * 3  # a key of the first band
        self.write(name, sketches[:at] + bytes([sketches[at] ^ 1]) + sketches[at + 1:])
        self.make_parts(2, *self.reuse)
        self.refuses(3, f"{name}: is damaged")
        self.write(name, sketches)
        self.refuses(3, "parts: the parts were made from different data than the sketches")


class Items(Parts, items.Shards):
    KEPT = "kept.npy"

    def test_shards_without_a_row(self):
        self.write("none.jsonl", b"")
        for name, column, *similar in (("vectors", "vector", "--threshold", "0.9"), ("bits", "text", "--within", "3")):
            value = [1, 2] if name == "vectors" else "0f"
            self.write("one.jsonl", [{"id": "a", column: value}, {"id": "b", column: value}])
            how = ("--kind", name, "--column", column, *similar)
            self.sosie("plan", "one.jsonl", *how, "--method", "lsh", "-o", "tiny.plan")
            for rows in ("none", "one"):
                self.sosie("sketch", f"{rows}.jsonl", *how, "--plan", "tiny.plan", "-o", f"{rows}.sketch")
            for shards, kept in ((("none",), b""), (("none", "one"), self.read("one.jsonl").splitlines(True)[0])):
                reuse = [word for shard in shards for word in ("--reuse", f"{shard}.sketch")]
                self.make_parts(2, *reuse)
                self.sosie("dedup", *reuse, "--parts", "parts", "-o", "kept.jsonl")
                self.assertEqual(self.read("kept.jsonl"), kept)

    def test_every_family(self):
        for args, planned in items.FAMILIES:
            shards = self.write_for(args)
            self.expect_one_run("--reuse", *self.prepare(shards, args, planned),
                                counts=(1, 3) if args is items.COSINE else COUNTS)

    def test_threads_memory_ranks_and_components(self):
        shards = self.write_for(items.COSINE)
        reuse = ("--reuse", *self.prepare(shards, items.COSINE))
        for more in (("--threads", "1"), ("--threads", "7"), ("--memory", "3M"),
                     ("--clustering", "components"), ("--keep", "last")):
            self.expect_one_run(*reuse, *more, counts=(3,))


@unittest.skipUnless(saved_files.LIBRARY, "no libxxhash here")
class MadeUpTexts(Parts, Sharded):
    """Parts with correct checksums that lack data which all parts of a run contain."""

    def setUp(self):
        super().setUp()
        self.plan()
        self.reuse = ["--reuse", *self.sketch()]
        self.make_parts(1, *self.reuse)
        self.part = self.read("parts/1-of-1.part")
        self.columns = place_of_columns(self.part)

    def refuses_with(self, begin: int, end: int, now: bytes) -> None:
        out = self.part[:begin] + now + self.part[end:-8]
        self.write("parts/1-of-1.part", out + struct.pack("<Q", saved_files.checksum(out)))
        self.fails(3, "dedup", *self.reuse, "--parts", "parts", "-o", "o",
                   says="parts: the parts were made from different data than the sketches")

    def test_each_column_is_there(self):
        count = struct.unpack_from("<Q", self.part, self.columns)[0]
        first = self.columns + 8
        for column in (0, count // 2, count - 1):
            kept = [self.part[first + 12 * i:first + 12 * (i + 1)]
                    for i in range(count) if i != column]
            self.refuses_with(self.columns, first + 12 * count,
                              struct.pack("<Q", count - 1) + b"".join(kept))

    def test_buckets_are_there(self):
        at = self.columns + 8 + 12 * struct.unpack_from("<Q", self.part, self.columns)[0]
        count = struct.unpack_from("<Q", self.part, at)[0]
        members = sum(struct.unpack_from(f"<{count}I", self.part, at + 8))
        self.refuses_with(at, at + 8 + 4 * (count + members), struct.pack("<Q", 0))


    def test_buckets_that_add_no_pair_are_left_out(self):
        at = self.columns + 8 + 12 * struct.unpack_from("<Q", self.part, self.columns)[0]
        count = struct.unpack_from("<Q", self.part, at)[0]
        at += 8 + 4 * count
        before = collections.defaultdict(list)  # by row
        for size in struct.unpack_from(f"<{count}I", self.part, at - 4 * count):
            bucket = {*struct.unpack_from(f"<{size}I", self.part, at)}
            self.assertFalse(any(bucket <= other for other in before[min(bucket)]))
            for row in bucket:
                before[row].append(bucket)
            at += 4 * size
        self.assertGreater(len(before), 100)


@unittest.skipUnless(saved_files.LIBRARY, "no libxxhash here")
class MadeUpItems(Parts, items.Shards):
    """Parts with correct checksums whose pairs are not the measured ones."""

    def setUp(self):
        super().setUp()
        self.reuse = ("--reuse", *self.prepare(self.write_for(items.COSINE), items.COSINE))
        self.make_parts(1, *self.reuse)
        self.part = self.read("parts/1-of-1.part")
        self.at = place_of_columns(self.part) + 3 * 8  # no columns, buckets or overlaps
        count = struct.unpack_from("<Q", self.part, self.at)[0]
        self.pairs = [struct.unpack_from("<IId", self.part, self.at + 8 + 16 * i)
                      for i in range(count)]
        self.assertGreater(count, 100)

    def write_pairs(self, pairs: list) -> None:
        rest = self.part[self.at + 8 + 16 * len(self.pairs):-8]
        out = self.part[:self.at] + struct.pack("<Q", len(pairs))
        out += b"".join(struct.pack("<IId", *pair) for pair in pairs) + rest
        self.write("parts/1-of-1.part", out + struct.pack("<Q", saved_files.checksum(out)))

    def refuses(self, says: str) -> None:
        self.fails(3, "dedup", *self.reuse, "--parts", "parts", "-o", "o.npy", says=says,
                   hints="the part")
        self.assertFalse(os.path.exists(self.dir / "o.npy"))

    def test_the_last_run_measures_a_draw_alone(self):
        self.write_pairs(self.pairs)
        self.assertEqual(self.read("parts/1-of-1.part"), self.part)
        self.write_pairs([])
        self.assertEqual(self.everything(*self.reuse, "--parts", "parts")[1]["near"], 0)

    def test_other_values(self):
        self.write_pairs([(left, right, value - 1e-9) for left, right, value in self.pairs])
        self.refuses("parts: does not match the items")

    def test_values_that_miss_the_bound(self):
        for value in (0.85, -1.0, float("nan"), float("-inf")):
            self.write_pairs([(*self.pairs[0][:2], value), *self.pairs[1:]])
            self.refuses("parts: does not match the items|1-of-1.part: is damaged")

    def test_equal_items(self):
        self.write_pairs([(3, 7, 1.0), *self.pairs])
        self.refuses("parts: does not match the items")


if __name__ == "__main__":
    unittest.main()

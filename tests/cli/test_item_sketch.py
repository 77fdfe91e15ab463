"""`sosie sketch` of vectors and bit strings: shards give the bytes of one run, and what others
wrote is checked."""
# slow: more than 5 s in a release build, so `make sanitize` leaves it to `make sanitize-all`

import json
import os
import struct
import unittest

import saved_files
from measured_rows import npy
from sharded import MACHINE
from support import IN_MEMORY, SosieTest
from test_item_plan import BITS, bits, vectors

SIDES = ("--removed", "r.tsv", "--clusters", "c.tsv", "--pairs", "p.tsv")
COSINE = ("--threshold", "0.9")
CASES = {  # name: shards' format, options that say the same in every verb
    "cosine": ("npy", COSINE), "the usual threshold": ("npy", ("--threshold", "0.8")),
    "seed": ("npy", (*COSINE, "--seed", "9", "--recall", "0.9")),
    "angle of rows": ("jsonl", ("--kind", "vectors", "--measure", "angle", "--within", "20")),
    "euclidean": ("npy", ("--measure", "euclidean", "--within", "1.5")),
    "manhattan": ("jsonl", ("--kind", "vectors", "--measure", "manhattan", "--within", "4")),
    "bits": ("bool", BITS), "bits of rows": ("hex", BITS)}


def written(rows: list, form: str, first: int) -> bytes:
    if form == "npy":
        return npy(rows)
    if form == "bool":
        return npy(rows, "|b1")
    text = [f"{int(''.join(str(int(bit)) for bit in row), 2):0{len(row) // 4}x}"
            if form == "hex" else row for row in rows]
    return "".join(json.dumps({"id": f"d{first + i}", "text": row, "n": i % 7}) + "\n"
                   for i, row in enumerate(text)).encode()


class ItemShards(SosieTest):
    place = IN_MEMORY

    def shard(self, form: str, seed: int = 1, count: int = 900) -> None:
        made = bits(count, 64, seed) if form in ("bool", "hex") else vectors(count, 12, seed)
        end = "jsonl" if form in ("jsonl", "hex") else "npy"
        size = count // 3
        self.shards = [f"s{i}.{end}" for i in range(3)]
        for i, name in enumerate(self.shards):
            self.write(name, written(made[i * size:(i + 1) * size], form, i * size))

    def sketch(self, *args: str) -> list:
        self.sosie("plan", self.shards[0], *args, "--method", "lsh", "-o", "plan.json")
        made = [word for word in args]
        names = [f"{shard}.sketches" for shard in self.shards]
        for shard, name in zip(self.shards, names):
            self.sosie("sketch", shard, *made, "--plan", "plan.json", "-o", name)
        return names

    def outcome(self, *args: str) -> tuple:
        """Every output of a dedup run, and pairs, but what may differ."""
        self.sosie("dedup", *args, *SIDES, "--stats", "s.json", "-o", "out.npy"
                   if self.shards[0].endswith("npy") else "out.jsonl")
        stats = json.loads(self.read("s.json"))
        for machine in MACHINE:
            stats.pop(machine)
        out = "out.npy" if self.shards[0].endswith("npy") else "out.jsonl"
        return ([self.read(name) for name in (out, "r.tsv", "c.tsv", "p.tsv")], stats,
                self.sosie("pairs", *args).out)


class OneRun(ItemShards):
    def test_shards_give_the_bytes_of_one_run(self):
        for seed, (name, (form, args)) in enumerate(CASES.items()):
            self.shard(form, seed)
            names = self.sketch(*args)
            direct = self.outcome(*self.shards, *args, "--plan", "plan.json")
            self.assertGreater(direct[2].count(b"\n"), 50, name)
            self.assertEqual(direct[1]["method"], "lsh")
            self.assertEqual(self.outcome("--reuse", *names), direct, name)

    def test_probes_and_rotations(self):
        self.shard("npy", 5)
        for family in (("--family", "cross-polytope", "--probes", "2"),
                       ("--family", "hyperplane-rotation")):
            names = self.sketch(*COSINE, *family)
            self.assertEqual(self.outcome("--reuse", *names),
                             self.outcome(*self.shards, *COSINE, "--plan", "plan.json"), family)

    def test_whatever_threads_and_memory(self):
        self.shard("npy", 6)
        names = self.sketch(*COSINE)
        direct = self.sosie("pairs", *self.shards, *COSINE, "--plan", "plan.json").out
        before = [self.read(name) for name in names]
        for name, shard in zip(names, self.shards):
            self.sosie("sketch", shard, *COSINE, "--plan", "plan.json", "--threads", "3", "-o", name)
        self.assertEqual([self.read(name) for name in names], before)
        for args in (("--threads", "1"), ("--memory", "5M")):
            self.assertEqual(self.sosie("pairs", "--reuse", *names, *args).out, direct, args)

    def test_new_rows_against_them(self):
        for form, args in (("npy", COSINE), ("hex", BITS)):
            self.shard(form, 7)
            old, new = self.shards[:2], self.shards[2]
            names = self.sketch(*args)[:2]
            plan = (*args, "--plan", "plan.json")
            against = [word for name in names for word in ("--against", name)]
            plain = [word for name in old for word in ("--against", name)]
            self.assertEqual(self.sosie("pairs", new, *against).out,
                             self.sosie("pairs", new, *plain, *plan).out)
            self.assertEqual(self.sosie("query", names[0], new).out,
                             self.sosie("query", old[0], new, *plan).out)
            self.assertEqual(self.sosie("query", *names, new, "--top", "1").out.count(b"\n") > 3, True)
            self.assertEqual(self.sosie("pairs", "--reuse", f"{new}.sketches", *against).out,
                             self.sosie("pairs", new, *plain, *plan).out)
            out = "o.npy" if form == "npy" else "o.jsonl"
            self.sosie("dedup", new, *against, "-o", out)
            kept = self.read(out)
            self.sosie("dedup", new, *plain, *plan, "-o", out)
            self.assertEqual(self.read(out), kept)

    def test_bad_rows_are_left_out_alike(self):
        self.shard("jsonl", 8)
        args = ("--kind", "vectors", *COSINE)
        self.write(self.shards[1], b'{"id": "x", "text": [1, "y"]}\n' + self.read(self.shards[1])
                   + b'{"id": "z", "text": [0,0,0,0,0,0,0,0,0,0,0,0]}\n')
        names = self.sketch(*args, "--on-bad-row", "skip")
        self.assertEqual(self.outcome("--reuse", *names),
                         self.outcome(*self.shards, *args, "--plan", "plan.json",
                                      "--on-bad-row", "skip"))

    def test_ids_that_are_given(self):
        self.shard("npy", 9)
        names = self.sketch(*COSINE)
        self.write("ids.txt", "".join(f"row{i}\n" for i in range(900)))
        ids = ("--ids", "ids.txt")
        out = self.sosie("pairs", "--reuse", *names, *ids).out
        self.assertIn(b"\nrow", out)
        self.assertEqual(out, self.sosie("pairs", *self.shards, *COSINE, *ids, "--plan", "plan.json").out)


class Refused(ItemShards):
    def setUp(self):
        super().setUp()
        self.shard("npy", 3)
        self.names_of = self.sketch(*COSINE)

    def test_other_plans_options_and_kinds(self):
        one, two = self.names_of[:2]
        for args in (("--threshold", "0.8"), ("--seed", "2"), ("--measure", "angle"),
                     ("--kind", "bits"), ("--recall", "0.9")):
            self.fails(2, "dedup", "--reuse", one, *args, says=args[0] + " " + args[1])
        self.sosie("plan", self.shards[1], *COSINE, "--bands", "7x5", "-o", "other.json")
        self.sosie("sketch", self.shards[1], *COSINE, "--plan", "other.json", "-o", two)
        self.fails(2, "pairs", "--reuse", one, two, says="was made with (bands|rows) ")
        self.fails(2, "pairs", "--reuse", one, "--plan", "other.json", says="is 7 x 5 at 9/10")
        self.sosie("pairs", "--reuse", one, "--plan", "plan.json")
        self.write("t.jsonl", ["one two three four five six"] * 3)
        self.sosie("plan", "-o", "text.json")
        self.sosie("sketch", "t.jsonl", "--plan", "text.json", "-o", "t.sketches")
        self.fails(2, "pairs", "--reuse", one, "t.sketches", says="was made with ")
        self.fails(2, "sketch", self.shards[0], *COSINE, "-o", "n", says="no plan named")
        self.fails(2, "sketch", self.shards[0], *COSINE, "--plan", "text.json", "-o", "n",
                   says="was made for kind text")
        self.fails(2, "sketch", self.shards[0], "--measure", "chebyshev", "--within", "1", "--plan",
                   "plan.json", "-o", "n", says="there is no lsh for it")
        self.assertNotIn("n", self.names())

    def test_changed_files(self):
        one, shard = self.names_of[0], self.shards[0]
        data = self.read(shard)
        self.write(shard, data[:-4] + b"\0\0\x80\x3f")
        self.fails(3, "dedup", "--reuse", one, says=r"s0\.npy: has changed since")
        self.write(shard, npy(vectors(301, 12, 3)))
        self.fails(3, "dedup", "--reuse", one, says=r"s0\.npy: has changed since")
        os.remove(self.dir / shard)
        self.fails(4, "dedup", "--reuse", one, says=r"s0\.npy: ")

    def test_damaged_bytes_are_found(self):
        one = self.names_of[0]
        data = self.read(one)
        for at in [*range(10), *range(20, len(data), len(data) // 40), *range(len(data) - 80, len(data), 7)]:
            self.write(one, data[:at] + bytes([data[at] ^ 4]) + data[at + 1:])
            self.fails(3, "pairs", "--reuse", one, says=r"sketches: is ")
        for size in (0, 7, 40, len(data) // 2, len(data) - 1):
            self.write(one, data[:size])
            self.fails(3, "pairs", "--reuse", one, says=r"sketches: is ")


@unittest.skipUnless(saved_files.LIBRARY, "no libxxhash here")
class Hostile(ItemShards):
    """With right checksums: nothing is believed that can be checked."""

    def good(self, *args: str) -> bytes:
        self.shard("npy", 4)
        return self.read(self.sketch(*args)[0])

    def refused(self, data: bytes) -> None:
        self.write("bad.sketches", saved_files.repaired_sketches(data))
        self.fails(3, "dedup", "--reuse", "bad.sketches", says=r"^sosie: \S+: ")

    def changed(self, data: bytes, at: int, number: int, form: str = "<Q") -> bytes:
        out = bytearray(data)
        struct.pack_into(form, out, at, number)
        return bytes(out)

    def test_checksums_can_be_repaired(self):
        data = self.good(*COSINE)
        self.assertEqual(saved_files.repaired_sketches(data), data)

    def test_counts_of_items(self):
        data = self.good(*COSINE)
        for number in (0, 299, 301, 1 << 32, (1 << 64) - 1):
            self.refused(self.changed(data, 8, number))

    def test_ranges_of_items(self):
        data = self.good(*COSINE)
        entry = len(data) - saved_files.TRAILER - saved_files.ENTRY
        for at, number, form in ((entry, 1, "<Q"), (entry + 8, 299, "<Q"), (entry + 8, 301, "<Q"),
                                 (entry + 8, 1 << 40, "<Q"), (entry + 32, 1, "<I"),
                                 (entry + 36, 2, "<B"), (entry + 37, 9, "<B"), (entry + 38, 1, "<B"),
                                 (entry - 8, 299, "<Q"), (entry - 8, 1 << 60, "<Q")):
            self.refused(self.changed(data, at, number, form))

    def test_cells_that_are_none(self):
        data = self.good(*COSINE, "--family", "cross-polytope", "--probes", "2")
        for value in (32, 255):
            self.refused(self.changed(data, 16, value, "<B"))
        plan = json.loads(self.read("plan.json"))
        near = 16 + 300 * plan["bands"] * plan["rows"]
        self.refused(self.changed(data, near, 0, "<I"))

    def test_keys_may_lie_but_no_pair_does(self):
        data = bytearray(self.good(*COSINE))
        plan = json.loads(self.read("plan.json"))
        data[16:16 + 300 * plan["bands"] * 4] = bytes(300 * plan["bands"] * 4)
        self.write("lie.sketches", saved_files.repaired_sketches(bytes(data)))
        found = self.sosie("pairs", "--reuse", "lie.sketches").out.splitlines()
        every = self.sosie("pairs", self.shards[0], *COSINE, "--method", "exact").out.splitlines()
        self.assertLessEqual(set(found), set(every))

    def test_plans_that_are_none(self):
        data = self.good("--measure", "euclidean", "--within", "2")
        for old, new in ((b'"segment": ', b'"segnemt": '), (b'"bands": ', b'"bands":-'),
                         (b'"kind": "vectors"', b'"kind": "strings"'),
                         (b'"gaussian-segments"', b'"gaussian-segmentz"'),
                         (b'"sketch_bits": 256', b'"sketch_bits": 512')):
            self.assertEqual(data.count(old), 1)
            self.refused(data.replace(old, new))


if __name__ == "__main__":
    unittest.main()

"""`sosie sketch` and `--reuse` of sketch files: shards give the same bytes as a single run."""
# slow: more than 5 s in a release build, so `make sanitize` leaves it to `make sanitize-all`

import gzip
import json
import os
import random
import struct
import unittest

from sharded import Sharded


class OneRun(Sharded):
    def test_dedup_with_all_side_files(self):
        for args in ((), ("--threshold", "0.6", "--seed", "5"), ("--shingle", "chars:9"),
                     ("--bands", "8x16")):
            self.plan(*args)
            made_with = args if "--bands" not in args else ()
            names = self.sketch(*made_with)
            direct = self.outcome(*self.shards, "--plan", "plan.json", *made_with)
            self.assertGreater(direct[1]["near"], 50)
            self.assertEqual(self.outcome("--reuse", *names), direct, args)

    def test_a_distance_in_place_of_a_threshold(self):
        self.plan("--within", "0.3")
        names = self.sketch("--within", "0.3")
        for within in ((), ("--within", "0.3"), ("--within", "3/10"), ("--threshold", "0.7")):
            direct = self.outcome(*self.shards, "--plan", "plan.json",
                                  *(within or ("--threshold", "7/10")))
            self.assertGreater(direct[1]["near"], 50)
            self.assertEqual(self.outcome("--reuse", *names, *within), direct, within)
        self.fails(2, "dedup", "--reuse", *names, "--within", "0.4",
                   says="--within 0.4: s0.jsonl.sketches was made with --threshold 7/10")

    def test_pairs(self):
        self.plan()
        names = self.sketch()
        direct = self.sosie("pairs", *self.shards, "--plan", "plan.json").out
        self.assertGreater(direct.count(b"\n"), 100)
        repeated = [word for name in names for word in ("--reuse", name)]
        for reuse in (["--reuse", *names], repeated):
            self.assertEqual(self.sosie("pairs", *reuse).out, direct)

    def test_whatever_threads_and_memory(self):
        self.plan()
        names = self.sketch("--threads", "1")
        direct = self.outcome(*self.shards, "--plan", "plan.json")
        sketches = [self.read(name) for name in names]
        for args in (("--threads", "2"), ("--threads", "3", "--memory", "1M")):
            self.sketch(*args)
            self.assertEqual([self.read(name) for name in names], sketches, args)
        for args in (("--threads", "2"), ("--memory", "1M")):
            self.assertEqual(self.outcome("--reuse", *names, *args), direct, args)
        self.sosie("dedup", "--reuse", *names, "--memory", "1M", "--stats", "s.json", "-o", "o.jsonl")
        self.assertGreater(json.loads(self.read("s.json"))["scratch_bytes"], 0)

    def test_keep_rules(self):
        self.plan()
        for keep in ("longest", "max:score", "shortest,min:score"):
            names = self.sketch("--keep", keep)
            direct = self.outcome(*self.shards, "--plan", "plan.json", "--keep", keep)
            self.assertEqual(self.outcome("--reuse", *names), direct, keep)
        names = self.sketch("--keep", "max:score")
        direct = self.outcome(*self.shards, "--plan", "plan.json", "--keep", "min:score,last")
        self.assertEqual(self.outcome("--reuse", *names, "--keep", "min:score,last"), direct)
        for other in ("first", "longest", "max:id"):
            self.fails(2, "dedup", "--reuse", *names, "--keep", other, says="max:score")

    def test_against_others(self):
        self.plan()
        names = self.sketch()
        self.write("other.txt", "\n".join(row["text"] for row in self.rows[::7]
                                          if "\n" not in row["text"]))
        args = ("--against", "other.txt")
        self.assertEqual(self.outcome("--reuse", *names, *args),
                         self.outcome(*self.shards, "--plan", "plan.json", *args))

    def test_bad_rows_are_counted_and_kept_with_their_reasons(self):
        self.plan()
        self.write(self.shards[1], self.read(self.shards[1]) + b"{broken\n\n{\"id\": 7}\n")
        for what in ("skip", "keep"):
            names = self.sketch("--on-bad-row", what)
            direct = self.outcome(*self.shards, "--plan", "plan.json", "--on-bad-row", what,
                                  "--rejects", "bad.tsv"), self.read("bad.tsv")
            again = self.outcome("--reuse", *names, "--rejects", "bad.tsv"), self.read("bad.tsv")
            self.assertEqual(again, direct)
        self.fails(3, "sketch", self.shards[1], "--plan", "plan.json", "-o", "no.sketches",
                   says=r"s1\.jsonl:\d+: ")
        self.assertNotIn("no.sketches", self.names())

    def test_folders_and_odd_names(self):
        texts = [row["text"].replace("\n", " ").replace("\r", " ") for row in self.rows]
        odd = "odd \udcff.txt"  # an invalid UTF-8 byte
        self.write("a/x.txt", "\n".join(texts[:200]))
        self.write("a/deep/y.txt.gz", gzip.compress("\n".join(texts[200:400]).encode()))
        self.write("a/note.pdf", "not a record file")
        self.write(odd, "one two three four five six\n" + "\n".join(texts[::9]))
        self.shards = ["a", odd]
        self.plan()
        names = self.sketch()
        direct = self.outcome(*self.shards, "--plan", "plan.json")
        self.assertEqual(self.outcome("--reuse", *names), direct)
        self.assertEqual(self.outcome(*self.shards, "--reuse", *names), direct)

    def test_fields_of_csv(self):
        texts = ['"' + row["text"].replace('"', '""') + '"' for row in self.rows]
        self.shards = ["a.csv", "b.csv"]
        for name, some in (("a.csv", texts[::2]), ("b.csv", texts[1::2])):
            self.write(name, "key,body\n" + "".join(
                f"{name}{i},{text}\n" for i, text in enumerate(some)))
        args = ("--column", "body", "--id", "key")
        self.plan("--column", "body")
        names = self.sketch(*args)
        self.assertEqual(self.outcome("--reuse", *names),
                         self.outcome(*self.shards, "--plan", "plan.json", *args))

    def test_sets(self):
        chance = random.Random(3)
        sets = [" ".join(f"e{chance.randrange(40)}" for _ in range(12)) for _ in range(60)]
        self.shards = ["a.sets", "b.sets"]
        self.write("a.sets", "\n".join(sets))
        self.write("b.sets", "\n".join(sets[::2] + ["", "z"]))
        for args in ((), ("--kind", "bags")):
            self.plan(*args)
            names = self.sketch(*args)
            self.assertEqual(self.sosie("pairs", "--reuse", *names).out,
                             self.sosie("pairs", *self.shards, "--plan", "plan.json", *args).out)

    def test_empty_shards(self):
        self.plan()
        self.write(self.shards[2], "")
        names = self.sketch()
        self.assertEqual(self.outcome("--reuse", *names),
                         self.outcome(*self.shards, "--plan", "plan.json"))
        self.write("none.jsonl", "")
        self.sosie("sketch", "none.jsonl", "--plan", "plan.json", "-o", "none.sketches")
        self.assertEqual(self.kept("--reuse", "none.sketches"), b"")

    def test_ids_are_unique_over_all_shards(self):
        self.plan()
        self.write(self.shards[3], [self.rows[0]])
        names = self.sketch()
        self.fails(3, "dedup", "--reuse", *names, says=r"s3\.jsonl:1: id 'd0' is already used by s0")


class Refused(Sharded):
    def setUp(self):
        super().setUp()
        self.plan()
        self.sosie("sketch", "s0.jsonl", "--plan", "plan.json", "-o", "a.sketches")

    def test_other_plans_and_options_with_both_values(self):
        self.sosie("plan", "--bands", "9x13", "-o", "other.json")
        self.sosie("sketch", "s1.jsonl", "--plan", "other.json", "-o", "b.sketches")
        bands = json.loads(self.read("plan.json"))["bands"]
        self.fails(2, "dedup", "--reuse", "a.sketches", "b.sketches",
                   says=rf"b\.sketches: was made with bands 9, a\.sketches with {bands}")
        self.fails(2, "dedup", "--reuse", "a.sketches", "--plan", "other.json", says="9 x 13")
        for args, says in ((("--id", "row"), r"--id row, a\.sketches with \(none\)"),
                           (("--column", "id"), "--column id, .* text"),
                           (("--on-bad-row", "skip"), "--on-bad-row skip, .* stop"),
                           (("--keep", "longest"), "--keep longest, .* first")):
            self.sosie("sketch", "s1.jsonl", "--plan", "plan.json", *args, "-o", "b.sketches")
            self.fails(2, "pairs", "--reuse", "a.sketches", "--reuse", "b.sketches", says=says)
        for args in (("--threshold", "0.9"), ("--seed", "2"), ("--shingle", "words:4"),
                     ("--tokens", "ascii"), ("--column", "id"), ("--id", "row"),
                     ("--kind", "sets"), ("--recall", "0.9"), ("--on-bad-row", "keep")):
            self.fails(2, "dedup", "--reuse", "a.sketches", *args, says=args[0] + " " + args[1])
        self.kept("--reuse", "a.sketches", "--threshold", "4/5", "--plan", "plan.json")

    def test_a_plan_says_what_sketch_is_not_told(self):
        args = ("--threshold", "0.7", "--shingle", "chars:6", "--tokens", "ascii", "--seed", "5", "--recall", "0.95")
        self.sosie("plan", "s0.jsonl", *args, "--method", "lsh", "-o", "other.json")
        self.sosie("sketch", "s0.jsonl", "--plan", "other.json", *args, "-o", "said.sketches")
        self.sosie("sketch", "s0.jsonl", "--plan", "other.json", "-o", "told.sketches")
        self.assertEqual(self.read("told.sketches"), self.read("said.sketches"))

    def test_a_plan_for_something_else(self):
        self.fails(2, "sketch", "s1.jsonl", "--plan", "plan.json", "--threshold", "0.7",
                   "-o", "b.sketches", says="threshold 4/5, this run has 7/10")
        self.fails(2, "sketch", "s1.jsonl", "-o", "b.sketches", says="no plan")
        self.fails(2, "sketch", "s1.jsonl", "--plan", "plan.json", says="no output")

    def test_other_recipes_and_versions(self):
        data = self.read("a.sketches")
        self.write("b.sketches", data[:6] + b"3" + data[7:-2] + b"3\n")
        self.fails(2, "dedup", "--reuse", "b.sketches",
                   says=r"b\.sketches: sketch format 3, this program reads 1 and 2")
        self.write("b.sketches", data[:6] + b"2" + data[7:-2] + b"2\n")  # not of texts
        self.fails(3, "dedup", "--reuse", "b.sketches", says=r"b\.sketches: is damaged")

    def test_rows_without_ids_beside_rows_with(self):
        self.write("plain.txt", "one two three\n")
        self.sosie("sketch", "plain.txt", "--plan", "plan.json", "-o", "b.sketches")
        self.fails(2, "dedup", "--reuse", "a.sketches", "b.sketches",
                   says=r"--id row, a\.sketches with id")

    def test_what_cannot_go_with_sketches(self):
        for args in (("--method", "brute"), ("--bands", "9x13"), ("--files-from", "list")):
            self.fails(2, "dedup", "--reuse", "a.sketches", *args, says=args[0])
        self.fails(2, "dedup", "--reuse", "a.sketches", "s1.jsonl",
                   says=r"s1\.jsonl: at this position, a\.sketches was made from s0\.jsonl")
        self.fails(2, "dedup", "--reuse", "a.sketches", "-o", "a.sketches", says="is an input")
        self.fails(2, "dedup", "--reuse", "a.sketches", "-o", "s0.jsonl", says="is an input")
        self.fails(2, "sketch", "s0.jsonl", "--plan", "plan.json", "-o", "plan.json", says="input")
        self.fails(2, "sketch", "-", "--plan", "plan.json", "-o", "b.sketches", says="again")
        self.fails(2, "sketch", "s0.jsonl", "--plan", "plan.json", "--measure", "dice",
                   "-o", "b.sketches", says="exact")
        self.write("p.tsv", "left\tright\tsimilarity\n")
        self.fails(2, "pairs", "s0.jsonl", "--reuse", "p.tsv", says="no sketches")
        self.fails(3, "dedup", "--reuse", "p.tsv", says=r"p\.tsv: is not a file of sketches")
        self.fails(2, "dedup", "s0.jsonl", "--reuse", "p.tsv", "--reuse", "p.tsv", says="several")

    def test_changed_and_missing_inputs(self):
        data = self.read("s0.jsonl")
        self.write("s0.jsonl", data + b"\n")
        self.fails(3, "dedup", "--reuse", "a.sketches", says=r"s0\.jsonl: has changed since a\.sk")
        self.write("s0.jsonl", data.replace(b'"text"', b'"test"', 1))
        self.fails(3, "dedup", "--reuse", "a.sketches", says=r"s0\.jsonl: has changed .* differs")
        os.remove(self.dir / "s0.jsonl")
        self.fails(4, "dedup", "--reuse", "a.sketches", says=r"s0\.jsonl: ")

    def test_every_damaged_byte_is_found(self):
        self.write("few.jsonl", self.rows[:3])
        self.sosie("sketch", "few.jsonl", "--plan", "plan.json", "-o", "few.sketches")
        data = self.read("few.sketches")
        size, blocks = struct.unpack("<QQ", data[-32:-16])
        self.assertEqual(blocks, 1)
        begin_of_contents = len(data) - 32 - size
        chance = random.Random(9)
        places = [*range(10), *range(begin_of_contents - 3, begin_of_contents + 3),
                  *range(len(data) - 76, len(data)), *chance.sample(range(len(data)), 30)]
        for at in places:
            flipped = bytes([data[at] ^ 1 << chance.randrange(8)])
            self.write("few.sketches", data[:at] + flipped + data[at + 1:])
            done = self.fails(3, "dedup", "--reuse", "few.sketches", says=r"few\.sketches: is ")
            self.assertEqual(done.out, b"", at)

    def test_truncated_files(self):
        data = self.read("a.sketches")
        for size in (0, 1, 7, 8, 9, 39, 40, len(data) // 2, len(data) - 33, len(data) - 1):
            self.write("a.sketches", data[:size])
            self.fails(3, "dedup", "--reuse", "a.sketches", says=r"a\.sketches: is ")
        self.write("a.sketches", data + b"x")
        self.fails(3, "dedup", "--reuse", "a.sketches", says=r"a\.sketches: is ")


if __name__ == "__main__":
    unittest.main()

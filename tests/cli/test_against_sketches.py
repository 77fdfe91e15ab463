"""Sketch files as the other collection: `--against` in dedup and pairs, and DATA in query. The
sketched rows are not reread, and the result is the same as with the original files."""

import gzip
import json
import os
import random
import unittest

from sharded import Sharded

LSH = ("--plan", "plan.json")


class AgainstSketches(Sharded):
    """s0 and s1 are OTHER; s2 and s3 are the rows that arrive later."""

    def setUp(self):
        super().setUp()
        self.other, self.own = self.shards[:2], self.shards[2:]

    def prepare(self, *args: str) -> list[str]:
        self.plan(*args)
        return self.sketch(*args)

    def against(self, files: list[str]) -> list[str]:
        return [word for name in files for word in ("--against", name)]

    def test_dedup_and_pairs_are_those_of_the_files(self):
        for args in ((), ("--threshold", "0.6", "--seed", "5"), ("--shingle", "chars:9")):
            names = self.prepare(*args)
            direct = self.outcome(*self.own, *self.against(self.other), *LSH, *args)
            self.assertGreater(direct[1]["against"]["removed"], 50)
            self.assertEqual(self.outcome(*self.own, *self.against(names[:2])), direct, args)
            self.assertEqual(self.outcome("--reuse", *names[2:], *self.against(names[:2])), direct)
            pairs = self.sosie("pairs", *self.own, *self.against(self.other), *LSH, *args).out
            self.assertGreater(pairs.count(b"\n"), 100)
            self.assertEqual(self.sosie("pairs", *self.own, *self.against(names[:2])).out, pairs)
            self.assertEqual(self.sosie("pairs", "--reuse", *names[2:],
                                        *self.against(names[:2])).out, pairs)

    def test_query_is_that_of_the_files(self):
        names = self.prepare()
        for more in ((), ("--top", "2"), ("--show", "text"), ("--limit", "100000")):
            direct = self.sosie("query", "s0.jsonl", "s2.jsonl", *LSH, *more).out
            self.assertGreater(direct.count(b"\n"), 20)
            self.assertEqual(self.sosie("query", names[0], "s2.jsonl", *more).out, direct, more)
            piped = self.sosie("query", names[0], "-", *more, stdin=self.read("s2.jsonl")).out
            self.assertEqual(piped, direct, more)

    def test_query_takes_all_sketches_that_come_first_as_data(self):
        names = self.prepare()
        os.mkdir(self.dir / "both")
        for name in self.other:
            os.symlink(self.dir / name, self.dir / "both" / name)
        direct = self.sosie("query", "both", *self.own, "--follow", *LSH).out
        self.assertEqual(self.sosie("query", *names[:2], *self.own).out, direct)
        self.fails(2, "query", *names[:2], says=r"s1\.jsonl\.sketches contains sketches, but no INPUT")
        self.sosie("query", *names[:2], "-", code=0)

    def test_whatever_threads_and_memory(self):
        names = self.prepare()
        direct = self.outcome(*self.own, *self.against(self.other), *LSH)
        for args in (("--threads", "1"), ("--threads", "3"), ("--memory", "1M")):
            self.assertEqual(self.outcome(*self.own, *self.against(names[:2]), *args), direct, args)

    def test_other_rows_win_whatever_rule_they_were_sketched_for(self):
        self.plan()
        for made_for, keep in (("longest", "first"), ("first", "longest"),
                               ("max:score", "shortest"), ("first", "min:score,last")):
            names = self.sketch("--keep", made_for)
            direct = self.outcome(*self.own, *self.against(self.other), *LSH, "--keep", keep)
            self.assertEqual(self.outcome(*self.own, *self.against(names[:2]), "--keep", keep),
                             direct, (made_for, keep))

    def test_packed_rows_and_bad_ones(self):
        self.write("own.jsonl.gz", gzip.compress(self.read("s2.jsonl") + b"{broken\n"))
        names = self.prepare()
        skip = ("--on-bad-row", "skip", "--rejects", "bad.tsv")
        direct = self.outcome("own.jsonl.gz", *self.against(self.other), *LSH, *skip)
        self.assertEqual(self.outcome("own.jsonl.gz", *self.against(names[:2]), *skip), direct)
        self.assertEqual(direct[1]["skipped"], 1)

    def test_rows_of_either_collection_may_be_named_or_numbered(self):
        texts = "".join(row["text"].replace("\n", " ") + "\n" for row in self.rows[::3])
        self.write("plain.txt", texts)
        self.plan()
        self.sosie("sketch", "plain.txt", *LSH, "-o", "plain.sketches")
        names = self.sketch()
        for data, sketches, asked in (("plain.txt", "plain.sketches", "s0.jsonl"),
                                      ("s0.jsonl", names[0], "plain.txt")):
            self.assertEqual(self.sosie("query", sketches, asked).out,
                             self.sosie("query", data, asked, *LSH).out)
        self.fails(2, "query", names[0], "s1.jsonl", "--id", "row",
                   says=r"--id row: the rows of s0\.jsonl\.sketches are identified by id")
        self.sosie("query", names[0], "s1.jsonl", "--id", "id", "-q")

    def test_sets_and_bags(self):
        chance = random.Random(3)
        sets = [" ".join(f"e{chance.randrange(40)}" for _ in range(12)) for _ in range(60)]
        self.shards = ["a.sets"]
        self.write("a.sets", "\n".join(sets))
        self.write("b.sets", "\n".join(sets[::2] + ["", "z"]))
        for kind in ((), ("--kind", "bags")):
            names = self.prepare(*kind)
            direct = self.sosie("pairs", "b.sets", "--against", "a.sets", *LSH, *kind).out
            self.assertGreaterEqual(direct.count(b"\n"), 31)
            self.assertEqual(self.sosie("pairs", "b.sets", "--against", *names).out, direct)
            self.assertEqual(self.sosie("query", *names, "b.sets").out.count(b"\n"),
                             direct.count(b"\n"))

    def test_empty_collections(self):
        names = self.prepare()
        self.write("none.jsonl", "")
        self.sosie("sketch", "none.jsonl", *LSH, "-o", "none.sketches")
        self.assertEqual(self.kept("s2.jsonl", "--against", "none.sketches"),
                         self.kept("s2.jsonl", *LSH))
        self.assertEqual(self.kept("none.jsonl", "--against", names[0]), b"")

    def test_an_audit_measures_what_sketches_find(self):
        names = self.prepare()
        self.sosie("pairs", *self.own, *self.against(names[:2]), "--audit", "--stats", "s.json",
                   "-o", "p.tsv")
        self.assertGreater(json.loads(self.read("s.json"))["audit"]["recall"], 0.9)


class Refused(Sharded):
    def setUp(self):
        super().setUp()
        self.plan()
        self.sosie("sketch", "s0.jsonl", *LSH, "-o", "a.sketches")

    def test_options_that_say_something_else(self):
        for args in (("--threshold", "0.9"), ("--seed", "2"), ("--shingle", "words:4"),
                     ("--tokens", "ascii"), ("--column", "id"), ("--kind", "sets"),
                     ("--recall", "0.9")):
            says = f"{args[0]} {args[1]}: a.sketches was made with"
            self.fails(2, "pairs", "s1.jsonl", "--against", "a.sketches", *args, says=says)
            self.fails(2, "query", "a.sketches", "s1.jsonl", *args, says=says)
        for args in (("--method", "exact"), ("--bands", "9x13"), ("--checkpoint", "ck")):
            self.fails(2, "dedup", "s1.jsonl", "--against", "a.sketches", *args,
                       says=f"{args[0]}.*: cannot be combined with sketches")
        self.sosie("plan", "--bands", "9x13", "-o", "other.json")
        self.fails(2, "query", "a.sketches", "s1.jsonl", "--plan", "other.json", says="9 x 13")

    def test_sketches_made_otherwise_than_those_of_the_rows(self):
        self.sosie("plan", "--bands", "9x13", "-o", "other.json")
        self.sosie("sketch", "s1.jsonl", "--plan", "other.json", "-o", "b.sketches")
        self.fails(2, "pairs", "--reuse", "b.sketches", "--against", "a.sketches",
                   says=r"a\.sketches: was made with bands \d+, b\.sketches with 9")

    def test_files_of_rows_beside_sketches(self):
        self.fails(2, "pairs", "s1.jsonl", "--against", "a.sketches", "--against", "s2.jsonl",
                   says=r"--against: a\.sketches contains sketches, but s2\.jsonl does not")

    def test_sketches_where_rows_are_read(self):
        for args in (("dedup", "a.sketches"), ("pairs", "a.sketches"), ("plan", "a.sketches"),
                     ("query", "s1.jsonl", "a.sketches"), ("explain", "d0", "d1", "a.sketches")):
            self.fails(2, *args, says=r"a\.sketches: contains sketches, not rows")

    def test_changed_and_missing_files_of_other(self):
        data = self.read("s0.jsonl")
        self.write("s0.jsonl", data + b"\n")
        self.fails(3, "query", "a.sketches", "s1.jsonl", says=r"s0\.jsonl: has changed since a\.sk")
        os.remove(self.dir / "s0.jsonl")
        self.fails(4, "query", "a.sketches", "s1.jsonl", says=r"s0\.jsonl: ")

    def test_outputs_that_are_sketches(self):
        for name in ("a.sketches", "s0.jsonl"):
            self.fails(2, "dedup", "s1.jsonl", "--against", "a.sketches", "-o", name,
                       says="is an input")
            self.fails(2, "query", "a.sketches", "s1.jsonl", "-o", name, says="is an input")

    def test_damaged_sketches(self):
        data = self.read("a.sketches")
        self.write("a.sketches", data[:-40] + bytes([data[-40] ^ 1]) + data[-39:])
        self.fails(3, "query", "a.sketches", "s1.jsonl", says=r"a\.sketches: is ")


if __name__ == "__main__":
    unittest.main()

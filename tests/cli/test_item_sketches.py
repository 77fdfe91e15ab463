"""Sketch files of vectors and bit strings: shards with `--reuse` give the same bytes as a single
run; `--against` and DATA in query give the same bytes with sketches as with files."""
# slow: more than 5 s in a release build, so `make sanitize` leaves it to `make sanitize-all`

import gzip
import hashlib
import itertools
import json
import os
import unittest

from measured_rows import npy, vecs
from sharded import MACHINE
from support import IN_MEMORY, SosieTest, jsonl
from test_item_plan import bits, vectors

SIDES = ("--removed", "r.tsv", "--clusters", "c.tsv", "--pairs", "p.tsv")
SHARDS = 3
COUNT = 1500
DIMENSION = 24
BITS = 128

# Options of plan, sketch and runs, then options of the plan only.
COSINE = ("--kind", "vectors", "--threshold", "0.9")
WITHIN = ("--kind", "vectors", "--measure", "euclidean", "--within", "2")
MANHATTAN = ("--kind", "vectors", "--measure", "manhattan", "--within", "8")
HAMMING = ("--kind", "bits", "--within", "5")
FAMILIES = (
    (COSINE, ()), (COSINE, ("--family", "hyperplane-rotation")),
    (COSINE, ("--family", "hyperplane-signs")), (COSINE, ("--family", "cross-polytope")),
    (COSINE, ("--family", "cross-polytope", "--probes", "2")),
    (("--kind", "vectors", "--measure", "angle", "--within", "20"), ()),
    (WITHIN, ()), (MANHATTAN, ()), (HAMMING, ()), ((*COSINE, "--seed", "9"), ("--bands", "12x10")),
    ((*COSINE, "--recall", "0.9"), ()))


def hex_of(row: list) -> str:
    return f"{int(''.join('1' if bit else '0' for bit in row), 2):0{len(row) // 4}x}"


class Shards(SosieTest):
    place = IN_MEMORY

    def setUp(self):
        super().setUp()
        self.vectors = vectors(COUNT, DIMENSION, 5)
        self.vectors[7::90] = self.vectors[3::90]  # some are equal
        self.bits = bits(COUNT, BITS, 6)
        self.bits[7::90] = self.bits[3::90]

    def parts(self, rows: list) -> list:
        size = len(rows) // SHARDS + 1
        return [rows[i * size:(i + 1) * size] for i in range(SHARDS)]

    def write_npy(self, kind: str = "<f4") -> list:
        return self.write_shards([npy(part, kind) for part in self.parts(self.vectors)], ".npy")

    def write_bits(self) -> list:
        return self.write_shards([npy(part, "|b1") for part in self.parts(self.bits)], ".npy")

    def write_shards(self, shards: list, extension: str) -> list:
        names = [f"s{i}{extension}" for i in range(len(shards))]
        for name, data in zip(names, shards):
            self.write(name, data)
        return names

    def write_for(self, args: tuple) -> list:
        return self.write_bits() if "bits" in args else self.write_npy()

    def plan(self, shards: list, args: tuple, planned: tuple = ()) -> None:
        self.sosie("plan", *shards, "--method", "lsh", *args, *planned, "-o", "plan.json")

    def sketch(self, shards: list, *args: str) -> list:
        names = [f"{shard}.sketches" for shard in shards]
        for shard, name in zip(shards, names):
            self.sosie("sketch", shard, "--plan", "plan.json", *args, "-q", "-o", name)
        return names

    def prepare(self, shards: list, args: tuple, planned: tuple = ()) -> list:
        self.plan(shards, args, planned)
        return self.sketch(shards, *args)

    def outcome(self, *args: str, extension: str = ".npy") -> tuple:
        """Returns every output of a dedup run except those that may differ."""
        self.sosie("dedup", *args, *SIDES, "--stats", "s.json", "-o", "out" + extension)
        stats = json.loads(self.read("s.json"))
        for machine in MACHINE:
            if machine != "candidates":
                stats.pop(machine)
        return [self.read(name) for name in ("out" + extension, "r.tsv", "c.tsv", "p.tsv")], stats


class OneRun(Shards):
    def test_every_family_gives_the_bytes_of_one_run(self):
        for args, planned in FAMILIES:
            shards = self.write_for(args)
            names = self.prepare(shards, args, planned)
            direct = self.outcome(*shards, "--plan", "plan.json", *args)
            self.assertGreater(direct[1]["near"], 50, args)
            self.assertEqual(direct[1]["method"], "lsh")
            self.assertEqual(self.outcome("--reuse", *names), direct, (args, planned))
            self.assertEqual(self.outcome("--reuse", *names, *args, "--plan", "plan.json"), direct)
            pairs = self.sosie("pairs", *shards, "--plan", "plan.json", *args).out
            self.assertEqual(self.sosie("pairs", "--reuse", *names).out, pairs, (args, planned))

    def test_a_plan_says_what_sketch_is_not_told(self):
        for args in (COSINE, WITHIN, HAMMING, (*COSINE, "--seed", "9", "--recall", "0.9")):
            shards = self.write_for(args)
            said = [self.read(name) for name in self.prepare(shards, args)]
            told = [self.read(name) for name in self.sketch(shards, *args[:2])]
            self.assertEqual(told, said, args)

    def test_whatever_threads_and_memory(self):
        for args, planned in (FAMILIES[0], FAMILIES[4], FAMILIES[8]):
            shards = self.write_for(args)
            names = self.prepare(shards, args, planned)
            sketches = [self.read(name) for name in names]
            direct = self.outcome(*shards, "--plan", "plan.json", *args)
            for more in (("--threads", "1"), ("--threads", "2"), ("--threads", "7"),
                         ("--memory", "3M")):
                self.sketch(shards, *args, *more)
                self.assertEqual([self.read(name) for name in names], sketches, (args, more))
                self.assertEqual(self.outcome("--reuse", *names, *more), direct, (args, more))

    def test_some_bands_at_a_time(self):
        """If memory holds the keys of only a few bands, they are reread for each join."""
        self.vectors = vectors(9000, 8, 5, spread=0.05)
        shards = self.write_npy()
        args = ("--kind", "vectors", "--threshold", "0.99")
        names = self.prepare(shards, args, ("--bands", "90x11"))
        taken = ("--plan", "plan.json", *args)
        direct = self.sosie("pairs", *shards, *taken).out
        kept = self.sosie("dedup", *shards, *taken, "-o", "kept.npy") and self.read("kept.npy")
        other = self.sosie("pairs", shards[2], "--against", shards[0], *taken).out
        self.assertGreater(other.count(b"\n"), 50)
        for memory in ("5M", "4M"):
            more = ("--memory", memory, "--threads", "2")
            self.assertEqual(self.sosie("pairs", "--reuse", *names, *more).out, direct)
            self.sosie("dedup", "--reuse", *names, *more, "-o", "kept.npy")
            self.assertEqual(self.read("kept.npy"), kept)
            self.assertEqual(self.sosie("pairs", shards[2], "--against", names[0], *more).out, other)

    def test_ids_ranks_and_other_fields(self):
        rows = [{"id": f"v{i}", "text": row, "score": i * 7 % 11, "more": {"n": i}}
                for i, row in enumerate(self.vectors[:600])]
        for pack, extension in ((jsonl, ".jsonl"), (lambda some: gzip.compress(jsonl(some)), ".jsonl.gz")):
            shards = self.write_shards([pack(part) for part in self.parts(rows)], extension)
            self.plan(shards, COSINE)
            for keep in ("first", "last", "max:score", "min:score,last"):
                names = self.sketch(shards, *COSINE, "--keep", keep)
                direct = self.outcome(*shards, "--plan", "plan.json", *COSINE, "--keep", keep,
                                      extension=".jsonl")
                self.assertEqual(self.outcome("--reuse", *names, extension=".jsonl"), direct, keep)
            show = ("--show", "score,more.n")
            self.assertEqual(self.sosie("pairs", "--reuse", *names, *show).out,
                             self.sosie("pairs", *shards, "--plan", "plan.json", *COSINE, *show).out)
            self.fails(2, "sketch", shards[0], "--plan", "plan.json", *COSINE, "--keep", "longest",
                       "-o", "x.sketches", says="--keep longest: vectors have no length")

    def test_bad_rows_and_empty_sets(self):
        good = [{"id": i, "text": row} for i, row in enumerate(self.vectors[:300])]
        shards = self.write_shards(
            [jsonl(good[:150]) + b"{broken\n\n" + jsonl([{"id": "x", "text": [1, 2]}]),
             b"\n" + jsonl(good[150:]), jsonl([{"id": "z", "text": [0] * DIMENSION}])], ".jsonl")
        self.plan(shards[1:2], COSINE)
        for what in ("skip", "keep"):
            args = (*COSINE, "--on-bad-row", what)
            names = self.sketch(shards, *args)
            rejects = ("--rejects", "bad.tsv")
            direct = self.outcome(*shards, "--plan", "plan.json", *args, *rejects,
                                  extension=".jsonl"), self.read("bad.tsv")
            again = self.outcome("--reuse", *names, *rejects, extension=".jsonl")
            self.assertEqual((again, self.read("bad.tsv")), direct, what)
        self.fails(3, "sketch", shards[0], "--plan", "plan.json", *COSINE, "-o", "no.sketches",
                   says=r"s0\.jsonl:151: ")
        self.assertNotIn("no.sketches", self.names())

    def test_bits_in_hexadecimal_digits(self):
        rows = [{"id": i, "text": hex_of(row)} for i, row in enumerate(self.bits[:600])]
        shards = self.write_shards([jsonl(part) for part in self.parts(rows)], ".jsonl")
        names = self.prepare(shards, HAMMING)
        direct = self.outcome(*shards, "--plan", "plan.json", *HAMMING, extension=".jsonl")
        self.assertGreater(direct[1]["near"], 50)
        self.assertEqual(self.outcome("--reuse", *names, extension=".jsonl"), direct)

    def test_fields_of_csv(self):
        names = [f"c{i}" for i in range(DIMENSION)]
        parts = self.parts(self.vectors[:600])
        shards = self.write_shards(
            [(",".join(["key", *names]) + "\n" + "".join(
                ",".join([f"{part}-{i}", *map(repr, row)]) + "\n" for i, row in enumerate(rows))
              ).encode() for part, rows in enumerate(parts)], ".csv")
        self.write("s1.csv", ",".join(["key", *names]) + "\n")  # a header alone
        args = (*COSINE, "--column", ",".join(names))
        self.plan(shards, args)
        args += ("--id", "key")
        sketches = self.sketch(shards, *args)
        self.assertEqual(self.outcome("--reuse", *sketches, extension=".csv"),
                         self.outcome(*shards, "--plan", "plan.json", *args, extension=".csv"))

    def test_shards_of_other_types_and_formats(self):
        """Components are compared as numbers regardless of their type in the shard."""
        whole = [[round(20 * x) for x in row] for row in self.vectors[:600]]
        parts = self.parts(whole)
        self.write("a.npy", npy(parts[0], "<i1"))
        self.write("b.npy", npy(parts[1], "<f8"))
        self.write("c.fvecs", vecs(parts[2]))
        shards = ["a.npy", "b.npy", "c.fvecs"]
        for args in (COSINE, (*MANHATTAN[:-1], "160")):
            names = self.prepare(shards, args)
            direct = self.sosie("pairs", *shards, "--plan", "plan.json", *args).out
            self.assertGreater(direct.count(b"\n"), 50)
            self.assertEqual(self.sosie("pairs", "--reuse", *names).out, direct)

    def test_folders_and_empty_shards(self):
        for name, part in zip(("a/x.npy", "a/deep/y.npy", "b.npy"), self.parts(self.vectors)):
            self.write(name, npy(part))
        self.write("none.npy", npy([], shape=f"(0, {DIMENSION})"))
        shards = ["a", "none.npy", "b.npy"]
        names = self.prepare(shards, COSINE)
        self.assertEqual(self.sosie("pairs", "--reuse", *names).out,
                         self.sosie("pairs", *shards, "--plan", "plan.json", *COSINE).out)
        self.sosie("dedup", "--reuse", "none.npy.sketches", "-o", "k.npy")

    def test_given_ids(self):
        shards = self.write_npy()
        names = self.prepare(shards, COSINE)
        self.write("ids.txt", "".join(f"n{i}\n" for i in range(COUNT)))
        ids = ("--ids", "ids.txt")
        self.assertEqual(self.sosie("pairs", "--reuse", *names, *ids).out,
                         self.sosie("pairs", *shards, "--plan", "plan.json", *COSINE, *ids).out)


class Pinned(SosieTest):
    """Sketch files are a contract: different bytes require a new version, and a line in the changelog."""
    place = IN_MEMORY

    def test_bytes_of_each_form(self):
        whole = [[(row // 2 * 7 + i * i * 5) % 23 - row % 2 for i in range(6)] for row in range(24)]
        self.write("v.npy", npy(whole, "<i1"))
        self.write("b.npy", npy([[(row // 2 * 11 + i * i) % 7 < 3 for i in range(64)]
                                 for row in range(24)], "|b1"))
        cosine = ("v.npy", "--threshold", "0.95")
        for digest, args, planned in (
                ("1cd02da914a2b281", cosine, ("3x4",)),
                ("0d3ecaea1df14d00", cosine, ("3x4", "--family", "hyperplane-rotation")),
                ("1dcf71d6d663c087", cosine, ("2x3", "--family", "cross-polytope", "--probes", "2")),
                ("2eea3e1933023867", ("v.npy", "--measure", "euclidean", "--within", "3"), ("3x3",)),
                ("9c730763e303df75", ("b.npy", "--within", "3"), ("4x8",))):
            self.sosie("plan", *args, "--bands", *planned, "-o", "plan.json")
            self.sosie("sketch", *args, "--plan", "plan.json", "-q", "-o", "x.sketches")
            made = hashlib.sha256(self.read("x.sketches")).hexdigest()
            self.assertEqual(made[:16], digest, (args, planned))


class AgainstSketches(Shards):
    def test_dedup_pairs_and_query_are_those_of_the_files(self):
        for args, planned in (FAMILIES[0], FAMILIES[4], FAMILIES[6], FAMILIES[8]):
            shards = self.write_for(args)
            names = self.prepare(shards, args, planned)
            taken = ("--plan", "plan.json", *args)
            of_files = ("--against", shards[0], "--against", shards[1])
            of_names = ("--against", names[0], "--against", names[1])
            direct = self.outcome(shards[2], *of_files, *taken)
            self.assertGreater(direct[1]["against"]["removed"], 20)
            pairs = self.sosie("pairs", shards[2], *of_files, *taken).out
            for own in ((shards[2],), ("--reuse", names[2])):
                self.assertEqual(self.outcome(*own, *of_names), direct, (args, own))
                self.assertEqual(self.sosie("pairs", *own, *of_names).out, pairs)
            self.assertEqual(self.outcome("--reuse", names[2], *of_files), direct)
            for more in ((), ("--top", "1")):
                found = self.sosie("query", shards[0], shards[2], *taken, *more).out
                self.assertGreater(found.count(b"\n"), 10)
                self.assertEqual(self.sosie("query", names[0], shards[2], *more).out, found)

    def test_query_of_several_sketches_and_rows_of_a_pipe(self):
        rows = [{"id": f"v{i}", "text": row} for i, row in enumerate(self.vectors[:600])]
        shards = self.write_shards([jsonl(part) for part in self.parts(rows)], ".jsonl")
        names = self.prepare(shards, COSINE)
        os.mkdir(self.dir / "both")
        for name in shards[:2]:
            os.symlink(self.dir / name, self.dir / "both" / name)
        direct = self.sosie("query", "both", shards[2], "--follow", "--plan", "plan.json", *COSINE).out
        self.assertEqual(self.sosie("query", *names[:2], shards[2]).out, direct)
        self.assertEqual(self.sosie("query", *names[:2], "-", stdin=self.read(shards[2])).out, direct)

    def test_ids_of_both_collections(self):
        shards = self.write_npy()
        names = self.prepare(shards, COSINE)
        sizes = [len(part) for part in self.parts(self.vectors)]
        self.write("data.txt", "".join(f"d{i}\n" for i in range(sizes[0])))
        self.write("asked.txt", "".join(f"q{i}\n" for i in range(sizes[2])))
        ids = ("--ids", "data.txt", "--other-ids", "asked.txt")
        self.assertEqual(
            self.sosie("query", names[0], shards[2], *ids).out,
            self.sosie("query", shards[0], shards[2], "--plan", "plan.json", *COSINE, *ids).out)
        swapped = ("--ids", "asked.txt", "--other-ids", "data.txt")
        self.assertEqual(
            self.sosie("pairs", shards[2], "--against", names[0], *swapped).out,
            self.sosie("pairs", shards[2], "--against", shards[0], "--plan", "plan.json", *COSINE,
                       *swapped).out)

    def test_an_audit_measures_what_sketches_find(self):
        shards = self.write_npy()
        names = self.prepare(shards, COSINE)
        self.sosie("pairs", "--reuse", names[2], "--against", names[0], "--audit", "--stats",
                   "s.json", "-o", "p.tsv")
        self.assertGreater(json.loads(self.read("s.json"))["audit"]["recall"], 0.9)


class Refused(Shards):
    def setUp(self):
        super().setUp()
        self.shards = self.write_npy()
        self.names_made = self.prepare(self.shards, COSINE)

    def test_options_that_say_something_else(self):
        name = self.names_made[0]
        for args in (("--threshold", "0.8"), ("--seed", "2"), ("--kind", "bits"),
                     ("--recall", "0.9"), ("--measure", "angle"), ("--within", "3")):
            says = rf"{args[0]} {args[1]}: {name} was made with"
            self.fails(2, "dedup", "--reuse", name, *args, says=says)
            self.fails(2, "query", name, self.shards[1], *args, says=says)
        for args in (("--method", "exact"), ("--bands", "9x13"), ("--checkpoint", "ck")):
            self.fails(2, "dedup", self.shards[1], "--against", name, *args, says=args[0])
        self.fails(2, "dedup", "--reuse", name, "--family", "cross-polytope",
                   says="hyperplane, this run has cross-polytope")
        self.kept("--reuse", name, "--threshold", "9/10", "--plan", "plan.json")

    def test_other_plans_kinds_and_lengths_with_both_values(self):
        name = self.names_made[0]
        self.sosie("plan", *self.shards, *COSINE, "--bands", "9x13", "-o", "other.json")
        self.sosie("sketch", self.shards[1], *COSINE, "--plan", "other.json", "-o", "b.sketches")
        self.fails(2, "dedup", "--reuse", name, "b.sketches",
                   says=rf"b\.sketches: was made with bands 9, {name} with \d+")
        self.fails(2, "dedup", "--reuse", name, "--plan", "other.json",
                   says=rf"{name}: was made with bands \d+, other\.json with 9")
        self.write("short.npy", npy([row[:9] for row in self.vectors]))
        self.sosie("sketch", "short.npy", *COSINE, "--plan", "plan.json", "-o", "b.sketches")
        self.fails(2, "pairs", "--reuse", name, "b.sketches",
                   says=rf"b\.sketches: contains vectors of 9 components, but {name} has {DIMENSION}")
        self.fails(3, "query", "b.sketches", self.shards[0], says="components")
        self.write("texts.txt", "one two three\nfour five six\n")
        self.sosie("plan", "--method", "lsh", "-o", "text.json")
        self.sosie("sketch", "texts.txt", "--plan", "text.json", "-o", "t.sketches")
        self.write_bits()
        self.prepare(self.write_bits(), HAMMING)
        self.sosie("plan", "s0.npy", *HAMMING, "--method", "lsh", "-o", "bits.json")
        self.sosie("sketch", "s0.npy", *HAMMING, "--plan", "bits.json", "-o", "bits.sketches")
        for one, other in itertools.permutations(("b.sketches", "t.sketches", "bits.sketches"), 2):
            self.fails(2, "dedup", "--reuse", one, other, says=rf"{other}: was made with .*, {one} with")
            self.fails(2, "pairs", "--reuse", one, "--against", other, says=f"{other}: was made with")

    def test_plans_that_do_not_fit(self):
        for args, says in ((("--kind", "vectors", "--threshold", "0.8"), "threshold 9/10, this run has 4/5"),
                           ((*COSINE, "--seed", "3"), "seed 1, this run has 3"),
                           (("--kind", "bits", "--within", "3"), "kind vectors, this run has bits")):
            shard = self.write_bits()[0] if "bits" in args else self.write_npy()[0]
            self.fails(2, "sketch", shard, "--plan", "plan.json", *args, "-o", "b.sketches", says=says)
        self.fails(2, "sketch", "s0.npy", *COSINE, "-o", "b.sketches", says="no plan")
        self.fails(2, "sketch", "s0.npy", *COSINE, "--plan", "plan.json", says="no output")
        self.fails(2, "sketch", "s0.npy", *COSINE, "--plan", "plan.json", "--recall", "1",
                   "-o", "b.sketches", says="every pair")
        self.fails(2, "sketch", "-", *COSINE, "--plan", "plan.json", "-o", "b.sketches",
                   says="again", stdin=jsonl([{"text": [1] * DIMENSION}]))
        self.assertNotIn("b.sketches", self.names())

    def test_changed_inputs(self):
        name, shard = self.names_made[0], self.shards[0]
        data = self.read(shard)
        self.write(shard, data[:-1] + bytes([data[-1] ^ 1]))
        self.fails(3, "dedup", "--reuse", name, says=rf"{shard}: has changed since {name} .* differs")
        # In the middle, which the fingerprint does not cover.
        large = npy(vectors(6000, DIMENSION, 8))
        self.write("large.npy", large)
        self.sosie("sketch", "large.npy", *COSINE, "--plan", "plan.json", "-o", "large.sketches")
        middle = len(large) // 2
        self.write("large.npy", large[:middle] + bytes([large[middle] ^ 1]) + large[middle + 1:])
        for more in ((), ("--memory", "4M")):
            self.fails(3, "pairs", "--reuse", "large.sketches", *more,
                       says=r"large\.npy: has changed since large\.sketches was made: its items differ")

    def test_sketches_where_rows_are_read(self):
        for verb in ("dedup", "pairs", "plan"):
            self.fails(2, verb, self.names_made[0], says="contains sketches, not rows")


if __name__ == "__main__":
    unittest.main()

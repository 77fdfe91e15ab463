"""Bad rows of vectors and bit strings are left out or passed through, like bad rows of texts."""

import json
import random
import unittest

from measured_rows import npy, vecs
from refusals import RefusalTest
from support import read_table

VECTORS = ("--kind", "vectors", "--measure", "euclidean", "--within", "2")
BITS = ("--kind", "bits", "--within", "3")
WAYS_OUT = "--on-bad-row skip leaves such rows out, keep passes them through"
BAD_VECTORS = [b'{"id": "x1", "text": [1, 2]}', b'{"id": "x2"}', b'{"id": "x3", "text": [1, "b", 2]}',
               b'{"id": "x5", "text": [1, 2, 3', b'{"id": "x6", "text": ["x"]}']
BAD_BITS = [b"ff", b"0g00", b"12345", b"not hex"]


def vector_lines(rng: random.Random, count: int) -> list:
    return [json.dumps({"id": f"r{i}", "text": [rng.randint(0, 4) for _ in range(3)]}).encode()
            for i in range(count)]


def bit_lines(rng: random.Random, count: int) -> list:
    return [b"%04x" % rng.randrange(1 << 16) for _ in range(count)]


def mixed(rng: random.Random, good: list, bad: list) -> list:
    """The good rows in order, with bad ones among them (possibly at the start)."""
    places = sorted([(rng.random(), line, True) for line in bad] +
                    list(zip(sorted(rng.random() for _ in good), good, [False] * len(good))))
    return [(line, is_bad) for _, line, is_bad in places]


class BadItems(RefusalTest):
    CASES = (("v.jsonl", VECTORS, vector_lines, BAD_VECTORS), ("b.txt", BITS, bit_lines, BAD_BITS))

    def dedup(self, path: str, *args: str) -> list:
        return self.sosie("dedup", path, *args, "-q").out.splitlines()

    def test_rows_left_out_change_nothing_for_the_others(self):
        for name, args, make, bad in self.CASES:
            for seed in range(4):
                rng = random.Random(seed)
                rows = mixed(rng, make(rng, 60), bad)
                self.write(name, b"".join(line + b"\n" for line, _ in rows))
                self.write("good-" + name, b"".join(line + b"\n" for line, is_bad in rows if not is_bad))
                kept = self.dedup("good-" + name, *args)
                self.assertLess(len(kept), 60)
                self.assertEqual(self.dedup(name, *args, "--on-bad-row", "skip"), kept)
                passed = self.dedup(name, *args, "--on-bad-row", "keep", "--rejects", "r.tsv")
                self.assertEqual([line for line in passed if line not in bad], kept)
                self.assertEqual([line for line in passed if line in bad],
                                 [line for line, is_bad in rows if is_bad])
                rejects = read_table(self.read("r.tsv"))
                self.assertEqual([int(row["line"]) for row in rejects],
                                 [i + 1 for i, (_, is_bad) in enumerate(rows) if is_bad])

    def test_pairs_are_those_of_the_rows_that_can_be_read(self):
        for name, args, make, bad in self.CASES:
            for seed in range(3):
                rng = random.Random(seed)
                rows = mixed(rng, make(rng, 60), bad)
                number = [i for i, (_, is_bad) in enumerate(rows) if not is_bad]
                self.write(name, b"".join(line + b"\n" for line, _ in rows))
                self.write("good-" + name, b"".join(line + b"\n" for line, is_bad in rows if not is_bad))
                for verb, more in (("pairs", ()), ("pairs", ("--top", "2")), ("pairs", ("--method", "brute")),
                                   ("pairs", ("--top-pairs", "9")), ("query", ()), ("query", ("--top", "1"))):
                    good, all_rows = ([path] * (1 if verb == "pairs" else 2) for path in ("good-" + name, name))
                    call = (*args, "--id", "row", "-q", *more)
                    expected = [(number[int(r["left"])], number[int(r["right"])], r["distance"])
                                for r in read_table(self.sosie(verb, *good, *call).out)]
                    self.assertTrue(expected)
                    done = self.sosie(verb, *all_rows, *call, "--on-bad-row", "skip", "--rejects", "r.tsv")
                    found = [(int(r["left"]), int(r["right"]), r["distance"]) for r in read_table(done.out)]
                    self.assertEqual(found, expected, (verb, more))
                    rejects = len(read_table(self.read("r.tsv")))
                    self.assertEqual(rejects, len(bad) * len(all_rows))

    def test_an_audit_draws_none_of_them(self):
        for name, args, make, bad in self.CASES:
            rng = random.Random(5)
            rows = mixed(rng, make(rng, 90), bad * 5)
            self.write(name, b"".join(line + b"\n" for line, _ in rows))
            for verb in ("pairs", "dedup"):
                self.sosie(verb, name, *args, "--id", "row", "--on-bad-row", "skip", "--audit=200",
                           "--stats", "s.json")
                audit = json.loads(self.read("s.json"))["audit"]
                self.assertEqual(audit["recall"], 1.0, audit)

    def test_the_first_bad_row_stops_the_run_and_says_the_way_out(self):
        for name, args, make, bad in self.CASES:
            good = make(random.Random(1), 3)
            for line in bad:
                self.write(name, b"\n".join([*good, line, *bad]))
                hint = WAYS_OUT if line is bad[0] else ""
                self.refuses(3, "dedup", name, *args, says=rf"^sosie: {name}:4: ", hints=hint)

    def test_they_are_counted_by_input(self):
        self.write("a.txt", b"00ff\nzz\n")
        self.write("b.txt", b"00fe\nzz\nzz\n")
        self.sosie("dedup", "a.txt", "b.txt", *BITS, "--on-bad-row", "skip", "--stats", "s.json")
        stats = json.loads(self.read("s.json"))
        self.assertEqual([one["skipped"] for one in stats["inputs"]], [1, 2])

    def test_rows_of_files_of_vectors(self):
        nan, inf = float("nan"), float("inf")
        rows = [[1, 2], [nan, 1], [1, 2], [2, inf], [9, 9]]
        for name, data, row_bytes in (("n.npy", npy(rows), 8), ("n.fvecs", vecs(rows), 12)):
            parts = [data[len(data) - i * row_bytes:][:row_bytes] for i in range(5, 0, -1)]
            self.write(name, data)
            args = (name, *VECTORS[2:], "-o", "out" + name[1:])
            self.refuses(3, "dedup", *args, says=f"^sosie: {name}: row 1, component 0: is not a number",
                         hints=WAYS_OUT)
            self.sosie("dedup", *args, "--on-bad-row", "skip", "--rejects", "r.tsv")
            self.assertEqual(self.read("out" + name[1:])[len(data) - 5 * row_bytes:], parts[0] + parts[4])
            self.assertEqual([(row["line"], row["reason"]) for row in read_table(self.read("r.tsv"))],
                             [("2", "component 0: is not a number"), ("4", "component 1: is infinite")])
            self.sosie("dedup", *args, "--on-bad-row", "keep")
            self.assertEqual(self.read("out" + name[1:])[len(data) - 5 * row_bytes:],
                             parts[0] + parts[1] + parts[3] + parts[4])

    def test_rows_of_against_take_no_part(self):
        self.write("in.txt", b"00ff\n0ff0\n")
        self.write("other.txt", b"zz\n00ff\nzz\n")
        done = self.sosie("dedup", "in.txt", "--against", "other.txt", *BITS, "--on-bad-row", "skip")
        self.assertEqual(done.out, b"0ff0\n")

    def test_nothing_but_bad_rows(self):
        self.write("in.txt", b"xx\nyy\n")
        for args in (VECTORS, BITS):
            self.assertEqual(self.dedup("in.txt", *args, "--on-bad-row", "skip"), [])
            self.assertEqual(self.dedup("in.txt", *args, "--on-bad-row", "keep"), [b"xx", b"yy"])

    def test_an_earlier_duplicate_id_is_told_first(self):
        row = b'{"id": %d, "text": [1]}\n'
        self.write("in.jsonl", row % 1 + row % 1 + b"broken\n")
        self.refuses(3, "dedup", "in.jsonl", *VECTORS,
                     says="in.jsonl:2: id '1' is already used by in.jsonl:1", hints="--id row")
        self.write("in.jsonl", row % 1 + b"broken\n" + row % 2)
        self.sosie("dedup", "in.jsonl", *VECTORS, "--on-bad-row", "skip")

    def test_numbers_with_decimal_commas_are_refused(self):
        for cell, says in (("1,5 2,0", "mixes separators; write decimal commas as points"),
                           ("1.5 2,0", "mixes separators"), ("1.5 2.0", "")):
            self.write("x.csv", f"id;vec\na;{cell}\nb;1 9\n")
            args = ("pairs", "x.csv", "--kind", "vectors", "--column", "vec", "--threshold", "0.1")
            if says:
                self.refuses(3, *args, says=f"^sosie: x.csv:2: field 'vec' {says}")
            else:
                self.assertIn(b"a\tb\t", self.sosie(*args).out)

    def test_a_vector_of_zeros_has_no_cosine_and_is_a_bad_row(self):
        rows = [[1, 2], [0, 0], [2, 4], [0, 0], [9, -1], [float("inf"), 0]]
        zero = "the vector is all zeros and has no "
        self.write("z.npy", npy(rows))
        self.write("z.jsonl", "".join(json.dumps({"id": f"r{i}", "text": row}) + "\n"
                                      for i, row in enumerate(rows[:5])))
        for bound in (("--measure", "cosine", "--threshold", "0.9"), ("--measure", "angle", "--within", "5")):
            args = ("--kind", "vectors", *bound)
            self.refuses(3, "dedup", "z.npy", *args, "-o", "k.npy",
                         says=f"^sosie: z.npy: vector 1 is all zeros and has no {bound[1]}", hints=WAYS_OUT)
            self.refuses(3, "pairs", "z.jsonl", *args, hints=WAYS_OUT,
                         says=f"^sosie: z.jsonl:2: {zero}{bound[1]}")
            self.sosie("dedup", "z.npy", *args, "-o", "k.npy", "--on-bad-row", "skip", "--rejects", "r.tsv")
            self.assertEqual(self.read("k.npy"), npy([rows[0], rows[4]]))
            self.assertEqual([(row["line"], row["reason"]) for row in read_table(self.read("r.tsv"))],
                             [("2", zero + bound[1]), ("4", zero + bound[1]), ("6", "component 0: is infinite")])
            done = self.sosie("dedup", "z.jsonl", *args, "--on-bad-row", "keep", "--rejects", "r.tsv")
            self.assertEqual([json.loads(line)["id"] for line in done.out.splitlines()],
                             ["r0", "r1", "r3", "r4"])
            self.assertEqual([row["line"] for row in read_table(self.read("r.tsv"))], ["2", "4"])
            for verb in (("pairs", "z.jsonl", "--against", "z.npy"), ("query", "z.npy", "z.jsonl"),
                         ("query", "z.npy", "-")):
                found = self.sosie(*verb, *args, "--on-bad-row", "skip", stdin=self.read("z.jsonl")).out
                self.assertEqual([(row["left"], row["right"]) for row in read_table(found)],
                                 [("r0", "0"), ("r0", "2"), ("r2", "0"), ("r2", "2"), ("r4", "4")])
                self.refuses(3, *verb, *args, stdin=self.read("z.jsonl"), says="z.npy: vector 1 is all zeros")
        self.sosie("dedup", "z.jsonl", *VECTORS)

    def test_rows_of_a_stream_are_left_out_one_by_one(self):
        for name, args, make, bad in self.CASES:
            rng = random.Random(6)
            rows = mixed(rng, make(rng, 60), bad)
            self.write("data-" + name, b"".join(line + b"\n" for line in make(rng, 200)) + bad[0] + b"\n")
            self.write(name, b"".join(line + b"\n" for line, _ in rows))
            for call in (args, (*args, "--top", "2"), (*args[:2], "--top", "3")):
                for on_bad_row in ("skip", "keep"):
                    more = (*call, "--format", name.split(".")[1], "--on-bad-row", on_bad_row,
                            "--rejects", "r.tsv", "-q")
                    joined = self.sosie("query", "data-" + name, name, *more).out
                    rejects = self.read("r.tsv")
                    streamed = self.sosie("query", "data-" + name, "-", *more, stdin=self.read(name)).out
                    self.assertEqual(streamed, joined)
                    self.assertGreater(joined.count(b"\n"), 20)
                    where = [(row["file"].replace("<stdin>", name), row["line"], row["row"])
                             for row in read_table(self.read("r.tsv"))]
                    self.assertEqual(where, [(row["file"], row["line"], row["row"])
                                             for row in read_table(rejects)])

    def test_arrays_and_rows_of_text_are_no_collection(self):
        self.write("a.npy", npy([[1, 2], [2, 4]]))
        self.write("b.jsonl", '{"text": [1, 2]}\n')
        for order in (("a.npy", "b.jsonl"), ("b.jsonl", "a.npy")):
            self.refuses(2, "pairs", *order, "--kind", "vectors", "--threshold", "1",
                         says=f"^sosie: {order[0]}, {order[1]}: an array and text rows cannot be in the same collection")
        found = self.sosie("pairs", "b.jsonl", "--against", "a.npy", "--kind", "vectors", "--threshold", "1").out
        self.assertEqual(len(read_table(found)), 2)

    def test_arrays_that_lie_by_columns_lose_their_bad_rows_only(self):
        rows = [[1, 2], [float("nan"), 1], [1, 2], [3, 4], [float("inf"), 0], [3, 4]]
        args = ("--measure", "euclidean", "--within", "0", "--on-bad-row")
        for fortran in (False, True):
            self.write("f.npy", npy(rows, "<f4", fortran=fortran))
            self.sosie("dedup", "f.npy", *args, "skip", "-o", "k.npy")
            self.assertEqual(self.read("k.npy"), npy([[1, 2], [3, 4]], "<f4", fortran=fortran))

    def test_files_from_names_files_of_items(self):
        self.write("a.txt", b"00ff\n")
        self.write("b.txt", b"00fe\n0ff0\n")
        self.write("list", "b.txt\n")
        args = ("a.txt", "--files-from", "list", *BITS)
        self.assertEqual(self.dedup(*args), [b"00ff", b"0ff0"])
        self.assertEqual(len(read_table(self.sosie("pairs", *args).out)), 1)
        self.write("v.npy", npy([[1, 2], [1, 2]]))
        self.write("list", "v.npy\n")
        done = self.sosie("dedup", "--files-from", "list", *VECTORS, "-o", "out.npy")
        self.assertIn("2 read, 1 kept", done.err)

    def test_the_first_file_of_a_list_tells_the_kind(self):
        self.write("v.npy", npy([[1, 2], [1, 2], [5, 1]]))
        self.write("list", "v.npy\n")
        for args, stdin in ((("--files-from", "list"), b""), (("--files-from", "-"), b"v.npy\n")):
            done = self.sosie("pairs", *args, *VECTORS[2:], stdin=stdin)
            self.assertEqual(len(read_table(done.out)), 1)
        self.refuses(2, "pairs", "--files-from", "-", *VECTORS[2:], stdin=b"-\n",
                     says="standard input can be read only once")


if __name__ == "__main__":
    unittest.main()

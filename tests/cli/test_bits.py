"""Bit strings: Hamming and Jaccard joins, compared with counting in Python and with the shared
truth.
"""
# slow: more than 5 s in a release build, so `make sanitize` leaves it to `make sanitize-all`

import gzip
import json
import random
import unittest
from fractions import Fraction
from pathlib import Path

from measured_rows import npy
from support import DATA, SosieTest, jsonl, needs_data, read_table


def codes(count: int, bits: int, seed: int, flips: int = 6) -> list:
    """Pairs of codes that differ in some bits, shuffled."""
    rng = random.Random(seed)
    made = []
    for _ in range(count // 2):
        code = rng.getrandbits(bits)
        made += [code, code ^ sum({1 << rng.randrange(bits) for _ in range(rng.randint(0, flips))})]
    rng.shuffle(made)
    return made


def truth(path: Path) -> list:
    with gzip.open(path, "rt") as lines:
        return [tuple(line.rstrip("\n").split("\t")) for line in lines]


class Bits(SosieTest):
    def setUp(self):
        super().setUp()
        self.codes = codes(400, 64, 1)
        self.write("in.txt", "".join(f"{code:016x}\n" for code in self.codes))

    def pairs(self, *args: str) -> list:
        return [(int(row["left"]), int(row["right"]))
                for row in read_table(self.sosie("pairs", *args, "--kind", "bits").out)]

    def within(self, radius: int) -> list:
        return [(i, j) for i, x in enumerate(self.codes) for j in range(i + 1, len(self.codes))
                if (x ^ self.codes[j]).bit_count() <= radius]

    def test_every_radius_gives_the_counted_pairs(self):
        for radius in (0, 1, 3, 6, 20, 63, 64, 100):
            self.assertEqual(self.pairs("in.txt", "--within", str(radius)), self.within(radius),
                             radius)

    def test_the_index_is_taken_where_it_saves_pairs(self):
        rng = random.Random(3)
        codes = [rng.getrandbits(64) for _ in range(6000)]
        codes += [code ^ 1 << rng.randrange(64) for code in codes[:200]]
        self.write("many.txt", "".join(f"{code:016x}\n" for code in codes))
        for radius, method in (("3", "exact"), ("20", "brute")):
            result = self.sosie("pairs", "many.txt", "--kind", "bits", "--within", radius, "--stats",
                                "s.json")
            stats = json.loads(self.read("s.json"))
            self.assertEqual((stats["method"], stats["dimension"]), (method, 64))
            brute = self.sosie("pairs", "many.txt", "--kind", "bits", "--within", radius, "--method",
                               "brute")
            self.assertEqual(result.out, brute.out)
        self.assertIn("19,216,900 candidates, 19,216,900 verified", brute.err)

    def test_long_strings(self):
        self.codes = codes(100, 1000, 2)
        self.write("long.jsonl", jsonl([{"h": f"0x{code:0250X}"} for code in self.codes]))
        self.assertEqual(self.pairs("long.jsonl", "--column", "h", "--within", "3"),
                         self.within(3))

    def test_jaccard_of_bits(self):
        self.codes = codes(120, 40, 3)
        self.write("j.txt", "".join(f"{code:010x}\n" for code in self.codes))
        for threshold in ("0.8", "3/4"):
            expected = [(i, j) for i, x in enumerate(self.codes)
                        for j, y in enumerate(self.codes[i + 1:], i + 1)
                        if Fraction((x & y).bit_count(), (x | y).bit_count())
                        >= Fraction(threshold)]
            self.assertEqual(self.pairs("j.txt", "--measure", "jaccard", "--threshold", threshold),
                             expected)

    def test_strings_without_a_bit_are_empty_sets_and_match_nothing(self):
        codes = [0, 5, 0, 5, 4, 0, 7]
        bits = [[code >> 2 & 1, code >> 1 & 1, code & 1, 0] for code in codes]
        sets = "".join(" ".join(str(i) for i in range(3) if code >> i & 1) + "\n" for code in codes)
        self.write("in.txt", "".join(f"{2 * code:x}\n" for code in codes))
        self.write("in.npy", npy(bits, "|b1"))
        self.write("in.sets", sets)
        for bound in (("--threshold", "0.6"), ("--threshold", "1"), ("--top", "2"),
                      ("--threshold", "0.01", "--top-pairs", "9")):
            args = ("--measure", "jaccard", *bound)
            for verb in (("pairs", "{}"), ("pairs", "{}", "--against", "{}"), ("query", "{}", "{}")):
                if verb[0] == "query" and "--top-pairs" in bound:
                    continue
                expected = self.sosie(*(part.format("in.sets") for part in verb), *args).out
                self.assertGreater(expected.count(b"\n"), 1)
                for name in ("in.txt", "in.npy"):
                    for method in ("exact", "brute"):
                        found = self.sosie(*(part.format(name) for part in verb), "--kind", "bits", *args,
                                           "--method", method).out
                        self.assertEqual(found, expected, (verb, name, bound, method))
            if "--top-pairs" not in bound:
                streamed = self.sosie("query", "in.txt", "-", "--kind", "bits", "--format", "txt", *args,
                                      stdin=self.read("in.txt")).out
                self.assertEqual(streamed, self.sosie("query", "in.sets", "in.sets", *args).out)
        for clustering in ("star", "components"):
            done = self.sosie("dedup", "in.txt", "--kind", "bits", "--measure", "jaccard", "--threshold", "1",
                              "--clustering", clustering, "--stats", "s.json")
            self.assertEqual(done.out, b"0\na\n0\n8\n0\ne\n")
            self.assertIn("3 rows without a bit (kept)", done.err)
            self.assertEqual(json.loads(self.read("s.json"))["empty"], 3)
        explained = self.sosie("explain", "0", "2", "in.txt", "--kind", "bits", "--measure", "jaccard",
                               "--threshold", "1").out
        self.assertIn(b"no: a row without a bit is compared with nothing", explained)
        self.assertIn(b"kept: a row without a bit is not compared", explained)
        self.assertEqual(self.sosie("dedup", "in.txt", "--kind", "bits", "--within", "0").out, b"0\na\n8\ne\n")

    def test_truth_values_of_npy_are_bits(self):
        rng = random.Random(15)
        rows = [[rng.random() < 0.5 for _ in range(68)] for _ in range(60)]
        rows += [[bit ^ (rng.random() < 0.05) for bit in row] for row in rows]
        digits = ["".join(f"{int(''.join(str(int(b)) for b in row[at:at + 4]), 2):x}"
                          for at in range(0, 68, 4)) for row in rows]
        self.write("in.txt", "".join(line + "\n" for line in digits))
        expected = self.sosie("pairs", "in.txt", "--kind", "bits", "--within", "8").out
        self.assertGreater(expected.count(b"\n"), 50)
        for fortran in (False, True):
            self.write("in.npy", npy(rows, "|b1", fortran=fortran))
            self.assertEqual(self.sosie("pairs", "in.npy", "--within", "8").out, expected)
        self.write("in.npy.gz", gzip.compress(npy(rows, "|b1")))
        self.write("u.npy", npy(rows, "|u1"))
        for name in ("in.npy.gz", "u.npy"):
            out = self.sosie("pairs", name, "--kind", "bits", "--within", "8").out
            self.assertEqual(out, expected, name)
        hits = self.sosie("query", "in.npy", "in.npy", "--top", "2").out
        self.assertEqual(hits, self.sosie("query", "in.txt", "in.txt", "--kind", "bits", "--top", "2").out)
        self.sosie("dedup", "in.npy", "--within", "8", "-o", "out.npy", "--removed", "r.tsv")
        removed = {int(row["id"]) for row in read_table(self.read("r.tsv"))}
        kept = [row for i, row in enumerate(rows) if i not in removed]
        self.assertEqual(self.read("out.npy"), npy(kept, "|b1", fortran=True))
        self.sosie("pairs", "in.npy", "--kind", "vectors", "--measure", "euclidean", "--within", "2")
        self.write("n.npy", npy([[1, 2]], "|u1"))
        self.fails(3, "pairs", "n.npy", "--kind", "bits", "--within", "1", says="bits are booleans",
                   hints="astype")

    def test_a_length_of_no_whole_digits(self):
        self.write("in.npy", npy([[1, 0, 0, 0, 1, 1], [1, 0, 0, 0, 1, 0], [0] * 6], "|b1"))
        out = self.sosie("pairs", "in.npy", "--within", "2").out
        self.assertEqual(out, b"left\tright\tdistance\n0\t1\t1.000000\n1\t2\t2.000000\n")

    def test_between_two_collections(self):
        self.write("other.txt", "".join(f"{code:016x}\n" for code in self.codes[:90]))
        for radius in (3, 30):
            expected = [(i, j) for i, x in enumerate(self.codes)
                        for j, y in enumerate(self.codes[:90]) if (x ^ y).bit_count() <= radius]
            self.assertEqual(self.pairs("in.txt", "--against", "other.txt", "--within",
                                        str(radius)), expected)
        self.write("none.txt", b"")
        self.assertEqual(self.pairs("in.txt", "--against", "none.txt", "--within", "3"), [])
        self.assertEqual(self.pairs("none.txt", "--within", "3"), [])

    def test_query_lists_the_nearest_first(self):
        asked = self.codes[:30] + [~code % 2 ** 64 for code in self.codes[30:40]]
        self.write("asked.txt", "".join(f"{code:016x}\n" for code in asked))
        ordered = [(i, j) for i, x in enumerate(asked)
                   for j in sorted(range(len(self.codes)),
                                   key=lambda j, x=x: ((x ^ self.codes[j]).bit_count(), j))]

        def hits(*args: str) -> list:
            out = self.sosie("query", "in.txt", "asked.txt", "--kind", "bits", *args).out
            return [(int(row["left"]), int(row["right"])) for row in read_table(out)]

        for radius in (3, 30):
            expected = [(i, j) for i, j in ordered
                        if (asked[i] ^ self.codes[j]).bit_count() <= radius]
            self.assertEqual(hits("--within", str(radius)), expected)
        for most in (1, 5, 1000):
            expected = [hit for at, hit in enumerate(ordered) if at % len(self.codes) < most]
            self.assertEqual(hits("--top", str(most)), expected)
            self.assertEqual(hits("--top", str(most), "--threads", "3"), expected)
        by_tanimoto = [(i, j) for i, x in enumerate(asked)
                       for j in sorted(range(len(self.codes)), key=lambda j, x=x: -Fraction(
                           (x & self.codes[j]).bit_count(), (x | self.codes[j]).bit_count()))]
        self.assertEqual(hits("--measure", "jaccard", "--top", "1000"),
                         [(i, j) for i, j in by_tanimoto if asked[i] & self.codes[j]])
        self.assertEqual(hits("--measure", "jaccard", "--threshold", "0.4", "--top", "2"),
                         [(i, j) for at, (i, j) in enumerate(by_tanimoto)
                          if at % len(self.codes) < 2 and Fraction(
                              (asked[i] & self.codes[j]).bit_count(),
                              (asked[i] | self.codes[j]).bit_count()) >= Fraction("0.4")])

    def test_top_limit_and_threads(self):
        args = ("pairs", "in.txt", "--kind", "bits", "--within", "6")
        out = self.sosie(*args).out
        self.assertEqual(self.sosie(*args, "--threads", "5").out, out)
        count = len(self.within(6))
        self.assertEqual(self.sosie(*args, "--limit", str(count)).out, out)
        self.fails(4, *args, "--limit", str(count - 1), says="reach .* [0-9.]+, the maximum set by --limit")
        self.assertEqual(len(self.pairs(*args[1:], "--top-pairs", "5")), 5)

    def test_bad_input(self):
        for name, content, says in (("a.txt", "12\n1g\n", "a.txt:2: the line is not a string of"),
                                    ("b.txt", "12\n123\n", "b.txt:2: 12 bits, the first row has 8"),
                                    ("d.jsonl", '{"id": 1}\n', "d.jsonl:1: field 'text' is missing")
                                    ):
            self.write(name, content)
            self.fails(3, "pairs", name, "--kind", "bits", "--within", "1", says=says)
        self.write("8.txt", "12\n")
        self.fails(3, "pairs", "in.txt", "--against", "8.txt", "--kind", "bits", "--within", "1",
                   says="of 64 bits|64 bits, ")
        for args, says in ((("--threshold", "0.5"), "hamming is a distance"),
                           ((), "--within: must be given for hamming"),
                           (("--within", "1", "--measure", "cosine"), "does not support --kind bits")):
            self.fails(2, "pairs", "in.txt", "--kind", "bits", *args, says=says)

    @needs_data("emoji-hashes")
    def test_hashes_of_emoji_equal_their_truth(self):
        with gzip.open(DATA / "emoji-hashes" / "hashes.tsv.gz") as file:
            self.write("hashes.tsv", b"id\tphash\tdhash\n" + file.read())
        for column in ("phash", "dhash"):
            expected = truth(DATA / "emoji-hashes" / f"pairs.{column}.hamming8.tsv.gz")
            for radius in (3, 8):
                out = self.sosie("pairs", "hashes.tsv", "--kind", "bits", "--column", column,
                                 "--within", str(radius)).out
                found = {(frozenset((row["left"], row["right"])), int(float(row["distance"])))
                         for row in read_table(out)}
                self.assertEqual(found, {(frozenset(row[:2]), int(row[2])) for row in expected
                                         if int(row[2]) <= radius})

    @needs_data("molecules-esol")
    def test_fingerprints_of_molecules_equal_their_truth(self):
        folder = DATA / "molecules-esol"
        with gzip.open(folder / "ecfp4_2048.hex.txt.gz") as file:
            self.write("prints.tsv", b"id\tbits\n" + file.read())
        for threshold, name in (("0.5", "ge050"), ("0.8", "ge080")):
            expected = truth(folder / f"ecfp4.pairs.{name}.tsv.gz")
            out = self.sosie("pairs", "prints.tsv", "--kind", "bits", "--column", "bits", "--measure",
                             "jaccard", "--threshold", threshold).out
            found = read_table(out)
            self.assertEqual([(row["left"], row["right"]) for row in found],
                             [row[:2] for row in expected])
            for row, right in zip(found, expected):
                self.assertAlmostEqual(float(row["similarity"]), float(right[2]), places=6)


if __name__ == "__main__":
    unittest.main()

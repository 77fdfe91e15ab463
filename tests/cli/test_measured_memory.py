"""Vectors and bit strings with a small --memory: the same bytes, or an error that names a
sufficient amount.
"""
# slow: more than 5 s in a release build, so `make sanitize` leaves it to `make sanitize-all`

import json
import random
import re
import unittest

from measured_rows import as_text, npy
from support import SANITIZED, SosieTest, read_table, size_of

WHOLE = "4G"
THREADS = size_of(("1", "3"), ("3",))


def near_ones(count: int, dimension: int, seed: int) -> list:
    """Random vectors, a tenth of them near others and some of them equal."""
    rng = random.Random(seed)
    rows = [[rng.gauss(0, 1) for _ in range(dimension)] for _ in range(count)]
    for i in range(0, count, 10):
        rows[i] = [c + rng.gauss(0, 0.06) for c in rows[i // 2]]
    for i in range(5, count, 100):
        rows[i] = rows[i // 3]
    return rows


class MeasuredMemory(SosieTest):
    def same(self, *args: str, memory: tuple = ("8M", "9M", "12M")) -> bytes:
        def run(cap: str, threads: str) -> tuple:
            out = self.sosie(*args, "--memory", cap, "--threads", threads, "--stats", "s.json").out
            stats = json.loads(self.read("s.json"))
            return out, stats["candidates"], stats["method"]
        whole = run(WHOLE, "2")
        for cap in memory:
            for threads in THREADS:
                self.assertEqual(run(cap, threads), whole, (args, cap, threads))
        return whole[0]

    def test_hashes_of_vectors(self):
        self.write("in.npy", npy(near_ones(20000, 40, 1), "<f4"))
        for bound in (("--threshold", "0.97"),
                      ("--threshold", "0.97", "--family", "hyperplane-signs"),
                      # More functions than a single rotation has.
                      ("--threshold", "0.97", "--family", "hyperplane-rotation",
                       "--construct", "and:14,or:90"),
                      ("--threshold", "0.97", "--family", "cross-polytope", "--probes", "1"),
                      ("--threshold", "0.97", "--family", "cross-polytope", "--probes", "1.25"),
                      ("--measure", "euclidean", "--within", "1"),
                      ("--measure", "manhattan", "--within", "4")):
            out = self.same("pairs", "in.npy", *bound, "--method", "lsh", memory=("8M",))
            self.assertGreater(out.count(b"\n"), 1500, bound)
        self.same("pairs", "in.npy", "--threshold", "0.97", "--method", "lsh", "--recall", "0.7")
        self.same("dedup", "in.npy", "--threshold", "0.97", "--method", "lsh", "--recall", "0.8",
                  "-o", "-", memory=("10M",))

    def least(self, *args: str) -> str:
        """The --memory that a run on vectors of 3.2 MB calls sufficient."""
        says = "the vectors and their bookkeeping need about"
        for memory in ("3200K", "3600K", "6800K"):  # with two inputs, the vectors themselves take more
            result = self.sosie(*args, "--memory", memory, code=4)
            if says in result.err:
                break
        self.assertIn(says, result.err)
        return re.search(r"--memory (\d+[MG]) is enough", result.err)[1]

    def test_exact_joins_of_vectors(self):
        # With minimal memory, right vectors are prepared for comparison a thousand at a time.
        rows = near_ones(5000, 160, 7)
        self.write("in.npy", npy(rows, "<f4"))
        self.write("few.npy", npy(rows[300:500], "<f4"))
        for bound in (("--threshold", "0.99"), ("--measure", "angle", "--within", "8"),
                      ("--measure", "euclidean", "--within", "1.2")):
            args = ("in.npy", *bound, "--method", "exact")
            found = self.same("pairs", *args, memory=(self.least("pairs", *args),))
            self.assertGreater(found.count(b"\n"), 400, bound)
            self.same("query", "in.npy", "few.npy", *bound, "--top", "3", "--method", "exact",
                      memory=("6M",))
        # Many pass the filter by 8-bit integers.
        self.same("pairs", "few.npy", "--against", "in.npy", "--measure", "chebyshev", "--within",
                  "1.4", "--method", "exact", memory=("6M",))
        for measure in ("cosine", "angle", "euclidean", "manhattan"):
            args = ("query", "in.npy", "few.npy", "--measure", measure, "--top", "3")
            self.same(*args, memory=(self.least(*args),))
        for clustering in ("star", "components"):
            args = ("dedup", "in.npy", "--threshold", "0.99", "--method", "exact", "--clustering",
                    clustering, "-o", "-")
            kept = self.same(*args, memory=(self.least(*args),))
            self.assertLess(len(kept), 4700 * 160 * 4)
            self.assertGreater(len(kept), 4000 * 160 * 4)

    def test_exact_joins_of_more_vectors_than_are_compared_at_a_time(self):
        self.write("in.npy", npy(near_ones(20000, 40, 8), "<f4"))
        for args in (("pairs", "in.npy", "--threshold", "0.97", "--method", "exact"),
                     ("query", "in.npy", "in.npy", "--top", "2")):
            self.same(*args, memory=(self.least(*args),))

    def test_audits_of_vectors(self):
        self.write("in.npy", npy(near_ones(6000, 40, 8), "<f4"))
        for verb, cap in (("pairs", "4M"), ("dedup", "5M")):
            for method in ("exact", "lsh"):
                recalls = []
                for memory in (WHOLE, cap):
                    self.sosie(verb, "in.npy", "--threshold", "0.97", "--method", method,
                               "--audit=300", "--memory", memory, "--stats", "s.json", "-o", "out.npy" if verb == "dedup" else "-")
                    audit = json.loads(self.read("s.json"))["audit"]
                    audit.pop("seconds", None)
                    recalls.append(audit)
                self.assertEqual(recalls[0], recalls[1], (verb, method))

    def test_hashes_of_two_collections(self):
        rows = near_ones(20000, 40, 2)
        self.write("in.npy", npy(rows[:9000], "<f4"))
        self.write("other.npy", npy(rows[9000:], "<f8"))
        args = ("--threshold", "0.97", "--method", "lsh")
        self.same("pairs", "in.npy", "--against", "other.npy", *args, memory=("14M",))
        self.same("query", "other.npy", "in.npy", *args, memory=("14M",))

    def test_bit_strings(self):
        rng = random.Random(3)
        codes = [rng.getrandbits(128) for _ in range(40000)]
        for i in range(0, 40000, 9):
            codes[i] = codes[i // 2]
            for _ in range(rng.randrange(12)):
                codes[i] ^= 1 << rng.randrange(128)
        self.write("in.txt", as_text([f"{code:032x}" for code in codes]))
        args = ("pairs", "in.txt", "--kind", "bits", "--within", "12", "--method")
        # With one block of bits at a time, or with all of them.
        exact = self.same(*args, "exact", memory=("5M", "6M"))
        found = self.same(*args, "lsh", memory=("5M", "6M"))
        self.assertGreater(exact.count(b"\n"), 4000)
        self.assertGreater(found.count(b"\n"), 4000)

    def test_more_pairs_than_memory(self):
        rng = random.Random(4)
        count = size_of(1500, 760)
        rows = [[100 + rng.randrange(100) for _ in range(6)] for _ in range(count)]
        self.write("in.npy", npy(rows, "|u1"))
        self.write("in.txt", as_text([f"{rng.getrandbits(32):08x}" for _ in range(count)]))
        for args in (("in.npy", "--measure", "euclidean", "--within", "300", "--method", "exact"),
                     ("in.npy", "--measure", "euclidean", "--within", "300", "--method", "lsh"),
                     ("in.txt", "--kind", "bits", "--within", "32", "--method", "exact"),
                     ("in.txt", "--kind", "bits", "--within", "31", "--method", "lsh")):
            out = self.same("pairs", *args, memory=("3M",))
            self.assertGreater(out.count(b"\n"), 0.89 * count * (count - 1) / 2, args)  # of 16 bytes each

    def test_identical_ones_are_joined_as_one(self):
        count = size_of(300_000, 75_000)
        self.write("same.npy", npy([[3, 1]] * count, "|i1"))
        self.write("same.txt", as_text(["00ff"] * count))
        for args in (("same.npy", "--threshold", "0.9"),
                     ("same.txt", "--kind", "bits", "--within", "1")):
            for method in ("exact", "lsh", "auto"):
                run = (*args, "--method", method, "--memory", "64M")
                top = read_table(self.sosie("pairs", *run, "--top-pairs", "3").out)
                self.assertEqual([(row["left"], row["right"]) for row in top],
                                 [("0", "1"), ("0", "2"), ("0", "3")])
                out = self.sosie("pairs", *run, "--top", "1").out
                self.assertEqual(out.count(b"\n"), count)
                self.fails(4, "pairs", *run, "--limit", "1000", says="--limit")
                result = self.sosie("dedup", *run, "--dry-run")
                self.assertIn(f"1 would be kept, {count - 1:,} removed", result.err)

    def test_a_cap_that_is_too_small_says_what_is_enough(self):
        self.write("in.npy", npy([[1 + i % 251, i % 241, i // 300] for i in range(60_000)], "<f4"))
        args = ("pairs", "in.npy", "--threshold", "0.9999999", "--method", "lsh", "--recall", "0.5",
                "--memory")
        says = self.fails(4, *args, "3M", says="bookkeeping for 60,000 items needs about").err
        enough = re.search(r"--memory (\d+[MG]) is enough", says)[1]
        self.sosie(*args, enough)
        self.fails(4, *args, "600K", says="the vectors need 720.1 kB of memory",
                   hints="raise --memory above")

    @unittest.skipIf(SANITIZED, "sanitizers take memory of their own")
    def test_the_peak_of_many_pairs_keeps_to_the_cap(self):
        # 4.5 million pairs take 72 MB.
        rng = random.Random(11)
        self.write("in.txt", as_text([f"{rng.getrandbits(32):08x}" for _ in range(3000)]))
        self.write("in.npy", npy([[rng.randrange(1, 256) for _ in range(6)] for _ in range(3000)],
                                 "|u1"))
        for args in (("in.npy", "--measure", "euclidean", "--within", "700"),
                     ("in.txt", "--kind", "bits", "--within", "32")):
            self.sosie("pairs", *args, "--method", "exact", "--memory", "16M", "--threads", "2",
                       "--stats", "s.json", "-o", "p.tsv")
            stats = json.loads(self.read("s.json"))
            self.assertEqual(stats["candidates"], 3000 * 2999 // 2)
            self.assertLess(stats["peak_memory_bytes"], 60 << 20)

    @unittest.skipIf(SANITIZED, "sanitizers take memory of their own")
    def test_the_peak_of_exact_joins_keeps_to_the_cap(self):
        # 77 MB; joining everything at once takes as much again.
        rng = random.Random(10)
        values = bytes(rng.randrange(256) for _ in range(1 << 20))
        starts = [rng.randrange((1 << 20) - 768) for _ in range(100_000)]
        rows = b"".join(values[start:start + 768] for start in starts)
        self.write("in.npy", npy([[0] * 768], "|u1", "(100000, 768)")[:-768] + rows)
        self.write("few.npy", npy([[0] * 768], "|u1", "(64, 768)")[:-768] + rows[:64 * 768])
        bound = ("--measure", "euclidean", "--within", "20", "--method", "exact")
        for args in (("pairs", "few.npy", "--against", "in.npy", *bound),
                     ("query", "in.npy", "few.npy", "--top", "2", *bound)):
            outs, peaks = [], []
            for cap in (WHOLE, "96M"):
                outs.append(self.sosie(*args, "--memory", cap, "--threads", "2",
                                       "--stats", "s.json").out)
                peaks.append(json.loads(self.read("s.json"))["peak_memory_bytes"])
            self.assertEqual(outs[0], outs[1])
            self.assertLess(peaks[1], 110 << 20)
            self.assertGreater(peaks[0], 140 << 20)

    @unittest.skipIf(SANITIZED, "sanitizers take memory of their own")
    def test_the_peak_keeps_to_the_cap(self):
        rng = random.Random(6)
        values = [rng.randrange(256) for _ in range(16 * 400_000 + 99)]
        self.write("in.npy", npy([values[i * 16:i * 16 + 16] for i in range(400_000)], "|u1"))
        for more in (("--threshold", "0.99"), ("--measure", "euclidean", "--within", "60")):
            peaks = []
            for cap in (WHOLE, "64M"):
                self.sosie("pairs", "in.npy", *more, "--method", "lsh", "--memory", cap,
                           "--threads", "2", "--stats", "s.json", "-o", "p.tsv")
                peaks.append(json.loads(self.read("s.json"))["peak_memory_bytes"])
            self.assertLess(peaks[1], 128 << 20)
            self.assertGreater(peaks[0], 1.1 * peaks[1])


if __name__ == "__main__":
    unittest.main()

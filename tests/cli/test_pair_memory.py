"""More pairs than fit in memory, for every kind and method: the same bytes, and a peak below the
cap.
"""
# slow: more than 5 s in a release build, so `make sanitize` leaves it to `make sanitize-all`

import json
import random
import struct
import unittest

from measured_rows import npy
from support import SANITIZED, SosieTest, size_of

SLACK = 64 << 20
ROWS = 2200  # all similar: 2,418,900 pairs, which would take 106 MB at 44 bytes each
CAP = 16 << 20


def alike(count: int, seed: int) -> list[list[str]]:
    """Sets that differ in one of 40 elements."""
    draw = random.Random(seed)
    rows = []
    for i in range(count):
        row = [f"w{j}" for j in range(40)]
        row[draw.randrange(40)] = f"x{i}"
        rows.append(row)
    return rows


class PairMemory(SosieTest):
    def write_kinds(self, count: int, copies: int = 0) -> dict[str, tuple[str, ...]]:
        """Files of `count` similar rows of each kind, and the arguments that list their pairs."""
        rows = alike(count, 1)
        rows += rows[:copies]
        draw = random.Random(2)
        texts = "".join(json.dumps({"text": " ".join(row)}) + "\n" for row in rows)
        self.write("in.jsonl", texts)
        self.write("in.sets", "".join(" ".join(row) + "\n" for row in rows))
        self.write("bags.sets", "".join(" ".join(row + row) + "\n" for row in rows))
        vectors = [[1 + draw.gauss(0, 0.05) for _ in range(8)] for _ in range(count)]
        self.write("in.npy", npy(vectors + vectors[:copies], "<f4"))
        bits = [(1 << 63) ^ (1 << draw.randrange(64)) ^ (1 << draw.randrange(64))
                for _ in range(count)]
        bits += bits[:copies]
        self.write("in.txt", "".join(struct.pack(">Q", b).hex() + "\n" for b in bits))
        return {
            "text": ("in.jsonl", "--shingle", "words:1", "--threshold", "0.9"),
            "sets": ("in.sets", "--threshold", "0.9"),
            "bags": ("bags.sets", "--kind", "bags", "--threshold", "0.9"),
            "vectors": ("in.npy", "--threshold", "0.9"),
            "bits": ("in.txt", "--kind", "bits", "--within", "4"),
        }

    def peak(self, *args: str, memory: int) -> int:
        self.sosie(*args, "--memory", str(memory), "--threads", "2", "--stats", "s.json")
        return json.loads(self.read("s.json"))["peak_memory_bytes"]

    @unittest.skipIf(SANITIZED, "sanitizers take memory of their own")
    def test_the_peak_keeps_to_the_cap(self):
        kinds = self.write_kinds(ROWS)
        for kind, args in kinds.items():
            for method in ("exact", "lsh", "brute"):
                if kind in ("text", "bags") and method != "brute":
                    continue  # sets are handled in the same way
                peak = self.peak("pairs", *args, "--method", method, "-o", "p.tsv", memory=CAP)
                self.assertLess(peak, CAP + SLACK, (kind, method))

    @unittest.skipIf(SANITIZED, "sanitizers take memory of their own")
    def test_top_keeps_what_it_needs(self):
        kinds = self.write_kinds(ROWS)
        for top in (("--top", "3"), ("--top-pairs", "10")):
            for method in ("exact", "lsh", "brute"):
                args = ("pairs", *kinds["sets"], *top, "--method", method, "-o", "p.tsv")
                self.assertLess(self.peak(*args, memory=CAP), CAP + SLACK, args)
                self.assertEqual(json.loads(self.read("s.json"))["scratch_bytes"], 0, args)

    @unittest.skipIf(SANITIZED, "sanitizers take memory of their own")
    def test_pairs_of_dedup(self):
        args = self.write_kinds(ROWS)["sets"]
        for options in (("--method", "brute"), ("--method", "exact"),
                        ("--clustering", "components", "--method", "brute"),
                        ("--measure", "containment")):
            peak = self.peak("dedup", *args, *options, "--pairs", "p.tsv", "-o", "k.sets",
                             memory=CAP)
            self.assertLess(peak, CAP + SLACK, options)
            self.assertEqual(self.read("k.sets").count(b"\n"), 1, options)

    @unittest.skipIf(SANITIZED, "sanitizers take memory of their own")
    def test_more_top_pairs_than_memory_holds(self):
        kinds = self.write_kinds(ROWS)
        for kind in ("sets", "vectors", "bits"):
            args = ("pairs", *kinds[kind], "--method", "exact", "--top-pairs", "2000000")
            self.assertLess(self.peak(*args, "-o", "p.tsv", memory=CAP), CAP + SLACK, kind)
            self.sosie(*args, "--memory", "4G", "-o", "whole.tsv")
            self.assertEqual(self.read("p.tsv"), self.read("whole.tsv"), kind)
            self.assertGreater(self.read("p.tsv").count(b"\n"), 1_900_000, kind)

    @unittest.skipIf(SANITIZED, "sanitizers take memory of their own")
    def test_reported_pairs_of_an_audit(self):
        args = self.write_kinds(ROWS)["sets"]
        run = ("pairs", *args, "--method", "brute", f"--audit={ROWS}", "-o", "p.tsv")
        self.assertLess(self.peak(*run, memory=CAP), CAP + SLACK)
        audit = json.loads(self.read("s.json"))["audit"]
        self.peak(*run, memory=4 << 30)
        whole = json.loads(self.read("s.json"))["audit"]
        for facts in (audit, whole):
            facts.pop("seconds", None)
        self.assertEqual(audit, whole)
        self.assertEqual(audit["reported_pairs"], ROWS * (ROWS - 1))

    def test_every_memory_and_thread_lists_the_same_pairs(self):
        kinds = self.write_kinds(300, copies=150)
        tops = ((), ("--top", "3"), ("--top-pairs", "1000"), ("--top", "2", "--top-pairs", "100"),
                ("--top", "2", "--limit", "900"))
        for number, (kind, args) in enumerate(kinds.items()):
            for top in size_of(tops, (tops[number], tops[(number + 2) % 5])):
                by_method = set()
                for method in ("exact", "brute", "lsh"):
                    bytes_of = {
                        self.sosie("pairs", *args, *top, "--method", method, "--memory", memory,
                                   "--threads", threads).out
                        for memory, threads in (("4G", "1"), ("4G", "3"), ("1M", "3"))}
                    self.assertEqual(len(bytes_of), 1, (kind, top, method))
                    if method != "lsh":
                        by_method |= bytes_of
                self.assertEqual(len(by_method), 1, (kind, top))

    def test_the_limit_ends_the_search(self):
        kinds = self.write_kinds(300, copies=50)
        for args in kinds.values():
            for method in ("exact", "lsh", "brute"):
                run = ("pairs", *args, "--method", method, "--limit", "1000")
                self.fails(4, *run, says="more than 1000 pairs", hints="--top")
                out = self.fails(4, *run, "--top", "4", says="more than 1000 pairs")
                self.assertEqual(out.out, b"")
                self.sosie("pairs", *args, "--method", method, "--limit", "2000", "--top", "4")

    def test_many_copies_of_a_row_do_not_multiply(self):
        # Five thousand million pairs.
        self.write("in.sets", "a b c\n" * 100_000)
        for method in ("exact", "lsh", "brute"):
            args = ("pairs", "in.sets", "--method", method, "--threshold", "1")
            self.fails(4, *args, "--limit", "1000", says="more than 1000 pairs")
            out = self.sosie(*args, "--top-pairs", "3").out
            self.assertEqual(out.splitlines()[1:], [b"0\t1\t1.000000", b"0\t2\t1.000000",
                                                    b"0\t3\t1.000000"])

    def test_groups_of_a_pairs_file_larger_than_memory(self):
        args = self.write_kinds(300)["sets"]
        self.sosie("pairs", *args, "--method", "brute", "-o", "p.tsv")
        grouped = self.sosie("cluster", "p.tsv").out
        self.assertEqual(grouped.count(b"\n"), 301)
        self.sosie("dedup", *args, "--reuse", "p.tsv", "-o", "whole.sets")
        self.sosie("dedup", *args, "--reuse", "p.tsv", "-o", "k.sets", "--memory", "1M")
        self.assertEqual(self.read("whole.sets"), self.read("k.sets"))


if __name__ == "__main__":
    unittest.main()

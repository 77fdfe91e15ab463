"""--top-pairs K without a threshold: the K most similar pairs overall, for every kind that is not hashed."""

import json
import random
import unittest

from support import SosieTest

KINDS = (("vectors", "cosine", "--threshold=-1"), ("vectors", "euclidean", "--within=1e9"),
         ("bits", "hamming", "--within=64"), ("bits", "jaccard", "--threshold=0.0001"),
         ("strings", "levenshtein", "--within=99"), ("strings", "indel", "--within=99"))


class TopPairs(SosieTest):
    def lines(self, kind: str, count: int, seed: int) -> list[str]:
        rng = random.Random(seed)
        if kind == "vectors":
            rows = [" ".join(str(rng.randint(0, 9)) for _ in range(5)) + " 1" for _ in range(count)]
        elif kind == "bits":
            rows = ["%016x" % (rng.getrandbits(64) | 1) for _ in range(count)]
        else:
            rows = ["".join(rng.choice("abcd") for _ in range(rng.randint(1, 9))) for _ in range(count)]
        return rows + rng.sample(rows, count // 4)  # equal ones, and therefore ties

    def pairs(self, *args: str) -> list[tuple[int, int, float]]:
        out = self.sosie("pairs", *args, "-q").out.decode().splitlines()[1:]
        return [(int(a), int(b), float(value)) for a, b, value in (line.split("\t") for line in out)]

    def best(self, pairs: list, count: int, is_similarity: bool) -> list:
        nearest_first = sorted(pairs, key=lambda p: (-p[2] if is_similarity else p[2], p[0], p[1]))
        return sorted(nearest_first[:count])

    def test_are_the_best_of_all_pairs(self):
        for kind, measure, any_pair in KINDS:
            is_similarity = "threshold" in any_pair
            if measure == "cosine":
                any_pair = "--threshold=0.000001"
            self.write("in.txt", "\n".join(self.lines(kind, 60, 5)) + "\n")
            self.write("other.txt", "\n".join(self.lines(kind, 30, 6)) + "\n")
            for inputs in (("in.txt",), ("in.txt", "--against", "other.txt")):
                args = (*inputs, "--kind", kind, "--measure", measure)
                all_pairs = self.pairs(*args, any_pair, "--method", "brute")
                for count in (1, 2, 17, 200, 100_000):
                    for more in ((), ("--method", "exact"), ("--method", "brute"), ("--threads", "7")):
                        found = self.pairs(*args, "--top-pairs", str(count), *more)
                        self.assertEqual(found, self.best(all_pairs, count, is_similarity),
                                         (kind, measure, count, more))

    def test_of_a_query_they_are_the_best_of_all_its_hits(self):
        rows = [{"id": f"d{n}", "text": " ".join(f"w{n // 4}{i}" if i < n % 4 else f"w{n // 4}x{i}" for i in range(9))}
                for n in range(80)]
        self.write("texts.jsonl", "".join(json.dumps(row) + "\n" for row in rows))
        self.write("asked.jsonl", "".join(json.dumps(row) + "\n" for row in rows[7:40:3]))
        runs = [(("texts.jsonl", "asked.jsonl", "--shingle", "words:1", "--method", method), "--threshold=0.05", True)
                for method in ("exact", "brute")]
        for kind, measure, any_pair in KINDS:
            name = f"{kind}.txt"
            self.write(name, "\n".join(self.lines(kind, 60, 5)) + "\n")
            self.write(f"asked-{name}", "\n".join(self.lines(kind, 9, 6)) + "\n")
            if measure == "cosine":
                any_pair = "--threshold=0.000001"
            runs.append(((name, f"asked-{name}", "--kind", kind, "--measure", measure), any_pair,
                         "threshold" in any_pair))
        for args, any_pair, is_similarity in runs:
            hits = self.hits(*args, any_pair)
            order = lambda hit: -hit[2] if is_similarity else hit[2]
            for count in (1, 2, 17, 100_000):
                places = sorted(range(len(hits)), key=lambda i: (order(hits[i]), i))[:count]
                expected = [hits[i] for i in sorted(places)]
                for more in ((), ("--threads", "7"), (any_pair,), ("--limit", str(len(expected)))):
                    self.assertEqual(self.hits(*args, "--top-pairs", str(count), *more), expected, (args, count, more))
            self.assertTrue(hits)

    def hits(self, *args: str) -> list[tuple[str, str, float]]:
        out = self.sosie("query", *args, "-q", code=None).out.decode().splitlines()[1:]
        return [(left, right, float(value)) for left, right, value in (line.split("\t") for line in out)]

    def test_of_a_query_from_a_pipe_are_those_of_the_file(self):
        self.write("in.txt", "\n".join(self.lines("strings", 60, 5)) + "\n")
        args = ("query", "in.txt", "--kind", "strings", "--top-pairs", "7", "-q")
        piped = self.sosie(*args, "--format", "txt", "-", stdin=self.read("in.txt"))
        self.assertEqual(piped.out, self.sosie(*args, "in.txt").out)
        self.fails(2, *args, "in.txt", "--exclude-self", says="--top-pairs: cannot be combined with --exclude-self")
        self.sosie("index", "build", "x.index", "in.txt", "--kind", "strings", "--within", "1")
        of_files = ("in.txt", "in.txt", "--kind", "strings", "--within", "1")
        self.assertEqual(self.hits("x.index", "in.txt", "--top-pairs", "3"), self.hits(*of_files, "--top-pairs", "3"))

    def test_of_an_index_of_sets_are_those_of_the_file(self):
        self.write("in.txt", "\n".join(self.lines("strings", 60, 5)) + "\n")
        chosen = ("--shingle", "chars:2", "--threshold", "0.3")
        self.sosie("index", "build", "y.index", "in.txt", *chosen)
        exact = ("--method", "exact", "--top-pairs", "5")
        self.assertEqual(self.hits("y.index", "in.txt", *exact), self.hits("in.txt", "in.txt", *chosen, *exact))
        self.fails(2, "query", "y.index", "in.txt", "--top-pairs", "5", "--exclude-self",
                   says="--top-pairs: cannot be combined with --exclude-self")

    def test_with_top_they_are_the_best_of_these(self):
        self.write("in.txt", "\n".join(self.lines("strings", 60, 5)) + "\n")
        args = ("in.txt", "--kind", "strings")
        of_each = self.pairs(*args, "--top", "2")
        self.assertEqual(self.pairs(*args, "--top", "2", "--top-pairs", "9"), self.best(of_each, 9, False))

    def test_none_of_one_row(self):
        self.write("in.txt", "abc\n")
        self.assertEqual(self.pairs("in.txt", "--kind", "strings", "--top-pairs", "3"), [])
        self.write("in.txt", "")
        self.assertEqual(self.pairs("in.txt", "--kind", "bits", "--top-pairs", "3"), [])

    def test_audit_and_lsh_need_a_bound(self):
        self.write("in.txt", "1 2\n2 1\n")
        args = ("pairs", "in.txt", "--kind", "vectors", "--top-pairs", "1")
        self.fails(2, *args, "--audit", says="--top-pairs alone finds the nearest")
        self.fails(2, *args, "--method", "lsh", says="--threshold|lsh")


if __name__ == "__main__":
    unittest.main()

"""`query X X --exclude-self`: each item's own row is left out, for every kind, from files and
streams."""

import random
import unittest

import corpus
from measured_rows import grouped, npy
from support import SosieTest, jsonl, read_table


class ExcludeSelf(SosieTest):
    def setUp(self):
        super().setUp()
        rng = random.Random(31)
        self.write("t.jsonl", [{"id": f"d{i}", "text": text}
                               for i, text in enumerate(corpus.texts(32, 80))])
        self.write("s.sets", "".join(" ".join(f"w{rng.randrange(9)}" for _ in range(5)) + "\n"
                                     for _ in range(60)))
        self.write("v.npy", npy(grouped(60, 5, 33), "|u1"))
        self.write("v.jsonl", jsonl([{"id": f"v{i}", "text": row}
                                     for i, row in enumerate(grouped(60, 5, 34) + [[1, 2, 3, 4, 5]] * 3)]))
        self.write("n.txt", "".join("".join(rng.choices(" AB", k=4)) + "\n" for _ in range(60)))
        self.write("b.txt", "".join(f"{rng.randrange(256):02x}\n" for _ in range(80)))

    CASES = (("t.jsonl", ("--threshold", "0.3")), ("t.jsonl", ("--measure", "dice", "--threshold", "0.5")),
             ("t.jsonl", ("--threshold", "0.8", "--method", "lsh")),
             ("s.sets", ("--threshold", "0.4")), ("s.sets", ("--measure", "containment", "--threshold", "0.5")),
             ("v.npy", ("--threshold", "0.95")), ("v.npy", ("--measure", "euclidean", "--within", "90")),
             ("v.jsonl", ("--kind", "vectors", "--threshold", "0.95")),
             ("v.jsonl", ("--kind", "vectors", "--threshold", "0.95", "--method", "lsh")),
             ("n.txt", ("--kind", "strings", "--within", "1")),
             ("b.txt", ("--kind", "bits", "--within", "2")),
             ("b.txt", ("--kind", "bits", "--measure", "jaccard", "--threshold", "0.5")))

    def query(self, name: str, *args: str) -> list[tuple]:
        return [(row["left"], row["right"]) for row in read_table(self.sosie("query", name, name, *args, "-q").out)]

    def test_pairs_are_those_of_two_different_rows(self):
        for name, bound in self.CASES:
            every = self.query(name, *bound)
            others = [pair for pair in every if pair[0] != pair[1]]
            self.assertLess(len(others), len(every))
            self.assertGreater(len(others), 10)
            self.assertEqual(self.query(name, *bound, "--exclude-self"), others, (name, bound))
            count = str(len(others))
            self.assertEqual(self.query(name, *bound, "--exclude-self", "--limit", count), others)
            refused = self.fails(4, "query", name, name, *bound, "--exclude-self", "--limit",
                                 str(len(others) - 1), says=f"more than {len(others) - 1} pairs")
            self.assertEqual(refused.out, b"")

    def test_shown_strings_are_those_of_their_row(self):
        for more in ((), ("--limit", "9999")):  # a limit delays all pairs
            rows = read_table(self.sosie("query", "n.txt", "n.txt", "--kind", "strings", "--within", "1",
                                         "--clean", "fold", "--show", "text", "--exclude-self", "-q",
                                         *more).out)
            self.assertGreater(len(rows), 10)
            for row in rows:
                for side in ("left", "right"):
                    self.assertEqual(row[f"{side}_compared"],
                                     " ".join(row[f"{side}_text"].lower().split()))

    def test_top_counts_the_others(self):
        for name, bound in self.CASES:
            for more in (bound, bound[:-2] if bound[-2] != "--method" else None):
                if more is None or "--method" in more:
                    continue
                for top in (1, 3):
                    every = self.query(name, *more, "--top", str(top + 1))
                    expected, count = [], {}
                    for left, right in every:
                        if left != right and count.setdefault(left, 0) < top:
                            count[left] += 1
                            expected.append((left, right))
                    self.assertEqual(self.query(name, *more, "--top", str(top), "--exclude-self"), expected)

    def test_streams_are_answered_alike(self):
        for name, bound in self.CASES:
            if name == "v.npy" or "lsh" in bound:
                continue
            for args in (bound, (*bound, "--top", "2")):
                args = ("--exclude-self", "--format", name.split(".")[1], *args, "-q")
                joined = self.sosie("query", name, name, *args).out
                streamed = self.sosie("query", name, "-", *args, stdin=self.read(name)).out
                self.assertEqual(streamed, joined, (name, args))
                self.assertGreater(joined.count(b"\n"), 5)

    def test_who_finds_nothing_else_has_no_hit(self):
        self.write("x.jsonl", [{"id": "a", "text": "one two three"}, {"id": "b", "text": "four five six"}])
        self.sosie("query", "x.jsonl", "x.jsonl", "--exclude-self", code=1)
        self.write("y.jsonl", [{"id": "a", "text": "four five six"}])
        self.assertEqual(self.sosie("query", "x.jsonl", "y.jsonl", "--exclude-self").out.splitlines()[1:],
                         [b"a\tb\t1.000000"])

    def test_names_of_one_side_only_say_nothing(self):
        self.write("ids.txt", "".join(f"n{i}\n" for i in range(60)))
        args = ("query", "v.npy", "v.npy", "--threshold", "0.95", "--exclude-self", "--ids", "ids.txt")
        self.fails(2, *args, says="--exclude-self: only one of DATA and INPUT has ids")
        found = read_table(self.sosie(*args, "--other-ids", "ids.txt").out)
        self.assertEqual([(row["left"][1:], row["right"][1:]) for row in found],
                         self.query("v.npy", "--threshold", "0.95", "--exclude-self"))
        self.fails(2, "pairs", "v.npy", "--threshold", "0.9", "--exclude-self", says="not an option of pairs")


if __name__ == "__main__":
    unittest.main()

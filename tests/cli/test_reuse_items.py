"""`dedup --reuse` and `cluster` for vectors and bit strings: pairs with distances, edited clusters.
"""

import random
import unittest

from measured_rows import grouped, npy
from support import jsonl, read_table
from refusals import RefusalTest

VECTORS = ("--measure", "euclidean", "--within", "60")
BITS = ("--kind", "bits", "--within", "3")
COSINE = ("--measure", "cosine", "--threshold", "0.99")
OUTPUTS = ("--removed", "r.tsv", "--clusters", "c.tsv")


class ReuseItems(RefusalTest):
    def setUp(self):
        super().setUp()
        self.write("v.npy", npy(grouped(120, 6, 4), "|u1"))
        rng = random.Random(8)
        codes = [rng.getrandbits(16) for _ in range(30)]
        self.write("b.jsonl", jsonl([{"id": f"x{i}", "text": f"{rng.choice(codes) ^ 1 << rng.randrange(16):04x}",
                                      "score": rng.randrange(9)} for i in range(150)]))

    def outcome(self, name: str, *args: str) -> tuple:
        out = "k." + name.split(".")[1]
        self.sosie("dedup", name, *args, *OUTPUTS, "-o", out, "-q")
        return self.read(out), self.read("r.tsv"), self.read("c.tsv")

    def test_pairs_and_clusters_give_the_result_of_the_direct_run(self):
        for name, args, keep in (("v.npy", VECTORS, "last"), ("v.npy", COSINE, "last"),
                                 ("b.jsonl", BITS, "max:score")):
            for extension in ("tsv", "csv", "jsonl"):
                self.sosie("pairs", name, *args, "-o", f"p.{extension}")
                for more in ((), ("--clustering", "components"), ("--keep", keep)):
                    direct = self.outcome(name, *args, *more)
                    self.assertGreater(direct[1].count(b"\n"), 20)
                    self.assertEqual(self.outcome(name, *args, *more, "--reuse", f"p.{extension}"), direct)
                    self.sosie("dedup", name, *args, *more, "--clusters", f"e.{extension}", "--dry-run", "-q")
                    self.assertEqual(self.outcome(name, *args, "--reuse", f"e.{extension}"), direct)

    def test_pairs_serve_every_nearer_bound(self):
        self.sosie("pairs", "v.npy", "--measure", "euclidean", "--within", "60", "-o", "p.tsv")
        for within in ("60", "31/2", "2.5", "0"):
            args = ("--measure", "euclidean", "--within", within)
            direct = self.outcome("v.npy", *args)
            self.assertEqual(self.outcome("v.npy", *args, "--reuse", "p.tsv"), direct)
            groups = self.sosie("cluster", "p.tsv", "--within", within).out
            equal = len(read_table(groups)) - len(read_table(direct[2]))
            self.assertEqual(equal, 0)
        self.refuses(2, "dedup", "v.npy", "--measure", "euclidean", "--within", "61", "--reuse", "p.tsv",
                     says="p.tsv: was made with --within 60 and lacks pairs for --within 61",
                     hints="use --within 60")
        self.refuses(2, "dedup", "v.npy", "--measure", "manhattan", "--within", "3", "--reuse", "p.tsv",
                     says="p.tsv: was made with --measure euclidean, this run has manhattan")

    def test_a_person_decides(self):
        self.write("x.jsonl", jsonl([{"id": "abc"[i], "text": [1, i]} for i in range(3)]))
        self.write("e.tsv", "id\tcluster_id\tkept\na\tb\tfalse\nb\tb\ttrue\nc\tc\tfalse\n")
        args = ("dedup", "x.jsonl", "--kind", "vectors", "--measure", "euclidean", "--within", "0.1")
        done = self.sosie(*args, "--reuse", "e.tsv", "--removed", "r.tsv")
        self.assertEqual(done.out, jsonl([{"id": "b", "text": [1, 1]}]))
        removed = read_table(self.read("r.tsv"))
        self.assertEqual([(row["id"], row["kept_id"], row["distance"]) for row in removed],
                         [("a", "b", "1.000000"), ("c", "", "0.000000")])

    def test_pairs_of_other_items_are_told(self):
        self.sosie("pairs", "v.npy", *VECTORS, "-o", "p.tsv")
        lines = self.read("p.tsv").decode().splitlines(keepends=True)
        cells = lines[5].split("\t")
        self.write("p.tsv", "".join([*lines[:5], f"{cells[0]}\t{cells[1]}\t59.5\n", *lines[6:]]))
        self.refuses(3, "dedup", "v.npy", *VECTORS, "--reuse", "p.tsv", "--dry-run",
                     says=rf"p.tsv:6: gives 59.500000 for '{cells[0]}' and '{cells[1]}', but the rows now have",
                     hints="made from the same inputs")
        for row, says in (("0\t999\t1\n", "no input row has the id '999'"), ("0\t1\t-1\n", "'-1' is no distance"),
                          ("0\t1\tinf\n", "'inf' is no distance"), ("0\t0\t1\n", "paired with itself")):
            self.write("p.tsv", "left\tright\tdistance\n" + row)
            self.refuses(3, "dedup", "v.npy", *VECTORS, "--reuse", "p.tsv", "--dry-run", says="p.tsv:2: .*" + says)

    def test_given_ids_name_rows(self):
        self.write("ids.txt", "".join(f"n{i}\n" for i in range(120)))
        args = (*VECTORS, "--ids", "ids.txt")
        self.sosie("pairs", "v.npy", *args, "-o", "p.tsv")
        direct = self.outcome("v.npy", *args)
        self.assertEqual(self.outcome("v.npy", *args, "--reuse", "p.tsv"), direct)

    def test_distances_of_sets_are_taken_as_similarities(self):
        words = [f"w{i}" for i in range(40)]
        self.write("in.sets", "".join(" ".join(words[i:i + 20]) + "\n" for i in (0, 1, 3, 20, 20)))
        self.sosie("pairs", "in.sets", "--within", "0.3", "-o", "p.tsv")
        self.assertTrue(self.read("p.tsv").startswith(b"#sosie within=0.3 measure=jaccard\nleft\tright\tdistance\n"))
        for bound in (("--within", "0.3"), ("--within", "0.2"), ("--threshold", "0.7"), ("--threshold", "0.9")):
            direct = self.sosie("dedup", "in.sets", *bound, "--removed", "r.tsv").out, self.read("r.tsv")
            again = self.sosie("dedup", "in.sets", *bound, "--removed", "r.tsv", "--reuse", "p.tsv").out
            self.assertEqual((again, self.read("r.tsv")), direct)
        for bound in (("--within", "0.4"), ("--threshold", "0.6")):
            self.refuses(2, "dedup", "in.sets", *bound, "--reuse", "p.tsv", says="lacks pairs for " + " ".join(bound))


class ClusterDistances(RefusalTest):
    PAIRS = "#sosie within=5 measure=euclidean\nleft\tright\tdistance\na\tb\t2.000000\nb\tc\t4.333333\n"

    def test_pairs_within_the_bound_make_groups(self):
        self.write("p.tsv", self.PAIRS)
        for bound, clustering, expected in ((("--within", "2"), "star", {"a", "b"}),
                                            (("--within", "13/3"), "components", {"a", "b", "c"}),
                                            ((), "components", {"a", "b", "c"})):
            out = self.sosie("cluster", "p.tsv", *bound, "--clustering", clustering).out
            self.assertEqual({row["id"] for row in read_table(out)}, expected)

    def test_what_cannot_be_meant(self):
        self.write("p.tsv", self.PAIRS)
        self.write("s.tsv", "left\tright\tsimilarity\na\tb\t0.9\n")
        self.refuses(2, "cluster", "p.tsv", "--within", "5.1", hints="use --within 5",
                     says="p.tsv: was made with --within 5 and lacks pairs for --within 5.1")
        self.refuses(2, "cluster", "p.tsv", "--threshold", "0.5", says="p.tsv: contains distances", hints="--within D")
        self.refuses(2, "cluster", "s.tsv", "--within", "1", says="s.tsv: contains similarities", hints="--threshold S")
        self.refuses(2, "cluster", "s.tsv", "--within", "1", "--threshold", "1", says="cannot be combined with --threshold")


if __name__ == "__main__":
    unittest.main()

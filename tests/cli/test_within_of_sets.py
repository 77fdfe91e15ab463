"""--within D for the Jaccard distance: exactly the pairs with similarity 1 - D or more, reported
with distances."""

import unittest
from fractions import Fraction

import corpus
from support import SosieTest, read_table
from test_sets import baskets, lines, numbered


def distance(left: frozenset, right: frozenset) -> Fraction:
    return 1 - Fraction(len(left & right), len(left | right))


class WithinOfSets(SosieTest):
    def test_pairs_are_those_of_the_definition(self):
        rows = baskets(41, 120)
        self.write("in.sets", lines(rows))
        for kind, sets in (("sets", [frozenset(row) for row in rows]),
                           ("bags", [numbered(row) for row in rows])):
            for within in ("0", "0.2", "1/3", ".75"):
                near = {(str(i), str(j)): f"{float(distance(left, right)):.6f}"
                        for i, left in enumerate(sets) for j, right in enumerate(sets)
                        if i < j and left and right and distance(left, right) <= Fraction(within)}
                for method in ("exact", "brute"):
                    found = read_table(self.sosie("pairs", "in.sets", "--kind", kind, "--within",
                                                  within, "--method", method).out)
                    self.assertEqual({(row["left"], row["right"]): row["distance"]
                                      for row in found}, near, (kind, within, method))

    def test_every_verb_takes_it_for_the_threshold_that_says_the_same(self):
        self.write("in.jsonl", corpus.texts(84, 80))
        for args in (("pairs", "in.jsonl"), ("query", "in.jsonl", "in.jsonl"),
                     ("dedup", "in.jsonl"), ("dedup", "in.jsonl", "--clustering", "components")):
            by_distance = self.sosie(*args, "--within", "0.4").out
            by_similarity = self.sosie(*args, "--threshold", "0.6").out
            if args[0] == "dedup":
                self.assertEqual(by_distance, by_similarity)
                continue
            self.assertTrue(by_distance.startswith(b"left\tright\tdistance\n"))
            self.assertEqual([line.rsplit(b"\t", 1)[0] for line in by_distance.splitlines()],
                             [line.rsplit(b"\t", 1)[0] for line in by_similarity.splitlines()])

    def test_plan_and_explain_take_it(self):
        self.write("in.jsonl", corpus.texts(85, 30))
        self.assertEqual(self.sosie("plan", "--verbose", "in.jsonl", "--within", "1/5").out.count(b"4/5") > 0,
                         True)
        said = self.sosie("explain", "0", "1", "in.jsonl", "--id", "row", "--within", "0.2").out
        self.assertIn(b"4/5", said)

    def test_tables_tell_distances(self):
        self.write("in.sets", "a b c d\na b c d e\n")
        self.sosie("dedup", "in.sets", "--within", "0.2", "--removed", "r.tsv", "--pairs", "p.tsv",
                   "-o", "kept.sets")
        self.assertEqual(self.table("r.tsv")[0]["distance"], "0.200000")
        pairs = (self.dir / "p.tsv").read_bytes()
        self.assertEqual(pairs, b"#sosie within=0.2 measure=jaccard\nleft\tright\tdistance\n"
                                b"0\t1\t0.200000\n")

    def test_what_is_no_distance_is_refused(self):
        self.write("in.sets", "a b\n")
        args = ("pairs", "in.sets", "--within")
        self.fails(2, *args, "0.2", "--threshold", "0.8", says="the same bound as --threshold; give only one")
        self.fails(2, *args, "1", says="every pair is within it", hints="below 1")
        self.fails(2, *args, "0.2", "--measure", "dice", says="dice is a similarity")
        self.fails(2, *args, "0.2", "--kind", "bags", "--union", "sum", says="no distance")


if __name__ == "__main__":
    unittest.main()

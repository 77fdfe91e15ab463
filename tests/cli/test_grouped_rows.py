"""Sets given by one (set, element) pair a row: --group-by, --element, --weight."""

import json
import random
import unittest

from support import SosieTest, jsonl
from test_sets import baskets, lines

PAIRS = ("--group-by", "basket", "--element", "item")


class GroupedRows(SosieTest):
    def rows_of(self, rows: list[list[str]]) -> list[dict]:
        """One row a (set, element) pair; the sets' rows far from each other, in random order
        behind the first of each."""
        first = [{"basket": f"b{n}", "item": row[0]} for n, row in enumerate(rows) if row]
        rest = [{"basket": f"b{n}", "item": item} for n, row in enumerate(rows)
                for item in row[1:]]
        random.Random(7).shuffle(rest)
        return first + rest

    def test_the_pairs_are_those_of_whole_sets(self):
        rows = [row for row in baskets(40, 150) if row]
        self.write("in.sets", lines(rows))
        pairs = self.rows_of(rows)
        self.write("in.jsonl", jsonl(pairs))
        self.write("in.csv", b"n,item,basket\n" + b"".join(
            f"{n},\"{row['item']}\",{row['basket']}\r\n".encode() for n, row in enumerate(pairs)))
        for kind, method in (("sets", "exact"), ("sets", "brute"), ("bags", "exact")):
            args = ("--kind", kind, "--threshold", "0.5", "--method", method)
            whole = self.sosie("pairs", "in.sets", *args).out.decode().splitlines()
            named = [whole[0]] + ["b" + line.replace("\t", "\tb", 1) for line in whole[1:]]
            self.assertGreater(len(named), 50)
            for name in ("in.jsonl", "in.csv"):
                out = self.sosie("pairs", name, *PAIRS, *args).out.decode().splitlines()
                self.assertEqual(out, named, (name, args))

    def test_files_are_one_collection(self):
        self.write("1.jsonl", jsonl([{"basket": 1, "item": "a"}, {"basket": "2", "item": "a"}]))
        self.write("2.csv", "basket,item\n1,b\n3,a\n2,b\n1,a\n")
        result = self.sosie("pairs", "1.jsonl", "2.csv", *PAIRS, "-o", "out.jsonl",
                            "--threshold", "0.5")
        self.assertEqual([json.loads(line) for line in self.read("out.jsonl").splitlines()],
                         [{"left": 1, "right": "2", "similarity": 1.0},
                          {"left": 1, "right": "3", "similarity": 0.5},
                          {"left": "2", "right": "3", "similarity": 0.5}])
        self.assertIn("3 rows read", result.err)

    def test_weights_are_counts_or_ratings(self):
        rated = {"ann": {"x": 5, "y": 1, "z": 3}, "bob": {"x": 4, "y": 2}, "cy": {"x": 1, "z": 3}}
        self.write("in.csv", "basket,item,stars\n" + "".join(
            f"{name},{item},{stars}\n" for item in "yxz"
            for name, all_of in rated.items() for i, stars in all_of.items() if i == item))
        self.write("objects.jsonl", jsonl([{"id": name, "text": all_of}
                                           for name, all_of in rated.items()]))
        weight = (*PAIRS, "--weight", "stars", "--threshold", "0.1", "--method", "exact")
        for options in (("--ratings", "drop:3"), ("--ratings", "liked-hated:3"),
                        ("--kind", "bags"), ("--kind", "sets")):
            kind = () if options[0] == "--kind" else ("--kind", "sets")
            out = self.sosie("pairs", "in.csv", *weight, *options).out
            expected = self.sosie("pairs", "objects.jsonl", "--threshold", "0.1", "--method",
                                  "exact", *options, *kind).out
            self.assertEqual(sorted(out.splitlines()), sorted(expected.splitlines()))
            self.assertGreater(len(out.splitlines()), 1)
        bags = self.sosie("pairs", "in.csv", *weight, "--stats", "s.json")
        self.assertEqual(self.stats("s.json").tree["kind"], "bags")
        self.assertEqual(bags.out, self.sosie("pairs", "in.csv", *weight, "--kind", "bags").out)

    def test_joins_of_two_collections(self):
        self.write("left.csv", "basket,item\nl1,a\nl2,b\nl1,b\n")
        self.write("right.csv", "item,basket\na,r1\nb,r1\nc,r1\nb,r2\n")
        args = (*PAIRS, "--threshold", "0.5")
        expected = b"left\tright\tsimilarity\nl1\tr1\t0.666667\nl1\tr2\t0.500000\n" \
                   b"l2\tr2\t1.000000\n"
        self.assertEqual(self.sosie("pairs", "left.csv", "--against", "right.csv", *args).out,
                         expected)
        self.assertEqual(self.sosie("query", "right.csv", "left.csv", *args).out, expected)

    def test_ids_and_elements_hold_any_bytes(self):
        odd = "a\tb\\t \\n \u00e9 'q'"
        self.write("in.jsonl", jsonl([{"basket": odd, "item": odd}, {"basket": odd, "item": 5},
                                      {"basket": "two\nlines", "item": "5"},
                                      {"basket": "two\nlines", "item": odd}]))
        self.sosie("pairs", "in.jsonl", *PAIRS, "-o", "out.jsonl", "--threshold", "1")
        self.assertEqual(json.loads(self.read("out.jsonl")),
                         {"left": odd, "right": "two\nlines", "similarity": 1.0})
        self.write("in.csv", b"basket,item\n\xff,\xfe\n\xff,\xfd\nz,\xfe\n")
        self.assertEqual(self.sosie("pairs", "in.csv", *PAIRS, "--threshold", "0.5").out,
                         b"left\tright\tsimilarity\n\xff\tz\t0.500000\n")

    def test_nothing_and_one_row(self):
        self.write("none.csv", "basket,item\n")
        self.write("empty.jsonl", "")
        self.write("one.csv", "basket,item\na,b\n")
        for name in ("none.csv", "empty.jsonl", "one.csv"):
            self.assertEqual(self.sosie("pairs", name, *PAIRS).out, b"left\tright\tsimilarity\n")
            plan = self.sosie("plan", name, *PAIRS)
            self.assertIn("sensitivity", plan.out.decode() + plan.err)

    def test_bad_rows_are_named(self):
        head = '{"basket": 1, "item": "a", "n": 2}\n\n'
        args = (*PAIRS, "--weight", "n")
        for row, reason in (('{"item": "a", "n": 1}', "field 'basket' is missing"),
                            ('{"basket": 1, "n": 1}', "field 'item' is missing"),
                            ('{"basket": 1, "item": ["a"], "n": 1}', "field 'item' is .*a"),
                            ('{"basket": 1, "item": "a"}', "field 'n' is missing"),
                            ('{"basket": 1, "item": "a", "n": "x"}', "field 'n' is 'x', not a num"),
                            ('{"basket": 1, "item": "a", "n": -1}', "field 'n': -1 for 'a'"),
                            ('{"basket": 1, "item": "a", "n": 0.5}', "field 'n': 0.5 for 'a'"),
                            ('{"basket": 1.5, "item": "a", "n": 1}', "field 'basket' is a fraction"),
                            ('{"basket": 1', "broken JSON")):
            self.write("in.jsonl", head + row + "\n")
            self.fails(3, "pairs", "in.jsonl", *args, says=f"in.jsonl:3: {reason}")
        for weight in ("nan", "-0.1", "inf", "many"):
            self.write("in.csv", f"basket,item,n\na,b,1\na,b,{weight}\n")
            self.fails(3, "pairs", "in.csv", *args, "--ratings", "drop:1", says="in.csv:3: field 'n'")
        self.write("in.csv", "basket,thing\na,b\n")
        self.fails(3, "pairs", "in.csv", *PAIRS, says="in.csv:1: field 'item' is missing")

    def test_what_cannot_be_meant(self):
        self.write("in.csv", "basket,item\na,b\n")
        self.write("in.txt", "a\n")
        self.fails(2, "pairs", "in.csv", "--group-by", "basket", says="needs --element")
        self.fails(2, "pairs", "in.csv", "--element", "item", says="without --group-by")
        self.fails(2, "pairs", "in.csv", *PAIRS, "--ratings", "bag", says="needs --weight")
        self.fails(2, "pairs", "in.csv", *PAIRS, "--kind", "text", says="items of kind text")
        self.fails(2, "pairs", "in.csv", *PAIRS, "--kind", "vectors", says="not for vectors")
        self.fails(2, "pairs", "in.txt", *PAIRS, says="in.txt has no fields")
        for option in (("--column", "item"), ("--id", "basket"), ("--show", "item"),
                       ("--on-bad-row", "skip")):
            self.fails(2, "pairs", "in.csv", *PAIRS, *option, says="cannot go with --group-by")
        self.fails(2, "pairs", "in.csv", *PAIRS, "-o", "in.csv", says="is an input of this run")
        self.fails(2, "dedup", "in.csv", *PAIRS)
        self.write("large.csv", "basket,item\n" + "".join(f"{i},{i}\n" for i in range(9000)))
        self.fails(4, "pairs", "large.csv", *PAIRS, "--memory", "1M", says="--group-by: the sets",
                   hints="raise --memory")


if __name__ == "__main__":
    unittest.main()

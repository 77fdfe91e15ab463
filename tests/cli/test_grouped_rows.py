"""Sets given as one (set, element) pair per row: --group-by, --element, --weight."""

import gzip
import json
import os
import random
import unittest

from support import SosieTest, jsonl, without_note
from test_sets import baskets, lines

PAIRS = ("--group-by", "basket", "--element", "item")


class GroupedRows(SosieTest):
    def rows_of(self, rows: list[list[str]]) -> list[dict]:
        """Returns one (set, element) pair per row; after its first row, the rows of a set are in
        random order and far apart."""
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

    def test_elements_are_compared_to_their_last_byte(self):
        sets = {"x": ["a"], "y": ["a\r"], "z": ["b", "a\r"], "u": ["a\r", "b"], "v": ["c", "c\t"],
                "w\r": ["c\t", "c"]}
        rows = [{"basket": name, "item": item} for name in sets for item in sets[name]]
        self.write("in.jsonl", jsonl(rows))
        self.write("in.csv", b"basket,item\n" + b"".join(
            f'"{row["basket"]}","{row["item"]}"\n'.encode() for row in rows))
        expected = [{"left": "y", "right": "z", "similarity": .5},
                    {"left": "y", "right": "u", "similarity": .5},
                    {"left": "z", "right": "u", "similarity": 1.0},
                    {"left": "v", "right": "w\r", "similarity": 1.0}]
        for name in ("in.jsonl", "in.csv"):
            for method in ("exact", "brute", "lsh"):
                self.sosie("pairs", name, "--kind", "sets", *PAIRS, "--threshold", ".5", "--method",
                           method, "-o", "out.jsonl")
                found = [json.loads(line) for line in self.read("out.jsonl").splitlines()]
                self.assertCountEqual(found, expected, (name, method))
        self.sosie("dedup", "in.jsonl", "--kind", "sets", *PAIRS, "--threshold", "1", "-o", "kept.jsonl")
        kept = {json.loads(line)["basket"] for line in self.read("kept.jsonl").splitlines()}
        self.assertEqual(kept, {"x", "y", "z", "v"})

    def test_files_are_one_collection(self):
        self.write("1.jsonl", jsonl([{"basket": 1, "item": "a"}, {"basket": "2", "item": "a"}]))
        self.write("2.csv", "basket,item\n1,b\n3,a\n2,b\n1,a\n")
        result = self.sosie("pairs", "1.jsonl", "2.csv", *PAIRS, "-o", "out.jsonl",
                            "--threshold", "0.5")
        self.assertEqual([json.loads(line) for line in self.read("out.jsonl").splitlines()],
                         [{"left": 1, "right": "2", "similarity": 1.0},
                          {"left": 1, "right": "3", "similarity": 0.5},
                          {"left": "2", "right": "3", "similarity": 0.5}])
        self.assertIn("3 read", result.err)

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
        rated_bags = self.sosie("pairs", "in.csv", *weight, "--ratings", "bag", "--stats", "s.json")
        self.assertEqual(self.stats("s.json").tree["kind"], "bags")
        bags = self.sosie("pairs", "in.csv", *weight, "--stats", "s.json")
        self.assertEqual(self.stats("s.json").tree["kind"], "bags")
        self.assertEqual(bags.out, self.sosie("pairs", "in.csv", *weight, "--kind", "bags").out)
        self.assertEqual(rated_bags.out, bags.out)

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
            self.assertIn("recall", plan.out.decode() + plan.err)

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
        self.fails(2, "pairs", "in.csv", "--element", "item", says="needs --group-by")
        self.fails(2, "pairs", "in.csv", *PAIRS, "--ratings", "bag", says="needs --weight")
        self.fails(2, "pairs", "in.csv", *PAIRS, "--kind", "text", says="does not apply to texts")
        self.fails(2, "pairs", "in.csv", *PAIRS, "--kind", "vectors", says="does not apply to vectors")
        self.fails(2, "pairs", "in.txt", *PAIRS, says="in.txt has no fields")
        for option in (("--column", "item"), ("--id", "basket"), ("--show", "item"),
                       ("--on-bad-row", "skip")):
            self.fails(2, "pairs", "in.csv", *PAIRS, *option, says="cannot be combined with --group-by")
        self.fails(2, "pairs", "in.csv", *PAIRS, "-o", "in.csv", says="is an input of this run")
        self.fails(2, "explain", "a", "a", "in.csv", *PAIRS)
        self.write("large.csv", "basket,item\n" + "".join(f"{i},{i}\n" for i in range(9000)))
        self.fails(4, "pairs", "large.csv", *PAIRS, "--memory", "1M", says="--group-by: the sets",
                   hints="raise --memory")


class DedupOfGroupedRows(SosieTest):
    """An item is the set; the output consists of the rows of the kept sets."""

    def write_baskets(self) -> tuple[list[list[str]], list[dict]]:
        sets = [row for row in baskets(40, 150) if row]
        rows = [{"basket": f"b{n}", "item": item} for n, row in enumerate(sets) for item in row]
        random.Random(7).shuffle(rows)
        order = list(dict.fromkeys(row["basket"] for row in rows))  # of their first rows
        self.write("sets.jsonl", jsonl([{"id": name, "text": sets[int(name[1:])]}
                                        for name in order]))
        self.write("in.jsonl", jsonl(rows))
        return sets, rows

    def test_writes_the_rows_of_the_sets_that_are_kept(self):
        _, rows = self.write_baskets()
        for options in (("--kind", "sets"), ("--kind", "bags"), ("--keep", "longest"),
                        ("--clustering", "components"), ("--memory", "1M", "--threads", "1"),
                        ("--measure", "containment")):
            args = ("--threshold", "0.6", "--method", "exact", *options)
            kind = () if "--kind" in options else ("--kind", "sets")
            self.sosie("dedup", "sets.jsonl", *args, *kind, "-o", "whole.jsonl",
                       "--removed", "whole.tsv", "--clusters", "whole-clusters.tsv")
            kept = {json.loads(line)["id"] for line in self.read("whole.jsonl").splitlines()}
            out = self.sosie("dedup", "in.jsonl", *PAIRS, *args, "--removed", "removed.tsv",
                             "--clusters", "clusters.tsv", "--pairs", "pairs.tsv").out
            self.assertEqual(out, jsonl([row for row in rows if row["basket"] in kept]), options)
            self.assertLess(len(kept), len({row["basket"] for row in rows}) - 20)
            for ours, whole in (("removed.tsv", "whole.tsv"),
                                ("clusters.tsv", "whole-clusters.tsv")):
                self.assertEqual([self.without_files(row) for row in self.table(ours)],
                                 [self.without_files(row) for row in self.table(whole)])
            self.assertEqual(without_note(self.read("pairs.tsv")), self.sosie(
                "pairs", "in.jsonl", *PAIRS, *args[:4], *(o for o in options if "--keep" not in
                options and "--clustering" not in options)).out)

    def without_files(self, row: dict) -> dict:
        return {name: value for name, value in row.items() if not name.endswith("file")}

    def test_rows_stay_as_they_came_under_one_header(self):
        self.write("1.csv", b'item,basket,n\r\n"a",x,1\r\n\'b\' ,y,"2\n3"\r\nb,x,4')
        self.write("2.csv", b"item,basket,n\na,z,5\nc,y,6\nb,z,7\n\"a\",w,8\n")
        out = self.sosie("dedup", "1.csv", "2.csv", *PAIRS, "-o", "out.csv", "--removed", "r.tsv")
        self.assertEqual(self.read("out.csv"),
                         b'item,basket,n\r\n"a",x,1\r\n\'b\' ,y,"2\n3"\r\nb,x,4\nc,y,6\n"a",w,8\n')
        self.assertEqual([(row["id"], row["kept_id"], row["exact"], row["row"], row["kept_row"])
                          for row in self.table("r.tsv")], [("z", "x", "true", "2", "0")])
        self.assertIn("4 read, 3 kept, 1 removed", out.err)

    def test_a_folder_has_the_rows_of_each_file_apart(self):
        os.makedirs(self.dir / "sub")
        self.write("1.csv", b"item,basket,n\r\na,x,1\r\nb,y,2\r\nb,x,3")
        self.write("sub/2.csv.gz", gzip.compress(b"basket,item\nz,a\ny,c\nz,b\n"))
        self.write("sub/3.jsonl", b'{"basket": "z", "item": "a"}\n{"basket": "w", "item": "d"}')
        for threads in ("1", "3"):
            self.sosie("dedup", "1.csv", "sub", *PAIRS, "-o", "out/", "--overwrite", "--threads",
                       threads)
            self.assertEqual(self.read("out/1.csv"), self.read("1.csv"))
            self.assertEqual(gzip.decompress(self.read("out/2.csv.gz")), b"basket,item\ny,c\n")
            self.assertEqual(self.read("out/3.jsonl"), b'{"basket": "w", "item": "d"}')
        self.fails(2, "dedup", "1.csv", "sub/../1.csv", *PAIRS, "-o", "two/",
                   says="would both be written")

    def test_rows_are_annotated_with_what_became_of_their_set(self):
        self.write("in.csv", b"basket,item\nx,a\ny,a\nz,b\nx,c\ny,c\n")
        self.write("in.jsonl", jsonl([{"basket": basket, "item": item} for basket, item in
                                      ((7, "a"), ("y", "a"), ("z", "b"), (7, "c"), ("y", "c"))]))
        out = self.sosie("dedup", "in.csv", *PAIRS, "--annotate", "all").out
        self.assertEqual(out, b"basket,item,duplicate_of,cluster_size\nx,a,,2\ny,a,x,2\nz,b,,1\n"
                              b"x,c,,2\ny,c,x,2\n")
        self.sosie("dedup", "in.jsonl", *PAIRS, "--annotate", "all", "-o", "out/")
        rows = [json.loads(line) for line in self.read("out/in.jsonl").splitlines()]
        self.assertEqual([(row["basket"], row["duplicate_of"], row["cluster_size"]) for row in rows],
                         [(7, None, 2), ("y", 7, 2), ("z", None, 1), (7, None, 2), ("y", 7, 2)])
        kept = self.sosie("dedup", "in.csv", *PAIRS, "--annotate", "kept").out
        self.assertEqual(kept, b"basket,item,duplicate_of,cluster_size\nx,a,,2\nz,b,,1\nx,c,,2\n")
        self.write("bad.csv", b"\nbasket,item,cluster_size\nx,a,1\n")
        self.fails(2, "dedup", "bad.csv", *PAIRS, "--annotate", "all",
                   says="bad.csv:2: --annotate: field 'cluster_size' exists already")

    def test_does_not_depend_on_threads_and_reads_packed_inputs_and_pipes(self):
        self.write_baskets()
        args = (*PAIRS, "--threshold", "0.6")
        expected = self.sosie("dedup", "in.jsonl", *args, "--threads", "1").out
        self.assertEqual(self.sosie("dedup", "in.jsonl", *args, "--threads", "5").out, expected)
        self.write("in.jsonl.gz", gzip.compress(self.read("in.jsonl")))
        self.assertEqual(self.sosie("dedup", "in.jsonl.gz", *args).out, expected)
        self.assertEqual(self.sosie("dedup", "-", *args, "--format", "jsonl",
                                    stdin=self.read("in.jsonl")).out, expected)

    def test_goes_on_from_a_checkpoint_and_from_pairs(self):
        self.write_baskets()
        args = ("in.jsonl", *PAIRS, "--threshold", "0.6", "--method", "lsh")
        expected = self.sosie("dedup", *args).out
        for _ in range(2):
            self.assertEqual(self.sosie("dedup", *args, "--checkpoint", "done").out, expected)
        self.sosie("pairs", *args, "-o", "pairs.tsv")
        reused = self.sosie("dedup", "in.jsonl", *PAIRS, "--threshold", "0.6", "--reuse",
                            "pairs.tsv").out
        self.assertEqual(reused, expected)

    def test_against_removes_sets_that_the_other_has(self):
        self.write("new.csv", "basket,item\nn1,a\nn2,b\nn1,b\nn3,c\n")
        self.write("known.csv", "item,basket\na,k1\nb,k1\nc,k2\nd,k2\n")
        out = self.sosie("dedup", "new.csv", "--against", "known.csv", *PAIRS, "--removed", "r.tsv")
        self.assertEqual(out.out, b"basket,item\nn2,b\nn3,c\n")
        self.assertEqual([(row["id"], row["kept_id"]) for row in self.table("r.tsv")],
                         [("n1", "k1")])

    def test_weights_count(self):
        self.write("in.csv", "basket,item,n\nx,a,3\nx,b,1\ny,a,3\ny,b,1\nz,a,1\nz,b,1\n")
        self.assertEqual(self.sosie("dedup", "in.csv", *PAIRS, "--weight", "n").out,
                         b"basket,item,n\nx,a,3\nx,b,1\nz,a,1\nz,b,1\n")
        self.assertEqual(self.sosie("dedup", "in.csv", *PAIRS).out, b"basket,item,n\nx,a,3\nx,b,1\n")

    def test_nothing_and_a_dry_run(self):
        self.write("none.csv", "basket,item\n")
        self.assertEqual(self.sosie("dedup", "none.csv", *PAIRS).out, b"basket,item\n")
        self.write("in.csv", "basket,item\na,b\n")
        self.assertEqual(self.sosie("dedup", "in.csv", *PAIRS, "--dry-run").out, b"")

    def test_what_cannot_be_written(self):
        self.write("in.csv", "basket,item\na,b\n")
        self.write("other.csv", "item,basket\nb,a\n")
        self.write("in.jsonl", jsonl([{"basket": "a", "item": "b"}]))
        for option in (("--on-bad-row", "skip"), ("--rejects", "r.tsv")):
            self.fails(2, "dedup", "in.csv", *PAIRS, *option, says="cannot be combined with --group-by")
        self.fails(2, "dedup", "in.csv", *PAIRS, "--keep", "max:n", says="have no such field")
        self.fails(2, "dedup", "in.csv", *PAIRS, "-o", "in.csv", says="is an input of this run")
        self.fails(2, "dedup", "in.csv", *PAIRS, "-o", "out.jsonl", says="the input is csv")
        self.fails(2, "dedup", "in.csv", "in.jsonl", *PAIRS, says="cannot write csv and jsonl")
        self.fails(3, "dedup", "in.csv", "other.csv", *PAIRS,
                   says="other.csv:1: the header differs from that of in.csv")
        out = self.sosie("dedup", "in.csv", "other.csv", *PAIRS, "--dry-run", "--clusters", "c.tsv")
        self.assertIn("1 read, 1 would be kept", out.err)


if __name__ == "__main__":
    unittest.main()

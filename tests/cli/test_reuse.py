"""`dedup --reuse FILE`: pairs or clusters from an earlier run replace the comparisons."""

import unittest

import corpus
from support import SosieTest, oracle

OUTPUTS = ("--removed", "r.tsv", "--clusters", "c.tsv")


class Reuse(SosieTest):
    def setUp(self):
        super().setUp()
        self.write("in.jsonl", corpus.texts(21, 90))

    def outcome(self, *args: str) -> tuple:
        out = self.kept("in.jsonl", *OUTPUTS, *args)
        return out, self.read("r.tsv"), self.read("c.tsv")

    def test_pairs_give_the_result_of_the_direct_run(self):
        for method in ("brute", "lsh"):
            for extension in ("tsv", "csv", "jsonl"):
                self.sosie("pairs", "in.jsonl", "--method", method, "-o", f"p.{extension}")
                for clustering in ("star", "components"):
                    for keep in ("first", "last", "longest"):
                        args = ("--clustering", clustering, "--keep", keep)
                        direct = self.outcome("--method", method, *args)
                        self.assertEqual(self.outcome("--reuse", f"p.{extension}", *args), direct)

    def test_pairs_serve_every_higher_threshold(self):
        self.sosie("pairs", "in.jsonl", "--threshold", "0.2", "--method", "brute", "-o", "p.tsv")
        for threshold in ("1/3", "0.5", "2/3", "0.9", "1"):
            direct = self.outcome("--method", "brute", "--threshold", threshold)
            self.assertEqual(self.outcome("--reuse", "p.tsv", "--threshold", threshold), direct)

    def test_clusters_give_the_result_of_the_direct_run(self):
        for keep in ("first", "longest"):
            direct = self.outcome("--keep", keep)
            for extension in ("tsv", "csv", "jsonl"):
                self.kept("in.jsonl", "--keep", keep, "--clusters", f"e.{extension}")
                self.assertEqual(self.outcome("--reuse", f"e.{extension}"), direct)

    def test_rows_may_be_numbered(self):
        self.write("in.txt", "one two\nthree\nOne two\n")
        self.sosie("pairs", "in.txt", "-o", "p.tsv")
        self.assertEqual(self.kept("in.txt", "--reuse", "p.tsv"), b"one two\nthree\n")
        self.write("p.tsv", "left\tright\tsimilarity\n0\t3\t1.000000\n")
        self.fails(3, "dedup", "in.txt", "--reuse", "p.tsv", says=r"p\.tsv:2: .*'3'")
        self.write("p.tsv", "left\tright\tsimilarity\n0\t01\t1.000000\n")
        self.fails(3, "dedup", "in.txt", "--reuse", "p.tsv", says=r"p\.tsv:2: .*'01'")

    def test_nothing_reused_from_empty_files(self):
        for name, content in (("p.csv", "left,right,similarity\n"), ("p.jsonl", ""), ("e.tsv", "id\tcluster_id\tkept\tsize\n")):
            self.write("in.txt", "one two three\nfour\n")
            self.write(name, content)
            self.assertEqual(self.kept("in.txt", "--reuse", name), b"one two three\nfour\n")

    def test_a_table_without_a_header_is_refused(self):
        self.write("in.txt", "one two three\nfour\n")
        for name in ("p.tsv", "p.csv", "p.tsv.gz"):
            self.write(name, b"")
            for run in (("dedup", "in.txt", "--reuse", name), ("cluster", name)):
                self.fails(3, *run, says=f"^sosie: {name}: is empty: it has no header$",
                           hints="recreate it")
        self.fails(4, "dedup", "in.txt", "--reuse", "nope.sketch",
                   says="^sosie: nope.sketch: No such file or directory$")

    def test_pairs_wait_in_the_kept_order_not_the_files(self):
        self.write("in.jsonl", [{"id": "a", "text": "one"}, {"id": "b", "text": "two"}])
        self.write("p.tsv", "left\tright\tsimilarity\nb\ta\t0.900000\n")
        rows = self.rows_of("in.jsonl")
        self.assertEqual(self.kept("in.jsonl", "--reuse", "p.tsv"), rows[0].raw)
        self.assertEqual(self.kept("in.jsonl", "--reuse", "p.tsv", "--keep", "last"), rows[1].raw)


class Edited(SosieTest):
    HEAD = "id\tcluster_id\tkept\tsize\n"

    def setUp(self):
        super().setUp()
        words = [f"w{number}" for number in range(60)]
        self.write("in.jsonl", [" ".join(words[start:start + 40]) for start in (0, 1, 2)]
                   + ["something else"])
        self.rows = self.rows_of("in.jsonl")

    def dedup(self, content: str) -> list[str]:
        """Ids of the kept rows."""
        self.write("e.tsv", self.HEAD + content)
        out = self.kept("in.jsonl", "--reuse", "e.tsv", "--removed", "r.tsv")
        kept = [row for row in self.rows if row.raw in out]
        self.assertEqual(out, oracle.joined([row.raw for row in kept]))
        return [row.id for row in kept]

    def removed(self) -> list[tuple]:
        return [(row["id"], row["kept_id"], row["similarity"]) for row in self.table("r.tsv")]

    def test_a_person_keeps_one_more(self):
        self.assertEqual(self.dedup("d0\td0\ttrue\t3\nd1\td0\tTRUE\t3\nd2\td0\tfalse\t3\n"),
                         ["d0", "d1", "d3"])
        self.assertEqual(self.removed(), [("d2", "d0", "0.894737")])

    def test_a_person_keeps_another(self):
        self.assertEqual(self.dedup("d0\td0\tfalse\t2\nd2\td0\ttrue\t2\n"), ["d1", "d2", "d3"])
        self.assertEqual(self.removed(), [("d0", "d2", "0.894737")])

    def test_a_person_removes_all_of_a_group(self):
        self.assertEqual(self.dedup("d0\td0\tfalse\t2\nd1\td0\tfalse\t2\n"), ["d2", "d3"])
        self.assertEqual(self.removed(), [("d0", "", "0.000000"), ("d1", "", "0.000000")])
        self.assertIn("e.tsv: 1 cluster keeps no row: all its rows are removed\n",
                      self.sosie("dedup", "in.jsonl", "--reuse", "e.tsv").err)

    def test_groups_need_not_be_similar_and_size_not_be_there(self):
        self.write("e.csv", "kept,cluster_id,id\ntrue,x,d0\nfalse,x,d3\n")
        self.kept("in.jsonl", "--reuse", "e.csv", "--removed", "r.tsv")
        self.assertEqual(self.removed(), [("d3", "d0", "0.000000")])

    def test_clusters_of_a_run_against_others_serve_without_them(self):
        self.write("old.txt", self.rows[0].text + "\n")
        direct = self.kept("in.jsonl", "--against", "old.txt", "--clusters", "e.tsv")
        self.assertEqual(self.kept("in.jsonl", "--reuse", "e.tsv"), direct)

    def test_mistakes_are_located(self):
        for content, says in (("zz\td0\ttrue\t2\n", r"e\.tsv:2: .*'zz'"),
                              ("d0\td0\tmaybe\t2\n", r"e\.tsv:2: kept is 'maybe'"),
                              ("d0\td0\ttrue\t2\nd0\td0\tfalse\t2\n", r"e\.tsv:3: .* twice")):
            self.write("e.tsv", self.HEAD + content)
            self.fails(3, "dedup", "in.jsonl", "--reuse", "e.tsv", says=says)
        self.write("p.tsv", "left\tright\tsimilarity\nd0\tzz\t0.900000\n")
        self.fails(3, "dedup", "in.jsonl", "--reuse", "p.tsv", says=r"p\.tsv:2: .*'zz'")
        self.write("x.tsv", "a\tb\n")
        self.fails(3, "dedup", "in.jsonl", "--reuse", "x.tsv", says=r"x\.tsv:1: neither")
        self.fails(4, "dedup", "in.jsonl", "--reuse", "gone.tsv", says="gone.tsv")

    def test_what_reuse_cannot_go_with(self):
        self.write("p.tsv", "left\tright\tsimilarity\n")
        for more in (("--against", "in.jsonl"), ("--pairs", "q.tsv"), ("--audit",)):
            self.fails(2, "dedup", "in.jsonl", "--reuse", "p.tsv", *more, says=more[0])
        self.fails(2, "dedup", "in.jsonl", "--reuse", "p.tsv", "-o", "p.tsv", says="is an input")


if __name__ == "__main__":
    unittest.main()

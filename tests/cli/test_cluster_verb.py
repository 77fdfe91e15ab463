"""`sosie cluster PAIRS` and `--clustering`: groups from verified pairs."""

import unittest
from fractions import Fraction

import corpus
from support import CLUSTERS_COLUMNS, SosieTest, oracle, read_table


def groups(table: list[dict]) -> dict:
    """Survivor -> (set of members, size)."""
    found: dict = {}
    for row in table:
        members, size = found.setdefault(row["cluster_id"], (set(), row["size"]))
        members.add(row["id"])
        assert size == row["size"]
        assert (row["kept"] == "true") == (row["id"] == row["cluster_id"])
    return found


class ClusterVerb(SosieTest):
    def setUp(self):
        super().setUp()
        self.write("in.jsonl", corpus.texts(11, 90))

    def pairs(self, threshold: str, name: str = "p.tsv") -> str:
        self.sosie("pairs", "in.jsonl", "--threshold", threshold, "--method", "brute", "-o", name)
        return name

    def test_groups_are_those_of_dedup(self):
        for threshold in ("0.3", "0.6", "0.8", "1"):
            for clustering in ("star", "components"):
                self.sosie("dedup", "in.jsonl", "--threshold", threshold, "--method", "brute",
                           "--clustering", clustering, "--clusters", "c.tsv", "--dry-run")
                out = self.sosie("cluster", self.pairs(threshold), "--clustering", clustering).out
                self.assertEqual(groups(read_table(out)), groups(self.table("c.tsv")))

    def test_groups_and_pairs_of_link_are_taken(self):
        self.write("groups.csv", "id,cluster_id,size,weakest\na,a,2,0.990000\nb,b,1,\nc,a,2,0.990000\n"
                                 "d,d,2,0.700000\ne,d,2,0.700000\n")
        self.assertEqual(groups(read_table(self.sosie("cluster", "groups.csv").out)),
                         {"a": ({"a", "c"}, "2"), "d": ({"d", "e"}, "2")})
        sure = self.sosie("cluster", "groups.csv", "--threshold", "0.99")
        self.assertEqual(groups(read_table(sure.out)), {"a": ({"a", "c"}, "2")})
        self.assertIn("groups      1; 2 items in them, 1 besides the kept items", sure.err)
        self.assertEqual(read_table(self.sosie("cluster", "groups.csv", "--threshold", "0.991").out), [])
        self.fails(2, "cluster", "groups.csv", "--within", "1", says="its groups have probabilities")
        self.write("pairs.csv", "left,right,score,probability\na,c,9.1,0.990000\nd,e,1.0,0.700000\n")
        done = self.sosie("cluster", "pairs.csv", "--threshold", "0.9")
        self.assertEqual(groups(read_table(done.out)), {"a": ({"a", "c"}, "2")})
        self.assertIn("equal ids of the two collections count as one item here", done.err)
        self.assertNotIn("--threshold it was made", done.err)
        self.fails(3, "dedup", "in.jsonl", "--reuse", "pairs.csv", says="no column 'similarity'")
        self.write("broken.csv", "id,cluster_id,size,weakest\na,a,two,1\n")
        self.fails(3, "cluster", "broken.csv", says="broken.csv:2: 'two' is not a size")
        head = "id,cluster_id,size,weakest\n"
        for rows, says in (("a,a,2,1\na,a,2,1\n", "broken.csv:3: id 'a' occurs twice"),
                           ("a,a,3,1\nb,a,3,1\n", "group 'a' has 2 of its 3 rows"),
                           ("a,c,2,1\nb,c,2,1\n", "none of them with its name as id"),
                           ("a,a,2,1\nb,a,2,.9\n", "broken.csv:3: group 'a' has a different size or weakest"),
                           ("a,a,2.5,1\n", "'2.5' is not a size")):
            self.write("broken.csv", head + rows)
            self.fails(3, "cluster", "broken.csv", says=says)
        self.fails(2, "cluster", "groups.csv", "--clustering", "components", says="groups.csv holds groups")
        self.write("kept.csv", "id,cluster_id,kept,size\na,a,true,2\nb,a,false,2\n")
        self.fails(2, "cluster", "kept.csv", "--threshold", "0.9", says="no weakest pair")

    def test_bad_rows_without_a_group_are_alone(self):
        self.write("bad.csv", "id,given,born\n1,anna,1980\n2,bert\n3,carl,1970\n4,dora\n5,anna,1980\n")
        self.sosie("link", "bad.csv", "--on-bad-row", "keep", "-o", "groups.csv")
        self.assertEqual([row["cluster_id"] for row in self.table("groups.csv")], ["1", "", "3", "", "1"])
        self.assertEqual(groups(read_table(self.sosie("cluster", "groups.csv").out)), {"1": ({"1", "5"}, "2")})
        self.write("texts.csv", "id,text\n" + "".join(f"{i},text {i}\n" for i in range(1, 6)))
        self.write("edited.csv", "id,cluster_id\n1,1\n2,\n4,\n5,1\n")
        kept = self.sosie("dedup", "texts.csv", "--id", "id", "--reuse", "edited.csv", "-o", "-").out.decode()
        self.assertEqual([line.split(",")[0] for line in kept.splitlines()], ["id", "1", "2", "3", "4"])

    def test_any_threshold_above_that_of_the_pairs(self):
        pairs = self.pairs("0.2")
        for threshold in ("0.2", "1/3", "0.5", "2/3", "0.9"):
            self.sosie("dedup", "in.jsonl", "--threshold", threshold, "--method", "brute",
                       "--clusters", "c.tsv", "--dry-run")
            out = self.sosie("cluster", pairs, "--threshold", threshold).out
            self.assertEqual(groups(read_table(out)), groups(self.table("c.tsv")), threshold)

    def test_all_pairs_count_when_no_threshold_is_given(self):
        pairs = self.pairs("0.3")
        self.assertEqual(self.sosie("cluster", pairs).out,
                         self.sosie("cluster", pairs, "--threshold", "0.3").out)

    def test_every_format_in_and_out(self):
        expected = self.sosie("cluster", self.pairs("0.5")).out
        for extension in ("tsv", "csv", "jsonl"):
            name = self.pairs("0.5", f"q.{extension}")
            self.assertEqual(self.sosie("cluster", name).out, expected, extension)
            self.assertEqual(self.sosie("cluster", name, "-o", f"g.{extension}").out, b"")
            self.assertEqual(self.table(f"g.{extension}"), read_table(expected), extension)
        self.assertEqual(list(read_table(expected)[0]), CLUSTERS_COLUMNS)
        self.assertEqual(self.sosie("cluster", "-", stdin=self.read("p.tsv")).out, expected)

    def test_ids_with_special_characters(self):
        ids = ["tab\there", "new\nline", "back\\slash", 'quote"d', "comma,", "\\t"]
        self.write("odd.jsonl", [{"id": one, "text": "the same words"} for one in ids])
        for extension in ("tsv", "csv", "jsonl"):
            self.sosie("pairs", "odd.jsonl", "-o", f"odd-p.{extension}")
            out = self.sosie("cluster", f"odd-p.{extension}").out
            self.assertEqual([row["id"] for row in read_table(out)], ids, extension)

    def test_star_does_not_chain_and_components_do(self):
        self.write("p.tsv", "left\tright\tsimilarity\na\tb\t0.900000\nb\tc\t0.900000\n")
        self.assertEqual(self.sosie("cluster", "p.tsv").out,
                         b"id\tcluster_id\tkept\tsize\na\ta\ttrue\t2\nb\ta\tfalse\t2\n")
        self.assertEqual(self.sosie("cluster", "p.tsv", "--clustering", "components").out,
                         b"id\tcluster_id\tkept\tsize\na\ta\ttrue\t3\nb\ta\tfalse\t3\n"
                         b"c\ta\tfalse\t3\n")

    def test_no_pairs_no_groups(self):
        for content in ("left\tright\tsimilarity\n",):
            self.write("p.tsv", content)
            self.assertEqual(self.sosie("cluster", "p.tsv").out, b"id\tcluster_id\tkept\tsize\n")

    def test_pairs_alone_all_count(self):
        """Pairs as written by other programs: left and right, without a value."""
        self.write("p.csv", "left,right\na,b\nb,c\nx,y\n")
        alone = self.sosie("cluster", "p.csv")
        self.write("p.csv", "left,right,similarity\na,b,1\nb,c,1\nx,y,1\n")
        self.assertEqual(alone.out, self.sosie("cluster", "p.csv").out)
        self.assertNotIn("threshold", alone.err)
        self.assertIn("p.csv: no column similarity or distance, so every pair counts", alone.err)

    def test_links_of_one_column_have_a_score_alone(self):
        self.write("p.csv", "left,right,score,probability\na,b,0.9,\nb,c,0.8,\n")
        self.assertEqual(self.sosie("cluster", "p.csv", "--clustering", "components").out,
                         b"id\tcluster_id\tkept\tsize\na\ta\ttrue\t3\nb\ta\tfalse\t3\nc\ta\tfalse\t3\n")
        self.fails(3, "cluster", "p.csv", "--threshold", ".5", says=r"p\.csv:2: .* no probability")

    def test_files_joined_with_their_headers(self):
        self.write("p.csv", "left,right,similarity\na,b,1\nleft,right,similarity\nb,c,1\n")
        self.fails(3, "cluster", "p.csv", says=r"p\.csv:3: the row repeats the header")

    def test_mistakes_are_located(self):
        head = "left\tright\tsimilarity\n"
        for content, says in ((head + "a\tb\n", r"p\.tsv:2: expected 3 fields, found 2"),
                              (head + "a\tb\t0.9\na\tc\thigh\n", r"p\.tsv:3: 'high'"),
                              (head + "a\tb\t1.5\n", r"p\.tsv:2: '1\.5'"),
                              (head + "a\ta\t1\n", r"p\.tsv:2: 'a' is paired with itself"),
                              (head + '"a\tb\t1\n', r"p\.tsv:2: unclosed quote"),
                              ("left\tvalue\n", r"p\.tsv:1: has no column 'right'")):
            self.write("p.tsv", content)
            self.fails(3, "cluster", "p.tsv", says=says)
        self.write("p.tsv", "left\tright\n")
        for bound in (("--threshold", "0.5"), ("--within", "1")):
            self.fails(3, "cluster", "p.tsv", *bound, says=r"p\.tsv:1: has no column 'similarity'")
        self.write("p.jsonl", '{"left": "a", "right": "b", "similarity": 0.9}\n{"left"\n')
        self.fails(3, "cluster", "p.jsonl", says=r"p\.jsonl:2: not a JSON object")
        self.write("p.csv", 'left,right,similarity\n"a,b,0.9\n')
        self.fails(3, "cluster", "p.csv", says=r"p\.csv:2: unclosed quote")
        self.fails(4, "cluster", "gone.tsv", says="gone.tsv: No such file")
        self.fails(2, "cluster", "p.xml", says="p.xml") if self.write("p.xml", "") else None
        self.write("p.tsv", head)
        self.fails(2, "cluster", "p.tsv", "-o", "p.tsv", says="is an input")
        self.fails(2, "cluster", "p.tsv", "p.tsv", says="one pairs file")


class Components(SosieTest):
    def test_dedup_equals_the_definition(self):
        for seed in range(4):
            self.write("in.jsonl", corpus.texts(seed, 60))
            rows = self.rows_of("in.jsonl")
            sets = {row.row: oracle.shingles(row.text) for row in rows}
            for threshold in ("0.4", "0.8"):
                for keep in ("first", "longest"):
                    order = [row.row for row in oracle.ranked(rows, keep) if sets[row.row]]
                    gone = oracle.components(order, sets, Fraction(threshold))
                    self.kept("in.jsonl", "--clustering", "components", "--threshold", threshold,
                              "--keep", keep, "--method", "brute", "--removed", "r.tsv")
                    self.assert_removed(self.read("r.tsv"), [
                        (rows[row], rows[gone[row][0]], gone[row][1]) for row in sorted(gone)])

    def test_the_similarity_to_the_survivor_is_shown_however_small(self):
        words = [f"w{number}" for number in range(90)]
        self.write("in.jsonl", [" ".join(words[start:start + 40]) for start in (0, 3, 6, 9)])
        for method in ("brute", "lsh"):
            self.kept("in.jsonl", "--clustering", "components", "--method", method, "--removed",
                      "r.tsv")
            self.assertEqual([(row["id"], row["kept_id"], row["similarity"])
                              for row in self.table("r.tsv")],
                             [("d1", "d0", "0.846154"), ("d2", "d0", "0.714286"),
                              ("d3", "d0", "0.600000")])


if __name__ == "__main__":
    unittest.main()

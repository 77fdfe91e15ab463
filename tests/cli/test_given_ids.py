"""`--ids` and `--other-ids`: names for items that have no ids of their own."""

import gzip
import unittest

from measured_rows import grouped, npy
from support import SosieTest, jsonl, read_table


class GivenIds(SosieTest):
    def setUp(self):
        super().setUp()
        self.rows = grouped(120, 24, 1)
        self.others = self.rows[:60] + grouped(120, 24, 2)
        self.write("in.npy", npy(self.rows, "|u1"))
        self.write("other.npy", npy(self.others, "|u1"))
        self.write("in.ids", "".join(f"item/{i}\n" for i in range(120)).encode())
        self.write("other.ids", "".join(f"other {i}\n" for i in range(180)).encode())
        self.write("bits.txt", b"00ff\n00fe\nff00\n")
        self.write("bits.ids", b"a\r\nb\r\n17\r\n")

    def found(self, *args: str) -> list:
        return [(row["left"], row["right"]) for row in read_table(self.sosie(*args).out)]

    def test_pairs_are_called_by_them(self):
        numbered = self.found("pairs", "in.npy", "--threshold", "0.95")
        named = self.found("pairs", "in.npy", "--threshold", "0.95", "--ids", "in.ids")
        self.assertEqual(named, [(f"item/{i}", f"item/{j}") for i, j in numbered])
        self.assertTrue(named)

    def test_each_collection_has_its_own(self):
        both = ("--ids", "in.ids", "--other-ids", "other.ids")
        args = ("pairs", "in.npy", "--against", "other.npy", "--threshold", "0.95")
        numbered = self.found(*args)
        self.assertEqual(self.found(*args, *both),
                         [(f"item/{i}", f"other {j}") for i, j in numbered])
        self.assertEqual(self.found(*args, "--other-ids", "other.ids"),
                         [(i, f"other {j}") for i, j in numbered])

    def test_of_a_query_ids_are_those_of_data(self):
        for more in (("--threshold", "0.95"), ("--top", "2")):
            numbered = self.found("query", "in.npy", "other.npy", *more)
            named = self.found("query", "in.npy", "other.npy", *more, "--ids", "in.ids",
                               "--other-ids", "other.ids")
            self.assertEqual(named, [(f"other {i}", f"item/{j}") for i, j in numbered])
            self.assertTrue(named)

    def test_dedup_names_rows_by_them_in_all_it_writes(self):
        sides = ("--removed", "removed.jsonl", "--clusters", "clusters.tsv", "--pairs", "pairs.tsv")
        args = ("dedup", "in.npy", "--against", "other.npy", "--threshold", "0.95",
                "-o", "kept/", "--overwrite")
        self.sosie(*args, *sides)
        numbered = [read_table(self.read(name), name[-5:].lstrip("s."))
                    for name in ("removed.jsonl", "clusters.tsv", "pairs.tsv")]
        kept = self.read("kept/in.npy")
        self.sosie(*args, *sides, "--ids", "in.ids", "--other-ids", "other.ids")
        named = [read_table(self.read(name), name[-5:].lstrip("s."))
                 for name in ("removed.jsonl", "clusters.tsv", "pairs.tsv")]
        self.assertEqual(self.read("kept/in.npy"), kept)

        def own(number):
            return f"item/{number}"

        def others(number):
            return f"other {number}"

        removed, clusters, pairs = named
        self.assertTrue(removed)
        for old, new in zip(numbered[0], removed):
            self.assertEqual(new["id"], own(old["id"]))
            of = others if new["kept_file"] == "other.npy" else own
            self.assertEqual(new["kept_id"], of(old["kept_id"]))
        self.assertEqual({row["kept_file"] for row in removed}, {"in.npy", "other.npy"})
        self.assertEqual([(row["left"], row["right"]) for row in pairs],
                         [(own(row["left"]), others(row["right"])) for row in numbered[2]])
        self.assertEqual(len(clusters), len(numbered[1]))

    def test_bits_in_lines_take_them_too(self):
        self.assertEqual(self.found("pairs", "bits.txt", "--kind", "bits", "--within", "1",
                                    "--ids", "bits.ids"), [("a", "b")])
        self.sosie("dedup", "bits.txt", "--kind", "bits", "--within", "16", "--ids", "bits.ids",
                   "--removed", "removed.jsonl", "-o", "kept.txt")
        self.assertIn(b'"id": "17"', self.read("removed.jsonl").replace(b'":"', b'": "'))

    def test_rows_with_ids_keep_them_unless_told(self):
        self.write("rows.jsonl", jsonl([{"id": i, "v": row} for i, row in enumerate(self.rows)]))
        args = ("pairs", "rows.jsonl", "--kind", "vectors", "--column", "v", "--threshold", "0.95",
                "--ids", "in.ids")
        self.assertIn("the items already have ids", self.sosie(*args, code=2).err)
        self.assertEqual(self.found(*args, "--id", "row"),
                         self.found("pairs", "in.npy", "--threshold", "0.95", "--ids", "in.ids"))

    def test_what_is_no_list_of_ids_is_told_with_its_line(self):
        args = ("pairs", "in.npy", "--threshold", "0.95", "--ids")
        for text, code, message in (
                (b"a\n" * 119, 3, "bad.ids:2: id 'a' is already in line 1"),
                (b"a\n\nb\n", 3, "bad.ids:2: the id is empty"),
                (b"a\nb\n", 3, "bad.ids: 2 ids for 120 items"),
                (b"", 3, "bad.ids: 0 ids for 120 items")):
            self.write("bad.ids", text)
            self.assertIn(message, self.sosie(*args, "bad.ids", code=code).err)
        self.assertIn("none.ids", self.sosie(*args, "none.ids", code=4).err)

    def test_they_are_refused_where_they_say_nothing(self):
        self.write("in.txt", b"some text\n")
        self.assertIn("--ids: does not apply to texts: their rows have",
                      self.sosie("pairs", "in.txt", "--ids", "in.ids", code=2).err)
        self.assertIn("--other-ids: there is nothing to",
                      self.sosie("pairs", "in.npy", "--threshold", "0.9", "--other-ids",
                                 "other.ids", code=2).err)

    def test_they_are_never_written_over(self):
        for verb in ("pairs", "dedup"):
            run = self.sosie(verb, "in.npy", "--threshold", "0.95", "--ids", "in.ids",
                             *(("-o", "in.ids") if verb == "pairs" else
                               ("-o", "kept.npy", "--clusters", "in.ids")), code=2)
            self.assertIn("in.ids", run.err)

    def test_packed_ones_are_read_line_by_line(self):
        """Only as many ids as there are items are kept, regardless of the size of the decompressed
        file."""
        args = ("pairs", "in.npy", "--threshold", "0.95", "--ids")
        self.write("in.ids.gz", gzip.compress(b"".join(b"item/%d\n" % i for i in range(120))))
        self.assertEqual(self.sosie(*args, "in.ids.gz").out, self.sosie(*args, "in.ids").out)
        self.write("many.gz", gzip.compress(b"".join(b"%d\n" % i for i in range(3_000_000)), 1))
        self.fails(3, *args, "many.gz", says="many.gz: 3000000 ids for 120 items")
        self.write("long.gz", gzip.compress(b"a" * (300 << 20), 1))
        self.fails(4, *args, "long.gz", "--memory", "64M",
                     says="long.gz: its first 0 ids take more than half of --memory 64M")

    def test_a_line_that_stands_twice_is_named(self):
        self.write("bits.ids", b"\xef\xbb\xbfa\nb\na")
        self.fails(3, "pairs", "bits.txt", "--kind", "bits", "--within", "1", "--ids", "bits.ids",
                     says="bits.ids:3: id 'a' is already in line 1")
        self.write("bits.ids", b"a\na\n\n")
        self.fails(3, "pairs", "bits.txt", "--kind", "bits", "--within", "1", "--ids", "bits.ids",
                     says="bits.ids:2: id 'a' is already in line 1")


if __name__ == "__main__":
    unittest.main()

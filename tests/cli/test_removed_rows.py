"""--removed-rows: the removed rows byte for byte, in input order and in the input's format. Kept
and removed rows together make up the input."""

import gzip
import json
import struct
import unittest
from collections import Counter

import corpus
from support import ZSTD, SosieTest, unzstd


class RemovedRows(SosieTest):
    def split(self, *args: str, extension: str = "jsonl", header: int = 0) -> tuple:
        """Kept and removed lines of a dedup, without the header lines, which both have."""
        kept, gone = f"kept.{extension}", f"gone.{extension}"
        self.sosie("dedup", *args, "-o", kept, "--removed-rows", gone, "--removed", "r.tsv",
                   "--stats", "stats.json")
        lines = [self.read(name).splitlines(keepends=True) for name in (kept, gone)]
        self.assertEqual(lines[0][:header], lines[1][:header])
        both = [part[header:] for part in lines]
        stats = json.loads(self.read("stats.json"))
        self.assertEqual([len(part) for part in both], [stats["kept"], stats["removed"]])
        self.assertEqual(len(self.table("r.tsv")), len(both[1]))
        self.assertTrue(both[1], "something is removed")
        return both

    def assert_parts_of(self, rows: list[bytes], parts: tuple):
        self.assertEqual(Counter(parts[0]) + Counter(parts[1]), Counter(rows))
        for part in parts:
            order = iter(rows)
            self.assertTrue(all(row in order for row in part), "in input order")

    def check(self, content: bytes, *options: str, extension: str = "jsonl", header: int = 0):
        name = self.write(f"in.{extension}", content)
        rows = content.splitlines(keepends=True)[header:]
        parts = self.split(name, *options, extension=extension, header=header)
        self.assert_parts_of(rows, parts)
        return parts

    def test_texts_by_each_method_and_clustering(self):
        content = self.read(self.write("made", corpus.texts(31, 150)))
        for options in ((), ("--method", "lsh"), ("--method", "brute"), ("--method", "exact"),
                        ("--clustering", "components"), ("--keep", "longest"),
                        ("--memory", "1M", "--method", "lsh")):
            self.check(content, *options)

    def test_csv_has_its_header_and_crlf_stays(self):
        content = b"id,text\r\n1,one two\r\n2,One two\r\n3,three\r\n"
        parts = self.check(content, extension="csv", header=1)
        self.assertEqual(parts[1], [b"2,One two\r\n"])

    def test_a_last_row_without_a_line_end_stays_without(self):
        self.write("in.txt", b"one two\none two")
        self.sosie("dedup", "in.txt", "--removed-rows", "gone.txt")
        self.assertEqual(self.read("gone.txt"), b"one two")

    def test_sets_bags_vectors_and_bits(self):
        self.check(b"".join(b"a b c d%d\n" % (i // 2) for i in range(30)), extension="sets")
        self.check(b"".join(b'{"id": %d, "text": ["a", "a", "b%d"]}\n' % (i, i // 2)
                            for i in range(30)), "--kind", "bags")
        for clustering in ("star", "components"):
            self.check(b"".join(b'{"id": %d, "v": [%d, 1]}\n' % (i, i // 2 + 1) for i in range(30)),
                       "--kind", "vectors", "--column", "v", "--within", "0.5", "--measure",
                       "euclidean", "--clustering", clustering)
        self.check(b"".join(b"%016x\n" % (3 ** (i // 2)) for i in range(30)), "--kind", "bits",
                   "--within", "1", extension="txt")

    def test_a_file_of_vectors_has_the_header_that_goes_with_it(self):
        rows = [struct.pack("<i2f", 2, i // 2 + 1, 1) for i in range(20)]
        self.write("in.fvecs", b"".join(rows))
        self.sosie("dedup", "in.fvecs", "--threshold", "0.9999999", "-o", "kept.fvecs",
                   "--removed-rows", "gone.fvecs")
        self.assertEqual((self.read("kept.fvecs"), self.read("gone.fvecs")),
                         (b"".join(rows[::2]), b"".join(rows[1::2])))

    def test_rows_of_removed_sets(self):
        content = b"basket,item\n" + b"".join(b"%d,%s\n" % (basket, item) for item in (b"a", b"b")
                                              for basket in (1, 2, 3)) + b"3,c\n"
        self.write("in.csv", content)
        self.sosie("dedup", "in.csv", "--group-by", "basket", "--element", "item", "-o", "kept.csv",
                   "--removed-rows", "gone.csv")
        self.assertEqual(self.read("gone.csv"), b"basket,item\n2,a\n2,b\n")

    def test_packed_by_the_name(self):
        content = self.read(self.write("in.jsonl", corpus.texts(32, 80)))
        self.sosie("dedup", "in.jsonl", "--removed-rows", "gone.jsonl")
        for name, unpack in (("gone.jsonl.gz", gzip.decompress), ("gone.jsonl.zst", unzstd)):
            if name.endswith("zst") and not ZSTD:
                continue
            self.write("packed.jsonl.gz", gzip.compress(content))
            self.sosie("dedup", "packed.jsonl.gz", "--removed-rows", name)
            self.assertEqual(unpack(self.read(name)), self.read("gone.jsonl"))

    def test_rows_of_against_are_never_among_them(self):
        self.write("other.jsonl", corpus.texts(33, 60))
        self.write("in.jsonl", self.read("other.jsonl") + self.read(
            self.write("more.jsonl", [{"id": "new", "text": "a row like no other"}])))
        parts = self.split("in.jsonl", "--against", "other.jsonl")
        self.assertEqual(parts[0], self.read("more.jsonl").splitlines(keepends=True))
        self.assertEqual(parts[1], self.read("other.jsonl").splitlines(keepends=True))

    def test_annotate_dry_run_bad_rows_reuse_and_checkpoint_give_the_same(self):
        content = self.read(self.write("in.jsonl", corpus.texts(34, 90)))
        expected = self.check(content, "--method", "lsh")[1]
        self.sosie("plan", "in.jsonl", "--method", "lsh", "-o", "plan.json")
        self.sosie("sketch", "in.jsonl", "--plan", "plan.json", "-o", "in.sketches")
        for options in (("in.jsonl", "--annotate", "kept"), ("in.jsonl", "--annotate", "all"),
                        ("in.jsonl", "--dry-run"), ("in.jsonl", "--checkpoint", "saved"),
                        ("in.jsonl", "--checkpoint", "saved"), ("--reuse", "in.sketches")):
            methods = () if options[0] == "--reuse" else ("--method", "lsh")
            self.sosie("dedup", *options, *methods, "-o", "out.jsonl", "--removed-rows",
                       "again.jsonl")
            self.assertEqual(self.read("again.jsonl").splitlines(keepends=True), expected, options)
        self.write("in.jsonl", content + b"broken\n")
        for choice in ("skip", "keep"):
            self.sosie("dedup", "in.jsonl", "--method", "lsh", "--on-bad-row", choice, "-o",
                       "out.jsonl", "--removed-rows", "again.jsonl")
            self.assertEqual(self.read("again.jsonl").splitlines(keepends=True), expected)

    def test_a_folder_takes_documents_and_shards(self):
        self.write("docs/a.md", "one two three")
        self.write("docs/sub/b.md", "One two three")
        self.write("docs/c.md", "four")
        self.sosie("dedup", "docs", "--format", "files", "-o", "kept/", "--removed-rows", "gone/")
        self.assertEqual(self.read("gone/sub/b.md"), b"One two three")
        self.assertEqual({name for name in self.names() if name.startswith(("kept", "gone"))},
                         {"kept/a.md", "kept/c.md", "gone/sub/b.md"})
        self.fails(2, "dedup", "docs", "--format", "files", "--dry-run", "--removed-rows", "gone.md", says="documents",
                   hints="use --removed-rows FOLDER/")

    def test_another_format_or_a_second_use_of_a_file_is_refused(self):
        self.write("in.jsonl", ["one two", "One two"])
        self.fails(2, "dedup", "in.jsonl", "--removed-rows", "gone.csv", says="keep their format")
        self.fails(2, "dedup", "in.jsonl", "--removed-rows", "in.jsonl", says="is an input")
        self.fails(2, "dedup", "in.jsonl", "-o", "x.jsonl", "--removed-rows", "x.jsonl",
                   says="named for two outputs")


if __name__ == "__main__":
    unittest.main()

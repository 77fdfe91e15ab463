"""Compressed inputs give the same bytes as plain ones, regardless of the compressor and the
compression ratio."""

import gzip
import random
import struct
import unittest

from support import ZSTD, SosieTest, jsonl, zstd


def rows_that_pack_ever_better() -> bytes:
    """15 MB whose first 4 MiB, from which the size of a compressed file is estimated, compress
    worst. For such long rows, the sample ends with the first 8 MiB."""
    chance = random.Random(1)
    many = [f"{chance.getrandbits(36):09x}" for _ in range(50_000)]
    few = [f"word{number:05}" for number in range(50)]
    return jsonl([{"id": number, "text": " ".join(chance.choices(many if number < 450 else few,
                                                                 k=1000))}
                  for number in range(1_500)])


class FilesBeside(SosieTest):
    """Files named in options may be compressed regardless of their names."""

    def packed(self, name: str, text: str) -> None:
        self.write(name, gzip.compress(text.encode()))

    def test_they_are_unpacked(self):
        self.write("a.txt", "one two three four five\n")
        self.packed("list", "a.txt\n")
        self.assertEqual(self.sosie("dedup", "--files-from", "list").out, self.read("a.txt"))
        self.packed("words", "one\nthree\n")
        done = self.sosie("pairs", "a.txt", "--shingle", "stopwords:1", "--stopwords", "words")
        self.assertNotIn("without a shingle", done.err)
        self.write("v.fvecs", struct.pack("<i2fi2f", 2, 0, 1, 2, 0, 1))
        self.packed("ids.gz", "x\ny\n")
        out = self.sosie("pairs", "v.fvecs", "--threshold", "0.9", "--ids", "ids.gz").out
        self.assertIn(b"x\ty\t1.000000", out)
        people = "id,name,born\na,anna berg,1970\nb,otto kern,1981\nc,anna berg,1970\n"
        self.write("people.csv", people)
        self.packed("truth.csv.gz", "left,right\na,c\n")
        done = self.sosie("link", "people.csv", "--truth", "truth.csv.gz", "-o", "g.csv")
        self.assertIn("of 1 true pair", done.err)
        rules = self.sosie("link", "people.csv", "--init").out.decode()
        self.packed("rules.toml", rules)
        self.sosie("link", "people.csv", "--rules", "rules.toml", "-o", "g2.csv")

    def test_what_unpacks_to_more_than_is_read_is_refused(self):
        self.write("list", gzip.compress(bytes(65 << 20)))
        self.fails(3, "dedup", "--files-from", "list", says="list: decompresses to more than")
        self.write("cut", gzip.compress(b"a.txt\n" * 1000)[:40])
        self.fails(3, "dedup", "--files-from", "cut", says="cut: truncated gzip")


class GuessedSizes(SosieTest):
    def setUp(self):
        super().setUp()
        self.data = rows_that_pack_ever_better()
        self.write("plain.jsonl", self.data)
        self.plain = self.kept("plain.jsonl")

    def assert_reads(self, name: str, packed: bytes):
        self.write(name, packed)
        for threads in ("1", "7"):
            self.assertEqual(self.kept(name, "--threads", threads), self.plain)

    def test_a_gzip_file_of_many_members_may_be_longer_than_its_beginning_says(self):
        half = self.data.index(b"\n", len(self.data) // 2) + 1
        self.assert_reads("two.jsonl.gz",
                          gzip.compress(self.data[:half]) + gzip.compress(self.data[half:]))

    @unittest.skipUnless(ZSTD, "no zstd here")
    def test_so_may_a_zstd_file_that_was_written_by_a_pipe(self):
        self.assert_reads("pipe.jsonl.zst", zstd(self.data))


if __name__ == "__main__":
    unittest.main()

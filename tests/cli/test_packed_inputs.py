"""Packed inputs give the bytes of the plain ones, however they are packed and however well."""

import gzip
import random
import unittest

from support import ZSTD, SosieTest, jsonl, zstd


def rows_that_pack_ever_better() -> bytes:
    """15 MB whose first 4 MiB, by which the size of a packed file is guessed, pack worst. The sample
    that is drawn of such long rows ends with the first 8 MiB."""
    chance = random.Random(1)
    many = [f"{chance.getrandbits(36):09x}" for _ in range(50_000)]
    few = [f"word{number:05}" for number in range(50)]
    return jsonl([{"id": number, "text": " ".join(chance.choices(many if number < 450 else few,
                                                                 k=1000))}
                  for number in range(1_500)])


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

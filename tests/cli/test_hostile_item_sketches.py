"""Forged sketch files of vectors and bit strings with correct checksums: they are rejected, or hide
pairs; they never cause a wrong pair, a crash or a long run."""
# slow: more than 5 s in a release build, so `make sanitize` leaves it to `make sanitize-all`

import random
import struct
import unittest

import saved_files
from measured_rows import lines, npy
from support import IN_MEMORY, SANITIZED, SosieTest, size_of
from test_item_plan import bits, vectors

ROWS = 40
DIMENSION = 12
FLIPS = 30 if SANITIZED else size_of(120, 30)

HYPERPLANES = ("--kind", "vectors", "--threshold", "0.9", "--bands", "4x6")
PROBED = ("--kind", "vectors", "--threshold", "0.9", "--bands", "3x4", "--family", "cross-polytope",
          "--probes", "2")
BITS = ("--kind", "bits", "--within", "4", "--bands", "5x8")
LONG = (*BITS[:-1], "100x8")  # 630 rows fill a block


@unittest.skipUnless(saved_files.LIBRARY, "no libxxhash here")
class HostileItemSketches(SosieTest):
    place = IN_MEMORY

    def prepare(self, args: tuple, count: int = ROWS) -> bytes:
        """A valid sketch file (with one block, if it has ROWS), and its pairs."""
        rows = npy(bits(count, 64, 2), "|b1") if "bits" in args else npy(vectors(count, DIMENSION, 2))
        self.write("in.npy", rows)
        self.sosie("plan", "in.npy", "--method", "lsh", *args, "-o", "plan.json")
        said = args[:args.index("--bands")]
        self.sosie("sketch", "in.npy", "--plan", "plan.json", *said, "-q", "-o", "good.sketches")
        self.pairs = lines(self.sosie("pairs", "in.npy", "--plan", "plan.json", *said).out)
        self.assertGreater(len(self.pairs), 3)
        return self.read("good.sketches")

    def run_with(self, data: bytes, verb: str = "pairs"):
        self.write("bad.sketches", saved_files.repaired_sketches(data))
        return self.sosie(verb, "--reuse", "bad.sketches", code=None)

    def refused(self, data: bytes, code: int = 3, says: str = r"^sosie: \S+: ") -> None:
        self.write("bad.sketches", saved_files.repaired_sketches(data))
        for verb in ("pairs", "dedup"):
            done = self.fails(code, verb, "--reuse", "bad.sketches", says=says)
            self.assertEqual(done.out, b"")

    def test_a_bit_of_every_field(self):
        for args in (HYPERPLANES, PROBED, BITS):
            good = self.prepare(args)
            self.assertEqual(saved_files.repaired_sketches(good), good)
            size = struct.unpack_from("<Q", good, len(good) - saved_files.TRAILER)[0]
            contents = len(good) - saved_files.TRAILER - size
            chance = random.Random(7)
            places = [*range(8, 40), *range(contents, len(good) - 8),
                      *chance.sample(range(8, contents), 200)]
            for at in chance.sample(places, min(FLIPS, len(places))):
                bad = good[:at] + bytes([good[at] ^ 1 << chance.randrange(8)]) + good[at + 1:]
                done = self.run_with(bad)
                self.assertIn(done.code, (0, 2, 3, 4), (at, done.err))
                if done.code > 0:
                    self.assertRegex(done.err, r"^sosie: [^\n]+\n(  [^\n]+\n)*$")
                    self.assertEqual(done.out, b"")
                else:
                    self.assertLessEqual(lines(done.out), self.pairs, at)

    def test_keys_are_taken_and_can_only_hide_pairs(self):
        for args, item_bytes, first_key, keys in ((HYPERPLANES, 16 + 4 * 4 + 32, 16, 4),
                                                  (BITS, 16 + 5 * 4, 16, 5)):
            good = self.prepare(args)
            (begin, items), = saved_files.item_blocks(good, item_bytes)
            self.assertEqual(items, ROWS)
            at = begin + 8 + first_key * items
            own = bytearray(good)
            struct.pack_into(f"<{keys * items}I", own, at, *range(keys * items))
            done = self.run_with(bytes(own))
            self.assertEqual((done.code, lines(done.out)), (0, set()), args)
            same = bytearray(good)
            struct.pack_into(f"<{keys * items}I", same, at, *[5] * keys * items)
            done = self.run_with(bytes(same))
            self.assertEqual(done.code, 0)
            self.assertGreaterEqual(lines(done.out), self.pairs)
            exact = lines(self.sosie("pairs", "in.npy", *args[:args.index("--bands")],
                                     "--method", "brute").out)
            self.assertLessEqual(lines(done.out), exact)

    def test_cells_that_no_function_has(self):
        good = self.prepare(PROBED)
        (begin, items), = saved_files.item_blocks(good, 16 + 3 * 4 * 5 + 32)
        cells = begin + 8 + 16 * items
        near = cells + 3 * 4 * items
        for at, form, number in ((cells, "<B", 32), (cells + 7, "<B", 255), (near, "<I", 0)):
            bad = bytearray(good)
            struct.pack_into(form, bad, at, number)
            self.refused(bytes(bad), says="bad.sketches: is damaged")

    def test_rows_said_to_be_near_all_cells_are_hashed_again(self):
        """Otherwise, a band of twelve functions would be looked up 32 ** 12 times."""
        good = self.prepare((*PROBED[:4], "--bands", "3x12", *PROBED[6:8], "--probes", "1.25"))
        (begin, items), = saved_files.item_blocks(good, 16 + 3 * 12 * 5 + 32)
        near = begin + 8 + 16 * items + 3 * 12 * items
        bad = bytearray(good)
        struct.pack_into(f"<{3 * 12 * items}I", bad, near, *[(1 << 32) - 1] * (3 * 12 * items))
        done = self.run_with(bytes(bad))
        self.assertEqual((done.code, lines(done.out)), (0, self.pairs))

    def test_blocks_that_are_swapped_left_out_or_joined(self):
        good = self.prepare(LONG, 700)
        blocks, entries, head = saved_files.sketch_parts(good)
        self.assertEqual([count for _, count in saved_files.item_blocks(good, 16 + 100 * 4)], [630, 70])
        self.assertEqual(saved_files.repaired_sketches(
            saved_files.sketches_of(blocks, entries, head, good)), good)
        first, second = entries
        end = first[8:16]  # of the first stretch
        # The columns of one block after the other's; only their number counts.
        joined = struct.pack("<Q", 700) + blocks[0][8:] + blocks[1][8:]
        for some, table, says in (
                (blocks[::-1], entries, "has changed since bad.sketches was made"),
                (blocks, entries[::-1], "is damaged"), (blocks[:1], entries[:1], "is damaged"),
                (blocks[:1] * 2, entries, "is damaged"),
                ([joined], [first[:8] + second[8:]], "is damaged"),
                ([*blocks, blocks[1]], [*entries, second], "is damaged")):
            self.refused(saved_files.sketches_of(some, table, head, good), says=says)
        # A range without rows is not an error.
        some, table = [blocks[0], bytes(8), blocks[1]], [first, end * 2 + first[16:], second]
        done = self.run_with(saved_files.sketches_of(some, table, head, good))
        self.assertEqual((done.code, lines(done.out)), (0, self.pairs))

    def test_items_that_are_not_those_of_the_input(self):
        good = self.prepare(BITS)
        bad = bytearray(good)
        bad[8 + 8 + 16 * 3] ^= 1  # an identity
        self.refused(bytes(bad), says=r"in\.npy: has changed since bad\.sketches was made")
        # One row fewer, without changing the range that would contain it.
        size = 16 + 5 * 4
        columns = good[16:16 + size * ROWS]
        fewer = columns[:16 * (ROWS - 1)] + columns[16 * ROWS:-20]
        table = len(good) - saved_files.TRAILER - saved_files.ENTRY
        rest = bytearray(good[16 + size * ROWS:])
        entry = table - (16 + size * ROWS)
        struct.pack_into("<Q", rest, entry + 16, 8 + size * (ROWS - 1))
        struct.pack_into("<Q", rest, entry - 16, ROWS - 1)  # number of rows in all blocks, dimension
        self.refused(good[:8] + struct.pack("<Q", ROWS - 1) + fewer + bytes(rest),
                     says=rf"was made from {ROWS - 1} items with 64 .*, but its inputs hold {ROWS} with 64")

    def test_numbers_of_the_contents(self):
        good = self.prepare(BITS)
        end = len(good) - saved_files.TRAILER
        entry = end - saved_files.ENTRY
        for at, number in ((entry - 8, 63), (entry - 8, 0), (entry - 8, 1 << 60), (entry - 16, 0),
                           (entry - 16, ROWS + 1), (entry, 1), (entry + 8, 1 << 40), (entry + 16, 7),
                           (entry + 16, 1 << 63), (end, 1 << 63), (end + 8, 2), (end + 8, 1 << 60),
                           (8, 0), (8, ROWS + 1), (8, 1 << 61)):
            bad = bytearray(good)
            struct.pack_into("<Q", bad, at, number)
            self.refused(bytes(bad))

    def test_a_version_of_another_kind(self):
        good = self.prepare(BITS)
        self.assertEqual(good[:8], b"sosie-2\n")
        for digit, code, says in ((b"1", 3, "is damaged"), (b"3", 2, "format 3, this program reads 1 and 2")):
            self.refused(good[:6] + digit + good[7:-2] + digit + b"\n", code, says)

    def test_texts_of_plans_and_options(self):
        good = self.prepare(HYPERPLANES)
        for old, new, code in ((b'"vectors"', b'"strings"', 3), (b'"cosine"', b'"dotdot"', 3),
                               (b'"sketch_bits": 256', b'"sketch_bits": 128', 3),
                               (b'"sketch_bits": 256', b'"sketch_bits": 255', 3),
                               (b'"bands": 4', b'"bands": 9', 3), (b'"rows": 6', b'"rows": 0', 3),
                               (b'"seed": 1', b'"seed": 7', 3), (b'"hyperplane"', b'"hyperplanf"', 3),
                               (b'"probes": 1.0', b'"probes": 3.0', 3),
                               (b'"segment": 0.0', b'"segment": 9.0', 3)):
            self.assertEqual(good.count(old), 1, old)
            self.write("bad.sketches", saved_files.repaired_sketches(good.replace(old, new)))
            done = self.sosie("pairs", "--reuse", "bad.sketches", code=None)
            self.assertEqual(done.code, code, (old, done.err))
            self.assertEqual(done.out, b"")


if __name__ == "__main__":
    unittest.main()

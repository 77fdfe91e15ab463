"""Forged sketches and checkpoints with correct checksums: the run verifies whatever it can, and
writes nothing outside its outputs."""

import os
import struct
import unittest

import corpus
import saved_files
from support import IN_MEMORY, SosieTest

KEPT = ("--checkpoint", "kept")
LSH = ("--method", "lsh")


@unittest.skipUnless(saved_files.LIBRARY, "no libxxhash here")
class HostileSketches(SosieTest):
    place = IN_MEMORY

    def setUp(self):
        super().setUp()
        self.write("in.jsonl", corpus.texts(71, 30))
        self.sosie("plan", "in.jsonl", "-o", "plan.json")
        self.sosie("sketch", "in.jsonl", "--plan", "plan.json", "-o", "good.sketches")
        self.good = self.read("good.sketches")
        self.rows = struct.unpack_from("<Q", self.good, 8)[0]
        self.offsets = 8 + 40

    def refused(self, data: bytes, *args: str) -> None:
        self.write("bad.sketches", saved_files.repaired_sketches(data))
        self.fails(3, "dedup", "--reuse", "bad.sketches", *args, says=r"^sosie: \S+: ")

    def changed(self, at: int, *numbers: int, form: str = "<Q") -> bytes:
        out = bytearray(self.good)
        for number in numbers:
            struct.pack_into(form, out, at, number)
        return bytes(out)

    def test_checksums_can_be_repaired(self):
        self.assertEqual(saved_files.repaired_sketches(self.good), self.good)
        self.assertEqual(self.kept("--reuse", "good.sketches"), self.kept("in.jsonl", *LSH))

    def test_band_keys_of_more_than_forty_bits(self):
        keys = self.offsets + self.rows * (8 + 4 + 1 + 16 + 8)
        for key in (1 << 40, (1 << 64) - 1, 1 << 52):
            self.refused(self.changed(keys, key))

    def test_rows_outside_of_their_file(self):
        lengths = self.offsets + 8 * self.rows
        for data in (self.changed(self.offsets, 1 << 40), self.changed(self.offsets, (1 << 64) - 1),
                     self.changed(self.offsets + 8, 0),
                     self.changed(lengths, (1 << 32) - 1, form="<I")):
            self.refused(data)

    def test_states_without_a_bad_row(self):
        states = self.offsets + 12 * self.rows
        self.refused(self.changed(states, 2, form="<B"))
        self.refused(self.changed(states, 9, form="<B"))

    def test_counts_that_are_not_those_of_the_rows(self):
        for at in (8 + 8, 8 + 16, 8 + 32):
            self.refused(self.changed(at, (1 << 64) - 1))

    def test_stretches_that_leave_rows_out(self):
        entry = len(self.good) - saved_files.TRAILER - saved_files.ENTRY
        end = struct.unpack_from("<Q", self.good, entry + 8)[0]
        for data in (self.changed(entry, 1), self.changed(entry + 8, end - 1),
                     self.changed(entry + 8, end + 1), self.changed(entry + 36, 1, form="<B"),
                     self.changed(entry + 38, 2, form="<B")):
            self.refused(data)

    def test_outputs_stay_in_the_output_folder(self):
        # Its path below the folder precedes its name as a document.
        texts = self.good.rindex(b"in.jsonl", 0, self.good.rindex(b"in.jsonl"))
        for name in (b"../x.jsn", b"/tmp/xxx", b"a/../../", b"a/./b/.."):
            self.refused(self.good[:texts] + name + self.good[texts + 8:], "-o", "out/")
        self.assertEqual(self.names(), {"in.jsonl", "plan.json", "good.sketches", "bad.sketches"})

    def test_options_that_nobody_can_give(self):
        self.sosie("sketch", "in.jsonl", "--plan", "plan.json", "--id", "text", "-o", "good.sketches")
        data = self.read("good.sketches")
        at = data.index(struct.pack("<Q", 2) + b"id")
        self.refused(data[:at + 8] + b"no" + data[at + 10:])

    def test_inputs_that_are_no_files(self):
        os.rename(self.dir / "in.jsonl", self.dir / "was.jsonl")
        os.mkfifo(self.dir / "in.jsonl")
        self.fails(3, "dedup", "--reuse", "good.sketches", says="in.jsonl: is not a regular file")
        self.write("bad.sketches", self.with_path(b"-"))
        self.fails(3, "dedup", "--reuse", "bad.sketches", says="in.jsonl: is not a regular file",
                   stdin=self.read("was.jsonl"))

    def with_path(self, path: bytes) -> bytes:
        """The sketch file of an input at another path."""
        end = len(self.good) - saved_files.TRAILER
        old = struct.pack("<Q", 8) + b"in.jsonl"
        data = self.good.replace(old, struct.pack("<Q", len(path)) + path, 1)
        size = struct.unpack_from("<Q", self.good, end)[0] - len(self.good) + len(data)
        end += len(data) - len(self.good)
        return saved_files.repaired_sketches(
            data[:end] + struct.pack("<Q", size) + data[end + 8:])


@unittest.skipUnless(saved_files.LIBRARY, "no libxxhash here")
class HostileCheckpoints(SosieTest):
    place = IN_MEMORY

    def setUp(self):
        super().setUp()
        self.write("in.jsonl", corpus.texts(72, 60) + corpus.planted_pairs(73, 60, 80))
        self.plain = self.kept("in.jsonl", *LSH)
        self.assertEqual(self.kept("in.jsonl", *LSH, *KEPT), self.plain)

    def replace(self, name: str, change) -> None:
        parts = saved_files.records(self.read(f"kept/{name}"))
        self.write(f"kept/{name}", saved_files.journal_of(change(parts)))

    def test_checksums_can_be_made(self):
        for name in ("rows", "compared"):
            before = self.read(f"kept/{name}")
            self.replace(name, lambda parts: parts)
            self.assertEqual(self.read(f"kept/{name}"), before)

    def test_comparisons_of_rows_there_are_not(self):
        far = struct.pack("<5I", 1 << 31, (1 << 32) - 1, 5, 5, 5)
        for rows in (far, struct.pack("<5I", 0, 1 << 30, 1, 1, 1), far * 999, far[:19]):
            self.replace("compared", lambda parts, rows=rows: [*parts, rows])
            self.assertEqual(self.kept("in.jsonl", *LSH, *KEPT), self.plain)

    def test_comparisons_that_no_sets_have(self):
        def worse(parts: list[bytes]) -> list[bytes]:
            known = b"".join(parts[1:])
            pairs = [struct.unpack_from("<2I", known, at) for at in range(0, len(known), 20)]
            return [parts[0], b"".join(struct.pack("<5I", *pair, 9, 3, 3) for pair in pairs)]

        self.replace("compared", worse)
        self.assertEqual(self.kept("in.jsonl", *LSH, *KEPT), self.plain)

    def test_comparisons_are_not_believed(self):
        """A file that claims that all compared pairs are similar, or that none are, is detected."""
        for overlap in ((0, 0, 0), (76, 76, 76)):
            def lie(parts: list[bytes], overlap=overlap) -> list[bytes]:
                known = b"".join(parts[1:])
                pairs = [struct.unpack_from("<2I", known, at) for at in range(0, len(known), 20)]
                self.assertGreater(len(pairs), 25)
                return [parts[0], b"".join(struct.pack("<5I", *pair, *overlap) for pair in pairs)]

            whole = self.read("kept/compared")
            self.replace("compared", lie)
            done = self.sosie("dedup", "in.jsonl", *LSH, *KEPT, code=None)
            if done.code == 0:
                self.assertEqual(done.out, self.plain)
            else:
                self.assertEqual(done.code, 3)
                self.assertRegex(done.err, "kept/compared: does not match the texts")
            self.write("kept/compared", whole)

    def test_rows_that_are_not_those_of_the_input(self):
        for at, number in ((42, 1 << 40), (42 + 40, 1 << 50), (42 + 8, 0)):
            def change(parts: list[bytes], at=at, number=number) -> list[bytes]:
                out = bytearray(parts[1])
                struct.pack_into("<Q", out, at, number)
                return [parts[0], bytes(out), *parts[2:]]

            whole = self.read("kept/rows")
            self.replace("rows", change)
            self.assertEqual(self.kept("in.jsonl", *LSH, *KEPT), self.plain, at)
            self.write("kept/rows", whole)


class ForeignFiles(SosieTest):
    """A folder that does not belong to a checkpoint is left unchanged."""

    def setUp(self):
        super().setUp()
        self.write("in.jsonl", corpus.texts(74, 40))

    def stays(self, code: int, *args: str, says: str) -> None:
        before = {name: self.read(name) for name in self.names()}
        self.fails(code, "dedup", *args, *LSH, *KEPT, "-o", "out.jsonl", says=says)
        self.assertEqual({name: self.read(name) for name in before}, before)
        self.assertNotIn("out.jsonl", self.names())

    def test_files_of_the_same_names(self):
        for name in ("rows", "compared"):
            for content in (b"x", self.read("in.jsonl"), b"\0" * 500):
                self.write(f"kept/{name}", content)
                self.stays(2, "in.jsonl", says=f"kept/{name}: is not a checkpoint file")
            (self.dir / "kept" / name).unlink()
        self.write("kept/rows", self.read("in.jsonl"))
        self.stays(2, "kept/rows", "--format", "jsonl", says="not a checkpoint file")

    def test_a_saved_input_of_others_is_not_read(self):
        self.write("kept/input", self.read("in.jsonl"))
        self.stays(2, "-", says="--checkpoint kept: holds other files, such as input")

    def test_links_are_not_followed(self):
        self.write("victim", "")
        (self.dir / "kept").mkdir()
        for name in ("rows", "compared"):
            os.symlink("../victim", self.dir / "kept" / name)
            self.stays(2, "in.jsonl", says=f"kept/{name}: is a symbolic link")
            (self.dir / "kept" / name).unlink()
        self.write("kept/rows", "")
        os.symlink("../in.jsonl", self.dir / "kept" / "input")
        self.stays(2, "-", says="holds other files, such as input")

    def test_inputs_and_outputs_lie_elsewhere(self):
        self.kept("in.jsonl", *LSH, *KEPT)
        for name in ("kept/rows", "kept/new.jsonl", "./kept/../kept/compared"):
            self.fails(2, "dedup", "in.jsonl", *LSH, *KEPT, "-o", name,
                       says="lies in the folder of --checkpoint kept")
        self.fails(2, "dedup", "in.jsonl", *LSH, *KEPT, "--dry-run", "--removed", "kept/r.tsv",
                   says="kept/r.tsv: lies in")
        self.fails(2, "dedup", "kept/rows", "--format", "txt", *LSH, *KEPT, says="kept/rows: lies in")
        self.write("all/a.jsonl", self.read("in.jsonl"))
        self.fails(2, "dedup", "all", *LSH, "--checkpoint", "all/kept",
                   says="all/kept: lies in all, an input folder")
        self.assertFalse((self.dir / "all/kept").exists())
        self.assertEqual(self.kept("in.jsonl", *LSH, *KEPT), self.kept("in.jsonl", *LSH))

    def test_an_input_called_none(self):
        self.write("none", self.read("in.jsonl").replace(b'"d', b'"e'))
        jsonl = ("--format", "jsonl")
        self.kept("in.jsonl", *jsonl, *LSH, *KEPT)
        self.fails(2, "dedup", "in.jsonl", "none", *jsonl, *LSH, *KEPT,
                   says="kept: input 2 was none, in this run it is none")


if __name__ == "__main__":
    unittest.main()

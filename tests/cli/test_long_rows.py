"""A row that is too large for --memory is rejected before memory is allocated, in every verb and
format.
"""

import gzip
import os
import random
import re
import struct
import subprocess
import unittest

import support

MIB = 1 << 20
CAP = 64 * MIB
ROW = 100 * MIB  # two workers are allowed 4 MiB each
OPTIONS = ("--memory", "64M", "--threads", "2")


def zstd_of_one_row(size: int) -> bytes:
    """Blocks that repeat one byte: 4 bytes represent 128 KiB."""
    def block(kind: int, length: int, data: bytes, last: int = 0) -> bytes:
        return struct.pack("<I", length << 3 | kind << 1 | last)[:3] + data
    blocks = block(0, 10, b'{"text": "') + block(1, 1 << 17, b"a") * (size >> 17)
    return b"\x28\xB5\x2F\xFD\x00\x50" + blocks + block(0, 3, b'"}\n', last=1)


@unittest.skipIf(support.SANITIZED, "sanitizers take memory of their own")
class LongRows(support.SosieTest):
    def write_long(self, name: str, head: bytes, tail: bytes, unit: bytes = b"some words ") -> int:
        """Returns the bytes of the row after the first line of `head`."""
        block = unit * (MIB // len(unit))
        with open(self.dir / name, "wb") as out:
            out.write(head)
            for _ in range(ROW // len(block)):
                out.write(block)
            out.write(tail)
        return (self.dir / name).stat().st_size - head.find(b"\n") - 1

    def refuses(self, *args: str, says: str, stdin: str = "") -> str:
        """Exit 4 without using more memory than the cap and 64 MiB; returns the message."""
        cat = None
        if stdin:
            cat = subprocess.Popen(["cat", self.dir / stdin], stdout=subprocess.PIPE)
        source = cat.stdout if cat else subprocess.DEVNULL
        with open(self.dir / "err", "wb") as errors:
            process = subprocess.Popen(
                [str(support.SOSIE), *args, *OPTIONS[:2 if args[0] == "cluster" else 4],
                 "--scratch", str(self.scratch)], cwd=self.dir,
                stdin=source, stdout=subprocess.DEVNULL, stderr=errors)
            _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        if cat:
            cat.stdout.close()
            cat.wait()
        said = (self.dir / "err").read_text()
        self.assertEqual(process.returncode, 4, said)
        self.assertRegex(said, says)
        self.assertLess(usage.ru_maxrss * 1024, CAP + 64 * MIB)
        return said

    def test_json_in_every_verb(self):
        size = self.write_long("in.jsonl", b'{"id": 1, "text": "a"}\n{"id": 2, "text": "', b'"}\n')
        self.write("small.jsonl", [{"id": 1, "text": "a small row"}])
        self.sosie("plan", "small.jsonl", "-o", "plan.json")
        says = rf"in\.jsonl:2: row of {size} bytes is too large for --memory 64M\n"
        for args in (("dedup", "in.jsonl", "-o", "out.jsonl"), ("plan", "in.jsonl"),
                     ("pairs", "in.jsonl", "--method", "exact"),
                     ("dedup", "small.jsonl", "--against", "in.jsonl", "-o", "out.jsonl"),
                     ("query", "in.jsonl", "small.jsonl"),
                     ("sketch", "in.jsonl", "--plan", "plan.json", "-o", "sketches")):
            with self.subTest(args[0]):
                said = self.refuses(*args, says=says)
                enough, unit = re.search(r"--memory (\d+)([MG]) is enough", said).groups()
                self.assertGreater(int(enough) * {"M": MIB, "G": 1024 * MIB}[unit], 8 * size)

    def test_row_that_comes_through_a_pipe(self):
        self.write_long("in.jsonl", b'{"id": 2, "text": "', b'"}\n')
        self.write("small.jsonl", [{"id": 1, "text": "a small row"}])
        self.refuses("query", "small.jsonl", "-", stdin="in.jsonl",
                     says=r"<stdin>:1: row of more than \d+ bytes is too large for --memory 64M")

    def test_quote_that_is_never_closed(self):
        for name, head in (("in.csv", b'id,text\n1,"an open'), ("in.tsv", b'id\ttext\n1\t"an open')):
            with self.subTest(name):
                size = self.write_long(name, head, b"", unit=b"line after line\n")
                said = self.refuses("dedup", name, "-o", "out.csv",
                                    says=rf"{name}:2: row of {size} bytes is too large")
                self.assertIn("a quote in this row is never closed", said)

    def test_lines_and_sets(self):
        for name, unit in (("in.txt", b"some words "), ("in.sets", b"17 42 4711 ")):
            with self.subTest(name):
                size = self.write_long(name, b"1 2 3\n", b"\n", unit=unit)
                self.refuses("dedup", name, "--dry-run", says=rf"{name}:2: row of {size} bytes")

    def test_document_of_a_folder(self):
        (self.dir / "docs").mkdir()
        (self.dir / "docs/a").write_text("a small document")
        self.write_long("docs/b", b"", b"")
        size = (self.dir / "docs/b").stat().st_size
        self.refuses("dedup", "docs", "--format", "files", "-o", "out/", says=rf"docs/b:1: row of {size} bytes")
        (self.dir / "docs/b").write_bytes(gzip.compress(bytes(ROW), 1))
        self.refuses("dedup", "docs", "--format", "files", "-o", "out/", says=rf"docs/b:1: row of {ROW} bytes")

    def test_packed_bombs(self):
        (self.dir / "in.jsonl.zst").write_bytes(zstd_of_one_row(ROW))
        (self.dir / "in.txt.gz").write_bytes(gzip.compress(bytes(ROW), 1))
        for name, size in (("in.jsonl.zst", ROW + 13), ("in.txt.gz", ROW)):
            for verb in (("dedup", "--dry-run"), ("plan",)):
                with self.subTest(name=name, verb=verb[0]):
                    self.refuses(verb[0], name, *verb[1:], says=rf"{name}:1: row of {size} bytes")

    def test_limit_of_a_small_budget_is_said_with_its_bytes(self):
        self.write("in.jsonl", [{"id": 1, "text": "long " * 200_000}])
        self.fails(4, "plan", "in.jsonl", "--memory", "3M",
                   says=r"in.jsonl:1: row of \d+ bytes is too large for --memory 3M$")
        self.sosie("plan", "in.jsonl", "--memory", "256M")

    def test_windows_of_zstd(self):
        # A window of 128 MiB, followed by one row.
        row = b'{"text": "a b c"}\n'
        frame = (b"\x28\xB5\x2F\xFD\x00\x88" + struct.pack("<I", len(row) << 3 | 1)[:3] + row)
        self.write("in.jsonl.zst", frame)
        says = (r"zstd window of 134217728 bytes is too large for --memory 64M\n"
                r"  --memory 512M is enough for it; or compress the file again without --long")
        for args in (("dedup", "in.jsonl.zst", "-o", "out.jsonl"), ("plan", "in.jsonl.zst"),
                     ("query", "in.jsonl.zst", "in.jsonl.zst")):
            with self.subTest(args[0]):
                self.refuses(*args, says=says.replace("512", r"(512|1024)"))
        self.refuses("dedup", "-", "-o", "out.jsonl", says=says, stdin="in.jsonl.zst")
        self.assertEqual(self.kept("in.jsonl.zst", "--memory", "512M"), row)

    def test_tables(self):
        size = self.write_long("pairs.tsv", b"left\tright\tsimilarity\n", b"\tb\t0.9\n")
        self.write("in.jsonl", [{"id": "a", "text": "a small row"}])
        says = rf"pairs\.tsv:2: row of {size} bytes is too large for --memory 64M\n"
        self.refuses("cluster", "pairs.tsv", says=says)
        self.refuses("dedup", "in.jsonl", "--reuse", "pairs.tsv", "-o", "out.jsonl", says=says)

    def test_ids_of_a_pairs_file(self):
        with open(self.dir / "pairs.tsv", "w") as out:
            out.write("left\tright\tsimilarity\n")
            for i in range(100_000):
                out.write(f"left{i:040d}\tright{i:040d}\t0.900000\n")
        self.refuses("cluster", "pairs.tsv", says=r"the ids of \d+ items take more than half of")
        self.sosie("cluster", "pairs.tsv", "--memory", "1G", "-o", "groups.tsv")

    def test_more_pairs_than_a_disk_holds(self):
        self.write("in.sets", b"7\n" * 4_000_000)
        args = ("pairs", "in.sets", "--method", "exact", "--measure", "containment", "-o", "pairs.tsv")
        self.refuses(*args, says=r"15,999,996,000,000 or more pairs reach the threshold: they need 320\.0 TB "
                                 r"of scratch, .* has ")
        self.refuses(*args, "--scratch-limit", "1G", says=r"of scratch, --scratch-limit is 1G")

    def test_rows_of_a_join_that_holds_one_way_go_to_scratch(self):
        self.write("in.sets", b"7\n" * 1_500_000 + b"8\n")
        self.sosie("dedup", "in.sets", "--method", "exact", "--measure", "containment", "-o", "out.sets",
                   "--stats", "s.json", *OPTIONS)
        self.assertEqual(self.read("out.sets"), b"7\n8\n")
        self.assertLess(self.stats("s.json").tree["peak_memory_bytes"], CAP + 64 * MIB)

    def test_rows_of_an_exact_join_go_to_scratch(self):
        self.write("in.sets", b"7\n" * 1_500_000)
        self.sosie("dedup", "in.sets", "--method", "exact", "-o", "out.sets", "--stats", "s.json",
                   *OPTIONS)
        self.assertEqual(self.read("out.sets"), b"7\n")
        self.assertLess(self.stats("s.json").tree["peak_memory_bytes"], CAP + 64 * MIB)

    def test_a_sample_of_long_rows(self):
        draw = random.Random(1)
        self.write("in.jsonl", [{"text": draw.randbytes(32_000).hex()} for _ in range(90)])
        self.sosie("pairs", "in.jsonl", "--shingle", "chars:9", *OPTIONS, "--stats", "s.json")
        self.assertLess(self.stats("s.json").tree["peak_memory_bytes"], CAP + 64 * MIB)

    def test_rows_as_long_as_may_be(self):
        """The words differ, so the sample that determines the method has millions of shingles."""
        draw = random.Random(2)
        with open(self.dir / "in.jsonl", "w") as out:  # in pieces: children start with our peak
            out.write('{"id": 0, "text": "')
            for _ in range(100):
                out.write(draw.randbytes(MIB // 8).hex(" ", 3) + " ")
            out.write('"}\n{"id": 1, "text": "a small row of words"}\n')
        for verb in (("pairs",), ("dedup", "--dry-run")):
            with self.subTest(verb=verb[0]):
                self.sosie(*verb, "in.jsonl", "--memory", "256M", "--threads", "1", "--stats", "s.json", "-q")
                self.assertLess(self.stats("s.json").tree["peak_memory_bytes"], 320 * MIB)

    def test_repeated_shingles_take_memory_once(self):
        """Memory holds the row, its copy, and its shingles as hashes; together, these used to need
        ten to thirty times the size of the row."""
        size = self.write_long("in.txt", b"a b c d e f\n", b"", b"word ")
        for shingle, method in (("words:5", "lsh"), ("words:5", "exact"), ("chars:9", "lsh"),
                                ("chars:9", "exact")):
            self.sosie("dedup", "in.txt", "--memory", "8G", "--threads", "1", "--method", method,
                       "--shingle", shingle, "--dry-run", "--stats", "s.json", "-q")
            most = 4 * size if shingle == "words:5" else 5 * size
            self.assertLess(self.stats("s.json").tree["peak_memory_bytes"], most)

    def test_sets_of_short_elements(self):
        """Parsing a list takes many times its bytes, and 8 bytes for each of its elements."""
        self.write("in.jsonl", b'{"items": [1, 2]}\n{"items": [' + b"1," * (MIB // 2) + b"1]}\n")
        for kind in ("sets", "bags"):
            args = ("dedup", "in.jsonl", "--kind", kind, "--column", "items", "--dry-run")
            self.refuses(*args, says=r"in\.jsonl:2: row of \d+ bytes is too large for --memory 64M")
            self.sosie(*args, "--memory", "1G", "-q")

    def test_ids_of_the_rows_that_a_plan_looks_at(self):
        with open(self.dir / "in.csv", "wb") as out:  # in pieces, as above
            out.write(b"id,text\n")
            for i in range(1_000_000):
                out.write(b"%d,a b\n" % i)
        with open(self.dir / "plan", "wb") as out:
            process = subprocess.Popen([str(support.SOSIE), "plan", "in.csv", *OPTIONS],
                                       cwd=self.dir, stdout=out)
            _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        self.assertEqual(process.returncode, 0)
        self.assertLess(usage.ru_maxrss * 1024, CAP)


if __name__ == "__main__":
    unittest.main()

"""Tests that a run with more rows than 32-bit numbers can distinguish writes the same bytes as a run in one
part. (The limit of 4,294,967,294 is lowered to 1,000; test_memory covers what depends only on memory.)"""
# slow: more than 5 s in a release build, so `make sanitize` leaves it to `make sanitize-all`

import gzip
import unittest
import zlib

import test_memory
from support import SosieTest

MOST = "1000"
HASHED = ("--method", "lsh")  # other methods fail at the limit, or are replaced
WAYS = (("--memory", "64M", "--threads", "7"), ("--memory", "3M", "--threads", "1"))


class AcrossParts:
    """The tests that results do not depend on memory also test that they do not depend on this limit."""
    most = ""

    def environment(self) -> dict:
        return super().environment() | ({"SOSIE_MOST_ROWS": self.most} if self.most else {})

    def across(self, find, *args: str) -> None:
        self.most = ""
        whole = find(*args, *HASHED)
        self.most = MOST
        for way in WAYS:
            self.assertEqual(whole, find(*args, *HASHED, *way), (args, way))
        self.most = ""

    def same(self, *args: str) -> None:
        self.across(self.outcome, *args)


class Rows(AcrossParts, test_memory.Spilled):
    test_this_does_spill = None  # by memory alone
    test_any_number_of_threads = None
    test_nothing_is_left_in_scratch = None

    def found_pairs(self, *args: str) -> bytes:
        return self.sosie("pairs", *args).out

    def test_pairs(self):
        self.write("other.jsonl", self.rows[::3])
        for args in ((), ("--against", "other.jsonl"), ("--top", "2", "--threshold", "0.7"), ("--top-pairs", "50"),
                     ("--threshold", "0.7", "--show", "text")):
            self.across(self.found_pairs, "in.jsonl", *args)

    def test_common_elements(self):
        self.across(lambda *args: self.sosie("pairs", *args).out, "in.jsonl", "--ignore-common", "1/2")

    def test_bad_rows_and_equal_ids(self):
        lines = self.read("in.jsonl").split(b"\n")
        lines[2500] = b'{"id": "worse"'
        self.write("bad.jsonl", b"\n".join(lines))
        lines[2500] = lines[9]
        self.write("twice.jsonl", b"\n".join(lines))
        for what in ("skip", "keep"):
            self.across(lambda *args: (self.sosie("dedup", *args, "--rejects", "j.tsv", "-o", "o.jsonl"),
                                       self.read("j.tsv"), self.read("o.jsonl"))[1:],
                        "bad.jsonl", "--on-bad-row", what)
        for name in ("bad.jsonl", "twice.jsonl"):
            self.across(lambda *args: self.sosie("dedup", *args, "-o", "o.jsonl", code=3).err, name)

    def kept_and_removed(self, name: str, *args: str) -> tuple:
        out = "o" + name[name.index("."):]
        self.sosie("dedup", name, *args, "--removed", "r.tsv", "-o", out)
        return self.read(out), self.read("r.tsv")

    def test_formats(self):
        self.write("in.txt", "".join(row["text"] + "\n" for row in self.rows))
        self.write("in.csv", "id,text\n" + "".join(f'{row["id"]},"{row["text"]}"\n' for row in self.rows))
        for name in ("in.txt", "in.csv"):
            self.across(self.kept_and_removed, name)
        (self.dir / "in.jsonl.gz").write_bytes(gzip.compress(self.read("in.jsonl")))
        self.same("in.jsonl.gz")
        self.same("in.jsonl", "in.jsonl.gz", "--id", "row")

    def test_output_folder(self):
        self.write("in/a.jsonl", self.rows[:1500])
        self.write("in/b.jsonl", self.rows[1500:])

        def tree(*args: str) -> list:
            self.sosie("dedup", "in/", *args, "-o", "out/", "--overwrite")
            return [self.read(f"out/{name}") for name in ("a.jsonl", "b.jsonl")]
        self.across(tree)

    def test_sets(self):
        self.write("in.sets", "".join(" ".join(str(zlib.crc32(word.encode()) % 5000) for word in row["text"].split())
                                      + "\n" for row in self.rows))
        self.across(self.kept_and_removed, "in.sets")

    def test_sketches(self):
        self.sosie("plan", "in.jsonl", *HASHED, "-o", "plan.json")
        self.sosie("sketch", "in.jsonl", "--plan", "plan.json", "-o", "in.sketch")
        self.across(lambda *args: self.outcome(*args[:-2] if args[-2:] == HASHED else self.without_method(args)),
                    "in.jsonl", "--reuse", "in.sketch")

    @staticmethod
    def without_method(args: tuple) -> tuple:
        at = args.index("--method")
        return args[:at] + args[at + 2:]

    def test_checkpoint(self):
        """The run is started across parts or not, and resumed across parts or not; it reports what is already known."""
        def twice(*args: str) -> list:
            found = []
            for _ in range(2):
                said = self.sosie("dedup", *args, "--checkpoint", "k/", "-o", "o.jsonl").err
                found.append(self.read("o.jsonl"))
            self.assertIn("resuming from k/: 100 %", said)
            return found
        self.across(twice, "in.jsonl")

    def test_saved_run(self):
        def saved(*args: str) -> list:
            self.sosie("dedup", *args, "--save", "run/", "--overwrite", "-o", "o.jsonl")
            return [self.read(name) for name in sorted(self.names()) if name.startswith("run/")
                    and not name.endswith("run.json")]
        self.across(saved, "in.jsonl")


class Templates(AcrossParts, test_memory.Templates):
    """Components with more rows than a part."""
    test_components_need_them_together = None


class Refused(AcrossParts, SosieTest):
    most = MOST

    def test_methods_that_need_the_rows_together(self):
        self.write("in.jsonl", [{"id": i, "text": f"this is one of many rows: {i}"} for i in range(1200)])
        for args in (("--method", "exact"), ("--audit", "--method", "lsh"), ("--method", "brute")):
            self.fails(4, "dedup", "in.jsonl", *args, "-o", "o.jsonl", says="more than 1,000 rows in one run",
                       hints="docs/scale.md")


if __name__ == "__main__":
    unittest.main()

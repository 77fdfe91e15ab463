"""`dedup --save RUN/`: the folder from which a person reviews a run, read as docs/formats/run.md
describes."""

import json
import struct
import unittest
from dataclasses import dataclass
from pathlib import Path

import corpus
import saved_files
from measured_rows import npy
from support import SosieTest

GROUP = struct.Struct("<QQQQdII")
MEMBER = struct.Struct("<QQQdIIIIII")
KEPT, IDENTICAL, INTEGER, AGAINST = 1, 2, 4, 8


@dataclass
class Member:
    offset: int
    hash: int
    id: str
    value: float
    length: int
    file: int
    row: int
    flags: int


class Run:
    def __init__(self, at: Path):
        self.facts = json.loads((at / "run.json").read_text())
        texts = (at / "texts").read_bytes()
        members = [MEMBER.unpack_from(data) for data in pieces((at / "members").read_bytes(), MEMBER)]
        self.groups = []
        for data in pieces((at / "groups").read_bytes(), GROUP):
            first, begin, self_bytes, sources, weakest, count, line = GROUP.unpack(data)
            rows = [Member(o, h, texts[t:t + n].decode(), v, length, file, row, flags)
                    for o, h, t, v, length, file, row, n, flags, zero in members[first:first + count]]
            self.groups.append({"rows": rows, "saved": self_bytes, "sources": sources,
                                "weakest": weakest, "line": texts[begin:begin + line].decode()})

    def path(self, member: Member) -> str:
        return self.facts["files"][member.file]["path"]


def pieces(data: bytes, record: struct.Struct) -> list[bytes]:
    assert len(data) % record.size == 0
    return [data[at:at + record.size] for at in range(0, len(data), record.size)]


class Save(SosieTest):
    def check(self, *args: str, value: str = "similarity") -> Run:
        """The folder agrees with the side files of the run, and gives the places of rows."""
        self.kept(*args, "--save", "run/", "--clusters", "c.tsv", "--removed", "r.tsv",
                  "--stats", "s.json")
        run = Run(self.dir / "run")
        own = [(m.id, g["rows"][0].id, bool(m.flags & KEPT))
               for g in run.groups for m in g["rows"] if not m.flags & AGAINST]
        clusters = [(row["id"], row["cluster_id"], row["kept"] == "true") for row in self.table("c.tsv")]
        self.assertEqual(sorted(own), sorted(clusters))
        removed = {row["id"]: row for row in self.table("r.tsv")}
        for group in run.groups:
            self.assertTrue(group["rows"][0].flags & KEPT)
            for member in group["rows"]:
                row = Path(run.path(member)).read_bytes()
                bytes_of_row = row[member.offset:member.offset + member.length]
                self.assertEqual(len(bytes_of_row), member.length)
                if saved_files.LIBRARY:
                    self.assertEqual(saved_files.checksum(bytes_of_row), member.hash)
                if member.flags & KEPT:
                    continue
                told = removed[member.id]
                self.assertEqual(f"{member.value:.6f}", f"{float(told[value]):.6f}")
                self.assertEqual(bool(member.flags & IDENTICAL), told["exact"] == "true")
                self.assertEqual(member.row, int(told["row"]))
            self.assertEqual(group["saved"], sum(m.length for m in group["rows"] if not m.flags & KEPT))
        self.assertEqual(run.facts["overview"]["summary"]["removed"], len(removed))
        return run

    def test_says_of_texts_what_side_files_say(self):
        self.write("in.jsonl", corpus.texts(5, 120))
        for args in ((), ("--keep", "longest"), ("--clustering", "components"), ("--method", "lsh"),
                     ("--memory", "64M", "--threads", "1")):
            run = self.check("in.jsonl", "--threshold", "0.6", "--overwrite", *args)
            self.assertGreater(len(run.groups), 3)
            self.assertTrue(run.groups[0]["line"])

    def test_rows_of_others_come_first_in_their_groups(self):
        rows = corpus.texts(7, 80)
        self.write("old.jsonl", rows[:20])
        self.write("in.jsonl", rows[10:])
        run = self.check("in.jsonl", "--against", "old.jsonl", "--id", "row")
        heads = [group["rows"][0] for group in run.groups if group["rows"][0].flags & AGAINST]
        self.assertTrue(heads)
        for head in heads:
            self.assertTrue(run.path(head).endswith("old.jsonl"))
        self.assertEqual(run.facts["first_own_file"], 1)

    def test_vectors_lie_in_their_file(self):
        self.write("v.npy", npy([[1, 2], [5, 5], [1, 2], [1, 2.5]]))
        run = self.check("v.npy", "--measure", "euclidean", "--within", "1", value="distance")
        self.assertEqual([[m.id for m in g["rows"]] for g in run.groups], [["0", "2", "3"]])
        self.assertEqual(run.groups[0]["weakest"], 0.5)
        self.assertTrue(all(m.flags & INTEGER for m in run.groups[0]["rows"]))

    def test_csv_and_sets_and_strings(self):
        self.write("in.csv", 'id,text\n1,"one two three four five\nsix"\n2,x\n'
                             '3,"one two three four five\nsix"\n')
        self.check("in.csv", "--threshold", "0.9")
        self.write("in.sets", "a b c\nd e\nc b a\n")
        self.check("in.sets", "--overwrite")
        self.write("in.txt", "Anna\nHanna\nOtto\n")
        self.check("in.txt", "--kind", "strings", "--within", "1", "--overwrite", value="distance")

    def test_equal_runs_differ_in_time_and_memory_alone(self):
        self.write("in.jsonl", corpus.texts(5, 60))
        seen = []
        for threads in ("1", "2"):
            self.kept("in.jsonl", "--save", f"run{threads}", "--threads", threads)
            folder = self.dir / f"run{threads}"
            facts = json.loads((folder / "run.json").read_text())
            for name in ("seconds", "threads", "peak_memory_bytes", "scratch_bytes"):
                del facts["overview"]["summary"][name]
            facts["overview"]["command"] = ""
            facts["overview"]["parameters"] = []
            seen.append([facts] + [(folder / name).read_bytes()
                                   for name in ("groups", "members", "texts", "decisions.jsonl")])
        self.assertEqual(*seen)

    def test_a_run_without_groups_is_a_run(self):
        self.write("in.txt", "one\ntwo\n")
        self.assertEqual(self.check("in.txt").groups, [])
        self.write("empty.txt", "")
        self.assertEqual(self.check("empty.txt", "--overwrite").groups, [])

    def test_a_word_of_a_person_without_a_kept_row(self):
        self.write("in.txt", "one\ntwo\n")
        self.write("e.tsv", "id\tcluster_id\tkept\tsize\n1\t1\tfalse\t1\n")
        self.kept("in.txt", "--reuse", "e.tsv", "--save", "run", "--report", "page.html")
        groups = Run(self.dir / "run").groups
        self.assertEqual([[m.id for m in g["rows"]] for g in groups], [["1"]])
        self.assertFalse(groups[0]["rows"][0].flags & KEPT)

    def test_refusals(self):
        self.write("in.txt", "one\ntwo\n")
        self.write("run/there.txt", "mine")
        self.fails(2, "dedup", "in.txt", "--save", "run", "-o", "out.txt", says="run")
        self.assertNotIn("out.txt", self.names())
        self.fails(2, "dedup", "in.txt", "--save", "in.txt", "-o", "out.txt", says="in.txt")
        self.fails(2, "dedup", "-", "--save", "new", stdin=b'{"text": "a"}\n', says="save")
        self.fails(2, "pairs", "in.txt", "--save", "new", says="save")
        self.assertNotIn("new", self.names())

    def test_nothing_appears_when_the_run_fails(self):
        self.write("in.jsonl", b'{"text": "a"}\n{"text": 1')
        self.fails(3, "dedup", "in.jsonl", "--save", "new", "-o", "out.jsonl", says="in.jsonl:2")
        self.assertEqual(self.names(), {"in.jsonl"})


if __name__ == "__main__":
    unittest.main()

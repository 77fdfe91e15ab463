"""More rows than a run in memory can number, or more items than an index can: every verb and kind fails at
once and names a way out. (The limit of 4,294,967,294 is lowered to 100; test_across_parts covers runs that
continue beyond it.)"""

import os
import random
import struct
from pathlib import Path

import corpus
from support import SosieTest

MOST = 100


class MostRows(SosieTest):
    most = MOST

    def environment(self) -> dict:
        return super().environment() | {"SOSIE_MOST_ROWS": str(self.most)}

    def refused(self, *args: str) -> None:
        self.fails(4, *args, says="more than 100 rows in one run", hints="docs/scale.md")

    def refused_index(self, *args: str) -> None:
        self.fails(4, *args, says="more than 100 items in one index", hints="docs/scale.md")

    def inputs(self, rows: int) -> dict:
        """A file of each kind, and options that compare its rows."""
        chance = random.Random(rows)
        folder = Path(self.dir) / f"of-{rows}"
        folder.mkdir()
        names = [f"{chance.randrange(10**9)} {word}" for word in corpus.unrelated_words(chance, rows).split()]
        (folder / "t.jsonl").write_text("".join(f'{{"id": {i}, "text": "{corpus.unrelated_words(chance, 12)}"}}\n'
                                                for i in range(rows)))
        (folder / "e.sets").write_text("".join(f"{i} {i + 1} {i + 2}\n" for i in range(rows)))
        (folder / "v.fvecs").write_bytes(b"".join(struct.pack("<i3f", 3, i, 1, 2) for i in range(rows)))
        (folder / "b.csv").write_text("bits\n" + "".join(f"{chance.randrange(2**64):064b}\n" for _ in range(rows)))
        (folder / "s.csv").write_text("name\n" + "".join(name + "\n" for name in names))
        of = f"of-{rows}/"
        return {"text": (of + "t.jsonl",), "lsh": (of + "t.jsonl", "--method", "lsh"), "sets": (of + "e.sets",),
                "vectors": (of + "v.fvecs", "--threshold", "0.9"),
                "bits": (of + "b.csv", "--kind", "bits", "--column", "bits", "--within", "2"),
                "strings": (of + "s.csv", "--kind", "strings", "--column", "name", "--within", "1")}

    def test_every_kind(self):
        for rows in (MOST, MOST + 1):
            for kind, args in self.inputs(rows).items():
                if kind == "lsh":
                    continue
                if kind in ("text", "sets"):
                    args += ("--method", "exact")
                out = "o" + Path(args[0]).suffix
                for verb in (("dedup", *args, "-o", out, "--removed", "r.tsv"), ("pairs", *args, "-o", "p.tsv")):
                    with self.subTest(kind=kind, rows=rows, verb=verb[0]):
                        self.sosie(*verb) if rows == MOST else self.refused(*verb)
                        self.assertTrue(rows == MOST or not os.path.exists(self.dir / verb[-1]))
                for name in ("r.tsv", "p.tsv"):
                    (self.dir / name).unlink(missing_ok=True)

    def test_rows_of_both_collections_count(self):
        for kind, args in self.inputs(60).items():
            if kind in ("text", "sets"):
                args += ("--method", "exact")
            with self.subTest(kind=kind):
                if kind == "lsh":
                    continue
                self.refused("pairs", *args, "--against", args[0], "-o", "p.tsv")

    def test_sketches_together(self):
        text = self.inputs(60)["lsh"]
        self.sosie("plan", text[0], "-o", "plan.json", "--method", "lsh")
        self.sosie("sketch", text[0], "--plan", "plan.json", "-o", "one.sketch")
        other = self.dir / "other.jsonl"
        other.write_text((self.dir / text[0]).read_text().replace('"id": ', '"id": 9'))
        self.sosie("sketch", "other.jsonl", "--plan", "plan.json", "-o", "two.sketch")
        files = (text[0], "other.jsonl", "--reuse", "one.sketch", "--reuse", "two.sketch")
        self.sosie("dedup", *files, "-o", "o.jsonl")
        self.refused("dedup", *files, "--part", "1/2", "-o", "parts/")

    def test_indexes(self):
        for kind, args in self.inputs(60).items():
            if kind == "lsh":  # the texts
                continue
            with self.subTest(kind=kind):
                index, more = f"{kind}.index", args[0]
                if kind == "text":
                    more = "more.jsonl"
                    self.write(more, self.read(args[0]).replace(b'"id": ', b'"id": 9'))
                self.sosie("index", "build", index, *args)
                self.refused_index("index", "add", index, more)
                self.assertRegex(self.sosie("index", "info", index).out.decode(), r"(?m)^items +60$")
                self.sosie("index", "build", f"other-{index}", more, *args[1:])
                self.refused_index("index", "merge", "both.index", index, f"other-{index}")

    def test_items_of_several_runs_count(self):
        """Each run has fewer, and no merge is due; if nothing is new, nothing is added."""
        self.most = 8_000
        texts = [{"id": i, "text": text} for i, text in enumerate(corpus.texts(5, 8_400))]
        self.write("first.jsonl", texts[:7_000])
        self.write("more.jsonl", texts[7_000:])
        self.sosie("index", "build", "x.index", "first.jsonl", "--keep-items", "no")
        runs = {name for name in self.names() if "/run-" in name}
        self.fails(4, "index", "add", "x.index", "more.jsonl", says="more than 8,000 items in one index")
        said = self.sosie("index", "add", "x.index", "first.jsonl", "--skip-existing").err
        self.assertIn("0 items added", said)
        self.assertEqual({name for name in self.names() if "/run-" in name}, runs)

    def test_items_of_a_pairs_file(self):
        """Rows that are in no pair do not count, and neither do groups that are read."""
        pairs = "left\tright\tsimilarity\n" + "".join(f"{10**12 + i}\t{i}\t1\n" for i in range(MOST // 2))
        self.write("p.tsv", pairs)
        self.write("more.tsv", pairs + "again\t0\t1\n")
        for clustering in ("star", "components"):
            args = ("--clustering", clustering)
            self.assertEqual(self.sosie("cluster", "p.tsv", *args).out.count(b"\n"), MOST + 1)
            self.fails(4, "cluster", "more.tsv", *args, says="more.tsv:52: more than 100 items in one pairs file",
                       hints="use dedup, which groups any number of rows")
        self.write("groups.tsv", "id\tcluster_id\tis_survivor\tsize\n"
                   + "".join(f"{i}\t{i // 2 * 2}\t{i % 2 == 0}\t2\n" for i in range(4 * MOST)))
        self.assertEqual(self.sosie("cluster", "groups.tsv").out.count(b"\n"), 4 * MOST + 1)

    def test_plan_says_so(self):
        text = self.inputs(MOST + 1)["text"]
        self.assertIn("this method supports up to 100 rows",
                      self.sosie("plan", *text, "--method", "exact").out.decode())

"""`sosie index` for vectors, bit strings and strings: the same output as a run over files, after
any sequence of adding, removing, compacting and merging."""

import json
import random
import shutil
import time
import unittest

import corpus
from measured_rows import npy
from support import SosieTest, jsonl, read_table

INDEX = "items.index"


class ItemsTest(SosieTest):
    kind = ""
    build_options: tuple = ()  # of index build
    file_options: tuple = ()   # options of the run over files

    def rows_of(self, rng: random.Random) -> list[dict]:
        raise NotImplementedError

    def setUp(self):
        super().setUp()
        rows = self.rows_of(random.Random(19))
        self.rows = [{"id": f"i{number}", "text": text} for number, text in enumerate(rows)]
        self.known, self.asked = self.rows[:240], self.rows[200:]
        self.write("data.jsonl", self.known)
        self.write("asked.jsonl", self.asked)

    def sure(self, *args: str, code: int = 0):
        return self.sosie(*args, code=code)

    def build(self, data: str = "data.jsonl", *args: str, index: str = INDEX) -> None:
        shutil.rmtree(self.dir / index, ignore_errors=True)
        self.sosie("index", "build", index, data, "--kind", self.kind, *self.build_options, *args)

    def answers(self, data: str, *options: str) -> list[bytes]:
        if data != INDEX:
            options = ("--kind", self.kind, *self.file_options, *options)
        lines = [self.sosie("query", data, "asked.jsonl", *options, code=None).out,
                 self.sosie("query", data, "asked.jsonl", "--top", "2", *options, code=None).out,
                 self.sosie("query", data, "asked.jsonl", "--exclude-self", *options, code=None).out,
                 self.sosie("pairs", "asked.jsonl", "--against", data, *options).out]
        self.sosie("dedup", "asked.jsonl", "--against", data, "-o", "kept.jsonl", "--removed",
                   "removed.tsv", "--overwrite", *options)
        lines.append((self.dir / "kept.jsonl").read_bytes())
        removed = (self.dir / "removed.tsv").read_text().splitlines()
        lines.append("\n".join("\t".join(line.split("\t")[:7]) for line in removed).encode())
        return lines

    def expect_rows(self, rows: list[dict]) -> None:
        """The index answers like a file with these rows."""
        self.write("now.jsonl", jsonl(rows) if rows else b"")
        self.assertEqual(self.answers(INDEX), self.answers("now.jsonl"))
        self.sosie("index", "check", INDEX)


class Cases:  # base classes that unittest must not run
    class EachKind(ItemsTest):
        def test_the_lines_are_those_of_the_files(self):
            self.build()
            lines = self.answers(INDEX)
            self.assertEqual(lines, self.answers("data.jsonl"))
            self.assertGreater(lines[0].count(b"\n"), 30)
            few = jsonl(self.asked[:3])
            self.write("asked.jsonl", few)
            self.assertEqual(self.answers(INDEX), self.answers("data.jsonl"))
            for args in (("--threads", "1"), ("--threads", "3")):
                self.assertEqual(self.sosie("query", INDEX, "asked.jsonl", *args).out,
                                 self.answers(INDEX)[0])

        def test_items_come_and_go(self):
            self.build()
            self.write("more.jsonl", self.rows[240:300])
            self.sosie("index", "add", INDEX, "more.jsonl")
            rows = self.rows[:300]
            self.expect_rows(rows)
            gone = [row["id"] for row in rows[::3]]
            self.write("gone.txt", "\n".join([*gone, "nobody"]) + "\n")
            said = self.sosie("index", "remove", INDEX, "--ids", "gone.txt").err
            self.assertIn(f"{len(gone)} items removed", said)
            rows = [row for row in rows if row["id"] not in gone]
            self.expect_rows(rows)
            self.sosie("index", "compact", INDEX)
            self.expect_rows(rows)
            swapped = [{"id": rows[0]["id"], "text": self.rows[-1]["text"]}]
            self.write("swapped.jsonl", swapped)
            refused = self.sosie("index", "add", INDEX, "swapped.jsonl", code=3).err
            self.assertIn("is already in items.index", refused)
            self.sosie("index", "add", INDEX, "swapped.jsonl", "--replace")
            self.expect_rows(rows[1:] + swapped)
            self.sosie("index", "add", INDEX, "data.jsonl", "--skip-existing")
            there = {row["id"] for row in rows}
            self.expect_rows(rows[1:] + swapped + [row for row in self.known
                                                   if row["id"] not in there])

        def test_merged_indexes_hold_all(self):
            self.build()
            self.write("more.jsonl", self.rows[240:320])
            self.build("more.jsonl", index="other.index")
            self.sosie("index", "merge", "both.index", INDEX, "other.index")
            shutil.rmtree(self.dir / INDEX)
            (self.dir / "both.index").rename(self.dir / INDEX)
            self.expect_rows(self.rows[:320])
            self.assertIn("is in two of the indexes", self.sosie(
                "index", "merge", "twice.index", INDEX, INDEX, code=3).err)

        def test_an_empty_index_is_filled(self):
            if "lsh" in self.build_options and self.kind == "bits":
                return  # a plan for bit strings depends on their length
            self.write("none.jsonl", b"")
            self.build("none.jsonl", "--id", "id")
            self.expect_rows([])
            self.sosie("index", "add", INDEX, "data.jsonl")
            self.expect_rows(self.known)

        def test_new_rows_are_added(self):
            self.build()
            others = self.rows_of(random.Random(20))[:60]
            new = [{"id": f"n{number}", "text": text}
                   for number, text in enumerate([row["text"] for row in self.asked] + others)]
            self.write("new.jsonl", new)
            self.sosie("dedup", "new.jsonl", "--against", INDEX, "--add", "-o", "fresh.jsonl")
            fresh = [json.loads(line) for line in (self.dir / "fresh.jsonl").read_text().splitlines()]
            self.assertTrue(0 < len(fresh) < len(new))
            self.expect_rows(self.known + fresh)
            again = self.sosie("dedup", "new.jsonl", "--against", INDEX, "--add").out
            self.assertEqual(again, b"")
            unlike = [row for row in fresh if row["id"] > "n2"][-1]
            self.write("gone.txt", unlike["id"] + "\n")
            self.sosie("index", "remove", INDEX, "--ids", "gone.txt")
            self.write("same.jsonl", [{"id": "i1", "text": unlike["text"]}])
            self.assertIn("id 'i1' is already in", self.sosie("dedup", "same.jsonl", "--against", INDEX,
                                                      "--add", "-o", "no.jsonl", code=3).err)
            self.assertFalse((self.dir / "no.jsonl").exists())
            self.expect_rows(self.known + [row for row in fresh if row != unlike])

        def test_damage_is_an_error_or_changes_nothing(self):
            self.write("data.jsonl", self.rows[:6])
            self.write("asked.jsonl", self.rows[:6])
            self.build()
            self.write("more.jsonl", self.rows[6:8])
            self.sosie("index", "add", INDEX, "more.jsonl")
            expected = self.sosie("query", INDEX, "asked.jsonl").out
            for path in sorted((self.dir / INDEX).iterdir()):
                data = path.read_bytes()
                step = max(1, len(data) // 40)
                for at in range(0, len(data), step):
                    path.write_bytes(data[:at] + bytes([data[at] ^ 1 << at % 8]) + data[at + 1:])
                    found = self.sosie("query", INDEX, "asked.jsonl", code=None)
                    if found.code != 0:
                        self.assertIn(found.code, (2, 3), found.err)
                    else:
                        self.assertEqual(found.out, expected, f"{path.name} at {at}")
                path.write_bytes(data)
            self.assertEqual(self.sosie("query", INDEX, "asked.jsonl").out, expected)

        def test_what_does_not_fit_is_refused(self):
            self.build()
            other = "bits" if self.kind != "bits" else "strings"
            refused = self.sosie("query", INDEX, "asked.jsonl", "--kind", other, code=2).err
            self.assertIn(self.kind, refused)
            self.assertIn(other, refused)
            self.assertIn("does not store the field 'lang'",
                          self.sosie("query", INDEX, "asked.jsonl", "--show", "lang", code=2).err)
            self.write("data.txt", "a b c d e f g h\n")
            self.sosie("index", "build", "text.index", "data.txt")
            self.sosie("index", "merge", "all.index", "text.index", INDEX, code=2)
            self.assertFalse((self.dir / "all.index").exists())
            self.assertIn("measure", self.sosie("index", "info", INDEX).out.decode() +
                          self.sosie("index", "info", INDEX).err)


class Strings(Cases.EachKind):
    kind = "strings"
    build_options = file_options = ("--within", "2")

    def rows_of(self, rng):
        words = sorted({word for text in corpus.texts(5, 300) for word in text.split()
                        if len(word) > 3})
        rng.shuffle(words)
        words = words[:200]
        changed = []
        for word in words:
            at = rng.randrange(len(word))
            changed.append(word[:at] + rng.choice("xyzäß\t\\\n") + word[at + rng.randrange(2):])
        return (words + changed + words[:20])[:400]

    def test_bad_rows_are_left_out(self):
        good = [{"id": "a", "text": "anna"}, {"id": "c", "text": "otto"}]
        for bad in ('{"id": "b", "text": ["x"]}', '{"id": "b"', '{"text": "x"}', '{"id": "b"}'):
            lines = [json.dumps(good[0]), bad, json.dumps(good[1])]
            self.write("bad.jsonl", "\n".join(lines) + "\n")
            with self.subTest(bad=bad):
                shutil.rmtree(self.dir / "b.index", ignore_errors=True)
                skip = ("--on-bad-row", "skip")
                self.sosie("index", "build", "b.index", "bad.jsonl", "--kind", "strings",
                           "--within", "1", *skip)
                self.write("asked.txt", "anne\notti\n")
                out = self.sosie("query", "b.index", "asked.txt").out
                self.assertEqual([row["right"] for row in read_table(out)], ["a", "c"])
                self.write("more.jsonl", "\n".join(['{"id": "d", "text": "maria"}', bad]) + "\n")
                self.sosie("dedup", "more.jsonl", "--against", "b.index", "--add", *skip)
                self.write("even.jsonl", "\n".join(['{"id": "e", "text": "joseph"}', bad]) + "\n")
                self.sosie("index", "add", "b.index", "even.jsonl", *skip)
                self.assertRegex(self.sosie("index", "info", "b.index").out.decode(), r"items +4\n")

    def test_a_stricter_bound_is_taken_and_a_looser_one_is_not(self):
        self.build()
        self.assertEqual(self.sosie("query", INDEX, "asked.jsonl", "--within", "1").out,
                         self.sosie("query", "data.jsonl", "asked.jsonl", "--kind", "strings",
                                    "--within", "1").out)
        self.assertIn("was built with 2",
                      self.sosie("query", INDEX, "asked.jsonl", "--within", "3", code=2).err)

    def test_items_that_are_not_utf8_are_found(self):
        lone = [{"id": i, "text": "\ud800"} for i in range(11)]
        self.write("odd.jsonl", "".join(json.dumps(row) + "\n" for row in lone + [{"id": 99, "text": "kitten"}]))
        self.write("q.jsonl", [{"id": "q", "text": "sitten"}])
        bound = ("--kind", "strings", "--within", "2")
        self.sosie("index", "build", "odd.index", "odd.jsonl", *bound)
        for ask in (("query", "odd.index", "q.jsonl"), ("pairs", "q.jsonl", "--against", "odd.index")):
            self.assertIn(b"q\t99\t1\n", self.sosie(*ask).out)
        self.assertEqual(self.sosie("query", "odd.index", "q.jsonl").out,
                         self.sosie("query", "odd.jsonl", "q.jsonl", *bound).out)
        self.assertEqual(self.kept("q.jsonl", "--against", "odd.index"), b"")

    def test_other_measures_and_forms(self):
        for options in (("--threshold", "0.7", "--measure", "indel"),
                        ("--within", "1", "--clean", "fold"), ("--within", "1", "--method", "brute")):
            with self.subTest(options=options):
                self.build_options = self.file_options = options
                self.build()
                self.assertEqual(self.answers(INDEX), self.answers("data.jsonl"))


class Bits(Cases.EachKind):
    kind = "bits"
    build_options = file_options = ("--within", "3")
    bits = 64

    def rows_of(self, rng):
        rows = [rng.getrandbits(self.bits) for _ in range(200)]
        for number in range(200):
            value = rows[number]
            for _ in range(rng.randrange(6)):
                value ^= 1 << rng.randrange(self.bits)
            rows.append(value)
        return [f"{row:0{self.bits // 4}x}" for row in rows]

    def test_a_killed_call_leaves_all_or_nothing(self):
        self.build()
        rng = random.Random(2)
        rows = list(self.known)
        for call in range(12):
            more = [{"id": f"k{call}-{number}", "text": f"{rng.getrandbits(64):016x}"}
                    for number in range(300)]
            self.write("more.jsonl", more)
            process = self.start("index", "add", INDEX, "more.jsonl")
            time.sleep(rng.random() * 0.03)
            process.kill()
            process.communicate()
            self.sosie("index", "check", INDEX)
            said = self.sosie("index", "add", INDEX, "more.jsonl", "--skip-existing").err
            self.assertRegex(said, "^(0|300) items added")
            rows += more
        self.expect_rows(rows)

    def test_rows_of_a_pipe_are_looked_up(self):
        self.build()
        asked = (self.dir / "asked.jsonl").read_bytes()
        self.assertEqual(self.sosie("query", INDEX, "-", stdin=asked).out,
                         self.sosie("query", INDEX, "asked.jsonl").out)

    def test_few_rows_read_few_items(self):
        self.build()
        said = self.sosie("index", "info", INDEX)
        self.assertIn("by 4 keys per item", said.out.decode() + said.err)

    def test_other_measures(self):
        for options in (("--measure", "jaccard", "--threshold", "0.8"), ("--within", "20"),
                        ("--within", "3", "--method", "brute")):
            with self.subTest(options=options):
                self.build_options = self.file_options = options
                self.build()
                self.assertEqual(self.answers(INDEX), self.answers("data.jsonl"))

    def test_other_lengths_are_refused(self):
        self.build()
        self.write("long.jsonl", [{"id": "x", "text": "00" * 16}])
        self.assertIn("128", self.sosie("index", "add", INDEX, "long.jsonl", code=3).err)
        self.sosie("query", INDEX, "long.jsonl", code=3)


class HashedBits(Cases.EachKind):
    kind = "bits"
    bits = 128
    build_options = ("--within", "8", "--method", "lsh", "--recall", "0.9")
    rows_of = Bits.rows_of

    @property
    def file_options(self):
        return ("--within", "8", "--plan", "plan.json", "--recall", "0.9")

    def build(self, data: str = "data.jsonl", *args: str, index: str = INDEX) -> None:
        if not (self.dir / "plan.json").exists():
            self.sosie("plan", "data.jsonl", "--kind", "bits", *self.build_options, "-o",
                       "plan.json")
        super().build(data, "--plan", "plan.json", *args, index=index)


class Vectors(Cases.EachKind):
    kind = "vectors"
    build_options = file_options = ("--threshold", "0.9", "--measure", "cosine")

    def rows_of(self, rng):
        rows = [[rng.gauss(0, 1) for _ in range(24)] for _ in range(200)]
        near = [[x + rng.gauss(0, 0.2) for x in row] for row in rows]
        return rows + near

    def test_measures_and_types(self):
        whole = [[round(20 * x) for x in row["text"]] for row in self.rows]
        self.write("data.jsonl", [{**row, "text": text}
                                  for row, text in zip(self.known, whole)])
        self.write("asked.jsonl", [{**row, "text": text}
                                   for row, text in zip(self.asked, whole[200:])])
        for options in (("--measure", "euclidean", "--within", "40"),
                        ("--measure", "manhattan", "--within", "150"),
                        ("--measure", "angle", "--within", "25"), ("--threshold", "0.9")):
            with self.subTest(options=options):
                self.build_options = self.file_options = options
                self.build()
                self.assertEqual(self.answers(INDEX), self.answers("data.jsonl"))

    def test_arrays_and_the_nearest(self):
        rows = [row["text"] for row in self.rows]
        self.write("data.npy", npy(rows[:240]))
        self.write("asked.npy", npy(rows[200:]))
        self.sosie("index", "build", INDEX, "data.npy")
        top = ("--top", "5")
        self.assertEqual(self.sosie("query", INDEX, "asked.npy", *top).out,
                         self.sosie("query", "data.npy", "asked.npy", *top).out)
        self.write("gone.txt", "0\n7\n")
        self.sosie("index", "remove", INDEX, "--ids", "gone.txt")
        lines = self.sosie("query", INDEX, "asked.npy", *top).out.decode().splitlines()
        self.assertNotIn("7", {line.split("\t")[1] for line in lines})
        self.assertIn("438 items", self.sosie("index", "add", INDEX, "asked.npy").err)

    def test_lists_are_for_the_nearest_in_an_index_that_stays_open(self):
        top = ("--top", "3")
        exact = self.sosie("query", "data.jsonl", "asked.jsonl", *top, "--kind", "vectors").out
        lists = ("--kind", "vectors", "--method", "lsh", "--recall")
        self.sosie("index", "build", INDEX, "data.jsonl", *lists, "0.95")
        info = self.sosie("index", "info", INDEX).out.decode()
        self.assertIn("recall        0.95", info)
        for method in ((), ("--method", "exact"), ("--method", "lsh")):
            with self.subTest(method=method):
                self.assertEqual(self.sosie("query", INDEX, "asked.jsonl", *top, *method).out, exact)
        self.fails(2, "index", "build", "new.index", "data.jsonl", *lists, "1", says="--recall 1")
        self.fails(2, "index", "build", "new.index", "data.jsonl", *lists, "0.9", "--measure",
                   "canberra", says="there is no lsh for it")
        self.assertFalse((self.dir / "new.index").exists())

    def test_components_of_several_types(self):
        rng = random.Random(11)
        rows = [[rng.randint(-90, 90) for _ in range(8)] for _ in range(60)]
        near = [[x + rng.choice((0, 0.25)) for x in row] for row in rows[:30]]
        bound = ("--measure", "euclidean", "--within", "0.9")
        self.write("bytes.npy", npy(rows, "|i1"))
        self.write("floats.npy", npy(near))
        self.write("asked.jsonl", jsonl({"id": f"a{n}", "vector": row} for n, row in enumerate(rows)))
        self.sosie("index", "build", INDEX, "bytes.npy", *bound)
        found = {}
        for path, more in (("bytes.npy", ()), ("floats.npy", ("floats.npy",))):
            for add in more:
                self.sosie("index", "add", INDEX, add)
            for asked in ("asked.jsonl", "floats.npy"):
                column = ("--column", "vector") if asked == "asked.jsonl" else ()
                lines = self.sosie("query", INDEX, asked, *column).out
                files = ["bytes.npy", *more]
                found[path, asked] = lines.count(b"\n")
                direct = [self.sosie("pairs", asked, "--against", file, *bound, *column, "--kind", "vectors").out.splitlines()[1:]
                          for file in files]
                shift = [b"%s\t%d\t%s" % (left, int(right) + 60 * n, value) for n, some in enumerate(direct)
                         for left, right, value in (line.split(b"\t") for line in some)]
                self.assertEqual(sorted(lines.splitlines()[1:]), sorted(shift))
        self.assertGreater(found["floats.npy", "asked.jsonl"], found["bytes.npy", "asked.jsonl"])

    def test_ids_beside_an_array_are_compared_with_those_of_the_index(self):
        rows = [[float(n), 1.0] for n in range(6)]
        bound = ("--measure", "euclidean", "--within", "0.5")
        self.write("data.npy", npy(rows))
        self.write("ids.txt", "".join(f"v{n}\n" for n in range(6)))
        self.write("others.txt", "".join(f"v{n}\n" for n in (0, 1, 3, 2, 4, 9)))
        self.sosie("index", "build", INDEX, "data.npy", "--ids", "ids.txt", *bound)
        self.write("new.npy", npy([[9.0, 1.0]]))
        self.fails(2, "index", "add", INDEX, "new.npy", says="--id: the items of .* are identified by id$",
                   hints="--ids FILE gives ids to rows without one")
        asked = ("data.npy", "--other-ids", "others.txt", "--exclude-self")
        lines = self.sosie("query", INDEX, *asked).out
        self.assertEqual(lines, self.sosie("query", "data.npy", *asked, *bound, "--ids", "ids.txt").out)
        self.assertEqual(lines.splitlines()[1:], [b"v3\tv2\t0.000000", b"v2\tv3\t0.000000", b"v9\tv5\t0.000000"])

    def test_long_ids_count_against_the_memory(self):
        rows = [[float(n), 1.0] for n in range(20000)]
        self.write("data.npy", npy(rows))
        self.write("ids.txt", "".join(f"{'v' * 1000}{n}\n" for n in range(20000)))
        self.sosie("index", "build", INDEX, "data.npy", "--ids", "ids.txt", "--measure", "euclidean",
                   "--within", "0.5")
        self.fails(4, "query", INDEX, "data.npy", "--memory", "32M", says="of memory as rows")

    def test_items_that_outgrow_the_memory_are_refused(self):
        rng = random.Random(7)
        row = [rng.gauss(0, 1) for _ in range(1024)]
        self.write("wide.npy", npy([row] * 3000))
        self.write("one.npy", npy([row]))
        self.sosie("index", "build", INDEX, "wide.npy", "--threshold", "0.9", "--measure", "cosine")
        self.fails(4, "query", INDEX, "one.npy", "--memory", "16M",
                   says="of memory as rows; --memory is", hints="raise --memory above")
        self.assertEqual(self.sosie("query", INDEX, "one.npy", "--top", "3").out.count(b"\n"), 4)


class HashedVectors(Cases.EachKind):
    kind = "vectors"
    build_options = ("--threshold", "0.9", "--measure", "cosine", "--method", "lsh", "--recall",
                     "0.9")
    rows_of = Vectors.rows_of

    @property
    def file_options(self):
        return ("--threshold", "0.9", "--measure", "cosine", "--plan", "plan.json", "--recall", "0.9")

    def build(self, data: str = "data.jsonl", *args: str, index: str = INDEX) -> None:
        if not (self.dir / "plan.json").exists():
            self.sosie("plan", "data.jsonl", "--kind", "vectors", *self.build_options, "-o",
                       "plan.json")
        super().build(data, "--plan", "plan.json", *args, index=index)


if __name__ == "__main__":
    unittest.main()

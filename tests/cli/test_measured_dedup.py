"""`sosie dedup` for vectors and bit strings: star clustering in rank order, and kept rows
unchanged.
"""
# slow: more than 5 s in a release build, so `make sanitize` leaves it to `make sanitize-all`

import gzip
import json
import random
import unittest
from fractions import Fraction

from measured_rows import cosine_reaches, dot, grouped, npy, vecs, within
from support import SosieTest, jsonl, read_table, without_note


def star(ranked: list, near) -> dict:
    """Returns the survivor of each row, in rank order: the first earlier survivor that is near."""
    survivors = []
    survivor_of = {}
    for row in ranked:
        survivor_of[row] = next((kept for kept in survivors if near(kept, row)), row)
        if survivor_of[row] == row:
            survivors.append(row)
    return survivor_of


class MeasuredDedup(SosieTest):
    def setUp(self):
        super().setUp()
        rng = random.Random(8)
        self.rows = grouped(600, 16, 9)
        self.rows += rng.sample(self.rows, 60)  # identical ones
        self.near = lambda i, j: within(self.rows[i], self.rows[j], "euclidean", Fraction(100))
        self.expected = star(list(range(len(self.rows))), self.near)
        self.kept = [i for i, survivor in self.expected.items() if i == survivor]
        self.args = ("--measure", "euclidean", "--within", "100")

    # --- what is kept

    def test_files_of_vectors_are_cut_down_to_the_survivors(self):
        self.assertLess(len(self.kept), 400)
        kept = [self.rows[i] for i in self.kept]
        for name, made in (("a.npy", lambda rows: npy(rows, "|u1")),
                           ("b.npy", lambda rows: npy(rows, "<f4")), ("a.fvecs", vecs),
                           ("c.npy", lambda rows: npy(rows, "|u1", fortran=True)),
                           ("d.npy", lambda rows: npy(rows, ">i4")),
                           ("e.npy", lambda rows: npy(rows, ">f8", fortran=True)),
                           ("a.bvecs", lambda rows: vecs(rows, "B")),
                           ("a.ivecs", lambda rows: vecs(rows, "i"))):
            self.write(name, made(self.rows))
            self.sosie("dedup", name, *self.args, "-o", "out." + name)
            self.assertEqual(self.read("out." + name), made(kept), name)
        self.assertEqual(self.sosie("dedup", "a.fvecs", *self.args).out, vecs(kept))
        self.sosie("dedup", "a.npy", *self.args, "-o", "out.npy.gz")
        self.assertEqual(gzip.decompress(self.read("out.npy.gz")), npy(kept, "|u1"))

    def test_files_by_columns_are_written_by_columns(self):
        made = lambda rows: npy(rows, "<i2", fortran=True)  # noqa: E731
        self.write("1.npy", made(self.rows[:250]))
        self.write("2.npy", made(self.rows[250:]))
        self.write("3.npy", npy(self.rows[250:], "<i2"))
        kept = [self.rows[i] for i in self.kept]
        own = sum(i < 250 for i in self.kept)
        out = self.sosie("dedup", "1.npy", "2.npy", *self.args).out
        self.assertEqual(out, made(kept))
        for second, order in (("2.npy", True), ("3.npy", False)):
            self.sosie("dedup", "1.npy", second, *self.args, "-o", "out/", "--overwrite=all")
            self.assertEqual(self.read("out/1.npy"), made(kept[:own]))
            self.assertEqual(self.read("out/" + second), npy(kept[own:], "<i2", fortran=order))
        self.fails(2, "dedup", "1.npy", "3.npy", *self.args, says="types or orders")

    def test_rows_are_kept_byte_for_byte(self):
        lines = [f'{{"v": {row},  "id": "n{i}"}}\n'.encode() for i, row in enumerate(self.rows)]
        lines[-1] = lines[-1].rstrip(b"\n")
        self.write("in.jsonl", b"".join(lines))
        out = self.sosie("dedup", "in.jsonl", "--kind", "vectors", "--column", "v", *self.args).out
        self.assertEqual(out, b"".join(lines[i] for i in self.kept))
        header = b"id,x,y\r\n"
        self.write("in.csv", header + b"p,1,2\r\nq,1,2\r\nr,5,5\r\n")
        out = self.sosie("dedup", "in.csv", "--kind", "vectors", "--column", "x,y", "--measure",
                         "manhattan", "--within", "0").out
        self.assertEqual(out, header + b"p,1,2\r\nr,5,5\r\n")

    def test_side_files_say_why(self):
        self.write("in.npy", npy(self.rows, "|u1"))
        result = self.sosie("dedup", "in.npy", *self.args, "--dry-run", "--removed", "r.tsv",
                            "--clusters", "c.jsonl", "--stats", "s.json", "--pairs", "p.tsv")
        self.assertEqual(result.out, b"")
        removed = read_table(self.read("r.tsv"))
        self.assertEqual({int(row["id"]): int(row["kept_id"]) for row in removed},
                         {i: survivor for i, survivor in self.expected.items() if i != survivor})
        for row in removed:
            x, y = self.rows[int(row["id"])], self.rows[int(row["kept_id"])]
            square = sum((a - b) ** 2 for a, b in zip(x, y))
            self.assertAlmostEqual(float(row["distance"]), square ** 0.5, places=6)
            self.assertEqual(row["exact"], "true" if x == y else "false")
            self.assertEqual((row["row"], row["file"]), (row["id"], "in.npy"))
        clusters = [json.loads(line) for line in self.read("c.jsonl").splitlines()]
        sizes = {}
        for survivor in self.expected.values():
            sizes[survivor] = sizes.get(survivor, 0) + 1
        self.assertEqual({(c["id"], c["cluster_id"], c["size"]) for c in clusters},
                         {(i, s, sizes[s]) for i, s in self.expected.items() if sizes[s] > 1})
        stats = json.loads(self.read("s.json"))
        identical = sum(row["exact"] == "true" for row in removed)
        self.assertEqual((stats["rows"], stats["kept"], stats["identical"], stats["near"]),
                         (660, len(self.kept), identical, 660 - len(self.kept) - identical))
        self.assertEqual(stats["groups"], sum(size > 1 for size in sizes.values()))
        self.assertEqual(without_note(self.read("p.tsv")),
                         self.sosie("pairs", "in.npy", *self.args).out)
        self.assertIn(f"660 read, {len(self.kept)} would be kept", result.err)

    def test_ranks_say_who_survives(self):
        self.write("in.npy", npy(self.rows, "|u1"))
        expected = star(list(range(len(self.rows)))[::-1], self.near)
        out = self.sosie("dedup", "in.npy", *self.args, "--keep", "last", "-o", "last.npy")
        kept = [row for i, row in enumerate(self.rows) if expected[i] == i]
        self.assertEqual(self.read("last.npy"), npy(kept, "|u1"))
        rng = random.Random(10)
        scores = [rng.randint(0, 50) for _ in self.rows]
        self.write("in.jsonl", jsonl([{"text": row, "score": score}
                                      for row, score in zip(self.rows, scores)]))
        ranked = sorted(range(len(self.rows)), key=lambda i: (-scores[i], i))
        expected = star(ranked, self.near)
        out = self.sosie("dedup", "in.jsonl", "--kind", "vectors", *self.args, "--keep",
                         "max:score").out
        lines = self.read("in.jsonl").splitlines(keepends=True)
        self.assertEqual(out, b"".join(line for i, line in enumerate(lines) if expected[i] == i))

    def test_the_other_collection_wins(self):
        other = self.rows[100:150]
        self.write("other.npy", npy(other, "|u1"))
        self.write("in.npy", npy(self.rows, "|u1"))
        rows = other + self.rows
        survivors = list(range(50))
        expected = {}
        for i in range(50, len(rows)):
            expected[i] = next((kept for kept in survivors
                                if within(rows[kept], rows[i], "euclidean", Fraction(100))), i)
            if expected[i] == i:
                survivors.append(i)
        result = self.sosie("dedup", "in.npy", "--against", "other.npy", *self.args, "-o",
                            "out.npy", "--removed", "r.tsv", "--pairs", "p.tsv")
        self.assertEqual(self.read("out.npy"), npy([rows[i] for i in survivors[50:]], "|u1"))
        removed = {int(row["id"]): (row["kept_file"], int(row["kept_row"]))
                   for row in read_table(self.read("r.tsv"))}
        self.assertEqual(removed, {i - 50: ("other.npy", kept) if kept < 50
                                   else ("in.npy", kept - 50)
                                   for i, kept in expected.items() if i != kept})
        self.assertEqual(without_note(self.read("p.tsv")), self.sosie(
            "pairs", "in.npy", "--against", "other.npy", *self.args).out)
        for_them = sum(kept < 50 for kept in expected.values())
        self.assertIn(f"not written; {for_them} removed because of them", result.err)

    def test_an_output_folder_mirrors_the_files(self):
        self.write("in/1.npy", npy(self.rows[:300], "|u1"))
        self.write("in/2.fvecs", vecs(self.rows[300:]))
        self.sosie("dedup", "in", *self.args, "-o", "out/")
        self.assertEqual(self.read("out/1.npy"),
                         npy([self.rows[i] for i in self.kept if i < 300], "|u1"))
        self.assertEqual(self.read("out/2.fvecs"),
                         vecs([self.rows[i] for i in self.kept if i >= 300]))

    def test_cosine_takes_the_first_survivor_in_rank_order(self):
        self.write("in.npy", npy(self.rows, "|u1"))
        self.assertTrue(any(dot(x, x) for x in self.rows))
        expected = star(list(range(len(self.rows))), lambda i, j: cosine_reaches(
            self.rows[i], self.rows[j], Fraction("0.9")))
        for more in ((), ("--threads", "3"), ("--method", "brute"), ("--memory", "4M")):
            self.sosie("dedup", "in.npy", "--threshold", "0.9", "--removed", "r.tsv", "--dry-run",
                       *more)
            self.assertEqual({int(row["id"]): int(row["kept_id"])
                              for row in read_table(self.read("r.tsv"))},
                             {i: survivor for i, survivor in expected.items() if i != survivor})

    def test_many_identical_vectors_are_one_comparison(self):
        self.write("same.npy", npy([[7] * 8] * 300_000 + [[8] * 8] * 2, "|i1"))
        result = self.sosie("dedup", "same.npy", "--measure", "chebyshev", "--within", "1", "-o",
                            "one.npy", "--stats", "s.json")
        self.assertEqual(self.read("one.npy"), npy([[7] * 8], "|i1"))
        stats = json.loads(self.read("s.json"))
        self.assertEqual((stats["identical"], stats["near"]), (299_999, 2))
        self.assertLess(stats["candidates"], 10)
        self.assertIn("the largest has 300,002 rows: 0", result.err)

    def test_near_copies_in_any_number_are_compared_with_their_survivor(self):
        rng = random.Random(11)
        rows = [[100 + rng.randint(0, 1) for _ in range(24)] for _ in range(5000)]
        self.write("near.npy", npy(rows, "|u1"))
        self.sosie("dedup", "near.npy", "--measure", "chebyshev", "--within", "1", "-o", "one.npy",
                   "--stats", "s.json")
        self.assertEqual(self.read("one.npy"), npy(rows[:1], "|u1"))
        self.assertLess(json.loads(self.read("s.json"))["candidates"], 50_000)

    # --- the decisions, in the rows themselves

    def test_rows_are_annotated(self):
        lines = [f'{{"v": {row},  "id": "n{i}"}}' for i, row in enumerate(self.rows)]
        self.write("in.jsonl", "\n".join(lines).encode())
        size = {}
        for survivor in self.expected.values():
            size[survivor] = size.get(survivor, 0) + 1

        def annotated(i: int) -> str:
            kept = self.expected[i]
            of = "null" if kept == i else f'"n{kept}"'
            return f'{lines[i][:-1]}, "duplicate_of": {of}, "cluster_size": {size[kept]}}}'

        for which, rows in (("all", range(len(lines))), ("kept", self.kept)):
            result = self.sosie("dedup", "in.jsonl", "--kind", "vectors", "--column", "v",
                                *self.args, "--annotate", which)
            self.assertEqual(result.out.decode().splitlines(), [annotated(i) for i in rows])
        self.assertNotIn("annotated", result.err)
        self.write("in.csv", b"code,n\r\nff00,1\r\nff01,2\r\n0000,3\r\n")
        self.write("names.txt", b"a\nb\nc\n")
        codes = ("dedup", "in.csv", "--kind", "bits", "--column", "code", "--within", "1",
                 "--annotate", "all")
        result = self.sosie(*codes, "--ids", "names.txt", "--id", "row")
        self.assertEqual(result.out, b"code,n,duplicate_of,cluster_size\r\nff00,1,,2\r\n"
                         b"ff01,2,a,2\r\n0000,3,,1\r\n")
        self.assertIn("1 duplicates annotated", result.err)
        self.write("other.csv", b"code,id\nff03,theirs\n")
        self.assertEqual(self.sosie(*codes, "--against", "other.csv").out,
                         b"code,n,duplicate_of,cluster_size\r\nff00,1,,1\r\n"
                         b"ff01,2,theirs,2\r\n0000,3,,1\r\n")

    # --- chains

    def test_components_are_chains_of_pairs(self):
        rng = random.Random(13)
        for name, points in (("all.npy", [rng.randrange(4000) for _ in range(900)]),
                             ("none.npy", [10 * i for i in range(50)])):
            self.write(name, npy([[point] for point in points], "<f4"))
            order = sorted(set(points))
            chain = {}  # the number of each point
            for left, right in zip([None, *order], order):
                chain[right] = chain[left] if left is not None and right - left <= 3 else right
            best = {}
            expected = {}
            for i, point in enumerate(points):
                kept = best.setdefault(chain[point], i)
                if kept != i:
                    expected[i] = (kept, abs(points[kept] - point))
            self.sosie("dedup", name, "--measure", "manhattan", "--within", "3", "--clustering",
                       "components", "--removed", "r.tsv", "--dry-run")
            self.assertEqual({int(row["id"]): (int(row["kept_id"]), float(row["distance"]))
                              for row in read_table(self.read("r.tsv"))}, expected)
            beyond = any(distance > 3 for _, distance in expected.values())
            self.assertEqual(beyond, name == "all.npy")

    def test_a_chain_over_the_other_collection_ends_there(self):
        self.write("in.txt", b"".join(f"{1 << i:08x}\n".encode() for i in range(6)))
        self.write("other.txt", b"00000000\n")
        args = ("dedup", "in.txt", "--kind", "bits", "--clustering", "components", "--within")
        self.assertEqual(self.sosie(*args, "1", "--against", "other.txt").out, b"")
        self.assertEqual(self.sosie(*args, "1").out, self.read("in.txt"))
        self.assertEqual(self.sosie(*args, "2").out, b"00000001\n")
        for more in (("--method", "brute"), ("--method", "lsh"), ("--threads", "3")):
            self.assertEqual(self.sosie(*args, "2", *more).out, b"00000001\n", more)

    # --- bits

    def test_bits(self):
        rng = random.Random(12)
        codes = []
        for _ in range(150):
            code = rng.getrandbits(64)
            codes += [code, code ^ 1 << rng.randrange(64), code, code ^ 7]
        rng.shuffle(codes)
        lines = [f"{code:016x}\n".encode() for code in codes]
        self.write("in.txt", b"".join(lines))
        for radius in (0, 2, 25):
            expected = star(list(range(len(codes))),
                            lambda i, j, r=radius: (codes[i] ^ codes[j]).bit_count() <= r)
            out = self.sosie("dedup", "in.txt", "--kind", "bits", "--within", str(radius),
                             "--removed", "r.tsv", "--pairs", "p.tsv").out
            self.assertEqual(out, b"".join(line for i, line in enumerate(lines)
                                           if expected[i] == i), radius)
            self.assertEqual({int(row["id"]): (int(row["kept_id"]), float(row["distance"]))
                              for row in read_table(self.read("r.tsv"))},
                             {i: (kept, (codes[i] ^ codes[kept]).bit_count())
                              for i, kept in expected.items() if i != kept})
            self.assertEqual(without_note(self.read("p.tsv")), self.sosie(
                "pairs", "in.txt", "--kind", "bits", "--within", str(radius)).out)
        self.write("other.txt", lines[5])
        out = self.sosie("dedup", "in.txt", "--against", "other.txt", "--kind", "bits", "--within",
                         "64").out
        self.assertEqual(out, b"")

    # --- the edges

    def test_nothing_and_one(self):
        for name, content in (("e.npy", npy([], "<f4")), ("e.fvecs", b""),
                              ("one.npy", npy([[1, 2]], "<f4")), ("e.jsonl", b"")):
            self.write(name, content)
            out = self.sosie("dedup", name, "--kind", "vectors", "--threshold", "0.5").out
            self.assertEqual(out, content, name)
            self.write("other.npy", npy([[1, 2]], "<f4"))
        out = self.sosie("dedup", "one.npy", "--against", "other.npy", "--threshold", "0.5").out
        self.assertEqual(out, npy([], "<f4", shape="(0, 2)"))

    def test_duplicates_can_fail_a_run(self):
        self.write("in.npy", npy([[1, 2], [2, 4]], "|i1"))
        self.sosie("dedup", "in.npy", "--threshold", "1", "--fail-if-duplicates", code=1)
        self.sosie("dedup", "in.npy", "--measure", "euclidean", "--within", "1",
                   "--fail-if-duplicates")

    def test_what_cannot_be_meant(self):
        self.write("in.npy", npy([[1, 2], [2, 4]], "|i1"))
        self.write("b.npy", npy([[1, 2]], "<f4"))
        self.write("in.jsonl", jsonl([{"id": 1, "text": [0, 0]}]))
        good = ("--threshold", "0.9")
        for args, says in (((), "--threshold: must be given for cosine"),
                           ((*good, "--keep", "longest"), "vectors have no length"),
                           ((*good, "--keep", "max:score"), "has no fields"),
                           ((*good, "--annotate", "kept"), "rows of format npy have no fields"),
                           ((*good, "-o", "in.npy"), "is an input of this run"),
                           ((*good, "-o", "out.jsonl"), "kept rows keep their format"),
                           ((*good, "b.npy"), "numbers of different types or orders")):
            self.fails(2, "dedup", "in.npy", *args, says=says)
        self.fails(3, "dedup", "in.jsonl", "--kind", "vectors", *good, says="in.jsonl:1: the vector is all zeros and has no cosine")
        self.write("d.jsonl", jsonl([{"id": 1, "text": [1]}, {"id": 1, "text": [2]}]))
        self.fails(3, "dedup", "d.jsonl", "--kind", "vectors", *good, says="is already used by")


if __name__ == "__main__":
    unittest.main()

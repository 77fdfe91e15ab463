"""`sosie query DATA -` for vectors in a pipe: each row is answered before the next one arrives."""

import json
import os
import random
import threading
import unittest

from item_stream import ItemStreamTest
from measured_rows import npy
from support import instead, jsonl, read_table


def made(rng: random.Random, rows: int, dimension: int, size: float = 1) -> list[list[float]]:
    """Rows around a few centres, with numbers that floats represent exactly."""
    middles = [[rng.gauss(0, size) for _ in range(dimension)] for _ in range(12)]
    return [[round(256 * (c + rng.gauss(0, 0.3 * size))) / 256 for c in middles[i % 12]]
            for i in range(rows)]


class VectorStream(ItemStreamTest):
    def setUp(self):
        super().setUp()
        rng = random.Random(11)
        rows = self.rows = made(rng, 5090, 9)
        self.write("data.npy", npy(rows[:5000], "<f4"))
        # Some are slightly or much longer than any vector in DATA.
        self.asked = rows[5000:] + [[7 * c for c in row] for row in rows[:5]] + [[1e9] * 9, rows[7]]
        self.write("asked.jsonl", jsonl([{"id": f"q{i}", "text": row}
                                         for i, row in enumerate(self.asked)]))

    def joined(self, *args: str, asked: str = "asked.jsonl") -> bytes:
        return self.sosie("query", "data.npy", asked, "--kind", "vectors", *args).out

    def streamed(self, *args: str, asked: str = "asked.jsonl", **options):
        return self.sosie("query", "data.npy", "-", "--kind", "vectors", *args,
                          stdin=self.read(asked), **options)

    def test_each_row_is_answered_before_the_next_one_is_written(self):
        for args in (("--top", "3"), ("--threshold", "0.97", "--method", "exact")):
            lines = self.joined(*args).splitlines(keepends=True)
            self.assertGreater(len(lines), 100)
            for more in ((), ("--on-bad-row", "skip")):
                self.answers_row_by_row(lines, "data.npy", "-", "--kind", "vectors", *args, *more)

    def test_the_bytes_are_those_of_the_join(self):
        for options in (("--top", "1"), ("--top", "10"), ("--top", "6000"),
                        ("--threshold", "0.98"), ("--threshold", "0.9", "--top", "4"),
                        ("--measure", "angle", "--within", "15"), ("--measure", "angle", "--top", "5"),
                        ("--measure", "euclidean", "--within", "1.5"),
                        ("--measure", "euclidean", "--within", "0"),
                        ("--measure", "euclidean", "--top", "7", "--id", "row"),
                        ("--measure", "manhattan", "--top", "7"),
                        ("--measure", "chebyshev", "--within", "0.7"),
                        ("--measure", "minkowski:3", "--top", "2"),
                        ("--measure", "dot", "--threshold", "9"), ("--method", "brute", "--top", "3")):
            with self.subTest(options=options):
                joined = self.joined(*instead(("--method", "exact"), *options))
                self.assertGreater(joined.count(b"\n"), 1)
                for threads in ("1", "3"):
                    found = self.streamed(*options, "--threads", threads).out
                    self.assertEqual(found, joined)

    def test_data_of_every_type_of_components(self):
        rng = random.Random(5)
        rows = [[rng.randrange(0, 100) for _ in range(20)] for _ in range(300)]
        self.write("asked.jsonl", jsonl([{"text": row} for row in rows[:40]]
                                        + [{"text": [c + 0.25 for c in rows[50]]}]))
        for kind in ("|i1", "|u1", "<f4", "<f8"):
            self.write("data.npy", npy(rows, kind))
            for options in (("--measure", "euclidean", "--within", "120"), ("--top", "3")):
                joined = self.joined("--method", "exact", *options)
                self.assertEqual(self.streamed(*options).out, joined)
                self.assertGreater(joined.count(b"\n"), 40)

    def test_instruction_sets_find_the_same(self):
        expected = self.joined("--top", "3")
        targets = self.fails(2, "pairs", "data.npy", "--threshold", "1", "--simd", "none").err
        for target in targets.split("can run: ")[1].split(", "):
            self.assertEqual(self.streamed("--top", "3", "--simd", target.strip()).out, expected)

    def test_few_are_measured(self):
        for options in (("--top", "5"), ("--measure", "euclidean", "--within", "1")):
            self.streamed(*options, "--stats", "stats.json")
            tree = json.loads(self.read("stats.json"))
            self.assertEqual((tree["method"], tree["rows"]), ("exact", len(self.asked)))
            self.assertLess(tree["candidates"], len(self.asked) * 5000 / 5)

    def test_csv_with_columns_and_a_named_pipe(self):
        names = [f"c{k}" for k in range(9)]
        rows = [["id", *names]] + [[f"q{i}", *row] for i, row in enumerate(self.asked)]
        asked = "\n".join(",".join(map(str, row)) for row in rows).encode()
        expected = self.joined("--top", "2")
        os.mkfifo(self.dir / "asked.csv")
        writer = threading.Thread(target=lambda: (self.dir / "asked.csv").write_bytes(asked))
        writer.start()
        args = ("query", "data.npy", "--kind", "vectors", "--top", "2", "--column", ",".join(names))
        self.assertEqual(self.sosie(*args, "asked.csv").out, expected)
        writer.join()
        data = [["id", *names]] + [[i, *row] for i, row in enumerate(self.rows[:5000])]
        self.write("data.csv", "\n".join(",".join(map(str, row)) for row in data))
        args = ("query", "data.csv", "-", *args[2:])
        self.assertEqual(self.sosie(*args, "--format", "csv", stdin=asked).out, expected)
        err = self.fails(3, *args, "--format", "csv", stdin=asked + b"\nlast,1,2").err
        self.assertIn(f"<stdin>:{len(rows) + 1}: ", err)

    def test_fields_are_shown_row_by_row(self):
        self.write("data.jsonl", jsonl([{"id": f"d{i}", "text": row, "name": f"row {i}"}
                                        for i, row in enumerate(self.rows[:500])]))
        self.write("asked.jsonl", jsonl([{"id": f"q{i}", "text": row, "name": i} if i % 2 else
                                         {"id": f"q{i}", "text": row}
                                         for i, row in enumerate(self.asked[:20])]))
        args = ("--kind", "vectors", "--top", "2", "--show", "name,id")
        lines = self.sosie("query", "data.jsonl", "asked.jsonl", *args).out.splitlines(keepends=True)
        self.assertEqual(lines[0], b"left\tright\tsimilarity\tleft_name\tright_name\tleft_id\tright_id\n")
        self.answers_row_by_row(lines, "data.jsonl", "-", *args)

    def test_lines_of_numbers_and_ids_of_data(self):
        self.write("asked.txt", "".join(" ".join(map(str, row)) + "\n" for row in self.asked))
        self.write("ids.txt", "".join(f"d{i}\n" for i in range(5000)))
        args = ("--top", "1", "--ids", "ids.txt")
        expected = self.joined(*args, asked="asked.txt")
        os.mkfifo(self.dir / "pipe.txt")
        writer = threading.Thread(
            target=lambda: (self.dir / "pipe.txt").write_bytes(self.read("asked.txt")))
        writer.start()
        self.assertEqual(self.joined(*args, asked="pipe.txt"), expected)
        writer.join()
        self.assertEqual(read_table(expected)[-1]["right"], "d7")

    def test_what_all_rows_must_be_known_for_takes_the_join(self):
        self.write("names.txt", "".join(f"n{i}\n" for i in range(len(self.asked))))
        for options in (("--top", "1", "--other-ids", "names.txt", "--id", "row"),
                        ("--threshold", "0.98", "--audit"),
                        ("--threshold", "0.9", "--method", "lsh")):
            self.assertEqual(self.streamed(*options).out, self.joined(*options))

    def test_a_bad_row_ends_the_run_behind_the_answers_before_it(self):
        good = jsonl([{"text": self.asked[0]}])
        args = ("query", "data.npy", "-", "--kind", "vectors", "--top", "1")
        answered = self.sosie(*args, stdin=good).out
        self.assertEqual(answered.count(b"\n"), 2)
        for bad, says in (
                (b'{"text": [1, 2]}\n', "^sosie: <stdin>:2: 2 components, those of DATA have 9"),
                (b'\n{"text": ["a"]}\n', "^sosie: <stdin>:3: field 'text' is not a list of finite"),
                (b'{"id": 3}\n', "^sosie: <stdin>:2: field 'text' is missing"),
                (b'{"text": [0,0,0,0,0,0,0,0,0]}\n',
                 "^sosie: <stdin>:2: the vector is all zeros and has no cosine")):
            result = self.fails(3, *args, stdin=good + bad + good, says=says)
            self.assertEqual(result.out, answered)

    def test_limit_keeps_what_was_answered(self):
        joined = self.joined("--top", "2")
        count = joined.count(b"\n") - 1
        self.assertEqual(self.streamed("--top", "2", "--limit", str(count)).out, joined)
        result = self.fails(4, "query", "data.npy", "-", "--kind", "vectors", "--top", "2", "--limit",
                            str(count - 1), stdin=self.read("asked.jsonl"), says="--limit")
        self.assertEqual(result.out, b"".join(joined.splitlines(keepends=True)[:-2]))

    def test_nothing_to_find_and_nothing_to_find_it_in(self):
        self.assertEqual(self.sosie("query", "data.npy", "-", "--kind", "vectors", "--top", "1",
                                    code=0, stdin=b"").out, b"left\tright\tsimilarity\n")
        self.write("data.npy", npy([], "<f4"))
        self.assertEqual(self.streamed("--top", "1", code=1).out, b"left\tright\tsimilarity\n")
        self.fails(3, "query", "data.npy", "-", "--kind", "vectors", "--top", "1",
                   stdin=jsonl([{"text": [1, 2]}, {"text": [1]}]),
                   says="<stdin>:2: 1 components, the first row has 2")

    def test_the_summary_is_that_of_the_join(self):
        args = ("--threshold", "0.98", "--method", "exact", "--stats")
        streamed = self.streamed(*args, "streamed.json")
        joined = self.sosie("query", "data.npy", "asked.jsonl", "--kind", "vectors", *args,
                            "joined.json")
        timed = ("seconds", "peak_memory_bytes", "scratch_bytes", "candidates", "verified", "inputs")
        trees = [{key: value for key, value in json.loads(self.read(name)).items() if key not in timed}
                 for name in ("streamed.json", "joined.json")]
        self.assertEqual(trees[0], trees[1])
        self.assertEqual(streamed.err.splitlines()[:4], joined.err.splitlines()[:4])


if __name__ == "__main__":
    unittest.main()

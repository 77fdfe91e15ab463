"""`--represent grid:CELL`: an item that consists of points becomes the set of the grid cells that
contain them.
"""

import itertools
import json
import math
import random
import unittest

from support import SosieTest, jsonl, read_table

SIDE = 60


def lanes(at: float, cell: float, border: float, count: int | None) -> set[int]:
    """The columns (or rows) that contain a coordinate, by definition."""
    own = math.floor(at / cell)
    near = {own}
    if border and at - own * cell <= border:
        near.add(own - 1)
    if border and (own + 1) * cell - at <= border:
        near.add(own + 1)
    return {lane for lane in near if count is None or 0 <= lane < count}


def squares(points: list, cell: float, border: float = 0, directions: int = 0,
            count: int | None = None) -> set[str]:
    found = set()
    for x, y, angle in points:
        for lane in itertools.product(lanes(x, cell, border, count), lanes(y, cell, border, count)):
            if directions:
                lane += (math.floor(angle % 360 / 360 * directions),)
            found.add(",".join(map(str, lane)))
    return found


class Represent(SosieTest):
    def setUp(self):
        super().setUp()
        rng = random.Random(11)
        self.items = []
        for _ in range(40):
            points = [[rng.randrange(2 * SIDE) / 2, rng.randrange(2 * SIDE) / 2,
                       rng.randrange(360)] for _ in range(25)]
            moved = [[x, y + 0.5 if y + 0.5 < SIDE else y, angle] for x, y, angle in points]
            self.items += [points, moved[:22]]
        self.write("in.jsonl", jsonl([{"id": f"p{i}", "points": points}
                                      for i, points in enumerate(self.items)]).decode())

    def write_sets(self, name: str, sets: list[set[str]]):
        self.write(name, jsonl([{"id": f"p{i}", "points": sorted(s)}
                                for i, s in enumerate(sets)]).decode())

    def rows(self, name: str, *args: str) -> list[tuple]:
        out = self.sosie("pairs", name, "--column", "points", *args).out
        return [(row["left"], row["right"], row["similarity"]) for row in read_table(out)]

    def test_items_are_the_sets_of_their_squares(self):
        for grid, made in (
                ("grid:5", lambda points: squares(points, 5)),
                ("grid:4,border:1", lambda points: squares(points, 4, 1)),
                ("grid:4,border:2,directions:4", lambda points: squares(points, 4, 2, 4)),
                ("grid:7,size:60x60,border:0.5",
                 lambda points: squares(points, 7, 0.5, count=9))):
            self.write_sets("sets.jsonl", [made(points) for points in self.items])
            args = ("--method", "exact", "--threshold", "0.2")
            expected = self.rows("sets.jsonl", "--kind", "sets", *args)
            self.assertGreater(len(expected), 20, grid)
            with self.subTest(grid=grid):
                self.assertEqual(self.rows("in.jsonl", "--represent", grid, *args), expected)

    def test_points_are_written_in_any_format(self):
        args = ("--represent", "grid:5,border:1", "--method", "exact", "--threshold", "0.3")
        expected = self.rows("in.jsonl", *args)
        texts = [" ".join(f"{x},{y},{angle}" for x, y, angle in points) for points in self.items]
        self.write("in.csv", "id,points\n"
                   + "".join(f'p{i},"{text}"\n' for i, text in enumerate(texts)))
        self.write("strings.jsonl", jsonl([{"id": f"p{i}", "points": text.split()}
                                           for i, text in enumerate(texts)]).decode())
        for name in ("in.csv", "strings.jsonl"):
            self.assertEqual(self.rows(name, *args), expected, name)
        self.write("in.sets", "\n".join(texts) + "\n")
        by_number = read_table(self.sosie("pairs", "in.sets", *args).out)
        self.assertEqual([(f"p{row['left']}", f"p{row['right']}") for row in by_number],
                         [row[:2] for row in expected])
        self.write("rows.csv", "print,point\n" + "".join(
            f'p{i},"{point}"\n' for i, text in enumerate(texts) for point in text.split()))
        grouped = read_table(self.sosie("pairs", "rows.csv", "--group-by", "print", "--element",
                                        "point", *args).out)
        self.assertEqual([(row["left"], row["right"]) for row in grouped],
                         [row[:2] for row in expected])

    def test_functions_name_squares_of_the_whole_grid_of_a_size(self):
        args = ("--method", "lsh", "--family", "grid-triples", "--squares", "1", "--threshold",
                "0.01", "--stats", "stats.json")

        def candidates(grid: str, construct: str) -> int:
            total = 0
            for seed in range(20):
                self.rows("in.jsonl", "--represent", grid, *args, "--construct", construct,
                          "--seed", str(seed))
                total += json.loads(self.read("stats.json"))["candidates"]
            return total / 20

        # All of the 144 squares occur, so a size changes nothing. With 9 times as many squares in the
        # size, a function finds a ninth of the pairs.
        occurring = len(set().union(*(squares(points, 5) for points in self.items)))
        self.assertEqual(occurring, 144)
        few = candidates("grid:5,size:60x60", "or:9")
        self.assertEqual(candidates("grid:5", "or:9"), few)
        many = candidates("grid:5,size:180x180", "or:81")
        self.assertAlmostEqual(many / few, 1, delta=0.15)

    def test_what_is_no_point_has_a_place(self):
        for row, says in ((["1;2;3;4"], "is not a point: X,Y or X,Y,ANGLE"),
                          (["a,b"], "is not a point"), ([[1]], "is not a point"),
                          (["1"], "is not a point"), ([5], "is not a point"),
                          ([["x", 2]], "is not a point"), (["nan,1"], "is not a point"),
                          ([[60, 1]], "lies outside the grid"),
                          ([[-0.5, 1]], "lies outside the grid"),
                          ([[1, 1e300]], "lies outside the grid")):
            self.write("bad.jsonl", jsonl([{"id": "a", "points": [[1, 2]]},
                                           {"id": "b", "points": row}]).decode())
            with self.subTest(row=row):
                args = ("bad.jsonl", "--column", "points", "--represent", "grid:5,size:60x60")
                self.fails(3, "pairs", *args, says=says)
                self.assertIn("bad.jsonl:2", self.sosie("pairs", *args, code=3).err)
                self.sosie("pairs", *args, "--on-bad-row", "skip", "--rejects", "bad.tsv")
                self.assertEqual([entry["line"] for entry in self.table("bad.tsv")], ["2"])
        self.write("bad.jsonl", jsonl([{"id": "a", "points": [[1, 2]]}]).decode())
        self.fails(3, "pairs", "bad.jsonl", "--column", "points", "--represent",
                   "grid:5,directions:8", says="has no angle")
        self.write("bad.jsonl", jsonl([{"id": "a", "points": [[1e300, 2]]}]).decode())
        self.fails(3, "pairs", "bad.jsonl", "--column", "points", "--represent", "grid:5",
                   says="lies outside")

    def test_what_is_no_grid(self):
        for grid in ("grid", "grid:", "grid:0", "grid:-1", "grid:nan", "grid:inf", "square:5",
                     "grid:5,", "grid:5,border:3", "grid:5,border:0", "grid:5,border:1,border:1",
                     "grid:5,size:10", "grid:5,size:0x1", "grid:5,size:1x", "grid:1e-9,size:1x1",
                     "grid:1,size:100000x100000", "grid:5,directions:1", "grid:5,directions:8.5",
                     "grid:5,directions:361", "grid:5,sides:3"):
            with self.subTest(grid=grid):
                self.fails(2, "pairs", "in.jsonl", "--represent", grid, says="--represent")
        for kind in ("text", "vectors", "strings"):
            self.fails(2, "pairs", "in.jsonl", "--kind", kind, "--represent", "grid:5",
                       "--threshold", "0.5", says="--represent")
        self.fails(2, "pairs", "in.jsonl", "--represent", "grid:5", "--ratings", "drop:1",
                   says="--ratings")

    def test_explain_and_sketch_take_it(self):
        page = self.sosie("explain", "p0", "p1", "in.jsonl", "--column", "points", "--represent",
                          "grid:5").out.decode()
        both = squares(self.items[0], 5) & squares(self.items[1], 5)
        self.assertIn(f"{len(both)} in both", page)
        args = ("--column", "points", "--represent", "grid:5", "--threshold", "0.3")
        self.sosie("plan", "in.jsonl", *args, "--method", "lsh", "-o", "plan.json")
        self.sosie("sketch", "in.jsonl", *args, "--plan", "plan.json", "-o", "in.sketch")
        found = self.sosie("query", "in.sketch", "in.jsonl", "--column", "points").out
        direct = self.sosie("query", "in.jsonl", "in.jsonl", *args, "--method", "lsh").out
        self.assertEqual(found, direct)


if __name__ == "__main__":
    unittest.main()

"""Numbers keep their digits as written: ids, joined columns, --show, --keep."""

import json
import random
import unittest
from decimal import Decimal

from support import SosieTest

LARGE = ["18446744073709551615", "18446744073709551616", "-9223372036854775809",
         "123456789012345678901234", "123456789012345678901235", "1" + "0" * 300]
WRITTEN = ["9.50", "9.5", "1e2", "100", "-0.0", "0.1000000000000000055", "1E+2", "7"]


class WrittenNumbers(SosieTest):
    def rows(self, field: str, numbers: list[str], text: str = "x y") -> None:
        self.write("in.jsonl", "".join(f'{{"{field}": {number}, "text": "{text}"}}\n' for number in numbers))
        self.write("in.csv", f"{field},text\n" + "".join(f"{number},{text}\n" for number in numbers))

    def column(self, number: int, *args: str) -> list[str]:
        out = self.sosie(*args, "-q").out.decode().splitlines()[1:]
        return [line.split("\t")[number] for line in out]

    def test_ids_are_whole_numbers_of_any_length(self):
        self.rows("id", LARGE)
        for kind in (("--kind", "strings", "--within", "0"), ()):
            for name in ("in.jsonl", "in.csv"):
                pairs = self.sosie("pairs", name, "--shingle", "words:1", "-q") if not kind else \
                    self.sosie("pairs", name, *kind, "-q")
                found = [line.split("\t")[:2] for line in pairs.out.decode().splitlines()[1:]]
                self.assertEqual(found, [[a, b] for i, a in enumerate(LARGE) for b in LARGE[i + 1:]])
        self.sosie("pairs", "in.jsonl", "--kind", "strings", "--within", "0", "-q", "-o", "out.jsonl")
        lines = self.read("out.jsonl").decode().splitlines()
        self.assertIn(f'"left": {LARGE[3]}, "right": {LARGE[4]}', "".join(lines))
        self.sosie("dedup", "in.jsonl", "--kind", "strings", "--within", "0", "-q", "--removed", "r.jsonl")
        self.assertEqual([json.loads(line)["id"] for line in self.read("r.jsonl").splitlines()],
                         [int(number) for number in LARGE[1:]])

    def test_equal_ids_are_those_of_equal_digits(self):
        self.rows("id", [LARGE[3], LARGE[3]])
        self.fails(3, "pairs", "in.jsonl", "--kind", "strings", "--within", "0", says=f"id '{LARGE[3]}' is already")

    def test_a_fraction_is_no_id(self):
        self.rows("id", ["1", "1.5"])
        self.fails(3, "pairs", "in.jsonl", "--kind", "strings", "--within", "0", says="'id' is a fraction")

    def test_a_text_is_the_same_in_every_format(self):
        for values in (["1.5", "1.50", "1.5"], ["true", "false", "true"], ["1e400", "7", "1e400"]):
            self.write("n.jsonl", "".join(f'{{"text": {value}}}\n' for value in values))
            self.write("n.csv", "text\n" + "".join(f"{value}\n" for value in values))
            self.write("n.txt", "".join(f"{value}\n" for value in values))
            for name in ("n.jsonl", "n.csv", "n.txt"):
                found = self.sosie("pairs", name, "--kind", "strings", "--within", "0", "-q").out
                self.assertEqual(found, b"left\tright\tdistance\n0\t2\t0\n", (name, values))

    def test_joined_columns_and_shown_ones(self):
        numbers = LARGE + WRITTEN
        self.rows("n", numbers)
        for name in ("in.jsonl", "in.csv"):
            kept = self.sosie("dedup", name, "--kind", "strings", "--within", "0", "--column", "text,n", "-q").out
            self.assertEqual(len(kept.splitlines()) - name.endswith("csv"), len(numbers))
            shown = self.column(4, "pairs", name, "--kind", "strings", "--within", "0", "--show", "n")
            self.assertEqual(shown[:len(numbers) - 1], numbers[1:])

    def test_elements_of_sets(self):
        lists = ["[1, 123456789012345678901234]", "[123456789012345678901235, 1]", '["123456789012345678901234", 1]']
        self.write("in.jsonl", "".join(f'{{"text": {each}}}\n' for each in lists))
        found = self.sosie("pairs", "in.jsonl", "--kind", "sets", "--threshold", "0.3", "-q").out
        self.assertEqual(found, b"left\tright\tsimilarity\n0\t1\t0.333333\n0\t2\t1.000000\n1\t2\t0.333333\n")

    def test_fields_in_objects_and_of_odd_names(self):
        self.write("in.jsonl", '{"a": {"b": 9.50, "c": [1]}, "x\\"y": 1.10, "text": "t"}\n' * 2)
        found = self.sosie("pairs", "in.jsonl", "--kind", "strings", "--within", "0", "--show", 'a.b,x"y', "-q").out
        self.assertEqual(found.splitlines()[1].split(b"\t")[3:], [b"9.50", b"9.50", b"1.10", b"1.10"])

    def test_keep_compares_all_digits(self):
        rng = random.Random(3)
        for trial in range(60):
            size = rng.choice([3, 18, 25, 60])
            base = "".join(rng.choice("123456789") for _ in range(size))
            numbers = []
            for _ in range(6):
                digits = base[:-1] + rng.choice("0123456789")
                point = rng.choice([size, size // 2, 1])
                number = digits[:point] + ("." + digits[point:] if point < size else "")
                number += rng.choice(["", "", f"e{rng.randint(-3, 3)}"])
                numbers.append(rng.choice(["", "-"]) + number)
            self.rows("n", numbers)
            for name in ("in.jsonl", "in.csv"):
                for keep, best in (("max", max), ("min", min)):
                    kept = self.sosie("dedup", name, "--kind", "strings", "--within", "0", "--keep", f"{keep}:n", "-q").out
                    line = kept.decode().splitlines()[-1]
                    found = line.split(",")[0].replace('{"n": ', "")
                    self.assertEqual(found, best(numbers, key=Decimal), (trial, numbers))

    def test_keep_over_texts_as_over_strings_and_with_sketches(self):
        numbers = ["0." + "3" * 40 + digit for digit in "1793"]
        self.rows("n", numbers, "one two three four five six seven")
        for name in ("in.jsonl", "in.csv"):
            for memory in ((), ("--memory", "64M")):
                kept = self.sosie("dedup", name, "--keep", "max:n", "-q", *memory).out
                self.assertIn(numbers[2].encode(), kept.splitlines()[-1])
            self.sosie("plan", "in.jsonl", "--method", "lsh", "-o", "p.json", "-q")
            self.sosie("sketch", name, "--plan", "p.json", "--keep", "max:n", "-o", "s.sketch", "-q")
            kept = self.sosie("dedup", "--reuse", "s.sketch", "--keep", "max:n", "-q").out
            self.assertIn(numbers[2].encode(), kept.splitlines()[-1])

    def test_numbers_that_no_double_holds(self):
        """In an unused field, they are valid like any others; --keep ranks them by size."""
        numbers = ["1e308", "1e400", "-1e400", "9" * 500, "1.5E+4000"]
        self.rows("n", numbers, "one two three four five six seven")
        for kind in ((), ("--kind", "strings", "--within", "0"), ("--kind", "sets", "--threshold", "0.5")):
            for name in ("in.jsonl", "in.csv"):
                with self.subTest(kind=kind, name=name):
                    pairs = self.sosie("pairs", name, *kind, "-q").out
                    self.assertEqual(pairs.count(b"\n"), 1 + 10)
                    for keep, kept in (("max:n", numbers[4]), ("min:n", numbers[2])):
                        out = self.sosie("dedup", name, *kind, "--keep", keep, "-q").out
                        self.assertIn(kept.encode(), out.splitlines()[-1])
        shown = self.column(4, "pairs", "in.jsonl", "--kind", "strings", "--within", "0", "--show", "n")
        self.assertEqual(shown[:4], numbers[1:])

    def test_numbers_that_no_double_holds_inside_of_other_fields(self):
        self.write("in.jsonl", '{"text": "a b", "m": {"n": [1, 1e400]}}\n{"text": "a b", "m": -1e999}\n')
        kept = self.sosie("dedup", "in.jsonl", "-q").out
        self.assertEqual(kept, self.read("in.jsonl").splitlines(True)[0])
        self.write("pairs.jsonl", '{"left": 0, "right": 1, "similarity": 1.0, "note": 1e400}\n')
        self.assertEqual(self.sosie("dedup", "in.jsonl", "--reuse", "pairs.jsonl", "-q").out, kept)
        vectors = ("--kind", "vectors", "--threshold", "0.9")
        self.write("v.jsonl", '{"text": [1, 2], "n": 1e400}\n{"text": [1, 1e400], "n": 1}\n')
        self.fails(3, "pairs", "v.jsonl", *vectors, says="v.jsonl:2: ")
        self.write("v.jsonl", '{"text": [1, 2], "n": 1e400}\n{"text": [1, 2], "n": 1e401}\n')
        self.assertEqual(self.sosie("pairs", "v.jsonl", *vectors, "-q").out.count(b"\n"), 2)

    def test_what_cannot_be_ranked_is_refused(self):
        for wrong, called in (("[1, 2]", "a list"), ('{"a": 1}', "an object")):
            self.write("in.jsonl", f'{{"n": 1, "text": "a b"}}\n{{"n": {wrong}, "text": "a b"}}\n')
            for kind in ((), ("--kind", "strings", "--within", "0")):
                self.fails(3, "dedup", "in.jsonl", "--keep", "max:n", *kind,
                           says=f"in.jsonl:2: field 'n' is {called}; rows can be ranked by numbers or texts only")
                kept = self.sosie("dedup", "in.jsonl", "--keep", "max:n", *kind, "--on-bad-row", "skip", "-q").out
                self.assertEqual(kept.count(b"\n"), 1)

    def test_booleans_rank_as_their_words(self):
        self.write("in.jsonl", "".join(f'{{"n": {word}, "text": "x"}}\n' for word in ("false", "true", "null")))
        for keep, kept in (("max:n", "true"), ("min:n", "false")):
            out = self.sosie("dedup", "in.jsonl", "--kind", "strings", "--within", "0", "--keep", keep, "-q").out
            self.assertEqual(json.loads(out)["n"], kept == "true")


if __name__ == "__main__":
    unittest.main()

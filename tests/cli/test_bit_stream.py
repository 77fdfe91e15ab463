"""`sosie query DATA -` for bit strings in a pipe: each row is answered before the next one arrives.
"""
# slow: more than 5 s in a release build, so `make sanitize` leaves it to `make sanitize-all`

import json
import random
import unittest

from item_stream import ItemStreamTest
from support import jsonl
from test_bits import codes


class BitStream(ItemStreamTest):
    def setUp(self):
        super().setUp()
        self.write_codes(64)

    def write_codes(self, bits: int, count: int = 5001) -> None:
        """DATA, and rows that are near some of its items."""
        rng = random.Random(bits)
        data = codes(count + 1, bits, 3)[:count]
        asked = [code ^ (1 << rng.randrange(bits)) for code in data[:60]] + [rng.getrandbits(bits)]
        self.asked = [f"{code:0{bits // 4}x}" for code in asked]
        self.write("data.jsonl", jsonl([{"id": f"d{i}", "text": f"{code:0{bits // 4}x}"}
                                        for i, code in enumerate(data)]))
        self.write("asked.jsonl", jsonl([{"id": f"q{i}", "text": text}
                                         for i, text in enumerate(self.asked)]))

    def joined(self, *args: str) -> bytes:
        return self.sosie("query", "data.jsonl", "asked.jsonl", "--kind", "bits", *args).out

    def streamed(self, *args: str, **options):
        return self.sosie("query", "data.jsonl", "-", "--kind", "bits", *args,
                          stdin=self.read("asked.jsonl"), **options)

    def test_each_row_is_answered_before_the_next_one_is_written(self):
        for args in (("--top", "3"), ("--within", "8")):
            lines = self.joined(*args).splitlines(keepends=True)
            self.assertGreater(len(lines), 60)
            self.answers_row_by_row(lines, "data.jsonl", "-", "--kind", "bits", *args)

    def test_the_bytes_are_those_of_the_join(self):
        for bits in (64, 20, 260):
            self.write_codes(bits)
            for options in (("--top", "1"), ("--top", "10", "--id", "row"), ("--top", "5002"),
                            ("--within", "1"), ("--within", str(bits * 3 // 8)),
                            ("--within", str(bits // 3), "--top", "4"), ("--within", "9999999"),
                            ("--measure", "jaccard", "--threshold", "0.6"),
                            ("--measure", "jaccard", "--top", "4")):
                with self.subTest(bits=bits, options=options):
                    joined = self.joined(*options)
                    self.assertGreater(joined.count(b"\n"), 60)
                    for more in (("--threads", "1"), ("--threads", "3"), ("--method", "brute")):
                        self.assertEqual(self.streamed(*options, *more).out, joined)

    def test_strings_too_many_for_one_part(self):
        self.write_codes(1024, 9000)
        for options in (("--top", "3"), ("--within", "30")):
            self.assertEqual(self.streamed(*options).out, self.joined(*options))

    def test_a_bad_row_ends_the_run_behind_the_answers_before_it(self):
        good = jsonl([{"text": self.asked[0]}])
        args = ("query", "data.jsonl", "-", "--kind", "bits", "--top", "1")
        answered = self.sosie(*args, stdin=good).out
        self.assertEqual(answered.count(b"\n"), 2)
        for bad, says in (
                ("ff", "^sosie: <stdin>:2: 8 bits, those of DATA have 64"),
                ("xyz", "^sosie: <stdin>:2: field 'text' is not a string of hexadecimal digits")):
            result = self.fails(3, *args, stdin=good + jsonl([{"text": bad}]) + good, says=says)
            self.assertEqual(result.out, answered)

    def test_fields_begin_words_and_are_of_equal_lengths(self):
        rows = [{"id": 0, "a": "0", "b": "0" * 17}, {"id": 1, "a": "00", "b": "0" * 16}]
        args = ("--kind", "bits", "--column", "a,b", "--top", "1")
        says = ":{}: 72 bits in fields of other lengths than {}"
        self.write("data.jsonl", jsonl(rows))
        self.fails(3, "query", "data.jsonl", "data.jsonl", *args,
                   says=says.format(2, "the first row has"))
        self.write("data.jsonl", jsonl(rows[:1]))
        self.fails(3, "query", "data.jsonl", "-", *args, stdin=jsonl(rows),
                   says=says.format(2, "those of DATA have"))

    def test_nothing_to_find_it_in(self):
        self.write("data.jsonl", b"")
        header = b"left\tright\tdistance\n"
        self.assertEqual(self.streamed("--top", "1", code=1).out, header)
        self.fails(3, "query", "data.jsonl", "-", "--kind", "bits", "--top", "1",
                   stdin=jsonl([{"text": "ff"}, {"text": "f"}]),
                   says="<stdin>:2: 4 bits, the first row has 8")

    def test_the_summary_is_that_of_the_join(self):
        args = ("--within", "40", "--method", "brute", "--stats")
        streamed = self.streamed(*args, "streamed.json")
        joined = self.sosie("query", "data.jsonl", "asked.jsonl", "--kind", "bits", *args,
                            "joined.json")
        trees = [{key: value for key, value in json.loads(self.read(name)).items()
                  if key not in ("seconds", "peak_memory_bytes", "scratch_bytes", "inputs")}
                 for name in ("streamed.json", "joined.json")]
        self.assertEqual(trees[0], trees[1])
        self.assertEqual(streamed.err.splitlines()[:5], joined.err.splitlines()[:5])


if __name__ == "__main__":
    unittest.main()

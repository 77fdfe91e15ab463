"""Very many pages with the same template, which share buckets without being similar."""
# slow: more than 5 s in a release build, so `make sanitize` leaves it to `make sanitize-all`

import json
import random
import re
import unittest

import corpus
from support import IN_MEMORY, SosieTest

PAGES = 5000
COPIES = 50
NO_FILTER = ("--memory", "3M")  # too little memory for it: all rows that share a bucket are compared


class Templates(SosieTest):
    place = IN_MEMORY

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        rng = random.Random(76)
        template = " ".join(corpus.ENGLISH.split()[:140])
        pages = [[f"w{rng.randrange(10**6)}" for _ in range(30)] for _ in range(PAGES - COPIES)]
        for original in rng.sample(range(len(pages)), COPIES):
            pages.append([*pages[original][:-1], "replaced"])
        rng.shuffle(pages)
        cls.rows = [{"id": i, "text": f"{template} {' '.join(own)}"}
                    for i, own in enumerate(pages)]

    def setUp(self):
        super().setUp()
        self.write("in.jsonl", self.rows)

    def found(self, *args: str) -> tuple[list[bytes], dict]:
        self.sosie("dedup", "in.jsonl", "--method", "lsh", *args, "-o", "out.jsonl",
                   "--removed", "r.tsv", "--stats", "s.json")
        return ([self.read("out.jsonl"), self.read("r.tsv")], json.loads(self.read("s.json")))

    def test_few_are_compared_and_none_is_lost(self):
        filtered, stats = self.found()
        every, all_stats = self.found(*NO_FILTER)
        self.assertEqual(filtered, every)
        self.assertEqual(stats["removed"], COPIES)
        self.assertGreater(all_stats["candidates"], PAGES**2 / 4)
        # All are compared until a bucket has had 1,000 survivors, and until the end of that batch.
        self.assertLess(stats["candidates"], 2200**2 / 2)

    def test_the_template_is_named(self):
        _, stats = self.found("--report", "report.html")
        (template,) = stats["templates"]
        words = re.findall(r"[a-z']+", corpus.ENGLISH.lower())
        self.assertGreater(template["rows"], 0.9 * PAGES)  # that share its large buckets
        self.assertLessEqual(template["rows"], PAGES)
        self.assertGreater(template["candidates"], 0.9 * stats["candidates"])
        self.assertLessEqual(template["candidates"], stats["candidates"])
        self.assertTrue(" ".join(words).startswith(template["passage"]))
        self.assertGreater(len(template["passage"]), 300)
        common = (140 - 4) / (170 - 4)  # shingles words:5 of the template, and of a page
        self.assertAlmostEqual(template["common"], common, delta=0.05)
        summary = self.sosie("dedup", "in.jsonl", "--method", "lsh", "-o", "out.jsonl").err
        self.assertRegex(summary, r"templates +4,\d\d\d rows have 8\d % of their shingles in common, "
                                  f"[\\d,]+ of the candidates: \"{' '.join(words[:5])}")
        self.assertIn(" ".join(words[:5]), self.read("report.html").decode())

    def test_the_template_is_named_of_rows_in_scratch(self):
        _, stats = self.found()
        _, spilled = self.found(*NO_FILTER)
        self.assertGreater(spilled["scratch_bytes"], 0)
        (template,), (same,) = spilled["templates"], stats["templates"]
        self.assertEqual(template["passage"], same["passage"])
        self.assertLessEqual(template["rows"], PAGES)
        self.assertGreater(template["candidates"], same["candidates"])
        summary = self.sosie("dedup", "in.jsonl", "--method", "lsh", *NO_FILTER,
                             "-o", "out.jsonl").err
        self.assertRegex(summary, r"templates +at least \d+ rows have")

    def test_a_template_of_other_rows_alone_costs_nothing(self):
        self.write("own.jsonl", [{"id": "own", "text": "something else entirely stands in here"}])
        self.sosie("dedup", "own.jsonl", "--against", "in.jsonl", "--method", "lsh", "--stats",
                   "s.json", "-o", "out.jsonl")
        self.assertNotIn("templates", json.loads(self.read("s.json")))

    def test_near_duplicates_are_no_template(self):
        rng = random.Random(7)
        words = corpus.ENGLISH.split()[:100]
        rows = []
        for i in range(3000):
            copy = list(words)
            copy[rng.randrange(100)] = f"w{i}"
            rows.append({"id": i, "text": " ".join(copy)})
        self.write("in.jsonl", rows)
        _, stats = self.found()
        self.assertGreater(stats["removed"], 2500)
        self.assertNotIn("templates", stats)

    def test_any_number_of_threads(self):
        one, two = self.found("--threads", "1"), self.found("--threads", "2")
        self.assertEqual(one[0], two[0])
        for count in ("candidates", "verified"):
            self.assertEqual(one[1][count], two[1][count])

    def test_against(self):
        self.write("other.jsonl", self.rows[::2])
        args = ("--against", "other.jsonl")
        filtered, every = self.found(*args), self.found(*args, *NO_FILTER)
        self.assertEqual(filtered[0], every[0])
        self.assertGreater(filtered[1]["removed"], PAGES / 2)
        self.assertLess(filtered[1]["candidates"], every[1]["candidates"] / 2)

    def test_pairs_and_components(self):
        found = []
        for args in ((), NO_FILTER):
            pairs = self.sosie("pairs", "in.jsonl", "--method", "lsh", *args, "--stats",
                               "s.json").out
            found.append((pairs, json.loads(self.read("s.json"))["candidates"]))
        self.assertEqual(found[0][0], found[1][0])
        self.assertEqual(len(found[0][0].splitlines()), 1 + COPIES)
        self.assertLess(found[0][1], found[1][1] / 100)
        _, stats = self.found("--clustering", "components")
        self.assertEqual(stats["removed"], COPIES)


if __name__ == "__main__":
    unittest.main()

"""Every instruction set gives the same bytes."""
# slow: more than 5 s in a release build, so `make sanitize` leaves it to `make sanitize-all`

import json
import random
import re
import unittest
from pathlib import Path

import corpus
from support import SosieTest, documents

ROOT = Path(__file__).resolve().parents[2]


class Simd(SosieTest):
    def targets(self) -> list[str]:
        run = self.fails(2, "plan", "--simd", "no-such", says="--simd: 'no-such' is not auto or what")
        return re.search("can run: (.*)$", run.error_lines()[0]).group(1).split(", ")

    def test_same_bytes_on_every_target(self):
        targets = self.targets()
        self.assertGreaterEqual(len(targets), 1)
        mixed = self.write("mixed.jsonl", documents(corpus.texts(1, 300)))
        sample = str(ROOT / "samples/man-pages.jsonl")
        for source in (mixed, sample):
            for shingle in ("words:5", "chars:9"):
                words = (source, "--method", "lsh", "--shingle", shingle, "--threshold", "0.7",
                         "--quiet", "--pairs", "pairs.tsv", "--removed", "removed.tsv")
                expected = None
                for target in ("auto", *targets):
                    kept = self.kept(*words, "--simd", target)
                    found = (kept, self.read("pairs.tsv"), self.read("removed.tsv"))
                    expected = expected or found
                    self.assertEqual(found, expected, f"{target} {shingle}")
                self.assertGreater(len(expected[1].splitlines()), 20)

    def test_same_pairs_of_vectors_and_bits_on_every_target(self):
        rng = random.Random(4)
        middles = [[rng.gauss(0, 1) for _ in range(70)] for _ in range(40)]
        rows = [[component + rng.gauss(0, 0.3) for component in rng.choice(middles)]
                for _ in range(400)]
        self.write("vectors.txt", "".join(" ".join(map(repr, row)) + "\n" for row in rows))
        codes = [rng.getrandbits(128) for _ in range(20)]
        self.write("bits.txt", "".join(f"{rng.choice(codes) ^ 1 << rng.randrange(128):032x}\n"
                                       for _ in range(400)))
        for args in (("vectors.txt", "--kind", "vectors", "--threshold", "0.9"),
                     ("vectors.txt", "--kind", "vectors", "--measure", "euclidean", "--within", "4"),
                     ("vectors.txt", "--kind", "vectors", "--measure", "manhattan", "--within",
                      "25"),
                     ("bits.txt", "--kind", "bits", "--within", "3")):
            for method in ("exact", "lsh", "brute"):
                expected = None
                for target in self.targets():
                    found = self.sosie("pairs", *args, "--method", method, "--quiet", "--simd",
                                       target, "--stats", "stats.json").out
                    measured = json.loads(self.read("stats.json"))["candidates"]
                    expected = expected or (found, measured)
                    self.assertEqual((found, measured), expected, f"{target} {method} {args}")
                self.assertGreater(len(expected[0].splitlines()), 200)

    def test_same_strings_on_every_target(self):
        """Joins of strings, and look-ups through a pipe."""
        rng = random.Random(5)
        names = ["".join(rng.choices("abcdeinor", k=rng.randint(4, 12))) for _ in range(500)]
        names += [name[:3] + rng.choice("abc") + name[rng.randint(3, 4):] for name in names]
        data = "".join(name + "\n" for name in names).encode()
        self.write("names.txt", data)
        for run in (("pairs", "names.txt", "--within", "2"), ("pairs", "names.txt", "--threshold", "0.7"),
                    ("query", "names.txt", "--format", "txt", "--within", "2"),
                    ("query", "names.txt", "--format", "txt", "--top", "3")):
            expected = None
            for target in self.targets():
                found = self.sosie(*run, "--kind", "strings", "--quiet", "--simd", target, "--stats",
                                   "stats.json", stdin=data).out
                measured = json.loads(self.read("stats.json"))["candidates"]
                expected = expected or (found, measured)
                self.assertEqual((found, measured), expected, f"{target} {run}")
            self.assertGreater(len(expected[0].splitlines()), 400)


if __name__ == "__main__":
    unittest.main()

"""`--method exact`: finds every pair of texts or sets, with the prefix index."""
# slow: more than 5 s in a release build, so `make sanitize` leaves it to `make sanitize-all`

import gzip
import unittest
from fractions import Fraction
from pathlib import Path

import corpus
from support import DATA, SosieTest, needs_data, read_table
from test_sets import baskets, lines


class Exact(SosieTest):
    def setUp(self):
        super().setUp()
        self.write("in.jsonl", corpus.texts(80, 120))

    def test_pairs_of_texts_are_those_of_brute_force(self):
        for shingle in ("words:2", "chars:5"):
            for threshold in ("0.1", "1/3", "0.8", "1"):
                args = ("pairs", "in.jsonl", "--shingle", shingle, "--threshold", threshold,
                        "--method")
                self.assertEqual(self.sosie(*args, "exact").out, self.sosie(*args, "brute").out)

    def test_dedup_keeps_the_rows_that_brute_force_keeps(self):
        self.write("other.jsonl", corpus.texts(81, 30) + corpus.texts(80, 120)[::7])
        for options in ((), ("--clustering", "components"), ("--keep", "last"),
                        ("--against", "other.jsonl"),
                        ("--against", "other.jsonl", "--clustering", "components")):
            outputs = []
            for method in ("exact", "brute"):
                out = self.sosie("dedup", "in.jsonl", "--threshold", "0.4", *options, "--method",
                                 method, "--removed", "r.tsv", "--pairs", "p.tsv",
                                 "--clusters", "c.tsv", "--report", "r.html").out
                outputs.append((out, self.read("r.tsv"), self.read("p.tsv"), self.read("c.tsv")))
            self.assertEqual(outputs[0], outputs[1], options)

    def test_joins_of_two_collections(self):
        self.write("left.sets", lines(baskets(10, 120)))
        self.write("right.sets", lines(baskets(11, 90) + baskets(10, 120)[:20]))
        for verb in (("pairs", "left.sets", "--against", "right.sets"),
                     ("query", "right.sets", "left.sets")):
            for threshold in ("0.2", "2/3", "1"):
                args = (*verb, "--threshold", threshold, "--method")
                exact = self.sosie(*args, "exact").out
                self.assertEqual(exact, self.sosie(*args, "brute").out)
                self.assertGreater(exact.count(b"\n"), 5)

    def test_threads_filters_and_instruction_sets_change_nothing(self):
        self.write("in.sets", lines(baskets(12, 900)))
        args = ("pairs", "in.sets", "--threshold", "0.6", "--method", "exact")
        expected = self.sosie(*args, "--threads", "1").out
        self.assertGreater(expected.count(b"\n"), 500)
        for options in (("--threads", "5"), ("--filters", "none"), ("--filters", "prefix"),
                        ("--filters", "length,prefix,position"), ("--simd", "SSE4"),
                        ("--simd", "AVX2")):
            if options[0] == "--simd" and self.sosie(*args, *options, code=None).code == 2:
                continue  # not on this CPU
            self.assertEqual(self.sosie(*args, *options).out, expected, options)

    def test_counters_fall_from_filter_to_filter(self):
        self.write("in.sets", lines(baskets(13, 500)))
        self.sosie("pairs", "in.sets", "--method", "exact", "--stats", "s.json")
        counts = self.stats("s.json").tree["filters"]
        steps = [counts[name] for name in ("length", "position", "suffix", "signature",
                                           "verified", "pairs")]
        self.assertEqual(steps, sorted(steps, reverse=True))
        self.assertGreater(steps[-1], 0)

    def test_dice_is_exact_and_decided_by_the_fraction(self):
        self.write("in.sets", lines([["1", "2", "3", "4"], ["2", "4", "6"]] + baskets(14, 150)))
        for threshold in ("4/7", "0.8"):
            args = ("pairs", "in.sets", "--measure", "dice", "--threshold", threshold)
            exact = self.sosie(*args)
            self.assertEqual(exact.out, self.sosie(*args, "--method", "brute").out)
            self.assertIn("exact: prefix index", exact.err)
            self.assertEqual(b"\n0\t1\t0.571429\n" in exact.out, threshold == "4/7")  # T-1.3
        sets = [frozenset(line.split()) for line in self.read("in.sets").decode().splitlines()]
        expected = [(left, right) for left in range(len(sets)) for right in range(left + 1, len(sets))
                    if sets[left] and sets[right] and 10 * len(sets[left] & sets[right])
                    >= 4 * (len(sets[left]) + len(sets[right]))]
        found = [(int(row["left"]), int(row["right"])) for row in read_table(exact.out)]
        self.assertEqual(found, expected)
        self.fails(2, "pairs", "in.sets", "--measure", "dice", "--method", "lsh",
                   says="there is no lsh for it", hints="--method exact")

    def test_top_pairs_need_no_threshold(self):
        rows = [frozenset(row) for row in baskets(15, 150)]
        self.write("in.sets", lines([sorted(row) for row in rows]))
        self.write("other.sets", lines([sorted(row) for row in rows[::4]]))
        best = sorted((-Fraction(len(rows[i] & rows[j]), len(rows[i] | rows[j])), i, j)
                      for i in range(len(rows)) for j in range(i + 1, len(rows))
                      if rows[i] & rows[j])
        for count in (1, 40, 2000, len(best), len(best) + 1):
            expected = sorted((i, j) for _, i, j in best[:count])
            for method in ("auto", "brute"):
                result = self.sosie("pairs", "in.sets", "--top-pairs", str(count), "--method",
                                    method)
                found = [(int(row["left"]), int(row["right"])) for row in read_table(result.out)]
                self.assertEqual(found, expected)
                self.assertIn("thresholds down to", result.err)
        across = ("pairs", "in.sets", "--against", "other.sets", "--top-pairs", "300")
        self.assertEqual(self.sosie(*across).out,
                         self.sosie(*across, "--threshold", "0.001", "--method", "exact").out)
        contained = ("pairs", "in.sets", "--measure", "containment", "--top-pairs", "500")
        self.assertEqual(self.sosie(*contained).out,
                         self.sosie(*contained, "--threshold", "0.001").out)
        self.assertNotIn("thresholds down to",
                         self.sosie("pairs", "in.jsonl", "--top-pairs", "5").err)
        texts = self.sosie("pairs", "in.jsonl", "--top-pairs", "400", "--method", "exact").out
        self.assertEqual(texts.count(b"\n"), 401)

    def test_recall_1_is_exact(self):
        err = self.sosie("pairs", "in.jsonl", "--recall", "1").err
        self.assertIn("exact: prefix index of words:5 sets; recall 1", err)

    def test_audit_of_an_exact_run_finds_nothing_missing(self):
        self.sosie("pairs", "in.jsonl", "--method", "exact", "--threshold", "0.3", "--audit=50",
                   "--stats", "s.json")
        audit = self.stats("s.json").tree["audit"]
        self.assertEqual(audit["recall"], 1, audit)

    def test_what_cannot_be_meant(self):
        self.fails(2, "pairs", "in.jsonl", "--filters", "length", says="--filters: needs --method exact")
        self.fails(2, "pairs", "in.jsonl", "--method", "exact", "--filters", "bloom",
                   says="'bloom' is not none or a list")
        self.fails(2, "pairs", "in.jsonl", "--method", "exact", "--bands", "14x8",
                   says="--bands: does not apply")


@needs_data("sets-dev")
class Truth(SosieTest):
    """The truth files, pair by pair."""

    def check(self, collection: Path, truth: Path, *options: str, out: str = "pairs.tsv"):
        name = self.write(collection.name.replace(".txt", ".sets"), collection.read_bytes())
        self.sosie("pairs", name, "--method", "exact", *options, "-o", out, timeout=500)
        found = read_table(self.read(out))
        with gzip.open(truth, "rt") as file:
            expected = [line.rstrip("\n").split("\t") for line in file]
        self.assertEqual([(row["left"], row["right"]) for row in found],
                         [(left, right) for left, right, _ in expected])
        for row, (_, _, similarity) in zip(found, expected):
            self.assertAlmostEqual(float(row["similarity"]), float(similarity), delta=5.1e-7)

    def test_sets_dev(self):
        folder = DATA / "sets-dev"
        for name in ("retail-ge5", "kosarak-36k-ge5", "groceries-ge4", "epub-ge3", "msweb-ge4"):
            self.check(folder / f"{name}.txt.gz", folder / f"{name}.pairs.ge050.tsv.gz",
                       "--threshold", "0.5")

    def test_debian_descriptions(self):
        folder = DATA / "debian-descriptions"
        for shingle, name in (("words:5", "word5"), ("chars:9", "char9")):
            self.check(folder / "debian-descriptions.jsonl.gz",
                       folder / f"pairs.{name}.ge050.tsv.gz", "--threshold", "0.5", "--tokens",
                       "ascii", "--shingle", shingle)

    def test_licence_texts(self):
        folder = DATA / "licence-texts"
        for shingle, name in (("words:5", "word5"), ("chars:9", "char9")):
            self.check(folder / "licence-texts.jsonl.gz", folder / f"pairs.{name}.ge080.tsv.gz",
                       "--threshold", "0.8", "--tokens", "ascii", "--shingle", shingle)


if __name__ == "__main__":
    unittest.main()

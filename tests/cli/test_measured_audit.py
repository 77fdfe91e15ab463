"""`--audit` for vectors and bit strings: the recall and precision that a run reports about itself
are true.
"""

import json
import unittest

from measured_rows import as_text, bit_strings, grouped, npy
from support import SosieTest, read_table

# Finds only a part of the pairs.
COARSE = ("--threshold", "0.97", "--bands", "3x12")


class MeasuredAudit(SosieTest):
    def setUp(self):
        super().setUp()
        rows = grouped(900, 24, 1)
        self.write("in.npy", npy(rows + rows[:40], "|u1"))
        self.write("other.npy", npy(grouped(900, 24, 1)[300:] + grouped(300, 24, 2), "|u1"))
        self.write("bits.txt", as_text(bit_strings(900, 64, 1)))
        self.write("more.txt", as_text(bit_strings(900, 64, 1)[200:]))

    def audit(self, verb: str, *args: str, code: int = 0) -> dict:
        self.sosie(verb, *args, "-o", f"{verb}.out.tsv" if verb != "dedup" else "kept/",
                   *(("--overwrite=all",) if verb == "dedup" else ()),
                   "--stats", "stats.json", code=code)
        return json.loads(self.read("stats.json"))["audit"]

    def found(self, *args: str) -> dict:
        """The value of each pair."""
        rows = read_table(self.sosie("pairs", *args).out)
        value = next(name for name in rows[0] if name in ("similarity", "distance"))
        return {(row["left"], row["right"]): float(row[value]) for row in rows}

    def test_a_full_audit_counts_what_a_run_by_brute_force_finds(self):
        cases = (("in.npy", ("--threshold", "0.97"), ("--bands", "3x12"), lambda v: v < 1.02),
                 ("in.npy", ("--measure", "euclidean", "--within", "90"), ("--bands", "2x6"),
                  lambda v: v > 85.5),
                 ("bits.txt", ("--kind", "bits", "--within", "8"), ("--bands", "2x16"),
                  lambda v: v > 7.6))
        for name, bound, bands, in_slice in cases:
            with self.subTest(name=name, bound=bound):
                truth = self.found(name, *bound, "--method", "brute")
                found = self.found(name, *bound, *bands)
                self.assertLess(len(found), len(truth))
                audit = self.audit("pairs", name, *bound, *bands, "--audit=1000000", code=1)
                self.assertEqual(audit["sampled"], audit["documents"])
                self.assertEqual(audit["true_pairs"], 2 * len(truth))  # seen from both ends
                self.assertEqual(audit["found_pairs"], 2 * len(found))
                self.assertEqual(audit["recall"], len(found) / len(truth))
                near = [pair for pair, value in truth.items() if in_slice(value)]
                self.assertEqual(audit["slice"]["true_pairs"], 2 * len(near))
                self.assertEqual(audit["slice"]["found_pairs"],
                                 2 * len([pair for pair in near if pair in found]))
                self.assertEqual(audit["reported_pairs"], 2 * len(found))
                self.assertEqual(audit["precision"], 1)
                self.assertTrue(audit["below_recall"])

    def test_of_two_collections_pairs_between_them_count(self):
        for name, other, args in (("in.npy", "other.npy", COARSE),
                                  ("bits.txt", "more.txt", ("--kind", "bits", "--within", "8",
                                                            "--bands", "2x16"))):
            args = (*args, "--against", other)
            bound = tuple(a for a in args if a not in ("--bands", "3x12", "2x16"))
            truth = self.found(name, *bound, "--method", "brute")
            found = self.found(name, *args)
            audit = self.audit("pairs", name, *args, "--audit=1000000", code=1)
            self.assertEqual(audit["true_pairs"], len(truth))
            self.assertEqual(audit["found_pairs"], len(found))
            self.assertEqual(audit["reported_pairs"], len(found))
            query = self.audit("query", other, name, *args[:-2], "--audit=1000000", code=1)
            self.assertEqual(query["true_pairs"], len(truth))
            self.assertEqual(query["found_pairs"], len(found))

    def test_a_sample_has_an_interval_about_the_recall(self):
        truth = self.found("in.npy", "--threshold", "0.97", "--method", "brute")
        covered = 0
        for seed in map(str, range(10)):
            args = ("--threshold", "0.97", "--bands", "10x12", "--seed", seed)
            recall = len(self.found("in.npy", *args)) / len(truth)
            self.sosie("pairs", "in.npy", *args, "--audit=200", "-o", "p.tsv",
                       "--stats", "stats.json", code=None)
            audit = json.loads(self.read("stats.json"))["audit"]
            self.assertEqual(audit["sampled"], 200)
            self.assertLess(audit["recall_low"], audit["recall_high"])
            covered += audit["recall_low"] <= recall <= audit["recall_high"]
        self.assertGreaterEqual(covered, 8)

    def test_exact_runs_find_every_pair(self):
        for args in (("in.npy", "--threshold", "0.9"),
                     ("in.npy", "--measure", "chebyshev", "--within", "40"),
                     ("bits.txt", "--kind", "bits", "--within", "3"),
                     ("bits.txt", "--kind", "bits", "--measure", "jaccard", "--threshold", "0.7")):
            for method in ("exact", "brute"):
                audit = self.audit("pairs", *args, "--method", method, "--audit=300")
                self.assertGreater(audit["true_pairs"], 30)
                self.assertEqual(audit["recall"], 1)
                self.assertEqual(audit["found_pairs"], audit["true_pairs"])

    def test_dedup_and_pairs_agree_on_recall(self):
        for name, args in (("in.npy", COARSE),
                           ("bits.txt", ("--kind", "bits", "--within", "8", "--bands", "2x16"))):
            pairs = self.audit("pairs", name, *args, "--audit=300", code=1)
            dedup = self.audit("dedup", name, *args, "--audit=300", code=1)
            self.assertEqual(dedup["precision"], 1)
            self.assertLess(dedup["reported_pairs"], pairs["reported_pairs"])
            for key in ("true_pairs", "found_pairs", "recall_low", "recall_high", "slice"):
                self.assertEqual(pairs[key], dedup[key])

    def test_dedup_with_another_collection_compares_with_both(self):
        audit = self.audit("dedup", "in.npy", "--against", "other.npy", "--threshold", "0.97",
                           "--method", "exact", "--audit=1000000")
        within = self.found("in.npy", "--threshold", "0.97", "--method", "brute")
        across = self.found("in.npy", "--against", "other.npy", "--threshold", "0.97",
                            "--method", "brute")
        self.assertEqual(audit["documents"], 940)
        self.assertEqual(audit["true_pairs"], 2 * len(within) + len(across))
        self.assertEqual(audit["recall"], 1)

    def test_threads_decide_nothing(self):
        audits = []
        for threads in ("1", "3"):
            audits.append(self.audit("dedup", "in.npy", *COARSE, "--audit=100", "--threads",
                                     threads, code=1))
            audits[-1].pop("seconds")
        self.assertEqual(audits[0], audits[1])

    def test_the_summary_says_what_was_measured(self):
        run = self.sosie("pairs", "in.npy", *COARSE, "--audit=200", code=1)
        self.assertIn("200 of 940 vectors compared with all others", run.err)
        self.assertIn("of those in [0.97, 1]", run.err)
        self.assertIn("THIS RUN FINDS LESS", run.err)
        run = self.sosie("pairs", "bits.txt", "--kind", "bits", "--within", "8", "--audit=200")
        self.assertIn("200 of 900 bit strings compared", run.err)
        self.assertIn("of those in (7.6, 8]", run.err)

    def test_of_nothing_it_says_nothing(self):
        self.write("none.npy", npy([], "|u1", shape="(0, 24)"))
        audit = self.audit("pairs", "none.npy", "--threshold", "0.9", "--audit")
        self.assertEqual((audit["sampled"], audit["true_pairs"]), (0, 0))
        audit = self.audit("pairs", "in.npy", "--against", "none.npy", "--threshold", "0.9",
                           "--method", "lsh", "--audit")
        self.assertEqual((audit["sampled"], audit["true_pairs"]), (940, 0))

    def test_the_nearest_have_no_bound_to_audit(self):
        for args in (("in.npy", "other.npy"), ("bits.txt", "more.txt", "--kind", "bits")):
            run = self.sosie("query", *args, "--top", "3", "--audit", code=2)
            self.assertIn("--audit: --top alone", run.err)


if __name__ == "__main__":
    unittest.main()

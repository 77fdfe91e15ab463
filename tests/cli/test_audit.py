"""`--audit`: the recall and precision that a run reports about itself are true."""

import unittest

from support import ROOT, SosieTest, documents

SAMPLE = ROOT / "samples" / "man-pages.jsonl"
TRUTH = ROOT / "samples" / "man-pages.pairs.word5.tsv"
ASCII = ("--tokens", "ascii")
LSH = ("--method", "lsh")
COARSE = (*LSH, "--bands", "8x16")  # finds about a fifth of the pairs at 0.8


def true_pairs(threshold: float) -> set[tuple[str, str]]:
    rows = (line.split("\t") for line in TRUTH.read_text().splitlines())
    return {(left, right) for left, right, similarity in rows if float(similarity) >= threshold}


class Audit(SosieTest):
    def audit(self, verb: str, *args: str, code: int = 0) -> dict:
        self.result = self.sosie(verb, str(SAMPLE), *ASCII, "--stats", "stats.json",
                                 "-o", "out.jsonl" if verb == "dedup" else "out.tsv", *args,
                                 code=code)
        return self.stats().tree["audit"]

    def found_pairs(self) -> set[tuple[str, str]]:
        return {(row["left"], row["right"]) for row in self.table("out.tsv")}

    def test_of_every_document_gives_the_recall_itself(self):
        truth = true_pairs(0.8)
        for seed in ("1", "2", "3"):
            audit = self.audit("pairs", *COARSE, "--audit=1000000", "--seed", seed, code=1)
            found = self.found_pairs()
            self.assertLessEqual(found, truth)
            self.assertEqual(audit["sampled"], audit["documents"])
            self.assertEqual(audit["true_pairs"], 2 * len(truth))  # each seen from both members
            self.assertEqual(audit["found_pairs"], 2 * len(found))
            self.assertEqual(audit["recall"], len(found) / len(truth))
            self.assertEqual(audit["recall_low"], audit["recall_high"])
            in_slice = truth - true_pairs(0.85)
            self.assertEqual(audit["slice"]["recall"], len(found & in_slice) / len(in_slice))
            self.assertEqual(audit["reported_pairs"], 2 * len(found))
            self.assertEqual(audit["precision"], 1)

    def test_of_some_covers_the_true_recall_in_nine_of_ten_seeds(self):
        truth = true_pairs(0.6)
        covered = 0
        for seed in range(1, 21):
            audit = self.audit("pairs", "--threshold", "0.6", *LSH, "--bands", "4x6",
                               "--audit=100", "--seed", str(seed), code=None)
            self.assertEqual(audit["sampled"], 100)
            recall = len(self.found_pairs()) / len(truth)
            covered += audit["recall_low"] <= recall <= audit["recall_high"]
        self.assertGreaterEqual(covered, 18)

    def test_ends_with_1_only_when_the_run_surely_finds_too_little(self):
        audit = self.audit("pairs", *LSH, "--audit")
        self.assertFalse(audit["below_recall"])
        self.assertGreaterEqual(audit["recall_high"], audit["recall_asked"])
        audit = self.audit("pairs", *COARSE, "--audit", code=1)
        self.assertTrue(audit["below_recall"])
        self.assertLess(audit["recall_high"], 0.99)
        self.assertIn("THIS RUN FINDS LESS", self.result.err)
        self.assertTrue(self.read("out.tsv"), "the result is written all the same")
        self.assertFalse(self.audit("pairs", *COARSE, "--audit", "--recall", "0.2")["below_recall"])

    def test_of_too_few_pairs_says_so_and_ends_with_0(self):
        audit = self.audit("pairs", *COARSE, "--audit=5")
        self.assertLess(audit["true_pairs"], 30)
        self.assertFalse(audit["enough_pairs"])
        self.assertIn("too few to estimate recall", self.result.err)

    def test_says_the_same_of_dedup_and_pairs(self):
        names = ("true_pairs", "found_pairs", "recall", "recall_low", "recall_high", "slice")
        pairs = self.audit("pairs", *COARSE, "--audit=150", code=1)
        dedup = self.audit("dedup", *COARSE, "--audit=150", code=1)
        self.assertEqual([pairs[name] for name in names], [dedup[name] for name in names])
        self.assertEqual(dedup["precision"], 1)
        self.assertLess(dedup["reported_pairs"], pairs["reported_pairs"])

    def test_is_the_same_for_any_number_of_threads(self):
        audits = []
        for threads in ("1", "2", "5"):
            audits.append(self.audit("dedup", *COARSE, "--audit=50", "--threads", threads,
                                     code=None))
            audits[-1].pop("seconds")
        self.assertEqual(audits[0], audits[1])
        self.assertEqual(audits[0], audits[2])

    def test_of_brute_finds_that_it_finds_all(self):
        audit = self.audit("pairs", "--method", "brute", "--audit")
        self.assertEqual(audit["recall"], 1)
        self.assertEqual(audit["found_pairs"], audit["true_pairs"])

    def test_changes_no_other_output(self):
        self.audit("dedup", *COARSE, "--audit", code=1)
        audited = self.read("out.jsonl")
        self.sosie("dedup", str(SAMPLE), *ASCII, *COARSE, "-o", "plain.jsonl")
        self.assertEqual(audited, self.read("plain.jsonl"))

    def test_counts_rows_with_the_same_text_as_found(self):
        self.write("in.jsonl", documents(["one two three four five six"] * 40))
        self.sosie("pairs", "in.jsonl", *COARSE, "--audit", "--stats", "stats.json", "-o", "p.tsv")
        audit = self.stats().tree["audit"]
        self.assertEqual((audit["true_pairs"], audit["found_pairs"]), (40 * 39, 40 * 39))
        self.assertEqual((audit["reported_pairs"], audit["reported_true"]), (40 * 39, 40 * 39))

    def test_with_against_counts_pairs_of_the_two_collections(self):
        rows = SAMPLE.read_bytes().splitlines(keepends=True)
        self.write("old.jsonl", b"".join(row for row in rows if b'"id": "3.50' in row[:20]))
        self.write("new.jsonl", b"".join(row for row in rows if b'"id": "4.00' in row[:20]))
        self.sosie("pairs", "new.jsonl", "--against", "old.jsonl", *ASCII, *COARSE,
                   "--audit=1000000", "--stats", "stats.json", "-o", "out.tsv", code=None)
        truth = {pair for pair in true_pairs(0.8)
                 if pair[0].startswith("3.50") and pair[1].startswith("4.00")}
        audit = self.stats().tree["audit"]
        self.assertEqual(audit["true_pairs"], len(truth))
        self.assertEqual(audit["found_pairs"], len(self.found_pairs()))

    def test_takes_its_number_after_an_equals_sign_only(self):
        self.write("in.jsonl", documents(["a b c"]))
        self.sosie("dedup", "--audit", "in.jsonl", "-o", "out.jsonl")
        self.assertEqual(self.read("out.jsonl"), self.read("in.jsonl"))
        self.fails(2, "dedup", "in.jsonl", "--audit=0", says="--audit")
        self.fails(2, "dedup", "in.jsonl", "--audit=many", says="--audit")
        told = self.sosie("plan", "in.jsonl", "--audit").err
        self.assertIn("a run without --audit, which it cannot predict", told)

    def test_of_nothing_is_an_audit_too(self):
        self.write("in.jsonl", b"")
        for verb in ("dedup", "pairs"):
            self.sosie(verb, "in.jsonl", "--audit", "--stats", "stats.json")
            audit = self.stats().tree["audit"]
            self.assertEqual((audit["documents"], audit["true_pairs"]), (0, 0))
            self.assertIsNone(audit["precision"])


if __name__ == "__main__":
    unittest.main()

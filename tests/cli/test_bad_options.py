"""Options that cannot be intended: the message says so and suggests the nearest valid option
(refusals.py)."""

import unittest

from refusals import RefusalTest


class Options(RefusalTest):
    def setUp(self):
        super().setUp()
        self.write("in.jsonl", ["one two", "three"])

    def test_bad_thresholds(self):
        for value in ("0", "0.0", "1.5", "1.000000001", "abc", "-0.5", "nan", "inf", "", "4/0",
                      "5/4", "0/4", "0.8x", "80%"):
            for verb in ("dedup", "pairs"):
                self.refuses(2, verb, "in.jsonl", f"--threshold={value}", "-o", "out",
                             says="threshold")

    def test_a_wrong_word_brings_the_nearest_one(self):
        for option, wrong, right in (("--measure", "jacard", "jaccard"), ("--kind", "string", "strings"),
                                     ("--measure", "levenstein", "levenshtein"),
                                     ("--clustering", "component", "components"),
                                     ("--method", "excat", "exact")):
            self.refuses_input(2, "in.jsonl", option, wrong, says=wrong, hints=f"did you mean {right}")
        self.refuses_input(2, "in.jsonl", "--keep", "max", says="max", hints="such as max:score")

    def test_sizes_in_messages_are_those_that_were_given(self):
        self.write("long.txt", "a word " * 1000 + "\n")
        for size in ("10", "1K"):
            self.fails(4, "dedup", "long.txt", "--memory", size, says=f"too large for --memory {size}\\b")

    def test_recall_one_cannot_be_had_with_lsh(self):
        self.refuses_input(2, "in.jsonl", "--recall", "1", "--method", "lsh", says="recall")
        self.refuses(2, "pairs", "in.jsonl", "--recall", "1.0", "--method", "lsh", says="recall")

    def test_an_unknown_option_brings_the_nearest_one(self):
        for wrong, right in (("--treshold", "--threshold"), ("--shingles", "--shingle"),
                             ("--remove", "--removed"), ("--kep", "--keep")):
            self.refuses_input(2, "in.jsonl", wrong, "0.8", says=f"^sosie: {wrong}: unknown opt",
                               hints=f"did you mean {right}[?]")

    def test_an_unknown_verb_brings_the_verbs_there_are(self):
        self.refuses(2, "dedub", "in.jsonl", says="^sosie: dedub: unknown verb$",
                     hints=r"\bdedup\b")
        self.refuses(2, "frobnicate", says="frobnicate")

    def test_options_and_values_of_something_else_lead_to_the_right_ones(self):
        self.write("in.jsonl", ["one two"])
        for args, says, hint in (
                (("link", "--threshold", "0.9"), "--threshold: not an option of link", "--cut P"),
                (("link", "--column", "a"), "--column: not an option of link", "--ignore FIELD"),
                (("dedup", "--where", "a=b"), "--where: not an option of dedup", "it is an option of query"),
                (("dedup", "--keep", "score"), "'score' is not", "max:score or min:score ranks"),
                (("dedup", "--shingle", "word:5"), "'word:5' is not", r"did you mean words:5\?")):
            self.refuses(2, args[0], "in.jsonl", *args[1:], says=says, hints=hint)


if __name__ == "__main__":
    unittest.main()

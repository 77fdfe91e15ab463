"""Strings: unusual, invalid or excessive input, and options that do not apply."""
# slow: more than 5 s in a release build, so `make sanitize` leaves it to `make sanitize-all`

import json
import random
import re
import time
import unittest

from string_runs import NAMES, STRINGS, StringTest, expected_pairs, lines
from support import SANITIZED, jsonl


class BadStrings(StringTest):
    def setUp(self):
        super().setUp()
        self.write("names.txt", lines(NAMES))

    def pairs(self, *args: str) -> list:
        return self.found("pairs", "in.txt", *STRINGS, *args)

    def test_empty_strings_are_near_nothing(self):
        self.write("in.txt", "\nab\n\nabc\n")
        self.assertEqual(self.pairs("--within", "2"), [("1", "3", "1")])
        self.assertEqual(self.pairs("--threshold", "0.9"), [])
        self.assertEqual(self.pairs("--threshold", "0.9", "--measure", "indel"), [])

    def test_strings_shorter_than_the_distance(self):
        strings = ["a", "b", "", "cc", "dddd", "eeeeeeeee"]
        self.write("in.txt", lines(strings))
        for within in (1, 4, 8, 100, 2 ** 31 - 1):
            self.assertEqual(self.pairs("--within", str(within)),
                             expected_pairs(strings, None, "levenshtein", within), within)

    def test_a_line_of_ten_megabytes(self):
        long = "abcdefghij" * 1_000_000
        self.write("in.txt", long + "\n" + long[:5_000_000] + "X" + long[5_000_000:] + "\nshort\n")
        result = self.sosie("pairs", "in.txt", *STRINGS, "--within", "1", "--stats", "s.json",
                            "--memory", "1G")
        self.assertEqual(result.out, b"left\tright\tdistance\n0\t1\t1\n")
        self.assertLess(json.loads(self.read("s.json"))["peak_memory_bytes"], 700 << 20)

    def test_nul_bytes_and_bytes_that_are_no_utf8(self):
        self.write("in.txt", b"a\0b\na\0c\nab\n\xff\n\xfe\nx\xffy\nxy\n" + b"far away\n" * 3)
        self.assertEqual([row for row in self.pairs("--within", "1") if int(row[0]) < 7], [
            ("0", "1", "1"), ("0", "2", "1"), ("3", "4", "1"), ("5", "6", "1")])
        result = self.sosie("pairs", "in.txt", *STRINGS, "--within", "1", "--rejects", "r.tsv")
        self.assertIn("3 rows are not in UTF-8", result.err)
        rejects = self.read("r.tsv").split(b"\n")[1:-1]
        self.assertEqual([line.split(b"\t")[1:3] for line in rejects],
                         [[b"4", b"not UTF-8: byte 0xFF"], [b"5", b"not UTF-8: byte 0xFE"],
                          [b"6", b"not UTF-8: byte 0xFF"]])
        skipped = self.sosie("dedup", "in.txt", *STRINGS, "--within", "0", "--on-bad-row", "skip").out
        self.assertEqual(skipped, b"a\0b\na\0c\nab\nxy\nfar away\n")

    def test_too_many_rows_in_another_encoding_stop_the_run(self):
        self.write("in.txt", b"M\xfcller\n" * 20)
        self.fails(3, "pairs", "in.txt", *STRINGS, "--within", "1",
                   says=r"in.txt:1: not UTF-8: byte 0xFC; 20 of 20 rows are not", hints="--encoding")
        self.assertEqual(len(self.pairs("--within", "1", "--on-bad-row", "keep")), 190)
        self.assertEqual(len(self.pairs("--within", "1", "--encoding", "latin-1")), 190)
        self.fails(3, "query", "names.txt", "--format", "txt", *STRINGS, "--within", "1",
                   says="not UTF-8", stdin=b"M\xfcller\n" * 20)

    def test_missing_fields(self):
        rows = b'{"text": "ab"}\n{"other": 1}\n{"text": ["x"]}\n{"text": "abc"}\n'
        self.write("in.jsonl", rows)
        self.fails(3, "pairs", "in.jsonl", *STRINGS, "--within", "1", says=r"in.jsonl:2: field 'text' is missing",
                   hints="other")
        found = self.found("pairs", "in.jsonl", *STRINGS, "--within", "1", "--on-bad-row", "skip",
                           "--rejects", "r.tsv")
        self.assertEqual(found, [("0", "3", "1")])
        as_texts = self.sosie("pairs", "in.jsonl", "--on-bad-row", "skip", "--rejects", "t.tsv")
        self.assertEqual(as_texts.code, 0)
        self.assertEqual(self.read("r.tsv"), self.read("t.tsv"))

    def test_distances_are_whole_numbers(self):
        for value in ("2.5", "2.0", "1/2", "1e1"):
            self.fails(2, "pairs", "names.txt", *STRINGS, "--within", value,
                       says=f"--within: '{value}' is not a whole number: edits are counted",
                       hints="--threshold S")
        self.fails(2, "pairs", "names.txt", *STRINGS, "--within=-1", says="--within: '-1' is not a number")
        self.fails(2, "pairs", "names.txt", *STRINGS, "--within", "two", says="--within: 'two'")

        for value in ("2147483648", "4294967295", "1" + "0" * 30):
            self.fails(2, "pairs", "names.txt", *STRINGS, "--within", value,
                       says=f"--within: '{value}' is not a number from 0 to 2147483647")

    def test_one_bound_must_be_given(self):
        self.fails(2, "pairs", "names.txt", *STRINGS, "--within", "1", "--threshold", "0.8",
                   says="--within 1: cannot be combined with --threshold 0.8", hints="give one")
        for verb in (("pairs", "names.txt"), ("dedup", "names.txt"), ("query", "names.txt", "names.txt"),
                     ("explain", "0", "1", "names.txt")):
            self.fails(2, *verb, *STRINGS, says="--within: this option or --threshold must be given for levenshtein",
                       hints="--top K")
        self.fails(2, "pairs", "names.txt", *STRINGS, "--threshold", "1.5", says="--threshold: '1.5'")
        self.fails(2, "pairs", "names.txt", *STRINGS, "--threshold", "0", says="--threshold: '0'")

    def test_measures_of_others_name_what_fits(self):
        self.fails(2, "pairs", "names.txt", *STRINGS, "--within", "1", "--measure", "jaccard",
                   says="--measure jaccard: does not support --kind strings",
                   hints="strings are compared by levenshtein, indel, osa, damerau")
        self.fails(2, "pairs", "names.txt", "--measure", "levenshtein",
                   says="--measure levenshtein: does not support --kind text", hints="--kind strings")
        self.fails(2, "pairs", "names.txt", *STRINGS, "--within", "1", "--measure", "edit",
                   says="--measure: 'edit' is not one of the measures", hints="use levenshtein")

    def test_strings_have_no_signature(self):
        for args in (("--bands", "4x4"), ("--recall", "0.9"), ("--construct", "and:2,or:2"),
                     ("--sketch", "classic"), ("--method", "lsh")):
            self.fails(2, "pairs", "names.txt", *STRINGS, "--within", "1", *args,
                       says=args[0] if args[0] != "--sketch" else "--sketch: does not apply to strings")
        self.fails(2, "sketch", "names.txt", *STRINGS, "--plan", "p.json", "-o", "s",
                   says="sketch: does not apply to strings: they have no signature", hints="--reuse")
        self.fails(2, "pairs", "names.txt", *STRINGS, "--within", "1", "--shingle", "chars:3",
                   says="--shingle: does not apply to strings: they have no text")
        self.fails(2, "pairs", "names.txt", "--clean", "fold",
                   says="--clean: does not apply to texts: only strings are compared character by character")

    def test_files_of_vectors_hold_no_strings(self):
        self.write("in.fvecs", b"\1\0\0\0\0\0\0\0")
        self.fails(2, "pairs", "in.fvecs", *STRINGS, "--within", "1", says="in.fvecs: holds vectors, not rows")

    def test_many_equal_strings_cost_their_output(self):
        self.write("in.txt", "the same name\n" * 100_000)
        self.fails(4, "pairs", "in.txt", *STRINGS, "--within", "1", "--limit", "1000", says="--limit")
        self.sosie("dedup", "in.txt", *STRINGS, "--within", "1", "-o", "out.txt", "--stats", "s.json")
        self.assertEqual(self.read("out.txt"), b"the same name\n")
        self.assertLess(json.loads(self.read("s.json"))["candidates"], 10)

    def test_many_equal_strings_in_every_verb(self):
        """Comparing all pairs would take half a minute and hundreds of times the scratch space."""
        rows = 100_000
        self.write("in.txt", "the same name\n" * rows)
        self.write("asked.txt", "the sane name\nother\n")
        tight = (*STRINGS, "--scratch-limit", "1M", "--memory", "16M", "--stats", "s.json", "-q")
        found = {
            ("pairs", "in.txt", "--within", "1", "--top-pairs", "3"): [(0, 1, 0), (0, 2, 0), (0, 3, 0)],
            ("pairs", "in.txt", "--against", "in.txt", "--within", "1", "--top-pairs", "2"): [(0, 0, 0), (0, 1, 0)],
            ("query", "in.txt", "asked.txt", "--within", "1", "--top", "2"): [(0, 0, 1), (0, 1, 1)],
            ("query", "in.txt", "asked.txt", "--top", "1"): [(0, 0, 1), (1, 0, 11)]}
        for args, expected in found.items():
            self.assertEqual(self.found(*args, *tight), [tuple(map(str, row)) for row in expected], args)
            self.assertEqual(json.loads(self.read("s.json"))["scratch_bytes"], 0, args)
        for against in ((), ("--against", "in.txt")):
            nearest = self.found("pairs", "in.txt", *against, "--within", "1", "--top", "1", *tight)
            self.assertEqual(nearest, [(str(i), str(0 if against else i + 1), "0")
                                       for i in range(rows if against else rows - 1)], against)
            self.fails(4, "pairs", "in.txt", *against, "--within", "1", "--limit", "1000", *tight, says="--limit")
        self.fails(4, "query", "in.txt", "asked.txt", "--within", "1", "--limit", "1000", *tight, says="--limit")
        self.sosie("dedup", "in.txt", "--within", "1", "--clustering", "components", "-o", "out.txt", *tight)
        self.assertEqual(self.read("out.txt"), b"the same name\n")

    def test_what_the_memory_does_not_hold(self):
        self.write("in.txt", ("x" * 199 + "\n") * 30_000)
        run = self.fails(4, "dedup", "in.txt", *STRINGS, "--within", "1", "--memory", "4M",
                         says="^sosie: the strings need 6.2 MB of memory; --memory is 4M$",
                         hints="raise --memory; 6M is enough")
        enough = re.search(r"(\d+M) is enough", run.err)[1]
        self.assertEqual(self.sosie("dedup", "in.txt", *STRINGS, "--within", "1", "--memory", enough).out,
                         b"x" * 199 + b"\n")
        self.fails(4, "query", "in.txt", *STRINGS, "--within", "1", "--memory", "4M",
                   says="the strings need 6.2 MB", stdin=b'{"text": "x"}\n')

    def test_the_order_of_the_strings_takes_memory_too(self):
        rng = random.Random(9)
        self.write("in.txt", "".join(f"{rng.getrandbits(960):0240x}\n" for _ in range(200_000)))
        for verb in (("pairs", "in.txt", "-o", "p.tsv"), ("dedup", "in.txt", "-o", "out.txt")):
            run = (*verb, *STRINGS, "--within", "0", "--stats", "s.json", "-q")
            refused = self.fails(4, *run, "--memory", "50M", hints="raise --memory; ",
                                 says=r"^sosie: the strings and their order need \S+ MB of memory; --memory is")
            enough = re.search(r"(\d+)M is enough", refused.err)[1]
            self.sosie(*run, "--memory", enough + "M")
            peak = json.loads(self.read("s.json"))["peak_memory_bytes"]
            self.assertTrue(SANITIZED or peak <= int(enough) + 64 << 20, (verb, enough, peak))

    def test_so_many_checks_are_told_beforehand(self):
        """The message appears before the run begins; the test does not wait for the run."""
        rng = random.Random(10)
        self.write("in.txt", "".join(f"{rng.getrandbits(64):016x}\n" for _ in range(200_000)))
        for verb, lines_told in ((("pairs", "in.txt", "-o", "p.tsv"), 2), (("dedup", "in.txt", "-o", "out.txt"), 1)):
            process = self.start(*verb, *STRINGS, "--within", "16")
            told = [process.stderr.readline().decode() for _ in range(lines_told)]
            process.terminate()
            process.communicate()
            self.assertEqual(process.returncode, 143)
            count = r"(19|20),\d{3},\d{3},\d{3}"
            self.assertRegex(told[0], rf"^sosie: about {count} pairs are checked one by one; lower --within, "
                                      "or use a smaller input$")
            if lines_told == 2:
                self.assertRegex(told[1], rf"^sosie: about {count} pairs are expected; lower --within, or use "
                                          "--top, --top-pairs or --limit$")
        self.fails(4, "pairs", "in.txt", *STRINGS, "--within", "16", "-o", "p.tsv", "--limit", "1000", "-q",
                   says="--limit")
        self.assertEqual(self.names(), {"in.txt", "names.txt"})

    def test_quiet_runs_tell_nothing_beforehand(self):
        rng = random.Random(11)
        self.write("in.txt", "".join(f"{rng.getrandbits(64):016x}\n" for _ in range(200_000)))
        run = ("pairs", "in.txt", *STRINGS, "--within", "16", "-o", "p.tsv")
        begin = time.monotonic()
        told = self.start(*run)
        self.assertIn(b"about", told.stderr.readline())
        waited = time.monotonic() - begin
        quiet = self.start(*run, "-q")
        time.sleep(2 * waited + 0.5)
        for process in (told, quiet):
            process.terminate()
        self.assertEqual(quiet.communicate()[1], b"sosie: interrupted\n")
        told.communicate()

    def test_the_whole_distance_of_long_strings(self):
        """A distance that takes minutes: `explain` says so, and stops when told to."""
        rng = random.Random(12)
        self.write("in.txt", "".join("".join(rng.choices("abcdefgh", k=2_000_000)) + "\n" for _ in range(2)))
        for measure, minutes in (("levenshtein", r"\d minutes"), ("damerau", r"1\d\d minutes")):
            run = ("explain", "0", "1", "in.txt", *STRINGS, "--within", "5", "--measure", measure)
            process = self.start(*run)
            self.assertRegex(process.stderr.readline().decode(),
                             rf"^sosie: the whole distance of two long strings .* takes about {minutes}; ")
            process.terminate()
            self.assertEqual(process.communicate(timeout=20)[1], b"sosie: interrupted\n")
            self.assertEqual(process.returncode, 143)
        self.assertEqual(self.pairs("--within", "5"), [])  # this does not need the whole distance


if __name__ == "__main__":
    unittest.main()

"""Strings: joins by edit distances against dynamic programming in Python, in every verb."""
# slow: more than 5 s in a release build, so `make sanitize` leaves it to `make sanitize-all`

import gzip
import json
import random
import re
import subprocess
import unittest
from fractions import Fraction

from refusals import RefusalTest
from support import SANITIZED, jsonl, read_table, without_note

import edits  # stands in reference/

STRINGS = ("--kind", "strings")
ALPHABETS = ("ab", "abcd", "abcdefghijklmnopqrstuvwxyz", "aé東🙂ßи")
NAMES = ["Katharina", "Katarina", "Catharine", "Kathrin"]


def random_strings(rng: random.Random, count: int, alphabet: str, most: int) -> list:
    """Some drawn, some made of those by a few edits, some equal."""
    made: list = []
    for _ in range(count):
        if made and rng.random() < 0.5:
            letters = list(rng.choice(made))
            for _ in range(rng.randint(0, 3)):
                at = rng.randint(0, len(letters))
                letters[at:at + rng.randint(0, 1)] = rng.choices(alphabet, k=rng.randint(0, 1))
                if rng.random() < 0.3 and len(letters) > 1:
                    at = rng.randrange(len(letters) - 1)
                    letters[at:at + 2] = letters[at + 1], letters[at]
            made.append("".join(letters))
        else:
            made.append("".join(rng.choices(alphabet, k=rng.randint(0, most))))
    return made


def lines(strings: list) -> str:
    return "".join(string + "\n" for string in strings)


def expected_pairs(lefts: list, rights: list | None, measure: str, within=None, threshold=None) -> list:
    """(left, right, value as it is printed) in order."""
    pairs = []
    for i, left in enumerate(lefts):
        start = 0 if rights is not None else i + 1
        for j, right in enumerate((lefts if rights is None else rights)[start:], start):
            if within is not None:
                value = edits.distance(left, right, measure)
                if value <= within:
                    pairs.append((str(i), str(j), str(value)))
            else:
                likeness = edits.similarity(left, right, measure)
                if likeness >= Fraction(threshold):
                    pairs.append((str(i), str(j), f"{float(likeness):.6f}"))
    return pairs


def star(strings: list, measure: str, within: int) -> dict:
    """Removed rows with their survivors and distances, by the definition."""
    survivors: list = []
    removed = {}
    for i, string in enumerate(strings):
        near = [(s, edits.distance(string, strings[s], measure)) for s in survivors]
        first = next(((s, d) for s, d in near if d <= within), None)
        if first is None:
            survivors.append(i)
        else:
            removed[i] = first
    return removed


class StringTest(RefusalTest):
    def found(self, *args: str, **options) -> list:
        """Rows of a table on stdout as tuples."""
        out = self.sosie(*args, "-q", **options).out.decode()
        return [tuple(line.split("\t")) for line in out.split("\n")[1:-1]]


class StringPairs(StringTest):
    def test_the_example_of_the_issue(self):
        self.write("names.txt", lines(NAMES))
        out = self.sosie("pairs", "names.txt", *STRINGS, "--within", "2", "--show", "text").out
        self.assertEqual(out.decode(), (
            "left\tright\tdistance\tleft_text\tright_text\n"
            "0\t1\t1\tKatharina\tKatarina\n"
            "0\t2\t2\tKatharina\tCatharine\n"
            "0\t3\t2\tKatharina\tKathrin\n"
            "1\t3\t2\tKatarina\tKathrin\n"))

    def test_pairs_are_those_of_dynamic_programming(self):
        rng = random.Random(1)
        for alphabet in ALPHABETS:
            strings = random_strings(rng, 40, alphabet, 12)
            others = random_strings(rng, 15, alphabet, 12) + strings[:5]
            self.write("in.txt", lines(strings))
            self.write("other.txt", lines(others))
            for measure in edits.MEASURES:
                for within in (0, 1, 2, 5):
                    args = (*STRINGS, "--measure", measure, "--within", str(within))
                    self.assertEqual(self.found("pairs", "in.txt", *args),
                                     expected_pairs(strings, None, measure, within),
                                     (alphabet, measure, within))
                    self.assertEqual(self.found("pairs", "in.txt", "--against", "other.txt", *args),
                                     expected_pairs(strings, others, measure, within),
                                     (alphabet, measure, within))

    def test_thresholds_are_decided_as_they_are_written(self):
        rng = random.Random(2)
        strings = random_strings(rng, 60, "abc", 12)
        self.write("in.txt", lines(strings))
        for measure in edits.MEASURES:
            for threshold in ("1", "1/2", "2/3", "0.75", "5/6", "0.1"):
                found = self.found("pairs", "in.txt", *STRINGS, "--measure", measure, "--threshold",
                                   threshold)
                self.assertEqual(found, expected_pairs(strings, None, measure, None, threshold),
                                 (measure, threshold))
        # 17/20 of 20 letters are 3 edits, in integers: doubles say 1 - 0.85 = 0.15000000000000002.
        self.write("t.txt", lines(["a" * 20, "a" * 17 + "bbb", "a" * 16 + "bbbb"]))
        self.assertEqual(self.found("pairs", "t.txt", *STRINGS, "--threshold", "0.85"),
                         [("0", "1", "0.850000"), ("1", "2", "0.950000")])

    def test_lengths_around_a_word_and_far_above(self):
        rng = random.Random(3)
        for most in (66, 300):
            base = ["".join(rng.choices("abcdefgh", k=most)) for _ in range(3 if most < 100 else 1)]
            strings = [text[:rng.randint(most - 6, most)] for text in base for _ in range(2)]
            strings += [text.replace("ab", "ba", 1) for text in base]
            self.write("in.txt", lines(strings))
            for measure in edits.MEASURES:
                self.assertEqual(
                    self.found("pairs", "in.txt", *STRINGS, "--measure", measure, "--within", "4"),
                    expected_pairs(strings, None, measure, 4), (measure, most))

    def test_same_bytes_for_any_threads_and_memory(self):
        rng = random.Random(4)
        strings = random_strings(rng, 3000, "abcdef", 10)
        self.write("in.txt", lines(strings))
        for args in (("--within", "1"), ("--within", "2", "--measure", "damerau"), ("--threshold", "0.8"),
                     ("--within", "1", "--method", "brute"), ("--top", "2")):
            expected = self.sosie("pairs", "in.txt", *STRINGS, *args).out
            self.assertGreater(expected.count(b"\n"), 100)
            for more in (("--threads", "1"), ("--threads", "2"), ("--threads", "7"), ("--memory", "8M"),
                         ("--memory", "64M", "--threads", "3")):
                self.assertEqual(self.sosie("pairs", "in.txt", *STRINGS, *args, *more).out, expected,
                                 (args, more))
        exact = self.sosie("pairs", "in.txt", *STRINGS, "--within", "1", "--method", "exact").out
        self.assertEqual(exact, self.sosie("pairs", "in.txt", *STRINGS, "--within", "1").out)

    def test_top_of_each_row_and_of_all_pairs(self):
        rng = random.Random(5)
        strings = random_strings(rng, 50, "abc", 9)
        self.write("in.txt", lines(strings))
        distance = {(i, j): edits.distance(left, right) for i, left in enumerate(strings)
                    for j, right in enumerate(strings)}
        expected = [(str(i), str(j), str(distance[i, j])) for i in range(len(strings))
                    for j in sorted(sorted(range(i + 1, len(strings)),
                                           key=lambda j, i=i: (distance[i, j], j))[:2])]
        self.assertEqual(self.found("pairs", "in.txt", *STRINGS, "--top", "2"), expected)
        best = sorted((distance[i, j], i, j) for i in range(len(strings))
                      for j in range(i + 1, len(strings)) if distance[i, j] <= 3)[:7]
        self.assertEqual(self.found("pairs", "in.txt", *STRINGS, "--within", "3", "--top-pairs", "7"),
                         [(str(i), str(j), str(d)) for d, i, j in sorted(best, key=lambda b: b[1:])])
        self.fails(4, "pairs", "in.txt", *STRINGS, "--within", "9", "--limit", "10", says="--limit")

    def test_formats_and_joined_columns(self):
        strings = NAMES + ["Zoe\u0308", "Zo\u00eb", "a\tb", "quo\"te"]
        rows = [{"id": f"r{i}", "name": text, "other": "x"} for i, text in enumerate(strings)]
        self.write("in.jsonl", jsonl(rows))
        self.write("in.csv", "id,name,other\n" + "".join(
            '{},"{}",x\n'.format(f"r{i}", text.replace('"', '""')) for i, text in enumerate(strings)))
        composed = [edits.compared(text) for text in strings]
        expected = [(f"r{i}", f"r{j}", d) for i, j, d in expected_pairs(composed, None, "levenshtein", 2)]
        for name in ("in.jsonl", "in.csv"):
            found = self.found("pairs", name, *STRINGS, "--column", "name", "--within", "2")
            self.assertEqual(found, expected, name)
            joined = self.found("pairs", name, *STRINGS, "--column", "name,other", "--within", "2")
            self.assertEqual(joined, expected, name)
        self.write("in.jsonl.gz", gzip.compress(jsonl(rows)))
        self.assertEqual(self.found("pairs", "in.jsonl.gz", *STRINGS, "--column", "name", "--within", "2"),
                         expected)

    def test_numbers_are_numbers_in_json(self):
        self.write("names.txt", lines(NAMES))
        self.sosie("pairs", "names.txt", *STRINGS, "--within", "2", "-o", "p.jsonl")
        first = json.loads(self.read("p.jsonl").splitlines()[0])
        self.assertEqual(first, {"left": 0, "right": 1, "distance": 1})

    def test_what_was_compared_stands_beside_the_original(self):
        self.write("in.txt", "O'Neil,  Shaun\nONEIL shaun\n\u0130zmir\n")
        out = self.found("pairs", "in.txt", *STRINGS, "--within", "0", "--clean", "alnum", "--show", "text")
        self.assertEqual(out, [("0", "1", "0", "O'Neil,  Shaun", "ONEIL shaun", "oneilshaun",
                                "oneilshaun")])
        header = self.sosie("pairs", "in.txt", *STRINGS, "--within", "0", "--clean", "fold", "--show",
                            "text").out.split(b"\n")[0]
        self.assertEqual(header, b"left\tright\tdistance\tleft_text\tright_text\tleft_compared"
                                 b"\tright_compared")

    def test_cleaned_strings_are_compared(self):
        texts = [b"Jos\xc3\xa9  M\xc3\x9cLLER ", b"jos\xc3\xa9 m\xc3\xbcller", b"Jose\xcc\x81 Muller",
                 b"\xc4\xb0stanbul", b"istanbul", b"a\0b", b"a b", b"A-B",
                 b"e-\xcc\x81", b"\xc3\xa9", "👩‍💻 ok".encode(), b"ok", b"\xff", b"\xfe", b"",
                 "Straße".encode(), b"STRASSE", "東京".encode(), "東 京".encode()]
        self.write("in.txt", b"".join(text + b"\n" for text in texts))
        for clean in ("none", "fold", "alnum"):
            compared = [edits.compared(text, clean) for text in texts]
            self.assertEqual(
                self.found("pairs", "in.txt", *STRINGS, "--clean", clean, "--within", "1"),
                expected_pairs(compared, None, "levenshtein", 1), clean)

    def test_audit_finds_nothing_missed(self):
        rng = random.Random(6)
        self.write("in.txt", lines(random_strings(rng, 800, "abcdef", 9)))
        for args in (("--within", "1"), ("--threshold", "0.8", "--measure", "indel")):
            result = self.sosie("pairs", "in.txt", *STRINGS, *args, "--audit=200", "--stats", "s.json")
            audit = json.loads(self.read("s.json"))["audit"]
            self.assertEqual(audit["recall"], 1)
            self.assertIn("strings", result.err)


class StringDedup(StringTest):
    def setUp(self):
        super().setUp()
        rng = random.Random(7)
        self.strings = random_strings(rng, 300, "abcd", 8)
        self.write("in.txt", lines(self.strings))

    def removed(self, *args: str) -> dict:
        self.sosie("dedup", "in.txt", *STRINGS, *args, "-o", "out.txt", "--removed", "r.tsv")
        return {int(row["id"]): (int(row["kept_id"]), int(row["distance"]))
                for row in read_table(self.read("r.tsv"))}

    def test_star_is_as_it_is_defined(self):
        for measure, within in (("levenshtein", 1), ("osa", 1), ("damerau", 2), ("indel", 2)):
            expected = star(self.strings, measure, within)
            self.assertEqual(self.removed("--measure", measure, "--within", str(within)), expected)
            kept = [text for i, text in enumerate(self.strings) if i not in expected]
            self.assertEqual(self.read("out.txt").decode(), lines(kept))

    def test_same_bytes_for_any_threads_and_memory(self):
        expected = self.removed("--within", "1")
        for more in (("--threads", "1"), ("--threads", "7"), ("--memory", "8M"), ("--method", "brute")):
            self.assertEqual(self.removed("--within", "1", *more), expected, more)

    def test_components_are_chains_of_pairs(self):
        self.strings = ["a", "ab", "abc", "abcd", "xyz"]
        self.write("in.txt", lines(self.strings))
        found = self.removed("--within", "1", "--clustering", "components")
        self.assertEqual(found, {1: (0, 1), 2: (0, 2), 3: (0, 3)})

    def test_the_longest_is_counted_in_code_points(self):
        self.write("in.txt", "kätzchen\nkatzchens\nkatzchen\n")  # 9, 9 and 8 bytes
        kept = self.sosie("dedup", "in.txt", *STRINGS, "--within", "2", "--keep", "longest").out.decode()
        self.assertEqual(kept, "katzchens\n")
        kept = self.sosie("dedup", "in.txt", *STRINGS, "--within", "2", "--keep", "shortest").out.decode()
        self.assertEqual(kept, "kätzchen\n")

    def test_rows_near_to_others_go_too(self):
        self.write("other.txt", "abca\n")
        removed = self.removed("--within", "1", "--against", "other.txt")
        near = {i for i, text in enumerate(self.strings) if edits.distance(text, "abca") <= 1}
        self.assertTrue(near)
        self.assertLessEqual(near, set(removed))
        self.assertNotIn("abca", self.read("out.txt").decode().split("\n"))

    def test_side_files(self):
        result = self.sosie("dedup", "in.txt", *STRINGS, "--within", "1", "-o", "out.txt", "--clusters",
                            "c.tsv", "--pairs", "p.tsv", "--removed", "r.jsonl", "--report", "r.html")
        self.assertRegex(result.err, r"groups +\d+; the largest has \d+ rows: \d+")
        pairs = self.sosie("pairs", "in.txt", *STRINGS, "--within", "1").out
        self.assertEqual(without_note(self.read("p.tsv")), pairs)
        self.assertTrue(self.read("p.tsv").startswith(b"#sosie within=1 measure=levenshtein\n"))
        self.assertIsInstance(json.loads(self.read("r.jsonl").splitlines()[0])["distance"], int)
        self.assertIn(b"levenshtein", self.read("r.html"))
        clusters = self.sosie("cluster", "p.tsv", "--within", "1", code=None)
        self.assertIn(clusters.code, (0, 2))

    def test_cluster_of_pairs_at_a_smaller_distance(self):
        self.sosie("pairs", "in.txt", *STRINGS, "--within", "2", "-o", "p.tsv")
        self.sosie("dedup", "in.txt", *STRINGS, "--within", "1", "--clustering", "components",
                   "--clusters", "c.tsv")
        expected = {(row["id"], row["cluster_id"]) for row in read_table(self.read("c.tsv"))}
        found = read_table(self.sosie("cluster", "p.tsv", "--within", "1", "--clustering",
                                      "components").out)
        self.assertEqual({(row["id"], row["cluster_id"]) for row in found}, expected)

    def test_annotated_rows(self):
        self.write("in.jsonl", jsonl([{"text": text} for text in NAMES]))
        out = self.sosie("dedup", "in.jsonl", *STRINGS, "--within", "1", "--annotate", "all").out
        rows = [json.loads(line) for line in out.splitlines()]
        self.assertEqual([row["text"] for row in rows], NAMES)
        self.assertEqual(rows[1]["duplicate_of"], 0)


class StringQuery(StringTest):
    def setUp(self):
        super().setUp()
        rng = random.Random(8)
        self.data = random_strings(rng, 120, "abcé", 8)
        self.asked = random_strings(rng, 25, "abcx東", 8) + self.data[:5]
        self.write("data.txt", lines(self.data))
        self.write("asked.txt", lines(self.asked))
        self.write("asked.jsonl", jsonl([{"id": f"q{i}", "text": text}
                                         for i, text in enumerate(self.asked)]))

    def expected(self, measure: str, most: int, within: int | None) -> list:
        hits = []
        for i, text in enumerate(self.asked):
            near = sorted((edits.distance(text, other, measure), j) for j, other in enumerate(self.data))
            near = [(d, j) for d, j in near if within is None or d <= within]
            hits += [(f"q{i}", str(j), str(d)) for d, j in near[:most or None]]
        return hits

    def test_hits_are_best_first(self):
        for measure in edits.MEASURES:
            for most, within in ((0, 2), (3, 2), (4, None), (500, None)):
                args = ("--measure", measure, *(("--within", str(within)) if within is not None else ()),
                        *(("--top", str(most)) if most else ()))
                expected = self.expected(measure, most, within)
                found = self.found("query", "data.txt", "asked.jsonl", *STRINGS, *args)
                self.assertEqual(found, expected, args)
                piped = self.found("query", "data.txt", *STRINGS, *args, stdin=self.read("asked.jsonl"))
                self.assertEqual(piped, expected, args)

    def test_brute_says_the_same_on_a_pipe(self):
        """Lengths and signatures tell strings apart that are never measured."""
        asked = self.read("asked.jsonl")
        for measure in edits.MEASURES:
            for args in (("--within", "1"), ("--within", "2", "--top", "2"), ("--top", "3"), ("--threshold", "0.7"),
                         ("--threshold", "2/3", "--top", "1")):
                run = ("query", "data.txt", *STRINGS, "--measure", measure, *args)
                counts = []
                for method in ("auto", "exact", "brute"):
                    found = self.sosie(*run, "--method", method, "--stats", "s.json", stdin=asked)
                    counts.append((found.out, json.loads(self.read("s.json"))["candidates"]))
                self.assertEqual(counts[0], counts[1], (measure, args))
                self.assertEqual(counts[0][0], counts[2][0], (measure, args))
                self.assertEqual(counts[2][1], len(self.data) * len(self.asked))
                self.assertLess(counts[0][1], counts[2][1])

    def test_what_was_compared_is_shown_on_a_pipe(self):
        """Row by row: the answer to the first line is there before the second is asked."""
        self.write("data.txt", "O'Neil,  Shaun\nM\u00fcller\n")
        run = ("query", "data.txt", *STRINGS, "--format", "txt", "--within", "1", "--clean", "alnum", "--show",
               "text", "-q")
        process = self.start(*run, "-", stdin=subprocess.PIPE)
        self.addCleanup(process.communicate)
        self.assertEqual(process.stdout.readline().decode().split(), [
            "left", "right", "distance", "left_text", "right_text", "left_compared", "right_compared"])
        answers = []
        for line in ("ONEIL shaun\n", "MULLER\n"):
            process.stdin.write(line.encode())
            process.stdin.flush()
            answers.append(process.stdout.readline())
        self.assertEqual(b"".join(answers).decode(),
                         "0\t0\t0\tONEIL shaun\tO'Neil,  Shaun\toneilshaun\toneilshaun\n"
                         "1\t1\t1\tMULLER\tM\u00fcller\tmuller\tm\u00fcller\n")
        self.write("asked.txt", "ONEIL shaun\nMULLER\n")
        self.assertEqual(self.sosie(*run, "asked.txt").out.split(b"\n")[1:], b"".join(answers).split(b"\n"))

    def test_by_similarity(self):
        found = self.found("query", "data.txt", "asked.jsonl", *STRINGS, "--threshold", "0.6")
        piped = self.found("query", "data.txt", *STRINGS, "--threshold", "0.6",
                           stdin=self.read("asked.jsonl"))
        self.assertEqual(piped, found)
        self.assertEqual(sorted((left[1:], right, value) for left, right, value in found),
                         sorted(expected_pairs(self.asked, self.data, "levenshtein", None, "0.6")))

    def test_no_hit_is_exit_1(self):
        self.write("none.txt", "qqqqqqqqqqqqqq\n")
        self.sosie("query", "data.txt", "none.txt", *STRINGS, "--within", "1", code=1)


class StringExplain(StringTest):
    def explain(self, left: str, right: str, *args: str) -> str:
        self.write("two.txt", lines([left, right]))
        return self.sosie("explain", "0", "1", "two.txt", *STRINGS, *args).out.decode()

    def test_each_edit_is_told(self):
        page = self.explain("Katharina", "Catharine", "--within", "2")
        self.assertIn("distance     2 levenshtein\n", page)
        self.assertIn("[-K-]{+C+}atharin[-a-]{+e+}\n", page)
        self.assertIn('letter 1: "K" is replaced by "C"\n', page)
        self.assertIn('letter 9: "a" is replaced by "e"\n', page)
        page = self.explain("recieve", "receives", "--within", "2", "--measure", "osa")
        self.assertIn('letters 4 and 5: "ie" becomes "ei", swapped\n', page)
        self.assertIn('behind letter 7: "s" is inserted\n', page)
        page = self.explain("xab", "ab", "--within", "1", "--measure", "indel")
        self.assertIn('letter 1: "x" is deleted\n', page)
        self.assertIn("Right is removed, left is kept.", page)

    def test_what_is_compared_stands_beside_the_original(self):
        page = self.explain("O'Neil", "ONEIL", "--within", "0", "--clean", "alnum")
        self.assertIn("left text    O'Neil\n  compared   oneil\nright text   ONEIL\n  compared   oneil\n",
                      page)
        self.assertIn("The same string.", page)

    def test_far_strings_are_explained_too(self):
        page = self.explain("abc", "x" * 30, "--within", "2")
        self.assertIn("Not near-duplicates: distance 30, within 2.", page)
        self.assertIn("and 10 more\n", page)


class StringPlan(StringTest):
    def test_a_plan_says_how_and_why(self):
        self.write("names.txt", lines(NAMES))
        text = self.sosie("plan", "names.txt", *STRINGS, "--within", "2").out.decode()
        self.assertRegex(text, r"(?m)^method +\S")
        self.assertRegex(text, r"(?m)^because +\S")
        self.assertIn("4 strings of 8.2 letters on average, at most 9; 9 different ones", text)
        self.fails(2, "plan", "names.txt", *STRINGS, "--within", "2", "-o", "p.json",
                   says="-o p.json: there is no lsh to plan")
        self.fails(2, "plan", *STRINGS, "--within", "2", says="planned by their lengths")


class BadStrings(StringTest):
    def setUp(self):
        super().setUp()
        self.write("names.txt", lines(NAMES))

    def pairs(self, *args: str) -> list:
        return self.found("pairs", "in.txt", *STRINGS, *args)

    def test_empty_strings_are_items(self):
        self.write("in.txt", "\nab\n\nabc\n")
        self.assertEqual(self.pairs("--within", "2"),
                         [("0", "1", "2"), ("0", "2", "0"), ("1", "2", "2"), ("1", "3", "1")])
        self.assertEqual(self.pairs("--threshold", "0.9"), [("0", "2", "1.000000")])
        self.assertEqual(self.pairs("--threshold", "0.9", "--measure", "indel"), [("0", "2", "1.000000")])

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

    def test_missing_and_null_fields(self):
        rows = b'{"text": "ab"}\n{"other": 1}\n{"text": null}\n{"text": "abc"}\n'
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

    def test_one_bound_must_be_given(self):
        self.fails(2, "pairs", "names.txt", *STRINGS, "--within", "1", "--threshold", "0.8",
                   says="--within 1: cannot go with --threshold 0.8", hints="give one")
        for verb in (("pairs", "names.txt"), ("dedup", "names.txt"), ("query", "names.txt", "names.txt"),
                     ("explain", "0", "1", "names.txt")):
            self.fails(2, *verb, *STRINGS, says="--within: must be given for levenshtein, or --threshold",
                       hints="--top K")
        self.fails(2, "pairs", "names.txt", *STRINGS, "--threshold", "1.5", says="--threshold: '1.5'")
        self.fails(2, "pairs", "names.txt", *STRINGS, "--threshold", "0", says="--threshold: '0'")

    def test_measures_of_others_name_what_fits(self):
        self.fails(2, "pairs", "names.txt", *STRINGS, "--within", "1", "--measure", "jaccard",
                   says="--measure jaccard: is not for items of kind strings",
                   hints="strings are compared by levenshtein, indel, osa, damerau")
        self.fails(2, "pairs", "names.txt", "--measure", "levenshtein",
                   says="--measure levenshtein: is not for items of kind text", hints="--kind strings")
        self.fails(2, "pairs", "names.txt", *STRINGS, "--within", "1", "--measure", "edit",
                   says="--measure: 'edit' is not a measure known here", hints="here it is levenshtein")

    def test_strings_have_no_signature(self):
        for args in (("--bands", "4x4"), ("--recall", "0.9"), ("--construct", "and:2,or:2"),
                     ("--sketch", "classic"), ("--method", "lsh")):
            self.fails(2, "pairs", "names.txt", *STRINGS, "--within", "1", *args,
                       says=args[0] if args[0] != "--sketch" else "--sketch: has no meaning for strings")
        self.fails(2, "sketch", "names.txt", *STRINGS, "--plan", "p.json", "-o", "s",
                   says="sketch: has no meaning for strings: they have no signature", hints="--reuse")
        self.fails(2, "pairs", "names.txt", *STRINGS, "--within", "1", "--shingle", "chars:3",
                   says="--shingle: has no meaning for strings: they have no text")
        self.fails(2, "pairs", "names.txt", "--clean", "fold",
                   says="--clean: has no meaning for texts: only strings are compared letter by letter")

    def test_files_of_vectors_hold_no_strings(self):
        self.write("in.fvecs", b"\1\0\0\0\0\0\0\0")
        self.fails(2, "pairs", "in.fvecs", *STRINGS, "--within", "1", says="in.fvecs: holds vectors, not rows")

    def test_many_equal_strings_cost_their_output(self):
        self.write("in.txt", "the same name\n" * 100_000)
        self.fails(4, "pairs", "in.txt", *STRINGS, "--within", "1", "--limit", "1000", says="--limit")
        self.sosie("dedup", "in.txt", *STRINGS, "--within", "1", "-o", "out.txt", "--stats", "s.json")
        self.assertEqual(self.read("out.txt"), b"the same name\n")
        self.assertLess(json.loads(self.read("s.json"))["candidates"], 10)

    def test_what_the_memory_does_not_hold(self):
        self.write("in.txt", ("x" * 199 + "\n") * 30_000)
        run = self.fails(4, "dedup", "in.txt", *STRINGS, "--within", "1", "--memory", "4M",
                         says="^sosie: the strings take 6.2 MB, and are kept in memory: --memory is 4.2 MB$",
                         hints="say a larger --memory: 6M is enough for them")
        enough = re.search(r"(\d+M) is enough", run.err)[1]
        self.assertEqual(self.sosie("dedup", "in.txt", *STRINGS, "--within", "1", "--memory", enough).out,
                         b"x" * 199 + b"\n")
        self.fails(4, "query", "in.txt", *STRINGS, "--within", "1", "--memory", "4M",
                   says="the strings take 6.2 MB", stdin=b'{"text": "x"}\n')

    def test_the_order_of_the_strings_takes_memory_too(self):
        rng = random.Random(9)
        self.write("in.txt", "".join(f"{rng.getrandbits(960):0240x}\n" for _ in range(200_000)))
        for verb in (("pairs", "in.txt", "-o", "p.tsv"), ("dedup", "in.txt", "-o", "out.txt")):
            run = (*verb, *STRINGS, "--within", "0", "--stats", "s.json", "-q")
            refused = self.fails(4, *run, "--memory", "50M", hints="say a larger --memory: ",
                                 says=r"^sosie: the strings and their order take \S+ MB of memory: --memory is")
            enough = re.search(r"(\d+)M is enough", refused.err)[1]
            self.sosie(*run, "--memory", enough + "M")
            peak = json.loads(self.read("s.json"))["peak_memory_bytes"]
            self.assertTrue(SANITIZED or peak <= int(enough) + 64 << 20, (verb, enough, peak))

    def test_so_many_checks_are_told_beforehand(self):
        """The message is there before the run begins, which nobody waits for."""
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


if __name__ == "__main__":
    unittest.main()

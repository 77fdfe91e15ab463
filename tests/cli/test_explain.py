"""`sosie explain ID1 ID2 INPUT...`: why two rows are (or are not) near-duplicates, and what
happened to them.
"""

import math
import os
import pty
import random
import re
import subprocess
import unittest

from measured_rows import npy
from support import ROOT, SOSIE, SosieTest, jsonl, oracle
from test_sets import baskets, lines

SAMPLE = str(ROOT / "samples" / "man-pages.jsonl")
ESCAPE = "\x1b"
WORDS = [f"w{number}" for number in range(60)]


def without_colours(text: str) -> str:
    return re.sub("\x1b\\[[0-9;]*m", "", text)


class Pages(SosieTest):
    def page(self, *args: str, code: int = 0) -> str:
        return self.sosie("explain", *args, code=code).out.decode()

    def fact(self, page: str, label: str, nth: int = 0) -> str:
        lines = [line[13:] for line in page.splitlines() if line[:13].rstrip() == label]
        self.assertGreater(len(lines), nth, f"no line {label!r} in\n{page}")
        return lines[nth]


class Explain(Pages):
    def write_rows(self, **texts: str) -> str:
        return self.write("in.jsonl", [{"id": name, "text": text} for name, text in texts.items()])

    # --- similarity

    def test_counts_what_the_two_share(self):
        self.write_rows(a="a b c d e f g", b="a b c d e f x y")
        page = self.page("a", "b", "in.jsonl", "--shingle", "words:2")
        self.assertIn("similarity 0.625000, threshold 0.8", page)
        self.assertIn("0.625000 jaccard: 5 of 8 shingles in both (words:2, unicode tokens)",
                      self.fact(page, "similarity"))
        self.assertEqual(self.fact(page, "containment"),
                         "0.833333 of left is in right, 0.714286 of right is in left")
        self.assertEqual(self.fact(page, "shingles"), "1 only left, 5 in both, 2 only right")
        self.assertEqual(self.fact(page, "only left"), '- "f g"')
        self.assertEqual(self.fact(page, "only right"), '+ "f x"')
        self.assertEqual(self.fact(page, "in both"), '= "a b"')

    def test_agrees_with_the_definition_for_every_pair_of_some_texts(self):
        texts = {"a": "The cat sat.", "b": "the CAT sat on it", "c": "on it, the cat sat",
                 "d": "Other words, all other"}
        self.write_rows(**texts)
        rows = {row.id: row for row in self.rows_of("in.jsonl", id_field="id")}
        for shingle in ("words:1", "words:3", "chars:4"):
            for left in texts:
                for right in texts:
                    page = self.page(left, right, "in.jsonl", "--shingle", shingle,
                                     "--tokens", "ascii")
                    exact = oracle.jaccard(*(oracle.shingles(rows[name].text, shingle, "ascii")
                                             for name in (left, right)))
                    printed = self.fact(page, "similarity").split()[0]
                    self.assertTrue(oracle.right_to_six_decimals(printed, exact), page)

    # --- the run's decision

    def test_names_the_survivor_and_the_similarity_as_dedup_does(self):
        self.sosie("dedup", SAMPLE, "--removed", "removed.tsv", "--method", "lsh", "--dry-run")
        removed = [row for row in self.table("removed.tsv") if row["exact"] == "false"]
        self.assertGreater(len(removed), 5)
        for row in removed[:6]:
            page = self.page(row["kept_id"], row["id"], SAMPLE, "--method", "lsh")
            self.assertIn("Right is removed, left is kept.", page)
            self.assertEqual(self.fact(page, "right", 1),
                             f"removed: near-duplicate of left, similarity {row['similarity']}")
            self.assertRegex(self.fact(page, "candidate"), "^yes")

    def test_names_a_survivor_that_is_neither_of_the_two(self):
        self.write_rows(first=" ".join(WORDS), second=" ".join(WORDS[:-1]),
                        third=" ".join([*WORDS, "z"]))
        page = self.page("second", "third", "in.jsonl")
        self.assertIn("Both are removed because of first.", page)
        page = self.page("second", "third", "in.jsonl", "--keep", "longest")
        self.assertIn("Left is removed, right is kept.", page)
        self.assertEqual(self.fact(page, "right", 1), "kept; 2 rows are removed for it")

    def test_says_when_the_texts_are_the_same(self):
        self.write_rows(a="One, two, three!", b="one two THREE", c="four")
        page = self.page("a", "b", "in.jsonl")
        self.assertTrue(page.startswith("The same text, once normalised. Right is removed"), page)
        self.assertEqual(self.fact(page, "right", 1), "removed: the same text as left")
        self.assertIn("all 3 are the same; only case, punctuation or spacing can differ", page)
        self.assertIn("Left and right are the same row.", self.page("c", "c", "in.jsonl"))

    def test_says_why_a_pair_was_missed(self):
        self.sosie("pairs", SAMPLE, "--method", "brute", "-o", "all.tsv")
        self.sosie("pairs", SAMPLE, "--bands", "8x16", "-o", "found.tsv")
        found = {(row["left"], row["right"]) for row in self.table("found.tsv")}
        pairs = [(row["left"], row["right"]) for row in self.table("all.tsv")
                 if row["similarity"] != "1.000000"]
        missed = [pair for pair in pairs if pair not in found]
        for pair in missed[:4]:
            page = self.page(*pair, SAMPLE, "--bands", "8x16")
            self.assertIn("Near-duplicates that this run MISSES", page)
            self.assertEqual(self.fact(page, "candidate"), "no: they share no band")
            self.assertRegex(self.fact(page, "  bands"), r"^0 of 8 agree, \d\.\d expected; ")
        for pair in [pair for pair in pairs if pair in found][:4]:
            page = self.page(*pair, SAMPLE, "--bands", "8x16")
            self.assertEqual(self.fact(page, "candidate"), "yes")
            self.assertRegex(self.fact(page, "  bands"), r"^[1-8] of 8 agree")

    def test_takes_the_plan_that_dedup_takes(self):
        self.sosie("dedup", SAMPLE, "--method", "lsh", "--stats", "stats.json", "--dry-run")
        stats = self.stats().tree
        page = self.page("3.50/man2/acct.2", "4.16/man2/acct.2", SAMPLE, "--method", "lsh")
        self.assertIn(f" of {stats['bands']} agree", self.fact(page, "  bands"))
        self.assertIn(f" of {stats['components']} minhashes agree", self.fact(page, "  filter"))
        self.assertIn(f"; {stats['filter_agreements']} needed", self.fact(page, "  filter"))
        self.assertEqual(self.fact(self.page("3.50/man2/acct.2", "4.16/man2/acct.2", SAMPLE),
                                   "candidate"), "yes: this run compares every pair (brute)")

    def test_knows_texts_without_a_word(self):
        self.write_rows(a="one two three", b="...")
        page = self.page("a", "b", "in.jsonl")
        self.assertTrue(page.startswith(
            "Not near-duplicates: a text without a shingle is compared with nothing."), page)
        self.assertNotIn("\nsimilarity", page)
        self.assertEqual(self.fact(page, "right", 1), "kept: a text without a shingle is not compared")
        self.assertRegex(self.fact(page, "candidate"), "^no: ")

    # --- the words side by side

    def test_marks_what_differs(self):
        self.write_rows(a="The quick brown fox (jumps) over it, again.",
                        b="the quick red fox (leaps) over it.")
        page = self.page("a", "b", "in.jsonl")
        self.assertIn("  The quick [-brown-]{+red+} fox ([-jumps-]{+leaps+}) over it, [-again-]",
                      page)
        self.assertIn("5 the same, [-3 only in left-], {+2 only in right+}", page)

    def test_leaves_out_the_middle_of_what_is_the_same(self):
        words = [f"w{number}" for number in range(1000)]
        self.write_rows(a=" ".join(words), b=" ".join(words[:500] + ["new"] + words[500:]))
        page = self.page("a", "b", "in.jsonl")
        self.assertIn("  ... 490 words the same ...\n", page)
        self.assertIn("w499 {+new+} w500", page)
        self.assertLess(len(page.splitlines()), 40)

    def test_shows_each_character_of_a_script_without_blanks_alone(self):
        self.write_rows(a="東京都は日本の首都です", b="東京は日本の首都です")
        self.assertIn("東京[-都-]は日本の首都です", self.page("a", "b", "in.jsonl"))

    def test_is_done_soon_with_huge_texts(self):
        left = " ".join(f"w{number * 7919 % 100_003}" for number in range(300_000))
        right = " ".join(f"w{number * 104_729 % 99_991}" for number in range(300_000))
        self.write_rows(a=left, b=right)
        page = self.page("a", "b", "in.jsonl")
        self.assertIn("(in the first 200000)", page)
        self.assertLess(len(page), 200_000)

    def test_lines_fit_a_terminal(self):
        os.symlink(SAMPLE, self.dir / "man-pages.jsonl")  # the page names the input as it was given
        page = self.page("3.50/man2/acct.2", "5.13/man2/acct.2", "man-pages.jsonl")
        self.assertLessEqual(max(map(len, page.splitlines())), 120)

    # --- terminals

    def test_has_colours_when_asked_or_on_a_terminal_only(self):
        self.write_rows(a="one two three", b="one two four")
        plain = self.page("a", "b", "in.jsonl")
        self.assertNotIn(ESCAPE, plain)
        coloured = self.page("a", "b", "in.jsonl", "--color", "always")
        self.assertIn(ESCAPE, coloured)
        self.assertNotIn("[-", without_colours(coloured).split("word by word")[1])
        self.assertIn(ESCAPE, self.on_terminal("a", "b", "in.jsonl"))
        self.assertNotIn(ESCAPE, self.on_terminal("a", "b", "in.jsonl", "--color", "never"))
        self.assertNotIn(ESCAPE, self.on_terminal("a", "b", "in.jsonl", NO_COLOR="1"))
        self.assertNotIn(ESCAPE, self.on_terminal("a", "b", "in.jsonl", TERM="dumb"))

    def on_terminal(self, *args: str, **environment: str) -> str:
        parent, child = pty.openpty()
        process = subprocess.Popen([SOSIE, "explain", *args], cwd=self.dir, stdout=child,
                                   stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL,
                                   env={**self.environment(), "TERM": "xterm", **environment})
        os.close(child)
        shown = b""
        try:
            while chunk := os.read(parent, 4096):
                shown += chunk
        except OSError:  # the other end is closed
            pass
        os.close(parent)
        self.assertEqual(process.wait(), 0)
        return shown.decode()

    def test_escapes_what_could_steer_a_terminal(self):
        nasty = "\x1b[31mred\x1b]0;title\x07 \u202edrow \x9b31m \u2066x one\x00two"
        self.write("in.jsonl", jsonl([{"id": "a\x1b[2J", "text": nasty + " end"},
                                      {"id": "b", "text": nasty + " fin"}]))
        for options in ((), ("--shingle", "chars:3"), ("--color", "always")):
            page = without_colours(self.page("a\x1b[2J", "b", "in.jsonl", *options))
            self.assertTrue(all(c == "\n" or c.isprintable() for c in page), repr(page))
            self.assertIn("a\\x1b[2J", page)
            self.assertIn("\\u202e", page)

    def test_o_writes_the_page_to_a_file_without_colours(self):
        self.write_rows(a="one two three", b="one two four")
        page = self.page("a", "b", "in.jsonl")
        self.assertEqual(self.page("a", "b", "in.jsonl", "-o", "page.txt"), "")
        self.assertEqual(self.read("page.txt").decode(), page)
        self.fails(2, "explain", "a", "b", "in.jsonl", "-o", "in.jsonl", says="is an input")

    # --- ids

    def test_takes_row_numbers_with_id_row(self):
        self.write_rows(a="one two three", b="one two four", c="five")
        page = self.page("0", "2", "in.jsonl", "--id", "row")
        self.assertIn("in.jsonl:3", self.fact(page, "right"))
        self.write("in.txt", "one\n\ntwo\n")
        self.assertIn("in.txt:3", self.fact(self.page("0", "2", "in.txt"), "right"))
        self.fails(3, "explain", "0", "3", "in.txt", says="no row has the id '3'", hints="0 to 2")

    def test_names_the_nearest_id(self):
        self.fails(3, "explain", "3.50/man2/acct.2", "3.50/man2/acept.2", SAMPLE,
                   says="no row has the id '3.50/man2/acept.2'",
                   hints="did you mean '3.50/man2/accept.2'")
        self.fails(3, "explain", "getxattr.2", "x", SAMPLE, hints="3.50/man2/getxattr.2")
        self.fails(3, "explain", "completely different", "x", SAMPLE,
                   hints="the field 'id'.*--id row")

    def test_takes_ids_that_look_like_options_behind_two_dashes(self):
        self.write("in.jsonl", [{"id": "-a", "text": "one"}, {"id": "--b", "text": "one"}])
        self.assertIn("The same text", self.page("--", "-a", "--b", "in.jsonl"))

    def test_needs_two_ids_and_an_input(self):
        for args in ((), ("a",), ("a", "b")):
            self.fails(2, "explain", *args, hints="ID1 ID2 INPUT")

    def test_stops_at_bad_rows_unless_told_otherwise(self):
        self.write("in.jsonl", b'{"id": "a", "text": "one"}\nnonsense\n{"id": "b", "text": "one"}\n')
        self.fails(3, "explain", "a", "b", "in.jsonl", says="in.jsonl:2")
        self.assertIn("The same text", self.page("a", "b", "in.jsonl", "--on-bad-row", "skip"))

    def test_is_the_same_for_any_number_of_threads(self):
        pages = {self.page("3.50/man2/acct.2", "4.16/man2/acct.2", SAMPLE, "--method", "lsh",
                           "--threads", threads) for threads in ("1", "2", "7")}
        self.assertEqual(len(pages), 1)


class ExplainSets(Pages):
    def examples(self, page: str) -> dict[str, list[str]]:
        """The displayed elements, by mark."""
        found = {"=": [], "-": [], "+": []}
        for mark, element in re.findall(r'^.{13}([=+-]) "(.*?)"?$', page, re.MULTILINE):
            found[mark].append(element)
        return found

    def test_shows_elements_sizes_and_the_exact_fraction(self):
        self.write("in.sets", b"milk bread eggs\nbread  beer milk\tmilk wine\n\n")
        page = self.page("0", "1", "in.sets", "--threshold", "0.4")
        self.assertTrue(page.startswith("Near-duplicates: similarity 0.400000, threshold 0.4. "
                                        "Right is removed, left is kept."), page)
        self.assertIn("3 elements, 3 distinct elements", self.fact(page, "left"))
        self.assertIn("5 elements, 4 distinct elements", self.fact(page, "right"))
        self.assertEqual(self.fact(page, "elements"), "1 only left, 2 in both, 2 only right")
        self.assertEqual(self.fact(page, "similarity"),
                         "0.400000 jaccard = 2/5: 2 of 5 elements in both")
        self.assertEqual(self.examples(page),
                         {"=": ["milk", "bread"], "-": ["eggs"], "+": ["beer", "wine"]})
        self.assertNotIn("word by word", page)
        page = self.page("0", "1", "in.sets", "--threshold", "0.41", "--method", "exact")
        self.assertIn("Not near-duplicates: similarity 0.400000, threshold 0.41.", page)
        self.assertRegex(self.fact(page, "candidate"), "^no: this run looks for pairs at the thr")

    def test_agrees_with_the_definition_of_each_measure(self):
        rows = [row for row in baskets(40, 150) if row][:12]
        self.write("in.sets", lines(rows))
        parts = {"jaccard": lambda o, x, y: (o, x + y - o), "dice": lambda o, x, y: (2 * o, x + y),
                 "overlap": lambda o, x, y: (o, min(x, y)),
                 "containment": lambda o, x, y: (o, min(x, y) if o else x),
                 "cosine": lambda o, x, y: (o, x * y)}
        for measure, fraction in parts.items():
            for right in range(1, len(rows)):
                sets = set(rows[0]), set(rows[right])
                page = self.page("0", str(right), "in.sets", "--measure", measure,
                                 "--method", "exact")
                if sets[0] == sets[1]:
                    continue
                above, below = fraction(len(sets[0] & sets[1]), *map(len, sets))
                root = "sqrt " if measure == "cosine" else ""
                value = above / (math.sqrt(below) if root else below)
                self.assertTrue(self.fact(page, "similarity").startswith(
                    f"{value:.6f} {measure} = {above}/{root}{below}: "), page)
                self.assertEqual({mark: set(shown) for mark, shown in self.examples(page).items()},
                                 {"=": sets[0] & sets[1], "-": sets[0] - sets[1],
                                  "+": sets[1] - sets[0]})

    def test_counts_occurrences_in_bags(self):
        self.write("in.jsonl", [{"id": "a", "text": {"x": 2, "y": 1}},
                                {"id": "b", "text": ["z", "x", "x", "x"]}])
        page = self.page("a", "b", "in.jsonl", "--kind", "bags", "--threshold", "0.4")
        self.assertEqual(self.fact(page, "similarity"),
                         "0.400000 bag-jaccard = 2/5: 2 of 5 occurrences in both")
        self.assertEqual(self.examples(page),
                         {"=": ["x\", 2 times"], "-": ["y"], "+": ["z", "x"]})
        self.assertTrue(self.fact(page, "left").endswith(" 3 occurrences of 2 elements"), page)
        self.assertTrue(self.fact(page, "right").endswith(" 4 occurrences of 2 elements"), page)
        page = self.page("a", "b", "in.jsonl", "--kind", "bags", "--threshold", "0.2",
                         "--union", "sum")
        self.assertIn(" bag-jaccard = 2/7: 2 of 5 occurrences in both",
                      self.fact(page, "similarity"))
        page = self.page("a", "b", "in.jsonl", "--kind", "sets")
        self.assertIn(" jaccard = 1/3: 1 of 3 elements in both", self.fact(page, "similarity"))

    def test_lists_an_element_of_a_bag_once(self):
        counts = {f"e{number}": 3 for number in range(25)}
        self.write("in.jsonl", [{"text": {**counts, "odd \n one": 2}}, {"text": {"e24": 1}}])
        page = self.page("0", "1", "in.jsonl", "--kind", "bags")
        self.assertEqual(self.examples(page)["-"], [f'e{n}", 3 times' for n in range(20)])
        self.assertIn("\n             - and 16 more occurrences\n", page)
        self.write("in.jsonl", [{"text": {"odd \n one": 2, "x": 1}}, {"text": {"x": 1}}])
        page = self.page("0", "1", "in.jsonl", "--kind", "bags")
        self.assertEqual(self.examples(page), {"=": ["x"], "-": ['odd \\n one", 2 times'], "+": []})

    def test_marks_liked_and_hated_elements(self):
        self.write("in.jsonl", [{"text": {"x": 5, "y": 1}}, {"text": {"x": 4, "y": 5}}])
        page = self.page("0", "1", "in.jsonl", "--kind", "sets", "--ratings", "liked-hated:3")
        self.assertEqual(self.examples(page), {"=": ["+x"], "-": ["-y"], "+": ["+y"]})

    def test_two_items_without_anything_are_no_near_duplicates(self):
        self.write("in.jsonl", [{"text": ""}, {"text": ""}, {"text": "one two"}])
        for kind in ("text", "strings"):
            within = ["--within", "2"] if kind == "strings" else []
            for right in ("1", "2"):
                page = self.page("0", right, "in.jsonl", "--kind", kind, *within)
                self.assertTrue(page.startswith("Not near-duplicates: a "), page)
                self.assertNotIn("\ndistance", page)
                self.assertNotIn("\nsimilarity", page)

    def test_elements_hold_any_bytes_and_may_be_empty(self):
        self.write("in.jsonl", [{"text": ["a b", "", "\x1b[2J"]}, {"text": ["line\nfeed", "", "a b"]}])
        page = self.page("0", "1", "in.jsonl", "--kind", "sets")
        self.assertEqual(self.examples(page),
                         {"=": ["a b", ""], "-": ["\\x1b[2J"], "+": ["line\\nfeed"]})

    def test_says_how_many_elements_are_not_shown(self):
        common = [f"e{number}" for number in range(50)]
        self.write("in.jsonl", [{"text": [*common, "l"]}, {"text": common}])
        page = self.page("0", "1", "in.jsonl", "--kind", "sets")
        self.assertEqual(self.examples(page), {"=": common[:20], "-": ["l"], "+": []})
        self.assertIn("\n             = and 30 more elements\n", page)

    def test_knows_equal_and_empty_sets(self):
        self.write("in.jsonl", [{"text": ["a", "b"]}, {"text": ["b", "a", "a"]}, {"text": []}])
        page = self.page("0", "1", "in.jsonl", "--kind", "sets")
        self.assertTrue(page.startswith("The same set. Right is removed, left is kept."), page)
        self.assertEqual(self.fact(page, "right", 1), "removed: the same set as left")
        page = self.page("0", "2", "in.jsonl", "--kind", "sets")
        self.assertEqual(self.fact(page, "right", 1), "kept: an empty set is not compared")
        self.assertEqual(self.fact(page, "candidate"), "no: an empty set is compared with nothing")
        self.assertIn("Left and right are the same row.",
                      self.page("2", "2", "in.jsonl", "--kind", "sets"))

    def test_shows_the_bands_of_lsh(self):
        self.write("in.sets", lines([WORDS, WORDS[:-1]]))
        page = self.page("0", "1", "in.sets", "--method", "lsh", "--bands", "8x4")
        self.assertRegex(self.fact(page, "  bands"), "^[1-8] of 8 agree")



class ExplainItems(Pages):
    """Vectors and bit strings."""

    def test_vectors(self):
        self.write("in.jsonl", [{"id": "a", "text": [3, 4, 0]}, {"id": "b", "text": [3, 4, 1]},
                                {"id": "c", "text": [0, 0, 2]}, {"id": "d", "text": [3, 4, 0]}])
        args = ("in.jsonl", "--kind", "vectors", "--threshold", "0.9")
        page = self.page("a", "b", *args)
        self.assertIn("Near-duplicates: similarity 0.980581, threshold 0.9. Right is removed, left "
                      "is kept.", page)
        self.assertEqual(self.fact(page, "angle"), "11.309932 degrees, cosine 0.980581")
        self.assertEqual(self.fact(page, "apart"), "1 (euclidean)")
        self.assertEqual(self.fact(page, "lengths"), "5 and 5.09902")
        self.assertEqual(self.fact(page, "differ most"), "component 2: 0 and 1")
        self.assertIn("Not near-duplicates: similarity 0.000000", self.page("a", "c", *args))
        self.assertIn("The same vector.", self.page("a", "d", *args))
        self.assertIn("Left and right are the same row.", self.page("c", "c", *args))

    def test_rows_of_arrays_are_named_by_their_numbers(self):
        # The bytes of the number 10 are line feeds.
        self.write("a.npy", npy([[10, 10], [1, 2]], "|u1"))
        self.write("b.npy", npy([[10, 10], [10, 11]], "|u1"))
        page = self.sosie("explain", "1", "3", "a.npy", "b.npy", "--threshold", "0.9").out.decode()
        self.assertRegex(page, r"left +1  a.npy, row 1\b")
        self.assertRegex(page, r"right +3  b.npy, row 1\b")

    def test_a_pair_that_hashing_misses_is_called_so(self):
        rows = [{"id": str(i), "text": [100, i % 7 - 3, i % 5 - 2, i % 3 - 1]} for i in range(30)]
        self.write("in.jsonl", rows)
        args = ("in.jsonl", "--kind", "vectors", "--threshold", "0.9", "--bands", "1x64")
        pages = [self.page("0", str(i), *args) for i in range(1, 30)]
        self.assertTrue(any("that this run MISSES" in page for page in pages))
        self.assertTrue(any("yes: they share a band" in page for page in pages))

    def test_bits(self):
        self.write("in.jsonl", [{"id": "a", "text": "00ff"}, {"id": "b", "text": "01ff"},
                                {"id": "c", "text": "ff00"}])
        args = ("in.jsonl", "--kind", "bits", "--within", "3")
        page = self.page("a", "b", *args)
        self.assertIn("Near-duplicates: distance 1.000000, within 3.", page)
        self.assertEqual(self.fact(page, "differ"), "1 of 16 bits; 8 are set in both")
        self.assertIn("Not near-duplicates: distance 16.000000, within 3.",
                      self.page("a", "c", *args))
        self.assertIn("no row has the id 'x'", self.fails(3, "explain", "a", "x", *args).err)

class ExplainAll(Pages):
    BAND = re.compile(r"^band (\d+) +(\S+): (no other row|(\d+) other rows?: (.*))$", re.M)

    def sides(self, *args: str) -> list[dict]:
        """For left and right: the lines after "in full", by label (parts: a list)."""
        text = self.page(*args, "--all")
        found = []
        for part in re.split(r"^(?:left|right) in full ", text, flags=re.M)[1:]:
            side = {"count": part.split("\n")[0], "bands": []}
            label = ""
            for line in part.split("\n")[1:]:
                if band := self.BAND.match(line):
                    side["bands"].append((band[2], set((band[5] or "").split(", ")) - {""}))
                elif line.strip():
                    label = line[:13].strip() or label
                    side.setdefault(label, []).append(line[13:])
            found.append(side)
        return found

    def check_bands(self, left: dict, right: dict, right_id: str) -> None:
        """Right is in the buckets of left whose keys agree, and in no others."""
        self.assertEqual(len(left["bands"]), len(right["bands"]))
        self.assertGreater(len(left["bands"]), 1)
        agree = 0
        for (left_key, rows), (right_key, _) in zip(left["bands"], right["bands"]):
            if "..." not in rows:  # all of them are named
                self.assertEqual(left_key == right_key, right_id in rows)
            agree += left_key == right_key
        self.assertGreater(agree, 0)

    def test_of_texts(self):
        text = "one two three four five six seven eight nine ten"
        self.write("in.jsonl", [{"id": "a", "text": text}, {"id": "b", "text": text + " eleven"},
                                {"id": "c", "text": "nothing of this at all in there"}])
        args = ("a", "b", "in.jsonl", "--threshold", "0.6", "--shingle", "words:2")
        left, right = self.sides(*args, "--method", "lsh")
        words = text.split()
        self.assertEqual(left["shingles"], [f"{x} {y}" for x, y in zip(words, words[1:])])
        self.assertEqual((left["count"], right["count"]), ("9 shingles", "10 shingles"))
        self.check_bands(left, right, "b")
        minhashes = [side["signature"][0].split() for side in (left, right)]
        self.assertEqual(len(minhashes[0]), len(minhashes[1]))
        same = sum(x == y for x, y in zip(*minhashes)) / len(minhashes[0])
        self.assertAlmostEqual(same, 0.9, delta=0.15)
        left, _ = self.sides(*args, "--method", "exact")
        self.assertEqual(left["bands"], ["none: this run does not hash such an item"])
        self.assertNotIn("in full", self.page(*args))

    def test_of_sets_and_bags(self):
        self.write("in.jsonl", [{"id": "a", "text": ["x", "y", "z"]}, {"id": "b", "text": ["z", "x"]}])
        left, right = self.sides("a", "b", "in.jsonl", "--kind", "sets", "--threshold", "0.5")
        self.assertEqual((left["elements"], right["elements"]), (["x", "y", "z"], ["z", "x"]))
        self.write("bags.jsonl", [{"id": "a", "text": {"x": 3, "y": 1}}, {"id": "b", "text": {"x": 2}}])
        left, _ = self.sides("a", "b", "bags.jsonl", "--kind", "bags", "--measure", "bag-jaccard",
                             "--threshold", "0.5")
        self.assertEqual(left["elements"], ["x, 3 times", "y, 1 times"])

    def test_of_vectors_and_bits(self):
        rng = random.Random(3)
        rows = [[rng.randint(-9, 9) for _ in range(8)] for _ in range(200)]
        self.write("v.jsonl", [{"id": f"v{i}", "text": row} for i, row in enumerate(rows + [rows[0][:7] + [10]])])
        args = ("v0", "v200", "v.jsonl", "--kind", "vectors", "--threshold", "0.8")
        for family in ((), ("--family", "hyperplane"), ("--family", "cross-polytope", "--probes", "2")):
            left, right = self.sides(*args, "--method", "lsh", *family)
            self.assertEqual([float(x) for x in left["components"]], rows[0])
            if "--probes" not in family:
                self.check_bands(left, right, "v200")
            self.assertRegex(left["sketch"][0], "^[0-9a-f]+$")
        left, _ = self.sides(*args)
        self.assertEqual(left["bands"], ["none: this run does not hash such an item"])
        codes = [rng.getrandbits(32) for _ in range(300)]
        self.write("b.jsonl", [{"id": f"b{i}", "text": f"{code:08x}"} for i, code in enumerate([*codes, codes[0] ^ 1])])
        left, right = self.sides("b0", "b300", "b.jsonl", "--kind", "bits", "--within", "3", "--method", "lsh")
        self.assertEqual(len(left["bits"]), codes[0].bit_count())
        self.check_bands(left, right, "b300")

    def test_of_strings(self):
        self.write("s.jsonl", [{"id": "a", "text": "Zoe\u0308 "}, {"id": "b", "text": "zo"}])
        args = ("a", "b", "s.jsonl", "--kind", "strings", "--within", "2")
        left, right = self.sides(*args, "--clean", "fold")
        self.assertEqual((left["characters"], right["characters"]), (["z", "o", "\u00eb"], ["z", "o"]))
        self.assertEqual((left["count"], right["count"]), ("3 characters", "2 characters"))
        self.assertEqual(left["bands"], ["none: this run does not hash such an item"])


class ExplainBound(Pages):
    def test_a_bound_must_be_given(self):
        self.write("in.jsonl", [{"text": [1, 2]}])
        self.fails(2, "explain", "0", "0", "in.jsonl", "--kind", "vectors",
                   says="--threshold: must be given for cosine")


if __name__ == "__main__":
    unittest.main()

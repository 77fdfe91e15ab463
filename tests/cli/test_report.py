"""`dedup --report FILE.html`: one page that needs nothing but itself, whatever the documents hold."""

import json
import random
import re
import subprocess
import unittest

from measured_rows import npy
from report_pages import HOSTILE, Page, PageTest, without_resources
from support import SOSIE

WORDS = ("the report shows every removed row beside the one that was kept for it so that people can "
         "see with their own eyes what changed between two texts and whether that was right or not "
         "when the words are many and the changes are few").split()


class Reporting(PageTest):
    def report(self, *args: str, name: str = "report.html") -> Page:
        self.sosie("dedup", *args, "--report", name, "-o", "kept.jsonl")
        self.raw = self.read(name)
        return self.check(self.raw)


class ReportTest(Reporting):
    def near_texts(self, count: int, changed: int = 1) -> list[str]:
        generator = random.Random(7)
        texts = []
        for number in range(count):
            words = [generator.choice(WORDS) + str(generator.randrange(50)) for _ in range(80)]
            texts.append(" ".join(words))
            words[40:40 + changed] = ["changed"] * changed
            texts.append(" ".join(words))
        return texts

    def test_says_what_was_kept_and_removed(self):
        texts = self.near_texts(4)
        self.write("a.jsonl", [{"id": f"a{i}", "text": text} for i, text in enumerate(texts)])
        page = self.report("a.jsonl")
        self.assertIn("8", page.words)
        self.assertRegex(page.words, r"rows read 8 .* kept 4 .* near-duplicates 4 .* groups 4")
        self.assertRegex(page.words, r"0\.87\d{4} \(71 of 81 shingles shared\) a1 against a0")
        self.assertIn("every pair was compared", page.words.lower())

    def test_names_the_data_and_the_date_and_says_one_recall(self):
        texts = self.near_texts(700)
        rows = [{"id": f"a{i}", "text": text} for i, text in enumerate(texts)]
        for name, part in (("a.jsonl", rows[::3]), ("b.jsonl", rows[1::3]), ("c <i>.jsonl", rows[2::3])):
            self.write(name, part)
        page = self.report("a.jsonl", "b.jsonl", "c <i>.jsonl", "--method", "lsh", "--stats", "s.json")
        self.assertRegex(self.raw.decode(), "<title>Sosie: what was kept and removed: a.jsonl, b.jsonl and 1 more</title>")
        self.assertRegex(page.words, r"^Sosie: .* a\.jsonl, b\.jsonl and 1 more .*Inputs")
        self.assertRegex(page.words, r" 20\d\d-\d\d-\d\d \d\d:\d\d UTC\. \d+\.\d\d s up to this page")
        recall = json.loads(self.read("s.json"))["expected_recall"]
        said = f"{100 * recall:.2f} %"
        self.assertIn(f"at least 0.8. Of the pairs at the threshold {said} are expected to be found.", page.words)
        self.assertRegex(page.words, rf"bold this run \d+ x \d+ {said} 700 ")
        above = page.words.partition("What became of the rows")[0]
        for theory in ("bands", "verification", "components"):
            self.assertNotIn(theory, above)
        decides = page.words.partition("All that decides the result")[2]
        self.assertIn("--threshold", decides)
        for output in ("--stats", "--report", "--output"):
            self.assertNotIn(f"{output} ", decides)

    def test_estimates_have_separators(self):
        self.write("a.jsonl", [" ".join(WORDS) + f" {i} x" for i in range(2400)])
        page = self.report("a.jsonl", "--threshold", "0.5", "--method", "lsh")
        self.assertRegex(page.words, r"about \d,\d{3} ")
        self.assertNotRegex(page.words, r"about \d{4}")

    def test_counts_input_against_input(self):
        texts = self.near_texts(6)
        self.write("old.jsonl", [{"id": f"o{i}", "text": texts[2 * i]} for i in range(6)])
        self.write("new.jsonl", [{"id": f"n{i}", "text": texts[2 * i + 1]} for i in range(6)])
        page = self.report("old.jsonl", "new.jsonl")
        self.assertRegex(page.words, r"removed from old\.jsonl new\.jsonl "
                                     r"old\.jsonl 0 0 new\.jsonl 6 0")

    def test_shows_what_was_removed_against_another_collection(self):
        texts = self.near_texts(3)
        self.write("old.jsonl", [{"id": f"o{i}", "text": texts[2 * i]} for i in range(3)])
        self.write("new.jsonl", [{"id": f"n{i}", "text": texts[2 * i + 1]} for i in range(3)])
        page = self.report("new.jsonl", "--against", "old.jsonl")
        self.assertRegex(page.words, r"new\.jsonl 0 3 old\.jsonl \(against\) 0 0")
        self.assertIn("n0 against o0", page.words)
        self.assertIn("--against old.jsonl", page.words)

    def test_others_are_one_input(self):
        names = [self.write(f"shard-{i:02}.jsonl", [{"id": f"r{i}", "text": " ".join(WORDS)}])
                 for i in range(50)]
        page = self.report(*names)
        self.assertIn("30 others", page.words)
        self.assertNotIn("shard-40.jsonl", page.words.split("Parameters, and how", 2)[1])
        self.assertIn("shard-40.jsonl", page.words.split("Parameters, and how")[-1])

    def test_shows_the_words_that_changed(self):
        self.write("a.jsonl", [{"id": "first", "text": " ".join(WORDS) + " One two."},
                               {"id": "second", "text": " ".join(WORDS) + " One three."}])
        page = self.report("a.jsonl", "--threshold", "0.5")
        self.assertIn(b"<del>three.</del>", self.raw)
        self.assertIn(b"<ins>two.</ins>", self.raw)
        self.assertIn("second against first", page.words)

    def test_case_and_punctuation_are_no_change(self):
        self.write("a.jsonl", [{"id": "first", "text": " ".join(WORDS) + " alpha, beta gamma"},
                               {"id": "second", "text": " ".join(WORDS) + " ALPHA - beta delta"}])
        self.report("a.jsonl", "--threshold", "0.5")
        self.assertEqual(re.findall(rb"<(?:del|ins)>(.*?)</", self.raw), [b"delta", b"gamma"])

    def test_characters_of_scripts_without_blanks_are_words(self):
        text = "東京都に住んでいる人は毎日電車で会社に行きますそして夜に家に帰ります"
        self.write("a.jsonl", [{"id": "first", "text": text}, {"id": "b", "text": text + "犬"}])
        self.report("a.jsonl", "--threshold", "0.5")
        self.assertIn("<del>犬</del>".encode(), self.raw)

    def test_hostile_documents_stay_text(self):
        rows = []
        for number, text in enumerate(HOSTILE):
            body = " ".join(WORDS) + " " + text
            rows += [{"id": f"{text} {number} a", "text": text + body},
                     {"id": f"{text} {number} b", "text": text + body + " more"}]
        self.write("a <b> & 'c'.jsonl", rows)
        page = self.report("a <b> & 'c'.jsonl", "--threshold", "0.3")
        self.assertIn("<script>alert(1)</script>", page.words)
        self.assertIn("\\u{202E}", page.words)
        self.assertIn("\u241b[31mred", page.words)
        self.assertIn("'a <b> & '\\''c'\\''.jsonl'", page.words)

    def test_ill_formed_utf8_is_replaced(self):
        base = " ".join(WORDS).encode()
        self.write("a.txt", base + b" \xff\xfe\x80 one\n" + base + b" \xed\xa0\x80 two\n")
        self.sosie("dedup", "a.txt", "--threshold", "0.5", "--report", "r.html", "-o", "kept.txt")
        page = self.check(self.read("r.html"))
        self.assertIn("\ufffd", page.words)

    def test_same_bytes_for_any_thread_count(self):
        self.write("a.jsonl", [{"id": f"d{i}", "text": text}
                               for i, text in enumerate(self.near_texts(700))])
        pages = []
        for threads in ("1", "3"):
            self.report("a.jsonl", "--method", "lsh", "--threads", threads)
            pages.append(without_resources(self.raw))
        self.assertEqual(pages[0], pages[1])
        self.assertIn(b"unverified component", pages[0])

    def test_is_small_for_many_rows_and_long_texts(self):
        generator = random.Random(3)
        lines = []
        for number in range(50_000):
            words = [str(generator.randrange(10 ** 9)) for _ in range(12)]
            lines += [" ".join(words), " ".join(words[:-1] + ["'<\u202e&"])]
        self.write("many.txt", "\n".join(lines) + "\n")
        self.sosie("dedup", "many.txt", "--threshold", "0.6", "--report", "r.html", "-o", "k.txt",
                   timeout=300)
        self.check(self.read("r.html"))
        long_text = "\u202e<'&" * 300_000
        self.write("long.txt", "\n".join(f"{long_text} {words} tail {i}"
                                         for i, words in enumerate([" ".join(WORDS)] * 3)) + "\n")
        self.sosie("dedup", "long.txt", "--threshold", "0.2", "--shingle", "words:1", "--report",
                   "r.html", "-o", "k.txt")
        self.check(self.read("r.html"))

    def test_command_repeats_the_run(self):
        self.write("it's a file.jsonl", [{"id": f"d{i}", "body": text}
                                         for i, text in enumerate(self.near_texts(5))])
        page = self.report("it's a file.jsonl", "--column", "body", "--threshold", "0.85",
                           "--threads", "2", "--quiet", "--seed", "1", "--removed", "removed.tsv")
        line = page.words[page.words.index("sosie dedup"):].split(" All that decides")[0]
        self.assertEqual(line, "sosie dedup --column body --threshold 0.85 --output kept.jsonl "
                               "--removed removed.tsv --report report.html 'it'\\''s a file.jsonl'")
        before = self.read("kept.jsonl"), self.read("removed.tsv"), without_resources(self.raw)
        (self.dir / "kept.jsonl").unlink()
        subprocess.run(["sh", "-c", line.replace("sosie", str(SOSIE), 1)], cwd=self.dir, check=True,
                       stderr=subprocess.DEVNULL)
        self.assertEqual(before, (self.read("kept.jsonl"), self.read("removed.tsv"),
                                  without_resources(self.read("report.html"))))

    def test_nothing_read_and_nothing_removed(self):
        self.write("empty.jsonl", b"")
        page = self.report("empty.jsonl")
        self.assertIn("no row was removed", page.words)
        self.write("one.jsonl", ["only one text"])
        self.assertIn("No near-duplicate was removed", self.report("one.jsonl").words)

    def test_identical_rows_have_no_weakest_edge(self):
        self.write("a.jsonl", [" ".join(WORDS)] * 5)
        self.assertIn("all the same text", self.report("a.jsonl").words)

    def test_report_is_an_output_like_others(self):
        self.write("a.jsonl", ["one text"])
        self.fails(2, "dedup", "a.jsonl", "-o", "x", "--report", "x", says="two outputs")
        self.fails(4, "dedup", "a.jsonl", "--report", "no/such/folder/r.html", says="no/such")

    def test_can_be_read_with_the_keyboard(self):
        self.write("a.jsonl", [{"id": f"d{i}", "text": text}
                               for i, text in enumerate(self.near_texts(5))])
        page = self.report("a.jsonl")
        self.assertEqual(page.elements[[tag for tag, _ in page.elements].index("a")][1]["class"],
                         "skip")
        scrolling = [attributes for _, attributes in page.elements
                     if "scroll" in attributes.get("class", "")]
        self.assertTrue(scrolling)
        for attributes in scrolling:
            self.assertEqual(attributes.get("tabindex"), "0")
            self.assertTrue(attributes.get("aria-label"))
        headings = [tag for tag, _ in page.elements if tag in ("h1", "h2")]
        self.assertEqual(headings, ["h1"] + ["h2"] * 6)
        self.assertIn(b"prefers-color-scheme: dark", self.raw)
        self.assertIn(b'<html lang="en">', self.raw)

    def test_the_chart_can_be_read_on_a_phone(self):
        """It scrolls, and is never so narrow that its letters shrink below 12 pixels."""
        self.write("a.jsonl", self.near_texts(5))
        self.report("a.jsonl")
        text = self.raw.decode()
        self.assertRegex(text, r'<div class="scroll"[^>]*>\n<svg [^>]*>')
        least = 16 * float(re.search(r"svg \{[^}]*min-width: ([\d.]+)rem", text)[1])
        letters = float(re.search(r"svg text \{ font: (\d+)px", text)[1])
        units = float(re.search(r'viewBox="0 0 (\d+) ', text)[1])
        self.assertGreaterEqual(letters * least / units, 12)


class MeasuredReport(Reporting):
    """The page of vectors and bit strings, which have ids and fields, and no text."""

    def test_vectors_are_shown_by_their_ids_and_fields(self):
        rows = [{"id": f"v{i}", "v": [i, 0.5], "title": title, "score": 10 - i, "none": None}
                for i, title in enumerate(HOSTILE)]
        rows += [{"id": "far", "v": [90, 0], "title": "alone"}, {"id": "same", "v": [0, 0.5]}]
        self.write("in.jsonl", rows)
        page = self.report("in.jsonl", "--kind", "vectors", "--column", "v", "--measure",
                           "euclidean", "--within", "2.5")
        self.assertRegex(page.words, r"rows read 8 .* kept 3 .* near-duplicates 4 .* identical 1 .*"
                                     r" groups 2 ")
        self.assertRegex(page.words, r"euclidean distance to it, computed from both vectors, is at "
                                     r"most 2\.5\. Method exact: .*; recall 1\.")
        self.assertRegex(page.words, r"within 2\.5 The bars as numbers distance rows 2 to over "
                                     r"1\.975 2 1 to over 0\.975 2 ")
        self.assertRegex(page.words, r"4 1 v0in\.jsonl, row 0 title: <script>alert\(1\)</script>.*; "
                                     r"score: 10 2\.000000: v2 in\.jsonl, row 2")
        pairs = re.findall(r"(\d\.\d{6}) (v\d) against (v\d)", page.words)
        self.assertEqual(pairs, [("2.000000", "v2", "v0"), ("2.000000", "v5", "v3"),
                                 ("1.000000", "v1", "v0"), ("1.000000", "v4", "v3")])
        self.assertRegex(page.words, r"removed v2 in\.jsonl, row 2 v \[2,0\.5\] title &lt;b&gt; ")
        self.assertIn("sosie dedup --column v", page.words)
        self.assertRegex(page.words, r"--method auto \(here: exact\)")
        for word in ("shingle", "stopwords", "tokens", "texts", "component", "--threshold"):
            self.assertNotIn(word, page.words.replace("components: chains", ""), word)
        first = self.raw
        self.report("in.jsonl", "--kind", "vectors", "--column", "v", "--measure", "euclidean",
                    "--within", "2.5", "--threads", "3", name="again.html")
        self.assertEqual(without_resources(self.raw).replace(b"again.html", b"report.html"),
                         without_resources(first))

    def test_bars_go_from_the_bound_to_what_is_equal(self):
        lines = ["ff" * 8, "ff" * 7 + "fe", "ff" * 7 + "f0", "0f" * 8, "0f" * 8]
        self.write("in.txt", "\n".join(lines).encode())
        self.write("names.txt", b"a\nb\nc\nd\ne\n")
        self.sosie("dedup", "in.txt", "--kind", "bits", "--measure", "jaccard", "--threshold",
                   "0.9", "--ids", "names.txt", "--report", "r.html", "--dry-run")
        page = self.check(self.read("r.html"))
        self.assertRegex(page.words, r"jaccard similarity to it, computed from both bit strings, is "
                                     r"at least 0\.9\. ")
        self.assertRegex(page.words, r"similarity rows 0\.937 to under 0\.938 1 0\.984 to under "
                                     r"0\.985 1 ")
        self.assertRegex(page.words, r"0\.937500: c in\.txt, row 2")
        self.assertRegex(page.words, r"removed c in\.txt, row 2 f{15}0 kept a in\.txt, row 0 f{16} ")
        self.assertIn("all identical", page.words)

    def test_ends_of_chains_lie_beyond_the_bound(self):
        self.write("in.npy", npy([[i] for i in range(6)], "<f4"))
        self.write("other.npy", npy([[-1]], "<f4"))
        self.sosie("dedup", "in.npy", "--against", "other.npy", "--measure", "manhattan", "--within",
                   "1", "--clustering", "components", "--report", "r.html", "--dry-run")
        page = self.check(self.read("r.html"))
        self.assertRegex(page.words, r"Groups are chains: .* whose manhattan distance, computed from "
                                     r"both vectors, is at most 1\.")
        self.assertRegex(page.words, r"distance rows 6 to over 5\.94 1 ")
        self.assertRegex(page.words, r"7 0 0other\.npy, row 0 6\.000000: 5 in\.npy, row 5")

    def test_no_row_and_no_group(self):
        for rows in ([], [[1, 2]], [[1, 2], [2, -1]]):
            self.write("in.npy", npy(rows, "<f4"))
            for bound in ("0.5", "1"):
                self.sosie("dedup", "in.npy", "--threshold", bound, "--report", "r.html",
                           "--dry-run")
                page = self.check(self.read("r.html"))
                self.assertIn("There are no groups: no row was removed.", page.words)


if __name__ == "__main__":
    unittest.main()

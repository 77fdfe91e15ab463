"""`link --report FILE.html`: what was linked and why, on a page that needs nothing but itself."""

import json
import re
import unittest

from report_pages import HOSTILE, Page, PageTest, without_resources
from test_link import as_csv, copies, people

SECTIONS = ("How sure", "Scores", "Weights", "Pairs nearest the decision", "Candidates")


class LinkReportTest(PageTest):
    def setUp(self):
        super().setUp()
        rows = people(1, 300)
        self.write("a.csv", as_csv(rows))
        self.write("b.csv", as_csv(copies(2, rows[:150], "c")))
        self.write("all.csv", as_csv(rows + copies(2, rows[:150], "c")))

    def page_of(self, *args: str) -> Page:
        self.sosie("link", *args, "-o", "out.csv", "--report", "page.html", "--stats", "stats.json")
        self.stats = json.loads(self.read("stats.json"))
        return self.check(self.read("page.html"))

    def test_links_of_two_collections(self):
        page = self.page_of("a.csv", "--against", "b.csv", "--check-by", "city")
        for title in SECTIONS:
            self.assertIn(title, page.words)
        self.assertIn("records 300 and 150", page.words)
        self.assertIn(f"links {self.stats['links']} ", page.words)
        for estimate in self.stats["estimates"]:
            self.assertIn(estimate["method"], page.words)
            if "f1" in estimate:
                self.assertIn(f"{estimate['f1']:.3f}", page.words)
        for field in self.stats["fields"]:
            for level in field["levels"]:
                self.assertIn(f"{level['bits']:+.2f}", page.words)
        for rule in self.stats["rules"]:
            self.assertIn(rule["rule"], page.words)
        self.assertIn("weakest link", page.words)
        self.assertIn("nearest below the cut", page.words)
        self.assertIn("--against b.csv", page.words)

    def test_names_the_data_and_shows_no_hopeless_pairs(self):
        page = self.page_of("a.csv", "--against", "b.csv")
        self.assertRegex(page.words, r"^Sosie: .* a\.csv and b\.csv .*How sure")
        self.assertRegex(page.words, r"20\d\d-\d\d-\d\d \d\d:\d\d UTC\. \d")
        below = re.findall(r"nearest below the cut: .*?probability (\d\.\d{6})", page.words)
        self.assertTrue(below)
        self.assertEqual([each for each in below[1:] if float(each) < 0.01], [])
        self.assertEqual(below, sorted(below, reverse=True))

    def test_shown_pairs_add_up(self):
        page = self.read_page("a.csv", "--against", "b.csv")
        shown = page.partition('<h2 id="pairs">')[2].partition("</section>")[0].split("<details")
        added = 0
        for pair in shown[1:]:
            score = pair.split(", probability")[0].rsplit(", ", 1)[1]
            if not score.endswith(" bits"):
                continue
            bits = [float(cell.split("</td>")[0]) for cell in pair.split('<td class="number">')[1:]]
            self.assertAlmostEqual(sum(bits), float(score[:-5]), delta=0.005 * (len(bits) + 1))
            added += 1
        self.assertGreater(added, 5)

    def read_page(self, *args: str) -> str:
        self.page_of(*args)
        return self.read("page.html").decode()

    def test_groups_of_one_collection(self):
        page = self.page_of("all.csv", "--truth", "column:phone")
        self.assertIn(f"groups {self.stats['groups']} ", page.words)
        self.assertIn("weakest pair of a group", page.words)
        self.assertNotIn("No rule found it", page.words)
        self.assertIn("lost by", page.words)
        self.assertIn(f"F1 {self.stats['truth']['f1']:.3f}", page.words)

    def test_scores_without_a_model(self):
        self.sosie("link", "a.csv", "--against", "b.csv", "--init", "-o", "rules.toml")
        rules = self.read("rules.toml").decode()
        self.write("book.toml", rules + '\n[score]\nmethod = "book"\n')
        page = self.page_of("a.csv", "--against", "b.csv", "--rules", "book.toml")
        self.assertIn("book", page.words)
        self.assertNotIn("bits", page.words)

    def test_the_same_page_for_any_threads(self):
        pages = []
        for threads in ("1", "3"):
            self.page_of("all.csv", "--threads", threads)
            pages.append(without_resources(self.read("page.html")))
        self.assertEqual(*pages)

    def test_values_cannot_break_out(self):
        rows = [dict(row, surname=text.replace(",", " ").replace("\n", " ").replace('"', "'"))
                for row, text in zip(people(3, 120), HOSTILE * 20)]
        self.write("odd.csv", as_csv(rows + copies(4, rows[:60], "<b>")))
        rules = self.sosie("link", "odd.csv", "--on-bad-row", "keep", "--init", "-q").out.decode()
        self.write("rules.toml", rules.replace('"words"', '"fold"'))  # what are no letters, too
        page = self.page_of("odd.csv", "--on-bad-row", "keep", "--rules", "rules.toml")
        self.assertIn("<script>alert(1)</script>", page.words)

    def test_nothing_in_common(self):
        self.write("one.csv", "id,name\n1,anna\n")
        self.write("two.csv", "id,name\n2,bert\n")
        page = self.page_of("one.csv", "--against", "two.csv")
        self.assertIn("There are no candidates", page.words)
        self.assertIn("There are no pairs to show.", page.words)

    def test_names_that_say_another_format(self):
        run = self.sosie("link", "a.csv", "--report", "page.pdf", code=2)
        self.assertIn("page.pdf", run.err)
        self.assertEqual(self.names() & {"page.pdf"}, set())


if __name__ == "__main__":
    unittest.main()

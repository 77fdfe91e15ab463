"""`link --report FILE.html`: the page of the service and the run's data in a single file, whatever the
records contain. tests/web/report_test.py tests how people see it."""

import json
import random
import re
import unittest

from report_pages import HOSTILE, PageTest, Report, without_resources
from test_link import as_csv, copies, people


class LinkReportTest(PageTest):
    def setUp(self):
        super().setUp()
        rows = people(1, 300)
        self.write("a.csv", as_csv(rows))
        self.write("b.csv", as_csv(copies(2, rows[:150], "c")))
        self.write("all.csv", as_csv(rows + copies(2, rows[:150], "c")))

    def page_of(self, *args: str) -> Report:
        self.sosie("link", *args, "-o", "out.csv", "--report", "page.html", "--stats", "stats.json")
        self.stats = json.loads(self.read("stats.json"))
        return self.check_report(self.read("page.html"))

    def test_links_of_two_collections(self):
        page = self.page_of("a.csv", "--against", "b.csv", "--check-by", "city")
        self.assertIn("records 300 and 150", page.words)
        self.assertIn(f"links {self.stats['links']} ", page.words)
        summary = page.overview["summary"]
        for rule in self.stats["rules"]:
            del rule["seconds"]
        for part in ("estimates", "fields", "rules", "links", "confidence"):
            self.assertEqual(summary[part], self.stats[part])
        self.assertTrue(any("f1" in each for each in summary["estimates"]))
        self.assertIn("weakest link", page.words)
        self.assertIn("nearest below the cut", page.words)
        self.assertIn("--against b.csv", page.words)
        self.assertLess(len(self.read("page.html")), 400_000)

    def test_counts_scores(self):
        scores = self.page_of("a.csv", "--against", "b.csv").overview["scores"]
        self.assertEqual(len(scores["pairs"]), len(scores["links"]))
        self.assertEqual(sum(scores["links"]), self.stats["links"])
        self.assertEqual(scores["cut"], self.stats["cut_bits"])
        self.assertLess(scores["first"], scores["cut"])
        below = [links for i, links in enumerate(scores["links"]) if scores["first"] + scores["width"] * (i + 1) < scores["cut"]]
        self.assertEqual(sum(below), 0)

    def test_names_the_data_and_shows_no_hopeless_pairs(self):
        page = self.page_of("a.csv", "--against", "b.csv")
        self.assertRegex(page.words, r"^Sosie: .* a\.csv and b\.csv .*records")
        self.assertEqual(page.overview["inputs"], ["a.csv", "b.csv"])
        self.assertRegex(page.words, r"20\d\d-\d\d-\d\d \d\d:\d\d UTC\. \d")
        below = re.findall(r"nearest below the cut: .*?probability (\d\.\d{6})", page.words)
        self.assertTrue(below)
        self.assertEqual([each for each in below[1:] if float(each) < 0.01], [])
        self.assertEqual(below, sorted(below, reverse=True))

    def test_shown_pairs_add_up(self):
        pairs = self.page_of("a.csv", "--against", "b.csv").data["pairs"]
        self.assertGreater(len(pairs), 5)
        for pair in pairs:
            self.assertAlmostEqual(sum(field["bits"] for field in pair["fields"]), pair["score"])
            for field in pair["fields"]:
                texts = ["".join(part[1] for part in field[side]) for side in ("left", "right")]
                self.assertEqual(field["same"], texts[0] == texts[1])

    def test_groups_of_one_collection(self):
        page = self.page_of("all.csv", "--truth", "column:phone")
        self.assertIn(f"groups {self.stats['groups']} ", page.words)
        self.assertIn("weakest pair of a group", page.words)
        self.assertTrue(all(pair["rules"] for pair in page.data["pairs"]))
        self.assertEqual(page.overview["summary"]["truth"], self.stats["truth"])
        self.assertIn(f"F1 by the truth {self.stats['truth']['f1']:.3f}", page.words)

    def test_nothing_linked_has_no_f1(self):
        page = self.page_of("a.csv", "--against", "b.csv", "--cut", "1", "--truth", "column:phone")
        self.assertEqual(self.stats["links"], 0)
        self.assertIn("F1 by the truth nothing is linked", page.words)

    def test_scores_without_a_model(self):
        self.sosie("link", "a.csv", "--against", "b.csv", "--init", "-o", "rules.toml")
        rules = self.read("rules.toml").decode()
        self.write("book.toml", rules + '\n[score]\nmethod = "book"\n')
        page = self.page_of("a.csv", "--against", "b.csv", "--rules", "book.toml")
        self.assertEqual(page.overview["summary"]["method"], "book")
        self.assertNotIn("bits", page.words)
        self.assertEqual([field for pair in page.data["pairs"] for field in pair["fields"] if "bits" in field], [])
        self.assertEqual(page.data["info"]["value"], "score")

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
        self.write("rules.toml", rules.replace('"words"', '"fold"'))  # including non-letters
        page = self.page_of("odd.csv", "--on-bad-row", "keep", "--rules", "rules.toml")
        texts = [part[1] for pair in page.data["pairs"] for field in pair["fields"] for part in field["left"]]
        self.assertTrue(any("<script>alert(1)</script>" in each for each in texts), texts)

    def test_ids_cannot_break_out_and_are_cut(self):
        ids = ["</script><!--", "<script>alert(1)</script>", "\u2028\u2029\u202e", "'&" * 30_000]
        rows = people(1, 120)
        for row, odd in zip(rows, ids):
            row["id"] = odd
        self.write("odd.csv", as_csv(rows))
        self.write("truth.csv", "".join(f"{odd},cp{90 + i}\n" for i, odd in enumerate(["left", *ids])).replace("cp90", "right"))
        page = self.page_of("odd.csv", "--against", "b.csv", "--truth", "truth.csv")
        lost = [left for step in ("candidates", "score", "decision")
                for left, _ in page.overview["summary"]["truth"][f"lost_by_{step}"]["examples"]]
        self.assertEqual(set(ids) - set(lost), {ids[3]})
        self.assertEqual((len(lost), max(map(len, lost)) < 300), (4, True))

    def test_many_inputs_are_counted(self):
        rows = people(1, 60)
        names = [f"part-{part:02}.csv" for part in range(30)]
        for part, name in enumerate(names):
            self.write(name, as_csv(rows[2 * part:2 * part + 2]))
        page = self.page_of(*names)
        self.assertIn("part-00.csv, part-01.csv and 28 more", page.words)
        self.assertEqual((len(page.overview["inputs"]), page.overview["all_inputs"]), (20, 30))

    def test_wide_records_leave_pairs_out(self):
        generator = random.Random(7)
        rows = [[f"{'x' * 390} {generator.randrange(100)}" for _ in range(100)] for _ in range(16)]
        for side in "ab":
            for i, row in enumerate(rows):
                row[i] += side
            lines = [",".join([f"{side}{i}", *row]) for i, row in enumerate(rows)]
            self.write(f"wide-{side}.csv", "\n".join([",".join(["id", *(f"<column {i}>" for i in range(100))]), *lines]) + "\n")
        page = self.page_of("wide-a.csv", "--against", "wide-b.csv", "--id", "id")
        self.assertGreater(len(page.data["pairs"]), 0)
        self.assertLess(len(page.data["pairs"]), len(re.findall(r"(?:link|cut): ", page.words)))

    def test_nothing_in_common(self):
        self.write("one.csv", "id,name\n1,anna\n")
        self.write("two.csv", "id,name\n2,bert\n")
        page = self.page_of("one.csv", "--against", "two.csv")
        self.assertIn("There are no candidates", page.words)
        self.assertEqual((page.data["pairs"], page.overview["scores"]["pairs"]), ([], []))

    def test_names_that_say_another_format(self):
        run = self.sosie("link", "a.csv", "--report", "page.pdf", code=2)
        self.assertIn("page.pdf", run.err)
        self.assertEqual(self.names() & {"page.pdf"}, set())


if __name__ == "__main__":
    unittest.main()

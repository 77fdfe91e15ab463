"""`dedup --report FILE.html`: the page of the service and the run's data in a single file, whatever the
documents contain. tests/web/report_test.py tests how people see it."""

import json
import random
import re
import subprocess
import unittest

from measured_rows import npy
from report_pages import HOSTILE, PageTest, Report, without_resources
from support import SOSIE

WORDS = ("the report shows every removed row beside the one that was kept for it so that people can "
         "see with their own eyes what changed between two texts and whether that was right or not "
         "when the words are many and the changes are few").split()


class Reporting(PageTest):
    def report(self, *args: str, name: str = "report.html") -> Report:
        self.sosie("dedup", *args, "--report", name, "-o", "kept.jsonl")
        self.raw = self.read(name)
        return self.check_report(self.raw)


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
        self.assertRegex(page.words, r"rows read 8 kept 4 .*near-duplicates 4 .*groups of two rows or more 4 ")
        self.assertRegex(page.words, r"similarity removed kept 0\.87\d{4} a1 a\.jsonl, row 1 a0 a\.jsonl, row 0")
        summary = page.overview["summary"]
        self.assertEqual([summary[each] for each in ("rows", "kept", "near", "groups")], [8, 4, 4, 4])
        first = page.closest[0]
        self.assertRegex(f"{first['value']:.6f}", r"0\.87\d{4}")
        self.assertEqual((first["shared"], first["united"], first["removed"]["id"], first["kept"]["id"]),
                         (71, 81, "a1", "a0"))
        for said in (page.words, page.overview["claim"]):
            self.assertIn("every pair was compared", said.lower())

    def test_names_the_data_and_the_date_and_says_one_recall(self):
        texts = self.near_texts(700)
        rows = [{"id": f"a{i}", "text": text} for i, text in enumerate(texts)]
        for name, part in (("a.jsonl", rows[::3]), ("b.jsonl", rows[1::3]), ("c <i>.jsonl", rows[2::3])):
            self.write(name, part)
        page = self.report("a.jsonl", "b.jsonl", "c <i>.jsonl", "--method", "lsh", "--stats", "s.json")
        self.assertRegex(self.raw.decode(), "<title>Sosie: what was kept and removed: a.jsonl, b.jsonl and 1 more</title>")
        self.assertRegex(page.words, r"^Sosie: .* a\.jsonl, b\.jsonl and 1 more .*rows read")
        self.assertEqual([each["name"] for each in page.overview["summary"]["inputs"]], ["a.jsonl", "b.jsonl", "c <i>.jsonl"])
        self.assertRegex(page.words, r" 20\d\d-\d\d-\d\d \d\d:\d\d UTC\. \d+\.\d\d s up to this page")
        recall = json.loads(self.read("s.json"))["expected_recall"]
        said = f"{100 * recall:.2f} %"
        self.assertIn(f"at least 0.8. Of the pairs at the threshold {said} are expected to be found.", page.words)
        self.assertTrue(page.overview["claim"].endswith(f"{said} are expected to be found."))
        own = page.data["histogram"]["curves"][0]
        self.assertEqual((own["name"], own["at_threshold"], own["expected"]), ("this run", said, 700))
        self.assertRegex(own["banding"], r"^\d+ x \d+$")
        above = page.words.partition("sosie dedup")[0]
        for theory in ("bands", "verification", "components"):
            self.assertNotIn(theory, above)
        decides = {each["name"]: each["is_output"] for each in page.overview["parameters"]}
        self.assertFalse(decides["threshold"])
        for output in ("stats", "report", "output"):
            self.assertTrue(decides.get(output, True), output)

    def flow(self, page: Report) -> dict:
        """Removed rows by their input and the input of the kept row."""
        flow = page.overview["flow"]
        names = [each["name"] for each in flow["inputs"]]
        return dict(zip([(one, other) for one in names for other in names], flow["removed"]))

    def test_counts_input_against_input(self):
        texts = self.near_texts(6)
        self.write("old.jsonl", [{"id": f"o{i}", "text": texts[2 * i]} for i in range(6)])
        self.write("new.jsonl", [{"id": f"n{i}", "text": texts[2 * i + 1]} for i in range(6)])
        page = self.report("old.jsonl", "new.jsonl")
        self.assertEqual(self.flow(page), {("old.jsonl", "old.jsonl"): 0, ("old.jsonl", "new.jsonl"): 0,
                                           ("new.jsonl", "old.jsonl"): 6, ("new.jsonl", "new.jsonl"): 0})

    def test_shows_what_was_removed_against_another_collection(self):
        texts = self.near_texts(3)
        self.write("old.jsonl", [{"id": f"o{i}", "text": texts[2 * i]} for i in range(3)])
        self.write("new.jsonl", [{"id": f"n{i}", "text": texts[2 * i + 1]} for i in range(3)])
        page = self.report("new.jsonl", "--against", "old.jsonl")
        self.assertEqual(self.flow(page), {("new.jsonl", "new.jsonl"): 0, ("new.jsonl", "old.jsonl (against)"): 3,
                                           ("old.jsonl (against)", "new.jsonl"): 0,
                                           ("old.jsonl (against)", "old.jsonl (against)"): 0})
        self.assertIn(("n0", "o0"), [(each["removed"]["id"], each["kept"]["id"]) for each in page.closest])
        self.assertEqual([group["members"][0][5] for group in page.data["groups"]], [3, 3, 3], "kept rows are of --against")
        self.assertIn("--against old.jsonl", page.words)

    def test_others_are_one_input(self):
        names = [self.write(f"shard-{i:02}.jsonl", [{"id": f"r{i}", "text": " ".join(WORDS)}])
                 for i in range(50)]
        page = self.report(*names)
        self.assertEqual(page.overview["flow"]["inputs"][-1]["name"], "30 others")
        self.assertNotIn("shard-40.jsonl", [each["name"] for each in page.overview["flow"]["inputs"]])
        self.assertIn("shard-40.jsonl", page.overview["command"])

    def test_shows_the_words_that_changed(self):
        self.write("a.jsonl", [{"id": "first", "text": " ".join(WORDS) + " One two."},
                               {"id": "second", "text": " ".join(WORDS) + " One three."}])
        page = self.report("a.jsonl", "--threshold", "0.5")
        self.assertEqual((page.changed("removed"), page.changed("kept")), (["three."], ["two."]))
        self.assertEqual((page.closest[0]["removed"]["id"], page.closest[0]["kept"]["id"]), ("second", "first"))

    def test_case_and_punctuation_are_no_change(self):
        self.write("a.jsonl", [{"id": "first", "text": " ".join(WORDS) + " alpha, beta gamma"},
                               {"id": "second", "text": " ".join(WORDS) + " ALPHA - beta delta"}])
        page = self.report("a.jsonl", "--threshold", "0.5")
        self.assertEqual(page.changed("removed") + page.changed("kept"), ["delta", "gamma"])

    def test_characters_of_scripts_without_blanks_are_words(self):
        text = "東京都に住んでいる人は毎日電車で会社に行きますそして夜に家に帰ります"
        self.write("a.jsonl", [{"id": "first", "text": text}, {"id": "b", "text": text + "犬"}])
        self.assertEqual(self.report("a.jsonl", "--threshold", "0.5").changed("removed"), ["犬"])

    def test_hostile_documents_stay_text(self):
        rows = []
        for number, text in enumerate(HOSTILE):
            body = " ".join(WORDS) + " " + text
            rows += [{"id": f"{text} {number} a", "text": text + body},
                     {"id": f"{text} {number} b", "text": text + body + " more"}]
        self.write("a <b> & 'c'.jsonl", rows)
        page = self.report("a <b> & 'c'.jsonl", "--threshold", "0.3")
        self.assertIn("<script>alert(1)</script>", page.words)
        texts = ["".join(part["text"] for part in pair["removed"]["parts"]) for pair in page.closest]
        for text in ("<script>alert(1)</script>", "<!--", "\u202e", "\x1b[31mred"):
            self.assertTrue(any(text in each for each in texts), text)
        self.assertIn("\\u{202E}", page.words)
        self.assertIn("\u241b[31mred", page.words)
        self.assertIn("'a <b> & '\\''c'\\''.jsonl'", page.words)

    def test_ill_formed_utf8_is_replaced(self):
        base = " ".join(WORDS).encode()
        self.write("a.txt", base + b" \xff\xfe\x80 one\n" + base + b" \xed\xa0\x80 two\n")
        self.sosie("dedup", "a.txt", "--threshold", "0.5", "--report", "r.html", "-o", "kept.txt")
        page = self.check_report(self.read("r.html"))
        self.assertIn("\ufffd", "".join(part["text"] for part in page.closest[0]["removed"]["parts"]))

    def test_same_bytes_for_any_thread_count(self):
        self.write("a.jsonl", [{"id": f"d{i}", "text": text}
                               for i, text in enumerate(self.near_texts(700))])
        pages = []
        for threads in ("1", "3"):
            self.report("a.jsonl", "--method", "lsh", "--threads", threads)
            pages.append(without_resources(self.raw))
        self.assertEqual(pages[0], pages[1])
        self.assertIn(b'"component":{', pages[0])

    def test_is_small_for_many_rows_and_long_texts(self):
        generator = random.Random(3)
        lines = []
        for number in range(50_000):
            words = [str(generator.randrange(10 ** 9)) for _ in range(12)]
            lines += [" ".join(words), " ".join(words[:-1] + ["'<\u202e&"])]
        self.write("many.txt", "\n".join(lines) + "\n")
        self.sosie("dedup", "many.txt", "--threshold", "0.6", "--report", "r.html", "-o", "k.txt",
                   timeout=300)
        self.check_report(self.read("r.html"))
        long_text = "\u202e<'&" * 300_000
        self.write("long.txt", "\n".join(f"{long_text} {words} tail {i}"
                                         for i, words in enumerate([" ".join(WORDS)] * 3)) + "\n")
        self.sosie("dedup", "long.txt", "--threshold", "0.2", "--shingle", "words:1", "--report",
                   "r.html", "-o", "k.txt")
        self.check_report(self.read("r.html"))

    def test_command_repeats_the_run(self):
        self.write("it's a file.jsonl", [{"id": f"d{i}", "body": text}
                                         for i, text in enumerate(self.near_texts(5))])
        page = self.report("it's a file.jsonl", "--column", "body", "--threshold", "0.85",
                           "--threads", "2", "--quiet", "--seed", "1", "--removed", "removed.tsv")
        line = page.overview["command"]
        self.assertIn(line, page.words)
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
        self.assertEqual((page.data["groups"], page.overview["sizes"]), ([], []))
        self.assertIn("rows read 0 kept 0", page.words)
        self.write("one.jsonl", ["only one text"])
        self.assertEqual(self.report("one.jsonl").closest, [])

    def test_identical_rows_have_no_weakest_edge(self):
        self.write("a.jsonl", [" ".join(WORDS)] * 5)
        group = self.report("a.jsonl").data["groups"][0]
        self.assertNotIn("weakest_row", group)
        self.assertEqual((group["rows"], group["identical"], group["weakest"]), (5, 4, 1))

    def test_report_is_an_output_like_others(self):
        self.write("a.jsonl", ["one text"])
        self.fails(2, "dedup", "a.jsonl", "-o", "x", "--report", "x", says="two outputs")
        self.fails(4, "dedup", "a.jsonl", "--report", "no/such/folder/r.html", says="no/such")

    def test_lists_the_rows_of_the_largest_groups(self):
        """At most a thousand rows per group and 4,000 in total, the kept one first; the page gives the full number."""
        rows = [{"id": f"g{group}-{i}", "text": " ".join(f"{word}{group}" for word in WORDS)} for group in range(25)
                for i in range(1500 if group == 0 else 260 - group)]
        self.write("a.jsonl", rows)
        page = self.report("a.jsonl")
        groups = page.data["groups"]
        self.assertEqual((page.data["info"]["groups"], len(groups)), (25, 20))
        self.assertEqual([group["rows"] for group in groups[:3]], [1500, 259, 258])
        self.assertEqual([len(group["members"]) for group in groups[:3]], [1001, 259, 258])
        self.assertEqual(groups[1]["members"][0][0], "g1-0")
        self.assertEqual(groups[0]["saved_bytes"], sum(row[3] for row in groups[0]["members"][1:]) + 499 * groups[0]["members"][-1][3])
        self.assertLess(sum(len(group["members"]) for group in groups), 4_021)
        self.assertLess(len(self.raw), 400_000)

    def test_many_groups_are_a_small_page(self):
        self.write("a.txt", "".join(f"{i}\n{i}\n" for i in range(200_000)))
        self.sosie("dedup", "a.txt", "--threshold", "1", "--report", "r.html", "--dry-run", "-q")
        page = self.check_report(self.read("r.html"))
        self.assertEqual((page.data["info"]["groups"], len(page.data["groups"])), (200_000, 20))
        self.assertLess(len(self.read("r.html")), 400_000)


class MeasuredReport(Reporting):
    """The page for vectors and bit strings, which have ids and fields, but no text."""

    def bars(self, page: Report) -> dict[float, int]:
        """Removed rows by the value at which their bar begins."""
        axis, bins = page.data["histogram"]["axis"], page.data["histogram"]["bins"]
        return {round(axis["first"] + i / 100 * (axis["last"] - axis["first"]), 4): rows for i, rows in enumerate(bins) if rows}

    def test_vectors_are_shown_by_their_ids_and_fields(self):
        rows = [{"id": f"v{i}", "v": [i, 0.5], "title": title, "score": 10 - i, "none": None}
                for i, title in enumerate(HOSTILE)]
        rows += [{"id": "far", "v": [90, 0], "title": "alone"}, {"id": "same", "v": [0, 0.5]}]
        self.write("in.jsonl", rows)
        page = self.report("in.jsonl", "--kind", "vectors", "--column", "v", "--measure",
                           "euclidean", "--within", "2.5")
        self.assertRegex(page.words, r"rows read 8 kept 3 .*near-duplicates 4 .*identical 1 .*or more 2 ")
        self.assertRegex(page.overview["claim"], r"euclidean distance to it, computed from both vectors, is at "
                                                 r"most 2\.5\. Method exact: .*; recall 1\.$")
        self.assertEqual((page.data["info"]["value"], page.data["info"]["is_similarity"], page.data["info"]["bound"]),
                         ("distance", False, 2.5))
        self.assertEqual(self.bars(page), {2: 2, 1: 2})
        group = page.data["groups"][0]
        self.assertEqual((group["rows"], group["identical"], group["weakest"]), (4, 1, 2))
        self.assertEqual((group["weakest_row"], group["members"][0][0]), ({"id": "v2", "file": "in.jsonl", "row": 2}, "v0"))
        self.assertRegex(group["line"], r"^title: <script>alert\(1\)</script>.*; score: 10$")
        self.assertEqual([(each["value"], each["removed"]["id"], each["kept"]["id"]) for each in page.closest],
                         [(2, "v2", "v0"), (2, "v5", "v3"), (1, "v1", "v0"), (1, "v4", "v3")])
        fields = {each["name"]: each["value"] for each in page.closest[0]["removed"]["fields"]}
        self.assertEqual((fields["v"], fields["title"]), ("[2,0.5]", HOSTILE[2]))
        self.assertIn("sosie dedup --column v", page.words)
        parameters = {each["name"]: each["value"] for each in page.overview["parameters"]}
        self.assertEqual(parameters["method"], "auto (here: exact)")
        self.assertNotIn("threshold", parameters)
        said = page.words + str(page.overview["parameters"])
        for word in ("shingle", "stopwords", "tokens", "texts", "component", "--threshold"):
            self.assertNotIn(word, re.sub("components: chains|closest calls", "", said), word)
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
        page = self.check_report(self.read("r.html"))
        self.assertRegex(page.overview["claim"], r"jaccard similarity to it, computed from both bit strings, is "
                                                 r"at least 0\.9\. ")
        self.assertEqual(self.bars(page), {0.937: 1, 0.984: 1})
        nearest = page.closest[0]
        values = [nearest[side]["fields"][0]["value"].strip() for side in ("removed", "kept")]
        self.assertEqual((nearest["value"], values), (0.9375, ["f" * 15 + "0", "f" * 16]))
        self.assertEqual([(each["removed"]["id"], each["removed"]["file"], each["removed"]["row"], each["kept"]["id"])
                          for each in page.closest[:1]], [("c", "in.txt", 2, "a")])
        self.assertNotIn("weakest_row", page.data["groups"][1], "all identical")

    def test_ends_of_chains_lie_beyond_the_bound(self):
        self.write("in.npy", npy([[i] for i in range(6)], "<f4"))
        self.write("other.npy", npy([[-1]], "<f4"))
        self.sosie("dedup", "in.npy", "--against", "other.npy", "--measure", "manhattan", "--within",
                   "1", "--clustering", "components", "--report", "r.html", "--dry-run")
        page = self.check_report(self.read("r.html"))
        self.assertRegex(page.overview["claim"], r"^Groups are chains: .* whose manhattan distance, computed from "
                                                 r"both vectors, is at most 1\.")
        self.assertEqual(self.bars(page)[6], 1)
        group = page.data["groups"][0]
        self.assertEqual((group["rows"], group["identical"], group["weakest"]), (7, 0, 6))
        self.assertEqual(group["members"][0][0], "0")
        self.assertEqual(page.data["files"][group["members"][0][1]], "other.npy")
        self.assertEqual(group["weakest_row"], {"id": "5", "file": "in.npy", "row": 5})

    def test_no_row_and_no_group(self):
        for rows in ([], [[1, 2]], [[1, 2], [2, -1]]):
            self.write("in.npy", npy(rows, "<f4"))
            for bound in ("0.5", "1"):
                self.sosie("dedup", "in.npy", "--threshold", bound, "--report", "r.html",
                           "--dry-run")
                page = self.check_report(self.read("r.html"))
                self.assertEqual((page.data["info"]["groups"], page.data["groups"], page.closest), (0, [], []))


if __name__ == "__main__":
    unittest.main()

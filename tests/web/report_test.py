"""The pages of `dedup --report` and `link --report` in a real browser: headless Chromium, light and dark, wide and
narrow. Playwright would have to be downloaded; instead, a script inserted into a copy of the page asks the
questions, and --dump-dom returns its answers. Without a browser, the tests are skipped (`make test-web` installs
one).
"""

import html
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "cli"))
from support import SOSIE  # noqa: E402
from report_pages import HOSTILE  # noqa: E402
from test_link import as_csv, copies, people  # noqa: E402
from test_report import WORDS  # noqa: E402

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
POLICY = re.compile(r'<meta http-equiv="Content-Security-Policy"[^>]*>')

# Inspects the page from inside; runs even where the page's own policy would allow no script.
QUESTIONS = r"""
<script>
const ratio = (a, b) => {
  const light = colour => {
    const [r, g, b] = colour.map(v => (v /= 255) <= .03928 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4);
    return .2126 * r + .7152 * g + .0722 * b;
  };
  const [high, low] = [light(a), light(b)].sort((x, y) => y - x);
  return (high + .05) / (low + .05);
};
const parse = text => text.match(/[\d.]+/g).map(Number);
const ground = element => {
  let mix = [0, 0, 0, 0];
  for (let at = element; at; at = at.parentElement) {
    const [r, g, b, alpha = 1] = parse(getComputedStyle(at).backgroundColor);
    const room = 1 - mix[3];
    mix = [mix[0] + r * alpha * room, mix[1] + g * alpha * room, mix[2] + b * alpha * room,
           mix[3] + alpha * room];
  }
  return mix.slice(0, 3);
};
addEventListener('load', () => {
  const texts = [...document.querySelectorAll('body *')].filter(
    e => !e.closest('svg, .skip, script') &&
         [...e.childNodes].some(n => n.nodeType === 3 && n.data.trim()));
  const faint = texts.map(e => [ratio(parse(getComputedStyle(e).color).slice(0, 3), ground(e)), e])
    .filter(([value]) => value < 4.5).map(([value, e]) => e.outerHTML.slice(0, 80));
  const reachable = [...document.querySelectorAll('a, summary, [tabindex="0"]')].filter(
    e => e.tagName === 'SUMMARY' || !e.closest('details:not([open])'));
  const unreached = reachable.filter(e => {
    e.focus();
    return document.activeElement !== e || getComputedStyle(e).outlineStyle === 'none';
  }).map(e => e.outerHTML.slice(0, 80));
  const answer = document.createElement('pre');
  answer.id = 'answer';
  answer.textContent = JSON.stringify({
    faint, unreached, reachable: reachable.length, texts: texts.length,
    overflow: document.documentElement.scrollWidth - innerWidth,
    dark: ratio(ground(document.body), [0, 0, 0]) < 2,
    scripts: document.scripts.length, alerted: window.alerted || 0,
    strangers: document.querySelectorAll('img, iframe, object, embed, link, form, video').length,
    curves: document.querySelectorAll('svg.sample:not(.first)').length,
    drawn: [...document.querySelectorAll('canvas')].map(canvas => new Set(new Uint32Array(
      canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data.buffer)).size),
    open: document.querySelectorAll('details[open]').length,
    cut: [...document.querySelectorAll('.scroll, table, svg')].filter(
      e => e.getBoundingClientRect().right > document.documentElement.clientWidth)
      .map(e => e.outerHTML.slice(0, 80)),
  });
  document.body.append(answer);
});
</script>
"""


class PageInABrowser(unittest.TestCase):
    """Properties that must hold for each page; a subclass makes report.html."""
    least_texts = 100
    least_reachable = 15
    curves = 0
    title = "Sosie"

    @classmethod
    def setUpClass(cls):
        if cls is PageInABrowser:
            raise unittest.SkipTest("has no page")
        if not CHROMIUM:
            raise unittest.SkipTest("no chromium")
        cls.folder = tempfile.TemporaryDirectory(prefix="web-test-")
        cls.addClassCleanup(cls.folder.cleanup)
        cls.dir = Path(cls.folder.name)
        cls.make_report()
        page = (cls.dir / "report.html").read_text()
        assert POLICY.search(page)
        alert = "<script>window.alert = () => { window.alerted = 1; }</script>"
        page = POLICY.sub(alert, page).replace("</body>", QUESTIONS + "</body>")
        (cls.dir / "asked.html").write_text(page)

    def browse(self, page: str, *flags: str, place: str = "") -> str:
        profile = self.dir / "profile"
        done = subprocess.run(
            [CHROMIUM, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
             "--disable-background-networking", f"--user-data-dir={profile}", *flags,
             (self.dir / page).as_uri() + place],
            cwd=self.dir, capture_output=True, timeout=120,
            env=dict(os.environ, HOME=str(self.dir)))
        return done.stdout.decode()

    A4 = 703  # pixels of a page between its margins

    def ask(self, dark: bool = False, width: int = 1200, page: str = "asked.html") -> dict:
        dom = self.browse(page, "--dump-dom", f"--window-size={width},1200",
                          f"--blink-settings=preferredColorScheme={0 if dark else 1}")
        found = re.search(r'<pre id="answer">(.*?)</pre>', dom, re.S)
        self.assertIsNotNone(found, dom[-500:])
        return json.loads(html.unescape(found.group(1)))

    def test_text_can_be_read_in_light_and_dark(self):
        for dark in (False, True):
            answer = self.ask(dark)
            self.assertEqual(answer["dark"], dark)
            self.assertGreater(answer["texts"], self.least_texts)
            self.assertEqual(answer["faint"], [], "contrast of at least 4.5 to 1 (WCAG AA)")

    def test_keyboard_reaches_everything_and_shows_where_it_is(self):
        answer = self.ask()
        self.assertGreater(answer["reachable"], self.least_reachable)
        self.assertEqual(answer["unreached"], [])
        self.assertGreater(answer["open"], 0)

    def test_fits_a_phone(self):
        self.assertLessEqual(self.ask(width=500)["overflow"], 0)

    def test_prints_on_a4_without_what_scrolls_or_is_cut(self):
        page = (self.dir / "asked.html").read_text().replace("@media print", "@media all")
        (self.dir / "printed.html").write_text(page)
        answer = self.ask(width=self.A4, page="printed.html")
        self.assertLessEqual(answer["overflow"], 0)
        self.assertEqual(answer["cut"], [])

    def test_documents_run_nothing(self):
        answer = self.ask()
        self.assertEqual((answer["scripts"], answer["alerted"], answer["strangers"]), (4, 0, 0), "two are the tests'")

    def test_draws_bars_and_curves(self):
        answer = self.ask()
        self.assertGreater(answer["drawn"][0], 5, "colours of the chart")
        self.assertEqual(answer["curves"], self.curves)

    def words(self, page: str = "report.html", place: str = "") -> str:
        dom = self.browse(page, "--dump-dom", place=place)
        shown = re.sub(r"<!--.*?-->", "", re.sub(r"<(script|style)\b.*?</\1>", "", dom, flags=re.S), flags=re.S)
        return " ".join(html.unescape(re.sub(r"<[^>]*>", " ", shown)).split())

    def words_without_scripts(self) -> str:
        page = (self.dir / "report.html").read_text()
        (self.dir / "without.html").write_text(re.sub("script-src '[^']*'", "script-src 'none'", page))
        return self.words("without.html")

    def test_own_policy_lets_no_script_run(self):
        page = (self.dir / "report.html").read_text()
        (self.dir / "with_script.html").write_text(
            page.replace("</body>", "<script>document.title = 'ran'</script></body>"))
        dom = self.browse("with_script.html", "--dump-dom")
        self.assertIn("<title>" + self.title, dom)


class DedupPage(PageInABrowser):
    curves = 5
    title = "Overview · Sosie: one.jsonl and a rather long name of an input &amp; more &lt;b&gt;.jsonl"

    def test_shows_what_the_run_did(self):
        words = self.words()
        for said in ("Kept", "Removed: near-duplicates", "Every near-duplicate was removed", "sosie dedup",
                     "Connected components of the same bands without verification would have removed",
                     "this run", "datasketch", "kept in one.jsonl", "Rows in the group", "Largest groups",
                     "Unverified component", "Weakest edge", "Pairs nearest the threshold", "shingles shared)",
                     "against", "--shingle", "Everything that determines the result", "recipe"):
            self.assertIn(said, words)
        self.assertNotIn("--report ", words.partition("Everything that determines the result")[2])
        self.assertRegex(words, r"20\d\d-\d\d-\d\d \d\d:\d\d UTC\. \d")
        self.assertLess(words.index("sosie dedup"), words.index("Connected components"), "no theory above the command")

    def test_something_is_not_nothing_nor_all(self):
        rows = [" ".join(f"{word}{i}" for word in WORDS) for i in range(2500)]
        (self.dir / "many.txt").write_text("\n".join(rows + rows[:1]) + "\n")
        subprocess.run([SOSIE, "dedup", "many.txt", "--report", "many.html", "--dry-run", "--quiet"], cwd=self.dir, check=True)
        words = re.sub(r"<[^>]*>|\s+", " ", self.browse("many.html", "--dump-dom"))
        self.assertRegex(words, r"Would be kept +2,500 +99\.9 % +Removed +1 +0\.1 %")

    def test_without_scripts_the_counts_and_the_weakest_edges_are_there(self):
        words = self.words_without_scripts()
        self.assertNotIn("Largest groups", words)
        for said in ("What was kept and removed", "rows read 24", "would be kept", "sosie dedup", "Weakest edges"):
            self.assertIn(said, words)

    def test_groups_and_their_rows_are_views_of_the_file(self):
        words = self.words(place="#?view=groups")
        self.assertRegex(words, r"\d+ groups? ")
        self.assertNotIn("Export decisions", words)
        words = self.words(place="#?view=group&group=0")
        for said in ("kept by the run", "removed by the run", "one.jsonl , row", "This row", "The kept row"):
            self.assertIn(said, words)
        self.assertNotIn("Not a duplicate", words)
        self.assertIn("This group is not on the page", self.words(place="#?view=group&group=999"))

    @classmethod
    def make_report(cls):
        rows = []
        for number, hostile in enumerate(HOSTILE):
            body = " ".join(WORDS) + " " + hostile
            rows += [{"id": f"{number} {hostile}", "text": hostile + " " + body},
                     {"id": f"{number} again {hostile}", "text": hostile + " " + body + " more"}]
        for name in ("one.jsonl", "a rather long name of an input & more <b>.jsonl"):
            (cls.dir / name).write_text("".join(
                json.dumps(dict(row, id=name[0] + row["id"])) + "\n" for row in rows))
        subprocess.run([SOSIE, "dedup", "one.jsonl", "a rather long name of an input & more <b>.jsonl",
                        "--threshold", "0.3", "--method", "lsh", "--report", "report.html", "--dry-run", "--quiet"],
                       cwd=cls.dir, check=True)


class LinkPage(PageInABrowser):
    curves = 2  # in addition to the model's: by the held-out field, and by runners-up
    least_reachable = 10
    title = "Overview · Sosie: a.csv and b.csv"

    def test_shows_what_was_linked_and_why(self):
        words = self.words()
        for said in ("Records 300 and 200", "Candidates", "Links", "estimated F1", "How sure", "model", "check-by city", "runner-up",
                     "Scores", "true pairs at each score, by each method above", "The numbers of the chart", "Weights", "Weight of each level of agreement",
                     "Pairs nearest the decision", "weakest link: ", " bits, probability ", "Found by ", "leaves the others out",
                     "Rules that find candidates", "Found by no other", "sosie link --against b.csv", "The rules, as a file for"):
            self.assertIn(said, words)
        self.assertRegex(words, r"surname = .* equal \+\d+\.\d\d ")
        self.assertRegex(words, r"20\d\d-\d\d-\d\d \d\d:\d\d UTC\. \d")
        for said in ("Begin with the pairs", "Apply the decisions", "Keys", "Groups"):
            self.assertNotIn(said, words)

    def test_without_scripts_the_counts_and_the_weakest_links_are_there(self):
        words = self.words_without_scripts()
        self.assertNotIn("How sure", words)
        for said in ("What was linked, and why", "records 300 and 200", "links ", "estimated F1", "confidence", "sosie link",
                     "Pairs nearest the decision", "weakest link: "):
            self.assertIn(said, words)

    def test_other_addresses_show_the_one_view_of_the_file(self):
        for view in ("pairs", "groups", "pair&pair=0", "tuner"):
            self.assertIn("Pairs nearest the decision", self.words(place=f"#?view={view}"))

    def test_nothing_in_common(self):
        (self.dir / "one.csv").write_text("id,name\n1,anna\n")
        (self.dir / "two.csv").write_text("id,name\n2,bert\n")
        subprocess.run([SOSIE, "link", "one.csv", "--against", "two.csv", "-o", "none.csv", "--report", "none.html", "--quiet"],
                       cwd=self.dir, check=True)
        words = self.words("none.html")
        for said in ("There are no candidates.", "No pair was likely enough to be judged.", "There are no pairs to show."):
            self.assertIn(said, words)

    def test_groups_of_one_collection_and_their_truth(self):
        rows = people(1, 300)
        (self.dir / "all.csv").write_text(as_csv(rows + copies(2, rows[:150], "c")))
        subprocess.run([SOSIE, "link", "all.csv", "--truth", "column:phone", "-o", "groups.csv", "--report", "groups.html", "--quiet"],
                       cwd=self.dir, check=True)
        words = self.words("groups.html")
        for said in ("Pairs in groups", "weakest pair of a group", "By the truth, ", "Lost by", "pairs within a group"):
            self.assertIn(said, words)
        self.assertNotIn("No rule found it", words)

    @classmethod
    def make_report(cls):
        rows = people(1, 300)
        for number, hostile in enumerate(HOSTILE):
            rows[number]["surname"] = re.sub(r'[,\n\r"]', " ", hostile)
        (cls.dir / "a.csv").write_text(as_csv(rows))
        (cls.dir / "b.csv").write_text(as_csv(copies(2, rows[:200], "c")))
        subprocess.run([SOSIE, "link", "a.csv", "--against", "b.csv", "--check-by", "city", "-o",
                        "links.csv", "--report", "report.html", "--on-bad-row", "keep", "--quiet"],
                       cwd=cls.dir, check=True)


if __name__ == "__main__":
    unittest.main()

"""Reads pages from --report in tests, and checks what must be true of all of them."""

import base64
import hashlib
import json
import re
from html.parser import HTMLParser

from support import SosieTest

VOID = {"meta", "link", "br", "hr", "img", "input", "path"}
HARMLESS = {"html", "head", "meta", "title", "body", "main", "h1", "p", "div", "small", "table", "caption", "thead", "tbody",
            "tr", "th", "td", "pre", "bdi"}

# Tricks that a document may try: markup, quotes, terminal escapes, direction marks, broken encodings.
HOSTILE = [
    "<script>alert(1)</script><img src=x onerror=alert(1)> \"'`><svg/onload=alert(1)>",
    "</style></title></td></table><iframe src=javascript:alert(1)></iframe> <!-- ]]> -->",
    "&lt;b&gt; &#x3c;script&#x3e; &amp;amp; &",
    "\u202eevil.exe\u202c \u2066isolate\u2069 \u200b\ufeff\u00ad \U000e0041",
    "\x00\x01\x1b[31mred\x1b[0m\x7f \x85\x9b31m \ufffe\ufdd0",
    "' onmouseover='alert(1) {{7*7}} ${7*7} <%= 7*7 %>",
]


class Page(HTMLParser):
    """Checks that elements are closed in order, and collects the data that tests need."""

    def __init__(self, text: str):
        super().__init__(convert_charrefs=True)
        self.open, self.elements, self.problems = [], [], []
        self.ids, self.links, self.text = [], [], []
        self.feed(text)
        self.close()
        self.problems += [f"<{name}> is never closed" for name in self.open]

    def handle_starttag(self, tag, attributes):
        self.elements.append((tag, dict(attributes)))
        for name, value in attributes:
            if name == "id":
                self.ids.append(value)
            if name in ("href", "src", "action", "data", "xlink:href", "srcset"):
                self.links.append(value)
        if tag in ("td", "th", "dt", "dd", "small", "p", "br"):
            self.text.append(" ")
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        self.handle_starttag(tag, attributes)
        if tag not in VOID:
            self.open.pop()

    def handle_endtag(self, tag):
        if tag in VOID:
            return
        if not self.open or self.open[-1] != tag:
            self.problems.append(f"</{tag}> closes {self.open[-3:]} at {self.getpos()}")
        else:
            self.open.pop()

    def handle_data(self, data):
        if self.open[-1:] != ["style"]:
            self.text.append(data)

    @property
    def words(self) -> str:
        return " ".join("".join(self.text).split())


class Report(Page):
    """A report: the content shown without its script, and its data."""

    def __init__(self, raw: bytes):
        text = raw.decode("utf-8", "strict")
        self.policy = re.search(r'Content-Security-Policy" content="(.*?)">', text)[1]
        self.scripts = re.findall(r"<script [^>]*>(.*?)</script>", text, re.S)
        self.style = re.search(r"<style>(.*?)</style>", text, re.S)[1]
        self.plain = re.sub(r"<(script|style)\b.*?</\1>", "", text, flags=re.S)
        self.data = json.loads(self.scripts[0])
        super().__init__(self.plain)

    @property
    def overview(self) -> dict:
        return self.data["info"]["overview"]

    @property
    def closest(self) -> list[dict]:
        def side(row: dict) -> dict:
            if "parts" not in row:
                return row
            return {**row, "parts": [{"kind": ("same", "changed", "left_out")[kind], "text": what if kind < 2 else ""}
                                     for kind, what in row["parts"]]}
        return [{**pair, "removed": side(pair["removed"]), "kept": side(pair["kept"])} for pair in self.data["closest"]]

    def changed(self, side: str) -> list[str]:
        """The marked words of the removed or the kept texts."""
        return [part["text"].strip() for pair in self.closest for part in pair[side]["parts"]
                if part["kind"] == "changed"]


def without_resources(page: bytes) -> bytes:
    return re.sub(rb'<p id="resources".*?</p>', b"", page, flags=re.S)


class PageTest(SosieTest):
    def check_report(self, raw: bytes) -> Report:
        """The promises that hold for every report."""
        report = Report(raw)
        self.assertEqual(report.problems, [])
        self.assertEqual({tag for tag, _ in report.elements} - HARMLESS, set())
        self.assertEqual([name for _, attributes in report.elements for name in attributes
                          if name.startswith("on") or name == "style"], [])
        self.assertEqual(report.links, [], "it asks for nothing")
        data, script = report.scripts
        for kind, content in (("script", script), ("style", report.style)):
            digest = base64.b64encode(hashlib.sha256(content.encode()).digest()).decode()
            self.assertIn(f"{kind}-src 'sha256-{digest}';", report.policy)
        self.assertTrue(report.policy.startswith("default-src 'none'; "))
        self.assertNotIn("unsafe", report.policy)
        self.assertNotIn("<", data)
        self.assertNotRegex(report.plain + data, "[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]")
        self.assertNotRegex(report.plain, r"url\(|@import|https?://|javascript:\s*alert\(1\)\"")
        self.assertEqual(len(report.ids), len(set(report.ids)), "ids are unique")
        self.assertLess(len(raw), 5_000_000)
        return report

"""Pages of --report as tests read them, and the promises that hold for each."""

import re
from html.parser import HTMLParser

from support import SosieTest

VOID = {"meta", "link", "br", "hr", "img", "input", "path"}
HARMLESS = {
    "html", "head", "meta", "title", "style", "body", "header", "nav", "main", "section", "footer",
    "h1", "h2", "p", "a", "ul", "li", "dl", "dt", "dd", "div", "span", "strong", "em", "small", "br",
    "table", "caption", "thead", "tbody", "tr", "th", "td", "details", "summary", "code", "pre",
    "bdi", "del", "ins", "i", "svg", "desc", "g", "path", "rect", "text", "circle"}

# What a document may try: markup, quotes, terminal escapes, direction marks, broken encodings.
HOSTILE = [
    "<script>alert(1)</script><img src=x onerror=alert(1)> \"'`><svg/onload=alert(1)>",
    "</style></title></td></table><iframe src=javascript:alert(1)></iframe> <!-- ]]> -->",
    "&lt;b&gt; &#x3c;script&#x3e; &amp;amp; &",
    "\u202eevil.exe\u202c \u2066isolate\u2069 \u200b\ufeff\u00ad \U000e0041",
    "\x00\x01\x1b[31mred\x1b[0m\x7f \x85\x9b31m \ufffe\ufdd0",
    "' onmouseover='alert(1) {{7*7}} ${7*7} <%= 7*7 %>",
]


class Page(HTMLParser):
    """Checks that elements are closed in order, and collects what the tests ask for."""

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


def without_resources(page: bytes) -> bytes:
    return re.sub(rb'<p id="resources".*?</p>', b"", page, flags=re.S)


class PageTest(SosieTest):
    def check(self, raw: bytes) -> Page:
        """The promises that hold for each page."""
        text = raw.decode("utf-8", "strict")
        page = Page(text)
        self.assertEqual(page.problems, [])
        self.assertEqual({tag for tag, _ in page.elements} - HARMLESS, set())
        for tag, attributes in page.elements:
            bad = [name for name in attributes if name.startswith("on")]
            self.assertEqual(bad, [], f"<{tag}> runs nothing")
        self.assertTrue(all(link.startswith("#") for link in page.links), page.links)
        self.assertNotRegex(text, r"url\(|@import|https?://|javascript:\s*alert\(1\)\"")
        self.assertEqual(len(page.ids), len(set(page.ids)), "ids are unique")
        self.assertEqual({link[1:] for link in page.links} - set(page.ids), set())
        self.assertLess(len(raw), 5_000_000)
        self.assertNotRegex(text, "[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
        return page

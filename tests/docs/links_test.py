"""Every link on a page leads to an existing file and heading."""
import re
import sys
import unittest
from pathlib import Path
from urllib.parse import unquote

ROOT = Path(__file__).resolve().parents[2]
FOLDERS = ("docs", "bench", "bindings", "examples", "samples", "tests")
FENCED = re.compile(r"^( {0,3})(```+|~~~+).*?^\1?\2 *$", re.MULTILINE | re.DOTALL)
CODE = re.compile(r"`[^`\n]*`")
LINK = re.compile(r"!?\[[^\]]*\]\(<?([^()\s>]+(?:\([^()\s]*\))?)>?(?: \"[^\"]*\")?\)")
HEADING = re.compile(r"^#{1,6} +(.*?)(?: +#+)? *$", re.MULTILINE)
ANCHOR = re.compile(r"<a (?:id|name)=\"([^\"]+)\"|^\(([\w-]+)\)=$", re.MULTILINE)


def prose(text):
    """The text without code."""
    return CODE.sub("``", FENCED.sub("", text))


def slug(heading):
    """Returns the anchor of a heading: lower case, words joined by hyphens, without punctuation."""
    words = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).lower().replace("`", "")
    return re.sub(r"[^\w\- ]", "", words).replace(" ", "-")


def anchors(text):
    """The anchors of a page; equal headings are numbered."""
    found, count = {name for pair in ANCHOR.findall(text) for name in pair if name}, {}
    for heading in HEADING.findall(FENCED.sub("", text)):
        name = slug(heading)
        number = count[name] = count.get(name, -1) + 1
        found.add(f"{name}-{number}" if number else name)
    return found


def broken_links(page, text, root):
    """The problems with the links on a page, one line each."""
    for target in LINK.findall(prose(text)):
        if re.match(r"[a-z][a-z+.-]*:", target):
            continue
        path, _, anchor = unquote(target).partition("#")
        file = (page.parent / path).resolve() if path else page
        if not file.is_relative_to(root):
            yield f"{target}: leads out of the tree"
        elif not file.exists():
            yield f"{target}: is not there"
        elif anchor and file.suffix == ".md" and anchor not in anchors(file.read_text(encoding="utf-8")):
            yield f"{target}: {file.name} has no such heading"


class Checker(unittest.TestCase):
    def broken(self, text):
        return list(broken_links(ROOT / "README.md", text, ROOT))

    def test_finds_what_is_broken(self):
        self.assertEqual(self.broken("[a](docs/nothing.md) [b](#no-such-heading) [c](../else.md)"),
                         ["docs/nothing.md: is not there", "#no-such-heading: README.md has no such heading",
                          "../else.md: leads out of the tree"])

    def test_leaves_code_and_other_sites_alone(self):
        self.assertEqual(self.broken("`[a](x.md)` [b](https://a.example/x.md)\n```\n[c](y.md)\n```\n"), [])

    def test_headings_have_anchors(self):
        self.assertEqual(anchors("# A `b`: c, d\n## x\n## x\n"), {"a-b-c-d", "x", "x-1"})


class Pages(unittest.TestCase):
    def test_links_lead_somewhere(self):
        pages = [*ROOT.glob("*.md"), *(page for folder in FOLDERS for page in (ROOT / folder).rglob("*.md"))]
        self.assertGreater(len(pages), 60)
        broken = [f"{page.relative_to(ROOT)}: {fault}" for page in pages
                  for fault in broken_links(page, page.read_text(encoding="utf-8"), ROOT)]
        self.assertEqual(broken, [])


if __name__ == "__main__":
    sys.exit(unittest.main())

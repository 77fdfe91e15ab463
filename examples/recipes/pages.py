#!/usr/bin/env python3
"""Puts articles into pages of several web sites, each with its own menus, headlines and footers.

    pages.py ARTICLES.jsonl [--sites 3] [--around 120] [--first 0] > pages.jsonl

ARTICLES has rows {"id", "text"}; texts that are roff sources of manual pages become their prose.
Each article appears on every site, as a row {"id": SITE/ID, "story", "html", "text"}: `text` is all
that a browser would show of the page. `--around` is the number of words around each article: menus
and legal notices of the site, and headlines that are cut out of other articles.
"""

from __future__ import annotations

import argparse
import html
import json
import random
import re
from html.parser import HTMLParser

MENU = """Home World Politics Business Markets Sport Culture Weather Video Podcasts Opinion Health Science
Technology Travel Cars Property Jobs Obituaries Crosswords Archive Newsletters Subscribe Login Search
Profile Settings Alerts Apps Events Shop Competitions Recipes Horoscopes Cartoons Letters Education
Regions Traffic Lottery Radio Television Live Gallery Photos Data Investigations Longreads""".split()
FOOTER = """Contact Imprint Privacy Cookies Terms Advertise Careers Press Accessibility Sitemap RSS Help
FAQ Licensing Syndication Complaints Corrections Ethics Ownership Donate Facebook Instagram YouTube
Mastodon LinkedIn Copyright Disclaimer Partners Delivery Vouchers""".split()
# Short words that headlines omit.
LEFT_OUT = set("a an the of to in on at by for with and or is are was were be been has have had that "
               "this it its as from but not will".split())
NAMES = ["courier", "herald", "observer", "tribune", "post", "gazette", "echo", "chronicle"]


def prose(text: str) -> list[str]:
    """The paragraphs of an article; for the source of a manual page, those of its running text."""
    if not re.search(r"^\.SH ", text, re.MULTILINE):
        return [part for part in text.split("\n\n") if part.strip()]
    paragraphs, words, wanted = [], [], False
    for line in text.splitlines() + [".SH END"]:
        macro, _, rest = line.partition(" ")
        if macro in (".SH", ".SS", ".PP", ".TP", ".LP", ".P", ".IP"):
            if len(words) >= 12:
                paragraphs.append(" ".join(words))
            words = []
            if macro == ".SH":
                wanted = rest.strip('" ') in ("DESCRIPTION", "NOTES", "BUGS", "ERRORS")
        elif wanted and macro in (".B", ".I", ".BR", ".IR", ".RB", ".RI", ".BI", ".IB"):
            parts = re.findall(r'"[^"]*"|\S+', rest)
            words.append(("" if len(macro) == 3 else " ").join(part.strip('"') for part in parts))
        elif wanted and not line.startswith((".", "'")):
            words += line.split()
    return [re.sub(r"\\f.|\\&|\\\(..|\\", "", paragraph) for paragraph in paragraphs]


def headline(paragraphs: list[str]) -> str:
    """The first words of an article, in the style of a headline."""
    words = re.findall(r"\w[\w'-]*", paragraphs[0])
    return " ".join([word for word in words if word.lower() not in LEFT_OUT][:8])


class Site:
    """A web site: its words around an article, and their positions."""

    def __init__(self, number: int, around: int):
        self.name = NAMES[number % len(NAMES)]
        self.number = number
        self.draw = random.Random(number)
        self.headline_words = around // 2
        self.menu = self.draw.sample(MENU, min(len(MENU), around // 4))
        self.footer = self.draw.sample(FOOTER, min(len(FOOTER), around // 4))

    def page(self, title: str, paragraphs: list[str], titles: list[str]) -> str:
        menu = "".join(f'<li><a href="/{word}">{word}</a></li>' for word in self.menu)
        others, count = "", 0
        while count < self.headline_words:
            other = self.draw.choice(titles)
            others += f'<li><a href="/story">{html.escape(other)}</a></li>'
            count += len(other.split())
        body = "".join(f"<p>{html.escape(paragraph)}</p>" for paragraph in paragraphs)
        article = f"<article><h1>{html.escape(title)}</h1>{body}</article>"
        nav, aside = f"<nav><ul>{menu}</ul></nav>", f"<aside><h2>More</h2><ul>{others}</ul></aside>"
        parts = [[nav, article, aside], [aside, nav, article], [nav, aside, article]][self.number % 3]
        return (f"<html><head><title>{html.escape(title)} | {self.name}</title>"
                f"<script>track('{self.name}')</script></head><body>{''.join(parts)}"
                f"<footer>{' | '.join(self.footer)}</footer></body></html>")


class Shown(HTMLParser):
    """Collects the text that a browser shows of a page."""

    def __init__(self) -> None:
        super().__init__()
        self.parts: list[str] = []
        self.hidden = False

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self.hidden = tag in ("script", "style", "title")

    def handle_endtag(self, tag: str) -> None:
        self.hidden = False

    def handle_data(self, data: str) -> None:
        if not self.hidden:
            self.parts.append(data)


def shown(page: str) -> str:
    parser = Shown()
    parser.feed(page)
    return "\n".join(parser.parts)


def rows(articles: list[dict], sites: int, around: int):
    """The pages of all articles on all sites; articles with fewer than 100 words are left out."""
    stories = [(article["id"], prose(article["text"])) for article in articles]
    stories = [(name, paragraphs) for name, paragraphs in stories
               if sum(len(paragraph.split()) for paragraph in paragraphs) >= 100]
    titles = [headline(paragraphs) for _, paragraphs in stories]
    for site in (Site(number, around) for number in range(sites)):
        for (name, paragraphs), title in zip(stories, titles):
            page = site.page(title, paragraphs, titles)
            yield {"id": f"{site.name}/{name}", "story": name, "html": page, "text": shown(page)}


def read(path: str) -> list[dict]:
    """JSONL rows with an id and a text; any other line stops the run."""
    rows = []
    with open(path, encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            try:
                row = json.loads(line)
                rows.append({"id": str(row["id"]), "text": str(row["text"])})
            except (ValueError, KeyError, TypeError) as error:
                raise SystemExit(f"{path}:{number}: a row with id and text was expected: {error!r}")
    return rows


def main() -> None:
    parser = argparse.ArgumentParser(allow_abbrev=False, description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("articles")
    parser.add_argument("--sites", type=int, default=3)
    parser.add_argument("--around", type=int, default=120)
    parser.add_argument("--first", type=int, default=0, help="take only so many articles")
    options = parser.parse_args()
    articles = read(options.articles)
    for row in rows(articles[:options.first or None], options.sites, options.around):
        print(json.dumps(row, ensure_ascii=False))


if __name__ == "__main__":
    main()

"""Fails if comments or help read like translations: the rules in CONTRIBUTING.md, "How the code reads", as a test.

usage: check_prose.py ROOT [--list]
Documentation and packages name no address that does not exist (NO_ADDRESS).
Documentation keeps to the glossary (DOC_WORDS), leaves lab notes to the measurements, begins no
paragraph with one of DOC_OPENINGS, and its user pages hold at most MOST_WORDS words together.
A block of comment lines and a help line of the tables in src/options begin with the noun that they
define or with a verb in the third person, never with one of OPENINGS; every .cc file begins with a
comment that says what it is for. Prints `file:line: problem`; exit 1 if there is one, 2 if ROOT
holds no sources. What stood here before the rule did is counted, and the counts only shrink: above
a number in CEILINGS the run fails, below it the run asks to lower it. --list prints those places too.
"""
import pathlib
import re
import sys

FOLDERS = ("src", "include", "apps", "bindings", "bench", "fuzz", "reference", "tests")
SOURCES = {".h", ".cc"}
OPENINGS = re.compile(r"(What|Whether|Of|Those|As|The same|How)\b")
PHRASES = re.compile(r"\b([Tt]hose of|[Tt]he same of)\b")
HELP_OPENINGS = re.compile(r"(what|whether|of|those|as|the same|how) ", re.IGNORECASE)
COMMENT = re.compile(r"\s*//\s?(.*)")
BEHIND_CODE = re.compile(r".*\S\s+//\s(.*)")
LITERAL = re.compile(r'"((?:[^"\\]|\\.)*)"')

# House words that new names must not use (the plan's ARCHITECTURE.md, "Words"): lines of src.
HOUSE_WORDS = {
    "measured (say vectors and bits, or nothing)": re.compile(r"\bmeasured_|Measured[A-Z]"),
    "crowd (say hot bucket)": re.compile(r"crowd", re.IGNORECASE),
    "room as the name of memory (say memory or budget)":
        re.compile(r"^(?!.*//).*(\broom\b|_room\b|Room\b)"),
    "asked, given, drawn, found, coming, known, wanted and the like as adjectives of types":
        re.compile(r"\b(Asked|Given|Drawn|Found|Coming|Known|Wanted|Gathered|Growing|Searched|Taken)"
                   r"[A-Z]\w*"),
    "look_at": re.compile(r"\blook(ed)?_at"),
    "retired names of files and functions": re.compile(
        r"\b(asked_rows|coming_rows|growing_sets|searched_(sets|vectors|bits|strings)|taken_plan|known_rows|"
        r"known_items|wanted_pairs|drawn_rows|gathered_sets|exact_room|dear_text|tell_dear)\b"),
}

# Pages written by hand; the user pages are those in the root, docs/ and docs/recipes/.
DOC_PAGES = ("*.md", "docs/*.md", "docs/formats/*.md", "docs/recipes/*.md", "docs/theory/*.md")
NO_USER_PAGES = {"CHANGELOG.md", "NOTICE.md", "docs/reference.md", "docs/dist-check.md"}
MEASUREMENT_PAGES = {"docs/benchmarks.md", "docs/measurements.md"}
MOST_WORDS = 25_000  # of docs/*.md and docs/recipes/*.md, without measurements
GENERATED = re.compile(r"<!-- (bench|formats):.*?<!-- (/bench|end of formats).*?-->", re.DOTALL)
FENCED = re.compile(r"^```.*?^```$|`[^`\n]*`", re.DOTALL | re.MULTILINE)
# Files besides the pages that may name an address where a reader looks for the project.
PACKAGE_FILES = ("pyproject.toml", "cmake/*.cmake", "tools/write_sbom.py")
NO_ADDRESS = re.compile(r"[\w.@-]+\.example\b(?!\.)")  # reserved: leads nowhere (RFC 2606)
DOC_OPENINGS = re.compile(r"(Whether|Of|Those|The same)\b")
LAB_NOTE = re.compile(r"\b(busy|busier|quiet) (machine|cores?)\b")
DOC_WORDS = {  # words to avoid in docs, and the words in the glossary
    "name the noun": PHRASES,
    "say share": re.compile(
        r"\bpart of (the|all|these|its|their) (pairs|rows|links|records|shingles|items|work)\b"),
    "say hot bucket": re.compile(r"\bcrowds?\b", re.IGNORECASE),
    "say memory": re.compile(r"\b(no|enough|little|much) room\b"),
    "name the rows by what they are": re.compile(
        r"\b(asked|coming|gathered|wanted|drawn|growing) (rows?|sets|items|vectors|bags|strings)\b"),
    "say by default, or automatically": re.compile(r"\bwithout being (told|asked)\b"),
}

# The maximum number of each; it may only shrink.
CEILINGS = {
    "addresses": 0,
    "asked, given, drawn, found, coming, known, wanted and the like as adjectives of types": 0,
    "crowd (say hot bucket)": 0,
    "docs: length": 0,
    "docs: lab notes": 0,
    "docs: openings": 0,
    "docs: words": 0,
    "files without purpose": 0,
    "look_at": 0,
    "measured (say vectors and bits, or nothing)": 0,
    "openings": 0,
    "openings behind code": 0,
    "phrases": 0,
    "room as the name of memory (say memory or budget)": 0,
    "tests without purpose": 100,
}


def comments(lines):
    """Yields (line number, text, opens) for every comment; `opens`: it opens a block of whole lines."""
    inside = False
    for number, line in enumerate(lines, 1):
        whole = COMMENT.match(line)
        if whole:
            yield number, whole[1].strip(), not inside
        elif behind := BEHIND_CODE.match(line):
            yield number, behind[1].strip(), None
        inside = bool(whole)


def broken(place, lines):
    """Yields (rule, line number, problem) for a file; `place` is its path from the root."""
    if place.suffix == ".cc" and not lines[0].startswith("// "):
        test = "tests" if place.stem.endswith("_test") or place.parts[0] == "tests" else "files"
        yield f"{test} without purpose", 1, "begins with no line that says what the file is for"
    for number, text, opens in comments(lines):
        opening = OPENINGS.match(text[:1].upper() + text[1:] if opens is None else text)
        if opening and opens:
            yield "openings", number, f"a comment begins with '{opening[1]}'"
        if opening and opens is None:
            yield "openings behind code", number, f"a comment begins with '{opening[1]}'"
        if phrase := PHRASES.search(text):
            yield "phrases", number, f"'{phrase[1]}': name the noun"


def broken_help(lines):
    """Like broken(), for string literals that begin a text in a table of options."""
    before = ""
    for number, line in enumerate(lines, 1):
        literal = LITERAL.match(line.strip())
        continues = LITERAL.search(before) and before.rstrip().endswith('"')
        if literal and not continues and (opening := HELP_OPENINGS.match(literal[1])):
            yield "help", number, f"a help line begins with '{opening[1]}'"
        before = line


def house_words(place, lines):
    if place.parts[0] != "src":
        return
    for number, line in enumerate(lines, 1):
        for word, pattern in HOUSE_WORDS.items():
            if pattern.search(line):
                yield word, number, f"a house word to retire: {word}"


def prose_of(text):
    """The text with generated parts and code blanked out, line by line."""
    def blank(match):
        return re.sub(r"[^\n]", " ", match[0])
    return FENCED.sub(blank, GENERATED.sub(blank, text))


def broken_page(place, text):
    """Yields (rule, line number, problem) for a page of documentation."""
    name = place.as_posix()
    before = ""
    for number, line in enumerate(prose_of(text).split("\n"), 1):
        opening = DOC_OPENINGS.match(line.lstrip("-* "))
        if opening and (not before.strip() or line.startswith(("- ", "* "))):
            yield "docs: openings", number, f"a paragraph begins with '{opening[1]}'"
        if name not in MEASUREMENT_PAGES and (note := LAB_NOTE.search(line)):
            yield "docs: lab notes", number, f"'{note[0]}' belongs to docs/measurements.md"
        for way_out, pattern in DOC_WORDS.items():
            if word := pattern.search(line):
                yield "docs: words", number, f"'{word[0]}': {way_out}"
        before = line


def words_of(text):
    return sum(1 for word in GENERATED.sub("", text).split() if re.search(r"\w", word))


def found_in_docs(root):
    """Yields (rule, place, line number, problem) for all pages."""
    words = 0
    for path in sorted(path for pattern in DOC_PAGES for path in root.glob(pattern)):
        place, text = path.relative_to(root), path.read_text(encoding="utf-8")
        name = place.as_posix()
        if name in NO_USER_PAGES:
            continue
        for rule, number, what in broken_page(place, text):
            yield rule, place, number, what
        if name not in MEASUREMENT_PAGES and place.parent.as_posix() in ("docs", "docs/recipes"):
            words += words_of(text)
    if words > MOST_WORDS:
        yield "docs: length", pathlib.Path("docs"), 1, f"user pages hold {words} words, at most {MOST_WORDS}"


def found_addresses(root):
    """Yields (rule, place, line number, what is wrong) of each address that does not exist."""
    for path in sorted(path for pattern in DOC_PAGES + PACKAGE_FILES for path in root.glob(pattern)):
        for number, line in enumerate(path.read_text(encoding="utf-8").split("\n"), 1):
            if address := NO_ADDRESS.search(line):
                yield "addresses", path.relative_to(root), number, f"'{address[0]}' does not exist"


def found_in(root):
    """Returns {rule: [(place, line number, problem)]} for the tree."""
    found = {}
    for rule, place, number, what in (*found_in_docs(root), *found_addresses(root)):
        found.setdefault(rule, []).append((place, number, what))
    for folder in FOLDERS:
        for path in sorted((root / folder).rglob("*")):
            if path.suffix not in SOURCES:
                continue
            place = path.relative_to(root)
            lines = path.read_text(encoding="utf-8").split("\n")
            rows = [*broken(place, lines), *house_words(place, lines)]
            if place.parts[:2] == ("src", "options"):
                rows += broken_help(lines)
            for rule, number, what in rows:
                found.setdefault(rule, []).append((place, number, what))
    return found


def main():
    root = pathlib.Path(sys.argv[1])
    if not (root / "src").is_dir():
        print(f"{root}: holds no sources")
        return 2
    found = found_in(root)
    failed = False
    for rule in sorted({*found, *CEILINGS}):
        rows, most = found.get(rule, []), CEILINGS.get(rule, 0)
        if len(rows) > most or "--list" in sys.argv[2:]:
            for place, number, what in rows:
                print(f"{place}:{number}: {what}")
        if len(rows) > most:
            print(f"{rule}: {len(rows)}, at most {most} may be left; the places above")
            failed = True
        elif len(rows) < most:
            print(f"{rule}: {len(rows)}; lower its ceiling in tools/check_prose.py from {most}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

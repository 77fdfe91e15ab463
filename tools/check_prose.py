"""Fails when comments or help read translated: the rules of CONTRIBUTING.md, "How the code reads", as a test.

usage: check_prose.py ROOT [--list]
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

# House words that no new name may use (ARCHITECTURE.md of the plan, "Words"): lines of src.
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

# The most there may be of each; they only shrink.
CEILINGS = {
    "asked, given, drawn, found, coming, known, wanted and the like as adjectives of types": 0,
    "crowd (say hot bucket)": 0,
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
    """(line number, text, whether it opens a block of whole lines) of every comment."""
    inside = False
    for number, line in enumerate(lines, 1):
        whole = COMMENT.match(line)
        if whole:
            yield number, whole[1].strip(), not inside
        elif behind := BEHIND_CODE.match(line):
            yield number, behind[1].strip(), None
        inside = bool(whole)


def broken(place, lines):
    """(rule, line number, what is wrong) of a file; `place` is its path from the root."""
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
    """The same for string literals that begin a text of a table of options."""
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


def found_in(root):
    """{rule: [(place, line number, what is wrong)]} of the tree."""
    found = {}
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

#!/usr/bin/env python3
"""Measures the figures in docs/measurements.md on which the recipes are based: how much is found, and how
much of it is right.

    cmake --build build/release --target sosie_cli
    tools/test_python.sh -k no_test            # the Python package, into build/python-venv
    build/python-venv/bin/python -m pip install -r bench/recipes-requirements.txt
    SOSIE_DATA=FOLDER build/python-venv/bin/python bench/recipes.py all

    recipes.py PART... [--sosie build/release/sosie] [--data FOLDER]

  news          pages of several sites, with and without extracting the text
  baskets       held-out purchases and guesses, compared with the most popular products
  low           recall of lsh at thresholds of .2 and .3, over ten seeds, on real baskets (minutes)
  hashes        perceptual hashes: pairs of the same picture within a distance
  nearest       the ten nearest pictures of digits, and how many show the same digit
  passages      duplicates in a store of passages: vectors alone, and checked by text
  molecules     nearest training-set molecules of a test set, for random and scaffold splits
  code          near-duplicate functions of programs
  lines         near-duplicate lines
  spreadsheets  two lists of restaurants: columns joined
  prints        made fingerprints: grids that tell prints of one finger from others
  finders       grid triples beside minhash on these prints
  lookup        sketches of many documents, and questions to them
  contained     200 items planted in 957 MB, removed by one command and by a pipe (TMPDIR: 3 GB)
  all           all of them, and then the tables of docs/measurements.md

Each part writes bench/results/recipes-PART.json and prints its table. `baskets` needs the Python
package, `news` trafilatura, resiliparse and gensim (for its test data, articles of the Australian
Broadcasting Corporation). `low`, `baskets`, `spreadsheets` and `contained` read FOLDER (SOSIE_DATA).
"""

from __future__ import annotations

import csv
import gzip
import importlib.util
import json
import os
import random
import statistics
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path
from typing import Iterator

import tables
from measure import ROOT, argument_parser
from recipe_contained import contained
from recipe_lookup import lookup
from recipe_prints import finders, prints
from recipe_program import SAMPLES, Program, csv_rows, example, share

SEEDS = range(1, 11)


# --- news

SHINGLES = ["stopwords:2", "chars:10", "words:5"]
SHOWN = "all displayed text"
STORY = .6


def articles_of_news() -> list[dict]:
    found = importlib.util.find_spec("gensim")
    if found is None:
        raise SystemExit("news: pip install --no-deps gensim (its test data are news articles)")
    path = Path(found.submodule_search_locations[0], "test/test_data/lee_background.cor")
    lines = path.read_text(encoding="utf-8").splitlines()
    return [{"id": f"n{number}", "text": line} for number, line in enumerate(lines)]


def news(program: Program) -> dict:
    import trafilatura
    from resiliparse.extract.html2text import extract_plain_text

    pages = example("pages")
    with open(SAMPLES / "man-pages.jsonl", encoding="utf-8") as file:
        manual = [row for row in map(json.loads, file) if row["id"].startswith("5.13/")]
    ways = {SHOWN: lambda row: row["text"],
            "trafilatura": lambda row: trafilatura.extract(row["html"]) or "",
            "resiliparse": lambda row: extract_plain_text(row["html"], main_content=True)}
    rows = []
    for name, articles in (("news articles", articles_of_news()), ("manual pages", manual)):
        made = list(pages.rows(articles, 3, 120))
        for way, text_of in ways.items():
            path = program.write("pages.jsonl", [{"id": row["id"], "text": text_of(row)}
                                                 for row in made])
            for shingle in SHINGLES if way == SHOWN else ["words:5"]:
                rows.append([f"{len(made) // 3} {name}", way, f"`{shingle}`",
                             *stories(program, path, shingle, len(made))])
    return {"columns": ["articles, each on 3 sites", "text", "shingles", "mean similarity of copies",
                        "lowest", "found at .6", "same article, share of found pairs"], "rows": rows}


def stories(program: Program, path: Path, shingle: str, pages: int) -> list[str]:
    """Returns the similarities of pairs from the same story, and how many pairs are found at the
    threshold and how many of these are right."""
    found = program.pairs(path, "--shingle", shingle, "--threshold", "0.01", "--recall", "1")["rows"]
    same = [value for left, right, value in found
            if left.partition("/")[2] == right.partition("/")[2]]
    reached = sum(value >= STORY for _, _, value in found)
    right = sum(value >= STORY for value in same)
    lowest = min(same) if len(same) == pages else 0
    return [share(sum(same) / pages), share(lowest), share(right / pages),
            share(right / reached) if reached else ""]


# --- customers and products

BASKETS = [("visits to microsoft.com", "msweb"), ("a grocery shop", "groceries"),
           ("a supermarket", "retail")]


def baskets(program: Program) -> dict:
    recommend = example("recommend")
    rows = []
    for name, file in BASKETS:
        rates = recommend.hit_rates(recommend.read(str(program.data / f"sets-dev/{file}.txt.gz")),
                                    2000, 50, 10, ["jaccard", "cosine", "overlap"])
        rows.append([f"{name} (`{file}`)", f"{rates['others']:,}",
                     *(share(rates[way]) for way in ("popular", "jaccard", "cosine", "overlap"))])
    return {"columns": ["baskets", "customers", "most popular", "`jaccard`", "`cosine`", "`overlap`"],
            "rows": rows}


LOW = ["epub-ge3", "groceries-ge4", "retail-ge5"]
MOST_BASKETS = 10_000  # the first rows of each file
WANTED = [.9, .99]


def low(program: Program) -> dict:
    rows = []
    for name in LOW:
        with gzip.open(program.data / f"sets-dev/{name}.txt.gz", "rt", encoding="utf-8") as file:
            lines = file.readlines()[:MOST_BASKETS]
        sets = program.folder / "baskets.sets"
        sets.write_text("".join(lines), encoding="utf-8")
        for threshold in (.2, .3):
            for row in low_recalls(program, ("pairs", sets, "--threshold", threshold), threshold):
                rows.append([f"{len(lines):,} of `{name}`", share(threshold), *row])
                print(*rows[-1], file=sys.stderr, flush=True)
    return {"columns": ["baskets", "threshold", "pairs", "recall set", "bands × rows",
                        "recall of all (min–max)", "of pairs within .02 (min–max)",
                        "pairs examined by lsh", "by exact"], "rows": rows}


def low_recalls(program: Program, options: tuple, threshold: float) -> Iterator[list[str]]:
    """A row for each requested recall: the share found, over all seeds."""
    out = program.folder / "low.tsv"
    exact = program.into(out, *options, "--method", "exact")["stats"]
    true, near = set(), set()
    for pair, value in numbered(program.read(out)):
        true.add(pair)
        if value < threshold + .02:
            near.add(pair)
    for wanted in WANTED:
        of_all, of_near, candidates = [], [], []
        for seed in SEEDS:
            run = program.into(out, *options, "--method", "lsh", "--recall", wanted, "--seed",
                               seed)["stats"]
            found = {pair for pair, _ in numbered(program.read(out))}
            if not found <= true:
                raise SystemExit("low: lsh reports a pair that is none")
            of_all.append(len(found) / len(true))
            of_near.append(len(found & near) / len(near))
            candidates.append(run["candidates"])
        yield [f"{len(true):,}", share(wanted), f"{run['bands']}×{run['band_rows']}",
               spread(of_all), spread(of_near), f"{statistics.mean(candidates):,.0f}",
               f"{exact['candidates']:,}"]


def numbered(rows: Iterator[tuple[str, str, float]]) -> Iterator[tuple[int, float]]:
    """Pairs of row numbers, each encoded as a single number."""
    for left, right, value in rows:
        yield int(left) << 32 | int(right), value


def spread(values: list[float]) -> str:
    return f"{statistics.mean(values):.4f} ({min(values):.4f}–{max(values):.4f})"


# --- images and retrieval

def hashes(program: Program) -> dict:
    rows = []
    ids = [row["id"] for row in csv_rows(SAMPLES / "emoji.csv.gz")]
    names = Counter(name.partition("/")[2] for name in ids)
    true = sum(count == 2 for count in names.values())
    for column in ("phash", "dhash"):
        for within in (0, 2, 4, 6, 8, 10):
            found = program.pairs(SAMPLES / "emoji.csv.gz", "--kind", "bits", "--column", column,
                                  "--within", within)["rows"]
            same = sum(left.partition("/")[2] == right.partition("/")[2] for left, right, _ in found)
            rows.append([f"`{column}`", str(within), f"{len(found):,}", share(same / true),
                         share(same / len(found))])
    return {"columns": ["hash", "within", "pairs", f"found of {true} that show the same emoji",
                        "precision"], "rows": rows}


NEAREST = ["cosine", "euclidean", "manhattan", "chebyshev", "canberra"]


def nearest(program: Program) -> dict:
    names = SAMPLES / "digits.txt"
    rows = []
    for name in NEAREST:
        found = program.run("query", SAMPLES / "digits.npy", SAMPLES / "digits.npy", "--ids", names,
                            "--other-ids", names, "--measure", name, "--top", 10, "--exclude-self")
        ranks: list[list[bool]] = [[] for _ in range(10)]
        before, rank = None, 0
        for left, right, _ in found["rows"]:
            rank = rank + 1 if left == before else 0
            before = left
            ranks[rank].append(left[-1] == right[-1])
        rows.append([f"`{name}`", *(share(statistics.mean(ranks[at])) for at in (0, 4, 9)),
                     share(statistics.mean(hit for hits in ranks for hit in hits))])
    return {"columns": ["measure", "nearest", "5th", "10th", "all ten"], "rows": rows}


def passages(program: Program) -> dict:
    store = example("passages")
    with open(SAMPLES / "man-pages.jsonl", encoding="utf-8") as file:
        made = store.passages(list(map(json.loads, file)))
    path = program.write("passages.jsonl", made)
    texts = program.pairs(path, "--shingle", "words:2", "--threshold", "0.6", "--recall", "1")
    same = {(left, right) for left, right, _ in texts["rows"]}
    rows = []
    for threshold in (.95, .9, .8, .7, .6, .5):
        found = program.pairs(path, "--kind", "vectors", "--column", "vector", "--threshold",
                              threshold, "--recall", "1")["rows"]
        hits = sum((left, right) in same for left, right, _ in found)
        rows.append([share(threshold), f"{len(found):,}", share(hits / len(same)),
                     share(hits / len(found))])
    return {"columns": ["cosine", "pairs", f"found of {len(same):,} pairs that share .6 of their text",
                        "precision"], "rows": rows}


# --- molecules

BOUNDS = (.5, .6, .7, .8, .9)
SPLITS = 10  # drawn, and averaged


def molecules(program: Program) -> dict:
    table = csv_rows(SAMPLES / "molecules.csv.gz")
    ecfp4 = ("--kind", "sets", "--column", "ecfp4")
    near = program.pairs(SAMPLES / "molecules.csv.gz", *ecfp4, "--threshold", ".5")["rows"]
    groups = {"at random": {row["id"]: row["id"] for row in table},
              "by scaffold": {row["id"]: row["scaffold"] or row["id"] for row in table},
              "by chains of pairs ≥ .5": chains([row["id"] for row in table], near)}
    rows = []
    for split, group in groups.items():
        for way, options in (("`ecfp4` as sets", ecfp4), ("`maccs` as bits", (
                "--kind", "bits", "--column", "maccs", "--measure", "jaccard"))):
            best = Counter()
            asked = 0
            for seed in range(SPLITS):
                test = drawn_groups(table, group, random.Random(seed))
                asked += len(test)
                found = program.run("query", program.write("train.jsonl", [
                    row for row in table if row["id"] not in test]), program.write("test.jsonl", [
                        row for row in table if row["id"] in test]), *options, "--top", 1)["rows"]
                best.update(bound for _, _, value in found for bound in BOUNDS if value >= bound)
            rows.append([split, way, *(share(best[bound] / asked) for bound in BOUNDS)])
    return {"columns": ["split", "fingerprint", "nearest ≥ .5", "≥ .6", "≥ .7", "≥ .8", "≥ .9"],
            "rows": rows}


def chains(ids: list[str], pairs: list[tuple[str, str, float]]) -> dict[str, str]:
    """The group of each id; ids connected by pairs form a group."""
    group = {name: name for name in ids}

    def root(name: str) -> str:
        while group[name] != name:
            name = group[name]
        return name
    for left, right, _ in pairs:
        group[root(right)] = root(left)
    return {name: root(name) for name in ids}


def drawn_groups(table: list[dict], group: dict[str, str], draw: random.Random) -> set[str]:
    """Draws complete groups, at most a fifth of all rows; returns their ids."""
    members: dict[str, list[str]] = {}
    for row in table:
        members.setdefault(group[row["id"]], []).append(row["id"])
    taken: set[str] = set()
    for name in draw.sample(sorted(members), len(members)):
        if len(taken) + len(members[name]) <= len(table) // 5:
            taken.update(members[name])
    return taken


# --- lines and code

LEVELS = {"levels 1–2": "12", "3–4": "34", "5–6": "56"}


def code(program: Program) -> dict:
    """The programs with a function similar to one in the program from which they may have been copied."""
    functions = example("functions")
    rows = []
    for way, comments in (("all", True), ("`--no-comments`", False)):
        made = list(functions.functions(ROOT / "tests/data/ir-plag.jsonl", 4, comments))
        path = program.write("functions.jsonl", made)
        programs = {program_of(row["id"]) for row in made}
        groups = {name: {item for item in programs if "/plagiarized/" in item
                         and item.partition("/L")[2][:1] in levels}
                  for name, levels in LEVELS.items()}
        groups["independent"] = {item for item in programs if "/non-plagiarized/" in item}
        for shingle in ("words:2", "words:3", "words:5", "chars:9"):
            for threshold in (.5, .7):
                found = program.pairs(path, "--shingle", shingle, "--threshold", threshold,
                                      "--recall", "1")["rows"]
                near = {program_of(other) for left, right, _ in found
                        for one, other in ((left, right), (right, left)) if "/original/" in one}
                rows.append([way, f"`{shingle}`", share(threshold), f"{len(found):,}",
                             *(share(len(near & group) / len(group)) for group in groups.values())])
    heads = [f"{name} (of {len(group)})" for name, group in groups.items()]
    return {"columns": ["text", "shingles", "threshold", f"pairs of {len(made)} functions", *heads],
            "rows": rows}


def program_of(function: str) -> str:
    return function.rpartition("/")[0]


def plagiarism(program: Program) -> dict:
    """Measures how often a copied program is rated above independent work on the same task, where
    the rating is the share of the task's original that it contains."""
    with open(ROOT / "tests/data/ir-plag.jsonl", encoding="utf-8") as file:
        rows = [json.loads(row) for row in file]
    originals = program.write("originals.jsonl", [r for r in rows if "/original/" in r["id"]])
    others = [r for r in rows if "/original/" not in r["id"]]
    submitted = program.write("submitted.jsonl", others)
    table = []
    for shingle in ("words:3", "words:5", "chars:9", "chars:15", "chars:25"):
        for ignored in ((), ("--ignore-common", "0.5")):
            found = program.pairs(originals, "--against", submitted, "--measure", "containment",
                                  "--threshold", "0.001", "--shingle", shingle, *ignored)["rows"]
            held = {right: value for left, right, value in found
                    if left.partition("/")[0] == right.partition("/")[0]}
            score = {row["id"]: held.get(row["id"], 0.0) for row in others}
            own = [name for name in score if "/non-plagiarized/" in name]
            copied = [name for name in score if "/plagiarized/" in name]
            groups = [copied, *([name for name in copied if name.partition("/L")[2][:1] in levels]
                                for levels in LEVELS.values())]
            table.append([f"`{shingle}`", ignored[1] if ignored else "",
                          *(share(rated_above([score[name] for name in group],
                                              [score[name] for name in own]))
                            for group in groups)])
    return {"columns": ["shingles", "`--ignore-common`", f"all {len(copied)} copies", *LEVELS],
            "rows": table}


def rated_above(copies: list[float], own: list[float]) -> float:
    """Area under the ROC curve: the share of pairs of a copy and an independent program in which
    the copy is rated higher."""
    above = sum((copy > other) + (copy == other) / 2 for copy in copies for other in own)
    return above / (len(copies) * len(own))


def lines(program: Program) -> dict:
    with open(SAMPLES / "man-pages.jsonl", encoding="utf-8") as file:
        texts = [json.loads(row)["text"] for row in file]
    found = sorted({line.strip() for text in texts for line in text.split("\n")
                    if len(line.strip()) >= 20})
    path = program.folder / "lines.txt"
    path.write_text("\n".join(found) + "\n", encoding="utf-8")
    strings = ("--kind", "strings")
    truth = {pair[:2] for pair in program.pairs(path, *strings, "--threshold", ".85")["rows"]}
    rows = []
    for name, options in (("`--kind strings --threshold 0.85`", (*strings, "--threshold", ".85")),
                          ("`--kind strings --threshold 0.9`", (*strings, "--threshold", ".9")),
                          ("`--kind strings --within 3`", (*strings, "--within", "3")),
                          ("`--shingle chars:3 --threshold 0.7`",
                           ("--shingle", "chars:3", "--threshold", ".7", "--recall", "1")),
                          ("`--shingle chars:3 --threshold 0.5`",
                           ("--shingle", "chars:3", "--threshold", ".5", "--recall", "1")),
                          ("`--shingle words:2 --threshold 0.5`",
                           ("--shingle", "words:2", "--threshold", ".5", "--recall", "1")),
                          ("`--shingle words:5 --threshold 0.5`",
                           ("--shingle", "words:5", "--threshold", ".5", "--recall", "1"))):
        run = program.pairs(path, *options)
        both = sum(pair[:2] in truth for pair in run["rows"])
        rows.append([name, f"{len(run['rows']):,}", share(both / len(truth))])
    return {"columns": [f"{len(found):,} lines", "pairs",
                        f"of {len(truth):,} pairs with an edit similarity of .85 or more"],
            "rows": rows}


# --- spreadsheets

COLUMNS = ["name", "name,addr", "name,addr,city", "name,city"]
SPREADSHEET = [("`--kind strings --clean alnum`", ("--kind", "strings", "--clean", "alnum"), .7),
               ("`--shingle chars:3`", ("--shingle", "chars:3"), .5)]


def spreadsheets(program: Program) -> dict:
    folder = program.data / "records/fodors-zagats"
    with open(folder / "truth.csv", encoding="utf-8") as file:
        truth = {tuple(row) for row in list(csv.reader(file))[1:]}
    rows = []
    for way, options, threshold in SPREADSHEET:
        for columns in COLUMNS:
            found = program.run("query", folder / "zagats.csv", folder / "fodors.csv", *options,
                                "--column", columns, "--threshold", threshold, "--top", 1)["rows"]
            hits = sum((left, right) in truth for left, right, _ in found)
            rows.append([f"`--column {columns}`", f"{way} `--threshold {threshold} --top 1`",
                         str(len(found)), share(hits / len(truth)), share(hits / len(found))])
    linked = program.folder / "links.csv"
    subprocess.run([program.path, "link", folder / "fodors.csv", "--against", folder / "zagats.csv",
                    "-q", "-o", linked], check=True)
    found = {(row["left"], row["right"]) for row in csv_rows(linked)}
    rows.append(["all", "`sosie link`", str(len(found)), share(len(found & truth) / len(truth)),
                 share(len(found & truth) / len(found))])
    return {"columns": ["columns", "compared by", "pairs", f"recall of {len(truth)}", "precision"],
            "rows": rows}


PARTS = {"news": news, "baskets": baskets, "low": low, "hashes": hashes, "nearest": nearest,
         "passages": passages, "molecules": molecules, "code": code, "lines": lines,
         "plagiarism": plagiarism, "spreadsheets": spreadsheets, "prints": prints,
         "finders": finders, "lookup": lookup, "contained": contained}


def main() -> None:
    parser = argument_parser(__doc__)
    parser.add_argument("parts", nargs="+", metavar="PART", choices=[*PARTS, "all"])
    parser.add_argument("--sosie", type=Path, default=ROOT / "build/release/sosie")
    parser.add_argument("--data", type=Path, default=os.environ.get("SOSIE_DATA"))
    parser.add_argument("--results", type=Path, default=ROOT / "bench/results")
    options = parser.parse_args()
    for part in PARTS if "all" in options.parts else options.parts:
        with tempfile.TemporaryDirectory() as folder:
            data = options.data and Path(options.data).resolve()
            result = PARTS[part](Program(options.sosie.resolve(), data, Path(folder)))
        result |= {"suite": "recipe", "command": f"bench/recipes.py {part}"}
        path = options.results / f"recipes-{part}.json"
        path.write_text(json.dumps(result, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
        print("\n".join(tables.TABLES["recipe"](result, False)), flush=True)
    if "all" in options.parts:
        subprocess.run([sys.executable, ROOT / "bench/tables.py", ROOT / "docs/measurements.md"],
                       check=True)


if __name__ == "__main__":
    main()

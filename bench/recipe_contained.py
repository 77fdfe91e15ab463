"""Plants items in a 957 MB training set; one command removes their rows, compared with the pipe
that it replaces."""

from __future__ import annotations

import gzip
import json
import random
from pathlib import Path
from typing import Iterator

import measure
from recipe_program import LIMIT_SECONDS, Program

BYTES = 957_000_000
PLANTED = 200  # one half short texts in full, the other fragments of longer texts
SHORT, LONG, FRAGMENT = range(30, 91), 150, 60  # words
AMONG_ROWS = 250_000
SETS = ("debian-copyright", "licence-texts", "man-pages-versions")
SHARE = "0.8"
MB = 1_000_000

# What the recipe did before --contained: decisions made of pairs by other programs.
PIPE = r"""set -euo pipefail
echo 'id,cluster_id,kept' > leaked.csv
"$0" pairs items.jsonl --against train.jsonl --measure containment --threshold "$1" --threads 1 -q |
  tail -n +2 | awk -F '\t' '{print $2 "," $1 ",false"}' | sort -u -t , -k 1,1 >> leaked.csv
"$0" dedup train.jsonl --reuse leaked.csv -o clean.jsonl --removed removed.tsv --threads 1 -q
"""


def texts(program: Program, name: str) -> Iterator[str]:
    with gzip.open(program.data / name / f"{name}.jsonl.gz", "rt", encoding="utf-8") as lines:
        for line in lines:
            yield json.loads(line)["text"]


def items_and_rest(program: Program, draw: random.Random) -> tuple[list[tuple[str, str]], str]:
    """Items, each with the text that its row holds; and all other texts."""
    described = list(texts(program, "debian-descriptions"))
    draw.shuffle(described)
    half = PLANTED // 2
    whole = [text for text in described if len(text.split()) in SHORT][:half]
    hosts = [text for text in described if len(text.split()) >= LONG][:half]
    items = [(text, text) for text in whole]
    for text in hosts:
        words = text.split()
        begin = draw.randrange(len(words) - FRAGMENT)
        items.append((" ".join(words[begin:begin + FRAGMENT]), text))
    gone = {*whole, *hosts}
    rest = [text for text in described if text not in gone]
    for name in SETS:
        rest += texts(program, name)
    draw.shuffle(rest)
    return items, "\n".join(rest)


def plant(program: Program) -> set[str]:
    """Writes items.jsonl and train.jsonl, whose rows are pieces of about 3 kB from the other texts,
    half of them with shuffled lines. Returns the rows that contain an item."""
    draw = random.Random(1)
    items, rest = items_and_rest(program, draw)
    program.write("items.jsonl", [{"id": f"q{i}", "text": item} for i, (item, _) in enumerate(items)])
    rows = dict(zip(draw.sample(range(AMONG_ROWS), PLANTED), range(PLANTED)))
    written = number = 0
    with open(program.folder / "train.jsonl", "wb") as out:
        while written < BYTES:
            begin = draw.randrange(len(rest) - 6_000)
            text = rest[begin:begin + draw.randrange(1_000, 5_500)]
            if number % 2 == 1:
                lines = text.split("\n")
                draw.shuffle(lines)
                text = "\n".join(lines)
            if number in rows:
                middle = len(text) // 2
                text = f"{text[:middle]}\n{items[rows[number]][1]}\n{text[middle:]}"
            line = json.dumps({"id": f"d{number}", "text": text}).encode() + b"\n"
            written += out.write(line)
            number += 1
    if number < AMONG_ROWS:
        raise SystemExit(f"contained: only {number} rows")
    return {f"d{row}" for row in rows}


def contained(program: Program) -> dict:
    planted = plant(program)
    pipe = ["bash", "-c", f"cd {program.folder} && exec bash -c \"$0\" \"$@\"", PIPE, program.path, SHARE]
    one = [program.path, "dedup", program.folder / "train.jsonl", "--against", program.folder / "items.jsonl",
           "--contained", SHARE, "-o", program.folder / "clean.jsonl", "--removed",
           program.folder / "removed.tsv", "--threads", "1", "-q"]
    ways = {f"`dedup --against --contained {SHARE}`": one,
            "the same, `--memory 256M`": [*one, "--memory", "256M"],
            "`pairs`, `awk`, `sort`, `dedup --reuse`": pipe}
    rows = []
    for name, command in ways.items():
        took = measure.run(command, 1, LIMIT_SECONDS)
        removed = {row for row, _, _ in program.read(program.folder / "removed.tsv")}
        rows.append([name, f"{len(planted & removed)} of {PLANTED}", f"{len(removed):,}",
                     f"{took['cpu_seconds']:.1f} s", f"{took['peak_mb']:,.0f} MB"])
    return {"columns": ["command", "planted items found", "rows removed", "CPU time", "memory"], "rows": rows}

"""Measures documents that are sketched once and queried repeatedly."""

from __future__ import annotations

import json
import random
import re
import statistics
from collections import Counter
from itertools import accumulate
from pathlib import Path

import measure
from recipe_program import LIMIT_SECONDS, SAMPLES, Program

DOCUMENTS = (100_000, 1_000_000)
LETTERS = 300  # minimum bytes of a document
QUESTIONS = (1, 1_000)
ROUNDS = 3
OPTIONS = ("--threshold", "0.6", "--threads", "1", "-q")
MB = 1_000_000


def documents(path: Path, count: int) -> None:
    """Words with the same frequencies as in the manual pages, chosen one by one."""
    found = Counter()
    with open(SAMPLES / "man-pages.jsonl", encoding="utf-8") as pages:
        for page in pages:
            found.update(re.findall(r"\w+", json.loads(page)["text"]))
    words, weights = list(found), list(accumulate(found.values()))
    draw = random.Random(1)
    with open(path, "w", encoding="utf-8") as out:
        for number in range(count):
            text = ""
            while len(text) < LETTERS:
                text += " ".join(draw.choices(words, cum_weights=weights, k=16)) + " "
            out.write(json.dumps({"id": f"d{number}", "text": text[:LETTERS]}) + "\n")


def lookup(program: Program) -> dict:
    everything = program.folder / "documents.jsonl"
    documents(everything, max(DOCUMENTS))
    rows = []
    for count in DOCUMENTS:
        path = program.folder / f"{count}.jsonl"
        copy_lines(everything, path, count)
        sketch, plan = program.folder / f"{count}.sketch", program.folder / "plan.json"
        run(program, "plan", path, *OPTIONS, "--method", "lsh", "-o", plan)
        made = run(program, "sketch", path, *OPTIONS, "--plan", plan, "-o", sketch)
        row = [f"{count:,}", f"{sketch.stat().st_size / MB:,.0f} MB", seconds(made)]
        for asked in QUESTIONS:
            questions = program.folder / "questions.jsonl"
            copy_lines(path, questions, asked)
            hits = program.folder / "hits.tsv"
            runs = [run(program, "query", sketch, questions, *OPTIONS, "--top", "2", "-o", hits)
                    for _ in range(ROUNDS)]
            found = {left for left, right, _ in program.read(hits) if left == right}
            if len(found) != asked:
                raise SystemExit(f"lookup: {len(found)} of {asked} questions found themselves")
            row.append(seconds(*runs))
        rows.append([*row, f"{runs[0]['peak_mb']:,.0f} MB"])
    return {"columns": ["documents", "sketches", "hashed in", "one query", "a thousand",
                        "memory of these queries"], "rows": rows}


def copy_lines(source: Path, target: Path, count: int) -> None:
    with open(source, "rb") as lines, open(target, "wb") as out:
        for _, line in zip(range(count), lines):
            out.write(line)


def run(program: Program, *arguments: object) -> dict:
    return measure.run([program.path, *arguments], 1, LIMIT_SECONDS)


def seconds(*runs: dict) -> str:
    return f"{statistics.median(run['cpu_seconds'] for run in runs):.2f} s"

#!/usr/bin/env python3
"""The sets used to measure joins, each a file of distinct sets, one per line, with elements
separated by spaces.

  quest, uniform, zipf   generated from a seed (made_sets.h)
  word-3-grams           the runs of 3 letters in each distinct word of 100 MB of kernel sources
  lines                  the words of each line of these sources
  descriptions           the words of each package description ($SOSIE_DATA, debian-descriptions)
  source-files           the words of each file of 400 MB of kernel sources

They are made in build/bench on first use; sets made from text are limited to a million.

    python3 bench/set_files.py quest lines    # make them now
"""

from __future__ import annotations

import re
import subprocess
import sys
from itertools import islice
from pathlib import Path
from typing import Iterable, Iterator

import corpora
from measure import ROOT

MOST_SETS = 1_000_000
WORD = re.compile(r"[0-9A-Za-z_]+")


def set_file(name: str) -> Path:
    def make(out: Path):
        with open(out, "w", encoding="utf-8", newline="\n") as target:
            target.writelines(f"{line}\n" for line in islice(different(MAKERS[name]()), MOST_SETS))
    return corpora.made(f"{name}.sets", make)


def different(lines: Iterable[str]) -> Iterator[str]:
    """Each distinct nonempty line, in the order of first occurrence."""
    return (line for line in dict.fromkeys(lines) if line)


def as_line(elements: Iterable[str]) -> str:
    return " ".join(sorted(set(elements)))


def build_maker(folder: Path) -> Path:
    program = folder / "make_sets"
    subprocess.run(["g++", "-std=c++20", "-O2", f"-I{ROOT}/src", f"-I{ROOT}/include",
                    f"-I{ROOT}/bench", str(ROOT / "bench" / "make_sets.cc"), "-o", str(program)],
                   check=True)
    return program


# --- makers

def made(name: str) -> Iterator[str]:
    with subprocess.Popen([build_maker(corpora.WORK), name], stdout=subprocess.PIPE,
                          text=True) as process:
        yield from (line.rstrip("\n") for line in process.stdout)
    if process.returncode != 0:
        sys.exit(f"make_sets {name} failed")


def texts(corpus: str) -> Iterator[str]:
    return (row["text"] for row in corpora.corpus(corpus).rows())


def word_3_grams() -> Iterator[str]:
    seen: set[str] = set()
    for text in texts("linux:100"):
        for word in WORD.findall(text):
            if word not in seen and len(word) >= 3:
                seen.add(word)
                yield as_line(word[at:at + 3] for at in range(len(word) - 2))


def lines() -> Iterator[str]:
    return (as_line(WORD.findall(line)) for text in texts("linux:100") for line in text.split("\n"))


def documents(corpus: str) -> Iterator[str]:
    return (as_line(WORD.findall(text)) for text in texts(corpus))


MAKERS = {
    "quest": lambda: made("quest"),
    "uniform": lambda: made("uniform"),
    "zipf": lambda: made("zipf"),
    "word-3-grams": word_3_grams,
    "lines": lines,
    "descriptions": lambda: documents("debian-descriptions"),
    "source-files": lambda: documents("linux:400"),
}

if __name__ == "__main__":
    for wanted in sys.argv[1:]:
        print(set_file(wanted))

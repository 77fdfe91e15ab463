#!/usr/bin/env python3
"""The collections used for measurements, each a JSONL file with `id` and `text`.

  sample             the repository's own sample: 2.4 MB of manual pages
  synthetic:MB       generated from a seed: words by Zipf's law, a fifth of the documents edited copies
  linux:MB           kernel sources, up to 860 MB, in an order that makes any prefix a fair sample
  copies:MB          kernel sources, a tenth of the rows edited copies of earlier rows
  manpages-latin, -cyrillic, -cjk    Debian's translated manual pages
  prose:MB           pieces of the Latin ones with 2 to 3 kB, a tenth of them edited copies
  a name in $SOSIE_DATA, e.g. licence-texts: a set that comes with its exact pairs

They are made or unpacked in build/bench on first use. `linux` and `manpages-*` take their texts
from Debian packages (`apt-get download`), so they need the network once:

    python3 bench/corpora.py linux:100 manpages-cjk     # make them now
"""

from __future__ import annotations

import gzip
import hashlib
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from itertools import accumulate
from operator import itemgetter
from pathlib import Path
from typing import Callable, Iterator

import planted
import truth
from measure import ROOT

WORK = ROOT / "build" / "bench"
KERNEL_PACKAGE = "linux-source-6.1"
KERNEL_SUFFIXES = (".c", ".h", ".S", ".dts", ".dtsi", ".rst", ".yaml")
MANUALS = {script: [f"manpages-{part}" for part in parts.split()] for script, parts in {
    "latin": "de de-dev fr fr-dev es it pl",
    "cyrillic": "ru ru-dev uk uk-dev",
    "cjk": "ja ja-dev zh",
}.items()}
MB = 1_000_000


@dataclass
class Corpus:
    name: str
    path: Path
    pairs: Path | None = None  # exact pairs that came with it

    def rows(self) -> Iterator[dict]:
        with open(self.path, "rb") as lines:
            yield from map(json.loads, lines)

    def ids(self) -> list[str]:
        return [row["id"] for row in self.rows()]

    def truth(self, threshold: tuple[int, int] = (4, 5)) -> truth.Truth:
        """The exact pairs, which either come with the corpus or are computed once and stored."""
        value = threshold[0] / threshold[1]
        if self.pairs is not None:
            return truth.read_pairs(self.pairs, self.ids(), value)
        with open(self.path, "rb") as data:
            digest = hashlib.file_digest(data, "sha256").hexdigest()[:16]
        out = WORK / "truth" / f"{digest}.{threshold[0]}-{threshold[1]}.tsv"
        if not out.exists():
            out.parent.mkdir(parents=True, exist_ok=True)
            program = truth.build_program(WORK)
            truth.compute_pairs(program, (row["text"] for row in self.rows()), threshold, out)
        with open(self.path, "rb") as data:
            return truth.read_computed(out, sum(1 for _ in data), value)

    def description(self) -> dict:
        with open(self.path, "rb") as lines:
            rows = sum(1 for _ in lines)
        return {"name": self.name, "bytes": self.path.stat().st_size, "rows": rows,
                "truth": "exact_pairs" if self.pairs is None else "came with it"}


def corpus(name: str) -> Corpus:
    kind, _, size = name.partition(":")
    if name == "sample":
        return Corpus(name, ROOT / "samples/man-pages.jsonl",
                      ROOT / "samples/man-pages.pairs.word5.tsv")
    if kind == "synthetic":
        return Corpus(name, made(f"synthetic-{size}.jsonl",
                                 lambda out: synthetic(out, int(size) * MB, seed=1, skew=1.0)))
    if kind == "linux":
        return Corpus(name, made(f"linux-{size}.jsonl", lambda out: prefix(
            made("linux.jsonl", kernel_sources), out, int(size) * MB)))
    if kind == "copies":
        return Corpus(name, made(f"copies-{size}.jsonl", lambda out: with_copies(
            map(itemgetter("text"), corpus(f"linux:{size}").rows()), out, int(size) * MB)))
    if kind == "prose":
        return Corpus(name, made(f"prose-{size}.jsonl", lambda out: with_copies(
            pieces(corpus("manpages-latin")), out, int(size) * MB)))
    if kind.startswith("manpages-"):
        packages = MANUALS[kind.removeprefix("manpages-")]
        return Corpus(name, made(f"{kind}.jsonl", lambda out: manual_pages(out, packages)))
    folder = Path(os.environ.get("SOSIE_DATA", "")) / name
    packed = folder / f"{name}.jsonl.gz"
    if "SOSIE_DATA" not in os.environ or not packed.exists():
        sys.exit(f"there is no corpus {name}; is SOSIE_DATA set?")
    pairs = next(path for path in (folder / "pairs.word5.ge080.tsv.gz",
                                   folder / "pairs.word5.ge050.tsv.gz") if path.exists())
    return Corpus(name, made(f"{name}.jsonl", lambda out: unpack(packed, out)), pairs)


def made(name: str, make: Callable[[Path], None]) -> Path:
    path = WORK / name
    if not path.exists():
        print(f"making {name}", file=sys.stderr, flush=True)
        WORK.mkdir(parents=True, exist_ok=True)
        unfinished = WORK / f"{name}.unfinished"
        make(unfinished)
        unfinished.rename(path)
    return path


def write(out, identifier: str, text: str) -> int:
    line = json.dumps({"id": identifier, "text": text}, ensure_ascii=False) + "\n"
    data = line.encode("utf-8", "replace")
    out.write(data)
    return len(data)


def unpack(packed: Path, out: Path):
    with gzip.open(packed) as source, open(out, "wb") as target:
        shutil.copyfileobj(source, target, 1 << 20)


def prefix(source: Path, out: Path, size: int):
    """Complete rows, until the size is reached."""
    written = 0
    with open(source, "rb") as lines, open(out, "wb") as target:
        for line in lines:
            if written >= size:
                return
            target.write(line)
            written += len(line)
    if written < size:
        sys.exit(f"{source.name} has only {written / MB:.0f} MB; wanted are {size // MB}")


# --- makers

def synthetic(out: Path, size: int, seed: int, skew: float):
    """Documents of 40 to a few thousand words, from a vocabulary of 50,000 whose n-th word has
    weight 1/n^skew. A fifth are copies of an earlier document or copy, with a run of up to a
    twelfth of the words replaced, so that there are groups of all sizes."""
    rng = random.Random(seed)
    syllables = [a + b for a in "bcdfghjklmnprstvw" for b in "aeiou"]
    vocabulary = sorted({"".join(rng.choices(syllables, k=rng.randint(1, 4)))
                         for _ in range(80_000)})[:50_000]
    rng.shuffle(vocabulary)
    weights = list(accumulate(1 / (n + 1) ** skew for n in range(len(vocabulary))))

    def fresh(words: int) -> list[str]:
        return rng.choices(vocabulary, cum_weights=weights, k=words)

    documents: list[list[str]] = []
    with open(out, "wb") as target:
        written = 0
        while written < size:
            if documents and rng.random() < 0.2:
                words = list(rng.choice(documents))
                run = rng.randint(0, len(words) // 12)
                begin = rng.randint(0, len(words) - run)
                words[begin:begin + run] = fresh(run)
            else:
                words = fresh(min(5000, int(rng.lognormvariate(5.5, 0.8)) + 40))
            text = "\n\n".join(" ".join(words[at:at + 60]) for at in range(0, len(words), 60))
            written += write(target, f"s{len(documents)}", text)
            documents.append(words)


def with_copies(texts: Iterator[str], out: Path, size: int):
    """Yields the texts and, after every ninth one, a copy of an earlier text with a twentieth of
    its words replaced, until the texts run out."""
    rng = random.Random(1)
    editor = None
    seen: list[str] = []
    with open(out, "wb") as target:
        written = 0
        for text in texts:
            if written >= size:
                return
            seen.append(text)
            written += write(target, f"r{len(seen)}", text)
            if len(seen) % 9 != 0:
                continue
            editor = editor or planted.Editor(1, sorted({
                word for one in seen for word in planted.LETTERS.findall(one)}))
            copied = rng.randrange(len(seen))
            written += write(target, f"c{len(seen)}",
                             editor.replace_share(seen[copied], rng.uniform(0, .05)))


def pieces(pages: Corpus) -> Iterator[str]:
    """Pieces of a page that consist of enough lines for 2 to 3 kB."""
    rng = random.Random(1)
    for page in pages.rows():
        piece, wanted = "", rng.randint(2000, 3000)
        for line in page["text"].splitlines(keepends=True):
            piece += line
            if len(piece) >= wanted:
                yield piece
                piece, wanted = "", rng.randint(2000, 3000)


def packages_tree(names: list[str], folder: Path):
    """Unpacks these Debian packages, fetched by apt-get, into a folder."""
    subprocess.run(["apt-get", "download", "-q", *names], cwd=folder, check=True,
                   stdout=subprocess.DEVNULL)
    for package in folder.glob("*.deb"):
        subprocess.run(["dpkg-deb", "-x", package, folder], check=True)


def kernel_sources(out: Path):
    """Source files of 500 to 200,000 bytes, ordered by the SHA-256 of their paths."""
    with tempfile.TemporaryDirectory(dir=out.parent) as name:
        folder = Path(name)
        packages_tree([KERNEL_PACKAGE], folder)
        subprocess.run(["tar", "-xJf", folder / f"usr/src/{KERNEL_PACKAGE}.tar.xz", "-C", folder],
                       check=True)
        tree = folder / KERNEL_PACKAGE
        files = [path for path in tree.rglob("*") if path.suffix in KERNEL_SUFFIXES
                 and not path.is_symlink() and 500 <= path.stat().st_size <= 200_000]
        paths = sorted((str(path.relative_to(tree)) for path in files),
                       key=lambda path: hashlib.sha256(path.encode()).hexdigest())
        with open(out, "wb") as target:
            for path in paths:
                write(target, path, (tree / path).read_text("utf-8", "replace"))


def manual_pages(out: Path, packages: list[str]):
    with tempfile.TemporaryDirectory(dir=out.parent) as name:
        folder = Path(name)
        packages_tree(packages, folder)
        man = folder / "usr/share/man"
        with open(out, "wb") as target:
            for path in sorted(man.rglob("*.gz")):
                if not path.is_symlink():
                    with gzip.open(path) as page:
                        write(target, str(path.relative_to(man))[:-3],
                              page.read().decode("utf-8", "replace"))


if __name__ == "__main__":
    for wanted in sys.argv[1:]:
        print(corpus(wanted).description())

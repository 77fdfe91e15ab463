"""Runs Sosie and the scripts in examples/recipes for the parts of recipes.py."""

from __future__ import annotations

import csv
import gzip
import importlib.util
import json
from pathlib import Path
from typing import Iterator

import measure
from measure import ROOT

EXAMPLES = ROOT / "examples/recipes"
SAMPLES = ROOT / "samples"
LIMIT_SECONDS = 900


class Program:
    """sosie, run in a separate folder."""

    def __init__(self, path: Path, data: Path | None, folder: Path):
        self.path, self.folder, self.given = path, folder, data

    @property
    def data(self) -> Path:
        if self.given is None:
            raise SystemExit("this part reads whole data sets: give --data FOLDER or SOSIE_DATA")
        return self.given

    def run(self, *arguments: object) -> dict:
        """Results as (left, right, value), the --stats, and the result of measure.run()."""
        took = self.into(self.folder / "out.tsv", *arguments)
        return {**took, "rows": list(self.read(self.folder / "out.tsv"))}

    def into(self, out: Path, *arguments: object) -> dict:
        """Writes results; returns the other results of run()."""
        stats = self.folder / "stats.json"
        took = measure.run([self.path, *arguments, "--threads", "1", "-q", "-o", out, "--stats",
                            stats], 1, LIMIT_SECONDS)
        return {**took, "stats": json.loads(stats.read_text())}

    @staticmethod
    def read(out: Path) -> Iterator[tuple[str, str, float]]:
        with open(out, encoding="utf-8") as file:
            rows = (line.rstrip("\n").split("\t") for line in file if not line.startswith("#"))
            next(rows)  # the header
            for row in rows:
                yield row[0], row[1], float(row[2])

    def pairs(self, *arguments: object) -> dict:
        return self.run("pairs", *arguments)

    def write(self, name: str, rows: list[dict]) -> Path:
        path = self.folder / name
        path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
        return path


def example(name: str):
    """A script of examples/recipes, as a module."""
    spec = importlib.util.spec_from_file_location(name, EXAMPLES / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def share(value: float) -> str:
    return f"{value:.3f}".removeprefix("0") if value < 1 else "1"


def csv_rows(path: Path) -> list[dict]:
    opener = gzip.open if path.suffix == ".gz" else open
    with opener(path, "rt", encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))

"""Code shared by the adapters for record linkage.

    ADAPTER.py SET OUTPUT LEFT.csv [RIGHT.csv] [--threads N] [--memory 8G]

SET selects the adapter's rules for a set in bench/record_sets.py ("persons" and "persons-born" for
synthetic persons); the files are written by `RecordSet.given()`. OUTPUT becomes a CSV file
`left,right,score,linked` of all pairs that the tool scored (it may leave out hopeless ones);
`linked` is 1 for the pairs in the tool's own final answer.
"""

from __future__ import annotations

import argparse
import csv
from pathlib import Path


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(allow_abbrev=False)
    parser.add_argument("set")
    parser.add_argument("output", type=Path)
    parser.add_argument("files", type=Path, nargs="+")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--memory", default="12GB")
    return parser.parse_args()


def read(path: Path):
    """All columns as text, empty fields as missing values."""
    import pandas
    return pandas.read_csv(path, dtype=str, keep_default_na=False).replace("", None)


def write(path: Path, pairs):
    """Rows (left, right, score, linked)."""
    with open(path, "w", encoding="ascii", newline="") as out:
        rows = csv.writer(out, lineterminator="\n")
        rows.writerow(["left", "right", "score", "linked"])
        rows.writerows(pairs)

"""Labelled sets of records: the sets in $SOSIE_DATA/records, and synthetic persons.

  febrl3, febrl3-no-ssn, fake-1000                      one collection
  febrl4, febrl4-no-ssn, dblp-acm, fodors-zagats, abt-buy, persons:N      two
  folders of `records.csv` and `truth.csv`                                one
  folders of `left.csv`, `right.csv` and `truth.csv`                      two

`-no-ssn` is the set without `soc_sec_id`. Tools receive neither the entities nor ids that reveal
them: `given()` writes the files with numbered rows and without truth columns.
"""

from __future__ import annotations

import csv
import gzip
import os
import sys
from collections import defaultdict
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path

import person_files

Pairs = set[tuple[str, str]]


def opened(path: Path):
    """A text file, or the compressed one next to it."""
    if path.exists():
        return open(path, encoding="utf-8-sig", newline="", errors="replace")
    return gzip.open(f"{path}.gz", "rt", encoding="utf-8-sig", newline="", errors="replace")


@dataclass
class RecordSet:
    name: str
    files: list[Path]                # one or two
    id_column: str
    entity: str | None = None        # a column in which equal values mean the same entity
    truth_file: Path | None = None   # else pairs of ids
    hidden: tuple[str, ...] = ()     # columns that no tool receives

    def rows(self, side: int) -> list[dict]:
        with opened(self.files[side]) as lines:
            return list(csv.DictReader(lines, restval=""))

    def truth(self) -> Pairs:
        """Pairs of row numbers as text; within one collection, the lower one is on the left."""
        sides = [self.rows(side) for side in range(len(self.files))]
        if self.truth_file is not None:
            numbers = [{row[self.id_column]: str(number) for number, row in enumerate(rows)}
                       for rows in sides]
            with opened(self.truth_file) as lines:
                reader = csv.reader(lines)
                next(reader)
                pairs = [(numbers[0][left], numbers[-1][right]) for left, right, *_ in reader]
            if len(sides) == 2:
                return set(pairs)
            return {(left, right) if int(left) < int(right) else (right, left)
                    for left, right in pairs if left != right}
        groups = [defaultdict(list) for _ in sides]
        for rows, members in zip(sides, groups):
            for number, row in enumerate(rows):
                members[row[self.entity]].append(str(number))
        if len(groups) == 1:
            return {pair for members in groups[0].values() for pair in combinations(members, 2)}
        return {(left, right) for entity, members in groups[0].items()
                for left in members for right in groups[1].get(entity, [])}

    def columns(self, side: int) -> list[str]:
        """The columns of a file that tools receive, in addition to `id`."""
        left_out = {self.id_column, self.entity, *self.hidden}
        return [column for column in self.rows(side)[0] if column not in left_out]

    def given(self, folder: Path) -> list[Path]:
        """Writes the files that tools receive: `id` is the row number."""
        written = []
        for side, name in enumerate(["left.csv", "right.csv"][:len(self.files)]):
            path = folder / name
            with open(path, "w", encoding="utf-8", newline="") as out:
                rows = csv.writer(out, lineterminator="\n")
                columns = self.columns(side)
                rows.writerow(["id", *columns])
                rows.writerows([number, *(row[column].strip() for column in columns)]
                               for number, row in enumerate(self.rows(side)))
            written.append(path)
        return written


AUTOFJ = ["christianbishop", "election", "governmentagency", "hospital", "railwayline", "song"]
PINNED = ["febrl3", "febrl3-no-ssn", "febrl4", "febrl4-no-ssn", "fake-1000", "fodors-zagats",
          "dblp-acm", "abt-buy"]  # sets of bench/goals.toml
SETS = [*PINNED, "rldata10000", "historical50k", "walmart-amazon", "cddb",
        "census-secondstring", "dblp-scholar-6k", "patentsview-inventors", "patstat-assignees",
        "poi-osm-yelp-toronto", "pseudopeople-census-w2", "sigmod22-storage", "wdc-computers",
        *(f"autofj-dev/{table}" for table in AUTOFJ), "foreigners-pl", "splink-transactions"]


def record_set(name: str) -> RecordSet:
    kind, _, rows = name.partition(":")
    if kind == "persons":
        folder = person_files.person_files(int(rows))
        return RecordSet(name, [folder / "a.csv", folder / "b.csv"], "id",
                         truth_file=folder / "truth.csv")
    if kind == "households":
        return RecordSet(name, [person_files.household_file(int(rows))], "id", "entity")
    if "SOSIE_DATA" not in os.environ:
        sys.exit(f"{name}: is SOSIE_DATA set?")
    data = Path(os.environ["SOSIE_DATA"]) / "records"
    base, hidden = (name.removesuffix("-no-ssn"),
                    ("soc_sec_id",) if name.endswith("-no-ssn") else ())
    if base == "febrl3":
        return RecordSet(name, [data / "febrl3/dataset3.csv"], "rec_id", "entity", hidden=hidden)
    if base == "febrl4":
        return RecordSet(name, [data / "febrl4/dataset4a.csv", data / "febrl4/dataset4b.csv"],
                         "rec_id", "entity", hidden=hidden)
    entities = {"fake-1000": ("splink-fake1000", "unique_id", "cluster"),
                "rldata10000": ("rldata10000", "rec_id", "ent_id"),
                "historical50k": ("splink-historical50k", "unique_id", "cluster")}
    if base in entities:
        folder, id_column, entity = entities[base]
        return RecordSet(name, [data / folder / "records.csv"], id_column, entity)
    peers = {"dblp-acm": ("dblp", "acm"), "fodors-zagats": ("fodors", "zagats"),
             "abt-buy": ("abt", "buy"), "walmart-amazon": ("walmart", "amazon")}
    if base not in peers:
        folder = data / base
        files = [folder / "left.csv", folder / "right.csv"]
        if not any(folder.glob("left.csv*")):
            files = [folder / "records.csv"]
        return RecordSet(name, files, "id", truth_file=folder / "truth.csv")
    left, right = peers[base]
    folder = "abt-buy-clean" if base == "abt-buy" else base
    return RecordSet(name, [data / folder / f"{left}.csv", data / folder / f"{right}.csv"], "id",
                     truth_file=data / folder / "truth.csv")


@dataclass
class Quality:
    pairs: int
    precision: float
    recall: float
    f1: float


def quality(found: Pairs, truth: Pairs) -> Quality:
    both = len(found & truth)
    return Quality(len(found), both / len(found) if found else 1.0,
                   both / len(truth) if truth else 1.0,
                   2 * both / (len(found) + len(truth)) if found or truth else 1.0)


def best_f1(scored: list[tuple[float, tuple[str, str]]], truth: Pairs) -> float:
    """Returns the F1 at the best possible cut; pairs with the same score are accepted or rejected
    together."""
    scored = sorted(scored, key=lambda pair: -pair[0])
    best, both = 0.0, 0
    for number, (score, pair) in enumerate(scored, 1):
        both += pair in truth
        if number == len(scored) or scored[number][0] != score:
            best = max(best, 2 * both / (number + len(truth)))
    return best

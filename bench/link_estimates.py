#!/usr/bin/env python3
"""Compares estimates of link quality without labels with the truth, and makes the table in
docs/theory/link-decisions.md.

    build/bench-venv/bin/python bench/link_estimates.py [PROGRAM]     default: build/release/link_estimates

Needs scikit-learn (install_peers.py) and SOSIE_DATA. The score is as simple as possible: the cosine of TF-IDF
weighted character 3-grams over all scored fields, with the ten nearest from either side as candidates;
between two collections, links are assigned one to one. The held-out field is not used.
"""

from __future__ import annotations

import random
import re
import subprocess
import sys
from collections import defaultdict
from itertools import combinations

import record_sets
from measure import ROOT
from sklearn.feature_extraction.text import TfidfVectorizer

TOP = 10
RANDOM_PAIRS = 20_000
# (set, held-out field)
CASES = [("febrl4", "postcode"), ("febrl4", "date_of_birth"), ("febrl3", "date_of_birth"),
         ("dblp-acm", "year"), ("fodors-zagats", "phone"), ("fodors-zagats", "city"),
         ("fodors-zagats", "type"), ("fake-1000", "city"), ("fake-1000", "dob"),
         ("abt-buy", "price")]
# Sets of two collections, for the runner-up rule.
WHOLE = ["febrl4", "dblp-acm", "fodors-zagats", "abt-buy"]
CUTS = [.2, .25, .3, .35, .4, .45, .5, .55, .6]


class Scored:
    """The candidates in a set if `held_out` is not scored."""

    def __init__(self, data: record_sets.RecordSet, held_out: str | None):
        self.sides = [data.rows(side) for side in range(len(data.files))]
        columns = [column for column in data.columns(0)
                   if column != held_out and column in self.sides[-1][0]]
        texts = [[" ".join(row[column].lower() for column in columns if row[column])
                  for row in rows] for rows in self.sides]
        vectors = TfidfVectorizer(analyzer="char", ngram_range=(3, 3), sublinear_tf=True)
        vectors.fit([text for side in texts for text in side])
        weighted = [vectors.transform(side) for side in texts]
        self.products = (weighted[0] @ weighted[-1].T).tocsr()
        self.pairs = self.nearest(self.products)
        if len(self.sides) == 2:
            other = self.nearest(self.products.T.tocsr())
            self.pairs |= {(left, right): score for (right, left), score in other.items()}
        else:
            self.pairs = {(min(pair), max(pair)): score for pair, score in self.pairs.items()}

    def nearest(self, products) -> dict[tuple[int, int], float]:
        pairs = {}
        for row in range(products.shape[0]):
            begin, end = products.indptr[row], products.indptr[row + 1]
            scores, columns = products.data[begin:end], products.indices[begin:end]
            best = scores.argsort(kind="stable")[::-1][:TOP + 1]
            others = [at for at in best if len(self.sides) == 2 or columns[at] != row]
            pairs |= {(row, int(columns[at])): float(scores[at]) for at in others[:TOP]}
        return pairs


def difference(field: str | None, left: dict, right: dict) -> float:
    """1 if the values differ, 0 if they are equal, -1 if one is missing."""
    if field is None:
        return -1
    values = [row[field].strip().lower() for row in (left, right)]
    if field == "phone":
        values = [re.sub(r"\D", "", value) for value in values]
    return -1 if not all(values) else float(values[0] != values[1])


def judged(program: str, name: str, field: str | None) -> tuple[dict, list, set]:
    """The facts that the program prints, the judged links with scores, and the true pairs."""
    data = record_sets.record_set(name)
    scored = Scored(data, field)
    left, right = scored.sides[0], scored.sides[-1]
    lines = [f"{a} {b} {score:.17g} {difference(field, left[a], right[b])}"
             for (a, b), score in sorted(scored.pairs.items())]
    rng = random.Random(1)
    drawn = [difference(field, rng.choice(left), rng.choice(right)) for _ in range(RANDOM_PAIRS)]
    lines += [f"random {value}" for value in drawn if value >= 0]
    out = subprocess.run([program, "judge", "two" if len(scored.sides) == 2 else "one"],
                         input="\n".join(lines), capture_output=True, text=True, check=True).stdout
    facts: dict = defaultdict(dict)
    links = []
    for line in out.splitlines():
        kind, key, value = line.split(" ", 2)
        if kind == "link":
            other, score = value.split()
            links.append((float(score), (key, other)))
        else:
            facts[kind][key] = value
    return facts, links, data.truth()


def shown(facts: dict, links: list, truth: set) -> list[str]:
    """Cells: estimated matches, estimated F1, F1 at the cut, best F1."""
    best = f"{record_sets.best_f1(links, truth):.3f}"
    if facts["refusal"] != "-":
        return ["refused", "", "", best]
    kept = {pair for score, pair in links if score >= float(facts["cut"]) * (1 - 1e-8)}
    return [f"{float(facts['matches']):,.0f}", f"{float(facts['f1']):.3f}",
            f"{record_sets.quality(kept, truth).f1:.3f}", best]


def line(*cells: str):
    print("| " + " | ".join(cells) + " |", flush=True)


def by_field(program: str):
    line("set", "field", "h₀", "h₁", "true pairs", "estimated", "estimated F1 (95 %)",
         "F1 at its cut", "best F1", "refusal")
    line(*["---"] * 10)
    for name, field in CASES:
        facts, links, truth = judged(program, name, field)
        of = facts["field"]
        matches, estimated, reached, best = shown(of, links, truth)
        if estimated:
            estimated += f" ({float(of['least']):.3f}–{float(of['most']):.3f})"
        line(name, field, f"{float(of['h0']):.3f}", f"{float(of['h1']):.3f}", f"{len(truth):,}",
             matches, estimated, reached, best,
             "" if of["refusal"] == "-" else of["refusal"].split(":")[0])


def by_runners_up(program: str):
    line("set", "true pairs", "estimated", "estimated F1", "F1 at its cut", "best F1")
    line(*["---"] * 6)
    for name in WHOLE:
        facts, links, truth = judged(program, name, None)
        line(name, f"{len(truth):,}", *shown(facts["runners-up"], links, truth))


def grouped(program: str):
    """fake-1000 with the cosine in place of a probability: groups for each cut."""
    data = record_sets.record_set("fake-1000")
    scored = Scored(data, None)
    products = scored.products.tocoo()
    lines = [f"{a} {b} {value:.9g} {int((a, b) in scored.pairs)}" for a, b, value in
             sorted(zip(products.row, products.col, products.data)) if a < b]
    truth = data.truth()
    line("cut", "F1 of components", "F1 of average linkage")
    line(*["---"] * 3)
    for cut in CUTS:
        out = subprocess.run([program, "groups", str(cut), str(len(scored.sides[0]))],
                             input="\n".join(lines), capture_output=True, text=True,
                             check=True).stdout
        cells = []
        for method in ("component", "average"):
            members = defaultdict(list)
            for row in out.splitlines():
                kind, record, first = row.split()
                if kind == method:
                    members[first].append(record)
            found = {pair for group in members.values() for pair in combinations(group, 2)}
            cells.append(f"{record_sets.quality(found, truth).f1:.3f}")
        line(str(cut), *cells)


def main():
    program = sys.argv[1] if len(sys.argv) > 1 else str(ROOT / "build/release/link_estimates")
    for part in (by_field, by_runners_up, grouped):
        part(program)
        print()


if __name__ == "__main__":
    main()

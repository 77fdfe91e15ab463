#!/usr/bin/env python3
"""Guesses what customers will buy next, and counts how often the guesses are right.

    recommend.py [FILE] [--customers 2000] [--neighbours 50] [--guesses 10]

FILE (samples/visits.csv.gz) has rows (customer, product), or, if its name says .txt, a basket a
line. Of each asked customer one purchase is held back; the products of the most similar other
customers are the guesses, weighed by the similarity. Beside them stand the most popular products
that the customer does not have yet.
"""

from __future__ import annotations

import argparse
import csv
import gzip
import json
import random
from collections import Counter, defaultdict

import sosie


def recommend(baskets: list[set[str]], asked: list[set[str]], neighbours: int = 50,
              guesses: int = 10, measure: str = "jaccard") -> list[list[str]]:
    """The products in baskets similar to each given one, best first."""
    near = sosie.query(baskets, asked, top=neighbours, measure=measure)
    scores = [Counter() for _ in asked]
    for customer, other, similarity in near:
        for product in sorted(baskets[other] - asked[customer]):  # which decides ties
            scores[customer][product] += similarity
    return [[product for product, _ in score.most_common(guesses)] for score in scores]


def read(path: str) -> list[set[str]]:
    opener = gzip.open if path.endswith(".gz") else open
    with opener(path, "rt", encoding="utf-8", newline="") as file:
        if path.removesuffix(".gz").endswith(".txt"):
            return [set(line.split()) for line in file]
        baskets = defaultdict(set)
        for customer, product in list(csv.reader(file))[1:]:
            baskets[customer].add(product)
        return list(baskets.values())


def hit_rates(baskets: list[set[str]], customers: int, neighbours: int, guesses: int,
              measures: list[str]) -> dict[str, float]:
    """Shares of held-back purchases that are among the guesses."""
    draw = random.Random(1)
    baskets = [basket for basket in baskets if len(basket) >= 4]
    draw.shuffle(baskets)
    asked, others = baskets[:customers], baskets[customers:]
    held = [draw.choice(sorted(basket)) for basket in asked]
    asked = [basket - {product} for basket, product in zip(asked, held)]
    popular = [product for product, _ in Counter(
        product for basket in others for product in sorted(basket)).most_common()]

    def hits(lists: list[list[str]]) -> float:
        return sum(product in found for product, found in zip(held, lists)) / len(held)

    rates = {"popular": hits([[product for product in popular if product not in basket][:guesses]
                              for basket in asked])}
    for measure in measures:
        rates[measure] = hits(recommend(others, asked, neighbours, guesses, measure))
    return rates | {"asked": len(asked), "others": len(others)}


def main() -> None:
    parser = argparse.ArgumentParser(allow_abbrev=False, description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", nargs="?", default="samples/visits.csv.gz")
    parser.add_argument("--customers", type=int, default=2000)
    parser.add_argument("--neighbours", type=int, default=50)
    parser.add_argument("--guesses", type=int, default=10)
    parser.add_argument("--measures", default="jaccard")
    options = parser.parse_args()
    print(json.dumps(hit_rates(read(options.file), options.customers, options.neighbours,
                               options.guesses, options.measures.split(","))))


if __name__ == "__main__":
    main()

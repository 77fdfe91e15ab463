"""recordlinkage 0.16: the ECM classifier on comparison vectors, as used for FEBRL data in its documentation.

Candidates come from Block on several fields and from sorted neighbourhood. Strings are compared by
Jaro-Winkler, codes and dates by Damerau-Levenshtein, both with a threshold, which the binary ECM classifier
needs. With two tables, its own one-to-one step (`OneToOneLinking`) follows; with one table, its pairs are the
answer, since it has no clustering. It runs on one thread here, because its processes would copy the tables.
"""

import re

import linking
import numpy
import pandas
import recordlinkage
from recordlinkage.index import Block, SortedNeighbourhood
from recordlinkage.network import OneToOneLinking

# For each set: (fields to block on, fields to sort by, comparisons (column, method, threshold)).
PEOPLE = ([("given_name", "surname"), ("surname", "postcode"), ("date_of_birth",),
           ("address_1", "street_number"), ("given_name", "suburb")], ["surname"],
          [("given_name", "jarowinkler", .85), ("surname", "jarowinkler", .85),
           ("date_of_birth", "damerau_levenshtein", .85),
           ("postcode", "damerau_levenshtein", .7), ("street_number", "exact", None),
           ("address_1", "jarowinkler", .85), ("address_2", "jarowinkler", .85),
           ("suburb", "jarowinkler", .85), ("state", "exact", None)])
NUMBER = ("soc_sec_id", "damerau_levenshtein", .85)
RULES = {
    "febrl3": (PEOPLE[0] + [("soc_sec_id",)], PEOPLE[1], PEOPLE[2] + [NUMBER]),
    "febrl3-no-ssn": PEOPLE,
    "fake-1000": ([("first_name",), ("surname",), ("dob",), ("email",)], ["surname"],
                  [("first_name", "jarowinkler", .85), ("surname", "jarowinkler", .85),
                   ("dob", "damerau_levenshtein", .8), ("city", "jarowinkler", .85),
                   ("email", "jarowinkler", .85)]),
    "fodors-zagats": ([("phone",), ("city",)], ["name", "addr"],
                      [("name", "jarowinkler", .8), ("addr", "jarowinkler", .8),
                       ("city", "jarowinkler", .85), ("phone", "damerau_levenshtein", .85)]),
    "dblp-acm": ([("year",)], ["title", "authors"],
                 [("title", "qgram", .7), ("authors", "qgram", .6), ("year", "exact", None)]),
    "abt-buy": ([("brand",)], ["name"],
                [("name", "cosine", .4), ("description", "cosine", .3)]),
}
RULES["febrl4"] = RULES["febrl3"]
RULES["febrl4-no-ssn"] = RULES["febrl3-no-ssn"]
SORTED_WINDOW = 9


def prepared(table, name: str):
    table = table.set_index(table["id"].astype(int).rename("record")).drop(columns="id")
    if name == "fodors-zagats":
        table["phone"] = table["phone"].str.replace("[^0-9]", "", regex=True)
    if name == "abt-buy":
        table["brand"] = [re.split(r"\W", text.lower())[0] for text in table["name"]]
    for column in table:
        table[column] = table[column].str.lower()
    return table


def candidates(tables: list, rules):
    indexer = recordlinkage.Index()
    for fields in rules[0]:
        indexer.add(Block(list(fields), list(fields)))
    for sort_by in rules[1]:
        indexer.add(SortedNeighbourhood(sort_by, sort_by, window=SORTED_WINDOW))
    return indexer.index(*tables)


def compared(tables: list, pairs, rules):
    compare = recordlinkage.Compare()
    for column, method, threshold in rules[2]:
        if method == "exact":
            compare.exact(column, column, label=column)
        else:
            compare.string(column, column, method=method, threshold=threshold, label=column)
    return compare.compute(pairs, *tables)


def main():
    options = linking.arguments()
    rules = RULES[options.set]
    tables = [prepared(linking.read(path), options.set) for path in options.files]
    features = compared(tables, candidates(tables, rules), rules)
    classifier = recordlinkage.ECMClassifier(atol=1e-4)
    linked = classifier.fit_predict(features)
    chances = pandas.Series(classifier.prob(features), index=features.index).clip(1e-12, 1 - 1e-12)
    scores = numpy.log2(chances / (1 - chances))
    if len(tables) == 2:
        linked = OneToOneLinking(method="greedy").compute(
            linked[scores[linked].argsort(kind="stable")[::-1]])
    final = set(linked)
    ordered = lambda pair: pair if len(tables) == 2 else tuple(sorted(pair))  # noqa: E731
    linking.write(options.output, [(*ordered(pair), f"{score:.9g}", int(pair in final))
                                   for pair, score in scores.items()])


if __name__ == "__main__":
    main()

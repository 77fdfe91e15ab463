"""Splink 5 on DuckDB, with blocking rules, comparisons and training as recommended in its tutorials and topic
guides.

Names are compared by Jaro-Winkler with frequency adjustment, dates by DateOfBirthComparison, codes by edit
distance; u comes from random pairs, m from EM within two or three rules, the prior from deterministic rules.
For texts (titles, product names), the tables get a column of rare words, whose arrays a blocking rule
explodes. The final answer consists, with two tables, of the single best links at .5 (no duplicates in either)
and, with one table, of the connected components at .95, as the documentation shows; `score` is the match
weight, so that the runner can determine the result of another cut.
"""

import os
import re
from collections import Counter
from dataclasses import dataclass, field
from itertools import combinations

import duckdb
import linking
import pandas
import splink.comparison_level_library as cll
import splink.comparison_library as cl
from splink import DuckDBAPI, Linker, SettingsCreator, block_on

SEED = 1
CLUSTER_AT = .95  # of one table
LINK_AT = .5      # of two
RANDOM_PAIRS = 1e6  # the default, which is enough for 250,000 rows or more
RARE_WORD = 20    # maximum number of records with a rare word


@dataclass
class Rules:
    blocking: list
    comparisons: list
    train: list          # blocking rules within which m is estimated
    sure: list           # deterministic rules for the prior
    sure_recall: float = .7
    words: str = ""      # a column whose rare words become the array `words`
    texts: tuple = ()    # columns whose words all become an array
    clean: dict = field(default_factory=dict)
    joined: dict = field(default_factory=dict)  # names of columns made from two others
    dates: tuple = ()
    numbers: tuple = ()
    prior: float = 1e-4  # where nothing is sure
    random_pairs: float = 1e7


def term(comparison):
    return comparison.configure(term_frequency_adjustments=True)


def date(column: str, pattern: str):
    return cl.DateOfBirthComparison(column, input_is_string=True, datetime_format=pattern,
                                    invalid_dates_as_null=True)


def febrl(number: bool) -> Rules:
    rules = Rules(
        blocking=[block_on("given_name", "surname"), block_on("surname", "postcode"),
                  block_on("given_name", "postcode"), block_on("date_of_birth"),
                  block_on("address_1", "street_number"), block_on("suburb", "surname"),
                  block_on("given_name", "suburb"), block_on("address_1", "postcode"),
                  block_on("address_2", "suburb")],
        comparisons=[term(cl.JaroWinklerAtThresholds("given_name", [.92, .8])),
                     term(cl.JaroWinklerAtThresholds("surname", [.92, .8])),
                     cl.DamerauLevenshteinAtThresholds("date_of_birth", [1, 2]),
                     cl.DamerauLevenshteinAtThresholds("postcode", [1, 2]),
                     cl.LevenshteinAtThresholds("street_number", [1]),
                     term(cl.JaroWinklerAtThresholds("address_1", [.92, .8])),
                     term(cl.JaroWinklerAtThresholds("suburb", [.92, .8])),
                     cl.ExactMatch("state")],
        train=[block_on("date_of_birth"), block_on("given_name", "surname"),
               block_on("postcode", "surname")],
        sure=[block_on("given_name", "surname", "date_of_birth"),
              block_on("date_of_birth", "postcode", "surname"),
              block_on("given_name", "postcode", "date_of_birth")], sure_recall=.8)
    if number:
        rules.blocking.append(block_on("soc_sec_id"))
        rules.comparisons.append(cl.DamerauLevenshteinAtThresholds("soc_sec_id", [1, 2]))
        rules.sure.append(block_on("soc_sec_id"))
        rules.sure_recall = .95
    return rules


def fake_1000() -> Rules:
    return Rules(
        blocking=[block_on("first_name", "city"), block_on("surname"), block_on("dob"),
                  block_on("email"), block_on("first_name", "substr(dob, 1, 4)"),
                  block_on("substr(surname, 1, 3)", "substr(dob, 1, 7)"),
                  block_on("first_name", "substr(surname, 1, 2)")],
        comparisons=[cl.ForenameSurnameComparison("first_name", "surname"),
                     date("dob", "%Y-%m-%d"), term(cl.ExactMatch("city")),
                     cl.EmailComparison("email")],
        train=[block_on("dob"), block_on("first_name", "surname"), block_on("email")],
        sure=[block_on("first_name", "surname", "dob"), block_on("email")], sure_recall=.7)


def historical50k() -> Rules:
    """As in Splink's demo "Deduplicate 50k rows historical persons"."""
    return Rules(
        blocking=[block_on("substr(first_name, 1, 3)", "substr(surname, 1, 4)"),
                  block_on("surname", "dob"), block_on("first_name", "dob"),
                  block_on("postcode_fake", "first_name"), block_on("postcode_fake", "surname"),
                  block_on("dob", "birth_place"), block_on("substr(postcode_fake, 1, 3)", "dob"),
                  block_on("substr(postcode_fake, 1, 3)", "first_name"),
                  block_on("substr(postcode_fake, 1, 3)", "surname"),
                  block_on("substr(first_name, 1, 2)", "substr(surname, 1, 2)",
                           "substr(dob, 1, 4)")],
        comparisons=[cl.ForenameSurnameComparison(
                         "first_name", "surname",
                         forename_surname_concat_col_name="first_name_surname"),
                     date("dob", "%Y-%m-%d"), cl.PostcodeComparison("postcode_fake"),
                     term(cl.ExactMatch("birth_place")), term(cl.ExactMatch("occupation"))],
        train=[block_on("first_name", "surname"), block_on("dob")],
        sure=[block_on("first_name", "surname", "dob"),
              block_on("substr(first_name, 1, 2)", "surname", "substr(postcode_fake, 1, 2)"),
              block_on("dob", "postcode_fake")], sure_recall=.6,
        joined={"first_name_surname": ("first_name", "surname")})


def transactions() -> Rules:
    """As in Splink's demo "Linking banking transactions", which knows that each transaction has a partner."""
    amounts = "l.amount / r.amount > 0.7 and l.amount / r.amount < 1.3"
    memos = "substr(l.memo, 1, 3) = substr(r.memo, 1, 3)"
    month, week = "strftime(r.transaction_date, '%Y%m')", "yearweek(r.transaction_date)"
    within = "transaction_date_r - transaction_date_l between 0 and {}"
    return Rules(
        blocking=[f"strftime(l.transaction_date, '%Y%m') = {month} and {memos} and {amounts}",
                  f"strftime(l.transaction_date + 15, '%Y%m') = {month} and {memos} and {amounts}",
                  block_on("substr(memo, 1, 9)"),
                  f"round(l.amount / 2, 0) * 2 = round(r.amount / 2, 0) * 2 "
                  f"and {week} = yearweek(l.transaction_date)",
                  f"round(l.amount / 2, 0) * 2 = round((r.amount + 1) / 2, 0) * 2 "
                  f"and {week} = yearweek(l.transaction_date + 4)"],
        comparisons=[cl.CustomComparison(
            output_column_name="amount",
            comparison_levels=[cll.NullLevel("amount"), cll.ExactMatchLevel("amount"),
                               *(cll.PercentageDifferenceLevel("amount", part)
                                 for part in (.01, .03, .1, .3)), cll.ElseLevel()]),
            cl.LevenshteinAtThresholds("memo", [2, 6, 10]),
            cl.CustomComparison(
                output_column_name="transaction_date",
                comparison_levels=[cll.NullLevel("transaction_date"),
                                   *({"sql_condition": within.format(most),
                                      "label_for_charts": f"{most} days"} for most in (1, 4, 10, 30)),
                                   cll.ElseLevel()])],
        train=[block_on("memo"), block_on("amount")], sure=[], prior=1 / 45326,
        dates=("transaction_date",), numbers=("amount",), random_pairs=RANDOM_PAIRS)


def persons(born_alone: bool) -> Rules:
    rules = [block_on("phone"), block_on("date_of_birth", "surname"),
             block_on("date_of_birth", "first_name"), block_on("first_name", "surname"),
             block_on("surname", "postcode"), block_on("address")]
    if born_alone:
        rules = [block_on("phone"), block_on("date_of_birth"), block_on("first_name", "surname"),
                 block_on("surname", "postcode"), block_on("address")]
    return Rules(
        blocking=rules,
        comparisons=[term(cl.JaroWinklerAtThresholds("first_name", [.92, .8])),
                     term(cl.JaroWinklerAtThresholds("surname", [.92, .8])),
                     cl.DamerauLevenshteinAtThresholds("date_of_birth", [1, 2]),
                     cl.LevenshteinAtThresholds("address", [1, 3]),
                     cl.LevenshteinAtThresholds("postcode", [1]),
                     term(cl.LevenshteinAtThresholds("city", [1, 3])),
                     cl.LevenshteinAtThresholds("phone", [1])],
        train=[block_on("phone"), block_on("first_name", "surname")],
        sure=[block_on("phone"), block_on("date_of_birth", "surname")], sure_recall=.9,
        random_pairs=RANDOM_PAIRS)


def jaccard(column: str, *levels: float):
    """Similarity of the words of a text, which are in an array column."""
    left, right = (f'"{column}_words_{side}"' for side in "lr")
    both = f"len(list_intersect({left}, {right}))"
    value = f"{both} / greatest(1, len({left}) + len({right}) - {both})"
    return cl.CustomComparison(
        output_column_name=column,
        comparison_levels=[cll.NullLevel(f"{column}_words"),
                           *({"sql_condition": f"{value} >= {level}",
                              "label_for_charts": f"words {level}"} for level in levels),
                           cll.ElseLevel()])


def shared_words(*sizes: int):
    return cl.ArrayIntersectAtSizes("words", list(sizes))


def exploded():
    return block_on("words", arrays_to_explode=["words"])


RULES = {
    "febrl3": lambda: febrl(True), "febrl4": lambda: febrl(True),
    "febrl3-no-ssn": lambda: febrl(False), "febrl4-no-ssn": lambda: febrl(False),
    "fake-1000": fake_1000, "historical50k": historical50k,
    "splink-transactions": transactions,
    "persons": lambda: persons(False), "persons-born": lambda: persons(True),
    "fodors-zagats": lambda: Rules(
        blocking=[block_on("phone"), block_on("name"), block_on("addr"),
                  block_on("substr(name, 1, 4)"), block_on("substr(addr, 1, 6)", "city"),
                  exploded()],
        comparisons=[cl.JaroWinklerAtThresholds("name", [.92, .8]),
                     cl.JaroWinklerAtThresholds("addr", [.92, .8]),
                     term(cl.JaroWinklerAtThresholds("city", [.92])),
                     cl.LevenshteinAtThresholds("phone", [1, 3])],
        train=[block_on("substr(name, 1, 4)"), block_on("phone")],
        sure=[block_on("phone"), block_on("name", "addr")], sure_recall=.8, words="name",
        clean={"phone": r"[^0-9]"}),
    "dblp-acm": lambda: Rules(
        blocking=[block_on("title"), block_on("substr(title, 1, 12)"),
                  block_on("substr(authors, 1, 8)", "year"), exploded()],
        comparisons=[jaccard("title", .99, .8, .6, .4), jaccard("authors", .99, .6, .3),
                     cl.ExactMatch("year")],
        train=[block_on("substr(authors, 1, 8)"), block_on("substr(title, 1, 12)")],
        sure=[block_on("title", "year")], sure_recall=.8, words="title",
        texts=("title", "authors"), random_pairs=1e6),
    "abt-buy": lambda: Rules(
        blocking=[block_on("name"), block_on("substr(name, 1, 10)"), exploded()],
        comparisons=[jaccard("name", .6, .4, .2), shared_words(2, 1),
                     jaccard("description", .4, .2)],
        train=[block_on("substr(name, 1, 10)"), block_on("substr(description, 1, 10)")],
        sure=[block_on("name")], sure_recall=.1, words="name", texts=("name", "description"),
        random_pairs=1e6),
}


def words(text: str | None, least: int = 1) -> list[str]:
    plain = re.sub("[-/]", "", (text or "").lower())
    return sorted({word for word in re.findall("[a-z0-9]+", plain) if len(word) >= least})


def add_words(tables: list, column: str):
    """Adds `words`: the words in the column that occur in few records of all tables."""
    counts = Counter(word for table in tables for text in table[column]
                     for word in words(text, 3))
    for table in tables:
        table["words"] = [[word for word in words(text, 3) if counts[word] <= RARE_WORD] or None
                          for text in table[column]]


def add_columns(table, rules: Rules):
    """Converts the columns of a table, in place, to the form that the rules compare."""
    for column, pattern in rules.clean.items():
        table[column] = table[column].str.replace(pattern, "", regex=True)
    for column in rules.texts:
        table[f"{column}_words"] = [words(text) or None for text in table[column]]
    for column, (first, second) in rules.joined.items():
        table[column] = table[first] + " " + table[second]
    for column in rules.dates:
        table[column] = pandas.to_datetime(table[column]).dt.date
    for column in rules.numbers:
        table[column] = table[column].astype(float)


def train(linker: Linker, rules: Rules):
    if rules.sure:
        linker.training.estimate_probability_two_random_records_match(rules.sure,
                                                                      rules.sure_recall)
    linker.training.estimate_u_using_random_sampling(max_pairs=rules.random_pairs,
                                                     seed=SEED)
    for rule in rules.train:
        linker.training.estimate_parameters_using_expectation_maximisation(rule)


def linked_pairs(linker: Linker, predicted, sides: int) -> set:
    if sides == 2:
        clusters = linker.clustering.cluster_using_single_best_links(
            predicted, duplicate_free_datasets=["table_1", "table_2"],
            threshold_match_probability=LINK_AT)
    else:
        clusters = linker.clustering.cluster_pairwise_predictions_at_threshold(
            predicted, threshold_match_probability=CLUSTER_AT)
    groups: dict = {}
    for row in clusters.as_pandas_dataframe().itertuples():
        groups.setdefault(row.cluster_id, []).append(
            (getattr(row, "source_dataset", "table_1"), int(row.id)))
    pairs = set()
    for members in groups.values():
        if sides == 1:
            pairs |= set(combinations(sorted(number for _, number in members), 2))
        elif len(members) == 2:
            pairs.add(tuple(number for _, number in sorted(members)))
    return pairs


def main():
    options = linking.arguments()
    rules = RULES[options.set]()
    tables = [linking.read(path) for path in options.files]
    for table in tables:
        table["id"] = table["id"].astype(int)
        add_columns(table, rules)
    if rules.words:
        add_words(tables, rules.words)
    connection = duckdb.connect(config={"threads": options.threads,
                                        "memory_limit": options.memory})
    database = DuckDBAPI(connection)
    frames = [database.register(table, dataset_display_name=name)
              for name, table in zip(("table_1", "table_2"), tables)]
    settings = SettingsCreator(
        link_type="link_only" if len(tables) == 2 else "dedupe_only",
        blocking_rules_to_generate_predictions=rules.blocking, comparisons=rules.comparisons,
        probability_two_random_records_match=rules.prior, unique_id_column_name="id",
        retain_matching_columns=False,
        retain_intermediate_calculation_columns=False)
    linker = Linker(frames if len(frames) == 2 else frames[0], settings, log_level="ERROR")
    train(linker, rules)
    predicted = linker.inference.predict(threshold_match_probability=.01)
    linked = linked_pairs(linker, predicted, len(tables))
    rows = []
    for row in predicted.as_pandas_dataframe()[["id_l", "id_r", "match_weight"]].itertuples():
        pair = (row.id_l, row.id_r) if len(tables) == 2 or row.id_l < row.id_r else (
            row.id_r, row.id_l)
        rows.append((*pair, row.match_weight, int(pair in linked)))
        linked.discard(pair)
    rows += [(*pair, "", 1) for pair in sorted(linked)]  # connected only through a component
    linking.write(options.output, rows)


if __name__ == "__main__":
    os.environ.setdefault("TQDM_DISABLE", "1")
    main()

#!/usr/bin/env python3
"""Computes the probabilities that Splink assigns to pairs of fake-1000 with given weights: splink_scores.csv.

    python3 -m venv VENV && VENV/bin/pip install splink==5.0.0
    SOSIE_DATA=... VENV/bin/python tests/golden/splink_scores.py

Even rows form one collection, odd rows the other; candidates are pairs with equal first name, surname, birth
date or city. The weights are in splink_model.json, which Sosie also reads; frequencies have half the weight at
levels that are not exact. Each row has the ids and the probabilities without and with frequencies, if either is
at least .011, because Sosie leaves out pairs below .01. tests/cli/test_link_scores.py compares the two.
"""

import csv
import json
import os
from pathlib import Path

import duckdb
import pandas
import splink.comparison_level_library as cll
from splink import DuckDBAPI, Linker, SettingsCreator, block_on

HERE = Path(__file__).parent
LEAST = .011
RULES = ["first_name", "surname", "dob", "city"]


def level(name: str, column: str):
    if name == "equal":
        return cll.ExactMatchLevel(column)
    if name == "different":
        return cll.ElseLevel()
    measure, bound = name.split()
    if measure == "levenshtein":
        return cll.LevenshteinLevel(column, int(bound))
    return cll.JaroWinklerLevel(column, float(bound))


def comparison(field: dict, frequency: bool) -> dict:
    column = field["name"]
    levels = [cll.NullLevel(column)]
    for row in reversed(field["levels"]):
        options = dict(zip(("m_probability", "u_probability"), row["shares"]))
        if frequency and "frequency" in field and row["level"] != "different":
            weight = 1.0 if row["level"] == "equal" else .5
            options |= {"tf_adjustment_column": column, "tf_adjustment_weight": weight}
        levels.append(level(row["level"], column).configure(**options))
    return {"output_column_name": column, "comparison_levels": levels}


def probabilities(tables: list, model: dict, frequency: bool) -> dict:
    database = DuckDBAPI(duckdb.connect())
    settings = SettingsCreator(
        link_type="link_only", unique_id_column_name="id",
        blocking_rules_to_generate_predictions=[block_on(column) for column in RULES],
        comparisons=[comparison(field, frequency) for field in model["fields"]],
        probability_two_random_records_match=model["classes"][0]["share"])
    frames = [database.register(table, dataset_display_name=name)
              for table, name in zip(tables, "ab")]
    linker = Linker(frames, settings)
    predicted = linker.inference.predict().as_pandas_dataframe()
    return {(row.id_l, row.id_r): row.match_probability for row in predicted.itertuples()}


def main():
    path = Path(os.environ["SOSIE_DATA"]) / "records/splink-fake1000/records.csv"
    rows = pandas.read_csv(path, dtype=str, keep_default_na=False).replace("", None)
    rows = rows.rename(columns={"unique_id": "id"})[["id", *RULES, "email"]]
    tables = [rows[rows.index % 2 == side].reset_index(drop=True) for side in (0, 1)]
    model = json.loads((HERE / "splink_model.json").read_text())
    plain, weighed = (probabilities(tables, model, frequency) for frequency in (False, True))
    with open(HERE / "splink_scores.csv", "w", encoding="utf-8", newline="") as out:
        table = csv.writer(out, lineterminator="\n")
        table.writerow(["left", "right", "probability", "with_frequency"])
        for pair in sorted(plain, key=lambda pair: (int(pair[0]), int(pair[1]))):
            if max(plain[pair], weighed[pair]) >= LEAST:
                table.writerow([*pair, f"{plain[pair]:.9f}", f"{weighed[pair]:.9f}"])


if __name__ == "__main__":
    main()

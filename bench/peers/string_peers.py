"""RapidFuzz, SymSpell and DuckDB: pairs of strings within an edit distance.

    string_peers.py cdist|symspell|duckdb FILE WITHIN ROWS

FILE holds one string per line, each once, and is read beforehand. A line of JSON gives the CPU
seconds for a join of all pairs, and the pairs found. cdist and DuckDB compare the first ROWS
strings with all (DuckDB: with 10,000), and their time is scaled to all pairs.
"""

import json
import sys
import time

DUCKDB_STRINGS = 10_000


def cdist(strings: list[str], within: int, rows: int) -> dict:
    import numpy
    from rapidfuzz import process
    from rapidfuzz.distance import Levenshtein
    first = strings[:rows]
    begin = time.process_time()
    distances = process.cdist(first, strings, scorer=Levenshtein.distance, score_cutoff=within,
                              dtype=numpy.uint8, workers=1)
    seconds = time.process_time() - begin
    near = distances <= within
    # Includes each string with itself; a pair of two first rows occurs twice, as when rows are counted.
    of_first = int(near.sum()) - len(first)
    return {"cpu_seconds": seconds * all_pairs(strings) / (len(first) * len(strings)),
            "of_first": of_first}


def duckdb(strings: list[str], within: int, rows: int) -> dict:
    import duckdb as engine
    connection = engine.connect(config={"threads": 1})
    some = strings[:DUCKDB_STRINGS]
    for name, part in (("lefts", some[:rows]), ("rights", some)):
        connection.execute(f"CREATE TABLE {name} AS SELECT unnest(?::VARCHAR[]) AS s", [part])
    begin = time.process_time()
    connection.execute("SELECT count(*) FROM lefts, rights "
                       f"WHERE levenshtein(lefts.s, rights.s) <= {within}").fetchone()
    seconds = time.process_time() - begin
    measured = min(rows, len(some)) * len(some)
    return {"cpu_seconds": seconds * all_pairs(strings) / measured}


def symspell(strings: list[str], within: int, _: int) -> dict:
    from symspellpy import SymSpell, Verbosity
    from symspellpy.editdistance import DistanceAlgorithm, EditDistance
    begin = time.process_time()
    index = SymSpell(max_dictionary_edit_distance=within)
    index.distance_comparer = EditDistance(DistanceAlgorithm.LEVENSHTEIN_FAST)
    for string in strings:
        index.create_dictionary_entry(string, 1)
    found = 0
    for string in strings:
        # Some are named twice.
        found += len({one.term for one in index.lookup(string, Verbosity.ALL,
                                                       max_edit_distance=within)})
    seconds = time.process_time() - begin
    return {"cpu_seconds": seconds, "pairs": (found - len(strings)) // 2}


def all_pairs(strings: list[str]) -> float:
    return len(strings) * (len(strings) - 1) / 2


if __name__ == "__main__":
    with open(sys.argv[2], encoding="utf-8") as lines:
        read = lines.read().splitlines()
    print(json.dumps(globals()[sys.argv[1]](read, *map(int, sys.argv[3:]))))

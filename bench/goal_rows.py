"""Rows of goals.toml that are measured here. Each function returns cases, which have a value and
usually another value to compare it with. Times are single-threaded CPU seconds; values are medians
over interleaved rounds."""

from __future__ import annotations

import argparse
import json
import os
import random
import statistics
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Callable

import corpora
import goal_files
import measure
import tools
import truth

PEERS_PYTHON = measure.ROOT / "build/bench-venv/bin/python"
LIMIT_SECONDS = 900   # of one run
PATIENCE_SECONDS = 60  # seconds for all rounds of a tool
GIVES_LEAST = 1.8     # a machine that slows down two simultaneous runs more is not measured
SEEDS = range(1, 11)
ONE_ROW_THRESHOLDS = (".8", ".3", ".05")
SHORT_TEXTS = 1_000_000
FREE_MB = 128


class NotMeasured(Exception):
    """Something that a row needs is missing."""


class Bench:
    def __init__(self, options: argparse.Namespace, scratch: Path):
        self.sosie, self.rounds, self.scratch = options.sosie, options.rounds, scratch
        self.small = options.small
        if self.small:
            self.rounds = 1

    def run(self, verb: str, *arguments: object, threads: int = 1,
            cores: list[int] | None = None, name: str = "out") -> dict:
        """The result of measure.run(), and the program's stats."""
        stats, out = self.scratch / f"{name}.json", self.answer(verb, name)
        out.unlink(missing_ok=True)  # replacing it would take time
        took = measure.run([self.sosie, verb, *arguments, "--threads", threads, "-q", "-o", out,
                            "--stats", stats], threads, LIMIT_SECONDS, cores)
        return {**took, "stats": json.loads(stats.read_text())}

    def answer(self, verb: str, name: str = "out") -> Path:
        return self.scratch / f"{name}.{'jsonl' if verb == 'dedup' else 'tsv'}"

    def turns(self, calls: dict[str, Callable[[], dict]]) -> dict[str, list[dict]]:
        """The runs of each call, in the same rounds; the first round is discarded."""
        found = measure.interleave(calls, self.rounds, 10 * PATIENCE_SECONDS)
        for name, runs in found.items():
            if isinstance(runs, str):
                raise measure.Failed(f"{name}: {runs}")
        return found

    def corpus(self, name: str) -> corpora.Corpus:
        """At a small size, the sample, whatever is requested."""
        try:
            return corpora.corpus("sample" if self.small else name)
        except SystemExit as reason:
            raise NotMeasured(str(reason)) from None


def median_ratio(above: list[dict], below: list[dict], what: str = "cpu_seconds") -> float:
    return statistics.median(a[what] / b[what] for a, b in zip(above, below))


# --- dedup compared with md5

def beside_md5(bench: Bench, corpus: str, shingle: str = "words:5") -> dict:
    made = bench.corpus(corpus)
    out = bench.scratch / "md5"

    def md5() -> dict:
        measure.run([sys.executable, tools.HERE / "yardsticks.py", "md5", made.path, out], 1,
                    LIMIT_SECONDS)
        return json.loads(out.read_text())
    runs = bench.turns({"md5": md5,
                        "dedup": lambda: bench.run("dedup", made.path, "--shingle", shingle)})
    kept = tools.kept_rows(tools.TOOLS["sosie"], bench.answer("dedup"),
                           {name: row for row, name in enumerate(made.ids())})
    return {"case": corpus.removeprefix("manpages-"),
            "value": median_ratio(runs["md5"], runs["dedup"]),
            "beside": f"{len(kept):,} rows kept"}


def large(bench: Bench) -> list[dict]:
    return [beside_md5(bench, "linux:100")]


def prose(bench: Bench) -> list[dict]:
    return [beside_md5(bench, "prose:50")]


def short(bench: Bench) -> list[dict]:
    return [beside_md5(bench, "debian-descriptions")]


def scripts(bench: Bench) -> list[dict]:
    return [beside_md5(bench, f"manpages-{script}") for script in ("latin", "cyrillic", "cjk")]


def chars(bench: Bench) -> list[dict]:
    return [beside_md5(bench, "linux:100", "chars:9")]


def threads(bench: Bench) -> list[dict]:
    """Corrected for the slowdown of two simultaneous runs in the same round."""
    cores = sorted(os.sched_getaffinity(0))[:2]
    if len(cores) < 2:
        raise NotMeasured("needs two cores")
    cases = []
    for name in ("linux:100", "debian-descriptions"):
        path = bench.corpus(name).path

        def both(path: Path = path) -> dict:
            with ThreadPoolExecutor(2) as pool:
                two = list(pool.map(lambda core: bench.run(
                    "dedup", path, cores=[core], name=f"out{core}"), cores))
            return {"seconds": max(run["seconds"] for run in two)}
        runs = bench.turns({"one": lambda path=path: bench.run("dedup", path), "both": both,
                            "two": lambda path=path: bench.run("dedup", path, threads=2)})
        rounds = [{"given": 2 * one["seconds"] / at_once["seconds"],
                   "speed": one["seconds"] / two["seconds"],
                   "cpu": two["cpu_seconds"] / one["cpu_seconds"]}
                  for one, at_once, two in zip(runs["one"], runs["both"], runs["two"])]
        fair = [one for one in rounds if one["given"] >= GIVES_LEAST]
        if not fair and not bench.small:
            raise NotMeasured("the machine gave two runs at once only "
                              + ", ".join(f"{one['given']:.2f}" for one in rounds))
        fair = fair or rounds
        cases.append({"case": name,
                      "value": statistics.median(2 * one["speed"] / one["given"] for one in fair),
                      "beside": f"CPU × {statistics.median(one['cpu'] for one in fair):.2f}, "
                                f"{len(fair)} of {len(rounds)} rounds"})
    return cases


def growth(bench: Bench) -> list[dict]:
    files = [bench.corpus(f"copies:{size}").path for size in (25, 200)]
    runs = bench.turns({str(path): lambda path=path: bench.run("dedup", path) for path in files})
    small, large_one = runs.values()
    rate = large_one[0]["stats"]["verified"] / max(1, small[0]["stats"]["verified"])
    return [{"case": "25 and 200 MB", "value": median_ratio(large_one, small),
             "beside": f"{rate:.1f} × the pairs verified"}]


def verified_pair(bench: Bench) -> list[dict]:
    """Compared with the same number of unrelated texts."""
    alike, unlike = (goal_files.groups(bench.scratch / f"groups{size}.jsonl",
                                       200 if bench.small else 20_000, size) for size in (20, 1))
    runs = bench.turns({str(path): lambda path=path: bench.run("pairs", path, "--method", "lsh")
                        for path in (alike, unlike)})
    with_pairs, without = runs.values()
    pairs = with_pairs[0]["stats"]["verified"] - without[0]["stats"]["verified"]
    seconds = statistics.median(a["cpu_seconds"] - b["cpu_seconds"]
                                for a, b in zip(with_pairs, without))
    return [{"case": "300 words", "value": 1e6 * seconds / pairs, "beside": f"{pairs:,} pairs"}]


def memory_short(bench: Bench) -> list[dict]:
    count = 20_000 if bench.small else SHORT_TEXTS
    path = goal_files.short_texts(bench.scratch / "short.jsonl", count)
    took = bench.run("dedup", path, "--memory", "64G")
    return [{"case": f"{count:,} texts",
             "value": max(0.0, took["peak_mb"] - FREE_MB) * (1 << 20) / count,
             "beside": f"{took['peak_mb']:.0f} MiB"}]


# --- methods

def one_row(bench: Bench) -> list[dict]:
    path = bench.corpus("debian-descriptions").path
    one = bench.scratch / "one.jsonl"
    with open(path, "rb") as lines:
        one.write_bytes(random.Random(1).choice(list(lines)))
    cases = []
    for threshold in ONE_ROW_THRESHOLDS:
        runs = bench.turns({method: lambda method=method: bench.run(
            "query", path, one, "--threshold", threshold, "--method", method)
            for method in ("exact", "lsh", "brute", "auto")})
        best = min((name for name in runs if name != "auto"),
                   key=lambda name: statistics.median(run["cpu_seconds"] for run in runs[name]))
        cases.append({"case": threshold, "value": median_ratio(runs["auto"], runs[best]),
                      "beside": f"best: {best}"})
    return cases


def tanimoto(bench: Bench) -> list[dict]:
    count = 500 if bench.small else 20_000
    bits, sets = goal_files.fingerprints(bench.scratch, count)
    cases = []
    for threshold in (".7", ".8", ".9"):
        options = ("--id", "row", "--threshold", threshold)
        runs = bench.turns({
            "bits": lambda options=options: bench.run("pairs", bits, *options, "--kind", "bits",
                                                      "--measure", "jaccard", name="bits"),
            "sets": lambda options=options: bench.run("pairs", sets, *options, name="sets")})
        found = [bench.answer("pairs", name).read_text().splitlines()[1:] for name in ("bits", "sets")]
        if sorted(found[0]) != sorted(found[1]):
            raise measure.Failed(f"bits and sets found different pairs at {threshold}")
        cases.append({"case": threshold, "value": median_ratio(runs["bits"], runs["sets"]),
                      "beside": f"{len(found[0]):,} pairs of {count:,}"})
    return cases


# --- recall and precision

TRUE_PAIRS = [("debian-descriptions", (4, 5)), ("licence-texts", (4, 5)),
              ("man-pages-versions", (4, 5)), ("debian-copyright", (4, 5))]


def pairs_by_seed(bench: Bench) -> dict[str, list[dict]]:
    found = {}
    for name, threshold in TRUE_PAIRS[:1] if bench.small else TRUE_PAIRS:
        corpus = bench.corpus(name)
        exact = corpus.truth(threshold)
        row_of = {identifier: row for row, identifier in enumerate(corpus.ids())}
        out = found[name] = []
        for seed in SEEDS:
            bench.run("pairs", corpus.path, "--tokens", "ascii", "--method", "lsh", "--recall",
                      ".99", "--seed", seed)
            pairs = tools.found_pairs(tools.TOOLS["sosie"], bench.answer("pairs"), row_of)
            out.append(truth.score_pairs(pairs, exact))
    return found


def recall(bench: Bench) -> list[dict]:
    return [{"case": name, "value": statistics.mean(one["recall"] for one in runs),
             "beside": f"lowest {min(one['recall'] for one in runs):.4f}"}
            for name, runs in pairs_by_seed(bench).items()]


def precision(bench: Bench) -> list[dict]:
    corpus = bench.corpus("debian-descriptions")
    exact = corpus.truth((4, 5))
    row_of = {identifier: row for row, identifier in enumerate(corpus.ids())}
    cases = []
    for method in ("lsh", "exact"):
        bench.run("pairs", corpus.path, "--tokens", "ascii", "--method", method)
        pairs = tools.found_pairs(tools.TOOLS["sosie"], bench.answer("pairs"), row_of)
        cases.append({"case": method, "value": truth.score_pairs(pairs, exact)["precision"],
                      "beside": f"{len(pairs):,} pairs"})
    return cases


ROWS = {row.__name__: row for row in (
    large, prose, short, scripts, chars, threads, growth, verified_pair, memory_short, one_row,
    tanimoto, recall, precision)}

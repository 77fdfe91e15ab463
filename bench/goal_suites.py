"""Rows of goals.toml that other suites in this folder measure. Each suite runs in its own process,
and its results are read from its files."""

from __future__ import annotations

import json
import os
import re
import statistics
import subprocess
import sys

import goal_rows
import measure
import record_sets
import tools
import vector_joins
from goal_rows import PEERS_PYTHON, Bench, NotMeasured
from measure import ROOT

PACKAGES = ["faiss-cpu", "hnswlib", "numpy", "rensa", "FastSketchLSH", "datasketch", "rapidfuzz",
            "splink"]
SUITE_SECONDS = 1800
SHORT_SETS = ["quest:0.8", "uniform:0.8", "zipf:0.8", "word-3-grams:0.8", "lines:0.8"]
LONG_SETS = ["descriptions:0.8", "source-files:0.7", "source-files:0.9"]
VERIFIED_PEERS = ("sosie", "rensa, matrix, 21×6 bands, verified",
                  "FastSketchLSH, 32×8 bands, verified")
DOCUMENTED_PEERS = ("sosie", "rensa", "rensa, matrix", "FastSketchLSH", "datasketch", "gaoya", "tors",
                    "Daft")
RECALL = .95
RESULTS: dict[tuple, dict] = {}


def suite(bench: Bench, script: str, result: str, *arguments: object) -> dict:
    """Rows that read the same suite share a single run of it."""
    if bench.small:
        raise NotMeasured("not in small")
    if (script, *arguments) not in RESULTS:
        RESULTS[script, *arguments] = new_suite(bench, script, result, *arguments)
    return RESULTS[script, *arguments]


def new_suite(bench: Bench, script: str, result: str, *arguments: object) -> dict:
    command = [sys.executable, ROOT / "bench" / script, *arguments, "--sosie", bench.sosie,
               "--results", bench.scratch]
    try:
        done = subprocess.run([str(part) for part in command], stdout=subprocess.DEVNULL,
                              stderr=subprocess.PIPE, text=True, timeout=SUITE_SECONDS)
    except subprocess.TimeoutExpired:
        raise NotMeasured(f"{script} took more than {SUITE_SECONDS} s") from None
    if done.returncode != 0:
        last = done.stderr.strip().splitlines()[-1:] or ["no message"]
        raise NotMeasured(f"{script}: {last[0]}")
    return json.loads((bench.scratch / f"{result}.json").read_text())


def needs(package: str):
    if package not in measure.packages(PEERS_PYTHON, [package]):
        raise NotMeasured(f"{package} is not installed (bench/install_peers.py)")


# --- texts compared with peers

def beside_peers(bench: Bench, tools: tuple[str, ...], is_fair) -> list[dict]:
    needs("rensa")
    cases = []
    for corpus in ("debian-descriptions", "licence-texts"):
        found = suite(bench, "run.py", f"peers-{corpus}", "peers", "--corpus", corpus, "--tools",
                      ";".join(tools), "--rounds", 3, "--patience", 60)
        rows = {row["tool"]: row for row in found["rows"] if "failed" not in row}
        ours = rows.pop("sosie")
        fair = {name: row for name, row in rows.items() if is_fair(row, ours)}
        if not fair:
            raise NotMeasured(f"no peer qualifies on {corpus}")
        fastest = min(fair, key=lambda name: fair[name]["seconds"])
        cases.append({"case": corpus, "value": fair[fastest]["seconds"] / ours["seconds"],
                      "beside": f"{fastest}, recall {fair[fastest]['recall']:.3f} "
                                f"(ours {ours['recall']:.4f}), "
                                f"{fair[fastest]['false']:,} false removals"})
    return cases


def peers_equal(bench: Bench) -> list[dict]:
    return beside_peers(bench, VERIFIED_PEERS,
                        lambda row, ours: row["recall"] >= .98 * ours["recall"] and not row["false"])


def peers_documented(bench: Bench) -> list[dict]:
    return beside_peers(bench, DOCUMENTED_PEERS, lambda row, ours: True)


# --- memory and methods

def memory_hostile(bench: Bench) -> list[dict]:
    outcomes = bench.scratch / "outcomes.json"
    subprocess.run([sys.executable, ROOT / "bench/hostile_memory.py", "--folder",
                    bench.scratch / "hostile", "--json", outcomes,
                    *(["--small"] if bench.small else ["--memory", "256M"])],
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=SUITE_SECONDS,
                   env=os.environ | {"SOSIE_BIN": str(bench.sosie)})
    done = json.loads(outcomes.read_text())
    return [{"case": "64M" if bench.small else "256M",
             "value": sum(bool(one["broken"]) for one in done), "beside": f"{len(done)} runs"}]


def packed(bench: Bench) -> list[dict]:
    """The worst verb and container for each memory limit, over rows of which a fifth or half are copies."""
    found = suite(bench, "cliffs.py", "packed", "--length", "news", "--rate", ".2", "--rate", ".5",
                  "--megabytes", 30, "--most", 1000)
    worst: dict[str, dict] = {}
    for row in found["rows"]:
        if row["container"] == "plain":
            continue
        value = row["ratio"] or float("inf")
        if value > worst.get(row["memory"], {"value": 0})["value"]:
            worst[row["memory"]] = {"case": row["memory"], "value": value,
                                    "beside": f"{row['verb']}, {row['container']}"}
    return list(worst.values())


def auto(bench: Bench) -> list[dict]:
    """The worst point in method_choice.py."""
    only = ["--only", "groceries"] if bench.small else []
    done = subprocess.run([sys.executable, ROOT / "bench/method_choice.py", bench.sosie, *only,
                           "--rounds", "1" if bench.small else "3"],
                          capture_output=True, text=True, timeout=SUITE_SECONDS)
    worst = re.search(r"^worst: ([\d.]+)$", done.stdout, re.MULTILINE)
    if not worst:
        raise NotMeasured((done.stderr.strip().splitlines() or ["method_choice.py failed"])[-1])
    points = [line for line in done.stdout.splitlines() if line.endswith(f"{worst[1]} |")]
    return [{"case": "worst", "value": float(worst[1]), "beside": points[0].strip("| ")}]


def beside_joins(bench: Bench, points: list[str]) -> list[dict]:
    found = suite(bench, "set_joins.py", "set-joins", "--only", ",".join(points), "--rounds", 3,
                  "--limit", 1)
    cases = []
    for row in found["rows"]:
        joins = row["joins"]
        best = min(("allpairs", "ppjoin"), key=lambda name: joins[name]["cpu_seconds"])
        cases.append({"case": f"{row['sets']} {row['threshold']}", "beside": best,
                      "value": joins[best]["cpu_seconds"] / joins["sosie"]["cpu_seconds"]})
    return cases


def exact_short_sets(bench: Bench) -> list[dict]:
    return beside_joins(bench, SHORT_SETS)


def exact_long_sets(bench: Bench) -> list[dict]:
    return beside_joins(bench, LONG_SETS)


def exact_whole(bench: Bench) -> list[dict]:
    """The whole process, including files and pairs, compared with only the join of the classic programs."""
    import set_files
    found = suite(bench, "set_joins.py", "set-joins", "--only", ",".join(SHORT_SETS), "--rounds", 3,
                  "--limit", 1)
    cases = []
    for row in found["rows"]:
        joins = row["joins"]
        best = min(joins[name]["cpu_seconds"] for name in ("allpairs", "ppjoin"))
        path = set_files.set_file(row["sets"])
        ours = statistics.median(bench.run("pairs", path, "--method", "exact", "--threshold",
                                           row["threshold"])["cpu_seconds"] for _ in range(3))
        cases.append({"case": f"{row['sets']} {row['threshold']}", "value": best / ours})
    return cases


# --- vectors and bits

def vector_rows(bench: Bench) -> list[dict]:
    for package in ("faiss-cpu", "hnswlib"):
        needs(package)
    if not tools.SOSIE_PYTHON.exists():
        raise NotMeasured("the Python package is not there: make test-python")
    return suite(bench, "vector_queries.py", "vector-queries")["rows"]


def rate_at(rows: list[dict], tool: str, recall: float, rate: str) -> float | None:
    """The best result that reaches a recall."""
    return max((row[rate] for row in rows if row["tool"].startswith(tool)
                and row["recall"] >= recall), default=None)


def beside_libraries(bench: Bench, recalls: dict[str, tuple[float, tuple[str, ...]]], rate: str,
                     ) -> list[dict]:
    rows = vector_rows(bench)
    cases = []
    for name, (wanted, peers) in recalls.items():
        for data in ("sift", "glove"):
            of_data = [row for row in rows if row["data"] == data]
            ours = rate_at(of_data, "sosie", wanted, rate)
            rates = {peer: rate_at(of_data, peer, wanted, rate) for peer in peers}
            best = max((peer for peer in peers if rates[peer]), key=rates.get, default=None)
            if best is not None:
                cases.append({"case": name, "value": (ours or 0) / rates[best],
                              "beside": f"{data}, {best}"})
    return cases


def vector_queries(bench: Bench) -> list[dict]:
    found = ("faiss IVF", "hnswlib")
    return beside_libraries(bench, {"recall 1": (1, ("faiss Flat",)), "recall .99": (.99, found),
                                    "recall .95": (.95, found)}, "batched_per_s")


def vector_single(bench: Bench) -> list[dict]:
    return beside_libraries(bench, {"recall .95": (RECALL, ("hnswlib",))}, "single_per_s")


def lsh_peers(bench: Bench) -> list[dict]:
    rows = vector_rows(bench)
    cases = []
    for data in ("sift", "glove"):
        peer = next(row for row in rows if row["data"] == data and row["tool"] == "faiss LSH")
        ours = rate_at([row for row in rows if row["data"] == data], "sosie", peer["recall"],
                       "batched_per_s")
        cases.append({"case": data, "value": ours / peer["batched_per_s"],
                      "beside": f"recall {peer['recall']:.2f}"})
    return cases


def cosine_rows(bench: Bench) -> list[dict]:
    needs("numpy")
    return suite(bench, "vector_joins.py", "vector-joins", "--seeds", 3, "--rounds", 1, "--part", 16,
                 "--only", "glove:0.9,mnist:0.9,sift:0.9")["rows"]


def cosine_exact(bench: Bench) -> list[dict]:
    instructions = measure.cpu()["instructions"]
    case = ("AMX" if "amx_int8" in instructions
            else "AVX-512" if "avx512bw" in instructions else "AVX2")
    return [{"case": case, "value": row["joins"]["sgemm"]["cpu_seconds"]
             / row["joins"]["exact"]["cpu_seconds"],
             "beside": f"{row['vectors']}, sgemm on {row['kernel']}"} for row in cosine_rows(bench)]


def cosine_lsh(bench: Bench) -> list[dict]:
    """The data that lsh is meant for: GloVe and images."""
    cases = []
    for row in cosine_rows(bench):
        if row["vectors"] == "sift":
            continue
        ours = row["joins"][vector_joins.RECALLS[0]]["cpu_seconds"]
        cases += [{"case": name, "value": row["joins"][name]["cpu_seconds"] / ours,
                   "beside": f"{row['vectors']}, recall set to {vector_joins.RECALLS[0]}"}
                  for name in ("sgemm", "exact")]
    return cases


def cosine_million(bench: Bench) -> list[dict]:
    if bench.small:
        raise NotMeasured("not in small")
    needs("numpy")
    import vector_files
    took = bench.run("pairs", vector_files.item_file("million"), "--threshold", ".9")
    return [{"case": "seconds", "value": took["cpu_seconds"], "beside": took["stats"]["method"]},
            {"case": "GB", "value": took["peak_mb"] / 1024, "beside": "peak"}]


def hamming(bench: Bench) -> list[dict]:
    row = suite(bench, "bit_joins.py", "bit-joins", "--rounds", 3)["rows"][0]
    return [{"case": "a million codes", "beside": f"{row['pairs']:,} pairs",
             "value": row["scan"]["cpu_seconds"] / row["exact"]["cpu_seconds"]}]


# --- records and strings

def link_quality(bench: Bench) -> list[dict]:
    found = suite(bench, "link.py", "link-quality", "quality", "--only",
                  ",".join(record_sets.PINNED), "--tools", "sosie,sosie without rules")
    best: dict[str, dict] = {}
    for row in found["rows"]:
        if row["set"] not in best or row["f1"] > best[row["set"]]["f1"]:
            best[row["set"]] = row
    return [{"case": name, "value": row["f1"], "beside": row["tool"]} for name, row in best.items()]


def link_estimate(bench: Bench) -> list[dict]:
    found = suite(bench, "link_checks.py", "link-checks")
    return [{"case": row["set"], "value": abs(row["f1"] - row["estimated_f1"])}
            for row in found["rows"] if isinstance(row.get("estimated_f1"), float)]


def link_speed(bench: Bench) -> list[dict]:
    needs("splink")
    found = suite(bench, "link.py", "link-speed", "speed", "--only", "persons:1000000", "--rounds",
                  1)
    rows = {row["tool"]: row for row in found["rows"]}
    return [{"case": "1 M × 1 M", "value": rows["splink"]["cpu_seconds"]
             / rows["sosie"]["cpu_seconds"],
             "beside": f"{rows['sosie']['peak_mb']:.0f} MiB, F1 {rows['sosie']['f1']:.4f} "
                       f"(Splink {rows['splink']['f1']:.4f})"}]


def strings(bench: Bench) -> list[dict]:
    found = suite(bench, "strings.py", "string-joins", "joins", "--only",
                  "words:2,names:2,addresses:2", "--rounds", 3)
    return [{"case": row["strings"], "value": row["sosie"]["cpu_seconds"],
             "beside": f"{row['sosie']['pairs']:,} pairs"} for row in found["rows"]]


ROWS = {row.__name__: row for row in (
    peers_equal, peers_documented, packed, memory_hostile, auto, exact_short_sets,
    exact_long_sets,
    exact_whole, vector_queries, vector_single, lsh_peers, cosine_exact, cosine_lsh, cosine_million,
    hamming, link_quality, link_estimate, link_speed, strings)}
assert not ROWS.keys() & goal_rows.ROWS.keys()

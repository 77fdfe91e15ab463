#!/usr/bin/env python3
"""Compares indexes on disk with those of other tools: build, size, look-ups one by one, changes.

    tools/test_python.sh -k no_test      # the Python package, into build/python-venv
    python3 bench/install_peers.py       # the others; and redis-server, if it is there
    SOSIE_DATA=FOLDER python3 bench/index_peers.py [--items 100000] [--only TOOL;TOOL]

The texts are those of bench/index.py with two-word shingles, at a Jaccard similarity of 0.8; a
thousand others are looked up. The vectors are those of sift (bench/vector_files.py), scaled to
length 1; the ten nearest by cosine are looked up for a thousand others. Each tool builds its index
in one process and uses it in another (bench/peers/index_peer.py), on one thread; times are
wall-clock times. Recall and precision compare the ids found with sosie's exact answers. Writes
bench/results/index-peers.json and prints its table.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import corpora
import index
import measure
import tables
import vector_queries
from measure import ROOT
from tools import SOSIE_PYTHON
from vector_queries import PEERS_PYTHON

PEER = ROOT / "bench/peers/index_peer.py"
SOSIE = ROOT / "build/release/sosie"
PACKAGES = ["datasketch", "gaoya", "redis", "faiss-cpu", "hnswlib", "lancedb"]
TEXTS = ["sosie", "datasketch", "datasketch, 21x6", "datasketch on Redis", "gaoya"]
VECTORS = ["sosie, vectors", "sosie, lists, recall .95", "FAISS IVF", "hnswlib", "LanceDB"]
ASKED, ADDED = 1000, 300
LIMIT_SECONDS = 1800
REDIS_PORT = 6399


def text_files(items: int, folder: Path) -> dict[str, Path]:
    figures = index.IndexFigures(folder, items)
    files = {"items": figures.rows}
    for name, texts, prefix in (("asked", figures.asked[:ASKED], "q"),
                                ("added", [figures.fresh.next() for _ in range(ADDED)], "new")):
        files[name] = folder / f"{name}.jsonl"
        with open(files[name], "w", encoding="utf-8") as out:
            index.write_rows(out, iter(texts), prefix)
    return files


def text_truth(files: dict[str, Path], folder: Path) -> list[set]:
    found = folder / "truth.tsv"
    subprocess.run([SOSIE, "query", files["items"], files["asked"], *index.PLAN, "--method", "exact",
                    "--quiet", "-o", found], check=True)
    truth: dict[str, set] = {}
    for line in found.read_text(encoding="utf-8").splitlines()[1:]:
        asked, item = line.split("\t")[:2]
        truth.setdefault(asked, set()).add(item)
    return [truth.get(f"q{number}", set()) for number in range(ASKED)]


def vector_files_of(folder: Path) -> dict[str, Path]:
    vector_queries.split_data("sift", folder)
    added = folder / "added.npy"
    code = "import sys, numpy; numpy.save(sys.argv[2], numpy.load(sys.argv[1])[:int(sys.argv[3])])"
    subprocess.run([PEERS_PYTHON, "-c", code, folder / "queries.npy", added, str(ADDED)],
                   check=True)
    return {"items": folder / "data.npy", "asked": folder / "queries.npy", "added": added}


def vector_truth(files: dict[str, Path], folder: Path) -> list[set]:
    found = folder / "truth.tsv"
    subprocess.run([SOSIE, "query", files["items"], files["asked"], "--top", "10", "--method",
                    "exact", "--quiet", "-o", found], check=True)
    truth: list[set] = [set() for _ in range(ASKED)]
    for line in found.read_text(encoding="utf-8").splitlines()[1:]:
        asked, item = line.split("\t")[:2]
        truth[int(asked)].add(int(item))
    return truth


def run_peer(tool: str, arguments: list, out: Path) -> dict:
    python = SOSIE_PYTHON if tool.startswith("sosie") else PEERS_PYTHON
    measure.run([python, PEER, *arguments, out], 1, LIMIT_SECONDS)
    return json.loads(out.read_text())


class Redis:
    """A server for one tool; its bytes are its memory and the file that it saves."""

    def __init__(self, folder: Path):
        self.folder = folder
        self.process = subprocess.Popen(
            ["redis-server", "--port", str(REDIS_PORT), "--dir", folder, "--appendonly", "yes",
             "--save", ""], stdout=subprocess.DEVNULL)
        time.sleep(1)

    def peak_mb(self) -> float:
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        return next(int(line.split()[1]) for line in status.splitlines()
                    if line.startswith("VmHWM")) / 1024

    def stop(self):
        self.process.terminate()
        self.process.wait()


def measured(tool: str, files: dict[str, Path], truth: list[set]) -> dict:
    with tempfile.TemporaryDirectory(dir=corpora.WORK) as scratch:
        folder, out = Path(scratch) / "index", Path(scratch) / "out.json"
        folder.mkdir()
        redis = Redis(folder) if "Redis" in tool else None
        try:
            made = run_peer(tool, ["make", tool, folder, files["items"]], out)
            held = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
            used = run_peer(tool, ["use", tool, folder, *files.values()], out)
            more_mb = redis.peak_mb() if redis else 0
        except (measure.Failed, OSError) as reason:
            return {"tool": tool, "failed": str(reason)[-300:]}
        finally:
            if redis:
                redis.stop()
        found = [set(row) for row in used.pop("found")]
    right = sum(len(row & wanted) for row, wanted in zip(found, truth))
    return {"tool": tool, "build_seconds": made["seconds"], "build_peak_mb": made["peak_mb"] + more_mb,
            "bytes": held, **used, "peak_mb": used["peak_mb"] + more_mb,
            "recall": right / sum(map(len, truth)), "precision": right / sum(map(len, found))}


def main() -> int:
    parser = measure.argument_parser(__doc__)
    parser.add_argument("--items", type=int, default=100_000, help="texts (default: 100000)")
    parser.add_argument("--only", default=";".join([*TEXTS, *VECTORS]), help="with ; between")
    parser.add_argument("--results", type=Path, default=ROOT / "bench/results")
    options = parser.parse_args()
    wanted = options.only.split(";")
    rows = []
    for tools, files_of, truth_of, items in (
            (TEXTS, lambda folder: text_files(options.items, folder), text_truth,
             f"{options.items:,} texts"),
            (VECTORS, vector_files_of, vector_truth, "sift")):
        tools = [tool for tool in tools if tool in wanted]
        if not tools:
            continue
        with tempfile.TemporaryDirectory(dir=corpora.WORK) as scratch:
            files = files_of(Path(scratch))
            truth = truth_of(files, Path(scratch))
            for tool in tools:
                if "Redis" in tool and not shutil.which("redis-server"):
                    rows.append({"items": items, "tool": tool, "failed": "no redis-server"})
                    continue
                print(tool, file=sys.stderr, flush=True)
                rows.append({"items": items, **measured(tool, files, truth)})
    result = {"suite": "index_peers", "rows": rows,
              "surroundings": measure.surroundings(SOSIE, PEERS_PYTHON, PACKAGES),
              "command": f"python3 bench/index_peers.py --items {options.items}"}
    (options.results / "index-peers.json").write_text(
        json.dumps(result, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    print("\n".join(tables.TABLES["index_peers"](result, False)))
    return 0


if __name__ == "__main__":
    sys.exit(main())

"""Runs programs as separate processes, measures them from outside, and describes the machine."""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import platform
import re
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Callable

ROOT = Path(__file__).resolve().parents[1]
# Variables that tell common numerical libraries how many threads they may start.
THREAD_VARIABLES = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS",
                    "RAYON_NUM_THREADS", "POLARS_MAX_THREADS", "NUMEXPR_NUM_THREADS")


class Failed(Exception):
    """A program failed, or exceeded its time limit."""


def argument_parser(doc: str, prog: str | None = None) -> argparse.ArgumentParser:
    """A parser whose help is the documentation of a file, as written."""
    return argparse.ArgumentParser(prog=prog, allow_abbrev=False, description=doc,
                                   formatter_class=argparse.RawDescriptionHelpFormatter)


def run(command: list, threads: int, limit_seconds: float,
        on_cores: list[int] | None = None) -> dict:
    """Runs the command on these cores, or on the first few of them, as many as it may use threads.
    Returns wall-clock `seconds`, `cpu_seconds` including child processes, and `peak_mb` of the
    largest process."""
    environment = os.environ | {name: str(threads) for name in THREAD_VARIABLES}
    environment |= {"PYTHONDONTWRITEBYTECODE": "1", "HF_HUB_OFFLINE": "1"}
    cores = ",".join(map(str, on_cores or sorted(os.sched_getaffinity(0))[:threads]))
    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryFile() as complaints:
        result = Path(folder) / "result.json"
        subprocess.run([sys.executable, "-S", "-E", ROOT / "bench/launch.py", result,
                        str(int(limit_seconds)), cores, *map(str, command)], check=True,
                       stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=complaints,
                       env=environment)
        measured = json.loads(result.read_text())
        exit_code = measured.pop("exit_code")
        if exit_code != 0:
            complaints.seek(0)
            text = complaints.read().decode("utf-8", "replace").strip()
            raise Failed(f"exit code {exit_code} after {measured['seconds']:.0f} s: {text[-1000:]}")
    return measured


def interleave(tools: dict[str, Callable[[], dict]], rounds: int,
               patience: float) -> dict[str, list[dict] | str]:
    """Calls every tool once per round, A B C A B C ..., and returns the results of each call.

    The first round is discarded; it only shows how long a tool takes. A tool that would need more
    than `patience` seconds for all rounds is called fewer times, but at least once more; if it needs
    `patience` for a single round, its first round counts. A tool that fails is dropped, and the
    reason replaces its results.
    """
    results: dict[str, list[dict] | str] = {name: [] for name in tools}
    wanted = dict.fromkeys(tools, rounds)
    for number in range(rounds + 1):
        for name, call in tools.items():
            if isinstance(results[name], str) or wanted[name] < number:
                continue
            began = time.monotonic()
            try:
                measured = call()
            except Failed as failure:
                results[name] = str(failure)
                print(f"  {name}: {failure}", file=sys.stderr, flush=True)
                continue
            spent = time.monotonic() - began
            if number == 0:
                wanted[name] = min(rounds, max(1, int(patience / spent))) if spent < patience else 0
            if number > 0 or wanted[name] == 0:
                results[name].append(measured)
            print(f"  round {number} {name}: {spent:.2f} s", file=sys.stderr, flush=True)
    return results


def summary(runs: list[dict]) -> dict:
    """The median of each measured number and, for times, the minimum and maximum, too."""
    out: dict = {"rounds": len(runs)}
    for name in runs[0]:
        values = [one[name] for one in runs]
        out[name] = statistics.median(values)
        if name in ("seconds", "cpu_seconds"):
            out[name + "_range"] = [min(values), max(values)]
    return out


# --- where it ran

def first_line(*command: str) -> str | None:
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=20, check=True)
        return done.stdout.splitlines()[0]
    except (OSError, subprocess.SubprocessError, IndexError):
        return None


def cpu() -> dict:
    try:
        text = Path("/proc/cpuinfo").read_text()
    except OSError:
        return {"model": platform.processor(), "instructions": []}
    model = re.search(r"model name\s*:\s*(.+)", text)
    flags = re.search(r"^flags\s*:\s*(.+)$", text, re.MULTILINE)
    known = ("sse4_2", "aes", "avx2", "avx512f", "avx512bw", "avx512vbmi2", "avx512_vnni",
             "amx_int8", "sha_ni")
    have = set(flags.group(1).split()) if flags else set()
    return {"model": model.group(1) if model else None,
            "instructions": [name for name in known if name in have]}


def compiler(build: Path) -> dict:
    """The settings with which the program's build tree was configured."""
    cache = build / "CMakeCache.txt"
    text = cache.read_text() if cache.exists() else ""
    found = re.search(r"^CMAKE_CXX_COMPILER:\w+=(.+)$", text, re.MULTILINE)
    kind = re.search(r"^CMAKE_BUILD_TYPE:\w+=(.+)$", text, re.MULTILINE)
    return {"version": first_line(found.group(1), "--version") if found else None,
            "build_type": kind.group(1) if kind else None}


def commit() -> str | None:
    git = ("git", "--no-optional-locks", "-C", str(ROOT))
    head = first_line(*git, "rev-parse", "--short=12", "HEAD")
    changed = first_line(*git, "status", "--porcelain", "--untracked-files=no")
    return head and head + (" and uncommitted changes" if changed else "")


def packages(python: Path, names: list[str]) -> dict[str, str]:
    """Versions of these packages for this `python`; missing ones are left out."""
    code = ("import importlib.metadata as m, json, sys\n"
            "out = {}\n"
            "for name in sys.argv[1:]:\n"
            "    try: out[name] = m.version(name)\n"
            "    except m.PackageNotFoundError: pass\n"
            "print(json.dumps(out))")
    if not python.exists():
        return {}
    return json.loads(subprocess.check_output([python, "-c", code, *names], text=True))


def surroundings(sosie: Path, peers_python: Path, peer_packages: list[str]) -> dict:
    return {
        "date": time.strftime("%Y-%m-%d", time.gmtime()),
        "sosie": first_line(str(sosie), "--version"), "commit": commit(),
        "sosie_sha256": hashlib.sha256(sosie.read_bytes()).hexdigest()[:16],
        "compiler": compiler(ROOT / "build/release"),
        "cpu": cpu(), "cores": os.cpu_count(), "load": round(os.getloadavg()[0], 2),
        "system": f"{platform.system()} {platform.release().partition('-')[0]}",
        "python": platform.python_version(),
        "peers_python": first_line(str(peers_python), "--version"),
        "packages": packages(peers_python, peer_packages),
    }


def kept_rows(path: Path, same: dict, points: list[tuple[str, str]]) -> list[dict]:
    """Returns the rows of a result file that need not be measured again, each with its commit.
    Exits if the file was measured differently."""
    before = json.loads(path.read_text())
    was = {name: before.get(name) for name in same}
    if was != same:
        sys.exit(f"--add: {path} has {was}, not {same}")
    rows = [row for row in before["rows"]
            if (row.get("sets", row.get("vectors")), row["threshold"]) not in points]
    return [{"commit": before["surroundings"]["commit"], **row} for row in rows]

#!/usr/bin/env python3
"""Measures how much of a command's work a single thread does alone, and predicts its time on many cores.

    python3 bench/parallel.py 'build/release/sosie dedup rows.jsonl -o {out}/kept.jsonl'
    python3 bench/parallel.py --threads 16 --rounds 5 'build/release/sosie pairs rows.jsonl -o found.tsv'
    python3 bench/parallel.py --corpus linux-100 --verb dedup --verb pairs --results bench/results

`--threads N` (2) is added to the command. Every two milliseconds, the threads that run or wait for a core are
counted. The serial part is the share of the work done in stretches with only one such thread; if perf is
permitted, its stacks show the functions in those stretches. Time on more cores follows Amdahl's law: the
serial part, the rest divided by the number of cores, and the cost of each further thread (CPU time with N
threads compared with one). `{out}` is a new folder in memory for each run; the input file should be cached.
--results writes parallel.json, for docs/benchmarks.md.
"""

from __future__ import annotations

import argparse
import bisect
import collections
import contextlib
import json
import os
import re
import resource
import shlex
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path

import corpora
import measure
from measure import ROOT

PERIOD = 0.002  # seconds between samples
CORES = (4, 16, 64, 192)
VERBS = {"dedup": ["dedup", "{}", "-o", "{out}/kept.jsonl"],
         "pairs": ["pairs", "{}", "-o", "{out}/found.tsv"],
         "index build": ["index", "build", "{out}/found.index", "{}"]}


@dataclass
class Watched:
    """One run: its times and, for each sample, the time and the number of runnable threads."""
    seconds: float = 0
    cpu_seconds: float = 0
    times: list[float] = field(default_factory=list)  # CLOCK_MONOTONIC
    runnable: list[int] = field(default_factory=list)

    def spent(self) -> dict[int, float]:
        """Seconds by number of runnable threads."""
        out: collections.Counter = collections.Counter()
        for at, count in enumerate(self.runnable[:-1]):
            out[count] += self.times[at + 1] - self.times[at]
        return dict(sorted(out.items()))


class Threads:
    """The states of a process's threads, read from files that stay open."""

    def __init__(self, process: int):
        self.folder = f"/proc/{process}/task"
        self.files: dict[str, int] = {}

    def runnable(self) -> int:
        count = 0
        for thread in os.listdir(self.folder):
            if thread not in self.files:
                self.files[thread] = os.open(f"{self.folder}/{thread}/stat", os.O_RDONLY)
            with contextlib.suppress(ProcessLookupError):
                state = os.pread(self.files[thread], 512, 0).rpartition(b") ")[2][:1]
                count += state == b"R"
        return count

    def close(self) -> None:
        for file in self.files.values():
            os.close(file)


def watch(command: list[str], stacks: Path | None = None) -> Watched:
    """Runs the command and samples it until it ends; writes perf's record to `stacks`."""
    memory = "/dev/shm"
    with tempfile.TemporaryDirectory(dir=memory if os.path.isdir(memory) else None) as out:
        return sampled([part.replace("{out}", out) for part in command], stacks)


def sampled(command: list[str], stacks: Path | None) -> Watched:
    watched = Watched()
    if stacks:
        command = ["perf", "record", "--quiet", "--clockid", "mono", "--freq", "200", "--call-graph",
                   "dwarf,16384", "--output", str(stacks), "--", *command]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    began = time.monotonic()
    process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                               stderr=subprocess.PIPE)
    threads = Threads(child_of(process.pid) if stacks else process.pid)
    with contextlib.suppress(OSError):  # it has ended
        while process.poll() is None:
            count = threads.runnable()
            watched.times.append(time.monotonic())
            watched.runnable.append(count)
            time.sleep(PERIOD)
    threads.close()
    _, complaints = process.communicate()
    if process.returncode != 0:
        raise measure.Failed(complaints.decode("utf-8", "replace").strip()[-1000:])
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    watched.seconds = time.monotonic() - began
    watched.cpu_seconds = (after.ru_utime - before.ru_utime) + (after.ru_stime - before.ru_stime)
    return watched


def child_of(process: int) -> int:
    children = Path(f"/proc/{process}/task/{process}/children")
    for _ in range(2000):
        with contextlib.suppress(OSError):
            if found := children.read_text().split():
                return int(found[0])
        time.sleep(0.001)
    return process


def alone(spent: dict[int, float]) -> float:
    return spent.get(1, 0.0)


def serial_part(spent: dict[int, float]) -> float:
    """Share of the work, in thread seconds, done while no other thread is runnable."""
    work = sum(count * seconds for count, seconds in spent.items())
    return alone(spent) / work if work else 1.0


@dataclass
class Model:
    """Times in seconds: with no thread running (disk, sleep), with one thread, with all others
    together, and the additional time for each further thread."""
    idle: float
    serial: float
    parallel: float
    each: float

    def seconds(self, cores: int) -> float:
        return self.idle + self.serial + (self.parallel + (cores - 1) * self.each) / cores


def model_of(runs: list[Watched], single_cpu: float, threads: int) -> Model:
    """From the medians of runs with `threads` threads, and the CPU seconds with one."""
    def median(of) -> float:
        return statistics.median(of(run) for run in runs)
    serial = median(lambda run: serial_part(run.spent()))
    each = max(0.0, median(lambda run: run.cpu_seconds) - single_cpu) / (threads - 1)
    return Model(median(lambda run: run.spent().get(0, 0.0)), serial * single_cpu,
                 (1 - serial) * single_cpu, each)


def serial_functions(run: Watched, stacks: Path, most: int) -> list[tuple[float, str]]:
    """Shares of the serial time by chain of functions, innermost first."""
    script = subprocess.run(["perf", "script", "--input", str(stacks), "--fields",
                             "time,ip,sym"], capture_output=True, text=True, check=True).stdout
    found: collections.Counter = collections.Counter()
    for sample in script.split("\n\n"):
        lines = sample.strip().splitlines()
        if len(lines) < 2 or not (at := re.match(r"\s*([\d.]+):", lines[0])):
            continue
        place = bisect.bisect_right(run.times, float(at[1])) - 1
        if place < 0 or run.runnable[place] != 1:
            continue
        found[place_of([line.split(None, 1)[1] for line in lines[1:] if len(line.split()) > 1])] += 1
    all_samples = sum(found.values())
    return [(count / all_samples, name) for name, count in found.most_common(most)]


def place_of(stack: list[str]) -> str:
    """The innermost function, and the two innermost functions of ours that called it."""
    names = [re.sub(r"[(<].*", "", name.replace("(anonymous namespace)::", ""))
             for name in stack]
    ours = [name for name in names if name.startswith("sosie::")][:3]
    inner = names[:1] if names and names[0] not in ours else []
    return " < ".join([*inner, *dict.fromkeys(ours)]) or "?"


def measured(command: list[str], options: argparse.Namespace) -> dict:
    """Runs the command with one thread and with many, alternately; then once under perf."""
    single: list[float] = []
    runs: list[Watched] = []
    for number in range(options.rounds + 1):
        one = watch([*command, "--threads", "1"])
        many = watch([*command, "--threads", str(options.threads)])
        if number > 0:  # the first round fills caches
            single.append(one.cpu_seconds)
            runs.append(many)
    single_cpu = statistics.median(single)
    model = model_of(runs, single_cpu, options.threads)
    middle = sorted(runs, key=lambda run: serial_part(run.spent()))[len(runs) // 2]
    whole = sum(middle.spent().values()) or 1.0
    return {"command": shlex.join(command), "threads": options.threads,
            "seconds": statistics.median(run.seconds for run in runs),
            "cpu_seconds": statistics.median(run.cpu_seconds for run in runs),
            "single_cpu_seconds": single_cpu,
            "runnable": {count: seconds / whole for count, seconds in middle.spent().items()},
            "serial": model.serial / single_cpu,
            "predicted": {cores: model.seconds(1) / model.seconds(cores) for cores in CORES},
            "functions": functions_of(command, options)}


def functions_of(command: list[str], options: argparse.Namespace) -> list[tuple[float, str]]:
    if not shutil.which("perf"):
        return []
    with tempfile.TemporaryDirectory(prefix="parallel-") as work:
        stacks = Path(work) / "stacks"
        try:
            run = watch([*command, "--threads", str(options.threads)], stacks)
            return serial_functions(run, stacks, options.functions)
        except (measure.Failed, subprocess.CalledProcessError) as failure:
            print(f"no stacks: {failure}", file=sys.stderr)
            return []


def show(found: dict) -> None:
    print(found["command"])
    print(f"  {found['threads']} threads: {found['seconds']:.2f} s, CPU {found['cpu_seconds']:.2f} s; "
          f"one thread: CPU {found['single_cpu_seconds']:.2f} s "
          f"({found['cpu_seconds'] / found['single_cpu_seconds']:.2f} x)")
    print("  runnable threads, share of the time: " +
          ", ".join(f"{count}: {share:.0%}" for count, share in found["runnable"].items()))
    print(f"  serial part {found['serial']:.3f}; predicted speed-up: " +
          ", ".join(f"{cores} cores {times:.1f}" for cores, times in found["predicted"].items()))
    for share, name in found["functions"]:
        print(f"  {share:6.1%}  {name}")
    sys.stdout.flush()


def commands(options: argparse.Namespace) -> list[list[str]]:
    chosen = [shlex.split(command) for command in options.command]
    for name in options.corpus or []:
        rows = str(corpora.corpus(name).path)
        chosen += [[str(options.sosie.resolve()),
                    *(part.replace("{}", rows) for part in VERBS[verb]), "-q"]
                   for verb in options.verb or VERBS]
    return chosen


def parse_options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("command", nargs="*", help="a whole command, in quotes")
    parser.add_argument("--sosie", type=Path, default=ROOT / "build/release/sosie")
    parser.add_argument("--corpus", action="append", help="of bench/corpora.py")
    parser.add_argument("--verb", action="append", choices=VERBS)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--functions", type=int, default=12)
    parser.add_argument("--results", type=Path)
    options = parser.parse_args()
    if options.threads < 2:
        parser.error("--threads: 2 at least")
    if not options.command and not options.corpus:
        parser.error("no command and no --corpus")
    return options


def main() -> int:
    options = parse_options()
    surroundings = measure.surroundings(options.sosie.resolve(), Path(sys.executable), [])
    found = []
    for command in commands(options):
        found.append(measured(command, options))
        show(found[-1])
    if options.results:
        (options.results / "parallel.json").write_text(json.dumps(
            {"suite": "parallel", "rows": found, "surroundings": surroundings,
             "command": shlex.join(["python3", "bench/parallel.py", *sys.argv[1:]])},
            indent=1) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())

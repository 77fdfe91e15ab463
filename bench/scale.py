#!/usr/bin/env python3
"""Measures time, memory, scratch and traffic of a run by phase, and compares them with the
prediction of `sosie plan`.

    scale.py --rows 1e6,1e7 --memory 1G --folder DIR [-- OPTION...]

Makes DIR/short-ROWS-SEED.jsonl.zst (make_short.cc; it stays there), runs `dedup` with a removed
file on it, with compressed input and output, and prints a table by phase. A phase begins when the
progress names it; its figures are read from /proc ten times a second. OPTIONs are passed to dedup
and plan. `--input FILE` measures that file instead of synthetic rows. Exits with 1 if memory
exceeds the cap + 64 MiB, scratch exceeds 300 bytes per row, or a prediction is off by more than 30
%.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import pty
import re
import subprocess
import sys
import tempfile
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path

from memory import MIB, SLACK_BYTES, build_maker, cap_in_bytes

HERE = Path(__file__).resolve().parent
TICKS = os.sysconf("SC_CLK_TCK")
MOST_SCRATCH_BYTES = 300  # a row
MOST_APART = 1.3
UNITS = {"s": 1, "h": 3600, "B": 1, "kB": 1e3, "MB": 1e6, "GB": 1e9, "TB": 1e12}
MD5_BYTES = bytes(50_000_000)
# Stage names in the progress, with the phases to which they belong.
PHASES = {"opening": "reading", "reading": "reading", "indexing": "candidates",
          "comparing": "verifying", "pairing": "verifying", "listing": "writing",
          "reporting": "writing", "writing": "writing", "finishing": "writing"}


@dataclass
class Phase:
    cpu_seconds: float = 0
    seconds: float = 0
    peak_bytes: int = 0
    scratch_bytes: int = 0
    read_bytes: int = 0
    written_bytes: int = 0


@dataclass
class Run:
    rows: int
    phases: dict[str, Phase] = field(default_factory=dict)

    def total(self) -> Phase:
        parts = list(self.phases.values())
        return Phase(sum(p.cpu_seconds for p in parts), sum(p.seconds for p in parts),
                     max(p.peak_bytes for p in parts), max(p.scratch_bytes for p in parts),
                     sum(p.read_bytes for p in parts), sum(p.written_bytes for p in parts))


def make_rows(folder: Path, text: Path, rows: int, seed: int) -> Path:
    path = folder / f"short-{rows}-{seed}.jsonl.zst"
    if not path.exists():
        unfinished = path.with_suffix(".unfinished")
        maker = subprocess.Popen([build_maker(folder, "make_short"), text, str(rows), str(seed)],
                                 stdout=subprocess.PIPE)
        subprocess.run(["zstd", "-q", "-3", "-f", "-o", unfinished], stdin=maker.stdout, check=True)
        if maker.wait() != 0:
            sys.exit("make_short failed")
        unfinished.rename(path)
    return path


def facts_of(process: int, folder: Path) -> tuple[float, int, int, int, int]:
    """Returns CPU seconds, resident bytes, bytes of unnamed files in the folder, bytes read and
    bytes written."""
    of = Path(f"/proc/{process}")
    times = (of / "stat").read_text().rpartition(")")[2].split()
    resident = int((of / "statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    traffic = dict(line.split(": ") for line in (of / "io").read_text().splitlines())
    scratch = 0
    for name in os.listdir(of / "fd"):
        try:
            target = os.readlink(of / "fd" / name)
            if target.startswith(str(folder)) and target.endswith(" (deleted)"):
                scratch += os.stat(of / "fd" / name).st_size
        except OSError:
            continue
    cpu = (int(times[11]) + int(times[12])) / TICKS
    return cpu, resident, scratch, int(traffic["rchar"]), int(traffic["wchar"])


class Watch:
    """Follows the stages that a process shows on its terminal."""

    def __init__(self, terminal: int) -> None:
        self.stage = "opening"
        self._terminal = terminal
        threading.Thread(target=self._follow, daemon=True).start()

    def _follow(self) -> None:
        while True:
            try:
                text = os.read(self._terminal, 4096).decode("utf-8", "replace")
            except OSError:
                return
            for name in re.findall(r"\x1b\[2K([a-z]+) ", text):
                self.stage = name if name in PHASES else self.stage


def measure_by_phase(command: list, folder: Path) -> dict[str, Phase]:
    terminal, other_end = pty.openpty()
    process = subprocess.Popen([str(part) for part in command], stdin=subprocess.DEVNULL,
                               stdout=subprocess.DEVNULL, stderr=other_end)
    os.close(other_end)
    watch = Watch(terminal)
    phases: dict[str, Phase] = {}
    before = (0.0, 0, 0, 0, 0)
    then = time.monotonic()
    while process.poll() is None:
        phase = phases.setdefault(PHASES[watch.stage], Phase())
        try:
            now = facts_of(process.pid, folder)
        except (OSError, IndexError, ValueError):
            break  # it has just ended
        clock = time.monotonic()
        phase.cpu_seconds += now[0] - before[0]
        phase.seconds += clock - then
        phase.peak_bytes = max(phase.peak_bytes, now[1])
        phase.scratch_bytes = max(phase.scratch_bytes, now[2])
        phase.read_bytes += now[3] - before[3]
        phase.written_bytes += now[4] - before[4]
        before, then = now, clock
        time.sleep(0.1)
    if process.wait() != 0:
        sys.exit(f"exit code {process.returncode}: {command}")
    os.close(terminal)
    return phases


def md5_rate() -> float:
    began = time.process_time()
    hashlib.md5(MD5_BYTES, usedforsecurity=False).digest()
    return len(MD5_BYTES) / 1e6 / (time.process_time() - began)


def measure_run(sosie: Path, path: Path, memory: str, threads: int, folder: Path,
                options: list[str]) -> Run:
    with tempfile.TemporaryDirectory(dir=folder) as out:
        stats = Path(out) / "stats.json"
        phases = measure_by_phase(
            [sosie, "dedup", path, "-o", f"{out}/kept.jsonl.zst", "--removed", f"{out}/removed.tsv",
             "--stats", stats, "--memory", memory, "--threads", threads, "--scratch", folder,
             *options], folder)
        summary = json.loads(stats.read_text())
    run = Run(summary["rows"], phases)
    top = max(phases.values(), key=lambda phase: phase.peak_bytes)
    top.peak_bytes = summary["peak_memory_bytes"]
    full = max(phases.values(), key=lambda phase: phase.scratch_bytes)
    full.scratch_bytes = max(full.scratch_bytes, summary["scratch_bytes"])
    return run


def amount(text: str) -> float:
    number, unit = text.split()
    return float(number.replace(",", "")) * UNITS[unit]


def planned(sosie: Path, path: Path, memory: str, options: list[str]) -> tuple[dict, float]:
    """The phases that `plan` predicts, and the md5 speed of its processor in MB/s."""
    command = [sosie, "plan", "--verbose", path, "--memory", memory, *options]
    text = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    phases = {}
    for name in ("reading", "candidates", "verifying", "writing"):
        line = re.search(rf"^  {name} +(.*)$", text, re.M)
        assert line, text
        cells = [amount(cell) for cell in re.split(r" {2,}", line[1].strip())]
        phases[name] = Phase(cells[0], 0, cells[3], cells[4], cells[1], cells[2])
    rate = re.search(r"computes md5 at ([0-9]+) MB/s", text)
    assert rate, text
    return phases, float(rate[1])


def lines_of(said: Run, took: Run) -> list[str]:
    lines = []
    for name in [*took.phases, "all"]:
        one = said.total() if name == "all" else said.phases[name]
        other = took.total() if name == "all" else took.phases[name]
        cells = [f"{took.rows:,}", name]
        for figure, unit, form in (("cpu_seconds", took.rows / 1e6, ".2f"),
                                   ("peak_bytes", MIB, ".0f"),
                                   ("scratch_bytes", took.rows, ".0f"),
                                   ("read_bytes", took.rows, ".0f"),
                                   ("written_bytes", took.rows, ".0f")):
            values = [getattr(each, figure) / unit for each in (one, other)]
            cells.append(" / ".join(f"{value:{form}}" for value in values))
        lines.append("| " + " | ".join(cells) + " |")
    return lines


def broken_promises(said: Run, took: Run, cap_bytes: int) -> list[str]:
    one, other = said.total(), took.total()
    broken = []
    if other.peak_bytes > cap_bytes + SLACK_BYTES:
        broken.append("peak memory is above the cap + 64 MiB")
    if other.scratch_bytes > MOST_SCRATCH_BYTES * took.rows:
        broken.append(f"more than {MOST_SCRATCH_BYTES} bytes of scratch a row")
    for name in ("cpu_seconds", "peak_bytes", "scratch_bytes"):
        values = sorted((max(1e-9, getattr(one, name)), max(1e-9, getattr(other, name))))
        if values[1] > MOST_APART * values[0]:
            broken.append(f"{name}: {values[1] / values[0]:.2f} times as said, or less")
    return broken


def main() -> int:
    parser = argparse.ArgumentParser(allow_abbrev=False, description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sosie", type=Path, default=HERE.parent / "build/release/sosie")
    parser.add_argument("--rows", default="1e6")
    parser.add_argument("--input", type=Path)
    parser.add_argument("--text", type=Path, default=HERE.parent / "samples/man-pages.jsonl",
                        help="any file with prose in it")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--memory", default="1G")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--folder", type=Path, required=True, help="for rows, outputs, scratch")
    parser.add_argument("options", nargs="*", metavar="OPTION")
    asked = parser.parse_args()
    print("| rows | phase | CPU µs a row, said / were | peak MiB | scratch bytes a row "
          "| read bytes a row | written |", "|---|---|---|---|---|---|---|", sep="\n")
    broken = []
    for rows in asked.rows.split(","):
        path = asked.input or make_rows(asked.folder, asked.text, int(float(rows)), asked.seed)
        phases, rate = planned(asked.sosie, path, asked.memory, asked.options)
        before = md5_rate()
        took = measure_run(asked.sosie, path, asked.memory, asked.threads, asked.folder,
                           asked.options)
        faster = (before + md5_rate()) / 2 / rate
        for phase in took.phases.values():
            phase.cpu_seconds *= faster
        said = Run(took.rows, phases)
        print(*lines_of(said, took), sep="\n", flush=True)
        broken += broken_promises(said, took, cap_in_bytes(asked.memory))
    for promise in broken:
        print(f"broken: {promise}")
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())

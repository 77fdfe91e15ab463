#!/usr/bin/env python3
"""Runs clang-tidy over the C++ files of src and apps, tests and benchmarks left out.

    check_tidy.py BUILD_FOLDER [FILE...]      (BUILD_FOLDER has compile_commands.json)

Most of clang-tidy's time goes into the standard library's headers, which every file includes. So
files of a folder are checked in batches, each one translation unit that includes its files; their
names are unique within the folder (cmake/batches.cmake). A FILE that is named is checked alone.
"""

from __future__ import annotations

import json
import math
import os
import re
import shlex
import subprocess
import sys
import tempfile
from collections import defaultdict
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
TIDY = "clang-tidy-14"
# A batch costs a dozen seconds, and each of its files one.
BATCH_FILES = 60
# The analyzer within functions only: through calls it takes half of the time.
ANALYZER = ["-Xclang", "-analyzer-config", "-Xclang", "mode=shallow"]
# Generated tables are left out, and kernels: clang-tidy sees only the fallback of their targets.
LEFT_OUT = re.compile(r"(_test|_bench|unicode_tables|encoding_tables)\.cc$|/src/kernels/")


def flags_of(entry: dict) -> tuple[str, ...]:
    """Options of the compiler that decide what clang-tidy says."""
    words = iter(shlex.split(entry["command"]))
    kept = []
    for word in words:
        if word in ("-isystem", "-include"):
            kept += [word, next(words)]
        elif word.startswith(("-I", "-D", "-std=", "-W")) and word != "-Werror":
            kept.append(word)
    return tuple(kept)


def groups(build: Path, named: list[Path]) -> dict[tuple, list[Path]]:
    """Files that see the same definitions, by their flags and top folder, in order of their path."""
    out = defaultdict(list)
    for entry in json.loads((build / "compile_commands.json").read_text()):
        path = Path(entry["file"]).resolve()
        relative = path.relative_to(ROOT) if path.is_relative_to(ROOT) else Path("elsewhere")
        checked = path in named if named else (
            relative.parts[0] in ("src", "apps") and not LEFT_OUT.search(str(path)))
        if checked:
            out[flags_of(entry), relative.parts[1]].append(path)
    return {key: sorted(set(files)) for key, files in out.items()}


def check(files: list[Path], flags: tuple, folder: Path) -> bool:
    with tempfile.NamedTemporaryFile("w", suffix=".cc", dir=folder) as unit:
        unit.write("".join(f'#include "{path}"\n' for path in files))
        unit.flush()
        return tidy(Path(unit.name), flags)


def tidy(unit: Path, flags: tuple) -> bool:
    done = subprocess.run(
        [TIDY, "--quiet", f"--config-file={ROOT / '.clang-tidy'}", str(unit), "--", *flags,
         *ANALYZER], text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    if done.returncode != 0:
        print(done.stdout, end="", flush=True)
        if not done.stdout:
            print(done.stderr, file=sys.stderr, flush=True)
    return done.returncode == 0


def main() -> int:
    build, *names = sys.argv[1:]
    named = [Path(name).resolve() for name in names]
    work = []
    for (flags, _), files in groups(Path(build), named).items():
        batches = len(files) if named else math.ceil(len(files) / BATCH_FILES)
        step = math.ceil(len(files) / batches)
        work += [(files[at:at + step], flags) for at in range(0, len(files), step)]
    if named and sum(len(files) for files, _ in work) != len(set(named)):
        sys.exit("check_tidy: not all of these files are in compile_commands.json")
    # Largest first, so that no long one is left alone at the end.
    work.sort(key=lambda item: -sum(path.stat().st_size for path in item[0]))
    with tempfile.TemporaryDirectory() as folder, \
            ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        results = list(pool.map(lambda item: check(*item, Path(folder)), work))
    print(f"clang-tidy: {sum(len(files) for files, _ in work)} files in {len(work)} batches, "
          + ("clean" if all(results) else "not clean"))
    return 0 if all(results) else 1


if __name__ == "__main__":
    sys.exit(main())

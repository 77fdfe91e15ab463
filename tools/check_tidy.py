#!/usr/bin/env python3
"""Runs clang-tidy on the C++ files in src, apps and include, except tests and benchmarks.

    check_tidy.py [--changed] [--record] BUILD_FOLDER    (BUILD_FOLDER has compile_commands.json)
    check_tidy.py BUILD_FOLDER FILE...

clang-tidy spends most of its time on the standard library's headers, which every file includes. Files of a
folder or a wing are therefore checked in batches: each batch is a translation unit that includes its files,
whose names are unique within it (cmake/batches.cmake). A FILE named on the command line is checked alone.
--changed skips folders that are unchanged since .ci/checked; --record adds the folders that are now clean
(tools/checked.py). Only a folder's own files and headers are checked: if a changed header causes a finding in
another folder, only a run over all folders reports it.
"""

from __future__ import annotations

import argparse
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

import checked

ROOT = Path(__file__).resolve().parents[1]
# A batch costs a dozen seconds, plus one for each of its files.
BATCH_FILES = 60
# The analyzer stays within functions, because following calls takes half of the time.
ANALYZER = ["-Xclang", "-analyzer-config", "-Xclang", "mode=shallow"]
# Generated tables are left out, and so are kernels, of which clang-tidy sees only the fallback target.
LEFT_OUT = re.compile(r"(_test|_bench|unicode_tables|encoding_tables)\.(cc|h)$|/src/kernels/")
# Headers of a folder without files to compile are checked with the definitions of this one.
USUAL = "src/core"


def flags_of(entry: dict) -> tuple[str, ...]:
    """Compiler options that affect the findings of clang-tidy."""
    words = iter(shlex.split(entry["command"]))
    kept = []
    for word in words:
        if word in ("-isystem", "-include"):
            kept += [word, next(words)]
        elif word.startswith(("-I", "-D", "-std=", "-W")) and word != "-Werror":
            kept.append(word)
    return tuple(kept)


def groups(build: Path, named: list[Path]) -> dict[tuple, list[Path]]:
    """Files that see the same definitions, by their flags and by folder or wing, in path order."""
    out = defaultdict(list)
    for entry in json.loads((build / "compile_commands.json").read_text()):
        path = Path(entry["file"]).resolve()
        relative = path.relative_to(ROOT) if path.is_relative_to(ROOT) else Path("elsewhere")
        wanted = path in named if named else (
            relative.parts[0] in ("src", "apps") and not LEFT_OUT.search(str(path)))
        if wanted:
            out[flags_of(entry), str(relative.parent)].append(path)
    return {key: sorted(set(files)) for key, files in out.items()}


def lone_headers() -> dict[str, list[Path]]:
    """By folder, the headers without a .cc of the same name, which would be checked with its header."""
    out = defaultdict(list)
    for top in ("src", "apps", "include"):
        for path in sorted((ROOT / top).rglob("*.h")):
            if not LEFT_OUT.search(str(path)) and not path.with_suffix(".cc").exists():
                out[str(path.relative_to(ROOT).parent)].append(path)
    return out


def batches(build: Path, folders: set[str] | None) -> list[tuple[list[Path], tuple]]:
    """Files and flags of each batch, for these folders or for all."""
    found = groups(build, [])
    headers = lone_headers()
    usual = next(flags for flags, folder in found if folder == USUAL)
    for folder in headers.keys() - {folder for _, folder in found}:
        found[usual, folder] = []
    work = []
    for (flags, folder), files in found.items():
        if folders is not None and "/".join(folder.split("/")[:2]) not in folders:
            continue  # `folders`: src/join and similar ones, whose hashes cover their wings
        step = math.ceil(len(files) / math.ceil(len(files) / BATCH_FILES)) if files else 1
        parts = [files[at:at + step] for at in range(0, len(files), step)] or [[]]
        parts[0] = parts[0] + headers.pop(folder, [])  # once, whatever flags the folder's files have
        work += [(part, flags) for part in parts]
    return work


def batches_of_named(build: Path, named: list[Path]) -> list[tuple[list[Path], tuple]]:
    work = [([file], flags) for (flags, _), files in groups(build, named).items() for file in files]
    if len(work) != len(set(named)):
        sys.exit("check_tidy: not all of these files are in compile_commands.json")
    return work


def folders_to_check() -> set[str] | None:
    """The folders that have changed since .ci/checked; None: all."""
    try:
        things = checked.changed("tidy")
    except (OSError, subprocess.CalledProcessError):  # no git here
        things = None
    folders = None
    if things is not None and all(re.match(r"(src|apps|include)/", thing) for thing in things):
        folders = set(things)
    print("clang-tidy:", "all folders" if folders is None else " ".join(sorted(folders)) or "no folder changed",
          flush=True)
    return folders


def command_of_tidy() -> list[str]:
    """clang-tidy, and the headers of a compiler of the same version, which it does not include."""
    tool = subprocess.run([ROOT / "tools" / "check_tool.sh", "clang-tidy"], check=True, text=True,
                          stdout=subprocess.PIPE).stdout.strip()
    headers = sorted(Path("/usr/lib/llvm-14/lib/clang").glob("14*"))
    if not headers:
        sys.exit("check_tidy: there are no headers of clang 14: tools/install_packages.sh tidy installs "
                 "them on Debian 12; it cannot read the standard library of later systems")
    return [tool, f"--extra-arg=-resource-dir={headers[-1]}"]


def check(command: list[str], files: list[Path], flags: tuple, folder: Path) -> bool:
    with tempfile.NamedTemporaryFile("w", suffix=".cc", dir=folder) as unit:
        unit.write("".join(f'#include "{path}"\n' for path in files))
        unit.flush()
        return tidy(command, Path(unit.name), flags)


def tidy(command: list[str], unit: Path, flags: tuple) -> bool:
    done = subprocess.run(
        [*command, "--quiet", f"--config-file={ROOT / '.clang-tidy'}", str(unit), "--", *flags,
         *ANALYZER], text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    if done.returncode != 0:
        print(done.stdout, end="", flush=True)
        if not done.stdout:
            print(done.stderr, file=sys.stderr, flush=True)
    return done.returncode == 0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--changed", action="store_true", help="only folders that changed since .ci/checked")
    parser.add_argument("--record", action="store_true", help="write what is clean into .ci/checked")
    parser.add_argument("build", type=Path)
    parser.add_argument("files", nargs="*", type=Path)
    asked = parser.parse_args()
    if asked.files and (asked.changed or asked.record):
        parser.error("files are checked alone: --changed and --record are for folders")
    if asked.files:
        work = batches_of_named(asked.build, [file.resolve() for file in asked.files])
    else:
        work = batches(asked.build, folders_to_check() if asked.changed else None)
    # Largest first, so that no long one is left to run alone at the end.
    work.sort(key=lambda item: -sum(path.stat().st_size for path in item[0]))
    command = command_of_tidy() if work else []
    with tempfile.TemporaryDirectory() as folder, \
            ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        results = list(pool.map(lambda item: check(command, *item, Path(folder)), work))
    print(f"clang-tidy: {sum(len(files) for files, _ in work)} files in {len(work)} batches, "
          + ("clean" if all(results) else "not clean"))
    if not all(results):
        return 1
    if asked.record:
        checked.record(["tidy"])
    return 0


if __name__ == "__main__":
    sys.exit(main())

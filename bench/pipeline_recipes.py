#!/usr/bin/env python3
"""Runs the commands that docs/recipes/pipelines.md has for Ray Data and NeMo Curator on the real libraries.

    python3 -m venv build/curator-venv
    build/curator-venv/bin/pip install build/wheel/sosie-*.whl nemo-curator      # brings ray[data], too: 6 GB
    build/curator-venv/bin/python bench/pipeline_recipes.py

Exits with 1 if other rows are kept than by a run. Skips a library that is not installed.
"""

from __future__ import annotations

import importlib.util
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
ROWS, KEPT = 274, 167  # of the sample
EXAMPLES = {"ray": "ray_pairs.py", "nemo_curator": "curator_filter.py"}
ENVIRONMENT = {**os.environ, "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"}


def commands_with(example: str) -> str:
    page = (ROOT / "docs/recipes/pipelines.md").read_text()
    [commands] = [block for block in re.findall(r"```sh\n(.*?)```", page, flags=re.DOTALL) if example in block]
    return str(commands)


def kept_by(library: str, folder: Path) -> str:
    (folder / "examples").symlink_to(ROOT / "examples")
    (folder / "corpus").mkdir()
    for name in ("corpus.jsonl", "corpus/pages.jsonl"):
        shutil.copy(ROOT / "samples/man-pages.jsonl", folder / name)
    done = subprocess.run(["bash", "-e", "-c", commands_with(EXAMPLES[library])], cwd=folder, env=ENVIRONMENT,
                          check=True, stdout=subprocess.PIPE, text=True)
    if library == "ray":
        return done.stdout.splitlines()[-1]
    rows = sum(len(file.read_text().splitlines()) for file in (folder / "clean").iterdir())
    return f"{ROWS} rows, {rows} kept"


def main() -> int:
    has_all = True
    for library in EXAMPLES:
        if importlib.util.find_spec(library) is None:
            print(f"{library}: not installed")
            continue
        with tempfile.TemporaryDirectory() as folder:
            kept = kept_by(library, Path(folder))
        print(f"{library}: {kept}")
        has_all = has_all and kept == f"{ROWS} rows, {KEPT} kept"
    return 0 if has_all else 1


if __name__ == "__main__":
    sys.exit(main())

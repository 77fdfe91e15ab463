#!/usr/bin/env python3
"""Runs a Jupyter notebook's cells in this Python, without Jupyter.

    tools/run_notebook.py docs/notebooks/man_pages.ipynb            # writes the outputs into it
    tools/run_notebook.py docs/notebooks/man_pages.ipynb --check    # exits 1 if they are others

The package and everything that the notebook imports must be installed. --check ignores times,
memory sizes and drawings by other packages: it compares printed text, and the numbers in other
outputs.
"""

from __future__ import annotations

import argparse
import ast
import contextlib
import io
import json
import re
import sys
from pathlib import Path

TIMES = re.compile(r"\d+(\.\d+)? (s|kB|MB|GB)\b")
NUMBERS = re.compile(r"\d+(?:\.\d+)?")


def run_cell(code: str, names: dict[str, object]) -> list[dict]:
    """Runs a cell; returns its output, and the value of its last line."""
    tree = ast.parse(code)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(tree, "cell", "exec"), names)
        value = None if last is None else eval(compile(ast.Expression(last.value), "cell", "eval"), names)
    outputs: list[dict] = []
    if printed.getvalue():
        outputs.append({"name": "stdout", "output_type": "stream",
                        "text": printed.getvalue().splitlines(keepends=True)})
    if value is not None:
        data = {"text/plain": repr(value).splitlines(keepends=True)}
        if rich := getattr(value, "_repr_html_", None):
            data["text/html"] = rich().splitlines(keepends=True)
        outputs.append({"data": data, "metadata": {}, "output_type": "execute_result"})
    return outputs


def run(notebook: dict) -> list[list[dict]]:
    """The outputs of the code cells, one list per cell."""
    names: dict[str, object] = {}
    return [run_cell("".join(cell["source"]), names)
            for cell in notebook["cells"] if cell["cell_type"] == "code"]


def steady(outputs: list[dict]) -> list[object]:
    """The contents that are the same on every machine."""
    found: list[object] = []
    for output in outputs:
        if output["output_type"] == "stream":
            found.append(TIMES.sub("...", "".join(output["text"])))
            continue
        plain = "".join(line for line in output["data"]["text/plain"] if not line.startswith("time "))
        found.append([sorted(output["data"]), NUMBERS.findall(TIMES.sub("", plain))])
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("notebook", type=Path)
    parser.add_argument("--check", action="store_true")
    args = parser.parse_args()
    notebook = json.loads(args.notebook.read_text())
    cells = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    others = 0
    for number, (cell, outputs) in enumerate(zip(cells, run(notebook)), 1):
        if args.check and steady(cell["outputs"]) != steady(outputs):
            others += 1
            print(f"cell {number} has other outputs:\n{steady(outputs)}", file=sys.stderr)
        for output in outputs:
            if output["output_type"] == "execute_result":
                output["execution_count"] = number
        cell.update(execution_count=number, outputs=outputs)
    if args.check:
        return 1 if others else 0
    args.notebook.write_text(json.dumps(notebook, indent=1, ensure_ascii=False) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
"""Extracts functions from source code: a row {"id": FILE:LINE, "name", "text"} for each function.

    functions.py PATH... > functions.jsonl

A PATH is a source file, a folder of them, or JSONL with rows {"id", "text"}. Python is parsed; in
languages with braces (C, C++, C#, Go, Java, JavaScript, Kotlin, PHP, Rust, Swift) a function is a
pair of braces after `name(...)`, with what stands before it. Functions inside of functions are parts
of these; functions of fewer than --lines 4 lines are left out.
"""

from __future__ import annotations

import argparse
import ast
import json
import re
import sys
from pathlib import Path
from typing import Iterator

BRACES = {".c", ".cc", ".cpp", ".cs", ".go", ".h", ".hpp", ".java", ".js", ".kt", ".php", ".rs",
          ".swift", ".ts"}
# Comments and literals, in which braces do not count.
OPAQUE = re.compile(r"//[^\n]*|/\*.*?\*/|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'", re.DOTALL)
IN_PYTHON = re.compile(r"#[^\n]*|\"\"\".*?\"\"\"|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'", re.DOTALL)
HEAD = re.compile(r"([A-Za-z_]\w*)\s*\((?:[^(){};]|\([^(){};]*\))*\)[^(){};=]*\{")
NO_NAMES = {"if", "for", "while", "switch", "catch", "synchronized", "return", "else", "do"}


def in_braces(text: str) -> Iterator[tuple[str, int, int]]:
    """Name, beginning and end of each function."""
    bare = OPAQUE.sub(lambda part: re.sub(r"[^\n]", " ", part[0]), text)
    end = 0
    for head in HEAD.finditer(bare):
        if head[1] in NO_NAMES or head.start() < end:
            continue
        depth, end = 1, head.end()
        while depth and end < len(bare):
            depth += {"{": 1, "}": -1}.get(bare[end], 0)
            end += 1
        yield head[1], bare.rfind("\n", 0, head.start()) + 1, end


def in_python(text: str) -> Iterator[tuple[str, int, int]]:
    starts = [0]
    for line in text.split("\n"):
        starts.append(starts[-1] + len(line) + 1)
    nodes = list(ast.parse(text).body)
    while nodes:
        node = nodes.pop()
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            yield node.name, starts[node.lineno - 1], min(starts[node.end_lineno], len(text))
        else:
            nodes += ast.iter_child_nodes(node)


def sources(path: Path) -> Iterator[tuple[str, str]]:
    """Name and text of each source file in a path."""
    if path.is_dir():
        for file in sorted(path.rglob("*")):
            if file.suffix in BRACES or file.suffix == ".py":
                yield str(file), file.read_text(encoding="utf-8", errors="replace")
    elif path.suffix == ".jsonl":
        for row in map(json.loads, path.read_text(encoding="utf-8").splitlines()):
            yield row["id"], row["text"]
    else:
        yield str(path), path.read_text(encoding="utf-8", errors="replace")


def without_comments(text: str, python: bool) -> str:
    """The text with a space in place of each comment; text in quotes is not a comment."""
    marks = ("#",) if python else ("//", "/*")
    pattern = IN_PYTHON if python else OPAQUE
    return pattern.sub(lambda part: " " if part[0].startswith(marks) else part[0], text)


def functions(path: Path, lines: int, comments: bool = True) -> Iterator[dict]:
    for name, text in sources(path):
        try:
            found = list(in_python(text) if name.endswith(".py") else in_braces(text))
        except SyntaxError as error:
            print(f"{name}:{error.lineno}: left out: {error.msg}", file=sys.stderr)
            continue
        for function, begin, end in sorted(found, key=lambda part: part[1]):
            if text.count("\n", begin, end) + 1 >= lines:
                part = text[begin:end]
                yield {"id": f"{name}:{text.count(chr(10), 0, begin) + 1}", "name": function,
                       "text": part if comments else without_comments(part, name.endswith(".py"))}


def main() -> None:
    parser = argparse.ArgumentParser(allow_abbrev=False, description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("paths", nargs="+", type=Path, metavar="PATH")
    parser.add_argument("--lines", type=int, default=4)
    parser.add_argument("--no-comments", action="store_true", help="leave comments out of the text")
    options = parser.parse_args()
    for path in options.paths:
        for row in functions(path, options.lines, not options.no_comments):
            print(json.dumps(row, ensure_ascii=False))


if __name__ == "__main__":
    main()

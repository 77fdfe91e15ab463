"""Runs the commands in a Markdown file, and compares their output with the output shown there.

usage: run_readme.py FILE.md --sosie BIN
Reads the fenced blocks marked `console`. Each line `$ command` is run by bash, in order, in a single temporary
folder that holds samples/, examples/ and tests/data/, with sosie on the PATH. The lines up to the next command
are its expected output (stdout and stderr, in the order in which they appear). `...` within a line stands for
any text, such as times and memory; a line that consists of `...` stands for any number of lines. A trailing
backslash continues a command.
"""
import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
from typing import NamedTuple

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
TIMEOUT_S = 120


class Example(NamedTuple):
    line: int  # line of the command, counted from 1
    command: str
    expected: list


def console_blocks(text):
    """Yields, for each console block, the list of its lines as (line number, text)."""
    block = None
    for number, line in enumerate(text.splitlines(), 1):
        if block is None and line.strip() == "```console":
            block = []
        elif block is not None and line.strip() == "```":
            yield block
            block = None
        elif block is not None:
            block.append((number, line))


def examples(text):
    for block in console_blocks(text):
        example = None
        for number, line in block:
            if example and example.command.endswith("\\"):
                example = example._replace(command=example.command[:-1] + line.removeprefix("> "))
            elif line.startswith("$ "):
                if example:
                    yield example
                example = Example(number, line[2:], [])
            elif example:
                example.expected.append(line.rstrip())
            else:
                raise SystemExit(f"line {number}: output without a command")
        if example:
            yield example


def matches(expected, actual):
    """True if the lines match; `...` matches anything."""
    pattern = ""
    for line in expected:
        if line.strip() == "...":
            pattern += r"(?:.*\n)*?"
        else:
            pattern += ".*?".join(map(re.escape, line.split("..."))) + r"\n"
    return re.fullmatch(pattern, "".join(f"{line.rstrip()}\n" for line in actual)) is not None


def run(example, folder, environment):
    done = subprocess.run(["bash", "-c", example.command], cwd=folder, env=environment,
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, encoding="utf-8",
                          timeout=TIMEOUT_S, check=False)
    return done.stdout.splitlines()


def failures(file, sosie):
    found = list(examples(file.read_text(encoding="utf-8")))
    print(f"{file.name}: {len(found)} commands")
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary, "work")
        binaries = pathlib.Path(temporary, "bin")
        shutil.copytree(ROOT / "samples", folder / "samples")
        (folder / "examples").symlink_to(ROOT / "examples")
        (folder / "tests").mkdir()
        (folder / "tests/data").symlink_to(ROOT / "tests/data")
        binaries.mkdir()
        (binaries / "sosie").symlink_to(sosie.resolve())
        environment = os.environ | {"PATH": f"{binaries}:{os.environ['PATH']}", "LC_ALL": "C.UTF-8"}
        for example in found:
            actual = run(example, folder, environment)
            if not matches(example.expected, actual):
                yield "\n".join([f"{file.name}:{example.line}: $ {example.command}",
                                 *(f"  shown  {line}" for line in example.expected),
                                 *(f"  got    {line}" for line in actual)])


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("file", type=pathlib.Path)
    parser.add_argument("--sosie", type=pathlib.Path, required=True)
    args = parser.parse_args()
    found = list(failures(args.file, args.sosie))
    print("\n".join(found) or "as shown")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())

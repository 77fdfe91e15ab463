"""The command `sosie`, with Parquet and Arrow files through pyarrow and objects in stores through
fsspec."""

import sys
from pathlib import Path

from . import _sosie
from ._addresses import SCHEMES


def run(arguments: list[str]) -> int:
    return _sosie.run_command(arguments, str(Path(__file__).parent / "share"))


def main() -> None:
    arguments = sys.argv[1:]
    may_be_objects = any(f"{scheme}://" in word for word in arguments for scheme in SCHEMES)
    if may_be_objects and arguments[0] != "serve":
        from . import _object_command

        sys.exit(_object_command.command(arguments, run))
    sys.exit(run(arguments))

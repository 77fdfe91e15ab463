"""The command `sosie`: the same as without Python, with Parquet and Arrow files by pyarrow."""

import sys

from . import _sosie


def main() -> None:
    sys.exit(_sosie.run_command(sys.argv[1:]))

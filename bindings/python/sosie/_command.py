"""The command `sosie`: the same as without Python, with Parquet and Arrow files by pyarrow."""

import sys
from pathlib import Path

from . import _sosie


def main() -> None:
    sys.exit(_sosie.run_command(sys.argv[1:], str(Path(__file__).parent / "share")))

"""The command `sosie`: the same program as without Python."""

import os
import sys
from pathlib import Path


def main() -> None:
    program = Path(__file__).parent / "bin" / "sosie"
    os.execv(program, [str(program), *sys.argv[1:]])

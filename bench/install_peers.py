#!/usr/bin/env python3
"""Installs the peers that we measure against, in the pinned versions of requirements.txt, into a
virtual environment of their own: build/bench-venv. Takes some minutes and about 1.2 GB.

    install_peers.py [PYTHON]    default: python3.12 or python3.13

text-dedup needs Python 3.12 or newer.
"""

import shutil
import subprocess
import sys

from measure import ROOT

VENV = ROOT / "build" / "bench-venv"


def main():
    candidates = sys.argv[1:] or ["python3.12", "python3.13"]
    for name in candidates:
        program = shutil.which(name)
        if program and subprocess.run([program, "-m", "venv", "--clear", VENV],
                                      capture_output=True).returncode == 0:
            break
    else:
        sys.exit(f"none of {', '.join(candidates)} can make a virtual environment")
    # hnswlib comes as source only.
    subprocess.run([VENV / "bin/python", "-m", "pip", "install", "--quiet", "--only-binary",
                    ":all:", "--no-binary", "hnswlib", "-r", ROOT / "bench/requirements.txt"],
                   check=True)


if __name__ == "__main__":
    main()

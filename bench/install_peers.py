#!/usr/bin/env python3
"""Installs the peers that Sosie is compared with, in the pinned versions of requirements.txt, into
a virtual environment of their own, build/bench-venv. Takes some minutes and about 1.2 GB. The
folder rapidfuzz-cpp next to it gets the C++ headers from RapidFuzz's source package.

    install_peers.py [PYTHON]    default: python3.12 or python3.13

text-dedup needs Python 3.12 or newer.
"""

import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

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
    # hnswlib is available only as source.
    subprocess.run([VENV / "bin/python", "-m", "pip", "install", "--quiet", "--only-binary",
                    ":all:", "--no-binary", "hnswlib", "-r", ROOT / "bench/requirements.txt"],
                   check=True)
    unpack_headers(VENV / "rapidfuzz-cpp")


def unpack_headers(target: Path):
    pinned = re.search("^RapidFuzz==.*$", (ROOT / "bench/requirements.txt").read_text(), re.M)[0]
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([VENV / "bin/python", "-m", "pip", "download", "--quiet", "--no-deps",
                        "--no-binary", "RapidFuzz", "--dest", folder, pinned], check=True)
        with tarfile.open(next(Path(folder).glob("*.tar.gz"))) as source:
            source.extractall(folder, filter="data")
        headers = next(Path(folder).glob("*/extern/rapidfuzz-cpp"))
        shutil.copytree(headers / "rapidfuzz", target / "rapidfuzz")
        shutil.copy(headers / "LICENSE", target)


if __name__ == "__main__":
    main()

"""What is installed: little, and all that is needed."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import sosie

PACKAGE = Path(sosie.__file__).parent
SYSTEM = {"linux-vdso.so.1", "libc.so.6", "libm.so.6", "libstdc++.so.6", "libgcc_s.so.1",
          "ld-linux-x86-64.so.2", "ld-linux-aarch64.so.1"}


def libraries(file: Path) -> dict[str, str]:
    """What a file is linked with: name and where it is found."""
    done = subprocess.run(["ldd", file], check=True, capture_output=True, text=True)
    lines = [re.match(r"\s*(\S+)(?: => (\S+))?", line).groups() for line in done.stdout.splitlines()]
    return {Path(name).name: place or name for name, place in lines}


def test_it_is_linked_with_the_system_and_what_it_carries():
    modules = list(PACKAGE.glob("_sosie*.so"))
    assert len(modules) == 1
    for name, place in libraries(modules[0]).items():
        assert name in SYSTEM or Path(place).is_relative_to(PACKAGE), name


def test_the_command_is_the_program():
    command = Path(sys.executable).parent / "sosie"
    done = subprocess.run([command, "--version"], capture_output=True, text=True)
    assert done.stdout.startswith(f"sosie {sosie.__version__} ")


def test_nothing_else_is_imported():
    """Neither pandas nor pyarrow nor polars comes with `import sosie`."""
    code = ("import sys, sosie; sosie.dedup(['a b c', 'a b c']).removed\n"
            "print(sorted({'pandas', 'pyarrow', 'polars', 'duckdb'} & sys.modules.keys()))")
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"

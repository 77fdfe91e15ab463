#!/usr/bin/env python3
"""Runs the tests of datasketch against sosie.datasketch.

    build/python-venv/bin/python bench/datasketch_tests.py [--tests FOLDER]

FOLDER is the folder `test` of a datasketch checkout; without it, the source archive of VERSION, the last one
with tests, is downloaded. Neither is kept. Each test runs with `datasketch` replaced by sosie.datasketch with
the behaviour of 2.0, and again with the scheme that earlier versions used. Prints how many tests passed,
which do not apply and why, and which failed; exits with 1 if one failed. A test does not apply if it needs a
class that Sosie lacks, a storage that it does not support, or a missing server or library.
"""

from __future__ import annotations

import argparse
import collections
import os
import re
import subprocess
import sys
import tarfile
import tempfile
import xml.etree.ElementTree as ElementTree
from pathlib import Path

VERSION = "1.6.5"

REPLACED = """
import functools, importlib, os, sys, types, unittest
import sosie.datasketch as ours

def refusing(name):
    def new(cls, *args, **keywords):
        raise unittest.SkipTest(f"sosie.datasketch has no {name}")
    return type(name, (), {"__new__": new})

sys.modules["datasketch"] = ours
for name in ("hashfunc", "lean_minhash", "lsh", "lshforest", "minhash", "storage", "weighted_minhash"):
    sys.modules[f"datasketch.{name}"] = importlib.import_module(f"sosie.datasketch.{name}")
for module, names in {"b_bit_minhash": ["bBitMinHash"], "hnsw": ["HNSW"],
                      "hyperloglog": ["HyperLogLog", "HyperLogLogPlusPlus"],
                      "lsh_bloom": ["BloomTable", "MinHashLSHBloom"],
                      "lshensemble": ["MinHashLSHEnsemble"]}.items():
    made = sys.modules[f"datasketch.{module}"] = types.ModuleType(f"datasketch.{module}")
    for name in names:
        setattr(made, name, refusing(name))

def with_scheme(make):
    @functools.wraps(make)
    def made(self, *args, **keywords):
        make(self, *args, **{"scheme": os.environ["SCHEME"], **keywords})
    return made

if "SCHEME" in os.environ:
    for kind in (ours.MinHash, ours.LeanMinHash):
        kind.__init__ = with_scheme(kind.__init__)
"""
STAND_INS = {
    "datasketch/__init__.py": REPLACED,
    "mock.py": "from unittest.mock import *\n",  # its form before it was implemented in Python
    "mockredis.py": "mock_redis_client = None\n",  # not called: the storage is rejected before
    "redis.py": "Redis = None\n",
    "test/__init__.py": "",
    "test/utils.py": "def fake_hash_func(data):\n    return data\n",  # the archive lacks it
}
NOT_APPLICABLE = [  # by the output of a test that does not pass
    (r"sosie\.datasketch has no (\w+)", "no {} here"),
    (r"<class 'datasketch\.(\w+)'> does not have the attribute", "no {} here"),
    (r"storage_config: type '(\w+)' is none of", "storage in {} is refused"),
    (r"DO_TEST_(\w+) not set", "needs a server of {}"),
    (r"Skipping test_(cassandra)", "needs a server of {}"),
    (r"(\w+)/CUDA not available", "needs {}"),
    (r"No module named '(\w+)", "needs {}"),
]


def their_tests(folder: Path) -> Path:
    """Downloads the source archive and returns its folder of tests."""
    subprocess.run([sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--no-binary", ":all:",
                    "--dest", folder, f"datasketch=={VERSION}"], check=True)
    with tarfile.open(folder / f"datasketch-{VERSION}.tar.gz") as archive:
        archive.extractall(folder, filter="data")
    return folder / f"datasketch-{VERSION}" / "test"


def outcomes(tests: Path, folder: Path, scheme: str | None) -> dict[str, str | None]:
    """For each test, None if it passed, otherwise its output."""
    for name, text in STAND_INS.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    for file in tests.glob("test_*.py"):
        (folder / "test" / file.name).write_bytes(file.read_bytes())
    environment = {**os.environ, "PYTHONPATH": str(folder), **({"SCHEME": scheme} if scheme else {})}
    subprocess.run([sys.executable, "-m", "pytest", "--quiet", "-p", "no:cacheprovider", "--junitxml",
                    folder / "results.xml", "--continue-on-collection-errors", "test"],
                   cwd=folder, env=environment, stdout=subprocess.DEVNULL)
    said: dict[str, str | None] = {}
    for case in ElementTree.parse(folder / "results.xml").iter("testcase"):
        name = f"{case.get('classname')}.{case.get('name')}".removeprefix("test.").lstrip(".")
        problems = [f"{part.get('message')} {part.text}" for part in case
                    if part.tag in ("failure", "error", "skipped")]
        said[name] = problems[0] if problems else None
    return said


def why_not_applicable(said: str) -> str | None:
    for pattern, reason in NOT_APPLICABLE:
        found = re.search(pattern, said)
        if found:
            return reason.format(found[1])
    return None


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--tests", type=Path, help="folder of tests of a checkout")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        tests = given.tests or their_tests(Path(folder))
        now = outcomes(tests, Path(folder) / "now", None)
        before = outcomes(tests, Path(folder) / "before", "legacy")
    passed = [name for name, said in now.items() if said is None]
    other = {name: said for name, said in now.items() if said is not None}
    legacy = [name for name in other if before.get(name, "") is None]
    reasons = collections.defaultdict(list)
    failed = {}
    for name in other.keys() - set(legacy):
        reason = why_not_applicable(other[name])
        if reason is None:
            failed[name] = other[name]
        else:
            reasons[reason].append(name)
    print(f"passed {len(passed)}, passed with scheme='legacy' {len(legacy)}, "
          f"not applicable {sum(map(len, reasons.values()))}, failed {len(failed)}")
    for name in sorted(legacy):
        print(f"scheme='legacy': {name}")
    for reason, names in sorted(reasons.items()):
        classes = collections.Counter(name.rpartition(".")[0] for name in names)
        counts = ", ".join(f"{name} {count}" for name, count in classes.items())
        print(f"not applicable ({reason}): {counts}")
    for name, said in sorted(failed.items()):
        print(f"failed: {name}\n{said}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
"""Reports what has changed since a check last passed. .ci/checked holds the git hashes of the files at that
time.

    checked.py                      what changed for each check
    checked.py unchanged CHECK      exits 0 if nothing did that CHECK looks at; else names it, and exits 1
    checked.py record [CHECK...]    CHECK has passed on the tree as it is (default: all, after .ci/run)

The tree is the working tree: uncommitted changes count, ignored files do not. A check that is not recorded
counts as completely changed, and so does a check whose list of files differs from the recorded one.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
RECORD = ROOT / ".ci" / "checked"

# Files and folders that affect the result of a check; FOLDER/* stands for each folder in it.
CHECKS = {
    "tidy": ["src/*", "apps/*", "include/sosie", ".clang-tidy", "CMakeLists.txt",
             "tools/check_tidy.py", "tools/check-requirements.txt"],
    "neon": ["src/kernels", "src/core/mix64.h", "tools/test_neon.sh"],
    # The folders of src whose code Spark's own code shares or repeats.
    "spark": ["bindings/*", "tests/spark", "tools/test_spark.sh", "docs/recipes/spark.md", "src/represent",
              "src/sketch", "src/candidates", "src/cluster", "src/plan", "bench/spark.py",
              "bench/spark_peers.py", "bench/spark_same.py"],
    "site": ["docs", "include/sosie", "bindings/*", "README.md", "CHANGELOG.md", "tools/docs_site.sh"],
    "web": ["web", "apps/server", "tests/web", "tests/server", "src/report", "src/decide", "src/write",
            "tools/test_page.sh", "tools/test_schema.sh"],
    "tsan": ["threads", "tests/cli/test_determinism.py", "tools/tsan_suppressions.txt"],
}
# `threads`: files of the library and the programs that mention threads.
OF_THREADS = r"ThreadPool|std::(j?thread|(shared_)?mutex|atomic|condition_variable|call_once|future)"


def git(*arguments: str, environment: dict | None = None) -> str:
    return subprocess.run(["git", "-C", str(ROOT), *arguments], check=True, text=True,
                          stdout=subprocess.PIPE, env=environment).stdout


def tree_of_work() -> str:
    """The hash of the working tree, as if it were committed now."""
    with tempfile.TemporaryDirectory() as folder:
        index = Path(folder) / "index"
        own = ROOT / git("rev-parse", "--git-path", "index").strip()
        if own.exists():
            shutil.copy2(own, index)  # uses the times in it, which avoids reading all files
        environment = dict(os.environ, GIT_INDEX_FILE=str(index))
        git("add", "--all", environment=environment)
        return git("write-tree", environment=environment).strip()


def hashes() -> dict[str, dict[str, str]]:
    """By check, the hash of each file or folder that it depends on."""
    tree = tree_of_work()
    there = {}
    for line in git("ls-tree", "-r", "-t", "-z", tree).split("\0")[:-1]:
        about, path = line.split("\t", 1)
        _, kind, there[path] = about.split(" ")
        if kind == "tree":
            there[path + "/"] = there[path]
    speaking = git("grep", "-lzE", OF_THREADS, tree, "--", "src", "apps", "include").split("\0")[:-1]
    speaking = [name.split(":", 1)[1] for name in speaking]
    lines = [f"{path} {there[path]}\n" for path in speaking if not path.endswith("_test.cc")]
    there["threads"] = hashlib.sha1("".join(lines).encode()).hexdigest()

    def things(name: str) -> list[str]:
        if not name.endswith("/*"):
            return [name]
        return [path[:-1] for path in there
                if path.endswith("/") and path[:-1].rpartition("/")[0] == name[:-2]]

    return {check: {thing: there.get(thing, "none") for name in names for thing in things(name)}
            for check, names in CHECKS.items()}


def recorded() -> dict[str, dict[str, str]]:
    out: dict[str, dict[str, str]] = {}
    for line in RECORD.read_text().splitlines() if RECORD.exists() else ():
        if line and not line.startswith("#"):
            check, thing, value = line.split(" ")
            out.setdefault(check, {})[thing] = value
    return out


def changed(check: str) -> list[str] | None:
    """The changes among the files that the check depends on; None: it is not recorded."""
    before = recorded().get(check)
    if before is None:
        return None
    now = hashes()[check]
    return [thing for thing in sorted(now | before) if now.get(thing) != before.get(thing)]


def record(checks: list[str]) -> None:
    table = recorded()
    now = hashes()
    table = {check: now[check] if check in checks else table[check]
             for check in CHECKS if check in checks or check in table}
    RECORD.write_text(
        "# Hashes of what each check looks at, when it last passed: tools/checked.py writes and reads them.\n"
        + "".join(f"{check} {thing} {value}\n"
                  for check, things in table.items() for thing, value in sorted(things.items())))


def told(check: str) -> str:
    things = changed(check)
    if things is None:
        return f"{check}: never recorded"
    return f"{check}: " + (", ".join(things) + " changed" if things else "unchanged")


def main() -> int:
    command, *checks = sys.argv[1:] or [""]
    unknown = set(checks) - set(CHECKS)
    if command not in ("", "unchanged", "record") or unknown or (command == "unchanged") != (
            command != "record" and len(checks) == 1):
        sys.exit(f"{__doc__}\nchecks: {' '.join(CHECKS)}")
    if command == "record":
        record(checks or list(CHECKS))
        return 0
    for check in checks or CHECKS:
        print(told(check), flush=True)
    return 0 if command == "" or changed(checks[0]) == [] else 1


if __name__ == "__main__":
    sys.exit(main())

"""Adds a measure, a vector distance, a format, a hash family and an option, and shows that they work.

usage: test_additions.py ROOT [--check]
Applies the patches in tests/additions to a copy of the tree, ROOT/build/additions. Each patch must
touch exactly the files listed for it in ARCHITECTURE.md, "One obvious place to add things". Then
builds the copy, generates its documents, runs the unit tests of measures (which test every row of
the table of measures), and uses each addition (tests/additions/check.py). --check: checks only that
the patches apply and touch the listed files. Exits with 1 if one does not.
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

# Patches by the table row that lists their files.
ADDITIONS = {
    "measure": "a measure",
    "vector_distance": "a measure",
    "format": "an input or output format",
    "hash_family": "a hash family",
    "option": "an option",
}
PATCHED = re.compile(r"^\+\+\+ b/(.+)$", re.MULTILINE)


def promised_files(root, row):
    """Patterns of the files in the row that begins with `row`, and how many may be any file."""
    page = (root / "ARCHITECTURE.md").read_text(encoding="utf-8")
    line = next(line for line in page.splitlines() if line.startswith(f"| {row}"))
    patterns = []
    for name in re.findall(r"`([\w/.{},]+)`", line):
        if "/" not in name:
            continue
        endings = re.search(r"\{(.+)\}", name)
        for ending in endings[1].split(",") if endings else [""]:
            path = re.sub(r"\{.+\}", ending, name)
            path = path if path.startswith("include/") else f"src/{path}"
            patterns.append(re.compile(re.escape(path).replace("NAME", r"\w+")))
    return patterns, line.count("the file that acts on it")


def broken_promises(root):
    """Additions that touch a file not listed for them, or not all of the listed ones."""
    for name, row in ADDITIONS.items():
        patch = root / "tests/additions" / f"{name}.patch"
        touched = PATCHED.findall(patch.read_text(encoding="utf-8"))
        patterns, others = promised_files(root, row)
        unpromised = [path for path in touched
                      if not any(pattern.fullmatch(path) for pattern in patterns)]
        if len(unpromised) > others:
            yield f"{patch.name}: touches {', '.join(unpromised)}, which the table does not promise"
        for pattern in patterns:
            if not any(pattern.fullmatch(path) for path in touched):
                yield f"{patch.name}: touches no {pattern.pattern}, which the table promises"
        if f"`tests/additions/{patch.name}`" not in (root / "CONTRIBUTING.md").read_text(
                encoding="utf-8"):
            yield f"{patch.name}: CONTRIBUTING.md does not walk through it"


def patches(root):
    return [root / "tests/additions" / f"{name}.patch" for name in ADDITIONS]


def do_not_apply(root):
    """Returns Git's messages about patches that do not apply to the tree, each alone, or all of
    them together."""
    outside = os.environ | {"GIT_CEILING_DIRECTORIES": str(root.parent)}
    for chosen in [[patch] for patch in patches(root)] + [patches(root)]:
        done = subprocess.run(["git", "apply", "--check", *chosen], cwd=root, env=outside,
                              capture_output=True, text=True, check=False)
        if done.returncode != 0:
            yield done.stderr.strip()


def copy_tree(root, copy):
    """The patched tree in `copy`; only files that differ are written, so a second build is quick."""
    listed = subprocess.run(["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
                            cwd=root, check=True, capture_output=True)
    names = [name for name in listed.stdout.decode().split("\0") if (root / name).is_file()]
    with tempfile.TemporaryDirectory() as folder:
        patched = pathlib.Path(folder)
        for name in names:
            (patched / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(root / name, patched / name)
        subprocess.run(["git", "apply", *patches(root)], cwd=patched, check=True)
        wanted = {path.relative_to(patched) for path in patched.rglob("*") if path.is_file()}
        for name in wanted:
            path = copy / name
            if not path.is_file() or path.read_bytes() != (patched / name).read_bytes():
                path.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(patched / name, path)
                shutil.copymode(patched / name, path)
    for path in copy.rglob("*"):
        name = path.relative_to(copy)
        if name.parts[0] != "build" and path.is_file() and name not in wanted:
            path.unlink()


def build_and_try(copy):
    def run(*command, **more):
        print("$", *command, flush=True)
        subprocess.run([str(part) for part in command], cwd=copy, check=True, **more)

    build = copy / "build/release"
    run("cmake", "--preset", "release", "-D", "SOSIE_TESTS=ON", stdout=subprocess.DEVNULL)
    run("cmake", "--build", "--preset", "release", "--target", "sosie_cli", "sosie_docs",
        "verify_test")
    run(build / "apps/docs/sosie_docs", copy)
    run(build / "apps/docs/sosie_docs", "--check", copy)
    run(build / "src/verify_test", "--gtest_brief=1")
    run(sys.executable, "tests/additions/check.py",
        env=os.environ | {"SOSIE_BIN": str(build / "sosie")})


def main():
    root = pathlib.Path(sys.argv[1]).resolve()
    broken = [*do_not_apply(root), *broken_promises(root)]
    print("\n".join(broken) or f"additions: {len(ADDITIONS)} apply and touch what the table promises")
    if broken or "--check" in sys.argv[2:]:
        return 1 if broken else 0
    copy = root / "build/additions/tree"
    copy.mkdir(parents=True, exist_ok=True)
    copy_tree(root, copy)
    build_and_try(copy)
    return 0


if __name__ == "__main__":
    sys.exit(main())

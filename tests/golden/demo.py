"""Runs `sosie dedup` on the sample, shows its summary, and compares everything with the pinned
values.

usage: demo.py --sosie BIN --out FOLDER [--update]
The pinned values are the summary (demo_summary.txt, with machine-dependent numbers masked) and the
bytes of the outputs (demo_outputs.sha256), which must not depend on compiler, CPU or number of
threads. --update pins the current values: look at the difference before you commit it.
"""
import argparse
import difflib
import hashlib
import pathlib
import re
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
SAMPLE = "samples/man-pages.jsonl"
# Lines that depend on the machine, and the numbers in them.
OF_THE_MACHINE = re.compile(r"\b(time|memory|scratch|threads?|seconds)\b", re.IGNORECASE)
NUMBER = re.compile(r"\d[\d.,]*(?:\s?(?:ns|us|ms|s|min|h|%|[kKMGT]?i?B)\b(?:/s)?)?")


def masked(summary, out):
    lines = summary.replace(str(out), "OUT").splitlines()
    return [NUMBER.sub("_", line) if OF_THE_MACHINE.search(line) else line for line in lines]


def run_demo(sosie, out):
    """Returns the summary; leaves the outputs in `out`."""
    out.mkdir(parents=True, exist_ok=True)
    command = [sosie, "dedup", SAMPLE, "-o", out / "kept.jsonl", "--removed", out / "removed.tsv"]
    done = subprocess.run(command, cwd=ROOT, stdin=subprocess.DEVNULL, stderr=subprocess.PIPE,
                          text=True, encoding="utf-8", check=False)
    sys.stdout.write(done.stderr)
    if done.returncode != 0:
        sys.exit(f"demo: sosie ended with status {done.returncode}")
    return done.stderr


def checksums(out):
    return [f"{hashlib.sha256((out / name).read_bytes()).hexdigest()}  {name}"
            for name in ("kept.jsonl", "removed.tsv")]


def compare(pinned, lines, update):
    """True if the lines equal the pinned file; otherwise, shows the difference."""
    if update:
        pinned.write_text("\n".join(lines) + "\n", encoding="utf-8")
        return True
    expected = pinned.read_text(encoding="utf-8").splitlines() if pinned.exists() else []
    difference = list(difflib.unified_diff(expected, lines, f"pinned {pinned.name}", "this run",
                                           lineterm=""))
    for line in difference:
        print(line, file=sys.stderr)
    return not difference


def next_steps(sosie, out):
    """Says what the outputs are and what to type next, at the end of `make demo`."""
    kept, removed = out / "kept.jsonl", out / "removed.tsv"
    return f"""
Look at
  {kept}      the kept documents, byte for byte unchanged
  {removed}     each removed document, the document kept in its place and their exact similarity
Try next
  {sosie} explain 4.00/man2/acct.2 3.50/man2/acct.2 {SAMPLE}
  {sosie} dedup {SAMPLE} -o {kept} --report {out / "report.html"}
  {sosie} dedup YOUR.jsonl -o kept.jsonl --removed removed.tsv
  make demo-web    reviews the groups in a browser; README.md shows the rest"""


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sosie", type=pathlib.Path, required=True)
    parser.add_argument("--out", type=pathlib.Path, required=True)
    parser.add_argument("--update", action="store_true")
    args = parser.parse_args()
    out = args.out.resolve()

    summary = run_demo(args.sosie.resolve(), out)
    same = [compare(HERE / "demo_summary.txt", masked(summary, out), args.update),
            compare(HERE / "demo_outputs.sha256", checksums(out), args.update)]
    if not all(same):
        sys.exit("demo: not what is pinned in tests/golden (demo.py --update pins it anew)")
    print(f"demo: as pinned in tests/golden; outputs in {args.out}")
    print(next_steps(args.sosie, args.out))


if __name__ == "__main__":
    main()

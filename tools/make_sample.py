"""Cuts samples/ from the complete set of man page revisions: the system calls from a to g.

usage: make_sample.py --data FOLDER [--out samples]
FOLDER holds man-pages-versions.jsonl.gz and pairs.{word5,char9}.ge050.tsv.gz. Rows are copied byte
for byte, in their order. A page is used only if the header of each of its revisions names one of
the licences in FREE.
"""
import argparse
import gzip
import json
import pathlib
import re

PAGE = re.compile(r"[^/]+/(man2/[a-g][^/]*)")
LICENCE = re.compile(r"%%%LICENSE_START\((.*?)\)")
# All permit copying and distribution, with or without changes.
FREE = {
    "VERBATIM", "VERBATIM_PROF", "VERBATIM_ONE_PARA", "FREELY_REDISTRIBUTABLE",
    "BSD_4_CLAUSE_UCB", "GPL_NOVERSION_ONELINE", "GPLv2_ONELINE",
    "GPLv2+_DOC_FULL", "GPLv2+_SW_3_PARA", "GPLv2+_SW_ONEPARA",
}


def licence(text):
    match = LICENCE.search(text)
    return match[1] if match else None


def sample_rows(data):
    """Yields (page, licence, id, line) for each revision in the sample's range of pages."""
    with gzip.open(data / "man-pages-versions.jsonl.gz", "rt", encoding="utf-8") as lines:
        for line in lines:
            row = json.loads(line)
            match = PAGE.fullmatch(row["id"])
            if match:
                yield match[1], licence(row["text"]), row["id"], line


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=pathlib.Path, required=True)
    parser.add_argument("--out", type=pathlib.Path, default=pathlib.Path("samples"))
    args = parser.parse_args()

    rows = list(sample_rows(args.data))
    not_free = {page for page, name, _, _ in rows if name not in FREE}
    kept = [(row_id, line) for page, _, row_id, line in rows if page not in not_free]
    ids = {row_id for row_id, _ in kept}
    (args.out / "man-pages.jsonl").write_text("".join(line for _, line in kept), encoding="utf-8")
    print(f"{len(kept)} rows; left out as not free: {sorted(not_free) or 'none'}")

    for shingle in ("word5", "char9"):
        with gzip.open(args.data / f"pairs.{shingle}.ge050.tsv.gz", "rt", encoding="utf-8") as lines:
            pairs = [line for line in lines if set(line.split("\t")[:2]) <= ids]
        (args.out / f"man-pages.pairs.{shingle}.tsv").write_text("".join(pairs), encoding="utf-8")
        print(f"{shingle}: {len(pairs)} pairs")


if __name__ == "__main__":
    main()

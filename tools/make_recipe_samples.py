#!/usr/bin/env python3
"""Cuts the samples for docs/recipes from complete data sets, into samples/.

    make_recipe_samples.py --data FOLDER [visits emoji digits molecules]     (all of them by default)

`digits` needs scikit-learn, `molecules` needs rdkit; samples that are not named are left unchanged.
The choice of rows depends only on their ids, so two runs give the same bytes.
"""

from __future__ import annotations

import argparse
import csv
import gzip
import hashlib
import io
from pathlib import Path

SAMPLES = Path(__file__).resolve().parent.parent / "samples"
USERS = 2_400     # users in msweb with 4 areas or more
DIGITS = 1_000
MOLECULES = 500
EMOJI_PART = 4    # one code point in this many


def rank(name: str) -> str:
    """A number derived from the name."""
    return hashlib.sha256(name.encode()).hexdigest()


def write_csv(name: str, rows: list[list[object]]) -> None:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows)
    packed = io.BytesIO()
    with gzip.GzipFile("", "wb", 9, packed, mtime=0) as file:
        file.write(text.getvalue().encode())
    (SAMPLES / name).write_bytes(packed.getvalue())


def lines(path: Path) -> list[str]:
    return gzip.decompress(path.read_bytes()).decode().splitlines()


def visits(data: Path) -> None:
    """Rows (user, area), like a shop's rows (customer, product)."""
    users = [(f"u{number}", line.split())
             for number, line in enumerate(lines(data / "sets-dev/msweb.txt.gz"))]
    drawn = sorted((user for user in users if len(user[1]) >= 4), key=lambda user: rank(user[0]))
    taken = sorted(drawn[:USERS], key=lambda user: int(user[0][1:]))
    write_csv("visits.csv.gz", [["user", "area"],
                                *([user, area] for user, areas in taken for area in areas)])


def emoji(data: Path) -> None:
    """Hashes of the pictures of one in `EMOJI_PART` code points, in both versions."""
    hashes = [line.split("\t") for line in lines(data / "emoji-hashes/hashes.tsv.gz")]
    taken = [row for row in hashes
             if int(rank(row[0].partition("/")[2])[:8], 16) % EMOJI_PART == 0]
    write_csv("emoji.csv.gz", [["id", "phash", "dhash"], *taken])


def digits(_: Path) -> None:
    """Pictures of handwritten digits as vectors of 64 bytes, and the digits, one per line."""
    import numpy as np
    from sklearn.datasets import load_digits

    pictures, labels = load_digits(return_X_y=True)
    np.save(SAMPLES / "digits.npy", pictures[:DIGITS].astype(np.uint8))
    names = [f"{number}-is-{label}" for number, label in enumerate(labels[:DIGITS])]
    (SAMPLES / "digits.txt").write_text("\n".join(names) + "\n")


def molecules(data: Path) -> None:
    """SMILES, Murcko scaffold, the bits set in ECFP4, and MACCS keys as hexadecimal digits."""
    from rdkit import Chem, RDLogger
    from rdkit.Chem.Scaffolds import MurckoScaffold

    RDLogger.DisableLog("rdApp.*")
    folder = data / "molecules-esol"
    rows = zip(lines(folder / "smiles.tsv.gz"), lines(folder / "ecfp4_sets.txt.gz"),
               lines(folder / "maccs_sets.txt.gz"), strict=True)
    taken = []
    for row, ecfp4, maccs in rows:
        number, smiles = row.strip().split("\t")
        scaffold = MurckoScaffold.MurckoScaffoldSmiles(mol=Chem.MolFromSmiles(smiles))
        keys = sum(1 << (167 - int(key)) for key in maccs.split())
        taken.append([f"m{number}", smiles.strip(), scaffold, ecfp4, f"{keys:042x}"])
    taken = sorted(sorted(taken, key=lambda row: rank(row[0]))[:MOLECULES],
                   key=lambda row: int(row[0][1:]))
    write_csv("molecules.csv.gz", [["id", "smiles", "scaffold", "ecfp4", "maccs"], *taken])


SAMPLE = {"visits": visits, "emoji": emoji, "digits": digits, "molecules": molecules}


def main() -> None:
    parser = argparse.ArgumentParser(allow_abbrev=False, description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="NAME")
    parser.add_argument("--data", type=Path, required=True)
    options = parser.parse_args()
    unknown = set(options.names) - set(SAMPLE)
    if unknown:
        parser.error(f"no sample {', '.join(sorted(unknown))}: there are {', '.join(SAMPLE)}")
    for name in options.names or SAMPLE:
        SAMPLE[name](options.data)


if __name__ == "__main__":
    main()

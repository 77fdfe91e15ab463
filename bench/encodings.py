#!/usr/bin/env python3
"""Measures how often `--encoding auto` is right, for the table in docs/measurements.md.

    python3 bench/encodings.py build/release/sosie [--trained]

The texts are translations from the packages installed here: from the third that the
letter-frequency tables were not made from (tools/make_language_letters.py), or from the others with
--trained. They are cut to 60, 200, 1,000 and 8,000 bytes in each encoding, and recognized in one
run over a folder.
"""

import argparse
import json
import pathlib
import random
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "tools"))
import make_language_letters as letters

SIZES = (60, 200, 1000, 8000)
COUNT = 20  # texts per language, encoding and length
WESTERN = "de fr es it pt pt_BR nl da sv nb fi ca gl".split()
OF_LANGUAGES = {"latin-1": WESTERN, "windows-1252": WESTERN, "cp850": WESTERN, "mac-roman": WESTERN,
                "utf-16le": "ru uk bg el he ja zh_CN zh_TW ko vi de fr pl ka tr".split(),
                "utf-16be": "ru uk bg el he ja zh_CN zh_TW ko vi de fr pl ka tr".split(),
                "windows-1250": "pl cs hu sk sl hr".split(), "iso-8859-2": "pl cs hu".split(),
                "windows-1251": "ru uk bg".split(), "koi8-r": ["ru"], "shift_jis": ["ja"],
                "euc-jp": ["ja"], "gb18030": ["zh_CN"], "big5": ["zh_TW"]}
PLAIN = {ord("\u2019"): "'", ord("\u2013"): "-", ord("\u201C"): '"', ord("\u201D"): '"', ord("\u201E"): '"'}
OF_LATIN_9 = set(b"\xA4\xA6\xA8\xB4\xB8\xBC\xBD\xBE")


def texts_of(language, of_judges):
    judged = letters.packages()[1]
    texts = []
    for path in sorted(letters.FOLDER.glob(f"{language}/LC_MESSAGES/*.mo")):
        if (path.stem in judged) == of_judges:
            some = letters.translations(path)
            random.Random(path.stem).shuffle(some)
            texts.append(some[:letters.MOST_OF_A_PACKAGE // 2])
    random.Random(language).shuffle(texts)
    return [text for some in texts for text in some]


def pieces(texts, encoding, size, rng):
    """Texts of this many bytes, at least one of them non-ASCII."""
    codec = {"latin-1": "latin-1", "mac-roman": "mac-roman"}.get(encoding, encoding.replace("windows-", "cp"))
    found = []
    for _ in range(20 * COUNT if texts else 0):
        data = b""
        first = rng.randrange(len(texts))
        for k in range(len(texts)):
            text = texts[(first + k) % len(texts)] + "\n"
            if encoding in ("latin-1", "cp850"):
                text = text.translate(PLAIN)
            try:
                data += text.encode(codec)
            except UnicodeEncodeError:
                continue
            if len(data) >= size:
                break
        if encoding.startswith("utf") or not data[:size].isascii():
            found.append(data[:size])
        if len(found) == COUNT:
            break
    return found


def is_right(found, encoding, data):
    """latin-1 is also right if windows-1252 reads the same text, and so is iso-8859-15."""
    if encoding == "windows-1252" and any(0x80 <= byte < 0xA0 for byte in data):
        return found == encoding
    if encoding in ("latin-1", "windows-1252"):
        return found in ("latin-1", "windows-1252") or (found == "iso-8859-15" and not OF_LATIN_9 & set(data))
    return found == encoding


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("sosie")
    parser.add_argument("--trained", action="store_true")
    asked = parser.parse_args()
    languages = sorted({language for some in OF_LANGUAGES.values() for language in some})
    texts = {language: texts_of(language, not asked.trained) for language in languages}
    files = {}
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch, "texts")
        folder.mkdir()
        for encoding, some in OF_LANGUAGES.items():
            for size in SIZES:
                for language in some:
                    rng = random.Random(f"{language}{encoding}{size}")
                    for i, data in enumerate(pieces(texts[language], encoding, size, rng)):
                        name = f"{encoding}-{size}-{language}-{i}"
                        files[name] = (encoding, size, data)
                        (folder / name).write_bytes(data)
        subprocess.run([pathlib.Path(asked.sosie).resolve(), "dedup", ".", "--format", "files", "--encoding", "auto",
                        "--on-bad-row", "keep", "--dry-run", "--stats", "../stats.json", "-q"],
                       cwd=folder, check=True)
        stats = json.loads(pathlib.Path(scratch, "stats.json").read_text())
    told = {row["name"]: row["encoding"] for row in stats["encodings"]}
    print(f"{'encoding':<14}" + "".join(f"{size:>8} B" for size in SIZES))
    for encoding in OF_LANGUAGES:
        parts = []
        for size in SIZES:
            rights = [is_right(told.get(f"./{name}", told.get(name, "utf-8")), encoding, data)
                      for name, (own, length, data) in files.items() if (own, length) == (encoding, size)]
            parts.append(f"{sum(rights) / max(1, len(rights)):>10.3f}")
        print(f"{encoding:<14}" + "".join(parts))


if __name__ == "__main__":
    main()

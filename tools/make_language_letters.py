#!/usr/bin/env python3
"""Writes src/io/language_letters.cc: letter frequencies of languages in Latin script.

    tools/make_language_letters.py > src/io/language_letters.cc

Counts the non-ASCII letters in the translations (/usr/share/locale/LANG/LC_MESSAGES/*.mo) of two
thirds of the packages installed here, chosen by a seed; the other packages serve as test data
(`--judged` lists them). Letters that make up less than one in two hundred are left out.
"""

import collections
import math
import pathlib
import random
import struct
import sys

FOLDER = pathlib.Path("/usr/share/locale")
LANGUAGES = {"ca": "Catalan", "cs": "Czech", "da": "Danish", "de": "German", "es": "Spanish",
             "et": "Estonian", "fi": "Finnish", "fr": "French", "ga": "Irish", "gl": "Galician",
             "hr": "Croatian", "hu": "Hungarian", "it": "Italian", "lt": "Lithuanian",
             "nb": "Norwegian", "nl": "Dutch", "pl": "Polish", "pt": "Portuguese", "ro": "Romanian",
             "sk": "Slovak", "sl": "Slovenian", "sv": "Swedish", "tr": "Turkish"}
OTHER_NAMES = {"pt": ["pt", "pt_BR"]}
MOST_OF_A_PACKAGE = 400  # translations


def translations(path):
    """The translations of more than 20 characters in a UTF-8 file."""
    data = path.read_bytes()
    magic, _, count, _, begin = struct.unpack("<5I", data[:20])
    if magic != 0x950412DE or count == 0:
        return []
    places = [struct.unpack_from("<2I", data, begin + 8 * i) for i in range(count)]
    texts = [data[at:at + size].split(b"\0")[0].decode("utf-8", "ignore") for size, at in places]
    if "UTF-8" not in texts[0].upper():
        return []
    return [text for text in texts[1:] if len(text) > 20]


def packages():
    """Names of all packages, and of the third that serves as test data."""
    names = sorted({path.stem for path in FOLDER.glob("*/LC_MESSAGES/*.mo")})
    random.Random(1).shuffle(names)
    return names, set(names[:len(names) // 3])


def counts_of(language, judged):
    counts = collections.Counter()
    for name in OTHER_NAMES.get(language, [language]):
        for path in sorted(FOLDER.glob(f"{name}/LC_MESSAGES/*.mo")):
            if path.stem in judged:
                continue
            texts = translations(path)
            random.Random(path.stem).shuffle(texts)
            for text in texts[:MOST_OF_A_PACKAGE]:
                counts.update(c for c in text.lower() if 0x80 < ord(c) < 0x250 and c.isalpha())
    return counts


def main():
    names, judged = packages()
    if "--judged" in sys.argv:
        print("\n".join(sorted(judged)))
        return
    print("// Made by tools/make_language_letters.py; do not edit.")
    print('#include "io/language_letters.h"\n')
    print("#include <array>\n")
    print("namespace sosie {\nnamespace {\n")
    rows = []
    print("// clang-format off")
    for language, name in LANGUAGES.items():
        counts = counts_of(language, judged)
        total = sum(counts.values())
        letters = [(letter, count / total) for letter, count in counts.most_common()
                   if count * 200 >= total and letter not in "ªº"]
        print(f"constexpr std::array<LetterOften, {len(letters)}> k{name} = {{{{")
        line = "  " + " ".join(f"{{0x{ord(letter):04X}, {round(100 * math.log(often))}}},"
                               for letter, often in letters)
        while len(line) > 100:
            cut = line.rindex(" {", 0, 100)
            print(line[:cut])
            line = "  " + line[cut + 1:]
        print(line + "\n}};")
        rows.append(f"k{name}")
    print(f"constexpr std::array<LanguageLetters, {len(rows)}> kLanguages = {{{{")
    for begin in range(0, len(rows), 6):
        print("  " + " ".join(f"{{{row}}}," for row in rows[begin:begin + 6]))
    print("}};")
    print("// clang-format on\n")
    print("}  // namespace\n")
    print("std::span<const LanguageLetters> language_letters() noexcept { return kLanguages; }\n")
    print("}  // namespace sosie")


if __name__ == "__main__":
    main()

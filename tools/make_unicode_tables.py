"""Writes src/represent/unicode_tables.cc from the Unicode character database.

usage: make_unicode_tables.py UCD_FOLDER > src/represent/unicode_tables.cc
UCD_FOLDER holds UnicodeData.txt and related files of Unicode 15.0 (Debian package unicode-data).
The tables affect results, so a new Unicode version requires a new recipe.

In scripts written without spaces (property Script, WITHOUT_BLANKS below), each letter, mark and
number is a word of its own.
"""
import pathlib
import re
import sys

WITHOUT_BLANKS = {
    "Han", "Hiragana", "Katakana", "Bopomofo", "Thai", "Lao", "Khmer", "Myanmar", "Tai_Le",
    "New_Tai_Lue", "Tai_Tham", "Tai_Viet",
}
BLANK, SEPARATOR, WORD, SINGLE = range(4)
JOINS, DISTURBS, MAPPING_SHIFT, FULL_PATH = 4, 8, 4, 0xFFF
CODE_POINTS, SURROGATES = range(0x110000), range(0xD800, 0xE000)
BLOCK = 64
MAPPING_BYTES = 6


def rows(folder, name):
    """The fields of each line; the first field is a range of code points."""
    for line in (folder / name).read_text(encoding="utf-8").splitlines():
        fields = [field.strip() for field in line.split("#")[0].split(";")]
        if fields[0]:
            first, _, last = fields[0].partition("..")
            yield range(int(first, 16), int(last or first, 16) + 1), fields[1:]


def code_points_with(folder, name, wanted):
    return {c for span, fields in rows(folder, name) if wanted(fields) for c in span}


def hexes(text):
    return tuple(int(word, 16) for word in text.split())


class Database:
    def __init__(self, folder):
        header = (folder / "CaseFolding.txt").read_text(encoding="utf-8")
        self.version = re.match(r"# CaseFolding-([0-9.]+)\.txt", header)[1]
        self.category, self.combining_class, self.split = {}, {}, {}
        self.read_unicode_data(folder)
        self.white_space = code_points_with(folder, "PropList.txt", lambda f: f[0] == "White_Space")
        self.excluded = code_points_with(folder, "DerivedNormalizationProps.txt",
                                         lambda f: f[0] == "Full_Composition_Exclusion")
        self.not_quick = code_points_with(folder, "DerivedNormalizationProps.txt",
                                          lambda f: f[0] == "NFC_QC")
        self.case_fold = {span[0]: hexes(fields[1]) for span, fields in
                          rows(folder, "CaseFolding.txt") if fields[0] in "CF"}
        self.single = code_points_with(folder, "Scripts.txt", lambda f: f[0] in WITHOUT_BLANKS)
        self.pairs = {parts: c for c, parts in self.split.items()
                      if len(parts) == 2 and c not in self.excluded}
        self.seconds = {parts[1] for parts in self.pairs}
        self.seconds |= set(range(0x1161, 0x1176)) | set(range(0x11A8, 0x11C3))  # Hangul V, T

    def read_unicode_data(self, folder):
        first = None
        for line in (folder / "UnicodeData.txt").read_text(encoding="utf-8").splitlines():
            fields = line.split(";")
            c = int(fields[0], 16)
            if fields[1].endswith("First>"):
                first = c
                continue
            for each in range(c if first is None else first, c + 1):
                self.category[each] = fields[2]
                if fields[3] != "0":
                    self.combining_class[each] = int(fields[3])
            first = None
            if fields[5] and not fields[5].startswith("<"):
                self.split[c] = hexes(fields[5])

    def decompose(self, c):
        if 0xAC00 <= c < 0xAC00 + 11172:
            lead, rest = divmod(c - 0xAC00, 588)
            vowel, tail = divmod(rest, 28)
            return (0x1100 + lead, 0x1161 + vowel) + ((0x11A7 + tail,) if tail else ())
        if c not in self.split:
            return (c,)
        return tuple(d for part in self.split[c] for d in self.decompose(part))

    def join(self, first, second):
        lead, vowel = first - 0x1100, second - 0x1161
        if 0 <= lead < 19 and 0 <= vowel < 21:
            return 0xAC00 + (lead * 21 + vowel) * 28
        syllable, tail = first - 0xAC00, second - 0x11A7
        if 0 <= syllable < 11172 and syllable % 28 == 0 and 0 < tail < 28:
            return first + tail
        return self.pairs.get((first, second))

    def nfc(self, text):
        marks, ordered = [], []
        for c in (d for each in text for d in self.decompose(each)):
            if self.combining_class.get(c, 0) == 0:
                ordered += sorted(marks, key=self.combining_class.get)
                ordered.append(c)
                marks = []
            else:
                marks.append(c)
        ordered += sorted(marks, key=self.combining_class.get)
        out, starter, last = [], None, 0
        for c in ordered:
            ccc = self.combining_class.get(c, 0)
            if starter is not None and (last == 0 or last < ccc):
                composite = self.join(out[starter], c)
                if composite is not None:
                    out[starter] = composite
                    continue
            if ccc == 0:
                starter = len(out)
            last = ccc
            out.append(c)
        return tuple(out)

    def fold(self, text):
        return tuple(f for c in text for f in self.case_fold.get(c, (c,)))

    def folded(self, c):
        return self.nfc(self.fold(self.nfc((c,))))

    def joins_previous(self, c):
        first = self.decompose(c)[0]
        return self.combining_class.get(first, 0) != 0 or first in self.seconds

    def char_class(self, c):
        if c in self.white_space or c == 0:
            return BLANK
        category = self.category.get(c, "Cn")
        if category[0] not in "LMN" and category != "Pc":
            return SEPARATOR
        return SINGLE if c in self.single else WORD


def utf8(text):
    return "".join(map(chr, text)).encode()


class Mappings:
    """Numbers from 1 for the results of folding single code points; 0 means 'itself'."""

    def __init__(self):
        self.numbers, self.rows = {}, [(b"", 0)]

    def number(self, ucd, c):
        text = ucd.folded(c)
        # U+FFFD also represents ill-formed bytes, which cannot be copied, so it needs its own bytes.
        if text == (c,) and c != 0xFFFD:
            return 0
        classes = {ucd.char_class(each) for each in text}
        if classes != {ucd.char_class(c)} or (SINGLE in classes and len(text) > 1):
            assert c not in ucd.case_fold, "the full path folds through the mappings"
            return FULL_PATH
        encoded = utf8(text)
        assert len(encoded) <= MAPPING_BYTES
        if encoded not in self.numbers:
            self.numbers[encoded] = len(self.rows)
            self.rows.append((encoded, len(text)))
        return self.numbers[encoded]


def properties(ucd, mappings):
    values = []
    for c in CODE_POINTS:
        if c in SURROGATES:
            values.append(SEPARATOR)
            continue
        value = ucd.char_class(c) | mappings.number(ucd, c) << MAPPING_SHIFT
        if ucd.joins_previous(c):
            value |= JOINS
            if c in ucd.not_quick or c in ucd.case_fold:
                value |= DISTURBS
        values.append(value)
    return values


def check(ucd):
    """The assumptions of the fast path in normalize.cc."""
    for c in CODE_POINTS:
        quick = ucd.nfc((c,)) == (c,) and c not in ucd.seconds
        assert quick == (c not in ucd.not_quick), f"{c:04X}: NFC_QC"
        if not ucd.joins_previous(c):
            assert not ucd.joins_previous(ucd.fold(ucd.nfc((c,)))[0]), f"{c:04X}: fold joins"


def two_level(values):
    """Returns the number of the block for each BLOCK code points, and the distinct blocks, concatenated."""
    numbers, index, blocks = {}, [], []
    for start in range(0, len(values), BLOCK):
        block = tuple(values[start:start + BLOCK])
        if block not in numbers:
            numbers[block] = len(numbers)
            blocks += block
        index.append(numbers[block])
    return index, blocks


def print_values(values):
    line = ""
    for value in map(str, values):
        if len(line) + len(value) > 98:
            print(line)
            line = ""
        line += value + ","
    print(line)


def print_array(kind, name, values):
    print(f"\nconst {kind} {name}[] = {{")
    print_values(values)
    print("};")


def runs(values):
    """Yields (first, step, count) for each run of values in equal steps, modulo 2^16."""
    at = 0
    while at < len(values):
        end, step = at + 1, 0
        if end < len(values):
            step = values[end] - values[at]
            while end < len(values) and values[end] - values[end - 1] == step:
                end += 1
        if end - at < 3:
            end, step = at + 1, 0
        yield values[at], step % 65536, end - at
        at = end


def print_runs(kind, name, values):
    assert max(values) < 65536
    size = f"<{kind}, {len(values)}>"
    print(f"\nconstexpr std::array{size} {name} = expanded{size}({{")
    print_values("{%d,%d,%d}" % run if run[2] > 1 else "{%d}" % run[0] for run in runs(values))
    print("});")


def print_two_level(kind, name, values):
    index, blocks = two_level(values)
    print_runs("std::uint8_t" if max(index) < 256 else "std::uint16_t", f"k{name}Block", index)
    print_runs(kind, f"k{name}", blocks)


EXPANDED = """
// Values that follow each other by equal steps, modulo 2^16.
struct Run {
  std::uint16_t first;
  std::uint16_t step = 0;
  std::uint16_t count = 1;
};

template <typename Value, std::size_t size, std::size_t count>
constexpr std::array<Value, size> expanded(const Run (&runs)[count]) {
  std::array<Value, size> values{};
  Value* out = values.data();
  for (const Run& run : runs) {
    std::uint32_t value = run.first;
    for (std::uint32_t i = 0; i < run.count; ++i, value += run.step) {
      *out++ = static_cast<Value>(value);
    }
  }
  return values;
}"""


def print_decompositions(ucd):
    offsets, pool = [], [0]
    for c in CODE_POINTS:
        offsets.append(len(pool) if c in ucd.split else 0)
        if c in ucd.split:
            text = ucd.decompose(c)
            pool += [len(text), *text]
    assert len(pool) < 65536
    print_two_level("std::uint16_t", "DecompositionOffset", offsets)
    print_array("char32_t", "kDecompositions", pool)


def main(folder):
    ucd = Database(folder)
    check(ucd)
    mappings = Mappings()
    values = properties(ucd, mappings)
    assert len(mappings.rows) < FULL_PATH
    print("// Generated by tools/make_unicode_tables.py from the Unicode character database "
          f"{ucd.version}.\n// Do not edit; what the tables mean is said in unicode_tables.h.\n"
          "// clang-format off\n\n"
          '#include "represent/unicode_tables.h"\n\nnamespace sosie::unicode {\nnamespace {')
    print(EXPANDED)
    print("\n}  // namespace")
    print_two_level("std::uint16_t", "Properties", values)
    print_array("Mapping", "kMappings", (
        "{{%s},%d,%d}" % (",".join(map(str, text.ljust(MAPPING_BYTES, b"\0"))), len(text), count)
        for text, count in mappings.rows))
    print_two_level("std::uint8_t", "CombiningClass",
                    [ucd.combining_class.get(c, 0) for c in CODE_POINTS])
    print_decompositions(ucd)
    print_array("Composition", "kCompositions", (
        "{%d,%d,%d}" % (*pair, composite) for pair, composite in sorted(ucd.pairs.items())))
    print(f"\nconst std::size_t kCompositionCount = {len(ucd.pairs)};")
    print("\n}  // namespace sosie::unicode")


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]))

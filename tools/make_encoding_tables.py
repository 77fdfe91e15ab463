#!/usr/bin/env python3
"""Writes src/io/encoding_tables.cc: the characters in the upper half of each 8-bit encoding.

    tools/make_encoding_tables.py > src/io/encoding_tables.cc

The tables come from Python's own codecs, so they do not depend on the C library. A byte that does
not represent a character has 0.
"""

NAMES = {"latin-1": "iso8859-1"}
NAMES |= {f"iso-8859-{n}": f"iso8859-{n}" for n in range(2, 17) if n != 12}
NAMES |= {f"windows-{n}": f"cp{n}" for n in range(1250, 1259)}
NAMES |= {"cp850": "cp850", "mac-roman": "mac-roman"}


def upper_half(codec):
    codes = []
    for byte in range(256):
        text = bytes([byte]).decode(codec, "ignore")
        assert len(text) <= 1 and (byte >= 0x80 or text == chr(byte)), codec
        codes.append(ord(text) if text else 0)
    return codes[128:]


def main():
    print("// Made by tools/make_encoding_tables.py; do not edit.")
    print('#include "io/encoding_tables.h"\n')
    print("namespace sosie {\nnamespace {\n")
    print("// clang-format off")
    print(f"constexpr std::array<EncodingTable, {len(NAMES)}> kTables = {{{{")
    for name, codec in NAMES.items():
        codes = upper_half(codec)
        assert len(set(codes) - {0}) == sum(code != 0 for code in codes), "no two bytes are equal"
        print(f'  {{"{name}", {{{{')
        for begin in range(0, 128, 12):
            print("    " + " ".join(f"0x{code:04X}," for code in codes[begin:begin + 12]))
        print("  }}},")
    print("}};")
    print("// clang-format on\n")
    print("}  // namespace\n")
    print("std::span<const EncodingTable> encoding_tables() noexcept { return kTables; }\n")
    print("}  // namespace sosie")


if __name__ == "__main__":
    main()

#include "io/encoding.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <string>
#include <vector>

#include "core/utf8.h"
#include "io/append_escaped.h"
#include "io/detect_encoding.h"
#include "io/encoding_tables.h"
#include "sosie/error.h"

namespace sosie {
namespace {

using namespace std::string_view_literals;

// All names that have a codec, whether from a table, a rule or iconv.
std::vector<std::string> codec_names() {
  std::vector<std::string> names = {"utf-16le", "utf-16be", "utf-32le",   "utf-32be", "shift_jis",
                                    "euc-jp",   "gb18030",  "big5-hkscs", "euc-kr",   "koi8-r"};
  for (const EncodingTable& table : encoding_tables()) names.emplace_back(table.name);
  std::erase_if(names, [](const std::string& name) { return !is_encoding_name(name); });
  return names;
}

// Decodes bytes that are passed in pieces of this size.
std::string decoded(std::string_view bytes, std::string_view name, std::size_t piece) {
  std::string text;
  Decoder decoder(std::string(name), [&](std::string_view some) { text += some; });
  for (; !bytes.empty(); bytes.remove_prefix(std::min(piece, bytes.size()))) {
    decoder.add(bytes.substr(0, piece));
  }
  decoder.finish();
  return text;
}

std::string encoded(std::string_view text, const std::string& name) {
  std::string bytes;
  EXPECT_TRUE(encoding_of_file({}, name).codec->encode(text, bytes)) << name;
  return bytes;
}

TEST(Codecs, AnyBytesComeBackAsTheyWere) {
  for (const std::string& name : codec_names()) {
    EXPECT_TRUE(rc::check([&](const std::string& bytes, std::size_t piece) {
      RC_PRE(encoding_of_file(bytes, name).mark.empty());
      const std::string text = decoded(bytes, name, 1 + piece % 9);
      RC_ASSERT(encoded(text, name) == bytes);
    })) << name;
  }
}

TEST(Codecs, RowsTakenOutOfATextComeBackAsTheyWere) {
  for (const std::string& name : codec_names()) {
    EXPECT_TRUE(rc::check([&](const std::string& random) {
      std::string text;
      for (const char c : random) text += c % 5 == 0 ? "\n" : c % 5 == 1 ? "Aa" : "z";
      const std::string bytes = encoded(text, name) + "\x85\xD8";
      std::string rows = decoded(bytes, name, 7);
      std::string again;
      while (!rows.empty()) {
        const std::size_t end = std::min(rows.find('\n'), rows.size() - 1) + 1;
        again += encoded(rows.substr(0, end), name);
        rows.erase(0, end);
      }
      RC_ASSERT(again == bytes);
    })) << name;
  }
}

TEST(Codecs, KnowTheirLetters) {
  EXPECT_EQ(decoded("M\xFCller \x80", "latin-1", 9), "Müller \u0080");
  EXPECT_EQ(decoded("\x80 \x93quoted\x94", "cp1252", 9), "€ \u201Cquoted\u201D");
  EXPECT_EQ(decoded("\xCF\xF0\xE8\xE2\xE5\xF2", "Windows_1251", 9), "Привет");
  EXPECT_EQ(decoded("\xA1\xAF", "iso-8859-7", 1), "\u2018\u2015");
  EXPECT_EQ(decoded("\x93\xFA\x96\x7B", "shift_jis", 1), "日本");
  EXPECT_EQ(decoded("\xFF\xFE"
                    "A\0=\xD8\0\xDE"sv,
                    "utf-16", 3),
            "A\U0001F600");
  EXPECT_EQ(decoded("\0A\xD8=\xDE\0"sv, "utf-16be", 3), "A\U0001F600");
  EXPECT_EQ(decoded("A\0\0\0\0\xF6\1\0"sv, "utf-32", 3), "A\U0001F600");
}

TEST(Codecs, WhatStandsForNothingIsEscapedByteByByte) {
  EXPECT_EQ(decoded("a\x81", "windows-1252", 9), "a\xED\xB2\x81");
  EXPECT_EQ(decoded("a\0\n\xD8"
                    "b\0"sv,
                    "utf-16le", 9),
            "a\xED\xB0\x8A\xED\xB3\x98"
            "b");
  EXPECT_EQ(decoded("a\0b"sv, "utf-16le", 9), "a\xED\xB1\xA2");
  EXPECT_EQ(decoded("\0\0\x11\0"sv, "utf-32le", 9),
            "\xED\xB0\x80\xED\xB0\x80\xED\xB0\x91\xED\xB0\x80");
}

TEST(Codecs, RefuseCharactersThatTheyLack) {
  for (const std::string name : {"latin-1", "iso-8859-5", "shift_jis"}) {
    std::string bytes;
    EXPECT_FALSE(encoding_of_file({}, name).codec->encode("\U0001F600", bytes)) << name;
  }
}

TEST(Encodings, AreToldByTheirByteOrderMarks) {
  struct Case {
    std::string_view head;
    std::string_view asked;
    std::string_view name;
    std::size_t mark;
  };
  const Case cases[] = {
      {"\xFF\xFE"
       "a\0"sv,
       "", "utf-16le", 2},
      {"\xFE\xFF\0a"sv, "", "utf-16be", 2},
      {"\xFF\xFE\0\0"sv, "", "utf-32le", 4},
      {"\0\0\xFE\xFF"sv, "", "utf-32be", 4},
      {"\xFF\xFE"
       "a\0"sv,
       "utf-8", "utf-8", 0},
      {"\xEF\xBB\xBF"
       "a",
       "", "utf-8", 3},
      {"\xFE\xFF\0a"sv, "utf-16", "utf-16be", 2},
      {"a\0"sv, "UTF16", "utf-16le", 0},
      {"\xFF\xFE"
       "a\0"sv,
       "utf-16be", "utf-16be", 0},
      {"a", "", "utf-8", 0},
      {"", "", "utf-8", 0},
      {"a", "latin-1", "latin-1", 0},
      {"a", "ISO-8859-1", "latin-1", 0},
      {"a", "us-ascii", "utf-8", 0},
      {"\xFE\xFF\0a"sv, "auto", "utf-16be", 2},
  };
  for (const Case& each : cases) {
    const FileEncoding found = encoding_of_file(each.head, each.asked);
    EXPECT_EQ(found.name, each.name) << each.asked;
    EXPECT_EQ(found.mark.size(), each.mark) << each.asked;
    EXPECT_EQ(found.codec == nullptr, each.name == "utf-8");
  }
}

TEST(Encodings, WithModesOrUnknownHaveNoName) {
  for (const std::string_view name :
       {"", "klingon", "iso-2022-jp", "utf-7", "hz", "latin-1//TRANSLIT"}) {
    EXPECT_FALSE(is_encoding_name(name)) << name;
    if (!name.empty()) {
      EXPECT_THROW((void)encoding_of_file("a", name), Error) << name;
    }
  }
}

TEST(DetectEncoding, TellsTextsOfCommonEncodings) {
  EXPECT_EQ(detect_encoding("plain"), "utf-8");
  EXPECT_EQ(detect_encoding("Gr\u00FC\u00DFe"), "utf-8");
  EXPECT_EQ(detect_encoding("h\0e\0l\0l\0o\0"sv), "utf-16le");
  EXPECT_EQ(detect_encoding("\0h\0e\0l\0l\0o"sv), "utf-16be");
  EXPECT_EQ(detect_encoding("\x1F\x04@\x04"
                            "8\x04"
                            "2\x04"
                            "5\x04"
                            "B\x04,\0 \0:\x04"
                            "0\x04:\x04 \0"
                            "4\x04"
                            "5\x04;\x04"
                            "0\x04?\0\n\0"sv),
            "utf-16le");
  EXPECT_EQ(detect_encoding("\x6C\x49\x5B\x57\0\n\x65\x87\x67\x2C\0\n"sv), "utf-16be");
  EXPECT_EQ(detect_encoding("a line\0with two zeros\0at odd places and more of text"sv), "utf-8");
  std::string russian;
  for (int i = 0; i < 20; ++i) {
    russian +=
        "\xCF\xF0\xE8\xE2\xE5\xF2, \xEA\xE0\xEA \xE4\xE5\xEB\xE0 \xF1\xE5\xE3\xEE\xE4\xED\xFF? ";
  }
  EXPECT_EQ(encoding_of_file(russian, "auto").name, "windows-1251");
}

// Words of German, French, Spanish and Danish.
TEST(DetectEncoding, TellsTheWesternEncodingsApart) {
  const std::string_view texts[] = {
      "Grüße aus Köln: zwölf Bücher über Äpfel, Öl und Maß, für später gehört",
      "Élève à l'école, où l'été fut très gai; ça va, forêt et hôtel réservés, déjà bâti",
      "La niña comió piñas en el jardín; ¿qué pasó después? Año próximo, también sábado",
      "Rødgrød med fløde på en ø; æbler, håndværk og blåbær til børn, også før året går"};
  for (const std::string_view text : texts) {
    for (const std::string name : {"latin-1", "cp850", "mac-roman"}) {
      EXPECT_EQ(detect_encoding(encoded(text, name)), name) << text;
    }
    const std::string quoted = "\u201E" + std::string(text) + "\u201C \u2013 5 \u20AC";
    EXPECT_EQ(detect_encoding(encoded(quoted, "windows-1252")), "windows-1252") << text;
    EXPECT_EQ(detect_encoding(encoded(quoted, "mac-roman")), "mac-roman") << text;
  }
  const std::string_view polish = "Zażółć gęślą jaźń; święto, źródło, żółw, łąka i śnieg, być może";
  EXPECT_EQ(detect_encoding(encoded(polish, "windows-1250")), "WINDOWS-1250");
  EXPECT_EQ(
      detect_encoding(encoded("5 \u20AC f\u00FCr B\u00FCcher \u00FCber K\u00F6ln", "iso-8859-15")),
      "iso-8859-15");
}

TEST(DetectEncoding, TakesASignBesideANumberForNoLetter) {
  for (const std::string_view text :
       {"Kaffee 5 \u20AC", "\u20AC5", "tea,\u20AC 12\ncake,\u20AC 3"}) {
    EXPECT_EQ(detect_encoding(encoded(text, "windows-1252")), "windows-1252") << text;
  }
  EXPECT_EQ(detect_encoding(encoded("\u00C4pfel: 5 \u00C4rmel, 3 \u00C4ste", "mac-roman")),
            "mac-roman");
}

}  // namespace
}  // namespace sosie

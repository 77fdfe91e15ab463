#include "read/arrow_json.h"

#include <gtest/gtest.h>

#include <array>
#include <limits>
#include <vector>

#include "read/arrow_layout.h"
#include "sosie/error.h"

namespace sosie {
namespace {

// An array whose data are in vectors owned by the test.
struct TestArray {
  ArrowSchema schema{};
  ArrowArray array{};
  std::vector<const void*> buffers;
  std::vector<ArrowSchema*> child_schemas;
  std::vector<ArrowArray*> child_arrays;

  TestArray(const char* format, std::int64_t length, std::vector<const void*> its_buffers,
            const std::vector<TestArray*>& children = {}, const char* name = "x")
      : buffers(std::move(its_buffers)) {
    schema.format = format;
    schema.name = name;
    array.length = length;
    array.buffers = buffers.data();
    array.n_buffers = static_cast<std::int64_t>(buffers.size());
    for (TestArray* child : children) {
      child_schemas.push_back(&child->schema);
      child_arrays.push_back(&child->array);
    }
    schema.children = child_schemas.data();
    array.children = child_arrays.data();
    schema.n_children = array.n_children = static_cast<std::int64_t>(children.size());
  }

  [[nodiscard]] std::vector<std::string> json() const {
    const ArrowJson values(schema, array, 0);
    std::vector<std::string> all;
    for (std::int64_t i = 0; i < array.length; ++i) values.append(i, all.emplace_back());
    return all;
  }
};

using Strings = std::vector<std::string>;

TEST(ArrowJsonTest, WritesNumbersExactly) {
  const std::array<double, 5> doubles = {0.1, -2, 1e300, std::numeric_limits<double>::quiet_NaN(),
                                         std::numeric_limits<double>::infinity()};
  EXPECT_EQ(TestArray("g", 5, {nullptr, doubles.data()}).json(),
            (Strings{"0.1", "-2", "1e+300", "null", "\"Infinity\""}));
  const std::array<float, 1> floats = {0.1F};
  EXPECT_EQ(TestArray("f", 1, {nullptr, floats.data()}).json(), Strings{"0.10000000149011612"});
  const std::array<std::uint16_t, 4> halves = {0x3C00, 0xC000, 0x0001, 0x7C00};
  EXPECT_EQ(TestArray("e", 4, {nullptr, halves.data()}).json(),
            (Strings{"1", "-2", "5.960464477539063e-08", "\"Infinity\""}));
  const std::array<std::int64_t, 2> longs = {std::numeric_limits<std::int64_t>::min(), 7};
  EXPECT_EQ(TestArray("l", 2, {nullptr, longs.data()}).json(),
            (Strings{"-9223372036854775808", "7"}));
  EXPECT_EQ(TestArray("tDu", 2, {nullptr, longs.data()}).json().back(), "7");
  const std::array<std::uint64_t, 1> most = {std::numeric_limits<std::uint64_t>::max()};
  EXPECT_EQ(TestArray("L", 1, {nullptr, most.data()}).json(), Strings{"18446744073709551615"});
}

TEST(ArrowJsonTest, EscapesTextsAndHonoursNullsAndOffsets) {
  const std::string bytes = "skip\"a\\\n\x01\xC3\xA4\xFF";
  const std::array<std::int32_t, 5> offsets = {0, 4, 9, 9, 12};
  const std::uint8_t valid = 0b1011;
  TestArray texts("u", 3, {&valid, offsets.data(), bytes.data()});
  texts.array.offset = 1;
  EXPECT_EQ(texts.json(), (Strings{R"("\"a\\\n\u0001")", "null", "\"\xC3\xA4\xFF\""}));
}

TEST(ArrowJsonTest, WritesListsOfStructs) {
  const std::array<std::int8_t, 5> numbers = {1, 2, 3, 4, 5};
  const std::uint8_t flags = 0b10110;
  TestArray a("c", 5, {nullptr, numbers.data()}, {}, "a\"");
  TestArray b("b", 5, {nullptr, &flags}, {}, "b");
  const std::uint8_t valid = 0b11101;
  TestArray items("+s", 5, {&valid}, {&a, &b});
  const std::array<std::int64_t, 4> offsets = {0, 2, 2, 5};
  TestArray lists("+L", 3, {nullptr, offsets.data()}, {&items});
  EXPECT_EQ(lists.json(),
            (Strings{R"([{"a\"": 1, "b": false}, null])", "[]",
                     R"([{"a\"": 3, "b": true}, {"a\"": 4, "b": false}, {"a\"": 5, "b": true}])"}));
}

TEST(ArrowJsonTest, CountsSlotsOfFixedListsFromTheirOffset) {
  const std::array<std::int16_t, 7> numbers = {9, 1, 2, 3, 4, 5, 6};
  TestArray values("s", 6, {nullptr, numbers.data()});
  values.array.offset = 1;
  TestArray lists("+w:2", 2, {nullptr}, {&values});
  lists.array.offset = 1;
  EXPECT_EQ(lists.json(), (Strings{"[3, 4]", "[5, 6]"}));
}

TEST(ArrowJsonTest, WritesDecimalsWithTheirScale) {
  const std::array<std::int64_t, 8> values = {12345, 0, -5, -1, 0, 0, 0, 1};
  TestArray decimals("d:30,2", 4, {nullptr, values.data()});
  EXPECT_EQ(decimals.json(), (Strings{"123.45", "-0.05", "0.00", "184467440737095516.16"}));
  const std::array<std::int32_t, 3> narrow = {12345, -5, 0};
  EXPECT_EQ(TestArray("d:9,2,32", 3, {nullptr, narrow.data()}).json(),
            (Strings{"123.45", "-0.05", "0.00"}));
  EXPECT_EQ(TestArray("d:9,-2,32", 3, {nullptr, narrow.data()}).json(),
            (Strings{"1234500", "-500", "0"}));
  const std::array<std::uint64_t, 8> wide = {0, 0, 0, 1, ~0ULL, ~0ULL, ~0ULL, ~0ULL};
  EXPECT_EQ(TestArray("d:76,1,256", 2, {nullptr, wide.data()}).json(),
            (Strings{"627710173538668076383578942320766641610235544446403451289.6", "-0.1"}));
}

TEST(ArrowJsonTest, WritesFixedBinariesAsTexts) {
  const std::string bytes = "ab\"\x01";
  EXPECT_EQ(TestArray("w:2", 2, {nullptr, bytes.data()}).json(),
            (Strings{"\"ab\"", R"("\"\u0001")"}));
}

TEST(ArrowJsonTest, WritesBinariesOfUuidsAsTheirText) {
  const std::string bytes("\x01\x23\x45\x67\x89\xAB\xCD\xEF\0\x11\x22\x33\x44\x55\x66\xFF", 16);
  const std::uint8_t valid = 1;
  const std::string both = bytes + bytes;
  const TestArray values("w:16", 2, {&valid, both.data()});
  EXPECT_EQ(values.json(), (Strings{"\"01234567-89ab-cdef-0011-2233445566ff\"", "null"}));
  const std::string metadata("\x02\0\0\0\x01\0\0\0a\0\0\0\0\x01\0\0\0b\x02\0\0\0cd", 24);
  EXPECT_EQ(arrow_metadata(metadata.data(), "a"), "");
  EXPECT_EQ(arrow_metadata(metadata.data(), "b"), "cd");
  EXPECT_EQ(arrow_metadata(nullptr, "a"), "");
}

TEST(ArrowJsonTest, WritesDatesAndTimesAsTexts) {
  const std::array<std::int32_t, 2> days = {19727, -1};
  const std::uint8_t valid = 0b01;
  EXPECT_EQ(TestArray("tdD", 2, {&valid, days.data()}).json(), (Strings{"\"2024-01-05\"", "null"}));
  const std::array<std::int64_t, 2> instants = {1'704'457'800'250, -1};
  EXPECT_EQ(TestArray("tsm:", 2, {nullptr, instants.data()}).json(),
            (Strings{"\"2024-01-05 12:30:00.25\"", "\"1969-12-31 23:59:59.999\""}));
  EXPECT_EQ(TestArray("tsm:Europe/Paris", 1, {nullptr, instants.data()}).json(),
            Strings{"\"2024-01-05 12:30:00.25+00:00\""});
}

TEST(ArrowJsonTest, WritesMapsAsObjects) {
  const std::array<std::int32_t, 4> ends = {0, 1, 3, 4};
  const std::string letters = "ab\"c";
  TestArray texts("u", 3, {nullptr, ends.data(), letters.data()}, {}, "key");
  const std::array<std::int32_t, 3> counts = {2, -1, 3};
  const std::uint8_t valid = 0b101;
  TestArray values("i", 3, {&valid, counts.data()}, {}, "value");
  TestArray entries("+s", 3, {nullptr}, {&texts, &values});
  const std::array<std::int32_t, 4> offsets = {0, 2, 2, 3};
  const std::uint8_t maps_valid = 0b111;
  EXPECT_EQ(TestArray("+m", 3, {&maps_valid, offsets.data()}, {&entries}).json(),
            (Strings{R"({"a": 2, "b\"": null})", "{}", R"({"c": 3})"}));
  TestArray numbers("i", 3, {nullptr, counts.data()}, {}, "key");
  TestArray numbered("+s", 3, {nullptr}, {&numbers, &values});
  EXPECT_EQ(TestArray("+m", 1, {nullptr, offsets.data()}, {&numbered}).json(),
            Strings{R"({"2": 2, "-1": null})"});
}

TEST(ArrowJsonTest, FollowsViewsOfLists) {
  const std::array<std::int16_t, 4> numbers = {1, 2, 3, 4};
  TestArray values("s", 4, {nullptr, numbers.data()});
  const std::array<std::int32_t, 3> offsets = {2, 0, 4};
  const std::array<std::int32_t, 3> sizes = {2, 3, 0};
  TestArray lists("+vl", 3, {nullptr, offsets.data(), sizes.data()}, {&values});
  EXPECT_EQ(lists.json(), (Strings{"[3, 4]", "[1, 2, 3]", "[]"}));
}

TEST(ArrowJsonTest, RepeatsRuns) {
  const std::array<std::int32_t, 3> ends = {2, 3, 6};
  const std::array<std::int16_t, 3> numbers = {7, 8, 9};
  const std::uint8_t valid = 0b101;
  TestArray run_ends("i", 3, {nullptr, ends.data()});
  TestArray values("s", 3, {&valid, numbers.data()});
  TestArray runs("+r", 4, {}, {&run_ends, &values});
  runs.array.offset = 1;
  EXPECT_EQ(runs.json(), (Strings{"7", "null", "9", "9"}));
}

TEST(ArrowJsonTest, LooksValuesUpInDictionaries) {
  const std::array<std::int32_t, 3> offsets = {0, 2, 4};
  const std::string bytes = "enfr";
  TestArray words("u", 2, {nullptr, offsets.data(), bytes.data()});
  const std::array<std::uint8_t, 3> indexes = {1, 0, 1};
  TestArray column("C", 3, {nullptr, indexes.data()});
  column.schema.dictionary = &words.schema;
  column.array.dictionary = &words.array;
  EXPECT_EQ(column.json(), (Strings{"\"fr\"", "\"en\"", "\"fr\""}));
  const std::array<std::int64_t, 4> cents = {150, 0, 250, 0};
  TestArray prices("d:9,2", 2, {nullptr, cents.data()});
  column.schema.dictionary = &prices.schema;
  column.array.dictionary = &prices.array;
  EXPECT_EQ(column.json(), (Strings{"2.50", "1.50", "2.50"}));
}

TEST(ArrowJsonTest, RefusesWhatHasNoJsonForm) {
  const TestArray either("+ud:0,1", 0, {}, {}, "either");
  try {
    (void)either.json();
    FAIL() << "was read";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::unsupported);
    EXPECT_STREQ(error.what(),
                 "column 'either' has a type that cannot be read (Arrow format '+ud:0,1')");
  }
}

}  // namespace
}  // namespace sosie

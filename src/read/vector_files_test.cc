#include "read/vector_files.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <limits>

#include "sosie/error.h"

namespace sosie {
namespace {

File file_of(const std::string& bytes) {
  Scratch folder("/tmp");
  ScratchFile scratch(folder);
  scratch.append(bytes);
  return scratch.section(0, "made.bin");
}

std::string npy(const std::string& type, const std::string& shape, const std::string& data,
                bool fortran = false) {
  std::string header = "{'descr': '" + type +
                       "', 'fortran_order': " + (fortran ? "True" : "False") +
                       ", 'shape': " + shape + ", }";
  header.resize((header.size() + 10) / 64 * 64 + 64 - 10, ' ');
  const auto size = static_cast<std::uint16_t>(header.size());
  std::string out = "\x93NUMPY\x01";
  out += '\0';
  out.append(reinterpret_cast<const char*>(&size), 2);
  return out + header + data;
}

template <typename T>
std::string bytes_of(std::initializer_list<T> values) {
  return {reinterpret_cast<const char*>(values.begin()), values.size() * sizeof(T)};
}

std::string message_of(const std::function<void()>& run) {
  try {
    run();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::malformed_input);
    return error.what();
  }
  return "no error";
}

TEST(VectorFiles, RowsLieWhereTheirFormatSays) {
  const std::string data = bytes_of<double>({1, 2, 3, 4, 5, 6});
  const File file = file_of(npy("<f8", "(2, 3)", data));
  const VectorRows rows = npy_rows(file);
  EXPECT_EQ(rows.begin, file.size() - data.size());
  EXPECT_EQ(rows.row_bytes, 24U);
  EXPECT_EQ(npy_rows(file_of(npy("|u1", "(1, 3)", "abc"))).row_bytes, 3U);
  EXPECT_EQ(rows_of_words(file_of(bytes_of<std::int32_t>({2, 0, 0}))).row_bytes, 12U);
  EXPECT_EQ(rows_of_bytes(file_of(bytes_of<std::int32_t>({4, 0}))).row_bytes, 8U);
  EXPECT_EQ(rows_of_bytes(file_of(bytes_of<std::int32_t>({4, 0}))).begin, 0U);
}

TEST(VectorFiles, AHeaderOfFewerRowsIsReadAgain) {
  for (const std::string shape : {"(3, 2)", "(1000000, 2)"}) {
    const File file = file_of(npy("<f4", shape, bytes_of<float>({1, 2})));
    const std::string header = npy_header(file, 1);
    EXPECT_EQ(header.size() % 64, 0U);
    EXPECT_EQ(header.back(), '\n');
    const auto column = read_npy(file_of(header + bytes_of<float>({1, 2})));
    EXPECT_EQ(column.rows, 1U);
    EXPECT_EQ(std::get<std::vector<float>>(column.components), (std::vector<float>{1, 2}));
  }
}

TEST(VectorFiles, NpyKeepsEveryTypeOfNumber) {
  const auto floats = read_npy(file_of(npy("<f4", "(2, 2)", bytes_of<float>({1, -2.5F, 0, 4}))));
  EXPECT_EQ(floats.rows, 2U);
  EXPECT_EQ(std::get<std::vector<float>>(floats.components), (std::vector<float>{1, -2.5F, 0, 4}));
  const auto doubles = read_npy(file_of(npy("<f8", "(1, 2)", bytes_of<double>({.1, 1e100}))));
  EXPECT_EQ(std::get<std::vector<double>>(doubles.components), (std::vector<double>{.1, 1e100}));
  const auto bytes = read_npy(file_of(npy("|i1", "(3, 1)", bytes_of<std::int8_t>({-128, 0, 127}))));
  EXPECT_EQ(std::get<std::vector<std::int8_t>>(bytes.components),
            (std::vector<std::int8_t>{-128, 0, 127}));
  const auto halves = read_npy(
      file_of(npy("<f2", "(1, 5)", bytes_of<std::uint16_t>({0x3C00, 0xC100, 1, 0x7BFF, 0x8000}))));
  EXPECT_EQ(std::get<std::vector<float>>(halves.components),
            (std::vector<float>{1, -2.5F, 0x1p-24F, 65504, -0.0F}));
}

// These numbers as an array saved by numpy, in the byte order of T, row- or column-major.
template <typename T>
std::string npy_of(const std::string& name, const std::vector<T>& numbers, std::size_t dimension,
                   bool big_endian, bool by_columns) {
  const std::size_t rows = numbers.size() / dimension;
  std::string data;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const std::size_t at = by_columns ? i % rows * dimension + i / rows : i;
    std::string bytes(reinterpret_cast<const char*>(&numbers[at]), sizeof(T));
    if (big_endian) std::reverse(bytes.begin(), bytes.end());
    data += bytes;
  }
  return npy((big_endian ? '>' : '<') + name,
             "(" + std::to_string(rows) + ", " + std::to_string(dimension) + ")", data, by_columns);
}

// All numbers in a column as doubles.
std::vector<double> numbers_of(const VectorColumn& column) {
  return std::visit(
      [](const auto& components) {
        return std::vector<double>(components.begin(), components.end());
      },
      column.components);
}

template <typename T>
void expect_same_numbers(const std::string& name) {
  const auto dimension = *rc::gen::inRange<std::size_t>(1, 5);
  const auto rows = *rc::gen::inRange<std::size_t>(1, 6);
  std::vector<T> numbers;
  for (std::size_t i = 0; i < rows * dimension; ++i) {
    numbers.push_back(static_cast<T>(*rc::gen::arbitrary<std::int16_t>()));
  }
  for (const bool big_endian : {false, true}) {
    for (const bool by_columns : {false, true}) {
      const File file = file_of(npy_of(name, numbers, dimension, big_endian, by_columns));
      const VectorColumn column = read_npy(file);
      RC_ASSERT(column.rows == rows && column.dimension == dimension);
      RC_ASSERT(numbers_of(column) == std::vector<double>(numbers.begin(), numbers.end()));
      const VectorRows lie = npy_rows(file);
      RC_ASSERT(lie.begin + rows * lie.row_bytes == file.size());
      RC_ASSERT(lie.by_columns == (by_columns ? sizeof(T) : 0));
      RC_ASSERT(file_of(npy_header(file, rows)).size() == lie.begin);
    }
  }
}

RC_GTEST_PROP(VectorFiles, NpyOfIntegersIsReadExactlyInEveryOrder, ()) {
  expect_same_numbers<std::int8_t>("i1");
  expect_same_numbers<std::int16_t>("i2");
  expect_same_numbers<std::int32_t>("i4");
  expect_same_numbers<std::uint8_t>("u1");
  expect_same_numbers<std::uint16_t>("u2");
  expect_same_numbers<std::uint32_t>("u4");
}

RC_GTEST_PROP(VectorFiles, NpyOfWideIntegersIsReadExactlyOrRefused, ()) {
  const auto number = *rc::gen::arbitrary<std::int64_t>() >> *rc::gen::inRange(0, 63);
  constexpr auto kMost = std::int64_t{1} << 53;
  for (const bool big_endian : {false, true}) {
    const File file = file_of(npy_of<std::int64_t>("i8", {7, number}, 1, big_endian, false));
    if (number >= -kMost && number <= kMost) {
      RC_ASSERT(numbers_of(read_npy(file)) ==
                (std::vector<double>{7, static_cast<double>(number)}));
      continue;
    }
    RC_ASSERT(message_of([&] { (void)read_npy(file); }) ==
              "made.bin: row 1, component 0: " + std::to_string(number) +
                  " is not a double: beyond 2^53");
  }
}

TEST(VectorFiles, NpyOfUnsignedAndTruthValuesIsCheckedNumberByNumber) {
  constexpr auto kMost = std::uint64_t{1} << 53;
  const auto read = [](const std::string& bytes) {
    return message_of([&] { (void)read_npy(file_of(bytes)); });
  };
  EXPECT_EQ(read(npy("<u8", "(1, 2)", bytes_of<std::uint64_t>({kMost, 0}))), "no error");
  EXPECT_EQ(read(npy("<u8", "(1, 2)", bytes_of<std::uint64_t>({0, kMost + 1}))),
            "made.bin: row 0, component 1: 9007199254740993 is not a double: beyond 2^53");
  const File flags = file_of(npy("|b1", "(2, 2)", std::string("\1\0\0\1", 4)));
  EXPECT_EQ(numbers_of(read_npy(flags)), (std::vector<double>{1, 0, 0, 1}));
  EXPECT_EQ(npy_kind(flags), kBitItems);
  EXPECT_EQ(npy_kind(file_of(npy("|u1", "(1, 1)", "a"))), kVectorItems);
  EXPECT_EQ(read(npy("|b1", "(2, 1)", "\1\2")),
            "made.bin: row 1, component 0: is not a truth value");
  for (const char* type : {"<b2", "|x1", "f4", "<", "<f16", "", "<U4"}) {
    EXPECT_NE(read(npy(type, "(1, 1)", "abcd")).find("made.bin: holds numbers of type"),
              std::string::npos)
        << type;
  }
}

TEST(VectorFiles, NpyWithoutRowsIsEmpty) {
  EXPECT_EQ(read_npy(file_of(npy("<f4", "(0, 128)", ""))).rows, 0U);
}

TEST(VectorFiles, NpySaysWhatIsWrong) {
  const auto says = [](const std::string& bytes) {
    return message_of([&] { (void)read_npy(file_of(bytes)); });
  };
  const std::string two = bytes_of<float>({1, 2});
  EXPECT_EQ(says("PK\x03\x04 zipped"), "made.bin: is not a .npy file");
  EXPECT_EQ(says(""), "made.bin: is not a .npy file");
  EXPECT_EQ(says(npy("<f4", "(2,)", two)), "made.bin: is not a two-dimensional array");
  EXPECT_EQ(says(npy("<f4", "(1, 2, 1)", two)), "made.bin: is not a two-dimensional array");
  EXPECT_EQ(says(npy("<c8", "(1, 1)", two)), "made.bin: holds numbers of type <c8");
  EXPECT_EQ(says(npy("<f4", "(2, 2)", two)),
            "made.bin: the header announces 2 rows of 2 components, 16 bytes, but 8 follow");
  EXPECT_EQ(says(npy("<f4", "(1, 1)", two)),
            "made.bin: the header announces 1 rows of 1 components, 4 bytes, but 8 follow");
  EXPECT_EQ(says(npy("<f4", "(1, 0)", "")), "made.bin: its rows are empty");
  EXPECT_EQ(says(npy("<f4", "(1, 2)", two).substr(0, 40)), "made.bin: ends within its .npy header");
  EXPECT_NE(says(npy("<f4", "(9, 99999999999)", two)).find("at most 2^32"), std::string::npos);
}

TEST(VectorFiles, NumbersInHeadersAreCheckedBeforeTheyAreUsed) {
  const auto says = [](const std::string& bytes) {
    return message_of([&] { (void)read_npy(file_of(bytes)); });
  };
  const std::string two = bytes_of<float>({1, 2});
  for (const char* shape :
       {"(-1, 2)", "(2, -1)", "(99999999999999999999, 2)", "()", "(1", "1, 2"}) {
    EXPECT_EQ(says(npy("<f4", shape, two)), "made.bin: is not a two-dimensional array") << shape;
  }
  for (const char* shape : {"(4294967296, 4294967297)", "(2, 2147483648)", "(4294967295, 1)"}) {
    EXPECT_NE(says(npy("<f8", shape, two)).find("at most 2^32"), std::string::npos) << shape;
  }
  EXPECT_EQ(says(npy("|O", "(1, 1)", two)), "made.bin: holds Python objects, not numbers");
  EXPECT_EQ(says("\x93NUMPY\x02" + std::string(1, '\0') + bytes_of<std::uint32_t>({0xFFFFFFFFU})),
            "made.bin: claims a .npy header of 4294967295 bytes; at most 65536 are read");
  for (const std::uint32_t dimension : {0U, 1U << 31, 0xFFFFFFFFU, 0x7FFFFFFFU, 131073U}) {
    const File file = file_of(bytes_of<std::uint32_t>({dimension, 0}));
    const auto read = message_of([&] { (void)read_fvecs(file); });
    EXPECT_NE(read.find("1 to 131072 are read"), std::string::npos) << dimension;
  }
}

TEST(VectorFiles, VecsRowsCarryTheirDimension) {
  const std::string row = bytes_of<std::int32_t>({2}) + bytes_of<float>({.5F, -1});
  const auto column = read_fvecs(file_of(row + row));
  EXPECT_EQ(column.rows, 2U);
  EXPECT_EQ(std::get<std::vector<float>>(column.components),
            (std::vector<float>{.5F, -1, .5F, -1}));
  const auto bytes = read_bvecs(file_of(bytes_of<std::int32_t>({3}) + "abc"));
  EXPECT_EQ(std::get<std::vector<std::uint8_t>>(bytes.components),
            (std::vector<std::uint8_t>{'a', 'b', 'c'}));
  const auto integers = read_ivecs(file_of(bytes_of<std::int32_t>({1, -2147483647})));
  EXPECT_EQ(std::get<std::vector<double>>(integers.components), (std::vector<double>{-2147483647}));
  EXPECT_EQ(read_fvecs(file_of("")).rows, 0U);
}

TEST(VectorFiles, VecsSayWhatIsWrong) {
  const auto says = [](const std::string& bytes) {
    return message_of([&] { (void)read_bvecs(file_of(bytes)); });
  };
  const std::string row = bytes_of<std::int32_t>({3}) + "abc";
  EXPECT_EQ(says(row + "abc"), "made.bin: ends within row 1");
  EXPECT_EQ(says("ab"), "made.bin: ends within row 0");
  EXPECT_EQ(says(row + bytes_of<std::int32_t>({2}) + "abc"),
            "made.bin: row 1 has 2 components, row 0 has 3");
  EXPECT_EQ(says(bytes_of<std::int32_t>({-1})),
            "made.bin: row 0 claims -1 components; 1 to 131072 are read");
}

TEST(NumberList, ReadsJsonAndPlainText) {
  for (const std::string_view text : {"[1,-2.5,3e-2]", " [ 1 , -2.5 , 0.03 ] ", "1 -2.5 .03",
                                      "1;-2.5;0.03", "+1,\t-2.5, 3e-2\r"}) {
    std::vector<double> numbers;
    EXPECT_TRUE(append_numbers(text, numbers)) << text;
    EXPECT_EQ(numbers, (std::vector<double>{1, -2.5, .03})) << text;
  }
  std::vector<double> none;
  EXPECT_TRUE(append_numbers("[]", none));
  EXPECT_TRUE(none.empty());
}

TEST(NumberList, RefusesEverythingElse) {
  for (const std::string_view text : {"[1,2", "1,,2", ",1", "1,", "nan", "inf", "[1,null]", "1e999",
                                      "[[1]]", "1-2", "0x10", "[1]2"}) {
    std::vector<double> numbers;
    EXPECT_FALSE(append_numbers(text, numbers)) << text;
    EXPECT_FALSE(mixes_separators(text)) << text;
  }
}

TEST(NumberList, RefusesMixedSeparators) {
  for (const std::string_view text : {"1,5 2,0", "1,5;2,0", "[1, 2 3]", "1;2 3"}) {
    std::vector<double> numbers;
    EXPECT_FALSE(append_numbers(text, numbers)) << text;
    EXPECT_TRUE(mixes_separators(text)) << text;
  }
}

TEST(HexBits, AreFourADigitInWholeWords) {
  std::vector<std::uint64_t> words;
  EXPECT_EQ(append_hex_bits("0x1aF", words), 12U);
  EXPECT_EQ(append_hex_bits(" 00000000000000012 \r", words), 68U);
  EXPECT_EQ(words, (std::vector<std::uint64_t>{0xFA1, std::uint64_t{1} << 60, 2}));
  EXPECT_EQ(append_hex_bits("", words), 0U);
}

TEST(HexBits, RefuseEverythingElse) {
  std::vector<std::uint64_t> words{7};
  for (const std::string_view text : {"12g4", "1 2", "-1", "0x0x1", "1.5"}) {
    EXPECT_FALSE(append_hex_bits(text, words)) << text;
  }
  EXPECT_EQ(words, std::vector<std::uint64_t>{7});
}

}  // namespace
}  // namespace sosie

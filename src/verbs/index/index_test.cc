#include "sosie/index.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <xxhash.h>

#include <cstring>
#include <string>
#include <vector>

#include "data/kinds.h"
#include "sosie/error.h"

namespace sosie {
namespace {

Options options_of(const std::string& kind) {
  Options options;
  options.kind = kind_called(kind);
  set_option(options, "threads", "1");
  set_option(options, kind == "bits" ? "within" : "threshold", kind == "bits" ? "9" : "0.9");
  return options;
}

IndexRows rows_of(const std::vector<std::uint8_t>& bytes, const std::string& kind) {
  const auto type = kind == "bits" ? ItemArray::Type::bits : ItemArray::Type::uint8;
  return {nullptr, {}, ItemArray{type, bytes.data(), bytes.size() / 4, 4}};
}

std::string with_hash(std::string bytes) {
  bytes.resize(bytes.size() - 8);
  const std::uint64_t hash = XXH3_64bits(bytes.data(), bytes.size());
  return bytes.append(reinterpret_cast<const char*>(&hash), sizeof hash);
}

std::string saved_index(const std::string& kind) {
  Index index(options_of(kind));
  std::vector<std::uint8_t> bytes;
  for (std::uint8_t i = 0; i < 40; ++i) bytes.push_back(static_cast<std::uint8_t>(i * i + 1));
  index.add(rows_of(bytes, kind));
  const std::vector<std::uint64_t> gone{2, 5};
  index.remove(gone);
  return index.save();
}

TEST(Index, IsTheSameWhenItWasSavedAndLoaded) {
  for (const std::string kind : {"vectors", "bits"}) {
    const std::string saved = saved_index(kind);
    const Index index = Index::load(saved);
    EXPECT_EQ(index.size(), 8U);
    EXPECT_EQ(index.next_number(), 10U);
    EXPECT_EQ(index.save(), saved);
  }
}

TEST(Index, IsNotLoadedFromBytesThatAreCutOrChanged) {
  const std::string saved = saved_index("vectors");
  for (std::size_t size = 0; size < saved.size(); ++size) {
    EXPECT_THROW((void)Index::load(saved.substr(0, size)), Error);
    std::string changed = saved;
    changed[size] = static_cast<char>(changed[size] ^ 1);
    EXPECT_THROW((void)Index::load(changed), Error);
  }
}

// Deliberately hostile bytes: their checksum is correct.
RC_GTEST_PROP(Index, RefusesHostileBytesOrStaysAnIndex, ()) {
  const std::string kind = *rc::gen::element<std::string>("vectors", "bits", "sets");
  std::string bytes = kind == "sets" ? Index(options_of(kind)).save() : saved_index(kind);
  for (int changes = *rc::gen::inRange(1, 4); changes > 0; --changes) {
    const auto at = *rc::gen::inRange<std::size_t>(14, bytes.size() - 8);
    if (*rc::gen::inRange(0, 4) == 0) {
      bytes.erase(at, *rc::gen::inRange<std::size_t>(0, bytes.size() - 8 - at));
    } else {
      bytes[at] = *rc::gen::element<char>('\0', '\1', '\x7F', '\xFF', '\x40');
    }
    if (bytes.size() < 24) break;
  }
  try {
    Index index = Index::load(with_hash(bytes));
    const std::vector<std::uint8_t> asked{1, 2, 5, 10};
    (void)index.query(rows_of(asked, kind), 2);
    RC_ASSERT(index.size() <= 10U);
  } catch (const Error& error) {
    RC_ASSERT(error.kind() != ErrorKind::cancelled);
  }
}

TEST(Index, SegmentsAreMergedAndNumbersStay) {
  Index index(options_of("vectors"));
  std::vector<std::vector<std::uint8_t>> rows;
  for (std::uint8_t i = 0; i < 100; ++i) {
    rows.push_back({static_cast<std::uint8_t>(i + 1), static_cast<std::uint8_t>(200 - i), 7, i});
    EXPECT_EQ(index.add(rows_of(rows.back(), "vectors")).first, i);
  }
  for (std::uint64_t i = 0; i < 100; ++i) {
    const RowPairs found = index.query(rows_of(rows[i], "vectors"), 1);
    ASSERT_EQ(found.right, std::vector<std::uint64_t>{i});
  }
}

}  // namespace
}  // namespace sosie

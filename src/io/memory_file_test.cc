#include "sosie/memory_file.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <string>

#include "io/file.h"

namespace sosie {
namespace {

std::shared_ptr<const MemoryFile> file_of(const std::vector<std::string>& texts) {
  auto owner = std::make_shared<const std::vector<std::string>>(texts);
  std::vector<std::span<const char>> pieces;
  for (const std::string& text : *owner) pieces.emplace_back(text.data(), text.size());
  return memory_file_of(std::move(pieces), owner);
}

RC_GTEST_PROP(MemoryFile, ReadsPiecesAsOneFile, (const std::vector<std::string>& texts)) {
  std::string all;
  for (const std::string& text : texts) all += text;
  const File file = File::in_memory("rows", file_of(texts));
  RC_ASSERT(file.size() == all.size());
  const auto offset = *rc::gen::inRange<std::size_t>(0, all.size() + 1);
  const auto size = *rc::gen::inRange<std::size_t>(0, all.size() - offset + 1);
  std::string read(size, '\0');
  file.read_at(offset, read.data(), size);
  RC_ASSERT(read == all.substr(offset, size));
}

TEST(MemoryFile, EndsWhereItsLastPieceDoes) {
  const File file = File::in_memory("rows", file_of({"abc", "", "de"}));
  EXPECT_TRUE(file.is_in_memory());
  EXPECT_TRUE(file.is_regular());
  std::string read(9, '.');
  EXPECT_EQ(file.read_some(1, read.data(), read.size()), 4U);
  EXPECT_EQ(read.substr(0, 4), "bcde");
  EXPECT_EQ(file.read_some(5, read.data(), read.size()), 0U);
  EXPECT_EQ(file.read_some(99, read.data(), read.size()), 0U);
}

}  // namespace
}  // namespace sosie

#include "io/journal.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "io/folder.h"
#include "sosie/error.h"

namespace sosie {
namespace {

constexpr std::uint64_t kFlushBytes = 100;
constexpr std::string_view kMark = "fir";

class JournalTest : public testing::Test {
 protected:
  JournalTest() {
    std::string pattern = testing::TempDir() + "journal-XXXXXX";
    folder_ = ::mkdtemp(pattern.data());
    path_ = folder_ + "/journal";
  }
  ~JournalTest() override { std::filesystem::remove_all(folder_); }

  static std::vector<std::string> records(const Journal& journal) {
    std::vector<std::string> all;
    for (std::size_t i = 0; i < journal.size(); ++i) {
      all.push_back(journal.read(i).value_or("(damaged)"));
    }
    return all;
  }
  void write_three() const {
    Journal journal(path_, kMark, kFlushBytes);
    for (const std::string& record : three_) journal.append(record);
  }
  void overwrite(std::uint64_t at, char byte) const {
    std::fstream file(path_, std::ios::in | std::ios::out | std::ios::binary);
    file.seekp(static_cast<std::streamoff>(at));
    file.put(byte);
  }

  const std::vector<std::string> three_ = {"first", "", std::string(1000, 'x')};
  std::string folder_;
  std::string path_;
};

TEST_F(JournalTest, HoldsWhatWasAppended) {
  write_three();
  Journal journal(path_, kMark, kFlushBytes);
  EXPECT_EQ(records(journal), three_);
  EXPECT_EQ(journal.head(0, 3), "fir");
  EXPECT_EQ(journal.head(0, 30), "first");
  journal.append("fourth");
  EXPECT_EQ(journal.read(3), "fourth");
  EXPECT_EQ(Journal(path_, kMark, kFlushBytes).size(), 4U);
}

TEST_F(JournalTest, WhatIsCutOffAnywhereIsNoRecord) {
  write_three();
  const auto size = std::filesystem::file_size(path_);
  for (std::uint64_t cut = 24; cut < size; ++cut) {
    std::filesystem::remove(path_);
    write_three();
    std::filesystem::resize_file(path_, cut);
    Journal journal(path_, kMark, kFlushBytes);
    std::vector<std::string> expected = three_;
    expected.resize(cut < 29 ? 0 : cut < 53 ? 1 : 2);  // 24 bytes before each record's own
    ASSERT_EQ(records(journal), expected) << cut;
    journal.append("more");
    expected.emplace_back("more");
    ASSERT_EQ(records(Journal(path_, kMark, kFlushBytes)), expected) << cut;
  }
}

TEST_F(JournalTest, AnotherByteAtTheEndIsNoRecord) {
  write_three();
  const auto size = std::filesystem::file_size(path_);
  overwrite(size - 1, 'y');
  EXPECT_EQ(records(Journal(path_, kMark, kFlushBytes)), (std::vector<std::string>{"first", ""}));
}

TEST_F(JournalTest, ADamagedRecordBeforeOthersIsFoundWhenItIsRead) {
  write_three();
  overwrite(24, 'F');
  const Journal journal(path_, kMark, kFlushBytes);
  EXPECT_EQ(records(journal), (std::vector<std::string>{"(damaged)", "", three_[2]}));
}

TEST_F(JournalTest, CanBeStartedAnew) {
  write_three();
  Journal journal(path_, kMark, kFlushBytes);
  journal.start("first of others");
  EXPECT_EQ(records(journal), std::vector<std::string>{"first of others"});
  journal.append("new");
  EXPECT_EQ(records(Journal(path_, kMark, kFlushBytes)),
            (std::vector<std::string>{"first of others", "new"}));
}

TEST_F(JournalTest, AMarkBehindADamagedHeadIsKnown) {
  write_three();
  overwrite(3, 'x');
  EXPECT_TRUE(records(Journal(path_, kMark, kFlushBytes)).empty());
}

TEST_F(JournalTest, FilesOfOthersAreRefusedAndStayAsTheyAre) {
  const auto expect_refused = [&] {
    EXPECT_THROW(Journal(path_, kMark, kFlushBytes), Error);
    EXPECT_THROW(Journal::expect_journal(path_, kMark), Error);
  };
  for (const std::string& bytes :
       {std::string("x"), std::string(24, '\0'), std::string(30, '\n'), std::string(5000, 'f')}) {
    std::ofstream(path_, std::ios::binary) << bytes;
    expect_refused();
    std::ifstream file(path_, std::ios::binary);
    EXPECT_EQ(std::string(std::istreambuf_iterator<char>(file), {}), bytes);
  }
  std::filesystem::rename(path_, folder_ + "/other");
  std::filesystem::create_symlink("other", path_);
  expect_refused();
  std::filesystem::remove(path_);
  std::filesystem::create_directory(path_);
  EXPECT_THROW(Journal(path_, kMark, kFlushBytes), Error);
  Journal::expect_journal(folder_ + "/none", kMark);
  EXPECT_FALSE(std::filesystem::exists(folder_ + "/none"));
}

TEST_F(JournalTest, AFolderIsForOneProcessAtATime) {
  const ClaimedFolder first(folder_ + "/new/");
  EXPECT_EQ(first.file("x"), folder_ + "/new/x");
  try {
    const ClaimedFolder second(folder_ + "/new");
    FAIL() << "was given to two";
  } catch (const Error& error) {
    EXPECT_EQ(error.what(), folder_ + "/new: in use by another process");
  }
}

}  // namespace
}  // namespace sosie

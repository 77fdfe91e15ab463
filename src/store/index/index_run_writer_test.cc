// Tests of runs of items that are added together or one by one, with much memory and with little.
#include "store/index/index_run_writer.h"

#include <fstream>
#include <iterator>

#include "store/index/index_on_disk_test.h"

namespace sosie {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kItems = 3000;

std::map<std::string, std::string> bytes_of_files(const std::string& folder) {
  std::map<std::string, std::string> files;
  for (const auto& entry : fs::directory_iterator(folder)) {
    std::ifstream in(entry.path(), std::ios::binary);
    files[entry.path().filename().string()] = {std::istreambuf_iterator<char>(in), {}};
  }
  return files;
}

bool is_left_out(std::uint64_t number) { return number % 7 == 3; }
bool has_keys(std::uint64_t number) { return number % 5 != 1; }

std::vector<std::uint64_t> some_keys(const std::vector<std::uint64_t>& keys, std::uint64_t number) {
  return has_keys(number) ? keys : std::vector<std::uint64_t>();
}

TEST_F(IndexOnDisk, ItemsThatComeTogetherMakeTheBytesOfItemsThatComeOneByOne) {
  constexpr std::uint64_t kTogether = 130;
  const auto limits = [](std::uint64_t memory, unsigned threads) {
    IndexWriter::Limits made{memory};
    made.threads = threads;
    return made;
  };
  {
    IndexWriter writer(folder(), manifest(), limits(std::uint64_t{1} << 30, 1));
    for (std::uint64_t number = 0; number < kItems; ++number) {
      if (is_left_out(number)) continue;
      writer.add(packed_item(number), some_keys(keys_of(number), number));
    }
    writer.commit(kItems);
  }
  const auto one_by_one = bytes_of_files(folder());
  for (const std::uint64_t memory : {std::uint64_t{1} << 30, std::uint64_t{1} << 16}) {
    for (const unsigned threads : {1U, 3U}) {
      fs::remove_all(folder());
      IndexWriter writer(folder(), manifest(), limits(memory, threads));
      NewItems items;
      for (std::uint64_t begin = 0; begin < kItems; begin += kTogether) {
        const std::uint64_t end = std::min(kItems, begin + kTogether);
        items.resize(end - begin, writer.folder().shape());
        for (std::uint64_t number = begin; number < end; ++number) {
          if (number % 14 == 3) continue;  // a place that is never set
          items.set(number - begin, packed_item(number), some_keys(keys_of(number), number));
          if (is_left_out(number)) items.leave_out(number - begin);
        }
        writer.add(items);
      }
      writer.commit(kItems);
      EXPECT_EQ(bytes_of_files(folder()), one_by_one) << memory << " " << threads;
    }
  }
}

// The log takes the first few items; the rest become a run.
TEST_F(IndexOnDisk, ItemsThatComeTogetherGoToTheLogWhileTheyAreFew) {
  build(100, 0);
  IndexWriter writer(folder(), {std::uint64_t{1} << 30});
  NewItems items;
  items.resize(3, writer.folder().shape());
  items.set(0, packed_item(100), keys_of(100));
  items.set(2, packed_item(101), keys_of(101));
  writer.add(items);
  writer.commit(103);
  EXPECT_EQ(writer.folder().log_items().present(), 2U);
  EXPECT_EQ(numbers_found(writer.folder(), 100).back(), 100U);
  EXPECT_EQ(writer.folder().items(), 102U);
}

}  // namespace
}  // namespace sosie

#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "core/mix64.h"
#include "store/index/index_folder.h"
#include "store/index/index_writer.h"

namespace sosie {

// A small index in a folder of its own, for tests.
class IndexOnDisk : public testing::Test {
 protected:
  IndexOnDisk() {
    std::string name = (std::filesystem::temp_directory_path() / "index-test-XXXXXX").string();
    root_ = ::mkdtemp(name.data());
  }
  ~IndexOnDisk() override { std::filesystem::remove_all(root_); }

  [[nodiscard]] std::string folder() const { return (root_ / "index").string(); }

  static IndexManifest manifest() {
    IndexManifest manifest;
    manifest.contents.plan.banding = {64, 3, 5, 40};
    manifest.contents.id_field = "id";
    return manifest;
  }

  // Items with equal `number % 4` share the key of band 0.
  static std::vector<std::uint64_t> keys_of(std::uint64_t number) {
    constexpr std::uint64_t kKeyMask = (std::uint64_t{1} << 40) - 1;
    return {mix64(number % 4) & kKeyMask, mix64(number + 100) & kKeyMask,
            mix64(number + 200) & kKeyMask};
  }

  static std::string id_of(std::uint64_t number) { return "id " + std::to_string(number); }

  static std::string filter_of(std::uint64_t number) {
    std::string filter(64, static_cast<char>('a' + number % 26));
    return filter;
  }

  static std::string packed_item(std::uint64_t number) {
    const std::string id = id_of(number);
    const std::string filter = filter_of(number);
    const std::vector<std::uint64_t> elements = {number, number + 7};
    IndexItem item;
    item.number = number;
    item.id = id;
    item.is_named = item.is_kept = true;
    item.size = 2;
    item.hash = {number, ~number};
    item.filter = filter;
    item.elements = {reinterpret_cast<const char*>(elements.data()), 16};
    return pack_item(item);
  }

  static void add(IndexWriter& writer, std::uint64_t begin, std::uint64_t end) {
    for (std::uint64_t number = begin; number < end; ++number) {
      writer.add(packed_item(number), keys_of(number));
    }
  }

  // Builds a run of `in_run` items, and adds others to the log.
  void build(std::uint64_t in_run, std::uint64_t in_log) const {
    IndexWriter writer(folder(), manifest(), {std::uint64_t{1} << 30});
    add(writer, 0, in_run);
    writer.commit(in_run);
    add(writer, in_run, in_run + in_log);
    writer.commit(in_run + in_log);
  }

  // Numbers of the items that share a key with this one.
  static std::vector<std::uint64_t> numbers_found(const IndexFolder& index, std::uint64_t number) {
    IndexBuffer buffer;
    std::vector<ItemPlace> found;
    index.find(keys_of(number), buffer, found);
    std::vector<std::uint64_t> numbers;
    numbers.reserve(found.size());
    for (const ItemPlace& place : found) numbers.push_back(index.item(place, buffer).number);
    return numbers;
  }

  static void remove(IndexWriter& writer, std::initializer_list<std::uint64_t> numbers) {
    IndexBuffer buffer;
    for (const std::uint64_t number : numbers) {
      EXPECT_TRUE(writer.remove(*writer.folder().find_name(id_of(number), buffer)));
    }
  }

  // Limits of a writer that leaves merges to begin_merge().
  static IndexWriter::Limits merging_later() {
    return {std::uint64_t{1} << 30, nullptr, nullptr, /*merges_later=*/true};
  }

  // Adds a separate run with the next ten items.
  static void add_run(IndexWriter& writer) {
    const std::uint64_t begin = writer.folder().next_number();
    (void)writer.add_files({});
    add(writer, begin, begin + 10);
    writer.commit(begin + 10);
  }

  // All query results: by key of band 0, by id, and for each item found.
  static std::map<std::string, std::uint64_t> contents_of(const IndexFolder& index,
                                                          std::uint64_t most) {
    std::map<std::string, std::uint64_t> said;
    IndexBuffer buffer;
    std::vector<ItemPlace> found;
    std::vector<std::uint64_t> elements;
    for (std::uint64_t number = 0; number < most; ++number) {
      index.find(keys_of(number), buffer, found);
      said["found by " + id_of(number)] = found.size();
      for (const ItemPlace& place : found) {
        const IndexItem item = index.item(place, buffer);
        item.copy_elements(elements);
        said["item " + item.name()] = item.number + 7 * item.hash.high;
        for (const std::uint64_t element : elements) said["item " + item.name()] += 1000 * element;
      }
      said["is there " + id_of(number)] = index.find_name(id_of(number), buffer) ? 1 : 0;
    }
    return said;
  }

  std::filesystem::path root_;
};

}  // namespace sosie

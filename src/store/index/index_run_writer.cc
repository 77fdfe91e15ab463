// Writes runs of an index, from items and sorted keys.
#include "store/index/index_run_writer.h"

#include <xxhash.h>

#include <algorithm>
#include <limits>

#include "core/most_rows.h"
#include "sosie/error.h"
#include "store/index/index_marks.h"
#include "store/packed_writer.h"

namespace sosie {
namespace {

constexpr std::size_t kItemBlockBytes = 8192;  // a block ends with the item that reaches them

}  // namespace

IndexRunWriter::IndexRunWriter(const std::string& folder, std::uint64_t number,
                               const IndexShape& shape, const std::atomic<bool>* cancel)
    : shape_(shape),
      out_(index_file(folder, "run", number), OutputFile::Durability::flushed_to_disk,
           Compression::none, cancel),
      path_(index_file(folder, "run", number)),
      mark_(index_mark("run", shape.components > 0 ? kNextIndexVersion : kIndexVersion)) {
  entry_.number = number;
  out_.write(mark_);
  entry_.bytes = mark_.size();
}

void IndexRunWriter::write_block(std::string_view content) {
  const std::uint64_t checksum = XXH3_64bits_withSeed(content.data(), content.size(), entry_.bytes);
  PackedWriter tail;
  tail.value(checksum);
  out_.write(content);
  out_.write(tail.bytes());
  entry_.bytes += content.size() + tail.bytes().size();
}

void IndexRunWriter::add_item(const SplitItem& item) {
  const std::size_t bytes = item.before.size() + item.after.size();
  constexpr std::size_t kMostBytes = std::numeric_limits<std::uint32_t>::max() / 2;
  if (bytes > kMostBytes) {
    throw Error(ErrorKind::limit_exceeded, path_ + ": an item of more than 2 GB");
  }
  if (entry_.items == most_rows()) check_items_of_index(most_rows() + 1, path_ + ": ");
  ++entry_.items;
  lengths_.push_back(static_cast<std::uint32_t>(bytes));
  items_ += item.before;
  items_ += item.after;
  filters_ += item.filter;
  filters_.resize(lengths_.size() * shape_.components);
  if (items_.size() >= kItemBlockBytes) end_items();
}

void IndexRunWriter::write_filters() {
  const FilterGroups groups(lengths_.size(), shape_.components);
  std::string_view rest = filters_;
  for (std::uint64_t group = 0; group < groups.groups(); ++group) {
    const std::size_t bytes = groups.bytes_of(group) - sizeof(std::uint64_t);
    write_block(rest.substr(0, bytes));
    rest.remove_prefix(bytes);
  }
}

void IndexRunWriter::end_items() {
  if (lengths_.empty()) return;
  PackedWriter block;
  block.column(std::span<const std::uint32_t>(lengths_));
  const std::string content = block.bytes() + items_;
  const std::uint64_t begin = entry_.bytes;
  write_filters();
  write_block(content);
  block_items_.push_back(static_cast<std::uint32_t>(lengths_.size()));
  block_bytes_.push_back(static_cast<std::uint32_t>(entry_.bytes - begin));
  lengths_.clear();
  items_.clear();
  filters_.clear();
}

void IndexRunWriter::add_key(const KeyEntry& entry) {
  if (bands_.empty()) {
    end_items();
    bands_.emplace_back();
  }
  keys_.push_back(entry);
  if (keys_.size() == kKeysOfBlock) end_keys();
}

void IndexRunWriter::add_keys(const PackedKeys& block) {
  if (bands_.empty()) {
    end_items();
    bands_.emplace_back();
  }
  Band& band = bands_.back();
  band.entries += block.entries;
  band.first_keys.push_back(block.first_key);
  band.bytes.push_back(static_cast<std::uint32_t>(block.bytes.size() + sizeof(std::uint64_t)));
  write_block(block.bytes);
}

void IndexRunWriter::end_keys() {
  if (keys_.empty()) return;
  add_keys({keys_.front().key, keys_.size(), pack_keys(keys_)});
  keys_.clear();
}

void IndexRunWriter::end_band() {
  if (bands_.empty()) {
    end_items();
    bands_.emplace_back();
  }
  end_keys();
  bands_.emplace_back();
}

std::string IndexRunWriter::footer() const {
  PackedWriter out;
  out.value(entry_.items);
  out.value(static_cast<std::uint32_t>(shape_.bands));
  out.value(static_cast<std::uint32_t>(shape_.components));
  out.value(std::uint64_t{block_items_.size()});
  out.column(std::span<const std::uint32_t>(block_items_));
  out.column(std::span<const std::uint32_t>(block_bytes_));
  for (std::size_t band = 0; band <= shape_.bands; ++band) {
    out.value(bands_[band].entries);
    out.value(std::uint64_t{bands_[band].bytes.size()});
    out.column(std::span<const std::uint64_t>(bands_[band].first_keys));
    out.column(std::span<const std::uint32_t>(bands_[band].bytes));
  }
  return out.bytes();
}

RunEntry IndexRunWriter::finish() {
  while (bands_.size() <= shape_.bands + 1) end_band();
  const std::string content = footer();
  entry_.checksum = XXH3_64bits_withSeed(content.data(), content.size(), entry_.bytes);
  PackedWriter trailer;
  trailer.value(std::uint64_t{content.size()});
  trailer.value(entry_.checksum);
  const std::string end = trailer.bytes() + mark_;
  out_.write(content);
  out_.write(end);
  entry_.bytes += content.size() + end.size();
  out_.commit();
  return entry_;
}

IndexRunBuilder::IndexRunBuilder(const std::string& folder, std::uint64_t number,
                                 const IndexShape& shape, const KeyMemory& memory,
                                 const std::atomic<bool>* cancel)
    : shape_(shape), writer_(folder, number, shape, cancel) {
  const std::size_t columns = shape.bands + 1;
  for (std::size_t i = 0; i < columns; ++i) {
    bands_.emplace_back(memory.scratch, static_cast<std::size_t>(memory.bytes / columns));
  }
}

void IndexRunBuilder::add(std::string_view bytes, std::span<const std::uint64_t> keys) {
  const std::uint32_t item = writer_.items();
  const IndexItem unpacked = *unpack_item(bytes, shape_.components);
  writer_.add_item(split_item(bytes, unpacked));
  const auto entry = [item](std::uint64_t key) {
    return SortedKey{static_cast<std::uint32_t>(key), static_cast<std::uint32_t>(key >> 32), item};
  };
  for (std::size_t band = 0; band < keys.size(); ++band) bands_[band].add(entry(keys[band]));
  bands_.back().add(entry(unpacked.is_named ? name_key(unpacked.id) : name_key(unpacked.name())));
}

std::vector<PackedKeys> IndexRunBuilder::pack(Band& band) {
  std::vector<PackedKeys> blocks;
  std::vector<KeyEntry> keys;
  const auto end_block = [&] {
    blocks.push_back({keys.front().key, keys.size(), pack_keys(keys)});
    keys.clear();
  };
  band.drain([&](const SortedKey& entry) {
    keys.push_back({sort_key(entry), entry.item});
    if (keys.size() == kKeysOfBlock) end_block();
  });
  if (!keys.empty()) end_block();
  return blocks;
}

// Items came in their order, which equal keys keep. Bands that are in memory are sorted and packed,
// one by each thread at a time; what was put aside is merged while it is written.
RunEntry IndexRunBuilder::finish(ThreadPool& pool) {
  while (!bands_.empty()) {
    std::vector<std::vector<PackedKeys>> packed(std::min<std::size_t>(pool.size(), bands_.size()));
    pool.for_each(packed.size(), [&](unsigned, std::size_t band) {
      if (bands_[band].is_in_memory()) packed[band] = pack(bands_[band]);
    });
    for (const std::vector<PackedKeys>& blocks : packed) {
      for (const PackedKeys& block : blocks) writer_.add_keys(block);
      if (!bands_.front().is_in_memory()) {
        bands_.front().drain([this](const SortedKey& entry) {
          writer_.add_key({sort_key(entry), entry.item});
        });
      }
      bands_.pop_front();
      writer_.end_band();
    }
  }
  return writer_.finish();
}

}  // namespace sosie

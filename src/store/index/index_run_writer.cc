// Writes runs of an index, from items and sorted keys.
#include "store/index/index_run_writer.h"

#include <xxhash.h>

#include <algorithm>
#include <bit>
#include <limits>
#include <numeric>

#include "core/most_rows.h"
#include "data/index_layout.h"
#include "sosie/error.h"
#include "store/index/index_marks.h"
#include "store/packed_writer.h"

namespace sosie {
namespace {

constexpr std::uint64_t kPartThatWaits = 4;  // a quarter of the memory is for unsorted keys
constexpr std::size_t kSinglesTogether = 1024;

std::uint64_t key_of_name(const IndexItem& item) {
  return item.is_named ? name_key(item.id) : name_key(item.name());
}

}  // namespace

IndexRunWriter::IndexRunWriter(const std::string& folder, std::uint64_t number,
                               const IndexShape& shape, const std::atomic<bool>* cancel)
    : shape_(shape),
      out_(index_file(folder, "run", number), OutputFile::Durability::flushed_to_disk,
           Compression::none, cancel),
      path_(index_file(folder, "run", number)),
      mark_(index_mark("run", kRunVersion)) {
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

void IndexRunWriter::add_item(const IndexItem& item) {
  const std::size_t bytes = item.id.size() + item.fields.size() + item.elements.size();
  constexpr std::size_t kMostBytes = std::numeric_limits<std::uint32_t>::max() / 2;
  if (bytes > kMostBytes) {
    throw Error(ErrorKind::limit_exceeded, path_ + ": an item of more than 2 GB");
  }
  if (entry_.items == most_rows()) check_items_of_index(most_rows() + 1, path_ + ": ");
  ++entry_.items;
  block_.add(item);
  filters_ += item.filter;
  filters_.resize(block_.items() * shape_.components);
  const bool is_full = block_.items() == IndexLayout::kItemsOfBlock ||
                       block_.bytes().size() >= IndexLayout::kItemBlockBytes;
  if (is_full) end_items();
}

void IndexRunWriter::write_filters() {
  const FilterGroups groups(block_.items(), shape_.components);
  std::string_view rest = filters_;
  for (std::uint64_t group = 0; group < groups.groups(); ++group) {
    const std::size_t bytes = groups.bytes_of(group) - sizeof(std::uint64_t);
    write_block(rest.substr(0, bytes));
    rest.remove_prefix(bytes);
  }
}

void IndexRunWriter::end_items() {
  if (block_.items() == 0) return;
  const std::uint64_t begin = entry_.bytes;
  write_filters();
  write_block(block_.bytes());
  block_items_.push_back(static_cast<std::uint32_t>(block_.items()));
  block_bytes_.push_back(static_cast<std::uint32_t>(entry_.bytes - begin));
  block_.clear();
  filters_.clear();
}

void IndexRunWriter::add_key(const KeyEntry& entry) {
  if (bands_.empty()) {
    end_items();
    bands_.emplace_back();
  }
  keys_.push_back(entry);
  if (keys_.size() == IndexLayout::kKeysOfBlock) end_keys();
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

void NewItems::resize(std::size_t places, const IndexShape& shape) {
  shape_ = shape;
  items_.clear();
  items_.resize(places);
  columns_.assign(places * (shape.bands + 1), kNoKey);
}

void NewItems::set(std::size_t place, std::string bytes, std::span<const std::uint64_t> keys) {
  Item& item = items_[place];
  item.bytes = std::move(bytes);
  item.item = *unpack_item(item.bytes, shape_.components);
  for (std::size_t band = 0; band < keys.size(); ++band) {
    columns_[band * items_.size() + place] = keys[band];
  }
  columns_[shape_.bands * items_.size() + place] = key_of_name(item.item);
}

std::size_t NewItems::count() const noexcept {
  return static_cast<std::size_t>(std::count_if(
      items_.begin(), items_.end(), [](const Item& item) { return !item.bytes.empty(); }));
}

std::vector<std::uint64_t> NewItems::keys(std::size_t place) const {
  std::vector<std::uint64_t> keys;
  for (std::size_t band = 0; band < shape_.bands; ++band) {
    const std::uint64_t key = columns_[band * items_.size() + place];
    if (key != kNoKey) keys.push_back(key);
  }
  return keys;
}

IndexRunBuilder::IndexRunBuilder(const std::string& folder, std::uint64_t number,
                                 const IndexShape& shape, const KeyMemory& memory,
                                 const std::atomic<bool>* cancel)
    : shape_(shape), memory_(memory), cancel_(cancel), writer_(folder, number, shape, cancel) {
  const std::size_t columns = shape.bands + 1;
  const std::uint64_t to_sort = memory.bytes - memory.bytes / kPartThatWaits;
  for (std::size_t i = 0; i < columns; ++i) {
    bands_.emplace_back(memory.scratch, static_cast<std::size_t>(to_sort / columns));
  }
}

void IndexRunBuilder::add(std::string_view bytes, std::span<const std::uint64_t> keys) {
  const IndexItem unpacked = *unpack_item(bytes, shape_.components);
  writer_.add_item(unpacked);
  singles_.insert(singles_.end(), keys.begin(), keys.end());
  singles_.resize(singles_.size() + shape_.bands - keys.size(), NewItems::kNoKey);
  singles_.push_back(key_of_name(unpacked));
  if (singles_.size() >= kSinglesTogether * bands_.size()) end_singles();
}

void IndexRunBuilder::add(NewItems& items) {
  end_singles();
  Waiting keys{writer_.items(), std::vector<bool>(items.places()), items.take_columns()};
  for (std::size_t place = 0; place < items.places(); ++place) {
    keys.is_left_out[place] = items.bytes(place).empty();
    if (!keys.is_left_out[place]) writer_.add_item(items.item(place));
  }
  wait(std::move(keys));
}

// Arranges the keys of items that were added one by one as columns.
void IndexRunBuilder::end_singles() {
  const std::size_t columns = bands_.size();
  const std::size_t count = singles_.size() / columns;
  if (count == 0) return;
  Waiting keys{writer_.items() - static_cast<std::uint32_t>(count), std::vector<bool>(count),
               std::vector<std::uint64_t>(singles_.size())};
  for (std::size_t item = 0; item < count; ++item) {
    for (std::size_t column = 0; column < columns; ++column) {
      keys.columns[column * count + item] = singles_[item * columns + column];
    }
  }
  singles_.clear();
  wait(std::move(keys));
}

void IndexRunBuilder::wait(Waiting keys) {
  waiting_bytes_ += keys.columns.size() * sizeof(std::uint64_t);
  waiting_.push_back(std::move(keys));
  if (waiting_bytes_ > memory_.bytes / kPartThatWaits) put_all_aside();
}

void IndexRunBuilder::put_all_aside() {
  ThreadPool pool(memory_.threads, cancel_);
  pool.for_each(bands_.size(), [this](unsigned, std::size_t band) { put_aside(band); });
  waiting_.clear();
  waiting_bytes_ = 0;
}

void IndexRunBuilder::put_aside(std::size_t band) {
  for_each_waiting(band, [&](const SortedKey& entry) { bands_[band].add(entry); });
}

// Calls each(entry) for the waiting keys of a band, in the order of their items.
template <typename Each>
void IndexRunBuilder::for_each_waiting(std::size_t band, const Each& each) const {
  const unsigned shorter = band < shape_.bands ? shape_.shorter_keys() : 0;
  for (const Waiting& keys : waiting_) {
    const std::size_t count = keys.is_left_out.size();
    std::uint32_t item = keys.first_item;
    for (std::size_t i = 0; i < count; ++i) {
      if (keys.is_left_out[i]) continue;
      const std::uint64_t key = keys.columns[band * count + i];
      if (key != NewItems::kNoKey) {
        const std::uint64_t stored = key >> shorter;
        each({static_cast<std::uint32_t>(stored), static_cast<std::uint32_t>(stored >> 32), item});
      }
      ++item;
    }
  }
}

// The waiting keys of a band, sorted and compressed. They are first split by their highest bits, so
// that no second copy is needed.
std::vector<PackedKeys> IndexRunBuilder::packed(std::size_t band) const {
  constexpr int kSplitBits = 12;
  std::uint64_t bits = 0;
  std::size_t count = 0;
  for_each_waiting(band, [&](const SortedKey& entry) {
    bits |= sort_key(entry);
    ++count;
  });
  const int shift = std::max(0, static_cast<int>(std::bit_width(bits)) - kSplitBits);
  std::vector<std::size_t> ends(1 << kSplitBits);
  for_each_waiting(band, [&](const SortedKey& entry) { ++ends[sort_key(entry) >> shift]; });
  std::exclusive_scan(ends.begin(), ends.end(), ends.begin(), std::size_t{0});
  std::vector<SortedKey> keys(count);
  for_each_waiting(band,
                   [&](const SortedKey& entry) { keys[ends[sort_key(entry) >> shift]++] = entry; });
  auto begin = keys.begin();
  for (const std::size_t end : ends) {
    const auto next = keys.begin() + static_cast<std::ptrdiff_t>(end);
    std::sort(begin, next);
    begin = next;
  }
  std::vector<PackedKeys> blocks;
  std::vector<KeyEntry> block;
  for (std::size_t first = 0; first < keys.size(); first += IndexLayout::kKeysOfBlock) {
    block.clear();
    for (std::size_t i = first; i < std::min(keys.size(), first + IndexLayout::kKeysOfBlock); ++i) {
      block.push_back({sort_key(keys[i]), keys[i].item});
    }
    blocks.push_back({block.front().key, block.size(), pack_keys(block)});
  }
  return blocks;
}

// Bands that fit in memory are sorted and compressed, one per thread at a time; other bands are
// merged while they are written.
RunEntry IndexRunBuilder::finish() {
  constexpr std::uint32_t kFewItems = 4096;  // are sorted before threads have started
  end_singles();
  ThreadPool pool(items() < kFewItems ? 1 : memory_.threads, cancel_);
  std::vector<std::vector<PackedKeys>> blocks(pool.size());
  const auto sort = [&](unsigned worker, std::size_t band) {
    if (bands_[band].size() > 0) {
      put_aside(band);
    } else {
      blocks[worker] = packed(band);
    }
  };
  const auto write = [&](unsigned worker, std::size_t band) {
    for (const PackedKeys& block : blocks[worker]) writer_.add_keys(block);
    blocks[worker].clear();
    if (bands_[band].size() > 0) {
      bands_[band].drain([this](const SortedKey& entry) {
        writer_.add_key({sort_key(entry), entry.item});
      });
    }
    writer_.end_band();
  };
  pool.for_each_in_turn(bands_.size(), {.middle = sort, .end = write});
  return writer_.finish();
}

}  // namespace sosie

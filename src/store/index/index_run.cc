// Reads runs of an index: looks keys up, reads items, checks every block.
#include "store/index/index_run.h"

#include <fcntl.h>
#include <xxhash.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <functional>
#include <optional>

#include "core/partition_point_near.h"
#include "io/folder.h"
#include "sosie/error.h"
#include "store/index/index_marks.h"
#include "store/packed_writer.h"

namespace sosie {
namespace {

constexpr std::size_t kChecksumBytes = sizeof(std::uint64_t);
constexpr std::size_t kTrailerBytes = 2 * sizeof(std::uint64_t) + kIndexMarkBytes;

std::uint64_t new_serial() noexcept {
  static std::atomic<std::uint64_t> last = 0;
  return ++last;
}

// A block without the checksum that follows it.
std::string_view content_of(const std::string& block) {
  return std::string_view(block).substr(0, block.size() - kChecksumBytes);
}

}  // namespace

std::unique_ptr<IndexRun> IndexRun::open(const std::string& path, const RunEntry& entry,
                                         const IndexShape& shape) {
  auto descriptor = open_regular_file(path, O_RDONLY);
  if (!descriptor) return nullptr;
  return std::unique_ptr<IndexRun>(
      new IndexRun(File(std::move(descriptor), path, 0, entry.bytes), entry, shape));
}

IndexRun::IndexRun(File file, RunEntry entry, const IndexShape& shape)
    : file_(std::move(file)), entry_(std::move(entry)), shape_(shape), serial_(new_serial()) {
  read_footer();
  if (!entry_.removed.empty()) removed_ = RowBits(entry_.items);
  for (const std::uint32_t item : entry_.removed) removed_.set(item);
  removed_count_ = static_cast<std::uint32_t>(entry_.removed.size());
  entry_.removed.clear();
}

void IndexRun::read_footer() {
  const std::optional<FileStamp> size_now = stamp_of(file_.descriptor());
  if (!size_now || size_now->size != entry_.bytes) {
    refuse_damage(path(), size_now ? size_now->size : 0,
                  "the file's length differs from the one in the manifest");
  }
  if (entry_.bytes < kIndexMarkBytes + kTrailerBytes) refuse_damage(path(), 0, "it is too short");
  std::string mark(kIndexMarkBytes, '\0');
  file_.read_at(0, mark.data(), mark.size());
  const char version = version_of_mark(mark, "run", kRunVersion, path());
  apart_ = version == kIndexVersion ? 0 : shape_.components;
  form_ = {version == kRunVersion, shape_.components - apart_};
  std::string trailer(kTrailerBytes, '\0');
  const std::uint64_t trailer_begin = entry_.bytes - kTrailerBytes;
  file_.read_at(trailer_begin, trailer.data(), trailer.size());
  PackedReader ends(trailer, path(), kIndexHint);
  const auto footer_bytes = ends.value<std::uint64_t>();
  const auto checksum = ends.value<std::uint64_t>();
  if (trailer.substr(2 * sizeof(std::uint64_t)) != mark || checksum != entry_.checksum ||
      footer_bytes > trailer_begin - kIndexMarkBytes) {
    refuse_damage(path(), trailer_begin, "the end of the file differs");
  }
  footer_begin_ = trailer_begin - footer_bytes;
  std::string footer(footer_bytes, '\0');
  file_.read_at(footer_begin_, footer.data(), footer.size());
  if (index_checksum(footer, footer_begin_) != checksum) {
    refuse_damage(path(), footer_begin_, "the checksum of the footer does not match");
  }
  PackedReader in(footer, path(), kIndexHint);
  if (in.value<std::uint32_t>() != entry_.items || in.value<std::uint32_t>() != shape_.bands ||
      in.value<std::uint32_t>() != shape_.components) {
    in.refuse();
  }
  read_item_places(in);
  read_key_places(in);
  in.expect_end();
}

void IndexRun::read_item_places(PackedReader& in) {
  const std::uint64_t count = in.count(2 * sizeof(std::uint32_t));
  const auto items = in.column<std::uint32_t>(count);
  const auto bytes = in.column<std::uint32_t>(count);
  std::uint64_t first = 0;
  std::uint64_t offset = kIndexMarkBytes;
  for (std::size_t i = 0; i < count; ++i) {
    item_places_.push_back({offset, static_cast<std::uint32_t>(first)});
    first += items[i];
    offset += bytes[i];
    const std::uint64_t filters = FilterGroups(items[i], apart_).bytes();
    if (items[i] == 0 || bytes[i] <= filters + kChecksumBytes || first > entry_.items ||
        offset > footer_begin_) {
      in.refuse();
    }
  }
  if (first != entry_.items) in.refuse();
  item_places_.push_back({offset, entry_.items});
}

void IndexRun::read_key_places(PackedReader& in) {
  std::uint64_t offset = item_places_.back().offset;
  for (std::size_t band = 0; band <= shape_.bands; ++band) {
    key_counts_.push_back(in.value<std::uint64_t>());
    const std::uint64_t count = in.count(sizeof(std::uint64_t) + sizeof(std::uint32_t));
    const auto keys = in.column<std::uint64_t>(count);
    const auto bytes = in.column<std::uint32_t>(count);
    std::vector<KeyPlace>& places = key_places_.emplace_back();
    for (std::size_t i = 0; i < count; ++i) {
      places.push_back({offset, keys[i]});
      offset += bytes[i];
      if (bytes[i] <= kChecksumBytes || offset > footer_begin_) in.refuse();
    }
    places.push_back({offset, ~std::uint64_t{0}});
    if (!std::is_sorted(keys.begin(), keys.end())) in.refuse();
  }
  if (offset != footer_begin_) in.refuse();
}

bool IndexRun::remove(std::uint32_t item) {
  if (is_removed(item)) return false;
  if (removed_count_++ == 0) removed_ = RowBits(entry_.items);
  removed_.set(item);
  return true;
}

std::vector<std::uint32_t> IndexRun::removed() const {
  std::vector<std::uint32_t> items;
  if (removed_count_ > 0) removed_.for_each([&](RowNumber item) { items.push_back(row_id(item)); });
  return items;
}

std::string_view IndexRun::read_block(std::uint64_t begin, std::uint64_t end,
                                      std::function<void()>& ahead, std::string& bytes) const {
  bytes.resize(end - begin);
  if (!ahead || !file_.read_cached(begin, bytes.data(), bytes.size())) {
    if (ahead) std::exchange(ahead, nullptr)();
    file_.read_at(begin, bytes.data(), bytes.size());
  }
  const std::string_view content = content_of(bytes);
  std::uint64_t checksum = 0;
  std::memcpy(&checksum, bytes.data() + content.size(), sizeof checksum);
  if (checksum != index_checksum(content, begin)) {
    refuse_damage(path(), begin, "the checksum of the block does not match");
  }
  return content;
}

KeyBlock IndexRun::key_block(std::size_t band, std::size_t block, RunBuffer& buffer) const {
  if (buffer.key_run == serial_ && buffer.key_band == band && buffer.key_block == block) {
    return KeyBlock(content_of(buffer.keys));
  }
  buffer.key_run = 0;
  const KeyPlace& place = key_places_[band][block];
  const KeyBlock keys(
      read_block(place.offset, key_places_[band][block + 1].offset, buffer.ahead, buffer.keys));
  if (!keys.is_valid() || keys.first_key() != place.first) {
    refuse_damage(path(), place.offset, "this is not a block of keys");
  }
  buffer.key_run = serial_;
  buffer.key_band = band;
  buffer.key_block = block;
  buffer.key_cursor = {};
  return keys;
}

std::size_t IndexRun::first_block_of(std::size_t band, std::uint64_t key) const {
  const std::vector<KeyPlace>& places = key_places_[band];
  const std::size_t blocks = key_blocks(band);
  std::size_t guess = 0;
  if (blocks > 1) {  // keys are hashes
    const std::uint64_t low = places.front().first;
    const std::uint64_t high = places[blocks - 1].first;
    const double part = static_cast<double>(std::clamp(key, low, high) - low) /
                        static_cast<double>(std::max<std::uint64_t>(high - low, 1));
    guess = static_cast<std::size_t>(part * static_cast<double>(blocks - 1));
  }
  const auto at = partition_point_near(places.begin(), places.end() - 1, guess,
                                       [key](const KeyPlace& place) { return place.first < key; });
  const auto block = static_cast<std::size_t>(at - places.begin());
  return block == 0 ? 0 : block - 1;  // the last keys of the one before may be this one
}

void IndexRun::begin_find(std::size_t band, std::uint64_t key) const {
  const std::vector<KeyPlace>& places = key_places_[band];
  const std::size_t block = first_block_of(band, stored_key(key));
  if (block + 1 == places.size()) return;
  file_.begin_read(places[block].offset, places[block + 1].offset - places[block].offset);
}

void IndexRun::begin_filter(std::uint32_t item) const {
  if (apart_ == 0) return begin_item(item);
  const std::size_t block = block_of(item);
  const FilterGroups groups = filters_of(block);
  const std::uint64_t group = (item - first_item(block)) / FilterGroups::kItems;
  file_.begin_read(item_places_[block].offset + groups.begin(group), groups.bytes_of(group));
}

void IndexRun::begin_item(std::uint32_t item) const {
  const std::size_t block = block_of(item);
  const std::uint64_t begin = items_begin(block);
  file_.begin_read(begin, item_places_[block + 1].offset - begin);
}

void IndexRun::find(std::size_t band, std::uint64_t key, RunBuffer& buffer,
                    std::vector<std::uint32_t>& items) const {
  find_stored(band, stored_key(key), buffer, items);
}

void IndexRun::find_stored(std::size_t band, std::uint64_t key, RunBuffer& buffer,
                           std::vector<std::uint32_t>& items) const {
  const std::vector<KeyPlace>& places = key_places_[band];
  const auto blocks = places.end() - 1;
  auto at = places.begin() + static_cast<std::ptrdiff_t>(first_block_of(band, key));
  const std::size_t before = items.size();
  for (; at != blocks && at->first <= key; ++at) {
    const auto block = static_cast<std::size_t>(at - places.begin());
    const KeyBlock keys = key_block(band, block, buffer);
    if (!keys.find(key, buffer.key_cursor, items)) break;
  }
  for (std::size_t i = before; i < items.size(); ++i) {
    if (items[i] >= entry_.items) refuse_damage(path(), at->offset, "a key belongs to no item");
  }
}

void IndexRun::find_name(std::string_view name, RunBuffer& buffer,
                         std::vector<std::uint32_t>& items) const {
  const std::uint64_t key = form_.is_packed ? name_key(name) : long_name_key(name);
  find_stored(shape_.bands, key, buffer, items);
}

void IndexRun::read_items(std::size_t block, RunBuffer& buffer) const {
  if (buffer.run == serial_ && buffer.block == block) return;
  buffer.run = 0;
  const std::string_view bytes =
      read_block(items_begin(block), item_places_[block + 1].offset, buffer.ahead, buffer.items);
  buffer.block_items = ItemBlock(bytes, items_of(block), form_);
  buffer.run = serial_;
  buffer.block = block;
}

std::size_t IndexRun::block_before(std::uint64_t number, RunBuffer& buffer) const {
  std::size_t before = 0;
  std::size_t behind = number == 0 ? 0 : item_blocks();
  while (before + 1 < behind) {
    const std::size_t middle = before + (behind - before) / 2;
    const bool is_before = item_of(middle, first_item(middle), buffer).number <= number;
    (is_before ? before : behind) = middle;
  }
  return before;
}

std::size_t IndexRun::block_of(std::uint32_t item) const {
  const auto guess = std::uint64_t{item} * item_blocks() / std::max(items(), 1U);
  const auto after =
      partition_point_near(item_places_.begin(), item_places_.end() - 1, guess,
                           [item](const ItemPlace& place) { return place.first <= item; });
  return static_cast<std::size_t>(after - item_places_.begin()) - 1;
}

IndexItem IndexRun::item_of(std::size_t block, std::uint32_t item, RunBuffer& buffer) const {
  read_items(block, buffer);
  const IndexItem* found = buffer.block_items.item(item - first_item(block));
  if (found != nullptr) return *found;
  refuse_damage(path(), items_begin(block), "an item cannot be read");
}

IndexItem IndexRun::item(std::uint32_t item, RunBuffer& buffer) const {
  return item_of(block_of(item), item, buffer);
}

void IndexRun::for_each_of(std::size_t block, RunBuffer& buffer,
                           const std::function<void(std::uint32_t, const IndexItem&)>& take) const {
  const std::uint32_t end = item_places_[block + 1].first;
  for (std::uint32_t item = first_item(block); item < end; ++item) {
    take(item, item_of(block, item, buffer));
  }
}

std::string_view IndexRun::filter_group(std::size_t block, std::uint64_t group,
                                        RunBuffer& buffer) const {
  const FilterGroups groups = filters_of(block);
  const std::uint64_t begin = item_places_[block].offset + groups.begin(group);
  const std::uint64_t bytes = groups.bytes_of(group);
  if (buffer.filter_run != serial_ || buffer.filter_begin != begin) {
    buffer.filter_run = 0;
    (void)read_block(begin, begin + bytes, buffer.ahead, buffer.filters);
    buffer.filter_run = serial_;
    buffer.filter_begin = begin;
  }
  return std::string_view(buffer.filters).substr(0, bytes - kChecksumBytes);
}

std::string_view IndexRun::filter(std::uint32_t item, RunBuffer& buffer) const {
  if (apart_ == 0) return this->item(item, buffer).filter;
  const std::size_t block = block_of(item);
  const std::uint64_t at = item - first_item(block);
  const std::string_view group = filter_group(block, at / FilterGroups::kItems, buffer);
  return group.substr(at % FilterGroups::kItems * apart_, apart_);
}

void IndexRun::read_keys(std::size_t band, std::size_t block, RunBuffer& buffer,
                         std::vector<KeyEntry>& entries) const {
  const std::size_t before = entries.size();
  bool valid = key_block(band, block, buffer).append_to(entries);
  for (std::size_t i = before; i < entries.size(); ++i) valid &= entries[i].item < entry_.items;
  if (!valid) refuse_damage(path(), key_places_[band][block].offset, "keys are out of order");
}

void IndexRun::check_keys(std::size_t band, RunBuffer& buffer) const {
  std::vector<KeyEntry> entries;
  std::optional<KeyEntry> last;
  std::uint64_t count = 0;
  for (std::size_t block = 0; block < key_blocks(band); ++block) {
    entries.clear();
    read_keys(band, block, buffer, entries);
    if (last && !(*last < entries.front())) {
      refuse_damage(path(), key_places_[band][block].offset, "keys are out of order");
    }
    last = entries.back();
    count += entries.size();
  }
  if (count != key_counts_[band]) {
    refuse_damage(path(), footer_begin_, "the number of keys differs");
  }
}

void IndexRun::check_items(RunBuffer& buffer) const {
  std::optional<std::uint64_t> last;
  std::vector<std::uint64_t> elements;
  for (std::size_t block = 0; block < item_blocks(); ++block) {
    for (std::uint64_t group = 0; group < filters_of(block).groups(); ++group) {
      (void)filter_group(block, group, buffer);
    }
    for_each_of(block, buffer, [&](std::uint32_t /*number*/, const IndexItem& item) {
      item.copy_elements(elements);
      const bool ascend =
          !shape_.has_sets || std::adjacent_find(elements.begin(), elements.end(),
                                                 std::greater_equal<>()) == elements.end();
      if (!ascend || (last && *last >= item.number)) {
        refuse_damage(path(), item_places_[block].offset, "items are out of order");
      }
      last = item.number;
    });
  }
}

void IndexRun::check() const {
  RunBuffer buffer;
  check_items(buffer);
  for (std::size_t band = 0; band <= shape_.bands; ++band) check_keys(band, buffer);
}

}  // namespace sosie

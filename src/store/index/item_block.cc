// Packs the items of a block of a run, and reads blocks of every version.
#include "store/index/item_block.h"

#include <algorithm>
#include <cstring>

namespace sosie {
namespace {

constexpr std::uint8_t kHasId = 1;
constexpr std::uint8_t kHasIntegerId = 2;
constexpr std::uint8_t kHasElements = 4;
constexpr std::uint8_t kHasFields = 8;
constexpr std::uint8_t kHasNextNumber = 16;
constexpr std::uint8_t kHasNextPlace = 32;
constexpr std::uint8_t kAllItemFlags = 63;
constexpr std::uint64_t kMostOfHalf = 15;  // a larger number goes on behind the byte

void put_hash(std::uint64_t half, std::string& out) {
  out.append(reinterpret_cast<const char*>(&half), sizeof half);
}

// The place of a row that follows the one before at the known distance.
std::uint64_t next_offset(const ItemBefore& before) noexcept {
  return before.end + before.distance;
}

void go_past(const RowLocator& row, ItemBefore& before) noexcept {
  const bool is_behind = row.file == before.file && row.offset >= before.end;
  before.distance = is_behind ? row.offset - before.end : 0;
  before.file = row.file;
  before.end = row.offset + row.length;
}

}  // namespace

std::uint8_t ItemPacker::flags_of(const IndexItem& item) const noexcept {
  const bool has_place = item.size > 0 && !item.is_kept;
  const bool has_next_place =
      has_place && item.locator.file == before_.file && item.locator.offset == next_offset(before_);
  return static_cast<std::uint8_t>(
      (item.is_named ? kHasId : 0) | (item.id_is_integer ? kHasIntegerId : 0) |
      (item.is_kept ? kHasElements : 0) | (item.fields.empty() ? 0 : kHasFields) |
      (item.number == before_.next_number ? kHasNextNumber : 0) |
      (has_next_place ? kHasNextPlace : 0));
}

// One byte has the length of the beginning that is that of the id before, and of the rest.
void ItemPacker::put_id(std::string_view id) {
  const auto ends = std::mismatch(id.begin(), id.end(), before_.id.begin(), before_.id.end());
  const auto same = static_cast<std::uint64_t>(ends.first - id.begin());
  const std::uint64_t other = id.size() - same;
  bytes_ += static_cast<char>(std::min(same, kMostOfHalf) << 4 | std::min(other, kMostOfHalf));
  if (same >= kMostOfHalf) put_number(same - kMostOfHalf, bytes_);
  if (other >= kMostOfHalf) put_number(other - kMostOfHalf, bytes_);
  bytes_ += id.substr(same);
  before_.id = id;
}

void ItemPacker::add(const IndexItem& item) {
  ++items_;
  const std::uint8_t flags = flags_of(item);
  bytes_ += static_cast<char>(flags);
  if ((flags & kHasNextNumber) == 0) put_number(item.number, bytes_);
  before_.next_number = item.number + 1;
  if (item.is_named) put_id(item.id);
  if (!item.fields.empty()) {
    put_number(item.fields.size(), bytes_);
    bytes_ += item.fields;
  }
  put_number(item.size, bytes_);
  if (item.size == 0) return;
  put_hash(item.hash.high, bytes_);
  if (item.is_kept) {
    put_hash(item.hash.low, bytes_);
    bytes_ += item.elements;
    return;
  }
  put_number(item.locator.length, bytes_);
  if ((flags & kHasNextPlace) == 0) {
    put_number(item.locator.file, bytes_);
    put_number(item.locator.offset, bytes_);
  }
  go_past(item.locator, before_);
}

void ItemPacker::clear() {
  bytes_.clear();
  items_ = 0;
  before_ = {};
}

ItemBlock::ItemBlock(std::string_view content, std::size_t items, const ItemForm& form)
    : content_(content), items_(items), form_(form), rest_(content) {}

const IndexItem* ItemBlock::item(std::size_t number) {
  if (!form_.is_packed) return sized_item(number);
  if (number + 1 < read_) begin(0);
  while (read_ <= number) {
    if (read_next()) continue;
    begin(0);
    return nullptr;
  }
  return &item_;
}

void ItemBlock::begin(std::size_t skipped) {
  rest_ = ItemBytes(content_.substr(skipped));
  read_ = 0;
  before_ = {};
}

bool ItemBlock::read_next() {
  item_ = {};
  const auto flags = rest_.plain<std::uint8_t>();
  rest_.expect(flags <= kAllItemFlags);
  item_.is_named = (flags & kHasId) != 0;
  item_.id_is_integer = (flags & kHasIntegerId) != 0;
  item_.is_kept = (flags & kHasElements) != 0;
  rest_.expect(item_.is_named || !item_.id_is_integer);
  item_.number = (flags & kHasNextNumber) != 0 ? before_.next_number : rest_.number();
  before_.next_number = item_.number + 1;
  if (item_.is_named) read_id();
  if ((flags & kHasFields) != 0) {
    item_.fields = rest_.bytes(rest_.number());
    rest_.expect(!item_.fields.empty());
  }
  item_.size = rest_.small_number();
  if (item_.size > 0) {
    item_.hash.high = rest_.plain<std::uint64_t>();
    if (item_.is_kept) {
      item_.hash.low = rest_.plain<std::uint64_t>();
      item_.elements = rest_.bytes(std::uint64_t{item_.size} * sizeof(std::uint64_t));
    } else {
      read_place(flags);
    }
  }
  ++read_;
  return read_ == items_ ? rest_.ends_well() : rest_.is_right();
}

void ItemBlock::read_id() {
  const auto sizes = rest_.plain<std::uint8_t>();
  const auto size_of = [this](std::uint64_t half) {
    return half < kMostOfHalf ? half : half + rest_.small_number();
  };
  const std::uint64_t same = size_of(sizes >> 4);
  const std::uint64_t other = size_of(sizes & kMostOfHalf);
  rest_.expect(same <= before_.id.size());
  const std::string_view end = rest_.bytes(other);
  if (!rest_.is_right()) return;
  before_.id.resize(same);
  before_.id += end;
  item_.id = before_.id;
}

void ItemBlock::read_place(std::uint8_t flags) {
  item_.locator.length = rest_.small_number();
  if ((flags & kHasNextPlace) != 0) {
    item_.locator.file = before_.file;
    item_.locator.offset = next_offset(before_);
  } else {
    item_.locator.file = rest_.small_number();
    item_.locator.offset = rest_.number();
  }
  go_past(item_.locator, before_);
}

// Sizes precede the items.
const IndexItem* ItemBlock::sized_item(std::size_t number) {
  const std::size_t sizes = items_ * sizeof(std::uint32_t);
  if (content_.size() < sizes) return nullptr;
  if (number + 1 == read_) return &item_;
  if (read_ == 0 || number < read_) begin(sizes);
  std::string_view bytes;
  for (; read_ <= number; ++read_) {
    std::uint32_t size = 0;
    std::memcpy(&size, content_.data() + read_ * sizeof size, sizeof size);
    bytes = rest_.bytes(size);
  }
  const bool are_right = read_ == items_ ? rest_.ends_well() : rest_.is_right();
  const std::optional<IndexItem> unpacked = unpack_item(bytes, form_.components);
  if (!are_right || !unpacked) {
    read_ = 0;
    return nullptr;
  }
  item_ = *unpacked;
  return &item_;
}

}  // namespace sosie

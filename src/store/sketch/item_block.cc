// Blocks of vectors and bit strings in sketch files: hashes of items, as bytes.
#include "store/sketch/item_block.h"

#include <algorithm>

#include "store/packed_writer.h"

namespace sosie {
namespace {

constexpr std::size_t kBlockBytes = std::size_t{1} << 18;  // each worker has one in memory
constexpr std::size_t kMostItems = 4096;
constexpr std::size_t kWordBits = 64;
constexpr std::uint8_t kCells = 32;  // vertices of a function

// `width`: values of an item.
template <class T>
void pack_part(PackedWriter& out, const std::vector<T>& values, std::size_t width,
               std::size_t first, std::size_t last) {
  out.column(std::span<const T>(values).subspan(first * width, (last - first) * width));
}

// Cells of a row lie among those that it is near.
bool are_cells(const HashedItems& items) noexcept {
  for (std::size_t i = 0; i < items.cells.size(); ++i) {
    if (items.cells[i] >= kCells || (items.near[i] >> items.cells[i] & 1) == 0) return false;
  }
  return true;
}

}  // namespace

HashShape hash_shape(const HashedPlan& plan) noexcept {
  return {static_cast<std::size_t>(plan.bands),
          plan.probes > 1 ? static_cast<std::size_t>(plan.rows) : 0,
          static_cast<std::size_t>(plan.sketch_bits) / kWordBits};
}

std::size_t most_items_of_block(const HashShape& shape) noexcept {
  return std::clamp<std::size_t>(kBlockBytes / shape.item_bytes(), 1, kMostItems);
}

std::uint64_t item_block_bytes(const HashShape& shape, std::uint64_t items) noexcept {
  return sizeof(std::uint64_t) + items * shape.item_bytes();
}

std::uint64_t items_of_block(const HashShape& shape, std::uint64_t bytes, const std::string& name) {
  const std::uint64_t items = bytes / shape.item_bytes();
  if (bytes != item_block_bytes(shape, items) || items > most_items_of_block(shape)) {
    PackedReader({}, name).refuse();
  }
  return items;
}

std::string pack_items(const HashedItems& items, const HashShape& shape, std::size_t first,
                       std::size_t last) {
  PackedWriter out;
  out.value(std::uint64_t{last - first});
  for (std::size_t i = first; i < last; ++i) {
    out.value(items.identities[i].high);
    out.value(items.identities[i].low);
  }
  pack_part(out, items.keys, shape.keys(), first, last);
  pack_part(out, items.cells, shape.cells(), first, last);
  pack_part(out, items.near, shape.cells(), first, last);
  pack_part(out, items.sketches, shape.sketch_words, first, last);
  return out.bytes();
}

HashedItems unpack_items(std::string_view bytes, const HashShape& shape, const std::string& name) {
  PackedReader in(bytes, name);
  const std::uint64_t count = in.count(shape.item_bytes());
  HashedItems items;
  const auto halves = in.column<std::uint64_t>(2 * count);
  items.identities.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    items.identities.push_back({halves[2 * i], halves[2 * i + 1]});
  }
  items.keys = in.column<std::uint32_t>(count * shape.keys());
  items.cells = in.column<std::uint8_t>(count * shape.cells());
  items.near = in.column<std::uint32_t>(count * shape.cells());
  items.sketches = in.column<std::uint64_t>(count * shape.sketch_words);
  in.expect_end();
  if (!are_cells(items)) in.refuse();
  return items;
}

}  // namespace sosie

// Loads hashes of vectors and bit strings from sketches instead of hashing them again.
#include "corpus/items/sketched_items.h"

#include <fmt/format.h>
#include <xxhash.h>

#include <algorithm>
#include <bit>

#include "sosie/error.h"

namespace sosie {
namespace {

// Maximum number of combinations of near cells per band that a file may cause a row to be looked up
// with: 64 times the maximum average (kMostProbes).
constexpr std::uint64_t kMostChoices = 4096;

Hash128 hash_of(const void* bytes, std::size_t size) {
  const XXH128_hash_t hash = XXH3_128bits(bytes, size);
  return {hash.high64, hash.low64};
}

// True if no band of a row has more than kMostChoices combinations.
bool are_few_choices(std::span<const std::uint32_t> near, std::size_t functions) {
  for (std::size_t begin = 0; begin < near.size(); begin += functions) {
    std::uint64_t choices = 1;
    for (const std::uint32_t cells : near.subspan(begin, functions)) {
      choices *= static_cast<std::uint64_t>(std::popcount(cells));
      if (choices > kMostChoices) return false;
    }
  }
  return true;
}

// Copies `width` values for each of several bands of one item.
template <typename T>
void copy_bands(const std::vector<T>& from, std::size_t item, std::size_t bands_of_item,
                const BandRange& bands, std::size_t width, T* to) {
  const T* begin = from.data() + (item * bands_of_item + bands.first) * width;
  std::copy_n(begin, bands.size() * width, to);
}

// Fills in one item of a block whose items have this many bands.
void fill(const HashedItems& items, std::size_t item, const BandRange& bands, std::size_t row,
          BandedRows& table) {
  const std::size_t width = table.functions;
  const std::size_t to = row * table.bands;
  if (bands.size() == 0) return;
  if (width == 0) {
    const std::size_t of_item = items.keys.size() / items.size();
    copy_bands(items.keys, item, of_item, bands, 1, table.keys.data() + to);
    return;
  }
  const std::size_t of_item = items.cells.size() / items.size() / width;
  copy_bands(items.cells, item, of_item, bands, width, table.cells.data() + to * width);
  copy_bands(items.near, item, of_item, bands, width, table.near.data() + to * width);
}

}  // namespace

Hash128 identity_of(const VectorColumn& column, std::size_t row) {
  return std::visit(
      [&](const auto& components) {
        const auto* begin = components.data() + row * column.dimension;
        const std::vector<double> values(begin, begin + column.dimension);
        return hash_of(values.data(), values.size() * sizeof values[0]);
      },
      column.components);
}

Hash128 identity_of(const BitColumn& column, std::size_t row) {
  return hash_of(column.row(row), column.words * sizeof(std::uint64_t));
}

SketchedItems::SketchedItems(const Options& options, std::uint64_t dimension, RowId first_own,
                             RowId items, Identity identity)
    : identity_(std::move(identity)) {
  if (options.against_sketches) add(*options.against_sketches, dimension, 0, first_own);
  if (options.sketches) add(*options.sketches, dimension, first_own, items);
}

void SketchedItems::add(const Sketches& sketches, std::uint64_t dimension, RowId first,
                        RowId last) {
  const std::vector<std::uint64_t> counts = sketches.item_counts();
  std::uint64_t at = first;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    blocks_.push_back({&sketches, i, static_cast<RowId>(at)});
    at += counts[i];
    if (at > last) sketches.refuse_changed(i);
  }
  if (at < last || (at > first && sketches.dimension() != dimension)) {
    throw Error(
        ErrorKind::malformed_input,
        fmt::format(
            "{}: was made from {} items with {} components or bits, but its inputs hold {} with {}",
            sketches.paths().front(), at - first, sketches.dimension(), last - first, dimension),
        "recreate the sketches");
  }
}

void SketchedItems::check(const Block& block, const HashedItems& items) const {
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (items.identities[i] != identity_(block.first + static_cast<RowId>(i))) {
      block.sketches->refuse_changed(block.number);
    }
  }
}

std::vector<std::uint32_t> SketchedItems::load(const BandRange& bands,
                                               std::span<const std::uint32_t> rows,
                                               BandedRows& table, std::uint64_t* sketches,
                                               ThreadPool& pool) {
  std::vector<std::uint8_t> is_known(table.rows);
  pool.for_each(blocks_.size(), [&](unsigned /*worker*/, std::size_t task) {
    pool.check_cancelled();
    const Block& block = blocks_[task];
    const HashedItems items = block.sketches->read_items(block.number);
    if (!is_checked_) check(block, items);
    const std::size_t cells = items.size() == 0 ? 0 : items.near.size() / items.size();
    for (std::size_t i = 0; i < items.size(); ++i) {
      const std::size_t row = block.first + i;
      fill(items, i, bands, row, table);
      if (sketches != nullptr) {
        std::copy_n(items.sketches.data() + i * table.sketch_words, table.sketch_words,
                    sketches + row * table.sketch_words);
      }
      const auto near = std::span(items.near).subspan(i * cells, cells);
      is_known[row] = table.functions == 0 || are_few_choices(near, table.functions) ? 1 : 0;
    }
  });
  is_checked_ = true;
  std::vector<std::uint32_t> left;
  std::copy_if(rows.begin(), rows.end(), std::back_inserter(left),
               [&](std::uint32_t row) { return is_known[row] == 0; });
  return left;
}

std::unique_ptr<SketchedItems> sketched_items(const Options& options, std::uint64_t dimension,
                                              RowId first_own, RowId items,
                                              SketchedItems::Identity identity) {
  if (!options.sketches && !options.against_sketches) return nullptr;
  return std::make_unique<SketchedItems>(options, dimension, first_own, items, std::move(identity));
}

}  // namespace sosie

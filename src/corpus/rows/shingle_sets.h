#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <span>
#include <vector>

#include "corpus/identical.h"
#include "corpus/rows/row_reader.h"
#include "data/token_sets.h"
#include "represent/text_shingler.h"

namespace sosie {

// The shingle sets of items, recomputed from the text when they are needed. The most recent sets
// stay in memory, up to a budget. Not thread-safe.
class ShingleSets {
 public:
  ShingleSets(const Inputs& inputs, const Corpus& corpus, const Items& items,
              const ShingleRecipe& recipe, std::size_t budget_bytes);

  [[nodiscard]] ShingleSet get(Place item);

  // Frees the memory of all sets; get() recomputes them if necessary.
  void forget();

 private:
  // The set of an item. Blocks are numbered in the order in which they were created.
  struct Entry {
    Place item = kNoPlace;
    std::uint32_t block = 0;
    std::uint32_t begin = 0;
    std::uint32_t count = 0;
  };

  [[nodiscard]] std::span<const std::uint64_t> make(Place item);
  ShingleSet keep(std::span<const std::uint64_t> hashes, Entry& entry);
  void begin_block(std::size_t cost);
  // The entry for the item in the table, or a free entry if there is none yet.
  [[nodiscard]] Entry& entry_of(Place item);
  [[nodiscard]] std::size_t place_in_table(Place item) const noexcept;
  void grow_table();
  [[nodiscard]] bool is_kept(const Entry& entry) const noexcept {
    return entry.item != kNoPlace && entry.block >= first_block_;
  }

  const Items& items_;
  RowReader reader_;
  TextShingler shingler_;
  std::vector<std::uint64_t> hashes_;
  std::vector<std::uint64_t> scratch_;
  std::size_t budget_hashes_;
  std::deque<std::shared_ptr<ShingleSet::Block>> blocks_;
  std::size_t hashes_in_blocks_ = 0;  // capacity of the blocks
  std::size_t filled_ = 0;            // hashes of the newest block, and the overhead of its sets
  std::uint32_t first_block_ = 1;     // number of the oldest
  std::vector<Entry> table_;          // open addressing: its size is a power of two
  std::size_t taken_ = 0;             // entries of the table, including dropped sets
};

}  // namespace sosie

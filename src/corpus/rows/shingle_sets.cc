// Cache of shingle sets of documents; reads evicted sets again.
#include "corpus/rows/shingle_sets.h"

#include <algorithm>

#include "core/memory_budget.h"
#include "core/mix64.h"
#include "kernels/intersection_size.h"

namespace sosie {
namespace {

constexpr std::size_t kBlockHashes = std::size_t{1} << 17;
constexpr std::size_t kLeastBlocks = 8;  // within the budget
constexpr std::size_t kFirstTable = 1024;
// The table has up to 8 entries of 16 bytes per set. Counted as hashes, they leave part of the
// blocks unused.
constexpr std::size_t kOverheadHashes = MemoryBudget::kShingleSetOverhead / sizeof(std::uint64_t);

}  // namespace

ShingleSets::ShingleSets(const Inputs& inputs, const Corpus& corpus, const Items& items,
                         const ShingleRecipe& recipe, std::size_t budget_bytes)
    : items_(items),
      reader_(inputs, corpus, {inputs.fields.column, {}, {}, recipe.text_form()}),
      shingler_(recipe),
      budget_hashes_(budget_bytes / sizeof(std::uint64_t)),
      table_(kFirstTable) {}

ShingleSet ShingleSets::get(Place item) {
  Entry& entry = entry_of(item);
  if (!is_kept(entry)) return keep(make(item), entry);
  const std::shared_ptr<ShingleSet::Block>& block = blocks_[entry.block - first_block_];
  const std::span<const std::uint64_t> set = std::span(*block).subspan(entry.begin, entry.count);
  // The oldest block is dropped next, so a set still in use is moved to the newest block.
  const bool is_old = entry.block == first_block_ && hashes_in_blocks_ >= budget_hashes_ / 2;
  if (!is_old || blocks_.size() == 1) return {block, set};
  hashes_.assign(set.begin(), set.end());
  return keep(hashes_, entry);
}

// Returns a view of hashes_.
std::span<const std::uint64_t> ShingleSets::make(Place item) {
  shingler_.read_set(reader_.read(items_.rows[item]).text);
  const auto shingles = shingler_.shingles();
  hashes_.assign(shingles.begin(), shingles.end());
  if (scratch_.size() < hashes_.size()) scratch_.resize(hashes_.size());
  const std::size_t count =
      kernels::sort_unique_hashes(hashes_.data(), hashes_.size(), scratch_.data());
  return std::span(hashes_).first(count);
}

ShingleSet ShingleSets::keep(std::span<const std::uint64_t> hashes, Entry& entry) {
  const std::size_t cost = hashes.size() + kOverheadHashes;
  if (blocks_.empty() || filled_ + cost > blocks_.back()->capacity()) begin_block(cost);
  filled_ += cost;
  const std::shared_ptr<ShingleSet::Block>& block = blocks_.back();
  entry.block = first_block_ + static_cast<std::uint32_t>(blocks_.size()) - 1;
  entry.begin = static_cast<std::uint32_t>(block->size());
  entry.count = static_cast<std::uint32_t>(hashes.size());
  block->insert(block->end(), hashes.begin(), hashes.end());
  return {block, std::span(*block).subspan(entry.begin)};
}

// Drops the oldest blocks until the new one is within the budget, if possible.
void ShingleSets::begin_block(std::size_t cost) {
  const std::size_t capacity =
      std::max(cost, std::min(kBlockHashes, budget_hashes_ / kLeastBlocks));
  while (!blocks_.empty() && hashes_in_blocks_ + capacity > budget_hashes_) {
    hashes_in_blocks_ -= blocks_.front()->capacity();
    blocks_.pop_front();
    ++first_block_;
  }
  blocks_.push_back(std::make_shared<ShingleSet::Block>());
  blocks_.back()->reserve(capacity);
  hashes_in_blocks_ += blocks_.back()->capacity();
  filled_ = 0;
}

void ShingleSets::forget() {
  blocks_.clear();
  hashes_in_blocks_ = 0;
  std::vector<Entry>(kFirstTable).swap(table_);
  taken_ = 0;
}

ShingleSets::Entry& ShingleSets::entry_of(Place item) {
  if (2 * taken_ >= table_.size()) grow_table();
  const std::size_t at = place_in_table(item);
  if (table_[at].item == kNoPlace) {
    ++taken_;
    table_[at] = {item, first_block_ - 1, 0, 0};
  }
  return table_[at];
}

std::size_t ShingleSets::place_in_table(Place item) const noexcept {
  const std::size_t mask = table_.size() - 1;
  std::size_t at = mix64(item) & mask;
  while (table_[at].item != kNoPlace && table_[at].item != item) at = (at + 1) & mask;
  return at;
}

// Leaves out the entries of dropped sets.
void ShingleSets::grow_table() {
  std::vector<Entry> old = std::move(table_);
  const auto kept = static_cast<std::size_t>(
      std::count_if(old.begin(), old.end(), [&](const Entry& entry) { return is_kept(entry); }));
  table_.assign(4 * kept >= old.size() ? 2 * old.size() : old.size(), {});
  taken_ = 0;
  for (const Entry& entry : old) {
    if (is_kept(entry)) entry_of(entry.item) = entry;
  }
}

}  // namespace sosie

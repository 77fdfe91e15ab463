// Cache of the shingle sets of documents, read again when they were dropped.
#include "corpus/shingle_sets.h"

#include "kernels/sorted_set.h"

namespace sosie {
namespace {

constexpr std::size_t kOverheadBytes = 160;  // overhead of one cached set

std::size_t cost_of(const ShingleSet& set) {
  return set->size() * sizeof(std::uint64_t) + kOverheadBytes;
}

}  // namespace

ShingleSets::ShingleSets(const Inputs& inputs, const Corpus& corpus, const Items& items,
                         const ShingleRecipe& recipe, std::size_t budget_bytes)
    : items_(items),
      reader_(inputs, corpus, {inputs.fields.column, {}, {}, recipe.text_form()}),
      shingler_(recipe),
      budget_bytes_(budget_bytes) {}

ShingleSet ShingleSets::get(Place item) {
  if (const auto found = cache_.find(item); found != cache_.end()) {
    uses_.splice(uses_.begin(), uses_, found->second.use);
    return found->second.set;
  }
  ShingleSet set = make(item);
  uses_.push_front(item);
  cache_.emplace(item, Cached{set, uses_.begin()});
  used_bytes_ += cost_of(set);
  while (used_bytes_ > budget_bytes_ && uses_.size() > 1) forget_oldest();
  return set;
}

ShingleSet ShingleSets::make(Place item) {
  shingler_.read(reader_.read(items_.rows[item]).text);
  const auto shingles = shingler_.shingles();
  hashes_.assign(shingles.begin(), shingles.end());
  if (scratch_.size() < hashes_.size()) scratch_.resize(hashes_.size());
  const std::size_t count =
      kernels::sort_unique_hashes(hashes_.data(), hashes_.size(), scratch_.data());
  return std::make_shared<const std::vector<std::uint64_t>>(
      hashes_.begin(), hashes_.begin() + static_cast<std::ptrdiff_t>(count));
}

void ShingleSets::forget_oldest() {
  const auto found = cache_.find(uses_.back());
  used_bytes_ -= cost_of(found->second.set);
  cache_.erase(found);
  uses_.pop_back();
}

}  // namespace sosie

#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "join/sets/incremental_set_index.h"
#include "join/sets/indexed_sets.h"
#include "options/settings.h"
#include "plan/banding_plan.h"

namespace sosie {

// Sets of the kept rows, in which later rows are looked up either by the bands of the index or
// exactly.
class KeptSets {
 public:
  KeptSets(const BandingPlan& plan, const Settings& settings)
      : plan_(plan), by_bands_(plan, *settings.measure, settings.threshold) {
    if (settings.method == Method::exact) exactly_.emplace(*settings.measure, settings.threshold);
  }

  void add(const SketchedSet& set) {
    elements_ += set.set.size();
    ++sets_;
    if (exactly_) {
      exactly_->add(set.set);
    } else {
      by_bands_.add(set);
    }
  }

  // The first similar set.
  [[nodiscard]] std::optional<SimilarSet> find(const SketchedSet& set) {
    if (exactly_) return exactly_->first_similar(set.set);
    hits_.clear();
    by_bands_.find(set, 0, /*one=*/true, finder_, hits_);
    if (hits_.empty()) return {};
    return hits_.front();
  }

  [[nodiscard]] std::uint64_t bytes() const {
    if (exactly_) return elements_ * IncrementalSetIndex::kBytesPerElement + sets_ * 300;
    return elements_ * 24 + sets_ * (200 + 32 * static_cast<std::uint64_t>(plan_.bands) +
                                     static_cast<std::uint64_t>(plan_.components));
  }
  [[nodiscard]] std::uint64_t listed() const {
    return exactly_ ? exactly_->listed() : finder_.listed;
  }
  [[nodiscard]] std::uint64_t verified() const {
    return exactly_ ? exactly_->verified() : finder_.verified;
  }

 private:
  const BandingPlan& plan_;
  IndexedSets by_bands_;
  std::optional<IncrementalSetIndex> exactly_;
  IndexedSets::Finder finder_;
  std::vector<IndexedSets::Hit> hits_;
  std::uint64_t elements_ = 0;
  std::uint64_t sets_ = 0;
};

}  // namespace sosie

#pragma once

#include <cstdint>
#include <vector>

#include "candidates/prefix_join.h"
#include "candidates/size_table.h"
#include "data/token_sets.h"
#include "kernels/join_postings.h"

namespace sosie {

// The prefixes of all sets turned round: a list for each token that stands in two of them or more,
// of the sets that hold it there, sizes ascending. In a join of two collections the left sets come
// first in each list and are found; within one collection every set looks for the sets before it,
// and is found by the sets behind it.
class PrefixLists {
 public:
  PrefixLists(const TokenSets& sets, const PrefixJoin& join, bool across, const SizeTable& sizes);

  // All postings, lists one behind the other; as many as kernels::kPostingPadding can be read
  // behind them.
  [[nodiscard]] const std::vector<kernels::Posting>& postings() const noexcept { return postings_; }
  [[nodiscard]] std::uint64_t size() const noexcept { return starts_.back(); }
  // Number of indexed entries.
  [[nodiscard]] std::uint64_t indexed() const noexcept { return indexed_; }

  struct List {
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
  };
  [[nodiscard]] std::uint32_t lists() const noexcept {
    return static_cast<std::uint32_t>(starts_.size() - 1);
  }
  [[nodiscard]] List operator[](std::uint32_t i) const noexcept {
    return {starts_[i], starts_[i + 1]};
  }
  // The number of the list that has a posting.
  [[nodiscard]] std::uint32_t list_at(std::uint64_t posting) const noexcept;
  // That of a token; of one that stands in one prefix only the list is empty.
  [[nodiscard]] List of_token(std::uint32_t token) const noexcept {
    return token < sets_.first_shared ? List{} : (*this)[token - sets_.first_shared];
  }

 private:
  struct Prefix {
    std::uint32_t indexed = 0;
    std::uint32_t probed = 0;
  };
  [[nodiscard]] Prefix prefix_of(std::uint32_t set) const noexcept;
  template <class Each>
  void for_each_posting(std::uint32_t set, Prefix prefix, const Each& each) const;
  void place_lists();
  void fill_lists();

  const TokenSets& sets_;
  const PrefixJoin& join_;
  bool across_;
  const SizeTable& sizes_;
  std::vector<std::uint64_t> starts_;  // by token, from first_shared on
  std::vector<kernels::Posting> postings_;
  std::uint64_t indexed_ = 0;
};

}  // namespace sosie

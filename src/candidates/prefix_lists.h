#pragma once

#include <cstdint>
#include <vector>

#include "candidates/prefix_join.h"
#include "core/thread_pool.h"
#include "data/token_sets.h"
#include "kernels/join_postings.h"

namespace sosie {

// The bounds that follow from a threshold, computed once for each size that occurs in a collection.
// Neither table has more values than the sets have tokens, because both sum over distinct sizes.
class SizeTable {
 public:
  // `across`: the join is between two collections; otherwise, only partners that are not larger are
  // searched for.
  SizeTable(const TokenSets& sets, const PrefixJoin& join, bool across);

  // The rank of each set's size.
  [[nodiscard]] const std::vector<std::uint32_t>& ranks() const noexcept { return ranks_; }
  [[nodiscard]] const std::vector<kernels::SizeRow>& rows() const noexcept { return rows_; }

  // The number of a set's first tokens that are indexed or looked up, by the rank of its size.
  [[nodiscard]] std::uint32_t indexed(std::uint32_t rank) const noexcept { return indexed_[rank]; }
  [[nodiscard]] std::uint32_t probed(std::uint32_t rank) const noexcept { return probed_[rank]; }

 private:
  void rank_sizes(const TokenSets& sets);
  void set_ranges(const PrefixJoin& join, bool across);
  void add_differences(const PrefixJoin& join);
  void add_positions(const PrefixJoin& join);

  std::vector<std::uint32_t> ranks_;
  std::vector<kernels::SizeRow> rows_;
  std::vector<std::uint32_t> indexed_;         // by rank
  std::vector<std::uint32_t> probed_;          // likewise
  std::vector<std::uint32_t> most_different_;  // row-major
  std::vector<std::uint32_t> most_positions_;  // likewise
};

// The inverted prefixes of all sets: for each token that is in at least two prefixes, the list of
// the sets with that token in their prefixes, by ascending size. In a join of two collections, the
// left sets come first in each list and are the ones found. Within a single collection, every set
// looks for earlier sets and is found by later ones.
class PrefixLists {
 public:
  PrefixLists(const TokenSets& sets, const PrefixJoin& join, bool across, const SizeTable& sizes);

  // All postings, list after list; reading up to kernels::kPostingPadding postings beyond the last
  // one is safe.
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
  // Number of the list that contains a posting.
  [[nodiscard]] std::uint32_t list_at(std::uint64_t posting) const noexcept;
  // List of a token; empty if the token is in only one prefix.
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
  std::vector<std::uint64_t> starts_;  // by token, starting with first_shared
  std::vector<kernels::Posting> postings_;
  std::uint64_t indexed_ = 0;
};

// A bit string for each set, in which every token flips a bit that depends on the token's number.
// Two sets differ in at least as many elements as their signatures differ in bits. (Bitmap filter:
// Sandes, Teodoro, Melo 2017.) Signatures have 64 bits for small sets, up to 256 for large ones.
class ParitySignatures {
 public:
  // `wanted`: if false, nothing is computed and there are no planes.
  ParitySignatures(const TokenSets& sets, bool wanted, ThreadPool& pool);

  // Number of 32-bit words per signature.
  [[nodiscard]] std::size_t planes() const noexcept { return planes_; }
  [[nodiscard]] const std::uint32_t* operator[](std::uint32_t set) const noexcept {
    return words_.data() + set * planes_;
  }

 private:
  std::size_t planes_ = 0;
  std::vector<std::uint32_t> words_;
};

}  // namespace sosie

#pragma once

#include <cstdint>
#include <numeric>
#include <vector>

#include "candidates/parity_signatures.h"
#include "candidates/prefix_index.h"
#include "candidates/size_bounds.h"
#include "hwy/cache_control.h"
#include "kernels/posting_scan.h"

namespace sosie {

// The postings of all prefixes that are indexed, in lists by token; sets ascend within a list. Of
// tokens that stand in one prefix only there are none: no pair shares them.
class PrefixPostings {
 public:
  // `across`: a join of two collections. Sets of the left one are indexed, with whole prefixes;
  // else all are, with what partners of at least their size need.
  PrefixPostings(const TokenSets& sets, const PrefixJoin& join, bool across)
      : sets_(sets), join_(join), across_(across) {
    count_prefixes();
    place_lists();
    fill_lists();
  }

  // As columns, for kernels; lives as long as this.
  [[nodiscard]] kernels::Postings columns(const ParitySignatures& of_sets) {
    if (of_sets.planes() > 0) copy_signatures(of_sets);
    return {set_numbers_.data(), sizes_.data(), positions_.data(),
            signatures_.data(),  stride_,       of_sets.planes()};
  }

  struct List {
    std::uint64_t begin;
    std::uint64_t end;
  };
  // The entries of the columns that belong to a token.
  [[nodiscard]] List list_of(std::uint32_t token) const noexcept {
    if (token < sets_.first_shared) return {0, 0};
    const std::size_t i = token - sets_.first_shared;
    return {starts_[i], starts_[i + 1]};
  }
  // Of a token that is not below first_shared: has list_of() find it in the cache.
  void prefetch(std::uint32_t token) const noexcept {
    hwy::Prefetch(&starts_[token - sets_.first_shared]);
  }
  [[nodiscard]] std::uint64_t size() const noexcept { return starts_.back(); }

 private:
  [[nodiscard]] bool is_indexed(std::uint32_t set) const noexcept {
    return !across_ || sets_.places[set] < join_.scope.left_end;
  }

  // Calls each(set, its size, its first tokens) for all sets in order; how many tokens is what
  // `length` says of the size, all without the prefix filter.
  template <class Length, class Each>
  void for_each_prefix(const Length& length, const Each& each) const {
    std::uint32_t size = 0;
    std::uint64_t count = 0;
    for (std::uint32_t set = 0; set < sets_.size(); ++set) {
      const TokenView tokens = sets_[set];
      if (tokens.size() != size) {
        size = static_cast<std::uint32_t>(tokens.size());
        count = join_.filters.prefix ? length(*join_.measure, size, join_.threshold) : size;
      }
      each(set, size, tokens.first(count));
    }
  }

  template <class Each>
  void for_each_indexed(const Each& each) const {
    for_each_prefix(across_ ? prefix_length : index_prefix_length,
                    [&](std::uint32_t set, std::uint32_t size, TokenView prefix) {
                      if (is_indexed(set)) each(set, size, prefix);
                    });
  }

  // In how many prefixes, as they are looked up, each token stands. One is no pair.
  void count_prefixes() {
    frequency_.assign(sets_.universe - sets_.first_shared, 0);
    for_each_prefix(prefix_length, [&](std::uint32_t, std::uint32_t, TokenView prefix) {
      for (const std::uint32_t token : prefix) {
        if (token >= sets_.first_shared) ++frequency_[token - sets_.first_shared];
      }
    });
  }

  [[nodiscard]] bool is_listed(std::uint32_t token) const noexcept {
    return token >= sets_.first_shared && frequency_[token - sets_.first_shared] > 1;
  }

  void place_lists() {
    starts_.assign(frequency_.size() + 1, 0);
    for_each_indexed([&](std::uint32_t, std::uint32_t, TokenView prefix) {
      for (const std::uint32_t token : prefix) {
        if (is_listed(token)) ++starts_[token - sets_.first_shared + 1];
      }
    });
    std::partial_sum(starts_.begin(), starts_.end(), starts_.begin());
  }

  void fill_lists() {
    stride_ = starts_.back() + kernels::kPostingPadding;
    set_numbers_.resize(stride_);
    sizes_.resize(stride_);
    positions_.resize(stride_);
    std::vector<std::uint64_t> next(starts_.begin(), starts_.end() - 1);
    for_each_indexed([&](std::uint32_t set, std::uint32_t size, TokenView prefix) {
      for (std::uint32_t position = 0; position < prefix.size(); ++position) {
        if (!is_listed(prefix[position])) continue;
        const std::uint64_t at = next[prefix[position] - sets_.first_shared]++;
        set_numbers_[at] = set;
        sizes_[at] = size;
        positions_[at] = position;
      }
    });
    std::vector<std::uint32_t>().swap(frequency_);
  }

  void copy_signatures(const ParitySignatures& of_sets) {
    signatures_.resize(stride_ * of_sets.planes());
    for (std::uint64_t at = 0; at < size(); ++at) {
      const std::uint32_t* signature = of_sets[set_numbers_[at]];
      for (std::size_t plane = 0; plane < of_sets.planes(); ++plane) {
        signatures_[plane * stride_ + at] = signature[plane];
      }
    }
  }

  const TokenSets& sets_;
  const PrefixJoin& join_;
  bool across_;
  std::vector<std::uint32_t> frequency_;  // by token, from first_shared on
  std::vector<std::uint64_t> starts_;     // of the lists, likewise
  std::size_t stride_ = 0;
  std::vector<std::uint32_t> set_numbers_;
  std::vector<std::uint32_t> sizes_;
  std::vector<std::uint32_t> positions_;
  std::vector<std::uint32_t> signatures_;
};

}  // namespace sosie

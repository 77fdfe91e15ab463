#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <utility>
#include <vector>

namespace sosie {

// Blocks of records with equal keys, in ascending order. With two collections (records below
// `split`, and the rest), a record's partners are in the other collection. Keys without pairs are
// dropped and the remaining keys renumbered in order, unless `keeps_keys`.
class KeyedBlocks {
 public:
  // `keys`: the key of each record; 0 if it has none. `split`: 0 for a single collection. A block
  // of more than `most` records is large, and append() leaves its pairs out. O(records).
  KeyedBlocks(std::vector<std::uint32_t> keys, std::uint32_t split, std::uint32_t most,
              bool keeps_keys = false);

  // The records of a block, left records first.
  [[nodiscard]] std::span<const std::uint32_t> block(std::uint32_t key) const noexcept {
    return std::span(members_).subspan(starts_[key], starts_[key + 1] - starts_[key]);
  }
  [[nodiscard]] std::uint32_t keys() const noexcept {
    return static_cast<std::uint32_t>(starts_.size() - 1);
  }
  [[nodiscard]] bool is_large(std::uint32_t key) const noexcept {
    return block(key).size() > most_;
  }
  // Number of pairs in a block.
  [[nodiscard]] std::uint64_t pairs_of(std::uint32_t key) const noexcept;

  // Key of a record; 0: none.
  [[nodiscard]] std::uint32_t key_of(std::uint32_t record) const noexcept { return keys_[record]; }

  // Appends the right partners of a left record; within a single collection, its partners with
  // higher numbers.
  void append(std::uint32_t record, std::vector<std::uint32_t>& partners) const;
  // Appends the record's partners in any block, including large blocks.
  void append_from(std::uint32_t key, std::uint32_t record,
                   std::vector<std::uint32_t>& partners) const;

 private:
  [[nodiscard]] std::size_t left_ones(std::uint32_t key) const noexcept;
  void forget_keys_without_pairs();

  std::vector<std::uint32_t> keys_;  // by record, for records for which append() finds partners
  std::uint32_t split_;
  std::uint32_t most_;
  std::vector<std::uint32_t> starts_;  // by key
  std::vector<std::uint32_t> members_;
};

// Sorted neighbourhood (Hernandez, Stolfo 1995): when the records are sorted by a key, any two
// records at most `window` places apart are a pair.
class SortedWindow {
 public:
  // `order`: the records sorted by key, without records that have no key. `records`: total number
  // of records.
  SortedWindow(std::vector<std::uint32_t> order, std::uint32_t records, std::uint32_t split,
               std::uint32_t window);

  // Appends partners like KeyedBlocks::append().
  void append(std::uint32_t record, std::vector<std::uint32_t>& partners) const;

 private:
  std::vector<std::uint32_t> order_;
  std::vector<std::uint32_t> place_of_;  // by record
  std::uint32_t split_;
  std::uint32_t window_;
};

// Appends the partners that a rule finds for a record, in arbitrary order and possibly with
// duplicates: records of the right collection or, within a single collection, records with higher
// numbers. Thread-safe.
using AppendPartners =
    std::function<void(std::uint32_t record, std::vector<std::uint32_t>& partners)>;

// A candidate partner of a record, and the rules (as bits) that found it.
struct CandidatePartner {
  std::uint32_t partner;
  std::uint32_t rules;
};

// The rules that found `partner`, according to `partners` (ascending); 0 if it is not in the list.
[[nodiscard]] std::uint32_t rules_in(std::span<const CandidatePartner> partners,
                                     std::uint32_t partner) noexcept;

inline constexpr std::size_t kMostCandidateRules = 32;

// The pairs that at least one rule finds. They are produced record by record, so they are never all
// in memory.
class CandidateUnion {
 public:
  // `rules`: at most kMostCandidateRules.
  explicit CandidateUnion(std::vector<AppendPartners> rules) : rules_(std::move(rules)) {}

  // Buffers of one thread.
  struct Buffers {
    std::vector<std::uint32_t> partners;
    std::vector<CandidatePartner> found;
  };

  [[nodiscard]] std::size_t rules() const noexcept { return rules_.size(); }

  // A record's partners, in ascending order and without duplicates. They remain valid until the
  // buffers are used again.
  [[nodiscard]] std::span<const CandidatePartner> of(std::uint32_t record, Buffers& buffers) const;

 private:
  std::vector<AppendPartners> rules_;
};

}  // namespace sosie

#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <utility>
#include <vector>

namespace sosie {

// Records with equal keys, ascending. With two collections (records below `split`, and the others)
// partners are in the other collection. Keys without a pair are dropped and the others renumbered
// in order, unless `keeps_keys`.
class KeyedBlocks {
 public:
  // `keys`: by record, 0 for a record without a key. `split`: 0 for a single collection. Blocks of
  // more than `most` records are large: append() leaves their pairs out. O(records).
  KeyedBlocks(std::vector<std::uint32_t> keys, std::uint32_t split, std::uint32_t most,
              bool keeps_keys = false);

  // Records of a block, left ones first.
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

  // Appends the right partners of a left record; within a single collection, those after it.
  void append(std::uint32_t record, std::vector<std::uint32_t>& partners) const;
  // Appends its partners in any block, including large ones.
  void append_from(std::uint32_t key, std::uint32_t record,
                   std::vector<std::uint32_t>& partners) const;

 private:
  [[nodiscard]] std::size_t left_ones(std::uint32_t key) const noexcept;
  void forget_keys_without_pairs();

  std::vector<std::uint32_t> keys_;  // by record for which append() finds partners
  std::uint32_t split_;
  std::uint32_t most_;
  std::vector<std::uint32_t> starts_;  // by key
  std::vector<std::uint32_t> members_;
};

// Sorted neighbourhood (Hernandez, Stolfo 1995): with records in the order of a key, those at most
// `window` apart are pairs.
class SortedWindow {
 public:
  // `order`: records sorted by their key, without those that have none. `records`: total number of
  // records.
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

// Appends the partners that a rule finds for a record, in any order and possibly with repetitions:
// with two collections, records of the right one, else records with a higher number. Thread-safe.
using AppendPartners =
    std::function<void(std::uint32_t record, std::vector<std::uint32_t>& partners)>;

// Candidate partner of a record, and the rules that found it, as bits.
struct CandidatePartner {
  std::uint32_t partner;
  std::uint32_t rules;
};

// Rules that found `partner`, as listed in `partners` (ascending); 0: it is not listed.
[[nodiscard]] std::uint32_t rules_in(std::span<const CandidatePartner> partners,
                                     std::uint32_t partner) noexcept;

inline constexpr std::size_t kMostCandidateRules = 32;

// Pairs that at least one rule finds, produced record by record, so that they are never all in
// memory.
class CandidateUnion {
 public:
  // `rules`: at most kMostCandidateRules.
  explicit CandidateUnion(std::vector<AppendPartners> rules) : rules_(std::move(rules)) {}

  // Buffers of a thread.
  struct Buffers {
    std::vector<std::uint32_t> partners;
    std::vector<CandidatePartner> found;
  };

  [[nodiscard]] std::size_t rules() const noexcept { return rules_.size(); }

  // Partners of a record, ascending, without repetitions. They live until the buffers are reused.
  [[nodiscard]] std::span<const CandidatePartner> of(std::uint32_t record, Buffers& buffers) const;

 private:
  std::vector<AppendPartners> rules_;
};

}  // namespace sosie

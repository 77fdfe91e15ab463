#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <utility>
#include <vector>

namespace sosie {

// Appends the partners that one rule finds for a record, in any order, some perhaps more than once:
// of two collections records of the right one, else records with a higher number. Safe for many
// threads at once.
using AppendPartners =
    std::function<void(std::uint32_t record, std::vector<std::uint32_t>& partners)>;

// Candidate partner of a record, and the rules that found it, as bits.
struct CandidatePartner {
  std::uint32_t partner;
  std::uint32_t rules;
};

// Rules that found a partner among these, which are ascending; 0: it is none of them.
[[nodiscard]] std::uint32_t rules_in(std::span<const CandidatePartner> partners,
                                     std::uint32_t partner) noexcept;

inline constexpr std::size_t kMostCandidateRules = 32;

// Pairs that at least one rule finds, record by record, so that they are never kept whole.
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

  // Partners of a record, ascending, each once. They live until the buffers are used again.
  [[nodiscard]] std::span<const CandidatePartner> of(std::uint32_t record, Buffers& buffers) const;

 private:
  std::vector<AppendPartners> rules_;
};

}  // namespace sosie

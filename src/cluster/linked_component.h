#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "cluster/average_linkage.h"

namespace sosie {

// A component of linked records.
struct LinkedComponent {
  std::span<const std::uint32_t> records;  // ascending
  std::span<const std::uint32_t> place;    // by record: its position in `records`
  std::span<const std::uint64_t> links;    // indexes of its links, ascending
  std::span<const std::uint32_t> always;   // indexes of its pairs that always share a group
};

// A worker of a pool.
struct LinkageWorker {
  const ThreadPool& pool;
  unsigned number = 0;
};

// Groups the records of a component (average_linkage.h): writes their first[], appends groups and
// counts scored pairs. Throws Error{cancelled}.
void link_component(const LinkageTask& task, const LinkedComponent& component,
                    const LinkageWorker& worker, std::span<std::uint32_t> first,
                    RecordGroups& found);

inline constexpr double kProbabilityUnits =
    268435456;  // 2^28: the number of units in a probability of 1

// Clamps to [0, 1]; 0 for NaN.
[[nodiscard]] double as_probability(double value) noexcept;

// A probability in units, rounded down.
[[nodiscard]] std::uint64_t units_of(double probability) noexcept;

// Probabilities of pairs within a component: from its links, else from task.probability.
class PairProbabilities {
 public:
  PairProbabilities(const LinkageTask& task, const LinkedComponent& component,
                    const LinkageWorker& worker)
      : task_(task), component_(component), worker_(worker) {}

  // The probability of two different records, in either order. Throws Error{cancelled}.
  [[nodiscard]] double probability(std::uint32_t x, std::uint32_t y);
  [[nodiscard]] std::uint64_t units(std::uint32_t x, std::uint32_t y) {
    return units_of(probability(x, y));
  }
  // Number of calls of task.probability so far.
  [[nodiscard]] std::uint64_t scored() const noexcept { return scored_; }

 private:
  const LinkageTask& task_;
  LinkedComponent component_;
  LinkageWorker worker_;
  std::uint64_t scored_ = 0;
};

// The group of these records (ascending, at least two) with its weakest pair: among all pairs, or
// among a sample in a group of more than kComparedGroup records.
[[nodiscard]] RecordGroup weakest_pair(std::span<const std::uint32_t> records,
                                       PairProbabilities& known);

inline constexpr std::uint64_t kDrawnPartners = 16;

// A sampled partner of the record at `place` in a group of two or more: any other record, the same
// one in each run. `draw`: below kDrawnPartners if pairs of a large group are sampled.
[[nodiscard]] std::uint32_t drawn_partner(std::span<const std::uint32_t> records, std::size_t place,
                                          std::uint64_t draw) noexcept;

}  // namespace sosie

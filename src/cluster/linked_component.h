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

// Groups the records of a component (average_linkage.h): writes first[] for them, appends their
// groups and counts scored pairs. Throws Error{cancelled}.
void link_component(const LinkageTask& task, const LinkedComponent& component,
                    const LinkageWorker& worker, std::span<std::uint32_t> first,
                    RecordGroups& found);

inline constexpr double kProbabilityUnits =
    268435456;  // 2^28: the number of units in a probability of 1

// Clamps the value to [0, 1]; NaN becomes 0.
[[nodiscard]] double as_probability(double value) noexcept;

// The probability in units, rounded down.
[[nodiscard]] std::uint64_t units_of(double probability) noexcept;

// Looks up the probability of a pair within a component among its links; otherwise, calls
// task.probability.
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
  // Number of calls to task.probability so far.
  [[nodiscard]] std::uint64_t scored() const noexcept { return scored_; }

 private:
  const LinkageTask& task_;
  LinkedComponent component_;
  LinkageWorker worker_;
  std::uint64_t scored_ = 0;
};

// The group that consists of these records (ascending, at least two), with its weakest pair. In a
// group of more than kComparedGroup records, this is the weakest pair in a sample.
[[nodiscard]] RecordGroup weakest_pair(std::span<const std::uint32_t> records,
                                       PairProbabilities& known);

inline constexpr std::uint64_t kDrawnPartners = 16;

// A sampled partner for the record at `place` in a group of two or more records: any other record,
// but the same in every run. `draw`: number of the sample, below kDrawnPartners in a large group.
[[nodiscard]] std::uint32_t drawn_partner(std::span<const std::uint32_t> records, std::size_t place,
                                          std::uint64_t draw) noexcept;

}  // namespace sosie

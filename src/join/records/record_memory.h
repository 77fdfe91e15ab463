#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <string_view>

#include "data/record_table.h"
#include "options/link_rules.h"

namespace sosie {

// Counts the memory that a run on records holds, before it is allocated.
class RecordMemory {
 public:
  explicit RecordMemory(std::uint64_t memory_bytes) : memory_bytes_(memory_bytes) {}

  // Throws Error{limit_exceeded}, naming a sufficient limit, if this many bytes do not fit in
  // addition to those already held. `what`: a plural noun for the message.
  void require(std::uint64_t bytes, std::string_view what) const;
  // Counts bytes that are held until the run ends or release() is called.
  void hold(std::uint64_t bytes) noexcept { held_bytes_ += bytes; }
  // Subtracts bytes that were held and have been freed.
  void release(std::uint64_t bytes) noexcept { held_bytes_ -= bytes; }
  // Number of bytes still available.
  [[nodiscard]] std::uint64_t left() const noexcept {
    return memory_bytes_ - std::min(held_bytes_, memory_bytes_);
  }

 private:
  std::uint64_t memory_bytes_;
  std::uint64_t held_bytes_ = 0;
};

// Peak memory of a step, and the part of it that the step keeps.
struct RecordNeeds {
  std::uint64_t peak_bytes = 0;
  std::uint64_t kept_bytes = 0;
};

// Memory needed for data derived from the compared fields.
[[nodiscard]] RecordNeeds comparison_needs(const RecordTable& table, const LinkRules& rules);
// Memory needed for finding the `top` nearest records of each record by these fields.
[[nodiscard]] RecordNeeds nearest_needs(const RecordTable& table,
                                        std::span<const std::uint32_t> fields, std::uint32_t top,
                                        unsigned threads);

// Bytes per partner while pairs of neighbours are being listed.
inline constexpr std::uint64_t kBytesOfPartner = 24;
// Bytes per link while records are grouped (each link is stored twice, and there is an edge between
// groups) or partners are chosen.
inline constexpr std::uint64_t kBytesOfGroupedLink = 240;
inline constexpr std::uint64_t kBytesOfChosenLink = 120;

}  // namespace sosie

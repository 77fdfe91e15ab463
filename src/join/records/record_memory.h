#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <string_view>

#include "data/record_table.h"
#include "options/link_rules.h"

namespace sosie {

// Memory that a run of records holds, counted before it is taken.
class RecordMemory {
 public:
  explicit RecordMemory(std::uint64_t memory_bytes) : memory_bytes_(memory_bytes) {}

  // Throws Error{limit_exceeded}, saying what would be enough, if so many bytes do not fit in
  // besides those that are held. `what`: plural noun that messages call them.
  void require(std::uint64_t bytes, std::string_view what) const;
  // Counts bytes that stay until the run ends, or they are released.
  void hold(std::uint64_t bytes) noexcept { held_bytes_ += bytes; }
  // Counts bytes that were held and are given back.
  void release(std::uint64_t bytes) noexcept { held_bytes_ -= bytes; }
  // Bytes that may still be taken.
  [[nodiscard]] std::uint64_t left() const noexcept {
    return memory_bytes_ - std::min(held_bytes_, memory_bytes_);
  }

 private:
  std::uint64_t memory_bytes_;
  std::uint64_t held_bytes_ = 0;
};

// Memory that a step takes at its peak, and what of it stays.
struct RecordNeeds {
  std::uint64_t peak_bytes = 0;
  std::uint64_t kept_bytes = 0;
};

// Needs of what is made of the fields that are compared.
[[nodiscard]] RecordNeeds comparison_needs(const RecordTable& table, const LinkRules& rules);
// Needs of the `top` nearest records of each by these fields.
[[nodiscard]] RecordNeeds nearest_needs(const RecordTable& table,
                                        std::span<const std::uint32_t> fields, std::uint32_t top,
                                        unsigned threads);

// Bytes of a partner while pairs of neighbours are listed.
inline constexpr std::uint64_t kBytesOfPartner = 24;
// Bytes of a link while records are put into groups (itself twice, and an edge between groups), or
// partners are chosen.
inline constexpr std::uint64_t kBytesOfGroupedLink = 240;
inline constexpr std::uint64_t kBytesOfChosenLink = 120;

}  // namespace sosie

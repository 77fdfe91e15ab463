#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "verify/edit_pattern.h"

namespace sosie {

// A step from one string to another: letters [left, left_end) become [right, right_end).
struct EditStep {
  enum class Kind : std::uint8_t {
    keep,
    replace,
    remove,
    insert,
    swap  // first and last letter change places; damerau: others between are removed or inserted
  } kind = Kind::keep;
  std::uint32_t left = 0;
  std::uint32_t left_end = 0;
  std::uint32_t right = 0;
  std::uint32_t right_end = 0;

  [[nodiscard]] std::uint32_t edits() const noexcept;
};

// The fewest edits that make `right` of `left`, in order, kept letters in runs; of several such
// scripts always the same one. Nothing where the parts that differ are too long: of more than 2^22
// pairs of letters. O(length * length) time and memory.
[[nodiscard]] std::optional<std::vector<EditStep>> edit_script(EditMeasure measure,
                                                               std::span<const char32_t> left,
                                                               std::span<const char32_t> right);

}  // namespace sosie

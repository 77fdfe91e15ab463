#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "verify/edit_pattern.h"

namespace sosie {

// A step from one string to another: characters [left, left_end) become [right, right_end).
struct EditStep {
  enum class Kind : std::uint8_t {
    keep,
    replace,
    remove,
    insert,
    swap  // first and last change places; damerau: characters between them may be edited
  } kind = Kind::keep;
  std::uint32_t left = 0;
  std::uint32_t left_end = 0;
  std::uint32_t right = 0;
  std::uint32_t right_end = 0;

  [[nodiscard]] std::uint32_t edits() const noexcept;
};

// A shortest sequence of edits that turns `left` into `right`, in order, with kept characters
// combined into runs. If there are several such sequences, the choice is deterministic. Returns
// nullopt if the parts that differ are too long: more than 2^22 pairs of characters. O(length *
// length) time and memory.
[[nodiscard]] std::optional<std::vector<EditStep>> edit_script(EditMeasure measure,
                                                               std::span<const char32_t> left,
                                                               std::span<const char32_t> right);

}  // namespace sosie

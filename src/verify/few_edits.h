#pragma once

#include <cstdint>

#include "data/columns.h"
#include "sosie/strings.h"

namespace sosie {

// The most edits that few_edits() is asked for.
inline constexpr std::uint32_t kMostFewEdits = 3;

// True if kReadBehind bytes behind both strings may be read; what they hold changes nothing.
enum class ReadBehind : bool { no, yes };

// The distance when it is at most `most`, else most + 1. Not of damerau; strings of one width. Both
// ends are rid of equal symbols: then the first edit stands in front, the last one at the end, and
// what lies between two edits is equal. O(length) time, no memory.
[[nodiscard]] std::uint32_t few_edits(EditMeasure measure, const SymbolSpan& left,
                                      const SymbolSpan& right, std::uint32_t most,
                                      ReadBehind behind = ReadBehind::no) noexcept;

// Number of equal symbols that two strings of one width begin with, or end with.
[[nodiscard]] std::uint32_t equal_front(const SymbolSpan& left, const SymbolSpan& right) noexcept;
[[nodiscard]] std::uint32_t equal_end(const SymbolSpan& left, const SymbolSpan& right) noexcept;

}  // namespace sosie

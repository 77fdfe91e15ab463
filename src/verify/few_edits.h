#pragma once

#include <cstdint>

#include "data/columns.h"
#include "sosie/strings.h"

namespace sosie {

// Maximum `most` for few_edits().
inline constexpr std::uint32_t kMostFewEdits = 3;

// True if kReadBehind bytes after both strings may be read; their contents do not matter.
enum class ReadBehind : bool { no, yes };

// The distance if it is at most `most`; otherwise, most + 1. Not for damerau; both strings must
// have the same symbol width. Equal symbols are removed at both ends, so that the first edit is at
// the beginning and the last one at the end; the parts between two edits are equal. O(length) time,
// no memory.
[[nodiscard]] std::uint32_t few_edits(EditMeasure measure, const SymbolSpan& left,
                                      const SymbolSpan& right, std::uint32_t most,
                                      ReadBehind behind = ReadBehind::no) noexcept;

// Number of equal symbols at the beginning, or at the end, of two strings of equal symbol width.
[[nodiscard]] std::uint32_t equal_front(const SymbolSpan& left, const SymbolSpan& right) noexcept;
[[nodiscard]] std::uint32_t equal_end(const SymbolSpan& left, const SymbolSpan& right) noexcept;

}  // namespace sosie

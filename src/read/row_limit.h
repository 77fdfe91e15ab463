#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/memory_budget.h"
#include "io/file.h"

namespace sosie {

// Limits the size of a row in a run: each worker may hold one row, in several forms at the same
// time (MemoryBudget::longest_row).
struct RowLimit {
  std::uint64_t memory_bytes = 0;  // 0: no limit except 2 GiB, which applies to all rows
  unsigned threads = 1;
  std::uint64_t forms = MemoryBudget::kFormsOfRow;  // forms held in memory at the same time

  [[nodiscard]] std::uint64_t bytes() const noexcept;
};

// Throws Error{limit_exceeded} because the row at `place` exceeds the limit; the message names a
// sufficient limit and begins with `reason`, if there is one.
[[noreturn]] void refuse_long_row(const RowLimit& limit, const std::string& place,
                                  std::uint64_t length, std::string_view reason = {});

// The variant for an incomplete row of which `length` bytes have arrived so far.
[[noreturn]] void refuse_open_row(const RowLimit& limit, const std::string& place,
                                  std::uint64_t length);

// Rows of this size are an error regardless of the memory.
inline constexpr std::uint64_t kMaxRowBytes = std::uint64_t{1} << 31;

// Counts line feeds in [begin, end) of the file, which is read into `buffer` in pieces of 256 KiB.
[[nodiscard]] std::uint64_t count_line_feeds(const File& file, std::uint64_t begin,
                                             std::uint64_t end, std::vector<char>& buffer);

// The place of a line in a file, counted from 1: "people.jsonl:17"; for a file in memory: "row 16".
[[nodiscard]] std::string place_of_line(const File& file, std::uint64_t line);
// The place of the line that contains the byte at `offset`.
[[nodiscard]] std::string place_in_file(const File& file, std::uint64_t offset);

}  // namespace sosie

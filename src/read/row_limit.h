#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/memory_budget.h"
#include "io/file.h"

namespace sosie {

// The largest row that a run may hold: each worker may have one, in several forms at a time
// (MemoryBudget::longest_row).
struct RowLimit {
  std::uint64_t memory_bytes = 0;  // 0: no cap but that of all rows, 2 GiB
  unsigned threads = 1;
  std::uint64_t forms = MemoryBudget::kFormsOfRow;  // in which it is in memory at a time

  [[nodiscard]] std::uint64_t bytes() const noexcept;
};

// Throws Error{limit_exceeded}: the row at `place` is larger than the limit; says what is enough.
// `reason`, if there is one, stands in front of that.
[[noreturn]] void refuse_long_row(const RowLimit& limit, const std::string& place,
                                  std::uint64_t length, std::string_view reason = {});

// Does that for a row of which `length` bytes have come and the end has not.
[[noreturn]] void refuse_open_row(const RowLimit& limit, const std::string& place,
                                  std::uint64_t length);

// Rows of so many bytes are refused whatever the memory.
inline constexpr std::uint64_t kMaxRowBytes = std::uint64_t{1} << 31;

// Line feeds in [begin, end) of the file, which is read in pieces of a quarter MiB into `buffer`.
[[nodiscard]] std::uint64_t count_line_feeds(const File& file, std::uint64_t begin,
                                             std::uint64_t end, std::vector<char>& buffer);

// "people.jsonl:17": a line of a file, counted from 1; "row 16" of one in memory.
[[nodiscard]] std::string place_of_line(const File& file, std::uint64_t line);
// The place of the line that the byte at `offset` is in.
[[nodiscard]] std::string place_in_file(const File& file, std::uint64_t offset);

}  // namespace sosie

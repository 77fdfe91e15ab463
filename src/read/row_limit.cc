// Rejects rows too large for the memory of a run, and reports their place.
#include "read/row_limit.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/size_text.h"
#include "sosie/error.h"

namespace sosie {
namespace {

constexpr std::uint64_t kPieceBytes = std::uint64_t{1} << 18;

}  // namespace

std::uint64_t RowLimit::bytes() const noexcept {
  if (memory_bytes == 0) return kMaxRowBytes - 1;
  // One row of this size per worker always fits in the tolerance above the memory limit, in any
  // form.
  constexpr std::uint64_t kSmallRows = std::uint64_t{1} << 20;
  const MemoryBudget budget{memory_bytes};
  const std::uint64_t small =
      std::min(budget.longest_row(threads, MemoryBudget::kFormsOfRow), kSmallRows / threads);
  return std::min(kMaxRowBytes - 1, std::max(budget.longest_row(threads, forms), small));
}

void refuse_long_row(const RowLimit& limit, const std::string& place, std::uint64_t length,
                     std::string_view reason) {
  if (length >= kMaxRowBytes) {
    throw Error(ErrorKind::limit_exceeded, BadPlace{place}, "row of 2 GiB or more",
                std::string(reason));
  }
  const std::string enough = round_size_text(length * limit.forms * limit.threads);
  throw Error(ErrorKind::limit_exceeded, BadPlace{place},
              fmt::format("row of {} bytes is too large for --memory {}", length,
                          limit_text(limit.memory_bytes)),
              fmt::format("{}{}--memory {} is enough for it{}", reason, reason.empty() ? "" : "; ",
                          enough, limit.threads > 1 ? "; fewer --threads may also be enough" : ""));
}

void refuse_open_row(const RowLimit& limit, const std::string& place, std::uint64_t length) {
  throw Error(ErrorKind::limit_exceeded, BadPlace{place},
              fmt::format("row of more than {} bytes is too large for --memory {}", length,
                          limit_text(limit.memory_bytes)),
              fmt::format("--memory {} allows rows twice as large; read from a file, not a pipe, "
                          "the size of the row is known",
                          size_text(2 * limit.memory_bytes)));
}

std::uint64_t count_line_feeds(const File& file, std::uint64_t begin, std::uint64_t end,
                               std::vector<char>& buffer) {
  buffer.resize(kPieceBytes);
  std::uint64_t lines = 0;
  while (begin < end) {
    const std::size_t size = std::min<std::uint64_t>(buffer.size(), end - begin);
    file.read_at(begin, buffer.data(), size);
    lines += static_cast<std::uint64_t>(std::count(buffer.data(), buffer.data() + size, '\n'));
    begin += size;
  }
  return lines;
}

std::string place_of_line(const File& file, std::uint64_t line) {
  if (file.is_in_memory()) return fmt::format("row {}", line - 1);
  return fmt::format("{}:{}", file.name(), line);
}

std::string place_in_file(const File& file, std::uint64_t offset) {
  std::vector<char> buffer;
  return place_of_line(file, 1 + count_line_feeds(file, 0, offset, buffer));
}

}  // namespace sosie

// Refuses more rows than a run or an index numbers.
#include "core/most_rows.h"

#include <algorithm>
#include <cstdlib>

#include "core/count_text.h"
#include "core/ids.h"
#include "sosie/error.h"

namespace sosie {
namespace {

constexpr std::uint64_t kMost = kNoRow - 1;

}  // namespace

std::uint64_t most_rows() noexcept {
  static const std::uint64_t most = [] {
    const char* asked = std::getenv("SOSIE_MOST_ROWS");
    const std::uint64_t rows = asked == nullptr ? 0 : std::strtoull(asked, nullptr, 10);
    return rows == 0 ? kMost : std::min(rows, kMost);
  }();
  return most;
}

void check_rows_of_run(std::uint64_t rows) {
  if (rows <= most_rows()) return;
  throw Error(ErrorKind::limit_exceeded,
              "more than " + count_text(most_rows()) + " rows in one run",
              "deduplicate parts of the rows, then the kept rows together; for texts and sets, "
              "--method lsh has no such limit (docs/scale.md)");
}

void check_rows_of_group(std::uint64_t rows) {
  if (rows <= kMost) return;
  throw Error(ErrorKind::limit_exceeded, "more than " + count_text(kMost) + " rows in one group",
              "deduplicate parts of the rows, then the kept rows together (docs/scale.md)");
}

void check_items_of_index(std::uint64_t items, const std::string& place) {
  if (items <= most_rows()) return;
  throw Error(ErrorKind::limit_exceeded,
              place + "more than " + count_text(most_rows()) + " items in one index",
              "build several indexes with the same plan and query them together (docs/scale.md)");
}

}  // namespace sosie

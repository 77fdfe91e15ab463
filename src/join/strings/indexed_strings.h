#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/thread_pool.h"
#include "corpus/items/string_items.h"
#include "data/string_column.h"
#include "join/scored_pairs.h"
#include "join/strings/string_searcher.h"

namespace sosie {

// Strings as code points, whatever other strings there are.
struct CodePointRows {
  std::size_t rows = 0;
  std::vector<std::uint64_t> starts = {0};  // begin of each string, then the end
  std::vector<char32_t> points;
  std::vector<bool> is_null;  // rows that match nothing

  [[nodiscard]] std::span<const char32_t> row(std::size_t i) const noexcept {
    return std::span(points).subspan(starts[i], starts[i + 1] - starts[i]);
  }
  void add(std::span<const char32_t> code_points, bool is_null_row);
};

// Strings as they were read.
[[nodiscard]] CodePointRows code_point_rows(const StringItems& items);

// Strings that are laid out once, with symbols of their own, for others to be looked up in.
class IndexedStrings {
 public:
  // The rows are copied.
  IndexedStrings(const CodePointRows& rows, const StringSearch& search);
  IndexedStrings(const IndexedStrings&) = delete;
  IndexedStrings& operator=(const IndexedStrings&) = delete;

  // StringSearcher::find() for rows that may be nulls: these find nothing, and are not found.
  std::uint64_t find(const CodePointRows& asked, std::uint64_t most, ThreadPool& pool,
                     std::vector<NearPairs>& found) const;

 private:
  StringColumn column_of(const CodePointRows& rows);

  SymbolTable symbols_;
  std::vector<std::size_t> row_of_;  // by string: nulls are none
  StringColumn column_;
  StringSearcher searched_;
};

}  // namespace sosie

#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "core/thread_pool.h"
#include "pipeline/settings.h"
#include "sosie/join.h"

namespace sosie {

// What items are called.
struct ItemIds {
  std::vector<std::string> names;  // empty: their row numbers
  std::vector<bool> integers;      // as many as names: written without quotes in JSON

  [[nodiscard]] std::string name_of(std::size_t row) const {
    return names.empty() ? std::to_string(row) : names[row];
  }
  [[nodiscard]] bool is_integer(std::size_t row) const { return names.empty() || integers[row]; }
};

// Rows that were read, and what they are called.
struct ItemRows {
  ItemIds ids;
  std::uint64_t rows = 0;
  std::uint64_t bytes = 0;
};

// What is done with a row. Both may throw RowError, which is then told with its place.
struct ItemRowSteps {
  // Called for each field of options.column (a,b,c: one after another), or for the whole line where
  // lines have no fields; `what` names it in messages.
  std::function<void(std::string_view text, std::string_view what)> add;
  std::function<void()> end_row;
};

// Reads JSONL, CSV, TSV or text lines whose items are not text: `add` gets their fields as they are
// written. Rows without any are none. Errors: those of open_inputs(); malformed_input with file and
// line for broken rows, missing fields and equal ids.
[[nodiscard]] ItemRows read_item_rows(const Options& options, const std::vector<std::string>& paths,
                                      const Settings& settings, ThreadPool& pool,
                                      const RunHooks& hooks, const ItemRowSteps& steps);

}  // namespace sosie

#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/thread_pool.h"
#include "pipeline/corpus.h"
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

// Where items lie in their files, for verbs that copy rows. With --against those of OTHER come
// first.
struct ItemPlaces {
  std::unique_ptr<Scratch> scratch;
  Inputs inputs;
  Corpus corpus;
};

// How items are read.
struct ItemReading {
  const Options& options;
  const Settings& settings;
  ThreadPool& pool;
  const RunHooks& hooks;
  ItemPlaces* places = nullptr;  // to fill in; then the items of options.against are read in front
};

// Rows that were read, and what they are called.
struct ItemRows {
  ItemIds ids;
  ItemIds against_ids;          // of the rows in front
  std::uint64_t rows = 0;       // all
  std::uint64_t own_bytes = 0;  // of the files
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
[[nodiscard]] ItemRows read_item_rows(const ItemReading& reading,
                                      const std::vector<std::string>& paths,
                                      const ItemRowSteps& steps);

// Says of the corpus that a file (the next one) begins, or that one of its rows lies there.
void begin_file(const Inputs& inputs, std::uint32_t file, Corpus& corpus);
void add_place(const RowLocator& place, Corpus& corpus);

}  // namespace sosie

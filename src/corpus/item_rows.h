#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/thread_pool.h"
#include "corpus/corpus.h"
#include "corpus/item_ids.h"
#include "options/settings.h"
#include "sosie/join.h"

namespace sosie {

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
  bool of_against = false;       // what is read is the other collection
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

// Hands the fields of a row to the steps: `fields` are those that record.others begins with.
// Throws RowError.
void take_item(const Record& record, const Format& format, const std::vector<std::string>& fields,
               const ItemRowSteps& steps);

// What may help with a row that cannot be read: lists of numbers that Python writes as JSON may
// hold what JSON has no word for.
[[nodiscard]] std::string hint_for_item(std::string_view reason, std::string_view row);

// Reads JSONL, CSV, TSV or text lines whose items are not text: `add` gets their fields as they are
// written. Rows without any are none. Errors: those of open_inputs(); malformed_input with file and
// line for broken rows, missing fields and equal ids.
[[nodiscard]] ItemRows read_item_rows(const ItemReading& reading,
                                      const std::vector<std::string>& paths,
                                      const ItemRowSteps& steps);

// What --ids and --other-ids call the `own` items of the run (or of the other collection, where
// reading.of_against) and the `against` in front of them; leaves other ids alone. Throws
// Error{invalid_option} when the items have ids of their own, and as read_given_ids().
void give_ids(const ItemReading& reading, std::uint64_t own, ItemIds& ids, std::uint64_t against,
              ItemIds& against_ids);

// Adds the files of ids to the paths that are read.
void add_given_ids(const Options& options, std::vector<std::string>& paths);

// Says of the corpus that a file (the next one) begins, or that one of its rows lies there.
void begin_file(const Inputs& inputs, std::uint32_t file, Corpus& corpus);
void add_place(const RowLocator& place, Corpus& corpus);

}  // namespace sosie

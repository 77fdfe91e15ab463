#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/thread_pool.h"
#include "corpus/corpus.h"
#include "corpus/item_ids.h"
#include "corpus/item_places.h"
#include "options/settings.h"
#include "sosie/join.h"

namespace sosie {

// How items are read.
struct ItemReading {
  const Options& options;
  const Settings& settings;
  ThreadPool& pool;
  const RunHooks& hooks;
  ItemPlaces* places = nullptr;  // to fill in; then the items of options.against are read in front
  bool of_against = false;       // what is read is the other collection
  bool alone = false;            // the items of options.against are not read
  bool keep_names = true;        // ids in the rows are kept in memory; RowNames reads them again
  // The measure that has no value for a vector of zeros, which is a bad row then; empty: there is
  // one.
  std::string_view without_zeros = {};
  bool zeros_are_empty = false;  // bit strings without a bit are empty sets, which match nothing
};

// Rows that were read, and what they are called.
struct ItemRows {
  ItemIds ids;
  ItemIds against_ids;          // of the rows in front
  std::uint64_t rows = 0;       // all
  std::uint64_t own_bytes = 0;  // of the files
};

// What is done with a row. The first two may throw RowError, which is told with its place, unless
// --on-bad-row goes on without the row.
struct ItemRowSteps {
  // Called for each field of options.column (a,b,c: one after another), or for the whole line where
  // lines have no fields; `what` names it in messages.
  std::function<void(std::string_view text, std::string_view what)> add;
  std::function<void()> end_row;
  // Called for a row that takes no part, in place of end_row or behind what threw: what was added
  // of it is forgotten, and its item left empty.
  std::function<void()> leave_out = {};
  // Whether the row behind end_row is one that matches nothing: its item is left empty, too.
  std::function<bool()> is_empty = {};
  // Called for a file of vectors, all of whose rows it takes in, and gives places.
  std::function<void(const Inputs& inputs, std::uint32_t file, PlaceWriter& places)> add_file = {};
};

// Hands the fields of a row to the steps: `fields` are those that record.others begins with.
// Throws RowError.
void take_item(const Record& record, const Format& format, const std::vector<std::string>& fields,
               const ItemRowSteps& steps);

// How the reason of a vector of zeros begins, where the measure has no value for it.
inline constexpr std::string_view kAllZeros = "the vector is all zeros";
[[nodiscard]] std::string has_no(
    std::string_view measure);  // "the vector is all zeros and has no cosine"

// What may help with a row that cannot be read: lists of numbers that Python writes as JSON may
// hold what JSON has no word for.
[[nodiscard]] std::string hint_for_item(std::string_view reason, std::string_view row);

// Reads JSONL, CSV, TSV or text lines whose items are not text: `add` gets their fields as they are
// written. Rows without any are none. Bad rows are broken ones, those that lack a field, and those
// that the steps throw for: the first stops the run, or all are left out or passed through, as
// --on-bad-row says. Errors: those of open_inputs(); malformed_input with file and line for bad
// rows and equal ids.
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

// The paths of a collection: these and, of the run's own, those that --files-from lists.
[[nodiscard]] std::vector<std::string> with_listed_paths(const ItemReading& reading,
                                                         std::vector<std::string> paths);

}  // namespace sosie

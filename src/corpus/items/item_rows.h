#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/thread_pool.h"
#include "corpus/corpus.h"
#include "corpus/item_ids.h"
#include "corpus/items/item_places.h"
#include "options/settings.h"
#include "sosie/join.h"

namespace sosie {

// Options, settings and places for reading items.
struct ItemReading {
  const Options& options;
  const Settings& settings;
  ThreadPool& pool;
  const RunHooks& hooks;
  ItemPlaces* places = nullptr;  // to fill in; then the items of options.against are read in front
  bool of_against = false;       // true if the other collection is read
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
  ItemIds against_ids;          // ids of the rows in front
  std::uint64_t rows = 0;       // all
  std::uint64_t own_bytes = 0;  // bytes of the run's own files
};

// Functions that take a row. The first two may throw RowError, which is reported with its place,
// unless --on-bad-row goes on without the row.
struct ItemRowSteps {
  // Called for each field of options.column (a,b,c: one after another), or for the whole line where
  // lines have no fields; `what` names it in messages.
  std::function<void(std::string_view text, std::string_view what)> add;
  // Returns false for a row that has nothing to compare, which is left out as by leave_out.
  std::function<bool()> end_row;
  // Called for a bad row, behind what threw: what was added of it is forgotten, and its item left
  // empty.
  std::function<void()> leave_out = {};
  // Called for a file of vectors, all of whose rows it takes in, and gives places.
  std::function<void(const Inputs& inputs, std::uint32_t file, PlaceWriter& places)> add_file = {};
  // `add` gets the row's text, as texts are read, in place of fields as they are written.
  bool of_text = false;
  // Asked behind `add` of a text: whether it is in its encoding, and how long it is.
  std::function<bool()> is_well_formed = {};
  std::function<std::uint32_t()> length = {};
};

// Hands the text of a row to steps.add, or its fields: `fields` are those that record.others begins
// with. A null adds nothing. Throws RowError for a field that the row lacks.
void take_item(const Record& record, const Format& format, const std::vector<std::string>& fields,
               const ItemRowSteps& steps);

// Begin of the reason for refusing a vector of zeros, where the measure has no value for it.
inline constexpr std::string_view kAllZeros = "the vector is all zeros";
[[nodiscard]] std::string has_no(
    std::string_view measure);  // "the vector is all zeros and has no cosine"

// Hint for a row that cannot be read.
[[nodiscard]] std::string hint_for_item(std::string_view reason);

// Reads rows whose items lie in memory: `add` gets their fields as they are written, or their text.
// Blank lines are no rows. Bad are broken rows, rows that lack a field, and rows for which the
// steps throw: the first stops the run, or all are left out or passed through, as --on-bad-row
// says. Rows whose text is not in its encoding are bad rows that take part, unless --on-bad-row is
// skip. Errors: as open_inputs(); malformed_input with file and line for bad rows, equal ids and
// too many texts that are not in their encoding.
[[nodiscard]] ItemRows read_item_rows(const ItemReading& reading,
                                      const std::vector<std::string>& paths,
                                      const ItemRowSteps& steps);

// Names the `own` items of the run (or of the other collection, where reading.of_against) and the
// `against` in front of them by --ids and --other-ids; leaves other ids alone. Throws
// Error{invalid_option} when the items have ids of their own, and as read_given_ids().
void give_ids(const ItemReading& reading, std::uint64_t own, ItemIds& ids, std::uint64_t against,
              ItemIds& against_ids);

// Adds the files of ids to the paths that are read.
void add_given_ids(const Options& options, std::vector<std::string>& paths);

// The paths of a collection: these and, of the run's own, those that --files-from lists.
[[nodiscard]] std::vector<std::string> with_listed_paths(const ItemReading& reading,
                                                         std::vector<std::string> paths);

// Reads all rows through a collector of one kind (steps(), finish()) into `items`, which has a
// column, ids, bytes and paths. Errors: as read_item_rows().
template <typename Collector, typename Items>
void collect_items(const ItemReading& reading, const std::vector<std::string>& inputs,
                   Collector& collector, Items& items) {
  ItemPlaces unasked;
  ItemReading all = reading;
  if (all.places == nullptr) all.places = &unasked;
  all.alone = reading.alone || reading.places == nullptr;
  ItemRows rows = read_item_rows(all, with_listed_paths(reading, inputs), collector.steps());
  collector.finish();
  items.ids = std::move(rows.ids);
  items.against_ids = std::move(rows.against_ids);
  items.bytes = rows.own_bytes;
  for (const InputFile& file : all.places->inputs.list) {
    items.paths.push_back(file.memory ? file.name : file.path);
  }
  const std::uint64_t against = all.places->corpus.first_own_row;
  give_ids(all, items.column.rows - against, items.ids, against, items.against_ids);
}

// In place of the fields that a caller will read: all that there are.
inline constexpr std::string_view kEveryField = "*";

// Functions that take rows field by field, in place of ItemRowSteps::add.
struct FieldSteps {
  // Names the fields to read, once the inputs are open.
  std::function<std::vector<std::string>(const Inputs& inputs)> fields_of;
  // Told of a column that had no name of its own, by its place from 1 on, and of the name it has.
  std::function<void(std::uint32_t column, const std::string& name)> renamed;
  // Takes a row: record.others are the values of these fields, some of which it may lack.
  std::function<void(const Record& record)> take;
};

// Reads rows as read_item_rows() does, but all fields of them that are asked for.
[[nodiscard]] ItemRows read_field_rows(const ItemReading& reading,
                                       const std::vector<std::string>& paths,
                                       const ItemRowSteps& steps, const FieldSteps& fields);

}  // namespace sosie

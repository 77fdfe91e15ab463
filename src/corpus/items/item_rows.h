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

// If no row has a field of --show: the run is refused, or it is allowed.
enum class MissingFields : std::uint8_t { refused, allowed };

// Options, settings and places for reading items.
struct ItemReading {
  const Options& options;
  const Settings& settings;
  ThreadPool& pool;
  const RunHooks& hooks;
  ItemPlaces* places = nullptr;  // to fill in; items of options.against are then read first
  bool of_against = false;       // the other collection is read
  bool alone = false;            // the items of options.against are not read
  bool keep_names = true;        // ids in the rows are kept in memory; RowNames rereads them
  // The measure without a value for a vector of zeros, which is then a bad row; empty: it has one.
  std::string_view without_zeros = {};
  bool zeros_are_empty = false;  // bit strings without a 1 are empty sets, which match nothing
  MissingFields missing = MissingFields::refused;
};

// The rows that were read, with their names.
struct ItemRows {
  ItemIds ids;
  ItemIds against_ids;          // ids of the rows that come first
  std::uint64_t rows = 0;       // total
  std::uint64_t own_bytes = 0;  // bytes of the run's own files
};

// Functions that receive a row. `add` and `end_row` may throw RowError. It is reported with its
// place, unless --on-bad-row lets the run continue without the row.
struct ItemRowSteps {
  // Called for each field of options.column (a,b,c: one after another), or for the whole line if
  // lines have no fields. `what` names the field in messages.
  std::function<void(std::string_view text, std::string_view what)> add;
  // Returns false for a row with nothing to compare. Such a row is left out, as by leave_out.
  std::function<bool()> end_row;
  // Called for a bad row, after the function that threw. Discards all that was added from the row
  // and leaves its item empty.
  std::function<void()> leave_out = {};
  // Called for a vector file. Reads all its rows and adds their places.
  std::function<void(const Inputs& inputs, std::uint32_t file, PlaceWriter& places)> add_file = {};
  // True if `add` receives the row's text, processed like other texts; false if it receives fields
  // as written.
  bool of_text = false;
  // Called after `add` if it received a text. Returns whether the text is valid in its encoding.
  std::function<bool()> is_well_formed = {};
  std::function<std::uint32_t()> length = {};
};

// Passes either the text of a row or its fields to steps.add. `fields`: the first fields in
// record.others. Nothing is added for a null. Throws RowError if the row lacks a field.
void take_item(const Record& record, const Format& format, const std::vector<std::string>& fields,
               const ItemRowSteps& steps);

// Beginning of the reason why a vector of zeros is rejected if the measure has no value for it.
inline constexpr std::string_view kAllZeros = "the vector is all zeros";
[[nodiscard]] std::string has_no(
    std::string_view measure);  // "the vector is all zeros and has no cosine"

// Hint for an unreadable row.
[[nodiscard]] std::string hint_for_item(std::string_view reason);

// Reads rows whose items are kept in memory; `add` receives their fields as written, or their text.
// Blank lines are not rows. Bad rows are broken rows, rows that lack a field, and rows for which
// the functions throw. Depending on --on-bad-row, the first bad row stops the run, or all bad rows
// are left out or passed through. Rows whose text is invalid in its encoding are bad rows that take
// part, unless --on-bad-row is skip. Errors: as for open_inputs(); malformed_input with file and
// line for bad rows, equal ids, and too many texts that are invalid in their encoding.
[[nodiscard]] ItemRows read_item_rows(const ItemReading& reading,
                                      const std::vector<std::string>& paths,
                                      const ItemRowSteps& steps);

// Takes the names of items from --ids and --other-ids: the names of the run's `own` items (or of
// the other collection's, if reading.of_against) and of the `against` items before them. Items for
// which no file is given keep their ids. Throws Error{invalid_option} if the items have ids of
// their own, and as read_given_ids() does.
void give_ids(const ItemReading& reading, std::uint64_t own, ItemIds& ids, std::uint64_t against,
              ItemIds& against_ids);

// Adds the id files to `paths`, the paths of files that are read.
void add_given_ids(const Options& options, std::vector<std::string>& paths);

// The paths of a collection: the given ones and, for the run's own collection, the paths listed by
// --files-from.
[[nodiscard]] std::vector<std::string> with_listed_paths(const ItemReading& reading,
                                                         std::vector<std::string> paths);

// Reads all rows through a collector for one kind of items (steps(), finish()) into `items`, which
// has a column, ids, bytes and paths. Errors: as for read_item_rows().
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

// Used in place of a list of fields to read; stands for all fields that exist.
inline constexpr std::string_view kEveryField = "*";

// Functions that receive rows by fields, instead of ItemRowSteps::add.
struct FieldSteps {
  // Returns the fields to read, once the inputs are open.
  std::function<std::vector<std::string>(const Inputs& inputs)> fields_of;
  // Receives, for each column that had no name of its own, its position (counted from 1) and its
  // new name.
  std::function<void(std::uint32_t column, const std::string& name)> renamed;
  // Receives a row. record.others are the values of these fields; some fields may be missing.
  std::function<void(const Record& record)> take;
};

// Reads rows as read_item_rows() does, but with all requested fields.
[[nodiscard]] ItemRows read_field_rows(const ItemReading& reading,
                                       const std::vector<std::string>& paths,
                                       const ItemRowSteps& steps, const FieldSteps& fields);

}  // namespace sosie

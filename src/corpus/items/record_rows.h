#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "corpus/items/item_rows.h"
#include "data/record_table.h"

namespace sosie {

// A collection of records: their places in files, their names, and their fields as written.
struct RecordRows {
  ItemPlaces places;
  ItemIds ids;
  std::uint32_t rows = 0;
  std::vector<std::string> fields;  // all fields of its rows except ids
  std::vector<RecordColumn> columns;
  std::vector<std::string> notes;  // on columns that were given names, and on unlike headers
  bool are_empty_files = false;    // without a row or a header with field names
};

// Selects the fields to read.
struct RecordFields {
  std::vector<std::string> ignored;    // not read, even if present
  std::vector<std::string> wanted;     // empty: all others
  std::vector<std::string> also = {};  // in addition to wanted ones, if present
  std::uint64_t bytes_before = 0;      // memory of records read earlier
};

// Reads the records of a collection. If a row lacks a field, its value is missing, and so are all
// values of a bad row with which --on-bad-row lets the run continue. Throws Error{invalid_option}
// for inputs without fields, Error{malformed_input} for wanted fields that do not exist,
// Error{limit_exceeded} if the records, together with earlier ones, exceed half of the memory, and
// as read_item_rows() does.
[[nodiscard]] RecordRows read_records(const ItemReading& reading,
                                      const std::vector<std::string>& paths,
                                      const RecordFields& fields);

// Throws Error{invalid_option} for an ignored field that is in neither collection.
void require_ignored(const RecordFields& fields, const RecordRows& left, const RecordRows* right);

}  // namespace sosie

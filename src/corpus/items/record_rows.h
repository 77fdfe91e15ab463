#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "corpus/items/item_rows.h"
#include "data/record_table.h"

namespace sosie {

// One collection of records: where they lie, what they are called, and their fields as they are
// written.
struct RecordRows {
  ItemPlaces places;
  ItemIds ids;
  std::uint32_t rows = 0;
  std::vector<std::string> fields;  // all fields of its rows but ids
  std::vector<RecordColumn> columns;
  std::vector<std::string> notes;  // on columns given names, and on other headers
  bool are_empty_files = false;    // without a row or a header that names fields
};

// Choice of fields that are read.
struct RecordFields {
  std::vector<std::string> ignored;    // left aside, though they are there
  std::vector<std::string> wanted;     // empty: all others
  std::vector<std::string> also = {};  // besides wanted ones, where they are there
  std::uint64_t bytes_before = 0;      // memory of records that were read before
};

// Reads the records of one collection. A field that a row lacks is a missing value; so are all
// fields of a bad row, which --on-bad-row goes on without. Throws Error{invalid_option} for inputs
// without fields, Error{malformed_input} for wanted fields that are not there,
// Error{limit_exceeded} for records that outgrow half of the memory with those before, and as
// read_item_rows() does.
[[nodiscard]] RecordRows read_records(const ItemReading& reading,
                                      const std::vector<std::string>& paths,
                                      const RecordFields& fields);

// Throws Error{invalid_option} for an ignored field that neither collection has.
void require_ignored(const RecordFields& fields, const RecordRows& left, const RecordRows* right);

}  // namespace sosie

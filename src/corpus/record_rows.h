#pragma once

#include <deque>
#include <string>
#include <vector>

#include "corpus/item_rows.h"
#include "corpus/value_numbers.h"
#include "data/record_table.h"

namespace sosie {

// Rows of one collection of records: where they lie, and what they are called.
struct RecordRows {
  ItemPlaces places;
  ItemIds ids;
  std::uint64_t rows = 0;
  std::vector<std::string> fields;  // all fields of its rows but ids
};

// Reads the records of one collection, or of two, field by field as they are written. A field that a
// row lacks is a missing value; so are a bad row's fields, which --on-bad-row goes on without.
class RecordReader {
 public:
  // `ignored`: fields that are left aside. All arguments outlive this.
  RecordReader(const ItemReading& reading, const std::vector<std::string>& ignored)
      : reading_(reading), ignored_(ignored) {}

  // Reads the left or only collection, whose fields become columns. Throws Error{malformed_input}
  // when an ignored field is not there, and as read_item_rows() does.
  [[nodiscard]] RecordRows read_left(const std::vector<std::string>& paths);
  // Reads the other one: fields with the names of columns.
  [[nodiscard]] RecordRows read_right(const std::vector<std::string>& paths);

  // Behind both: columns of the fields that both collections have, in the order of the left one.
  // Throws Error{malformed_input} when there is none.
  [[nodiscard]] RecordTable take(const RecordRows& left, const RecordRows* right);

 private:
  [[nodiscard]] RecordRows read(const std::vector<std::string>& paths, bool of_right);
  [[nodiscard]] std::vector<std::string> fields_of(const Inputs& inputs, bool of_right,
                                                   std::vector<std::string>& all);
  void add(const Record& record);
  void leave_out();
  void check_memory() const;

  const ItemReading& reading_;
  const std::vector<std::string>& ignored_;
  std::deque<RecordColumn> columns_;
  std::vector<ValueNumbers> numbers_;
  std::vector<std::size_t> wanted_;  // by field that is read: its column
  std::uint64_t rows_ = 0;           // of both collections
  bool is_well_formed_ = true;       // of the last row
};

}  // namespace sosie

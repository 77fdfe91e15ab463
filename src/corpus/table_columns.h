#pragma once

#include <memory>
#include <vector>

#include "data/record.h"
#include "sosie/columns.h"

namespace sosie {

// The columns of a table in memory that a run needs.
struct TableColumns {
  std::shared_ptr<const Table> table;  // null: the input is a file
  std::size_t text = 0;
  std::vector<std::size_t> others;                           // one for each of FieldRequest::others
  static constexpr std::size_t kNoColumn = ~std::size_t{0};  // in others: no row has a value

  // Puts the row's other values into a record.
  void fill(std::uint64_t row, Record& record) const;
  // Total bytes of the texts.
  [[nodiscard]] std::uint64_t text_bytes() const;
  // The row whose text begins at this address or, if there is none, the row whose text contains the
  // address or ends there. O(rows); for messages.
  [[nodiscard]] std::uint64_t row_of_byte(std::uint64_t address) const;
};

// Finds the columns for `fields` by name. `name`: the table's name in messages. Throws
// Error{malformed_input} for a column that is missing (naming the existing columns), occurs more
// than once, or does not hold text where text is needed.
[[nodiscard]] TableColumns columns_of(const std::shared_ptr<const Table>& table,
                                      const FieldRequest& fields, const std::string& name);

}  // namespace sosie

#pragma once

#include <string>
#include <vector>

#include "corpus/rows/row_reader.h"
#include "data/row_writer.h"
#include "decide/decisions.h"
#include "report/kept_rows.h"

namespace sosie {

// --annotate: adds fields with the run's decision on each row and leaves the rest of the row
// unchanged. Not thread-safe.
class Annotations {
 public:
  Annotations(const Inputs& inputs, const Corpus& corpus, AddFields added);

  // Adds the fields to the bytes of a row, before its line end, or their names to a header (if row
  // is kNoRowNumber). Bad rows that are passed through are not changed. Throws
  // Error{invalid_option}, with the place, if a field with such a name already exists.
  void add_to(const RowLocator& place, RowNumber row, std::string& bytes);

  // The edits for formats with lines and for columnar formats; valid as long as this object exists.
  [[nodiscard]] RowEdits edits();

 private:
  [[nodiscard]] std::vector<AddedField> fields_of(RowNumber row) const;
  [[nodiscard]] std::vector<AddedField> nulls() const;

  const Inputs& inputs_;
  const Corpus& corpus_;
  AddFields added_;
};

// Fields with the decision of dedup: `duplicate_of` is the id of the survivor (null for kept rows);
// `cluster_size` is the number of rows in the group (1 for rows that are similar to no other). All
// arguments must outlive the result.
[[nodiscard]] AddFields decision_fields(const Inputs& inputs, const Corpus& corpus,
                                        const Decisions& decisions);

// The names of these fields.
[[nodiscard]] std::vector<std::string> decision_field_names();

// Throws Error{invalid_option} if fields cannot be added to the rows of an input, or if its rows
// already have fields with these names.
void check_annotate(const Inputs& inputs, const std::vector<std::string>& names);

}  // namespace sosie

#pragma once

#include <string>
#include <vector>

#include "corpus/rows/row_reader.h"
#include "data/row_writer.h"
#include "decide/decisions.h"
#include "report/kept_rows.h"

namespace sosie {

// --annotate: what a run decided of a row, as more fields of it. Everything else of the row stays
// as it came. Belongs to one thread.
class Annotations {
 public:
  Annotations(const Inputs& inputs, const Corpus& corpus, AddFields added);

  // Adds the fields to the bytes of a row, before the line end; their names to a header (row is
  // kNoRowNumber). Bad rows that are passed through stay as they are. Throws Error{invalid_option}
  // naming the place when a field of such a name is there already.
  void add_to(const RowLocator& place, RowNumber row, std::string& bytes);

  // Edits for formats that have lines and for columnar ones, for as long as this lives.
  [[nodiscard]] RowEdits edits();

 private:
  [[nodiscard]] std::vector<AddedField> fields_of(RowNumber row) const;
  [[nodiscard]] std::vector<AddedField> nulls() const;

  const Inputs& inputs_;
  const Corpus& corpus_;
  AddFields added_;
};

// Fields that tell what dedup decided: `duplicate_of` is the id of the survivor, null for kept
// rows; `cluster_size` the rows of the group, 1 for rows like no other. All arguments outlive the
// result.
[[nodiscard]] AddFields decision_fields(const Inputs& inputs, const Corpus& corpus,
                                        const Decisions& decisions);

// Names that they have.
[[nodiscard]] std::vector<std::string> decision_field_names();

// Throws Error{invalid_option} when rows of an input take no more fields, or have fields of these
// names.
void check_annotate(const Inputs& inputs, const std::vector<std::string>& names);

}  // namespace sosie

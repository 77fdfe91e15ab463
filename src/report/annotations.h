#pragma once

#include <memory>
#include <string>

#include "corpus/rows/row_reader.h"
#include "data/row_writer.h"
#include "decide/decisions.h"
#include "report/kept_rows.h"

namespace sosie {

// --annotate: what dedup decided of a row, as two more fields of it. `duplicate_of` is the id of
// the survivor, null for kept rows; `cluster_size` the rows of the group, 1 for rows like no other.
// Everything else of the row stays as it came. Belongs to one thread.
class Annotations {
 public:
  Annotations(const Inputs& inputs, const Corpus& corpus, const Decisions& decisions);

  // Adds the fields to the bytes of a row, before the line end; their names to a header (row is
  // kNoRow). Bad rows that are passed through stay as they are. Throws Error{invalid_option} naming
  // the place when a field of such a name is there already.
  void add_to(const RowLocator& place, RowId row, std::string& bytes);

  // Adds the fields to rows of columnar files.
  [[nodiscard]] AddFields columns();

  // Both, for as long as this lives.
  [[nodiscard]] RowEdits edits();

 private:
  [[nodiscard]] std::vector<AddedField> fields_of(RowId row);
  [[nodiscard]] AddedField duplicate_of(RowId row);

  const Inputs& inputs_;
  const Corpus& corpus_;
  const Decisions& decisions_;
  RowReader reader_;
  RowName survivor_;
};

// Throws Error{invalid_option} when rows of an input take no more fields.
void check_annotate(const Options& options, const Inputs& inputs);

}  // namespace sosie

#pragma once

#include <memory>
#include <vector>

#include "data/padded_bytes.h"
#include "pipeline/rows/corpus.h"
#include "pipeline/rows/row_parsers.h"

namespace sosie {

// Reads single rows again by their locators. Belongs to one thread.
class RowReader {
 public:
  // `fields`: what to ask of rows, which may be other fields than the scan's.
  RowReader(const Inputs& inputs, const Corpus& corpus, FieldRequest fields);

  // The row as a record; views live until the next call. The row must not be a bad one.
  const Record& read(RowId row);

  // What --removed and others call the row: its id, or its number.
  [[nodiscard]] std::string id_of(RowId row);

 private:
  const Inputs& inputs_;
  const Corpus& corpus_;
  PaddedBytes bytes_;
  RowParsers parsers_;
  Record record_;
};

}  // namespace sosie

#pragma once

#include <memory>
#include <string>
#include <vector>

#include "corpus/corpus.h"
#include "corpus/row_parsers.h"
#include "data/padded_bytes.h"

namespace sosie {

struct RowName {
  std::string id;
  bool is_integer = false;  // written without quotes in JSON
};

// Reads single rows again by their locators. Belongs to one thread.
class RowReader {
 public:
  // `fields`: what to ask of rows, which may be other fields than the scan's.
  RowReader(const Inputs& inputs, const Corpus& corpus, FieldRequest fields);

  // The row as a record; views live until the next call. The row must not be a bad one.
  const Record& read(RowId row);

  // True if its name comes from its number.
  [[nodiscard]] bool is_numbered(RowId row) const noexcept;
  // Name of the row in --removed and other tables: its id, or its number, or the name that --ids
  // gives to that number. Bad rows that are passed through have no id.
  [[nodiscard]] RowName name_of(RowId row);
  [[nodiscard]] std::string id_of(RowId row) { return name_of(row).id; }

 private:
  const Inputs& inputs_;
  const Corpus& corpus_;
  PaddedBytes bytes_;
  RowParsers parsers_;
  Record record_;
};

}  // namespace sosie

#pragma once

#include <optional>
#include <string>

#include "corpus/rows/row_reader.h"
#include "data/padded_bytes.h"
#include "options/settings.h"
#include "represent/text_shingler.h"

namespace sosie {

// Compares the normalised texts of rows, made from their texts. Belongs to one thread.
class TextComparer {
 public:
  TextComparer(const Inputs& inputs, const Corpus& corpus, const Settings& settings);

  // Sets the row that the rows of the next calls are compared with.
  void set_leader(RowId row);
  [[nodiscard]] bool same_as_leader(RowId row);

 private:
  RowReader reader_;
  TextShingler shingler_;
  std::string raw_;
  PaddedBytes padded_;
  std::optional<std::string> normalized_;
};

}  // namespace sosie

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "corpus/rows/row_reader.h"

namespace sosie {

// Finds the rows of one collection by what they are called. Needs the corpus' id hashes.
class RowIds {
 public:
  enum class Of : std::uint8_t { own, other };  // the run's own rows, or the rows of --against

  RowIds(const Inputs& inputs, const Corpus& corpus, Of collection = Of::own);

  // Nothing when no row that could be read has this id. Confirmed from the row itself.
  [[nodiscard]] std::optional<RowId> find(std::string_view id);

 private:
  // Names in place of row numbers (--ids); null: none.
  [[nodiscard]] const std::vector<std::string>* given_names() const;
  [[nodiscard]] std::optional<RowId> find_number(std::string_view id) const;
  [[nodiscard]] std::optional<RowId> find_in_file(std::string_view id) const;

  const Inputs& inputs_;
  const Corpus& corpus_;
  bool is_other_;
  RowId begin_;  // the rows of the collection
  RowId end_;
  bool are_numbered_;  // their numbers name them
  RowReader reader_;
  std::vector<std::pair<std::uint64_t, RowId>> rows_;  // by hash of the id
};

}  // namespace sosie

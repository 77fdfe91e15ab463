// Finds the rows that explain is asked for, and suggests the nearest id.
#include "report/row_of_id.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/nearest_name.h"
#include "corpus/rows/row_ids.h"
#include "corpus/rows/row_names.h"
#include "corpus/shown_text.h"
#include "sosie/error.h"

namespace sosie {
namespace {

constexpr std::size_t kColumns = 80;  // columns of an id in a message

// Dissimilarity of two ids: their edit distance, but 1 when one is part of the other. At most
// `limit`.
std::size_t unlikeness(const std::string& asked, const std::string& id, std::size_t limit) {
  const bool part = id.find(asked) != std::string::npos || asked.find(id) != std::string::npos;
  if (part && !id.empty() && !asked.empty()) return std::min<std::size_t>(1, limit);
  return edit_distance(asked, id, limit);
}

// The id nearest to `asked`, the first of several; empty when none is near.
std::string nearest_id(const Inputs& inputs, const Corpus& corpus, ThreadPool& pool,
                       const std::string& asked) {
  constexpr RowId kBatch = 65536;
  RowNames names(inputs, corpus, {}, pool);
  std::size_t least = std::max<std::size_t>(2, asked.size() / 3) + 1;
  std::string nearest;
  for (RowId begin = corpus.first_own_row; begin < corpus.rows; begin += kBatch) {
    std::vector<RowId> rows;
    for (RowId row = begin; row < std::min(corpus.rows, begin + kBatch); ++row) {
      const RowState state = corpus.state(row);
      if (state == RowState::normal || state == RowState::empty) rows.push_back(row);
    }
    for (const RowNames::Entry& entry : names.look_up(rows)) {
      const std::size_t unlike = unlikeness(asked, entry.id, least);
      if (unlike >= least) continue;
      least = unlike;
      nearest = entry.id;
    }
  }
  return nearest;
}

std::string hint_for(const Inputs& inputs, const Corpus& corpus, ThreadPool& pool,
                     const std::string& asked) {
  if (inputs.ids_are_rows) {
    const RowId rows = corpus.rows - corpus.first_own_row;
    if (rows == 0) return "there is no row";
    if (inputs.rows_by_file) {
      return fmt::format("rows are called by their file and their number in it, such as {}:0",
                         shown_text(inputs.list[inputs.first_own_file].name, kColumns));
    }
    const bool in_memory = inputs.table_of(inputs.first_own_file) != nullptr;
    return fmt::format("rows are called by their numbers here, 0 to {}{}", rows - 1,
                       in_memory ? "" : "; --id FIELD names a field");
  }
  if (const std::string nearest = nearest_id(inputs, corpus, pool, asked); !nearest.empty()) {
    return fmt::format("did you mean '{}'?", shown_text(nearest, kColumns));
  }
  return fmt::format(
      "ids are read from the field '{}'; --id FIELD names another, --id row the row "
      "number",
      inputs.fields.id);
}

}  // namespace

RowId row_of_id(const Inputs& inputs, const Corpus& corpus, ThreadPool& pool,
                const std::string& id) {
  if (const auto row = RowIds(inputs, corpus).find(id)) return *row;
  throw Error(ErrorKind::malformed_input,
              fmt::format("no row is called '{}'", shown_text(id, kColumns)),
              hint_for(inputs, corpus, pool, id));
}

}  // namespace sosie

// Finds the rows that explain was asked about, and suggests the nearest id.
#include "report/row_of_id.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string_view>

#include "core/nearest_name.h"
#include "corpus/rows/row_names.h"
#include "corpus/shown_text.h"
#include "sosie/error.h"

namespace sosie {
namespace {

constexpr std::size_t kColumns = 80;  // columns of an id in a message

// Dissimilarity of two ids: their edit distance, or 1 if one id contains the other. At most
// `limit`.
std::size_t unlikeness(const std::string& asked, const std::string& id, std::size_t limit) {
  const bool part = id.find(asked) != std::string::npos || asked.find(id) != std::string::npos;
  if (part && !id.empty() && !asked.empty()) return std::min<std::size_t>(1, limit);
  return edit_distance(asked, id, limit);
}

// One collection of a run.
struct CollectionRows {
  const Inputs& inputs;
  const Corpus& corpus;
  ThreadPool& pool;
  RowIds::Of collection = RowIds::Of::own;

  [[nodiscard]] bool is_other() const noexcept { return collection == RowIds::Of::other; }
  [[nodiscard]] RowNumber begin() const noexcept { return is_other() ? 0 : corpus.first_own_row; }
  [[nodiscard]] RowNumber end() const noexcept {
    return is_other() ? corpus.first_own_row : corpus.rows;
  }
  [[nodiscard]] std::uint32_t first_file() const noexcept {
    return is_other() ? 0 : inputs.first_own_file;
  }
};

// The id most similar to `asked` (ties: the first); empty if none is similar.
std::string nearest_id(const CollectionRows& rows_of, const std::string& asked) {
  constexpr RowNumber kBatch = 65536;
  RowNames names(rows_of.inputs, rows_of.corpus, {}, rows_of.pool);
  std::size_t least = std::max<std::size_t>(2, asked.size() / 3) + 1;
  std::string nearest;
  for (RowNumber begin = rows_of.begin(); begin < rows_of.end(); begin += kBatch) {
    std::vector<RowNumber> rows;
    for (RowNumber row = begin; row < std::min(rows_of.end(), begin + kBatch); ++row) {
      const RowState state = rows_of.corpus.state(row);
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

std::string hint_for(const CollectionRows& rows_of, const std::string& asked) {
  const Inputs& inputs = rows_of.inputs;
  const std::string_view option = rows_of.is_other() ? "--other-id" : "--id";
  if (inputs.numbers_rows_of(rows_of.first_file())) {
    const RowNumber rows = rows_of.end() - rows_of.begin();
    if (rows == 0) return "there is no row";
    if (inputs.rows_by_file) {
      return fmt::format("rows are identified by their file and their number in it, such as {}:0",
                         shown_text(inputs.list[rows_of.first_file()].name, kColumns));
    }
    const bool in_memory = inputs.table_of(rows_of.first_file()) != nullptr;
    return fmt::format("rows are identified by their numbers here, 0 to {}{}", rows - 1,
                       in_memory ? "" : fmt::format("; {} FIELD names a field", option));
  }
  if (const std::string nearest = nearest_id(rows_of, asked); !nearest.empty()) {
    return fmt::format("did you mean '{}'?", shown_text(nearest, kColumns));
  }
  return fmt::format(
      "ids are read from the field '{}'; {} FIELD names another, {} row the row "
      "number",
      rows_of.is_other() ? inputs.against_id : inputs.fields.id, option, option);
}

[[noreturn]] void refuse_id(const CollectionRows& rows_of, const std::string& asked) {
  throw Error(ErrorKind::malformed_input,
              fmt::format("no row {}has the id '{}'", rows_of.is_other() ? "of --against " : "",
                          shown_text(asked, kColumns)),
              hint_for(rows_of, asked));
}

constexpr std::string_view kOwnMark = "a:";
constexpr std::string_view kOtherMark = "b:";

// A row in one of two collections; `rows_of`: the collection to search first.
RowNumber row_of_two(CollectionRows rows_of, const std::string& asked) {
  const RowIds::Of first = rows_of.collection;
  const RowIds::Of second = first == RowIds::Of::own ? RowIds::Of::other : RowIds::Of::own;
  const auto find = [&](RowIds::Of collection, std::string_view id) {
    return RowIds(rows_of.inputs, rows_of.corpus, collection).find(id);
  };
  for (const RowIds::Of collection : {first, second}) {
    if (const auto row = find(collection, asked)) return *row;
  }
  const bool is_marked = asked.starts_with(kOwnMark) || asked.starts_with(kOtherMark);
  if (!is_marked) refuse_id(rows_of, asked);
  rows_of.collection = asked.starts_with(kOwnMark) ? RowIds::Of::own : RowIds::Of::other;
  const std::string id = asked.substr(kOwnMark.size());
  if (const auto row = find(rows_of.collection, id)) return *row;
  refuse_id(rows_of, id);
}

}  // namespace

RowNumber row_of_id(const Inputs& inputs, const Corpus& corpus, ThreadPool& pool,
                    const std::string& id) {
  if (const auto row = RowIds(inputs, corpus).find(id)) return *row;
  refuse_id({inputs, corpus, pool}, id);
}

std::array<RowNumber, 2> rows_of_ids(const Inputs& inputs, const Corpus& corpus, ThreadPool& pool,
                                     const std::array<std::string, 2>& ids) {
  if (!inputs.has_against()) {
    return {row_of_id(inputs, corpus, pool, ids[0]), row_of_id(inputs, corpus, pool, ids[1])};
  }
  return {row_of_two({inputs, corpus, pool, RowIds::Of::own}, ids[0]),
          row_of_two({inputs, corpus, pool, RowIds::Of::other}, ids[1])};
}

}  // namespace sosie

// Adds fields to written rows (--annotate).
#include "report/annotations.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <utility>

#include "core/line_end.h"
#include "corpus/rows/grouped_rows.h"
#include "sosie/error.h"

namespace sosie {
namespace {

constexpr std::string_view kDuplicateOf = "duplicate_of";
constexpr std::string_view kClusterSize = "cluster_size";

// Throws if one of the names is already the name of a field to be added; place() returns the place
// of the names.
template <typename PlaceOfNames>
void check_names(const std::vector<std::string>& names, const std::vector<std::string>& added,
                 const PlaceOfNames& place) {
  for (const std::string& name : names) {
    if (std::find(added.begin(), added.end(), name) == added.end()) continue;
    throw Error(ErrorKind::invalid_option,
                fmt::format("{}: --annotate: field '{}' exists already", place(), name),
                "rename it, or leave --annotate out and use --clusters FILE");
  }
}

// Inputs whose rows are written. With --group-by, these are the original rows, not the sets built
// from them.
const Inputs& files_of_rows(const Inputs& inputs) noexcept {
  return inputs.grouped ? inputs.grouped->files : inputs;
}

// True if the ids of the rows are integers.
bool has_integer_ids(const Inputs& inputs, const Corpus& corpus, RowReader& reader) {
  for (RowNumber row = corpus.first_own_row; row < corpus.rows; ++row) {
    if (corpus.state(row) == RowState::normal) return reader.name_of(row).is_integer;
  }
  return inputs.numbers_rows_of(inputs.first_own_file);
}

}  // namespace

Annotations::Annotations(const Inputs& inputs, const Corpus& corpus, AddFields added)
    : inputs_(inputs), corpus_(corpus), added_(std::move(added)) {}

void Annotations::add_to(const RowLocator& place, RowNumber row, std::string& bytes) {
  const Inputs& written = files_of_rows(inputs_);
  const Format& format = *written.list[place.file].format;
  const bool is_header = row == kNoRowNumber;
  if (!is_header && corpus_.state(row) == RowState::unmatched) return;
  const std::string end = bytes.substr(without_line_end(bytes).size());
  bytes.resize(bytes.size() - end.size());
  if (is_header || !format.has_columns()) {
    check_names(format.field_names(bytes, format.dialect), added_.names,
                [&] { return place_of_row(written, place); });
  }
  const RowWriter& writer = *format.writer;
  if (is_header) {
    writer.add_names(bytes, nulls(), format.dialect);
  } else {
    writer.add(bytes, fields_of(row), format.dialect);
  }
  bytes += end;
}

std::vector<AddedField> Annotations::nulls() const {
  std::vector<AddedField> fields;
  for (const std::string& name : added_.names) fields.push_back({name, {}, true});
  return fields;
}

std::vector<AddedField> Annotations::fields_of(RowNumber row) const {
  return corpus_.state(row) == RowState::unmatched ? nulls() : added_.of(row);
}

RowEdits Annotations::edits() {
  RowEdits edits;
  edits.bytes = [this](const RowLocator& place, RowNumber row, std::string& bytes) {
    add_to(place, row, bytes);
  };
  edits.fields = added_;
  edits.fields.of = [this](RowNumber row) { return fields_of(row); };
  return edits;
}

std::vector<std::string> decision_field_names() {
  return {std::string(kDuplicateOf), std::string(kClusterSize)};
}

AddFields decision_fields(const Inputs& inputs, const Corpus& corpus, const Decisions& decisions) {
  struct Names {
    RowReader reader;
    RowName survivor = {};  // whose id the last field shows
  };
  const auto names = std::make_shared<Names>(Names{RowReader(inputs, corpus, inputs.fields)});
  AddFields fields;
  fields.names = decision_field_names();
  fields.examples = {IdText{"0", has_integer_ids(inputs, corpus, names->reader)}, std::uint64_t{1}};
  fields.of = [names, &decisions](RowNumber row) -> std::vector<AddedField> {
    const RowNumber survivor = decisions.of(row).survivor;
    const std::uint64_t size = std::max<std::uint64_t>(1, decisions.group_rows(survivor));
    if (survivor == row || survivor == kNoRowNumber) {
      return {{kDuplicateOf, {}, true}, {kClusterSize, size}};
    }
    names->survivor = names->reader.name_of(survivor);
    return {{kDuplicateOf, IdText{names->survivor.id, names->survivor.is_integer}},
            {kClusterSize, size}};
  };
  return fields;
}

void check_annotate(const Inputs& inputs, const std::vector<std::string>& names) {
  const Inputs& written = files_of_rows(inputs);
  for (std::size_t i = written.first_own_file; i < written.list.size(); ++i) {
    const InputFile& input = written.list[i];
    if (input.format->columnar) {
      check_names(written.headers[i].names, names, [&] { return input.name; });
      continue;
    }
    if (input.format->writer != nullptr) continue;
    throw Error(ErrorKind::invalid_option, RefusedOption{"annotate"},
                fmt::format("{}: rows of format {} have no fields to add to", input.name,
                            input.format->name),
                "use --clusters FILE instead");
  }
}

}  // namespace sosie

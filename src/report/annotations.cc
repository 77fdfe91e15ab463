// Adds duplicate_of and cluster_size to kept rows (--annotate).
#include "report/annotations.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/line_end.h"
#include "corpus/rows/grouped_rows.h"
#include "sosie/error.h"

namespace sosie {
namespace {

constexpr std::string_view kDuplicateOf = "duplicate_of";
constexpr std::string_view kClusterSize = "cluster_size";

// Throws when one of the names is of a field that is to be added; place() is where they stand.
template <typename PlaceOfNames>
void check_names(const std::vector<std::string>& names, const PlaceOfNames& place) {
  for (const std::string& name : names) {
    if (name != kDuplicateOf && name != kClusterSize) continue;
    throw Error(ErrorKind::invalid_option,
                fmt::format("{}: --annotate: field '{}' is there already", place(), name),
                "rename it, or use --removed and --clusters instead");
  }
}

// Inputs whose rows are written: with --group-by the rows, not the sets made of them.
const Inputs& files_of_rows(const Inputs& inputs) noexcept {
  return inputs.grouped ? inputs.grouped->files : inputs;
}

}  // namespace

Annotations::Annotations(const Inputs& inputs, const Corpus& corpus, const Decisions& decisions)
    : inputs_(inputs),
      corpus_(corpus),
      decisions_(decisions),
      reader_(inputs, corpus, inputs.fields) {}

void Annotations::add_to(const RowLocator& place, RowId row, std::string& bytes) {
  const Inputs& written = files_of_rows(inputs_);
  const Format& format = *written.list[place.file].format;
  const bool is_header = row == kNoRow;
  if (!is_header && corpus_.state(row) == RowState::unmatched) return;
  const std::string end = bytes.substr(without_line_end(bytes).size());
  bytes.resize(bytes.size() - end.size());
  if (is_header || !format.has_columns()) {
    check_names(format.field_names(bytes, format.dialect),
                [&] { return place_of_row(written, place); });
  }
  const RowWriter& writer = *format.writer;
  if (is_header) {
    writer.add_names(bytes, {{kDuplicateOf, {}, true}, {kClusterSize, {}, true}}, format.dialect);
  } else {
    writer.add(bytes, fields_of(row), format.dialect);
  }
  bytes += end;
}

std::vector<AddedField> Annotations::fields_of(RowId row) {
  if (corpus_.state(row) == RowState::unmatched) {
    return {{kDuplicateOf, {}, true}, {kClusterSize, {}, true}};
  }
  const std::uint64_t size = decisions_.group_rows(decisions_.of(row).survivor);
  return {duplicate_of(row), {kClusterSize, std::max<std::uint64_t>(1, size)}};
}

AddFields Annotations::columns() {
  bool integers = inputs_.numbers_rows_of(inputs_.first_own_file);
  for (RowId row = corpus_.first_own_row; row < corpus_.rows; ++row) {
    if (corpus_.state(row) != RowState::normal) continue;
    integers = reader_.name_of(row).is_integer;
    break;
  }
  AddFields fields;
  fields.names = {std::string(kDuplicateOf), std::string(kClusterSize)};
  fields.examples = {IdText{"0", integers}, std::uint64_t{1}};
  fields.of = [this](RowId row) { return fields_of(row); };
  return fields;
}

RowEdits Annotations::edits() {
  RowEdits edits;
  edits.bytes = [this](const RowLocator& place, RowId row, std::string& bytes) {
    add_to(place, row, bytes);
  };
  edits.fields = columns();
  return edits;
}

AddedField Annotations::duplicate_of(RowId row) {
  const RowId survivor = decisions_.of(row).survivor;
  if (survivor == row || survivor == kNoRow) return {kDuplicateOf, {}, true};
  survivor_ = reader_.name_of(survivor);
  return {kDuplicateOf, IdText{survivor_.id, survivor_.is_integer}};
}

void check_annotate(const Options& options, const Inputs& inputs) {
  if (options.annotate.empty()) return;
  const Inputs& written = files_of_rows(inputs);
  for (std::size_t i = written.first_own_file; i < written.list.size(); ++i) {
    const InputFile& input = written.list[i];
    if (input.format->columnar) {
      check_names(written.headers[i].names, [&] { return input.name; });
      continue;
    }
    if (input.format->writer != nullptr) continue;
    throw Error(ErrorKind::invalid_option, RefusedOption{"annotate"},
                fmt::format("{}: rows of format {} have no fields", input.name, input.format->name),
                "use --removed and --clusters instead");
  }
}

}  // namespace sosie

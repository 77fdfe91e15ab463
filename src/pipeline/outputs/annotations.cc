#include "pipeline/outputs/annotations.h"

#include <fmt/format.h>

#include <algorithm>

#include "pipeline/rows/grouped_rows.h"
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

// Those whose rows are written: with --group-by not the sets that were put together.
const Inputs& files_of_rows(const Inputs& inputs) noexcept {
  return inputs.grouped ? inputs.grouped->files : inputs;
}

std::size_t line_end_bytes(std::string_view row) noexcept {
  if (row.ends_with("\r\n")) return 2;
  return row.ends_with('\n') ? 1 : 0;
}

}  // namespace

Annotations::Annotations(const Run& run, const Decisions& decisions)
    : run_(run), decisions_(decisions), reader_(run.inputs, run.corpus, run.inputs.fields) {}

void Annotations::add_to(const RowLocator& place, RowId row, std::string& bytes) {
  const Inputs& written = files_of_rows(run_.inputs);
  const Format& format = *written.list[place.file].format;
  const bool is_header = row == kNoRow;
  if (!is_header && run_.corpus.state(row) == RowState::unmatched) return;
  const std::string end = bytes.substr(bytes.size() - line_end_bytes(bytes));
  bytes.resize(bytes.size() - end.size());
  if (is_header || !format.has_header) {
    check_names(format.field_names(bytes), [&] { return place_of_row(written, place); });
  }
  const FieldAdder& adder = *field_adder_for(format.name);
  if (is_header) {
    adder.add_names(bytes, {{kDuplicateOf, {}, true}, {kClusterSize, {}, true}});
  } else {
    adder.add(bytes, fields_of(row));
  }
  bytes += end;
}

std::vector<AddedField> Annotations::fields_of(RowId row) {
  if (run_.corpus.state(row) == RowState::unmatched) {
    return {{kDuplicateOf, {}, true}, {kClusterSize, {}, true}};
  }
  const std::uint64_t size = decisions_.group_rows(decisions_.of(row).survivor);
  return {duplicate_of(row), {kClusterSize, std::max<std::uint64_t>(1, size)}};
}

AddFields Annotations::columns() {
  const bool numbered = run_.inputs.numbers_rows_of(run_.inputs.first_own_file);
  bool integers = numbered;
  for (RowId row = run_.corpus.first_own_row; !numbered && row < run_.corpus.rows; ++row) {
    if (run_.corpus.state(row) != RowState::normal) continue;
    integers = reader_.read(row).id_is_integer;
    break;
  }
  AddFields fields;
  fields.names = {std::string(kDuplicateOf), std::string(kClusterSize)};
  fields.examples = {IdText{"0", integers}, std::uint64_t{1}};
  fields.of = [this](RowId row) { return fields_of(row); };
  return fields;
}

AddedField Annotations::duplicate_of(RowId row) {
  const RowId survivor = decisions_.of(row).survivor;
  if (survivor == row || survivor == kNoRow) return {kDuplicateOf, {}, true};
  const bool numbered = run_.inputs.numbers_rows_of(run_.corpus.locator(survivor).file);
  bool is_integer = numbered;
  if (numbered) {
    survivor_id_ = std::to_string(run_.corpus.number_of(survivor));
  } else {
    const Record& record = reader_.read(survivor);
    survivor_id_ = record.id;
    is_integer = record.id_is_integer;
  }
  return {kDuplicateOf, IdText{survivor_id_, is_integer}};
}

void check_annotate(const Run& run) {
  if (run.options.annotate.empty()) return;
  const Inputs& written = files_of_rows(run.inputs);
  for (std::size_t i = written.first_own_file; i < written.list.size(); ++i) {
    const InputFile& input = written.list[i];
    if (input.format->columnar) {
      check_names(written.headers[i].names, [&] { return input.name; });
      continue;
    }
    if (field_adder_for(input.format->name) != nullptr) continue;
    throw Error(ErrorKind::invalid_option,
                fmt::format("--annotate: {}: rows of format {} have no fields", input.name,
                            input.format->name),
                "use --removed and --clusters instead");
  }
}

}  // namespace sosie

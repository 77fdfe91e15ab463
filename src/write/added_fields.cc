#include "write/added_fields.h"

#include <algorithm>
#include <array>

namespace sosie {
namespace {

// One row of a table format without its line end.
std::string row_of(std::string_view extension, const std::vector<std::string>& names,
                   const std::vector<Cell>& cells) {
  std::string row;
  table_format_for(extension)->row(row, names, cells);
  row.pop_back();
  return row;
}

void add_to_json(std::string& row, const std::vector<AddedField>& fields) {
  const std::size_t end = row.rfind('}');
  if (end == std::string::npos) return;
  const bool empty = row.find_last_not_of(" \t", end - 1) == row.find('{');
  std::string added;
  for (const AddedField& field : fields) {
    const Cell value = field.is_null ? Cell{IdText{"null", true}} : field.value;
    const std::string object = row_of(".jsonl", {std::string(field.name)}, {value});
    added += added.empty() && empty ? "" : ", ";
    added += std::string_view(object).substr(1, object.size() - 2);
  }
  row.insert(end, added);
}

void add_separated(std::string& row, char separator, const Cell& cell) {
  const std::string value = row_of(".csv", {"value"}, {cell});
  const bool bare = value.find(separator) != std::string::npos && !value.starts_with('"');
  row += separator;
  row += bare ? '"' + value + '"' : value;
}

template <char kSeparator>
void add_to_separated(std::string& row, const std::vector<AddedField>& fields) {
  for (const AddedField& field : fields) {
    add_separated(row, kSeparator, field.is_null ? Cell{std::string_view{}} : field.value);
  }
}

template <char kSeparator>
void add_names(std::string& header, const std::vector<AddedField>& fields) {
  for (const AddedField& field : fields) add_separated(header, kSeparator, Cell{field.name});
}

constexpr std::array kFieldAdders = {
    FieldAdder{"jsonl", add_to_json, nullptr},
    FieldAdder{"csv", add_to_separated<','>, add_names<','>},
    FieldAdder{"tsv", add_to_separated<'\t'>, add_names<'\t'>},
};

}  // namespace

const FieldAdder* field_adder_for(std::string_view format) noexcept {
  const auto* found = std::find_if(kFieldAdders.begin(), kFieldAdders.end(),
                                   [&](const FieldAdder& adder) { return adder.format == format; });
  return found == kFieldAdders.end() ? nullptr : found;
}

}  // namespace sosie

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

void add_to_json(std::string& row, const std::vector<AddedField>& fields, char /*separator*/) {
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

// `kQuoting`: the extension of the table format that quotes or escapes as the rows do.
template <const char* kQuoting>
void add_separated(std::string& row, char separator, const Cell& cell) {
  const std::string value = row_of(kQuoting, {"value"}, {cell});
  row += separator;
  if (value.starts_with('"') || value.find(separator) == std::string::npos) {
    row += value;
    return;
  }
  row += '"';
  for (const char c : value) row.append(c == '"' ? 2 : 1, c);
  row += '"';
}

template <const char* kQuoting>
void add_to_separated(std::string& row, const std::vector<AddedField>& fields, char separator) {
  for (const AddedField& field : fields) {
    const Cell value = field.is_null ? Cell{std::string_view{}} : field.value;
    add_separated<kQuoting>(row, separator, value);
  }
}

template <const char* kQuoting>
void add_names(std::string& header, const std::vector<AddedField>& fields, char separator) {
  for (const AddedField& field : fields) {
    add_separated<kQuoting>(header, separator, Cell{field.name});
  }
}

constexpr char kCsv[] = ".csv";
constexpr char kTsv[] = ".tsv";

constexpr std::array kFieldAdders = {
    FieldAdder{"jsonl", add_to_json, nullptr},
    FieldAdder{"csv", add_to_separated<kCsv>, add_names<kCsv>},
    FieldAdder{"tsv", add_to_separated<kTsv>, add_names<kTsv>},
};

}  // namespace

const FieldAdder* field_adder_for(std::string_view format) noexcept {
  const auto* found = std::find_if(kFieldAdders.begin(), kFieldAdders.end(),
                                   [&](const FieldAdder& adder) { return adder.format == format; });
  return found == kFieldAdders.end() ? nullptr : found;
}

}  // namespace sosie

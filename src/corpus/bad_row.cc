#include "corpus/bad_row.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/nearest_name.h"
#include "sosie/error.h"

namespace sosie {
namespace {

// The field that a reason such as "field 'txt' is missing" is about; empty: about none.
std::string_view field_in(std::string_view reason) {
  constexpr std::string_view kBegin = "field '";
  if (!reason.starts_with(kBegin)) return {};
  reason.remove_prefix(kBegin.size());
  return reason.substr(0, reason.find('\''));
}

std::string field_hint(const UnreadRow& bad, std::string_view field) {
  if (bad.format.columnar) return {};
  if (bad.format.has_columns()) {
    if (bad.header == nullptr) return {};
    // A field that the header names is missing where the cell is empty.
    const bool is_named =
        std::find(bad.header->begin(), bad.header->end(), field) != bad.header->end();
    return is_named ? std::string{} : fields_there(*bad.header, std::string(field));
  }
  const auto names = bad.format.field_names(bad.bytes, bad.format.separator);
  if (names.empty()) return {};
  return fields_there(names, std::string(field));
}

}  // namespace

std::string fields_there(const std::vector<std::string>& names, const std::string& field) {
  const std::vector<std::string_view> views(names.begin(), names.end());
  const std::string_view nearest = nearest_name(field, views);
  return fmt::format(
      "{}the fields there are: {}; --column FIELD names the text, --id FIELD the id",
      nearest.empty() || nearest == field ? "" : fmt::format("did you mean '{}'? ", nearest),
      fmt::join(names, ", "));
}

void throw_bad_row(const Inputs& inputs, const BadRow& bad, const std::string& hint) {
  std::string bytes(bad.row.length, '\0');
  inputs.files[bad.row.file].read_at(bad.row.offset, bytes.data(), bytes.size());
  throw_bad_row({*inputs.list[bad.row.file].format, bytes,
                 place_of_row(inputs, {bad.trouble, 0, bad.row.file}), bad.reason,
                 &inputs.headers[bad.row.file].names},
                hint);
}

void throw_bad_row(const UnreadRow& bad, const std::string& hint) {
  const std::string_view field = field_in(bad.reason);
  const bool is_no_json = bad.place == "<stdin>:1" && bad.reason.starts_with("broken JSON");
  throw Error(ErrorKind::malformed_input, BadPlace{bad.place}, bad.reason,
              is_no_json      ? "standard input is JSONL unless --format says otherwise"
              : field.empty() ? hint
                              : field_hint(bad, field));
}

}  // namespace sosie

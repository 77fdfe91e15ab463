// The page of `sosie explain` about two records.
#include "report/record_explanation.h"

#include <fmt/format.h>

#include <algorithm>

#include "corpus/shown_text.h"

namespace sosie {
namespace {

constexpr std::size_t kValueColumns = 32;
constexpr std::size_t kNameColumns = 24;

std::string padded(const std::string& text, std::size_t width) {
  const std::size_t columns = count_characters(text);
  return text + std::string(width > columns ? width - columns : 0, ' ');
}

using Row = std::vector<std::string>;

Row row_of(const RecordExplanation::Field& field) {
  Row row = {shown_text(field.name, kNameColumns)};
  for (const std::string& value : field.values) {
    row.push_back(value.empty() ? "-" : shown_text(value, kValueColumns));
  }
  row.push_back(field.level);
  row.push_back(field.bits ? fmt::format("{:+.6f}", *field.bits) : std::string());
  return row;
}

// Aligns the rows of a table; the last cell of each row is right-aligned.
std::string table_of(const std::vector<Row>& rows) {
  std::vector<std::size_t> widths(rows.front().size());
  for (const Row& row : rows) {
    for (std::size_t c = 0; c < row.size(); ++c) {
      widths[c] = std::max(widths[c], count_characters(row[c]));
    }
  }
  std::string out;
  for (const Row& row : rows) {
    std::string line;
    for (std::size_t c = 0; c + 1 < row.size(); ++c) line += padded(row[c], widths[c] + 2);
    line += fmt::format("{:>{}}", row.back(), widths.back());
    while (line.ends_with(' ')) line.pop_back();
    out += line + "\n";
  }
  return out;
}

}  // namespace

std::vector<RecordExplanation::Field> explained_fields(const LinkRules& rules,
                                                       const RecordTable& table,
                                                       const RecordLinker& linker,
                                                       const CandidateLink& link, bool has_bits) {
  const std::vector<double> bits = has_bits ? linker.field_bits(link) : std::vector<double>();
  const std::vector<std::uint8_t> levels =
      linker.comparer().levels(link.link.left, link.link.right);
  std::vector<RecordExplanation::Field> fields;
  std::size_t compared = 0;
  for (std::size_t f = 0; f < rules.fields.size(); ++f) {
    const LinkField& field = rules.fields[f];
    RecordExplanation::Field& shown = fields.emplace_back();
    shown.name = field.name;
    shown.values = {std::string(table.columns[f].text_of(link.link.left)),
                    std::string(table.columns[f].text_of(link.link.right))};
    shown.level = "not compared";
    if (!field.is_compared) continue;
    shown.level = level_name(field.comparison, levels[compared]);
    if (has_bits) shown.bits = bits[compared];
    ++compared;
  }
  return fields;
}

std::string record_explanation_text(const RecordExplanation& explanation, const TextStyle& style) {
  std::string out = fmt::format("{}{}{}\n\n", style.strong, explanation.verdict, style.off);
  std::array<std::string, 2> ids;
  for (std::size_t i = 0; i < 2; ++i) ids[i] = shown_text(explanation.records[i].id, kIdColumns);
  const std::size_t width = std::max(count_characters(ids[0]), count_characters(ids[1]));
  for (std::size_t i = 0; i < 2; ++i) {
    out += fmt::format("{:<13}{}  {}\n", i == 0 ? "left" : "right", padded(ids[i], width),
                       shown_text(explanation.records[i].place, kPlaceColumns));
  }
  if (!explanation.fields.empty()) {
    std::vector<Row> rows = {{"field", "left", "right", "level", explanation.sum ? "bits" : ""}};
    rows.reserve(explanation.fields.size() + 2);
    for (const RecordExplanation::Field& field : explanation.fields) rows.push_back(row_of(field));
    if (explanation.sum) {
      rows.push_back({"sum", "", "", "", fmt::format("{:+.6f}", *explanation.sum)});
    }
    out += "\n" + table_of(rows);
  }
  if (!explanation.lines.empty()) out += "\n";
  for (const ExplainedLine& line : explanation.lines) {
    out += fmt::format("{:<13}{}\n", line.label, line.text);
  }
  return out;
}

}  // namespace sosie

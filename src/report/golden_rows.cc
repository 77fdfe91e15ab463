// Builds one row for each group of records from the best values of its fields (link --golden).
#include "report/golden_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "core/joined_text.h"
#include "core/line_end.h"
#include "core/nearest_name.h"
#include "core/size_text.h"
#include "corpus/rank_rows.h"
#include "report/made_row.h"
#include "represent/fields.h"
#include "sosie/error.h"

namespace sosie {
namespace {

using By = GoldenRule::By;

constexpr std::string_view kGoldenCluster = "cluster_id";
constexpr std::string_view kGoldenSize = "cluster_size";

// Fields of all rows in a collection: those in the first header, followed by the others.
std::vector<std::string> golden_fields(const Inputs& inputs,
                                       const std::vector<std::string>& but_ids) {
  std::vector<std::string> fields = inputs.headers[inputs.first_own_file].names;
  const auto add = [&](const std::string& name) {
    if (std::find(fields.begin(), fields.end(), name) == fields.end()) fields.push_back(name);
  };
  if (!inputs.fields.id.empty()) add(inputs.fields.id);
  for (const std::string& name : but_ids) add(name);
  return fields;
}

FieldRequest request_of(const GoldenTask& task) {
  FieldRequest request = task.inputs.fields;
  request.column.clear();
  request.id.clear();
  request.others = golden_fields(task.inputs, task.fields);
  request.items = 0;
  return request;
}

// Number of UTF-8 characters, counted as the bytes that are not continuation bytes.
std::size_t length_of(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U;
  }));
}

// True for each input file whose name, or the last component of whose path, is `source`.
std::vector<bool> files_called(const std::string& source, const Inputs& inputs) {
  std::vector<bool> is;
  for (const InputFile& file : inputs.list) {
    const std::string_view name = file.name;
    is.push_back(name == source || name.substr(name.rfind('/') + 1) == source);
  }
  return is;
}

std::uint32_t position_of(const std::string& field, const std::vector<std::string>& fields,
                          const std::string& rule) {
  const auto found = std::find(fields.begin(), fields.end(), field);
  if (found != fields.end()) return static_cast<std::uint32_t>(found - fields.begin());
  const std::vector<std::string_view> names(fields.begin(), fields.end());
  const std::string_view nearest = nearest_name(field, names);
  throw Error(ErrorKind::invalid_option, RefusedOption{"golden", rule},
              fmt::format("no row has the field '{}'", field),
              nearest.empty() ? fmt::format("available fields: {}", joined_text(names, ", "))
                              : fmt::format("did you mean {}?", nearest));
}

GoldenFieldRule resolved_rule(const std::string& text, const std::vector<std::string>& fields,
                              const Inputs& inputs) {
  GoldenFieldRule rule{*parse_golden(text)};
  rule.field = position_of(rule.rule.field, fields, text);
  if (!rule.rule.other.empty()) {
    rule.other = position_of(rule.rule.other, fields, text);
    return rule;
  }
  for (const std::string& source : rule.rule.sources) {
    rule.is_source.push_back(files_called(source, inputs));
    const std::vector<bool>& is = rule.is_source.back();
    if (std::find(is.begin(), is.end(), true) != is.end()) continue;
    throw Error(ErrorKind::invalid_option, RefusedOption{"golden", text},
                fmt::format("no input is named '{}'", source),
                "source:FIELD=VALUE selects rows by a field that names their source");
  }
  return rule;
}

std::vector<GoldenFieldRule> resolved_rules(const std::vector<std::string>& texts,
                                            const std::vector<std::string>& fields,
                                            const Inputs& inputs) {
  std::vector<GoldenFieldRule> rules;
  for (const std::string& text : texts) {
    rules.push_back(resolved_rule(text, fields, inputs));
    for (std::size_t i = 0; i + 1 < rules.size(); ++i) {
      if (rules[i].field != rules.back().field) continue;
      throw Error(ErrorKind::invalid_option, RefusedOption{"golden", text},
                  fmt::format("field '{}' has two rules", rules[i].rule.field), "keep one of them");
    }
  }
  return rules;
}

}  // namespace

bool GoldenRows::Value::is_there() const noexcept {
  return kind != FieldValue::Kind::missing && !is_missing_value(text);
}

GoldenRows::GoldenRows(const GoldenTask& task, const std::vector<std::string>& rules)
    : task_(task),
      fields_(golden_fields(task.inputs, task.fields)),
      rules_(resolved_rules(rules, fields_, task.inputs)),
      rule_of_(fields_.size(), kNoRow),
      reader_(task.inputs, task.corpus, request_of(task)) {
  for (std::uint32_t i = 0; i < rules_.size(); ++i) rule_of_[rules_[i].field] = i;
  list_members();
}

void GoldenRows::list_members() {
  const std::vector<std::uint32_t>& first = task_.groups.first;
  next_.assign(first.size(), kNoRow);
  std::vector<std::uint32_t> last(first.size(), kNoRow);  // by first record
  for (std::uint32_t record = 0; record < first.size(); ++record) {
    if (task_.corpus.state(record) == RowState::skipped) continue;
    std::uint32_t& before = last[first[record]];
    if (before != kNoRow) next_[before] = record;
    before = record;
  }
}

void GoldenRows::read_member(RowId row, std::size_t place) {
  if (members_.size() == place) members_.emplace_back();
  Member& member = members_[place];
  const Record& record = reader_.read(row);
  member.file = task_.corpus.locator(row).file;
  member.row = row;
  member.values.resize(fields_.size());
  for (std::size_t f = 0; f < fields_.size(); ++f) {
    const FieldValue& value = record.others[f];
    member.values[f].kind = value.kind;
    member.values[f].text = value.text;
    member.values[f].number = value.number;
    held_ += sizeof(Value) + value.text.size();
  }
}

void GoldenRows::read_members(RowId kept) {
  constexpr std::uint64_t kPartsOfMemory = 8;
  const std::uint64_t most = task_.memory_bytes / kPartsOfMemory;
  if (held_ > most / 2) {  // texts of earlier groups occupy memory that later groups need
    members_.clear();
    held_ = 0;
  }
  const std::uint64_t before = held_;
  count_ = 0;
  read_member(kept, count_++);
  for (std::uint32_t record = task_.groups.first[kept]; record != kNoRow; record = next_[record]) {
    if (record != kept) read_member(record, count_++);
    if (held_ - before <= most) continue;
    throw Error(ErrorKind::limit_exceeded, RefusedOption{"golden"},
                fmt::format("{}: the rows of its group need more than an eighth of --memory {}",
                            place_of_row(task_.inputs, task_.corpus.locator(kept)),
                            limit_text(task_.memory_bytes)),
                "raise --memory, or use --keep RULE, which writes rows unchanged");
  }
}

// The value for the golden row; null if no row in the group has a value.
const GoldenRows::Value* GoldenRows::best_value(std::size_t field) {
  if (rule_of_[field] != kNoRow) {
    if (const Value* found = by_rule(rules_[rule_of_[field]], field)) return found;
  }
  for (std::size_t i = 0; i < count_; ++i) {
    if (members_[i].values[field].is_there()) return &members_[i].values[field];
  }
  for (std::size_t i = 0; i < count_; ++i) {  // "NA" is better than nothing
    const Value& value = members_[i].values[field];
    if (value.kind != FieldValue::Kind::missing) return &value;
  }
  return nullptr;
}

const GoldenRows::Value* GoldenRows::by_rule(const GoldenFieldRule& rule, std::size_t field) {
  switch (rule.rule.by) {
    case By::first:
      return nullptr;
    case By::most_frequent:
      return most_frequent(field);
    case By::source:
      return of_source(rule, field);
    case By::newest:
    case By::oldest:
      return extreme(rule, field);
    case By::longest:
    case By::shortest:
      break;
  }
  const Value* best = nullptr;
  std::size_t best_length = 0;
  for (std::size_t i = 0; i < count_; ++i) {
    const Value& value = members_[i].values[field];
    if (!value.is_there()) continue;
    const std::size_t length = length_of(value.text);
    const bool is_better =
        rule.rule.by == By::longest ? length > best_length : length < best_length;
    if (best != nullptr && !is_better) continue;
    best = &value;
    best_length = length;
  }
  return best;
}

const GoldenRows::Value* GoldenRows::most_frequent(std::size_t field) const {
  std::map<std::string_view, std::size_t> counts;
  std::size_t most = 0;
  for (std::size_t i = 0; i < count_; ++i) {
    const Value& value = members_[i].values[field];
    if (value.is_there()) most = std::max(most, ++counts[value.text]);
  }
  for (std::size_t i = 0; i < count_; ++i) {
    const Value& value = members_[i].values[field];
    if (value.is_there() && counts[value.text] == most) return &value;
  }
  return nullptr;
}

const GoldenRows::Value* GoldenRows::of_source(const GoldenFieldRule& rule,
                                               std::size_t field) const {
  for (std::size_t s = 0; s < rule.rule.sources.size(); ++s) {
    for (std::size_t i = 0; i < count_; ++i) {
      const Member& member = members_[i];
      const bool is = rule.rule.other.empty()
                          ? rule.is_source[s][member.file]
                          : member.values[rule.other].text == rule.rule.sources[s];
      if (is && member.values[field].is_there()) return &member.values[field];
    }
  }
  return nullptr;
}

// The value in the row with the latest or earliest date, or with the highest or lowest number.
const GoldenRows::Value* GoldenRows::extreme(const GoldenFieldRule& rule, std::size_t field) {
  const std::size_t by = rule.rule.other.empty() ? field : rule.other;
  const Value* best = nullptr;
  RankValue best_rank;
  for (std::size_t i = 0; i < count_; ++i) {
    const Member& member = members_[i];
    if (!member.values[field].is_there() || !member.values[by].is_there()) continue;
    RankValue rank = rank_of(member, by);
    if (best != nullptr && compare_values(rank, best_rank, rule.rule.by == By::newest) >= 0) {
      continue;
    }
    best = &member.values[field];
    best_rank = std::move(rank);
  }
  return best;
}

RankValue GoldenRows::rank_of(const Member& member, std::size_t field) {
  try {
    RankValue rank = rank_value_of(member.values[field].view(), fields_[field]);
    if (number_like_.empty()) number_like_ = number_like_text({&rank, 1});
    return rank;
  } catch (const RowError& error) {
    throw Error(ErrorKind::malformed_input,
                fmt::format("{}: {}", place_of_row(task_.inputs, task_.corpus.locator(member.row)),
                            error.what()));
  }
}

std::vector<AddedField> GoldenRows::added(RowId row) {
  const RecordGroup* group = task_.grouped.group_of(row);
  cluster_ = task_.names.of(row);
  return {{kGoldenCluster, IdText{cluster_, task_.names.is_integer(row)}},
          {kGoldenSize, std::uint64_t{group == nullptr ? 1 : group->size}}};
}

// The best values as a row of the file: in the columns of the file or, if it has no columns, in the
// fields of the row, followed by all other fields that have a value.
std::string GoldenRows::composed(const RowLocator& place, std::string_view row) {
  const Format& format = *task_.inputs.list[place.file].format;
  std::vector<std::string> order = format.has_columns() ? task_.inputs.headers[place.file].names
                                                        : format.field_names(row, format.dialect);
  const std::size_t own = order.size();
  for (const std::string& name : fields_) {
    if (format.has_columns()) break;
    if (std::find(order.begin(), order.end(), name) == order.end()) order.push_back(name);
  }
  std::vector<AddedField> values;
  for (std::size_t i = 0; i < order.size(); ++i) {
    const auto field = std::find(fields_.begin(), fields_.end(), order[i]);
    if (field == fields_.end()) continue;
    const Value* value = best_value(static_cast<std::size_t>(field - fields_.begin()));
    if (value != nullptr) {
      values.push_back(field_of(*field, value->view(), !format.has_columns()));
    } else if (i < own) {
      values.push_back({*field, {}, true});
    }
  }
  return made_row(format, values);
}

void GoldenRows::edit(const RowLocator& place, RowNumber row, std::string& bytes) {
  const Format& format = *task_.inputs.list[place.file].format;
  const bool is_header = row == kNoRowNumber;
  if (!is_header && task_.corpus.state(row) == RowState::unmatched) return;
  const std::string_view line = without_line_end(bytes);
  const std::string end = bytes.substr(line.size());
  std::string made(line);
  if (is_header) {
    format.writer->add_names(made, {{kGoldenCluster, {}}, {kGoldenSize, {}}}, format.dialect);
  } else {
    read_members(row_id(row));
    made = composed(place, line);
    format.writer->add(made, added(row_id(row)), format.dialect);
  }
  bytes = made + end;
}

RowEdits GoldenRows::edits() {
  RowEdits edits;
  edits.bytes = [this](const RowLocator& place, RowNumber row, std::string& bytes) {
    edit(place, row, bytes);
  };
  return edits;
}

void check_golden(const Inputs& inputs, const std::vector<std::string>& fields,
                  const std::vector<std::string>& rules) {
  const std::vector<std::string> all = golden_fields(inputs, fields);
  for (const std::string_view name : {kGoldenCluster, kGoldenSize}) {
    if (std::find(all.begin(), all.end(), name) == all.end()) continue;
    throw Error(ErrorKind::invalid_option, RefusedOption{"golden"},
                fmt::format("field '{}' already exists", name),
                "rename it: golden rows have a field of that name");
  }
  for (const InputFile& input : inputs.list) {
    if (!input.format->columnar) continue;
    throw Error(
        ErrorKind::unsupported, RefusedOption{"golden"},
        fmt::format("{}: rows of format {} cannot be merged", input.name, input.format->name),
        "convert the file to CSV or JSONL, or use --keep RULE, which writes rows unchanged");
  }
  static_cast<void>(resolved_rules(rules, all, inputs));
}

}  // namespace sosie

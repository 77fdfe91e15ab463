// Chooses rules of `sosie link` from the values of each column if none are given.
#include "corpus/items/default_rules.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <span>
#include <tuple>
#include <utility>

#include "core/count_text.h"
#include "core/joined_text.h"
#include "corpus/items/column_profile.h"
#include "corpus/items/counterparts.h"
#include "corpus/items/repeated_columns.h"
#include "read/field_paths.h"
#include "represent/fields.h"
#include "sosie/error.h"

namespace sosie {
namespace {

constexpr std::uint32_t kNearest = 10;
constexpr double kNearlyAll = 0.9;
constexpr double kFewWords = 1.7;           // a short text
constexpr double kProse = 12;               // words
constexpr std::uint32_t kManyRecords = 20;  // records that all differ in an id by no chance

// Treats a field as dates if its dates are written in more than one way. Returns true if so.
bool read_days(const RecordColumn& left, const RecordColumn* right, LinkField& field) {
  const std::string formats = day_formats_of(left);
  const std::string others = right == nullptr ? formats : day_formats_of(*right);
  if (formats.empty() || others.empty() || are_written_alike(formats, others)) return false;
  field.form.type = FieldType::date;
  field.form.date_format = formats;
  if (others != formats) field.format_right = others;
  return true;
}

void read_decimals(const RecordColumn& left, const RecordColumn* right, LinkField& field) {
  field.form.decimal = decimal_of(left);
  const char other = right == nullptr ? field.form.decimal : decimal_of(*right);
  if (other != field.form.decimal) field.decimal_right = other;
}

LinkField field_of(const RecordColumn& left, const RecordColumn* right,
                   const ColumnProfile& profile) {
  constexpr double kSomeAmounts = 0.1;
  const FieldComparison of_codes = {FieldMeasure::edit_similarity, {0.87, 0.8, 0.7, 0.6}};

  LinkField field;
  field.name = left.name;
  field.columns = {left.name};
  if (read_days(left, right, field)) {
    field.comparison = of_codes;
  } else if (profile.numbers >= kNearlyAll && profile.amounts >= kSomeAmounts) {
    field.form.type = FieldType::number;
    read_decimals(left, right, field);
    field.comparison = {FieldMeasure::nearness, {0.998, 0.99, 0.95, 0.8, 0.5}};
  } else if (profile.codes >= kNearlyAll) {
    field.form.clean = FieldClean::alnum;
    field.comparison = of_codes;
  } else {
    field.form.clean = FieldClean::words;
    if (profile.mean_words <= kFewWords) {
      field.comparison = {FieldMeasure::jaro_winkler, {0.92, 0.82, 0.7}};
    } else {
      field.comparison = {FieldMeasure::tfidf, {0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.15}};
    }
  }
  return field;
}

bool is_short(const LinkField& field) noexcept {
  return field.comparison.measure == FieldMeasure::jaro_winkler;
}
bool is_text(const LinkField& field) noexcept {
  return field.comparison.measure == FieldMeasure::tfidf;
}

const RecordColumn* column_called(const RecordRows& rows, const std::string& name) {
  const auto found = std::find_if(rows.columns.begin(), rows.columns.end(),
                                  [&](const RecordColumn& column) { return column.name == name; });
  return found == rows.columns.end() ? nullptr : &*found;
}

std::string names_of(const std::vector<std::string>& fields) {
  constexpr std::size_t kMostNames = 20;
  if (fields.empty()) return "none";
  const std::span<const std::string> some(fields.data(), std::min(fields.size(), kMostNames));
  const std::string names = joined_text(some, ", ");
  return some.size() == fields.size()
             ? names
             : fmt::format("{} and {} more", names, fields.size() - some.size());
}

// `notes`: why the fields were left out.
[[noreturn]] void refuse(const RecordRows& left, const RecordRows* right,
                         const std::vector<std::string>& notes) {
  constexpr std::size_t kMostNotes = 3;
  const bool is_in_common =
      right == nullptr ||
      std::any_of(left.fields.begin(), left.fields.end(), [&](const std::string& name) {
        return std::find(right->fields.begin(), right->fields.end(), name) != right->fields.end();
      });
  if (!is_in_common) {
    std::string near;
    for (const Counterpart& pair : counterparts(left, *right)) {
      near += fmt::format("{}'{}' with '{}'", near.empty() ? "; perhaps compare " : ", ", pair.left,
                          pair.right);
    }
    throw Error(ErrorKind::invalid_option, "the collections have no field in common to compare",
                fmt::format("one has {}; the other has {}{}", names_of(left.fields),
                            names_of(right->fields),
                            near.empty() ? "; --rules can name columns_right"
                                         : near + "; --init -o RULES.toml writes rules that do, "
                                                  "for --rules RULES.toml"));
  }
  std::vector<std::string> shown(
      notes.begin(),
      notes.begin() + static_cast<std::ptrdiff_t>(std::min(notes.size(), kMostNotes)));
  if (shown.size() < notes.size()) {
    shown.push_back(fmt::format("and {} more", notes.size() - shown.size()));
  }
  throw Error(ErrorKind::malformed_input, "the records have no field to compare",
              shown.empty() ? fmt::format("available fields: {}", names_of(left.fields))
                            : fmt::format("{}; --rules can compare the fields that were left out",
                                          joined_text(shown, "; ")));
}

// A column that both collections have and that distinguishes records.
struct TellingColumn {
  const RecordColumn* left;
  const RecordColumn* right;  // null: there is one collection
  ColumnProfile profile;

  [[nodiscard]] std::vector<const RecordColumn*> columns() const {
    return right == nullptr ? std::vector{left} : std::vector{left, right};
  }
};

// Notes about the columns that are left out.
class LeftOut {
 public:
  explicit LeftOut(std::vector<std::string>& notes) : notes_(notes) {}

  void add(const std::string& name, std::string_view reason) {
    notes_.push_back(fmt::format("field '{}' is left out: {}", name, reason));
  }
  // Names the first columns of a long list and counts the others.
  void add_all(const std::vector<std::string>& names, std::string_view reason) {
    constexpr std::size_t kMostNamed = 20;
    for (std::size_t i = 0; i < std::min(names.size(), kMostNamed); ++i) add(names[i], reason);
    if (names.size() <= kMostNamed) return;
    notes_.push_back(fmt::format("{} more fields are left out in the same way",
                                 count_text(names.size() - kMostNamed)));
  }

 private:
  std::vector<std::string>& notes_;
};

// Columns of both collections, in the same order; `right` is empty if there is only one collection.
struct ColumnsOfSides {
  std::vector<const RecordColumn*> left;
  std::vector<const RecordColumn*> right;
};

ColumnsOfSides columns_of_sides(const std::vector<TellingColumn>& all) {
  ColumnsOfSides columns;
  for (const TellingColumn& column : all) {
    columns.left.push_back(column.left);
    if (column.right != nullptr) columns.right.push_back(column.right);
  }
  return columns;
}

// Leaves out columns for which there is a reason; `reason_of` returns the reason for the i-th
// column, or "".
template <typename ReasonOf>
std::vector<TellingColumn> without(const std::vector<TellingColumn>& all, LeftOut& left_out,
                                   const ReasonOf& reason_of) {
  std::vector<TellingColumn> kept;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const std::string reason = reason_of(i);
    if (reason.empty()) {
      kept.push_back(all[i]);
    } else {
      left_out.add(all[i].left->name, reason);
    }
  }
  return kept;
}

// Leaves out columns that follow from others, such as the county of a district.
std::vector<TellingColumn> without_followed(const std::vector<TellingColumn>& all,
                                            LeftOut& left_out) {
  const ColumnsOfSides columns = columns_of_sides(all);
  const auto follows = followed_columns(columns.left, columns.right);
  return without(all, left_out, [&](std::size_t i) {
    return follows[i] ? fmt::format("it follows from {}", all[*follows[i]].left->name) : "";
  });
}

// Leaves out columns that repeat others, because repeated information would count twice.
std::vector<TellingColumn> without_repeated(const std::vector<TellingColumn>& all,
                                            LeftOut& left_out) {
  const ColumnsOfSides columns = columns_of_sides(all);
  const auto repeats = repeated_columns(columns.left, columns.right);
  return without(all, left_out, [&](std::size_t i) {
    std::vector<std::string> names;
    for (const std::uint32_t of : repeats[i]) names.push_back(all[of].left->name);
    return names.empty() ? "" : fmt::format("it repeats {}", joined_text(names, ", "));
  });
}

// Reason to leave out a column because of its values in each of two collections: no value in one of
// them, or a single value in each, such as the name of a source. Empty if there is none, or if
// there are too few records to tell.
std::string_view reason_by_side(const TellingColumn& column) {
  if (column.right == nullptr) return {};
  if (std::min(column.left->values.size(), column.right->values.size()) < 2) return {};
  const ColumnProfile left = profile_of({column.left});
  const ColumnProfile right = profile_of({column.right});
  if (left.values == 0 || right.values == 0) return "it is empty in one collection";
  return left.is_constant && right.is_constant ? "it is constant in each collection" : "";
}

// True for a column that numbers the records.
bool is_id(const TellingColumn& column, const RecordRows& left, const RecordRows* right) {
  if (column.left->values.size() < kManyRecords || !numbers_records(*column.left)) return false;
  return right == nullptr || (numbers_records(*column.right) &&
                              are_numbered_apart(left, *right, *column.left, *column.right));
}

// If there are very many columns, leaves out all but those with the most different values.
std::vector<TellingColumn> without_many(const std::vector<TellingColumn>& all, LeftOut& left_out) {
  if (all.size() <= kMostComparedFields) return all;
  std::vector<std::pair<double, std::size_t>> order;  // differing share, descending; place
  for (std::size_t i = 0; i < all.size(); ++i) {
    double differing = 0;
    for (const RecordColumn* column : all[i].columns()) differing += differing_share(*column);
    order.emplace_back(-differing, i);
  }
  std::sort(order.begin(), order.end());
  std::vector<bool> is_kept(all.size());
  for (std::size_t i = 0; i < kMostComparedFields; ++i) is_kept[order[i].second] = true;
  std::vector<TellingColumn> kept;
  std::vector<std::string> others;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (is_kept[i]) {
      kept.push_back(all[i]);
    } else {
      others.push_back(all[i].left->name);
    }
  }
  left_out.add_all(
      others,
      fmt::format(
          "only the {} with the most different values are compared; --rules can choose others",
          kMostComparedFields));
  return kept;
}

// Notes the columns that only one side has, with the columns they could be compared with.
// `pairs`: the columns that are compared with each other.
void note_alone(const RecordRows& left, const RecordRows& right,
                const std::vector<TellingColumn>& pairs, LeftOut& left_out) {
  const std::vector<Counterpart> near = counterparts(left, right);
  const auto is_paired = [&](const RecordColumn& column) {
    return std::any_of(pairs.begin(), pairs.end(), [&](const TellingColumn& pair) {
      return pair.left == &column || pair.right == &column;
    });
  };
  std::vector<std::string> names;
  for (const RecordColumn& column : left.columns) {
    if (column_called(right, column.name) != nullptr || is_paired(column)) continue;
    const auto found = std::find_if(near.begin(), near.end(), [&](const Counterpart& pair) {
      return pair.left == column.name;
    });
    if (found == near.end()) {
      names.push_back(column.name);
    } else {
      left_out.add(column.name,
                   fmt::format("the other collection does not have it; compare it with '{}'? "
                               "--rules can, by columns_right",
                               found->right));
    }
  }
  left_out.add_all(names, "the other collection does not have it");
  names.clear();
  for (const RecordColumn& column : right.columns) {
    if (column_called(left, column.name) == nullptr && !is_paired(column)) {
      names.push_back(column.name);
    }
  }
  left_out.add_all(names, "the left collection does not have it");
}

// Columns that have the same name in both collections, or all columns of a single collection.
std::vector<TellingColumn> columns_by_name(const RecordRows& left, const RecordRows* right) {
  std::vector<TellingColumn> columns;
  for (const RecordColumn& column : left.columns) {
    const RecordColumn* other = right == nullptr ? nullptr : column_called(*right, column.name);
    if (right == nullptr || other != nullptr) columns.push_back({&column, other, {}});
  }
  return columns;
}

// Columns with different names but similar contents.
std::vector<TellingColumn> columns_by_contents(const RecordRows& left, const RecordRows& right) {
  std::vector<TellingColumn> columns;
  for (const Counterpart& pair : counterparts(left, right)) {
    columns.push_back({column_called(left, pair.left), column_called(right, pair.right), {}});
  }
  return columns;
}

// "field 'name' is compared with 'Firma': 71 % of values in common".
std::string told_pair(const TellingColumn& column) {
  const double percent =
      100 * overlap_of(value_shares({column.left}), value_shares({column.right}));
  return fmt::format(
      "field '{}' is compared with '{}': {}", column.left->name, column.right->name,
      percent < 1 ? "words in common" : fmt::format("{:.0f} % of values in common", percent));
}

// The first value that is a date in this format, which must exist.
std::string_view first_day(const RecordColumn& column, std::string_view format) {
  std::uint32_t value = 1;
  while (!day_of(column.text(value), format)) ++value;
  return column.text(value);
}

// States which date format is used for a collection whose values fit two.
void note_open_days(const TellingColumn& column, const LinkField& field,
                    std::vector<std::string>& notes) {
  if (field.form.type != FieldType::date && column.right == nullptr) return;
  for (const RecordColumn* side : {column.left, column.right}) {
    if (side == nullptr) continue;
    const std::string format = day_formats_of(*side);
    const std::string other = other_day_format(*side, format);
    if (other.empty()) continue;
    notes.push_back(fmt::format(
        "field '{}': {} reads as {} and as {}: {}", side->name, first_day(*side, format), format,
        other,
        field.form.type == FieldType::date
            ? "the first is taken; a file of --rules can name the other"
            : "it is compared as written; a file of --rules can name a format of each collection"));
  }
}

std::vector<TellingColumn> telling_columns(const std::vector<TellingColumn>& all,
                                           const RecordRows& left, const RecordRows* right,
                                           LeftOut& left_out) {
  const std::uint64_t records = std::uint64_t{left.rows} + (right == nullptr ? 0 : right->rows);
  std::vector<TellingColumn> telling;
  std::vector<std::string> empty;
  std::vector<std::string> constant;
  for (TellingColumn found : all) {
    const RecordColumn& column = *found.left;
    found.profile = profile_of(found.columns());
    // A single record shows nothing about its columns.
    if (found.profile.is_constant && records > 1) {
      (found.profile.values == 0 ? empty : constant).push_back(column.name);
    } else if (const auto reason = reason_by_side(found); !reason.empty()) {
      left_out.add(column.name, reason);
    } else if (is_id(found, left, right)) {
      left_out.add(column.name, left.ids.names.empty()
                                    ? fmt::format("every record has a different value, like an id; "
                                                  "--id {} names the records by it",
                                                  escaped_name(column.name))
                                    : "every record has a different value, like an id");
    } else {
      telling.push_back(found);
    }
  }
  left_out.add_all(empty, "it is empty");
  left_out.add_all(constant, "it is constant");
  return without_followed(without_repeated(without_many(telling, left_out), left_out), left_out);
}

// Finds short columns whose values may have been swapped in some records: same domain, many values.
// Few swaps leave few values in common; the columns with the most values in common are paired.
void find_crosswise(const std::vector<TellingColumn>& columns, LinkRules& rules) {
  constexpr double kLeastEntropy = 4;
  constexpr double kLeastOverlap = 0.03;
  struct Domain {
    std::size_t column;
    ValueShares shares;
    bool is_taken = false;
  };
  std::vector<Domain> domains;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (!is_short(rules.fields[i])) continue;
    ValueShares shares = value_shares(columns[i].columns());
    if (entropy_of(shares) > kLeastEntropy) domains.push_back({i, std::move(shares)});
  }
  std::vector<std::tuple<double, std::size_t, std::size_t>> overlaps;  // negative, to be ascending
  for (std::size_t i = 0; i < domains.size(); ++i) {
    for (std::size_t j = i + 1; j < domains.size(); ++j) {
      const double overlap = overlap_of(domains[i].shares, domains[j].shares);
      if (overlap > kLeastOverlap) overlaps.emplace_back(-overlap, i, j);
    }
  }
  std::sort(overlaps.begin(), overlaps.end());
  for (const auto& [overlap, i, j] : overlaps) {
    if (domains[i].is_taken || domains[j].is_taken) continue;
    domains[i].is_taken = domains[j].is_taken = true;
    rules.fields[domains[i].column].crosswise = rules.fields[domains[j].column].name;
  }
}

std::string free_name(std::string name, const std::vector<LinkField>& fields) {
  while (std::any_of(fields.begin(), fields.end(),
                     [&](const LinkField& field) { return field.name == name; })) {
    name += '_';
  }
  return name;
}

// Treats all columns as one text, because the other collection may store the same information in a
// different column.
void add_record_text(const std::vector<TellingColumn>& columns, LinkRules& rules) {
  const std::size_t count = columns.size();
  if (count < 2 || count == kMostComparedFields) return;
  if (std::none_of(rules.fields.begin(), rules.fields.end(), is_text)) return;
  LinkField text;
  text.name = free_name("record_text", rules.fields);
  text.form.clean = FieldClean::words;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const LinkField& field = rules.fields[i];
    text.columns.push_back(field.name);
    text.columns_right.push_back(columns[i].right->name);
    const bool is_brief =
        (is_short(field) || is_text(field)) && columns[i].profile.mean_words < kProse;
    if (is_brief) text.brief.push_back(field.name);
  }
  if (text.brief.size() == text.columns.size()) text.brief.clear();
  if (text.columns_right == text.columns) text.columns_right.clear();
  text.comparison.measure = FieldMeasure::tfidf;
  constexpr int kTwentieths = 20;
  for (int i = kTwentieths - 1; i >= 2; --i) {
    text.comparison.bounds.push_back(static_cast<double>(i) / kTwentieths);
  }
  rules.fields.push_back(std::move(text));
}

// Long texts dominate the nearest records, so short columns get a candidate rule of their own.
void add_brief_rule(const std::vector<TellingColumn>& columns, LinkRules& rules) {
  CandidateRule brief = rules.candidates.front();
  brief.fields.clear();
  bool has_prose = false;
  for (std::uint32_t i = 0; i < columns.size(); ++i) {
    const bool is_prose = columns[i].profile.mean_words >= kProse;
    has_prose = has_prose || is_prose;
    if (!is_prose && (is_short(rules.fields[i]) || is_text(rules.fields[i]))) {
      brief.fields.push_back(i);
    }
  }
  if (has_prose && !brief.fields.empty()) rules.candidates.push_back(std::move(brief));
}

}  // namespace

ChosenRules choose_default_rules(const RecordRows& left, const RecordRows* right,
                                 bool proposes_pairs) {
  ChosenRules chosen;
  LinkRules& rules = chosen.rules;
  LeftOut left_out(chosen.notes);
  std::vector<TellingColumn> columns = columns_by_name(left, right);
  if (right != nullptr && proposes_pairs) {
    const std::vector<TellingColumn> alike = columns_by_contents(left, *right);
    columns.insert(columns.end(), alike.begin(), alike.end());
  }
  const std::vector<TellingColumn> telling = telling_columns(columns, left, right, left_out);
  for (const TellingColumn& column : telling) {
    const bool is_proposed = right != nullptr && column.right->name != column.left->name;
    if (is_proposed) chosen.notes.push_back(told_pair(column));
  }
  if (right != nullptr) note_alone(left, *right, columns, left_out);
  if (telling.empty()) refuse(left, right, chosen.notes);
  CandidateRule nearest;
  nearest.top = kNearest;
  nearest.near.prune = NearMeasure::kUsualPrune;
  for (const TellingColumn& column : telling) {
    nearest.fields.push_back(static_cast<std::uint32_t>(rules.fields.size()));
    rules.fields.push_back(field_of(*column.left, column.right, column.profile));
    if (right != nullptr && column.right->name != column.left->name) {
      rules.fields.back().columns_right = {column.right->name};
    }
    note_open_days(column, rules.fields.back(), chosen.notes);
  }
  rules.candidates.push_back(std::move(nearest));
  add_brief_rule(telling, rules);
  find_crosswise(telling, rules);
  if (right != nullptr) add_record_text(telling, rules);
  return chosen;
}

LinkField usual_field(const RecordColumn& left, const RecordColumn* right) {
  std::vector<const RecordColumn*> columns = {&left};
  if (right != nullptr) columns.push_back(right);
  LinkField field = field_of(left, right, profile_of(columns));
  field.is_compared = false;
  return field;
}

}  // namespace sosie

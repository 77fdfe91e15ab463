// Rules of `sosie link` where none are given: by the values of each column.
#include "corpus/items/default_rules.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "core/digits.h"
#include "corpus/items/repeated_columns.h"
#include "represent/fields.h"
#include "sosie/error.h"

namespace sosie {
namespace {

constexpr std::uint32_t kNearest = 10;
constexpr std::uint32_t kMostValuesSeen = 20000;
constexpr std::size_t kMostColumnsSeen = 512;  // each is held against each other one
constexpr double kNearlyAll = 0.9;
constexpr double kManyWords = 5;
constexpr double kProse = 12;  // words

// Shares and means of the different values of a column that are no missing ones.
struct ColumnProfile {
  std::uint32_t values = 0;
  std::string_view first = {};
  bool is_constant = true;
  double mean_length = 0;
  double mean_words = 0;
  double codes = 0;    // part of the values whose letters and digits are mostly digits
  double amounts = 0;  // part that are numbers with a decimal point or a sign of a currency
  double numbers = 0;
};

bool is_letter(char c) noexcept {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
         (static_cast<unsigned char>(c) >> 7) == 1;
}

void add_value(std::string_view text, ColumnProfile& profile) {
  const auto digits = static_cast<double>(std::count_if(text.begin(), text.end(), is_digit));
  const auto letters = static_cast<double>(std::count_if(text.begin(), text.end(), is_letter));
  profile.values += 1;
  profile.mean_length += static_cast<double>(text.size());
  profile.mean_words += 1 + static_cast<double>(std::count(text.begin(), text.end(), ' '));
  profile.codes += digits > 3 * letters ? 1 : 0;
  const bool is_number = number_of(text).has_value();
  profile.numbers += is_number ? 1 : 0;
  profile.amounts += is_number && text.find('.') != std::string_view::npos ? 1 : 0;
}

// Profile of the columns of one name, of one collection or two.
ColumnProfile profile_of(const std::vector<const RecordColumn*>& columns) {
  ColumnProfile profile;
  for (const RecordColumn* column : columns) {
    const std::uint32_t end = std::min(column->distinct(), kMostValuesSeen);
    for (std::uint32_t value = 1; value < end; ++value) {
      const std::string_view text = column->text(value);
      if (is_missing_value(text)) continue;
      profile.is_constant = profile.values == 0 || (profile.is_constant && text == profile.first);
      if (profile.values == 0) profile.first = text;
      add_value(text, profile);
    }
  }
  if (profile.values == 0) return profile;
  for (double* sum : {&profile.mean_length, &profile.mean_words, &profile.codes, &profile.amounts,
                      &profile.numbers}) {
    *sum /= profile.values;
  }
  return profile;
}

LinkField field_of(const std::string& name, const ColumnProfile& profile) {
  constexpr double kSomeAmounts = 0.1;
  constexpr double kLongCode = 6;
  constexpr double kFewWords = 1.7;

  LinkField field;
  field.name = name;
  field.columns = {name};
  if (profile.numbers >= kNearlyAll && profile.amounts >= kSomeAmounts) {
    field.form.type = FieldType::number;
    field.comparison = {FieldMeasure::ratio, {0.02, 0.1, 0.3}};
  } else if (profile.codes >= kNearlyAll) {
    field.form.clean = FieldClean::alnum;
    field.comparison = {FieldMeasure::damerau, {1, 2}};
    if (profile.mean_length < kLongCode) field.comparison.bounds.pop_back();
  } else if (profile.mean_words <= kFewWords) {
    field.comparison = {FieldMeasure::jaro_winkler, {0.92, 0.82, 0.7}};
  } else if (profile.mean_words <= kManyWords) {
    field.comparison = {FieldMeasure::cosine, {0.7, 0.5, 0.3}};
  } else {
    field.comparison = {FieldMeasure::tfidf, {0.8, 0.6, 0.45, 0.3}};
  }
  return field;
}

const RecordColumn* column_called(const RecordRows& rows, const std::string& name) {
  const auto found = std::find_if(rows.columns.begin(), rows.columns.end(),
                                  [&](const RecordColumn& column) { return column.name == name; });
  return found == rows.columns.end() ? nullptr : &*found;
}

std::string names_of(const std::vector<std::string>& fields) {
  return fields.empty() ? "none" : fmt::format("{}", fmt::join(fields, ", "));
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
    throw Error(ErrorKind::malformed_input,
                "the collections have no field in common to be compared by",
                fmt::format("one has {}; the other one {}; --rules can name columns_right",
                            names_of(left.fields), names_of(right->fields)));
  }
  std::vector<std::string> shown(
      notes.begin(),
      notes.begin() + static_cast<std::ptrdiff_t>(std::min(notes.size(), kMostNotes)));
  if (shown.size() < notes.size()) {
    shown.push_back(fmt::format("and {} more", notes.size() - shown.size()));
  }
  throw Error(ErrorKind::malformed_input, "the records have no field to be compared by",
              shown.empty() ? fmt::format("the fields there are: {}", names_of(left.fields))
                            : fmt::format("{}; --rules can compare what was left out",
                                          fmt::join(shown, "; ")));
}

bool is_long(const LinkField& field) noexcept {
  return field.comparison.measure == FieldMeasure::tfidf;
}

// Prose says in other words what other texts say: it is compared together with them, and not alone.
void join_texts(const std::vector<std::string>& prose, LinkRules& rules) {
  LinkField joined;
  for (const LinkField& field : rules.fields) {
    if (is_long(field)) joined.columns.push_back(field.name);
  }
  if (prose.empty() || joined.columns.size() < 2) return;
  joined.name = fmt::format("{}", fmt::join(joined.columns, "_"));
  joined.comparison = {FieldMeasure::tfidf, {0.6, 0.45, 0.35, 0.25, 0.15}};
  for (LinkField& field : rules.fields) {
    field.is_compared = std::find(prose.begin(), prose.end(), field.name) == prose.end();
  }
  rules.fields.push_back(std::move(joined));
}

// A column that both collections have, and that tells records apart.
struct TellingColumn {
  const RecordColumn* left;
  const RecordColumn* right;  // null: there is one collection
  ColumnProfile profile;
};

// Leaves out columns that repeat others: what is said twice would count twice.
template <typename LeaveOut>
std::vector<TellingColumn> without_repeated(const std::vector<TellingColumn>& all,
                                            const LeaveOut& leave_out) {
  std::vector<const RecordColumn*> left;
  std::vector<const RecordColumn*> right;
  for (const TellingColumn& column : all) {
    left.push_back(column.left);
    if (column.right != nullptr) right.push_back(column.right);
  }
  const auto repeats = repeated_columns(left, right);
  std::vector<TellingColumn> kept;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (repeats[i].empty()) {
      kept.push_back(all[i]);
      continue;
    }
    std::vector<std::string> names;
    for (const std::uint32_t of : repeats[i]) names.push_back(all[of].left->name);
    leave_out(all[i].left->name, fmt::format("it repeats {}", fmt::join(names, ", ")));
  }
  return kept;
}

// Leaves out the fields behind a limit: of very many the first ones are named, and the rest
// counted.
template <typename LeaveOut>
void leave_out_many(const std::vector<std::string>& names, const std::string& reason,
                    const LeaveOut& leave_out) {
  constexpr std::size_t kMostNamed = 20;
  for (std::size_t i = 0; i < std::min(names.size(), kMostNamed); ++i) leave_out(names[i], reason);
  if (names.size() <= kMostNamed) return;
  leave_out(names.back(), fmt::format("{}; {} fields before it are left out as well", reason,
                                      names.size() - 1 - kMostNamed));
}

// Calls leave_out(name, reason) for the others.
template <typename LeaveOut>
std::vector<TellingColumn> telling_columns(const RecordRows& left, const RecordRows* right,
                                           const LeaveOut& leave_out) {
  const std::uint64_t records = std::uint64_t{left.rows} + (right == nullptr ? 0 : right->rows);
  std::vector<TellingColumn> telling;
  std::vector<std::string> not_seen;
  for (const RecordColumn& column : left.columns) {
    if (telling.size() == kMostColumnsSeen) {
      not_seen.push_back(column.name);
      continue;
    }
    std::vector<const RecordColumn*> columns = {&column};
    if (right != nullptr) columns.push_back(column_called(*right, column.name));
    if (columns.back() == nullptr) {
      leave_out(column.name, "the other collection does not have it");
      continue;
    }
    const ColumnProfile profile = profile_of(columns);
    // One record tells nothing of its columns.
    if (profile.is_constant && records > 1) {
      leave_out(column.name, profile.values == 0 ? "it is empty" : "it is constant");
    } else {
      telling.push_back({&column, right == nullptr ? nullptr : columns.back(), profile});
    }
  }
  leave_out_many(not_seen, fmt::format("at most {} are looked at", kMostColumnsSeen), leave_out);
  return without_repeated(telling, leave_out);
}

}  // namespace

ChosenRules choose_rules(const RecordRows& left, const RecordRows* right) {
  ChosenRules chosen;
  CandidateRule nearest;
  nearest.top = kNearest;
  nearest.near.prune = NearMeasure::kUsualPrune;
  std::vector<std::string> prose;
  const auto leave_out = [&](const std::string& name, const std::string& reason) {
    chosen.notes.push_back(fmt::format("field '{}' is left out: {}", name, reason));
  };
  std::vector<std::string> only_right;
  if (right != nullptr) {
    for (const RecordColumn& column : right->columns) {
      if (column_called(left, column.name) == nullptr) only_right.push_back(column.name);
    }
  }
  const std::vector<TellingColumn> telling = telling_columns(left, right, leave_out);
  for (const std::string& name : only_right)
    leave_out(name, "the left collection does not have it");
  std::vector<std::string> not_compared;
  for (const TellingColumn& column : telling) {
    if (chosen.rules.fields.size() == kMostComparedFields) {
      not_compared.push_back(column.left->name);
      continue;
    }
    nearest.fields.push_back(static_cast<std::uint32_t>(chosen.rules.fields.size()));
    chosen.rules.fields.push_back(field_of(column.left->name, column.profile));
    if (column.profile.mean_words >= kProse) prose.push_back(column.left->name);
  }
  leave_out_many(not_compared, fmt::format("at most {} are compared", kMostComparedFields),
                 leave_out);
  if (nearest.fields.empty()) refuse(left, right, chosen.notes);
  chosen.rules.candidates.push_back(std::move(nearest));
  join_texts(prose, chosen.rules);
  return chosen;
}

LinkField usual_field(const RecordColumn& left, const RecordColumn* right) {
  std::vector<const RecordColumn*> columns = {&left};
  if (right != nullptr) columns.push_back(right);
  LinkField field = field_of(left.name, profile_of(columns));
  field.is_compared = false;
  return field;
}

}  // namespace sosie

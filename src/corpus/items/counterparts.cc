// Compares columns of two collections: common values, common words, common records.
#include "corpus/items/counterparts.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <string_view>

#include "core/real_functions.h"
#include "represent/fields.h"

namespace sosie {
namespace {

constexpr std::uint32_t kDomainRecords = 2000;
constexpr std::size_t kAloneColumns = 64;  // most columns that look for a counterpart
constexpr double kLeastCosine = 0.2;
constexpr double kNaturalTwo = 0.693147180559945309417;  // logarithm of 2

using Counts = std::map<std::string, double, std::less<>>;

const RecordColumn* column_named(const RecordRows& rows, const std::string& name) {
  const auto found = std::find_if(rows.columns.begin(), rows.columns.end(),
                                  [&](const RecordColumn& column) { return column.name == name; });
  return found == rows.columns.end() ? nullptr : &*found;
}

template <typename Each>
void for_each_word(std::string_view cleaned, const Each& each) {
  while (!cleaned.empty()) {
    const std::string_view word = cleaned.substr(0, cleaned.find(' '));
    cleaned.remove_prefix(std::min(cleaned.size(), word.size() + 1));
    each(word);
  }
}

// Words of some records of a column, with their frequencies.
Counts word_counts(const RecordColumn& column) {
  Counts counts;
  FieldCleaner cleaner({FieldClean::words, FieldType::text, {}});
  const auto records = static_cast<std::uint32_t>(column.values.size());
  for (std::uint32_t record = 0; record < records;
       record += std::max(1U, records / kDomainRecords)) {
    for_each_word(cleaner.clean(column.text_of(record)),
                  [&](std::string_view word) { counts[std::string(word)] += 1; });
  }
  return counts;
}

double cosine_of(const Counts& left, const Counts& right) {
  double shared = 0;
  double lengths[2] = {0, 0};
  for (const auto& [word, count] : left) {
    lengths[0] += count * count;
    const auto found = right.find(word);
    if (found != right.end()) shared += count * found->second;
  }
  for (const auto& [word, count] : right) lengths[1] += count * count;
  return shared == 0 ? 0 : shared / std::sqrt(lengths[0] * lengths[1]);
}

std::string letters_of(const std::string& name) {
  return FieldCleaner({FieldClean::alnum, FieldType::text, {}}).clean(name);
}

struct NamedWords {
  std::string name;
  std::string letters;  // letters of its name
  Counts words;
};

// Columns of a collection that the other collection lacks.
std::vector<NamedWords> columns_alone(const RecordRows& rows, const RecordRows& other) {
  std::vector<NamedWords> alone;
  for (const RecordColumn& column : rows.columns) {
    if (alone.size() == kAloneColumns) break;
    if (column_named(other, column.name) != nullptr) continue;
    alone.push_back({column.name, letters_of(column.name), word_counts(column)});
  }
  return alone;
}

// Records by their cleaned value.
std::map<std::string, std::uint32_t> records_by_value(const RecordColumn& column) {
  std::map<std::string, std::uint32_t> records;
  FieldCleaner cleaner({FieldClean::alnum, FieldType::text, {}});
  for (std::uint32_t record = 0; record < column.values.size(); ++record) {
    records.emplace(cleaner.clean(column.text_of(record)), record);
  }
  return records;
}

using ColumnPairs = std::vector<std::pair<const RecordColumn*, const RecordColumn*>>;

struct Likeness {
  double likeness;
  std::size_t left;
  std::size_t right;
};

// Equal names count more than any words.
double likeness_of(const NamedWords& left, const NamedWords& right) {
  constexpr double kEqualNames = 2;
  return left.letters == right.letters ? kEqualNames : cosine_of(left.words, right.words);
}

// Words that the two records share, as shares of the left record's words, summed over the columns.
double shared_words(const ColumnPairs& columns, std::uint32_t left, std::uint32_t right) {
  FieldCleaner cleaner({FieldClean::words, FieldType::text, {}});
  double sum = 0;
  for (const auto& [of_left, of_right] : columns) {
    Counts words;
    for_each_word(cleaner.clean(of_right->text_of(right)),
                  [&](std::string_view word) { words.emplace(word, 1); });
    double all = 0;
    double shared = 0;
    for_each_word(cleaner.clean(of_left->text_of(left)), [&](std::string_view word) {
      all += 1;
      shared += words.contains(word) ? 1 : 0;
    });
    if (all > 0) sum += shared / all;
  }
  return sum;
}

}  // namespace

ValueShares value_shares(const std::vector<const RecordColumn*>& columns) {
  Counts counts;
  double records = 0;
  FieldCleaner cleaner({FieldClean::words, FieldType::text, {}});
  for (const RecordColumn* column : columns) {
    for (std::uint32_t value = 1; value < column->distinct(); ++value) {
      std::string cleaned = cleaner.clean(column->text(value));
      if (cleaned.empty()) continue;
      counts[std::move(cleaned)] += column->counts[value];
      records += column->counts[value];
    }
  }
  ValueShares shares(counts.begin(), counts.end());
  for (auto& share : shares) share.second /= records;
  return shares;
}

double entropy_of(const ValueShares& shares) {
  double bits = 0;
  for (const auto& share : shares) bits -= share.second * logarithm(share.second) / kNaturalTwo;
  return bits;
}

double overlap_of(const ValueShares& left, const ValueShares& right) {
  double sum = 0;
  for (auto a = left.begin(), b = right.begin(); a != left.end() && b != right.end();) {
    const int order = a->first.compare(b->first);
    if (order == 0) sum += std::min(a->second, b->second);
    a += order <= 0 ? 1 : 0;
    b += order >= 0 ? 1 : 0;
  }
  return sum;
}

std::vector<Counterpart> counterparts(const RecordRows& left, const RecordRows& right) {
  const std::vector<NamedWords> rights = columns_alone(right, left);
  if (rights.empty()) return {};
  const std::vector<NamedWords> lefts = columns_alone(left, right);
  std::vector<Likeness> alike;
  for (std::size_t i = 0; i < lefts.size(); ++i) {
    for (std::size_t j = 0; j < rights.size(); ++j) {
      const double likeness = likeness_of(lefts[i], rights[j]);
      if (likeness > kLeastCosine) alike.push_back({likeness, i, j});
    }
  }
  std::stable_sort(alike.begin(), alike.end(),
                   [](const Likeness& a, const Likeness& b) { return a.likeness > b.likeness; });
  constexpr auto kNone = static_cast<std::size_t>(-1);
  std::vector<std::size_t> right_of(lefts.size(), kNone);
  std::vector<bool> is_taken(rights.size());
  for (const Likeness& pair : alike) {
    if (right_of[pair.left] != kNone || is_taken[pair.right]) continue;
    right_of[pair.left] = pair.right;
    is_taken[pair.right] = true;
  }
  std::vector<Counterpart> found;
  for (std::size_t i = 0; i < lefts.size(); ++i) {
    if (right_of[i] != kNone) found.push_back({lefts[i].name, rights[right_of[i]].name});
  }
  return found;
}

bool are_numbered_apart(const RecordRows& left, const RecordRows& right,
                        const RecordColumn& of_left, const RecordColumn& of_right) {
  ColumnPairs others;
  for (const RecordColumn& column : left.columns) {
    const RecordColumn* other = column_named(right, column.name);
    if (other != nullptr && column.name != of_left.name) others.emplace_back(&column, other);
  }
  const auto lefts = records_by_value(of_left);
  std::vector<std::pair<std::uint32_t, std::uint32_t>> same;  // records with the same value
  for (const auto& [value, record] : records_by_value(of_right)) {
    const auto found = lefts.find(value);
    if (found != lefts.end()) same.emplace_back(found->second, record);
  }
  if (same.empty()) return true;
  double agreeing = 0;
  double by_chance = 0;
  for (std::size_t i = 0; i < std::min<std::size_t>(same.size(), kDomainRecords); ++i) {
    const std::size_t shifted = (i + 1 + same.size() / 2) % same.size();
    agreeing += shared_words(others, same[i].first, same[i].second);
    by_chance += shared_words(others, same[i].first, same[shifted].second);
  }
  return by_chance > 0 && agreeing <= 2 * by_chance;
}

}  // namespace sosie

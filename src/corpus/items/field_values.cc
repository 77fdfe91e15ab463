// Composes the values of a field from its columns.
#include "corpus/items/field_values.h"

#include <algorithm>
#include <limits>
#include <map>

namespace sosie {
namespace {

constexpr std::size_t kShownUnparsed = 3;

}  // namespace

class FieldValues::Cleaned {
 public:
  Cleaned(const RecordColumn& column, const FieldForm& form, const std::string& separator)
      : column_(column),
        cleaner_(form),
        separator_(separator),
        is_known_(column.distinct()),
        values_(column.distinct()) {}

  struct Value {
    std::string text;                  // empty for a list
    std::vector<std::string> members;  // members of a list
    bool is_unparsed = false;
  };

  [[nodiscard]] const Value& of(std::uint32_t record) {
    const std::uint32_t value = column_.values[record];
    if (!is_known_[value]) values_[value] = made(column_.text(value));
    is_known_[value] = true;
    return values_[value];
  }
  [[nodiscard]] const RecordColumn& column() const noexcept { return column_; }

 private:
  [[nodiscard]] Value made(std::string_view text) {
    Value value;
    if (separator_.empty()) {
      value.text = cleaner_.clean(text);
      value.is_unparsed = value.text.empty() && is_unparsed(text);
      return value;
    }
    while (!text.empty()) {
      const std::string_view part = text.substr(0, text.find(separator_));
      text.remove_prefix(std::min(text.size(), part.size() + separator_.size()));
      std::string member = cleaner_.clean(part);
      value.is_unparsed = value.is_unparsed || (member.empty() && is_unparsed(part));
      if (!member.empty()) value.members.push_back(std::move(member));
    }
    return value;
  }

  // Only a field with a format can have unparsed values.
  [[nodiscard]] bool is_unparsed(std::string_view text) const {
    return cleaner_.form().type != FieldType::text && !is_missing_value(text);
  }

  const RecordColumn& column_;
  FieldCleaner cleaner_;
  const std::string& separator_;
  std::vector<bool> is_known_;
  std::vector<Value> values_;
};

FieldValues::FieldValues(const LinkField& field, RecordColumn& made)
    : field_(field), made_(made), numbers_(made) {
  made.name = field.name;
}

void FieldValues::add(const std::vector<const RecordColumn*>& from, const FieldForm& form) {
  std::vector<Cleaned> parts;
  parts.reserve(from.size());
  for (const RecordColumn* column : from) {
    parts.emplace_back(*column, form, field_.separator);
  }
  const auto records = static_cast<std::uint32_t>(from.front()->values.size());
  if (!field_.separator.empty()) {
    add_lists(parts, records);
  } else if (parts.size() == 1) {
    add_one(parts.front());
  } else {
    add_several(parts, records);
  }
}

// Each value gets a single number.
void FieldValues::add_one(Cleaned& part) {
  constexpr std::uint32_t kUnknown = std::numeric_limits<std::uint32_t>::max();
  const RecordColumn& column = part.column();
  std::vector<std::uint32_t> number_of(column.distinct(), kUnknown);
  for (std::uint32_t record = 0; record < column.values.size(); ++record) {
    std::uint32_t& number = number_of[column.values[record]];
    if (number == kUnknown) {
      const Cleaned::Value& value = part.of(record);
      number = numbers_.number_of(value.text);
      if (value.is_unparsed) note_unparsed(std::string(column.text_of(record)));
    }
    if (number == RecordColumn::kMissing && part.of(record).is_unparsed) ++unparsed_.records;
    numbers_.append(number);
  }
}

void FieldValues::add_several(std::vector<Cleaned>& parts, std::uint32_t records) {
  if (!field_.brief.empty()) {
    add_brief(parts, records);
    return;
  }
  std::string joined;
  for (std::uint32_t record = 0; record < records; ++record) {
    joined.clear();
    bool is_unparsed = false;
    for (Cleaned& part : parts) {
      const Cleaned::Value& value = part.of(record);
      if (!joined.empty() && !value.text.empty()) joined += ' ';
      joined += value.text;
      if (value.is_unparsed) note_unparsed(std::string(part.column().text_of(record)));
      is_unparsed = is_unparsed || value.is_unparsed;
    }
    unparsed_.records += is_unparsed ? 1 : 0;
    numbers_.add(joined);
    if (!field_.swapped) continue;
    const std::string& first = parts.front().of(record).text;
    const std::string& second = parts.back().of(record).text;
    const bool has_both = !first.empty() && !second.empty();
    joined = second;
    joined += ' ';
    joined += first;
    made_.swapped.push_back(has_both ? numbers_.number_of(joined) : made_.values.back());
  }
}

// Brief columns come first. If records have the same text, the first one determines where they end.
void FieldValues::add_brief(std::vector<Cleaned>& parts, std::uint32_t records) {
  std::string joined;
  made_.brief_bytes.resize(made_.distinct());
  for (std::uint32_t record = 0; record < records; ++record) {
    joined.clear();
    std::size_t of_brief = 0;
    for (const bool brief : {true, false}) {
      for (std::size_t i = 0; i < parts.size(); ++i) {
        const auto& names = field_.brief;
        const bool is_brief =
            std::find(names.begin(), names.end(), field_.columns[i]) != names.end();
        const std::string& text = parts[i].of(record).text;
        if (is_brief != brief || text.empty()) continue;
        if (!joined.empty()) joined += ' ';
        joined += text;
      }
      if (brief) of_brief = joined.size();
    }
    numbers_.add(joined);
    if (made_.brief_bytes.size() < made_.distinct()) made_.brief_bytes.push_back(of_brief);
  }
}

void FieldValues::add_lists(std::vector<Cleaned>& parts, std::uint32_t records) {
  std::vector<std::string> members;
  for (std::uint32_t record = 0; record < records; ++record) {
    members.clear();
    bool is_unparsed = false;
    for (Cleaned& part : parts) {
      const Cleaned::Value& value = part.of(record);
      members.insert(members.end(), value.members.begin(), value.members.end());
      if (value.is_unparsed) note_unparsed(std::string(part.column().text_of(record)));
      is_unparsed = is_unparsed || value.is_unparsed;
    }
    unparsed_.records += is_unparsed ? 1 : 0;
    numbers_.append(list_of(members));
  }
}

// Number of the list with these members regardless of their order.
std::uint32_t FieldValues::list_of(std::vector<std::string>& members) {
  std::sort(members.begin(), members.end());
  members.erase(std::unique(members.begin(), members.end()), members.end());
  std::string joined;
  for (const std::string& member : members) {
    if (!joined.empty()) {
      joined += field_.separator;
      joined += ' ';
    }
    joined += member;
  }
  const std::uint32_t number = numbers_.number_of(joined);
  if (members.size() < 2 || lists_.contains(number)) return number;
  if (members.size() > kMostMembers) {
    members.resize(kMostMembers);
    ++cut_lists_;
  }
  std::vector<std::uint32_t> numbers;
  numbers.reserve(members.size());
  for (const std::string& member : members) numbers.push_back(numbers_.number_of(member));
  lists_.emplace(number, std::move(numbers));
  return number;
}

void FieldValues::note_unparsed(const std::string& text) {
  std::vector<std::string>& first = unparsed_.first;
  if (first.size() == kShownUnparsed) return;
  if (std::find(first.begin(), first.end(), text) == first.end()) first.push_back(text);
}

void FieldValues::finish() {
  if (!field_.separator.empty()) {
    made_.member_starts.assign(1, 0);
    made_.member_starts.reserve(std::size_t{made_.distinct()} + 1);
    for (std::uint32_t value = 0; value < made_.distinct(); ++value) {
      const auto found = lists_.find(value);
      if (found != lists_.end()) {
        made_.members.insert(made_.members.end(), found->second.begin(), found->second.end());
      }
      made_.member_starts.push_back(made_.members.size());
    }
    lists_.clear();
  }
  if (!field_.nickname_rows.empty()) fill_nicknames();
}

void FieldValues::fill_nicknames() {
  FieldCleaner cleaner(field_.form);
  std::map<std::string, std::vector<std::uint32_t>, std::less<>> rows_of;  // by name, ascending
  for (std::uint32_t row = 0; row < field_.nickname_rows.size(); ++row) {
    for (const std::string& name : field_.nickname_rows[row]) {
      const std::string cleaned = cleaner.clean(name);
      if (cleaned.empty()) continue;
      std::vector<std::uint32_t>& rows = rows_of[cleaned];
      if (rows.empty() || rows.back() != row) rows.push_back(row);
    }
  }
  made_.nickname_starts.assign(1, 0);
  made_.nickname_starts.reserve(std::size_t{made_.distinct()} + 1);
  for (std::uint32_t value = 0; value < made_.distinct(); ++value) {
    std::string_view text = made_.text(value);
    for (std::uint32_t place = 0; !text.empty(); ++place) {
      const std::string_view word = text.substr(0, text.find(' '));
      text.remove_prefix(std::min(text.size(), word.size() + 1));
      const auto found = rows_of.find(word);
      if (found == rows_of.end()) continue;
      for (const std::uint32_t row : found->second) made_.nicknames.push_back({place, row});
    }
    made_.nickname_starts.push_back(made_.nicknames.size());
  }
}

}  // namespace sosie

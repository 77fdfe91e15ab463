// Texts of several fields of a record as one, and their sets of shingles.
#include "corpus/items/joined_values.h"

#include <string>

#include "corpus/items/record_fields.h"
#include "corpus/items/value_numbers.h"

namespace sosie {

JoinedValues::JoinedValues(const RecordTable& table, std::span<const std::uint32_t> fields)
    : across_(table.across) {
  ValueNumbers left(left_);
  ValueNumbers right(right_);
  std::string text;
  for (std::uint32_t record = 0; record < table.size(); ++record) {
    join_text(table, fields, record, text);
    (record < table.left ? left : right).add(text);
  }
}

std::vector<std::uint32_t> JoinedValues::keys() const {
  std::vector<std::uint32_t> keys = left_.values;
  keys.reserve(keys.size() + right_.values.size());
  for (const std::uint32_t value : right_.values) {
    keys.push_back(value == RecordColumn::kMissing ? 0 : left_items() + value);
  }
  return keys;
}

HashedSets sets_of(const JoinedValues& values, const ShingleRecipe& recipe, ThreadPool& pool) {
  return shingle_texts(
      values.size(), [&](std::uint32_t item, std::string& text) { text = values.text(item); },
      recipe, pool);
}

}  // namespace sosie

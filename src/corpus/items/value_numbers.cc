// Numbers the distinct values of a field, or of several joined fields, with open-addressing hash
// tables.
#include "corpus/items/value_numbers.h"

#include <xxhash.h>

#include <array>
#include <limits>
#include <string>
#include <utility>

#include "corpus/items/record_fields.h"
#include "sosie/error.h"

namespace sosie {
namespace {

std::uint32_t short_hash(std::string_view text) noexcept {
  return static_cast<std::uint32_t>(XXH3_64bits(text.data(), text.size()));
}

}  // namespace

std::uint32_t ValueNumbers::number_of(std::string_view text) {
  return number_of(text, short_hash(text));
}

void ValueNumbers::numbers_of(std::span<const std::string_view> texts,
                              std::span<std::uint32_t> numbers) {
  std::array<std::uint32_t, kAtOnce> hashes;
  if (slots_.empty()) grow();
  const std::size_t mask = slots_.size() - 1;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    hashes[i] = short_hash(texts[i]);
    __builtin_prefetch(&slots_[hashes[i] & mask]);
  }
  const auto likely = [&](std::size_t i) {
    const Slot& slot = slots_[hashes[i] & mask];
    return slot.hash == hashes[i] ? slot.number : 0;
  };
  for (std::size_t i = 0; i < texts.size(); ++i) {
    __builtin_prefetch(&column_->starts[likely(i)]);
  }
  for (std::size_t i = 0; i < texts.size(); ++i) {
    __builtin_prefetch(&column_->bytes[column_->starts[likely(i)]]);
  }
  for (std::size_t i = 0; i < texts.size(); ++i) numbers[i] = number_of(texts[i], hashes[i]);
}

std::uint32_t ValueNumbers::number_of(std::string_view text, std::uint32_t hash) {
  if (text.empty()) return RecordColumn::kMissing;
  if (2 * std::size_t{column_->distinct()} >= slots_.size()) grow();
  Slot& slot = slots_[slot_of(text, hash)];
  if (slot.number != 0) return slot.number;
  if (column_->distinct() == std::numeric_limits<std::uint32_t>::max()) {
    throw Error(ErrorKind::limit_exceeded, "field '" + column_->name + "': too many values");
  }
  slot = {column_->distinct(), hash};
  column_->bytes += text;
  column_->starts.push_back(column_->bytes.size());
  column_->counts.push_back(0);
  return slot.number;
}

void ValueNumbers::append(std::uint32_t value) {
  column_->values.push_back(value);
  ++column_->counts[value];
}

std::size_t ValueNumbers::slot_of(std::string_view text, std::uint32_t hash) const noexcept {
  const std::size_t mask = slots_.size() - 1;
  std::size_t place = hash & mask;
  for (; slots_[place].number != 0; place = (place + 1) & mask) {
    const Slot& slot = slots_[place];
    if (slot.hash == hash && column_->text(slot.number) == text) break;
  }
  return place;
}

void ValueNumbers::grow() {
  constexpr std::size_t kLeastSlots = 64;
  std::vector<Slot> grown(slots_.empty() ? kLeastSlots : 2 * slots_.size());
  const std::size_t mask = grown.size() - 1;
  for (const Slot& slot : slots_) {
    if (slot.number == 0) continue;
    std::size_t place = slot.hash & mask;
    while (grown[place].number != 0) place = (place + 1) & mask;
    grown[place] = slot;
  }
  slots_ = std::move(grown);
}

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

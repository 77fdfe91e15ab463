// Numbers the different values of a field by an open hash table.
#include "corpus/value_numbers.h"

#include <xxhash.h>

#include <limits>

#include "sosie/error.h"

namespace sosie {

std::uint32_t ValueNumbers::number_of(std::string_view text) {
  if (text.empty()) return RecordColumn::kMissing;
  if (2 * std::size_t{column_->distinct()} >= slots_.size()) grow();
  const std::size_t slot = slot_of(text);
  if (slots_[slot] != 0) return slots_[slot];
  if (column_->distinct() == std::numeric_limits<std::uint32_t>::max()) {
    throw Error(ErrorKind::limit_exceeded, "field '" + column_->name + "': too many values");
  }
  slots_[slot] = column_->distinct();
  column_->bytes += text;
  column_->starts.push_back(column_->bytes.size());
  column_->counts.push_back(0);
  return slots_[slot];
}

void ValueNumbers::append(std::uint32_t value) {
  column_->values.push_back(value);
  ++column_->counts[value];
}

std::size_t ValueNumbers::slot_of(std::string_view text) const noexcept {
  const std::size_t mask = slots_.size() - 1;
  std::size_t slot = XXH3_64bits(text.data(), text.size()) & mask;
  while (slots_[slot] != 0 && column_->text(slots_[slot]) != text) slot = (slot + 1) & mask;
  return slot;
}

void ValueNumbers::grow() {
  constexpr std::size_t kLeastSlots = 64;
  slots_.assign(slots_.empty() ? kLeastSlots : 2 * slots_.size(), 0);
  for (std::uint32_t value = 1; value < column_->distinct(); ++value) {
    slots_[slot_of(column_->text(value))] = value;
  }
}

}  // namespace sosie

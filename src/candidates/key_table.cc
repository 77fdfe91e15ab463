// Open hash table from band keys to chains of items.
#include "candidates/key_table.h"

#include <algorithm>

#include "core/mix64.h"
#include "sosie/error.h"

namespace sosie {
namespace {

constexpr std::size_t kLeastTableSlots = 1024;

}  // namespace

std::size_t KeyTable::slot_of(std::uint64_t key) const noexcept {
  return mix64(key) & (slots_.size() - 1);
}

void KeyTable::chain(std::size_t slots) {
  slots_.assign(slots, kNone);
  for (std::uint32_t i = 0; i < postings_.size(); ++i) {
    std::uint32_t& last = slots_[slot_of(postings_[i].key)];
    postings_[i].previous = last;
    last = i;
  }
}

void KeyTable::add(std::uint64_t key, Place item) {
  if (postings_.size() == kNone) {
    throw Error(ErrorKind::limit_exceeded, "an index of more than 4,294,967,295 band keys");
  }
  if (postings_.size() == slots_.size()) chain(std::max(kLeastTableSlots, 2 * slots_.size()));
  std::uint32_t& last = slots_[slot_of(key)];
  postings_.push_back({key, item, last});
  last = static_cast<std::uint32_t>(postings_.size() - 1);
}

void KeyTable::renumber(const std::vector<Place>& new_number) {
  for (Posting& posting : postings_) posting.item = new_number[posting.item];
  std::erase_if(postings_, [](const Posting& posting) { return posting.item == kNoPlace; });
  postings_.shrink_to_fit();
  std::size_t slots = kLeastTableSlots;
  while (slots < postings_.size()) slots *= 2;
  slots_.shrink_to_fit();
  chain(slots);
}

}  // namespace sosie

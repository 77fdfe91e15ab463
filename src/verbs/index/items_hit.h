#pragma once

#include <algorithm>
#include <cstdint>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/ids.h"
#include "join/sets/index_lookup.h"
#include "options/items_as_file.h"

namespace sosie {

// Indexed items found by look-ups, without duplicates.
class ItemsHit {
 public:
  // The item's place in the order in which items are found.
  Place add(const IndexHit& hit) {
    const auto [at, added] = places_.try_emplace(hit.number, static_cast<Place>(items_.size()));
    if (!added) return at->second;
    items_.push_back(hit);
    constexpr std::uint64_t kItemBytes = 256;  // including its data in tables and in the corpus
    bytes_ += kItemBytes + hit.name.size() + 2 * hit.text.size();
    for (const auto& [name, value] : hit.fields) bytes_ += 2 * (name.size() + value.size());
    return at->second;
  }

  [[nodiscard]] std::uint64_t bytes() const noexcept { return bytes_; }

  // Appends the items by number, and records the row number of each place.
  void list(ItemsAsFile& rows) {
    std::vector<Place> sorted(items_.size());
    for (Place place = 0; place < sorted.size(); ++place) sorted[place] = place;
    std::sort(sorted.begin(), sorted.end(),
              [&](Place a, Place b) { return items_[a].number < items_[b].number; });
    rows_.resize(sorted.size());
    for (const Place place : sorted) {
      const IndexHit& item = items_[place];
      rows_[place] = static_cast<RowId>(rows.numbers().size());
      rows.add(item.number, item.name, item.name_is_integer, item.text, item.fields);
    }
    std::vector<IndexHit>().swap(items_);
    std::unordered_map<std::uint64_t, Place>().swap(places_);
  }
  [[nodiscard]] RowId row_of(Place place) const { return rows_[place]; }

 private:
  std::unordered_map<std::uint64_t, Place> places_;  // by number
  std::vector<IndexHit> items_;
  std::vector<RowId> rows_;  // by place
  std::uint64_t bytes_ = 0;
};

}  // namespace sosie

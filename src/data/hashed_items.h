#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/mix64.h"

namespace sosie {

// Number and form of the hashes that a plan gives each vector or bit string.
struct HashShape {
  std::size_t bands = 1;
  std::size_t functions = 0;     // cells per band, as in BandedRows; 0: bands have keys
  std::size_t sketch_words = 0;  // 0: the item is its own sketch

  [[nodiscard]] std::size_t keys() const noexcept { return functions > 0 ? 0 : bands; }
  [[nodiscard]] std::size_t cells() const noexcept { return bands * functions; }
  // Size of an item's hashes in bytes.
  [[nodiscard]] std::size_t item_bytes() const noexcept {
    return sizeof(Hash128) + keys() * sizeof(std::uint32_t) +
           cells() * (sizeof(std::uint8_t) + sizeof(std::uint32_t)) +
           sketch_words * sizeof(std::uint64_t);
  }
};

// Hashes of vectors or bit strings that were all made with the same plan, item by item: the keys or
// cells that joins by bands compare, and identities that reveal changed items. The tables have the
// same form as in BandedRows.
struct HashedItems {
  std::vector<Hash128> identities;  // hashes of the items themselves
  std::vector<std::uint32_t> keys;
  std::vector<std::uint8_t> cells;
  std::vector<std::uint32_t> near;
  std::vector<std::uint64_t> sketches;

  [[nodiscard]] std::size_t size() const noexcept { return identities.size(); }
};

}  // namespace sosie

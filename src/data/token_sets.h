#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "data/buckets.h"

namespace sosie {

// Sets of 64-bit hashes by place, each without duplicates.
struct HashedSets {
  std::vector<std::uint64_t> starts{0};  // set i holds hashes[starts[i] .. starts[i + 1])
  std::vector<std::uint64_t> hashes;

  [[nodiscard]] std::size_t size() const noexcept { return starts.size() - 1; }
};

using TokenView = std::span<const std::uint32_t>;

// Sets of tokens, sorted by ascending size (ties: by place). Elements are numbered rarest first;
// tokens below first_shared occur in only one set.
struct TokenSets {
  std::vector<Place> places;             // place of each set
  std::vector<std::uint64_t> starts{0};  // set i holds tokens[starts[i] .. starts[i + 1])
  std::vector<std::uint32_t> tokens;     // ascending within a set
  std::uint32_t first_shared = 0;
  std::uint32_t universe = 0;  // every token is below this number

  [[nodiscard]] std::uint32_t size() const noexcept {
    return static_cast<std::uint32_t>(places.size());
  }
  [[nodiscard]] TokenView operator[](std::uint32_t i) const noexcept {
    return {tokens.data() + starts[i], tokens.data() + starts[i + 1]};
  }
};

// 64-bit shingle hashes, ascending and without duplicates. Shares ownership of the memory that
// holds them.
class ShingleSet {
 public:
  using Block = std::vector<std::uint64_t>;

  ShingleSet() = default;
  ShingleSet(std::shared_ptr<const Block> block, std::span<const std::uint64_t> hashes)
      : block_(std::move(block)), hashes_(hashes) {}

  // False only if default-constructed; true even for an empty set.
  explicit operator bool() const noexcept { return block_ != nullptr; }
  [[nodiscard]] std::span<const std::uint64_t> hashes() const noexcept { return hashes_; }
  [[nodiscard]] std::size_t size() const noexcept { return hashes_.size(); }

 private:
  std::shared_ptr<const Block> block_;
  std::span<const std::uint64_t> hashes_;
};

}  // namespace sosie

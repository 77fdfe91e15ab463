#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace sosie {

// Ascending 64-bit shingle hashes without repetitions, and a share in the memory that they lie in.
class ShingleSet {
 public:
  using Block = std::vector<std::uint64_t>;

  ShingleSet() = default;
  ShingleSet(std::shared_ptr<const Block> block, std::span<const std::uint64_t> hashes)
      : block_(std::move(block)), hashes_(hashes) {}

  // False for the set that was made of nothing; an empty set is true.
  explicit operator bool() const noexcept { return block_ != nullptr; }
  [[nodiscard]] std::span<const std::uint64_t> hashes() const noexcept { return hashes_; }
  [[nodiscard]] std::size_t size() const noexcept { return hashes_.size(); }

 private:
  std::shared_ptr<const Block> block_;
  std::span<const std::uint64_t> hashes_;
};

}  // namespace sosie

#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "candidates/byte_panels.h"
#include "core/thread_pool.h"
#include "pipeline/measured/vector_sides.h"

namespace sosie {

// Tells which pairs of the sides may reach a bound, with no false negatives: by 8-bit integers or,
// where these let many pass, by 16-bit ones. Which of the two depends on the vectors alone.
class VectorFilter {
 public:
  // No bound: every pair may. `sides` outlive this.
  VectorFilter(VectorSides& sides, std::optional<double> bound, ThreadPool& pool);

  [[nodiscard]] std::size_t left_count() const noexcept { return left_count_; }
  [[nodiscard]] std::size_t right_count() const noexcept { return right_count_; }
  // So many right panels fit the second cache.
  [[nodiscard]] std::size_t cached_panels() const noexcept;

  // Bit y of hits[(right panel - rights.begin) * 32 + x]: whether row x of a left panel and row y
  // of the right one may be a pair. Bits of rows that there are not mean nothing.
  void candidates(std::size_t panel, const PanelStretch& rights,
                  std::span<std::uint32_t> hits) const;

 private:
  void use_bytes(double bound, ThreadPool& pool);
  void use_words(double bound, ThreadPool& pool);
  // The part of some pairs, spread evenly, that are candidates.
  [[nodiscard]] double passing_part() const;
  [[nodiscard]] const BytePanels& right_bytes() const noexcept {
    return sides_.is_self() ? *left_bytes_ : *right_bytes_;
  }

  VectorSides& sides_;
  std::size_t left_count_;
  std::size_t right_count_;
  std::unique_ptr<BytePanels> left_bytes_;  // null: words, or no bound
  std::unique_ptr<BytePanels> right_bytes_;
  BytePanels::Limits byte_limits_;
  std::vector<std::int32_t> word_limits_;  // of left rows, whole panels; empty: no words
};

}  // namespace sosie

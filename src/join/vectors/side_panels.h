#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "candidates/vector_panels.h"
#include "core/thread_pool.h"
#include "join/vectors/vector_sides.h"

namespace sosie {

// The form of the components by which a join or search finds candidates: 8-bit integers, 16-bit
// integers, or neither.
enum class PanelForm : std::uint8_t { none, bytes, words };

// Consecutive panels that contain some rows of a side.
struct SidePanels {
  PanelStretch place = {};              // among all panels of the side
  std::unique_ptr<BytePanels> bytes;    // null: another form
  std::unique_ptr<VectorPanels> words;  // null: another form
};

// Builds panels of any rows of the sides, which must outlive this object. The result for a row does
// not depend on the other rows.
class PanelMaker {
 public:
  PanelMaker(const VectorSides& sides, PanelForm form);

  [[nodiscard]] PanelForm form() const noexcept { return form_; }
  [[nodiscard]] std::size_t left_count() const noexcept { return left_count_; }
  [[nodiscard]] std::size_t right_count() const noexcept { return right_count_; }
  // Number of right panels that fit in the second-level cache.
  [[nodiscard]] std::size_t cached_panels() const noexcept;
  // Bytes per right panel, including limits.
  [[nodiscard]] std::uint64_t panel_bytes() const noexcept;

  [[nodiscard]] SidePanels lefts(const PanelStretch& place) const;
  [[nodiscard]] SidePanels rights(const PanelStretch& place) const;

 private:
  [[nodiscard]] SidePanels make(const VectorSubset& side, const PanelStretch& place) const;

  const VectorSides* sides_;
  PanelForm form_;
  std::size_t left_count_;
  std::size_t right_count_;
  ByteScale scale_;            // scale of byte panels
  double largest_length_ = 0;  // largest length in word panels
};

// Maximum number of bytes that right panels take per row of this dimension regardless of their
// form.
[[nodiscard]] std::uint64_t most_panel_bytes(std::size_t dimension) noexcept;

// The right panels of a filter, divided into chunks. As many as fit are in memory at the same
// time. If all fit, each is built only once.
template <class Panels>
class HeldPanels {
 public:
  using Make = std::function<Panels(const PanelStretch& place)>;

  // `most`: number of panels that fit in memory. At least one chunk is always held.
  HeldPanels(std::vector<PanelStretch> chunks, std::uint64_t most, Make make)
      : chunks_(std::move(chunks)), most_(most), make_(std::move(make)) {
    holds_all_ = end_of(0) == chunks_.size();
  }

  [[nodiscard]] const std::vector<PanelStretch>& chunks() const noexcept { return chunks_; }
  [[nodiscard]] bool holds_all() const noexcept { return holds_all_; }

  // Ensures that chunk `first` is in memory, and as many of the following chunks as fit. Returns
  // the end of these chunks.
  std::size_t hold(std::size_t first, ThreadPool& pool) {
    if (holds_all_) first = 0;
    const std::size_t end = end_of(first);
    if (first_ == first && first_ + held_.size() == end) return end;
    held_.clear();
    held_.resize(end - first);
    first_ = first;
    pool.for_each(held_.size(), [&](unsigned /*worker*/, std::size_t i) {
      pool.check_cancelled();
      held_[i] = make_(chunks_[first + i]);
    });
    return end;
  }
  [[nodiscard]] const Panels& operator[](std::size_t chunk) const { return held_[chunk - first_]; }

 private:
  [[nodiscard]] std::size_t end_of(std::size_t first) const noexcept {
    std::uint64_t panels = 0;
    std::size_t end = first;
    for (; end < chunks_.size(); ++end) {
      panels += chunks_[end].end - chunks_[end].begin;
      if (panels > most_ && end > first) break;
    }
    return end;
  }

  std::vector<PanelStretch> chunks_;
  std::uint64_t most_;
  Make make_;
  bool holds_all_ = false;
  std::size_t first_ = 0;  // first chunk in memory
  std::vector<Panels> held_;
};

// Memory for an exact join or search of vectors, not counting the vectors themselves.
struct ExactMemoryShare {
  std::uint64_t panel_bytes = ~std::uint64_t{0};        // for panels of right rows
  std::uint64_t pair_bytes = std::uint64_t{256} << 20;  // for pairs
};

struct ExactNeeds {
  std::uint64_t besides = 0;       // bytes in use throughout, including vectors
  std::uint64_t memory_bytes = 0;  // memory of the run
  std::size_t dimension = 0;
  unsigned threads = 1;
};

// Throws Error{limit_exceeded}, naming a sufficient limit, if there is too little memory.
[[nodiscard]] ExactMemoryShare exact_memory_share(const ExactNeeds& needs);

// Minimum memory for a join or search, not counting the vectors themselves. If there are few left
// rows, a join is no slower with it.
[[nodiscard]] ExactMemoryShare least_memory_share(std::size_t dimension) noexcept;
[[nodiscard]] std::uint64_t least_exact_bytes(std::size_t dimension, unsigned threads) noexcept;

// Bytes per row of an exact join, apart from its components: its squared length, and the hash that
// is used to find equal rows.
inline constexpr std::uint64_t kExactRowBytes = 32;

// Number of left panels per task of a join; their rows stay in the first-level cache.
inline constexpr std::size_t kLeftPanels = 4;

}  // namespace sosie

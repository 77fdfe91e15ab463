#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "candidates/vector_panels.h"
#include "core/thread_pool.h"
#include "data/columns.h"
#include "join/scored_pairs.h"
#include "join/vectors/vector_searcher.h"
#include "options/vector_settings.h"

namespace sosie {

// Vectors among which the nearest are looked up, as with VectorSearcher. With settings.list_recall
// they are arranged in lists, each around a center (k-means), and a row is compared only with the
// vectors in the lists whose centers are nearest to it. How many lists suffice for the recall is
// determined by measurement: a thousand of the vectors look up their nearest neighbours among the
// others. Centers are 8-bit integers, so that the results depend only on vectors and settings, not
// on threads or the CPU. Memory: as for VectorSearcher, plus the centers and 4 bytes per vector;
// during construction, 8 more per vector and bytes of some vectors. Source: an inverted file as in
// Jegou, Douze, Schmid, "Product quantization for nearest neighbor search" (2011), without the
// quantizer of the residual.
class IvfIndex {
 public:
  // `data` must outlive this object.
  IvfIndex(const VectorColumn& data, VectorSettings settings, ThreadPool& pool);
  IvfIndex(const IvfIndex&) = delete;
  IvfIndex& operator=(const IvfIndex&) = delete;
  ~IvfIndex() = default;

  // Like VectorSearcher::find(). Searches lists if there are lists and the number of nearest
  // vectors is limited and at most kMostListed; otherwise, searches all vectors.
  static constexpr std::uint64_t kMostListed = 100;
  std::uint64_t find(const VectorColumn& asked, std::uint64_t most, ThreadPool& pool,
                     std::vector<std::vector<ScoredPair>>& found) const;

  // Number of lists searched for this number of nearest vectors, and the share of these that was
  // found.
  struct Probing {
    std::size_t lists = 0;
    std::size_t of = 0;
    double recall = 1;
  };
  // nullopt if all vectors are searched.
  [[nodiscard]] std::optional<Probing> probing(std::uint64_t most) const;

 private:
  // The centers of the lists, as integers.
  class Centers {
   public:
    Centers() = default;
    Centers(const VectorColumn& data, bool by_angle, ThreadPool& pool);

    [[nodiscard]] std::size_t count() const noexcept { return squares_.size(); }
    // The centers nearest to a row, nearest first; ties are in the order of the centers.
    [[nodiscard]] std::vector<std::uint32_t> nearest(const VectorColumn& column, std::size_t row,
                                                     std::size_t most) const;

   private:
    using Bytes = std::vector<std::int8_t>;

    void put_bytes(const VectorColumn& column, std::size_t row, std::int8_t* out) const;
    [[nodiscard]] std::vector<std::uint32_t> nearest_to(const std::int8_t* bytes,
                                                        std::size_t most) const;
    void set(Bytes centers);
    void move_to_means(const Bytes& rows, const std::vector<std::uint32_t>& nearest);

    ByteScale scale_;
    std::size_t dimension_ = 0;
    Bytes bytes_;                        // center by center
    std::vector<std::int64_t> squares_;  // their squared lengths
  };
  struct Lists {
    Centers centers;                   // empty: there are no lists
    std::vector<std::uint32_t> order;  // vectors, list by list
    std::vector<std::size_t> starts;   // by list, its start in the order; then the end
  };

  [[nodiscard]] static Lists lists_of(const VectorColumn& data, const VectorSettings& settings,
                                      ThreadPool& pool);
  [[nodiscard]] std::vector<std::vector<std::size_t>> trial_ranks(ThreadPool& pool) const;
  [[nodiscard]] Probing enough_lists(const std::vector<std::vector<std::size_t>>& ranks,
                                     std::uint64_t top) const;
  // Appends the panels of the lists around these centers, nearest first.
  void add_panels(std::span<const std::uint32_t> lists, std::vector<PanelStretch>& stretches) const;

  const VectorColumn& data_;
  VectorSettings settings_;
  Lists lists_;
  VectorSearcher searched_;
  std::vector<Probing> probings_;  // by kTops
};

}  // namespace sosie

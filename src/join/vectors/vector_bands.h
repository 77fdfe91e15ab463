#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/thread_pool.h"
#include "corpus/items/sketched_items.h"
#include "data/banded_rows.h"
#include "data/columns.h"
#include "data/hash_family.h"
#include "plan/lsh_plan.h"
#include "sketch/cross_polytopes.h"

namespace sosie {

// The plan by which vectors are hashed. For the family cross-polytope, sketches are made with
// hyperplanes.
struct VectorHashing {
  const HashFamily* family = nullptr;  // one by angle, Euclidean or Manhattan distance
  LshPlan plan;
  std::uint64_t seed = 1;
};

// Keys and sketches of the vectors in a column. Memory during computation: 32 MiB, or as much as 64
// functions and 64 vectors need.
class VectorBands {
 public:
  // The column, the pool and `known` (hashes from files; may be null) must outlive this object.
  VectorBands(const VectorColumn& column, const VectorHashing& hashing, ThreadPool& pool,
              SketchedItems* known = nullptr);

  // Computes the keys of some rows in these bands of the plan, which become the only bands of the
  // table. `sketches`: also computes the rows' sketches, which are kept. Throws Error{cancelled},
  // and as SketchedItems does.
  void hash(const BandRange& bands, std::span<const std::uint32_t> rows, bool sketches);

  // The keys and sketches for a join; valid for rows that have been hashed.
  [[nodiscard]] const BandedRows& table() const noexcept { return table_; }
  // Moves all hashes of the column out, after hash() has been called for all its rows and bands.
  [[nodiscard]] HashedItems take() &&;

 private:
  // Functions that are evaluated together: those for some bands and for some words of sketches.
  struct Step {
    BandRange bands;
    std::size_t first_word = 0;
    std::size_t last_word = 0;
  };
  [[nodiscard]] VectorColumn normals_of(const Step& step) const;
  [[nodiscard]] std::vector<Step> steps(const BandRange& bands, bool sketches) const;
  void by_hyperplanes(const Step& step, std::span<const std::uint32_t> rows);
  void by_rotations(const Step& step, std::span<const std::uint32_t> rows);
  [[nodiscard]] CrossPolytopes polytopes_of(const BandRange& bands) const;
  void by_polytopes(const BandRange& bands, std::span<const std::uint32_t> rows);
  void by_near_vertices(const BandRange& bands, std::span<const std::uint32_t> rows);
  void by_segments(const Step& step, std::span<const std::uint32_t> rows);

  [[nodiscard]] std::size_t band_rows() const noexcept {
    return static_cast<std::size_t>(hashing_.plan.rows);
  }
  // The keys of a row in some bands, which the table must contain.
  [[nodiscard]] std::span<std::uint32_t> keys_of(std::size_t row, const BandRange& bands) {
    if (bands.size() == 0) return {};
    return std::span(table_.keys)
        .subspan(row * table_.bands + bands.first - first_band_, bands.size());
  }
  // The start of a row's cells in some bands, which the table must contain.
  [[nodiscard]] std::size_t cells_from(std::size_t row, const BandRange& bands) const noexcept {
    return (row * table_.bands + bands.first - first_band_) * table_.functions;
  }
  [[nodiscard]] std::span<std::uint64_t> words_of(std::size_t row, const Step& step) {
    return std::span(sketches_).subspan(row * table_.sketch_words + step.first_word,
                                        step.last_word - step.first_word);
  }

  const VectorColumn& column_;
  VectorHashing hashing_;
  ThreadPool& pool_;
  SketchedItems* known_;
  std::size_t first_band_ = 0;  // first band of the plan that is in the table
  BandedRows table_;
  std::vector<std::uint64_t> sketches_;  // sketches that the table points to
};

// Maximum amount by which rounding before hyperplanes are applied changes the angle between two
// vectors.
[[nodiscard]] double rounding_degrees(std::size_t dimension);

}  // namespace sosie

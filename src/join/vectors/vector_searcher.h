#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "candidates/vector_panels.h"
#include "core/thread_pool.h"
#include "data/columns.h"
#include "join/item_lookup.h"
#include "join/scored_pairs.h"
#include "join/vectors/vector_sides.h"
#include "options/vector_settings.h"

namespace sosie {

// Vectors that are prepared once, so that others can be looked up as they arrive. Finds every
// match. Memory: a byte per component in addition to the column.
class VectorSearcher {
 public:
  // `data`, `settings` and `order` must outlive this object. `order`: all rows of the data in the
  // order in which they are searched; if empty, in their own order.
  VectorSearcher(const VectorColumn& data, const VectorSettings& settings, ThreadPool& pool,
                 std::span<const std::uint32_t> order = {});

  // For each row of `asked`, finds the `most` nearest vectors (0: all) that reach the bound of the
  // settings, if there is one, nearest first (ties: in their order), as pairs of a row and a
  // vector's number. The rows of `asked` must have the dimension of the vectors, and either their
  // type or doubles; results are the same as for a join after converting both to doubles. Returns
  // how many pairs were measured. Throws Error{cancelled}.
  std::uint64_t find(const VectorColumn& asked, std::uint64_t most, ThreadPool& pool,
                     std::vector<std::vector<ScoredPair>>& found) const;

  // Appends the panels (each of 32 rows of the order) in which to look up a row of `asked`.
  using Places = std::function<void(std::size_t row, std::vector<PanelStretch>& stretches)>;
  // Like find(), but looks each row up only in some panels, which must not repeat.
  std::uint64_t find_in(const Places& places, const VectorColumn& asked, std::uint64_t most,
                        ThreadPool& pool, std::vector<std::vector<ScoredPair>>& found) const;

 private:
  struct Asked;
  struct Panel;

  [[nodiscard]] Asked prepared(const VectorColumn& asked, ThreadPool& pool) const;
  [[nodiscard]] Panel panel_of(const Asked& asked, std::size_t first, std::size_t count,
                               std::uint64_t most) const;
  void sort_nearest(std::uint64_t most, std::vector<ScoredPair>& pairs) const;

  // Searches some stretches of the panels of vectors.
  void search(const Asked& asked, std::span<const PanelStretch> stretches, Panel& panel) const;
  void measure(const Asked& asked, const PanelStretch& rights, std::span<const std::uint32_t> hits,
               Panel& panel) const;
  [[nodiscard]] VectorSums sums(const Asked& asked, std::size_t row, std::size_t right,
                                Panel& panel) const;
  // The functions below prefetch data that will be needed soon.
  void fetch_panels(const PanelStretch& panels) const noexcept;
  void fetch_vectors(const PanelStretch& rights,
                     std::span<const std::uint32_t> hits) const noexcept;
  [[nodiscard]] std::int32_t limit(const Asked& asked, std::size_t row, double bound) const;

  const VectorColumn& data_;
  const VectorSettings& settings_;
  std::vector<double> squares_;  // squared lengths of the vectors
  VectorSides sides_;            // both sides are the vectors themselves, in their order
  std::size_t panel_count_;
  ByteScale scale_;
  std::optional<BytePanels> bytes_;  // empty: every vector is measured
  BytePanels::NearestLimits limits_;
  // Some panels from all over the data, whose nearest vectors set limits for all other panels; and
  // these other panels.
  std::vector<PanelStretch> firsts_;
  std::vector<std::vector<PanelStretch>> parts_;
};

// The method of a run that does not hash.
[[nodiscard]] MethodFacts method_of(const VectorSettings& settings);

// Reads the vectors of options.against. Throws as read_vectors() does, and Error{malformed_input}
// for vectors for which the measure has no value.
[[nodiscard]] std::unique_ptr<ItemLookup> vector_lookup(const LookupTask& task,
                                                        const VectorSettings& settings);

}  // namespace sosie

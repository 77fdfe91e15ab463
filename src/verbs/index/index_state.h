#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sosie/index.h"
#include "store/packed_writer.h"

namespace sosie {

// An index for one kind of items; its functions mirror Index.
class IndexState {
 public:
  IndexState() = default;
  IndexState(const IndexState&) = delete;
  IndexState& operator=(const IndexState&) = delete;
  virtual ~IndexState() = default;

  // Includes the detected kind.
  [[nodiscard]] virtual const Options& options() const = 0;
  [[nodiscard]] virtual std::uint64_t size() const = 0;
  [[nodiscard]] virtual std::uint64_t next_number() const = 0;
  [[nodiscard]] virtual std::string value_name() const = 0;
  virtual std::pair<std::uint64_t, std::uint64_t> add(const IndexRows& rows,
                                                      const RunHooks& hooks) = 0;
  virtual std::vector<bool> add_new(const IndexRows& rows, const RunHooks& hooks) = 0;
  [[nodiscard]] virtual RowPairs query(const IndexRows& rows, std::uint64_t top,
                                       const RunHooks& hooks) const = 0;
  [[nodiscard]] virtual std::optional<double> list_recall(std::uint64_t /*top*/) const {
    return std::nullopt;
  }
  virtual std::uint64_t remove(std::span<const std::uint64_t> numbers) = 0;

  // Saves the items and everything that load() needs in a new index with the same options; load()
  // reports invalid data through the reader.
  virtual void save(PackedWriter& out) const = 0;
  virtual void load(PackedReader& in) = 0;
};

// `options`: with_kind().
[[nodiscard]] std::unique_ptr<IndexState> index_of_sets(const Options& options);
[[nodiscard]] std::unique_ptr<IndexState> index_of_vectors(const Options& options);
[[nodiscard]] std::unique_ptr<IndexState> index_of_bits(const Options& options);
[[nodiscard]] std::unique_ptr<IndexState> index_of_strings(const Options& options);
// An index of vectors, bit strings or strings, according to options.kind.
[[nodiscard]] std::unique_ptr<IndexState> index_of_items(const Options& options);

// Checks that the items' numbers ascend by position and are below `next`; otherwise, throws.
void check_numbers(std::span<const std::uint64_t> numbers, std::uint64_t next,
                   const PackedReader& in);

}  // namespace sosie

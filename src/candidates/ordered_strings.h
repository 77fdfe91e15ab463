#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "core/ids.h"
#include "core/thread_pool.h"
#include "data/columns.h"

namespace sosie {

// Signatures of strings. Each signature has 64 bits, two for each of 32 classes of symbols: the
// number of symbols of that class in the string, modulo 4, in Gray code. An insertion or a deletion
// therefore changes one bit, a replacement at most two, and a swap none. (Sandes, Teodoro, Melo
// 2017 use parities instead of these counts.)
class SymbolClasses {
 public:
  // Frequent symbols of the column each get a class of their own, until classes run out.
  explicit SymbolClasses(const StringColumn& column);

  // All symbols outside the column's alphabet share a class.
  [[nodiscard]] std::uint64_t signature_of(const SymbolSpan& string) const noexcept;

 private:
  std::vector<std::uint32_t> bits_;  // by symbol: the bit of its class
};

// The distinct strings of a column as items, sorted by length, then by their first eight bytes;
// items on the left side come before items on the right. Their symbols are stored contiguously in
// this order, so that strings that a join compares are often close together in memory.
struct OrderedStrings {
  StringColumn column;                    // one row per item; kReadBehind bytes follow its symbols
  std::vector<std::uint64_t> signatures;  // by item
  std::vector<std::uint32_t> starts;      // start of each item in `rows`, then the end
  std::vector<RowId> rows;                // ascending for each item
  bool across = false;                    // pairs have one item from each side
  std::uint32_t split = 0;                // the first item of the right side

  [[nodiscard]] std::uint32_t size() const noexcept {
    return static_cast<std::uint32_t>(column.rows());
  }
  [[nodiscard]] std::span<const RowId> rows_of(std::uint32_t item) const noexcept {
    return std::span(rows).subspan(starts[item], starts[item + 1] - starts[item]);
  }
  [[nodiscard]] bool is_left(std::uint32_t item) const noexcept { return item < split; }
};

// Consecutive items of equal length on the same side.
struct ItemRange {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
};

// Orders two ranges of a column's rows (`right` is empty for a join within a single range) and
// computes signatures with the SymbolClasses of both ranges.
[[nodiscard]] OrderedStrings order_strings(const StringColumn& column, const ItemRange& left,
                                           const ItemRange& right);

// The lengths of the items, in ascending order, each with the items of that length: first those on
// the left side (or in the only range), then those on the right.
struct LengthRange {
  std::uint32_t length;
  ItemRange left;
  ItemRange right;
};
[[nodiscard]] std::vector<LengthRange> lengths_of(const OrderedStrings& strings);

// The distinct strings of some rows, by length, which are scanned for strings near a given string.
// Signatures are contiguous, and two strings are compared only if their signatures are near.
class ScannedStrings {
 public:
  // Copies the strings.
  ScannedStrings(const StringColumn& column, const ItemRange& rows)
      : strings_(order_strings(column, rows, {})),
        lengths_(lengths_of(strings_)),
        classes_(strings_.column) {}

  [[nodiscard]] const OrderedStrings& strings() const noexcept { return strings_; }
  // The lengths that occur, in ascending order; the items of each length are on the left side.
  [[nodiscard]] std::span<const LengthRange> lengths() const noexcept { return lengths_; }

  // The signature of a string. Its symbols must stand for the same code points as in the column,
  // but it may have additional symbols.
  [[nodiscard]] std::uint64_t signature_of(const SymbolSpan& string) const noexcept {
    return classes_.signature_of(string);
  }
  // Number of bits by which an item's signature differs from this one.
  [[nodiscard]] std::uint32_t different_bits(std::uint64_t signature,
                                             std::uint32_t item) const noexcept;

  // Lists in `near`, ascending, the items in a range whose signatures differ from this one by at
  // most `most` bits.
  [[nodiscard]] std::span<const std::uint32_t> near(std::uint64_t signature, const ItemRange& items,
                                                    std::uint32_t most,
                                                    std::vector<std::uint32_t>& near) const;

 private:
  OrderedStrings strings_;
  std::vector<LengthRange> lengths_;
  SymbolClasses classes_;
};

}  // namespace sosie

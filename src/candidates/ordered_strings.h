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

// Signatures of strings: 64 bits, two for each of 32 classes of symbols, which hold the number of
// symbols in the class, modulo 4, in Gray code. So an insertion or a deletion changes one bit, a
// replacement at most two, a swap none. (Counts instead of the parities of Sandes, Teodoro, Melo
// 2017.)
class SymbolClasses {
 public:
  // Frequent symbols of the column have classes of their own while there are any left.
  explicit SymbolClasses(const StringColumn& column);

  // Symbols that are not in the column's alphabet share a class.
  [[nodiscard]] std::uint64_t signature_of(const SymbolSpan& string) const noexcept;

 private:
  std::vector<std::uint32_t> bits_;  // by symbol: the bit of its class
};

// Distinct strings of a column as items, by length, then by their first eight bytes; items of the
// left side before items of the right one. Their symbols are stored contiguously in this order:
// strings that meet in a join are often near in memory, too.
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

// Orders two ranges of rows of a column (`right` is empty for a join within one range), and
// computes signatures by the SymbolClasses of both.
[[nodiscard]] OrderedStrings order_strings(const StringColumn& column, const ItemRange& left,
                                           const ItemRange& right);

// Lengths of the items, ascending, with the items of each: first on the left side (or in the only
// range), then on the right side.
struct LengthRange {
  std::uint32_t length;
  ItemRange left;
  ItemRange right;
};
[[nodiscard]] std::vector<LengthRange> lengths_of(const OrderedStrings& strings);

// Distinct strings of some rows by length, to be scanned for those near another string: their
// signatures are contiguous, and strings are compared only if these are near.
class ScannedStrings {
 public:
  // Copies the strings.
  ScannedStrings(const StringColumn& column, const ItemRange& rows)
      : strings_(order_strings(column, rows, {})),
        lengths_(lengths_of(strings_)),
        classes_(strings_.column) {}

  [[nodiscard]] const OrderedStrings& strings() const noexcept { return strings_; }
  // Lengths that occur, ascending; the items of each are on the left side.
  [[nodiscard]] std::span<const LengthRange> lengths() const noexcept { return lengths_; }

  // The signature of a string whose symbols stand for the same code points as in the column; it may
  // have additional symbols.
  [[nodiscard]] std::uint64_t signature_of(const SymbolSpan& string) const noexcept {
    return classes_.signature_of(string);
  }
  // Number of bits in which an item's signature differs.
  [[nodiscard]] std::uint32_t different_bits(std::uint64_t signature,
                                             std::uint32_t item) const noexcept;

  // The items of a range whose signatures differ from this one in at most `most` bits, ascending,
  // in `near`.
  [[nodiscard]] std::span<const std::uint32_t> near(std::uint64_t signature, const ItemRange& items,
                                                    std::uint32_t most,
                                                    std::vector<std::uint32_t>& near) const;

 private:
  OrderedStrings strings_;
  std::vector<LengthRange> lengths_;
  SymbolClasses classes_;
};

}  // namespace sosie

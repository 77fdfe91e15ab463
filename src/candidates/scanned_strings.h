#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "candidates/ordered_strings.h"
#include "candidates/symbol_classes.h"
#include "data/string_column.h"

namespace sosie {

// Different strings of some rows by length, to be scanned for those near to another string: their
// signatures lie behind each other, and strings are looked at when these are near.
class ScannedStrings {
 public:
  // Copies the strings.
  ScannedStrings(const StringColumn& column, const ItemRange& rows)
      : strings_(order_strings(column, rows, {})),
        lengths_(lengths_of(strings_)),
        classes_(strings_.column) {}

  [[nodiscard]] const OrderedStrings& strings() const noexcept { return strings_; }
  // Lengths that there are, ascending; the items of each are on the left side.
  [[nodiscard]] std::span<const LengthRange> lengths() const noexcept { return lengths_; }

  // The signature of a string, whose symbols stand for the code points that they are in the column;
  // it may have more of them.
  [[nodiscard]] std::uint64_t signature_of(const SymbolSpan& string) const noexcept {
    return classes_.signature_of(string);
  }
  // Number of bits that an item's signature differs in.
  [[nodiscard]] std::uint32_t different_bits(std::uint64_t signature,
                                             std::uint32_t item) const noexcept;

  // The items of a range whose signatures differ from this one in no more than `most` bits,
  // ascending, in `near`.
  [[nodiscard]] std::span<const std::uint32_t> near(std::uint64_t signature, const ItemRange& items,
                                                    std::uint32_t most,
                                                    std::vector<std::uint32_t>& near) const;

 private:
  OrderedStrings strings_;
  std::vector<LengthRange> lengths_;
  SymbolClasses classes_;
};

}  // namespace sosie

#pragma once

#include <cstdint>
#include <vector>

#include "data/string_column.h"

namespace sosie {

// Signatures of strings: 64 bits, two for each of 32 classes of symbols, which hold how many of
// them there are, modulo 4, in Gray's code. So an insertion or a deletion changes one bit, a
// replacement no more than two, a swap none. (Counts in place of the parities of Sandes, Teodoro,
// Melo 2017.)
class SymbolClasses {
 public:
  // Frequent symbols of the column have classes for themselves as long as there are any.
  explicit SymbolClasses(const StringColumn& column);

  // Symbols that the column's alphabet does not have are of one class.
  [[nodiscard]] std::uint64_t signature_of(const SymbolSpan& string) const noexcept;

 private:
  std::vector<std::uint32_t> bits_;  // by symbol: the bit of its class
};

}  // namespace sosie

#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/thread_pool.h"
#include "data/string_column.h"
#include "join/measured_pairs.h"
#include "verify/edit_distance.h"

namespace sosie {

// Strings that are laid out once, for others to be looked up in as they come.
class SearchedStrings {
 public:
  // `data` outlives this. `nearest`: the bound gives the measure alone, and values are distances.
  SearchedStrings(const StringColumn& data, const EditBound& bound, bool nearest);

  // `most`: of the strings that reach the bound (if there is one) so many nearest are wanted; 0:
  // all. The strings that are found for each row of `asked`, nearest first (ties: in their order),
  // as pairs of a row and a string's number. Symbols of `asked` stand for the same code points as
  // those of the data; it may have more of them, and wider ones. Returns how many pairs were
  // compared. Throws Error{cancelled}.
  std::uint64_t find(const StringColumn& asked, std::uint64_t most, ThreadPool& pool,
                     std::vector<std::vector<MeasuredPair>>& found) const;

 private:
  const StringColumn& data_;
  EditBound bound_;
  bool nearest_;
};

}  // namespace sosie

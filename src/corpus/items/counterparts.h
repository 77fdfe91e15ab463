#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "corpus/items/record_rows.h"
#include "data/record_table.h"

namespace sosie {

// The values of the columns with the same name in one or two collections; for each value, its share
// of the records that have any. Values are cleaned and sorted.
using ValueShares = std::vector<std::pair<std::string, double>>;
[[nodiscard]] ValueShares value_shares(const std::vector<const RecordColumn*>& columns);

// Entropy, in bits, of the value of a random record.
[[nodiscard]] double entropy_of(const ValueShares& shares);

// Overlap of the values of two columns: the sum, over all values, of the smaller of the two shares.
[[nodiscard]] double overlap_of(const ValueShares& left, const ValueShares& right);

// A column that only the left collection has and a column that only the right one has, whose words
// suggest that they hold the same content.
struct Counterpart {
  std::string left;
  std::string right;
};

// Finds counterparts of columns that only one side has: first columns whose names differ only in
// case and punctuation, then columns whose words have the highest cosine, if it is above 0.2. No
// column is in more than one counterpart. Based on a few thousand records.
[[nodiscard]] std::vector<Counterpart> counterparts(const RecordRows& left,
                                                    const RecordRows& right);

// True if these columns number the records of each collection separately: either they have no
// cleaned value in common, or records with equal values share at most twice as many words as other
// records do.
[[nodiscard]] bool are_numbered_apart(const RecordRows& left, const RecordRows& right,
                                      const RecordColumn& of_left, const RecordColumn& of_right);

}  // namespace sosie

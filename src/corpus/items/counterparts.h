#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "corpus/items/record_rows.h"
#include "data/record_table.h"

namespace sosie {

// Values of the columns with the same name, from one collection or two, and for each the share of
// the records that have it, among those with a value: cleaned, sorted by value.
using ValueShares = std::vector<std::pair<std::string, double>>;
[[nodiscard]] ValueShares value_shares(const std::vector<const RecordColumn*>& columns);

// Entropy in bits of the value of a random record.
[[nodiscard]] double entropy_of(const ValueShares& shares);

// Overlap of the values of two columns: the sum of the smaller of both shares.
[[nodiscard]] double overlap_of(const ValueShares& left, const ValueShares& right);

// A column of the left collection that the right one lacks, and a column that only the right one
// has, whose words indicate the same content.
struct Counterpart {
  std::string left;
  std::string right;
};

// Counterparts of columns that only one side has: first those whose names differ only in case and
// punctuation, then those whose words have the highest cosine, if it is above 0.2. Each column is
// in at most one of them. Based on a few thousand records.
[[nodiscard]] std::vector<Counterpart> counterparts(const RecordRows& left,
                                                    const RecordRows& right);

// True for columns of two collections that number the records of each separately: they have no
// cleaned value in common, or records with equal values share at most twice as many words as other
// records.
[[nodiscard]] bool are_numbered_apart(const RecordRows& left, const RecordRows& right,
                                      const RecordColumn& of_left, const RecordColumn& of_right);

}  // namespace sosie

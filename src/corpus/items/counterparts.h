#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "corpus/items/record_rows.h"
#include "data/record_table.h"

namespace sosie {

// Values of the columns of one name, of one collection or two, and the share of the records that
// have each, of those that have one: cleaned, sorted by value.
using ValueShares = std::vector<std::pair<std::string, double>>;
[[nodiscard]] ValueShares value_shares(const std::vector<const RecordColumn*>& columns);

// Bits of a value drawn from the records.
[[nodiscard]] double entropy_of(const ValueShares& shares);

// Share of the values that two columns have in common: the sum of the lesser of both shares.
[[nodiscard]] double overlap_of(const ValueShares& left, const ValueShares& right);

// A column of the left collection that the right one lacks, and a column that only the right one
// has, which speak of the same by their words.
struct Counterpart {
  std::string left;
  std::string right;
};

// Counterparts of columns that one side alone has: those whose names differ in case and signs
// alone, then those whose words have the greatest cosine, if that is more than .2. Each column is
// in one of them at most. By some thousand records.
[[nodiscard]] std::vector<Counterpart> counterparts(const RecordRows& left,
                                                    const RecordRows& right);

// True for columns of two collections that number the records of each by themselves: they
// have no value in common, cleaned, or records with the same value share no more than twice the
// words of other ones.
[[nodiscard]] bool are_numbered_apart(const RecordRows& left, const RecordRows& right,
                                      const RecordColumn& of_left, const RecordColumn& of_right);

}  // namespace sosie

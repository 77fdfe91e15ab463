#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "corpus/corpus.h"
#include "data/record.h"

namespace sosie {

// A row's values for the rules of --keep, in a form that can be compared. They are the values of
// `fields`, the last fields of the record. Throws RowError for a value that is neither a number nor
// a text.
[[nodiscard]] std::vector<RankValue> rank_values_of(const Record& record,
                                                    std::span<const std::string> fields);

// A value in the same form. Throws RowError that names the field.
[[nodiscard]] RankValue rank_value_of(const FieldValue& value, const std::string& field);

// Negative if left ranks before right. Numbers come before texts, and missing values after both.
[[nodiscard]] int compare_values(const RankValue& left, const RankValue& right,
                                 bool greatest_first);

// The first value that is compared as a text although a reader may take it for a number: a value
// with a decimal comma, thousands separators, surrounding spaces, or quotes in JSON. Dates that
// begin with the day count as well. Empty if there is no such value.
[[nodiscard]] std::string number_like_text(std::span<const RankValue> values);
// A note on such a value, which `option` compares; empty if there is none.
[[nodiscard]] std::string rank_note(const std::string& number_like,
                                    std::string_view option = "--keep");

// All rows that can match (in state normal and not known to have no partner), best rank first:
// first the rows of --against in input order, then the run's own rows by each rule of --keep in
// turn. Missing values come after all others; ties are broken by input order.
[[nodiscard]] std::vector<RowId> rank_rows(const Corpus& corpus, const Settings& settings);

// True if, by the rules of --keep, the first of two own rows ranks before the second.
[[nodiscard]] bool ranks_before(const Corpus& corpus, const Settings& settings, RowId left,
                                RowId right);

}  // namespace sosie

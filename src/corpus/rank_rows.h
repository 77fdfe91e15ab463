#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "corpus/corpus.h"
#include "data/record.h"

namespace sosie {

// Values of a row for the rules of --keep, in a form that compares: values of `fields`, which are
// the last ones of the record. Throws RowError for one that is neither number nor text.
[[nodiscard]] std::vector<RankValue> rank_values_of(const Record& record,
                                                    std::span<const std::string> fields);

// A value in that form. Throws RowError, naming the field.
[[nodiscard]] RankValue rank_value_of(const FieldValue& value, const std::string& field);

// Negative: left ranks before right. Numbers stand before texts, and missing values behind all.
[[nodiscard]] int compare_values(const RankValue& left, const RankValue& right,
                                 bool greatest_first);

// The first value that is compared as a text although a reader may take it for a number: it has
// decimal commas, separators of thousands, blanks around it, or quotes in JSON. Empty: none.
// Dates with the day in front count, too.
[[nodiscard]] std::string number_like_text(std::span<const RankValue> values);
// A note on such a value that `option` compares; empty for none.
[[nodiscard]] std::string rank_note(const std::string& number_like,
                                    std::string_view option = "--keep");

// All rows that can match (state normal, and not known to have no partner), best rank first: rows
// of --against in input order, then the run's own by the rules of --keep in turn, missing values
// behind all others, ties in input order.
[[nodiscard]] std::vector<RowId> rank_rows(const Corpus& corpus, const Settings& settings);

// True if one of the run's own rows ranks before another by the rules of --keep.
[[nodiscard]] bool ranks_before(const Corpus& corpus, const Settings& settings, RowId left,
                                RowId right);

}  // namespace sosie

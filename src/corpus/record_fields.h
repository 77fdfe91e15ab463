#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/thread_pool.h"
#include "corpus/record_rows.h"
#include "data/record_table.h"
#include "data/token_sets.h"
#include "options/link_rules.h"

namespace sosie {

// Makes the fields of rules out of the columns of one collection or two: one column for each field,
// in the order of the rules. Each different value is cleaned once. Every column that a field names
// must be there; columns are given up when no later field needs them.
[[nodiscard]] RecordTable make_fields(RecordRows& left, RecordRows* right,
                                      const std::vector<LinkField>& fields);

// Columns of a collection that fields are made of.
[[nodiscard]] std::vector<std::string> columns_of(const std::vector<LinkField>& fields,
                                                  bool of_right);

// Texts of some fields of all records, joined by a blank and folded, as sets of 3 characters in a
// row, by record; empty for a record that lacks all of them.
[[nodiscard]] HashedSets joined_character_sets(const RecordTable& fields,
                                               std::span<const std::uint32_t> chosen,
                                               ThreadPool& pool);

}  // namespace sosie

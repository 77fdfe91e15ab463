#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/thread_pool.h"
#include "data/record_table.h"
#include "data/token_sets.h"
#include "options/link_rules.h"

namespace sosie {

// Makes the fields that rules compare out of the columns that were read: one column for each field,
// in the order of the rules. Each different value is cleaned once. Throws Error{malformed_input} for
// a column that is not there.
[[nodiscard]] RecordTable make_fields(const RecordTable& columns,
                                      const std::vector<LinkField>& fields);

// Texts of some fields of all records, joined by a blank and folded, as sets of 3 characters in a
// row, by record; empty for a record that lacks all of them.
[[nodiscard]] HashedSets joined_character_sets(const RecordTable& fields,
                                               std::span<const std::uint32_t> chosen,
                                               ThreadPool& pool);

}  // namespace sosie

#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "core/thread_pool.h"
#include "corpus/items/record_rows.h"
#include "data/record_table.h"
#include "data/token_sets.h"
#include "options/link_rules.h"
#include "represent/text_shingler.h"

namespace sosie {

// Builds the fields of rules from the columns of one collection or two: one column for each field,
// in the order of the rules. Each distinct value is cleaned once. Every column named by a field
// must exist; columns are freed once no later field needs them.
[[nodiscard]] RecordTable make_record_fields(RecordRows& left, RecordRows* right,
                                             const std::vector<LinkField>& fields);

// Columns of a collection that fields are built from.
[[nodiscard]] std::vector<std::string> columns_of(std::span<const LinkField> fields, bool of_right);

// Some fields of all records as one column: joined by a space, folded.
[[nodiscard]] RecordColumn joined_column(const RecordTable& fields,
                                         std::span<const std::uint32_t> chosen);

// Texts of some fields of a record, joined by a space; empty for a record that lacks all of them.
void join_text(const RecordTable& fields, std::span<const std::uint32_t> chosen,
               std::uint32_t record, std::string& text);

// Writes the text with this number.
using WriteText = std::function<void(std::uint32_t number, std::string& text)>;

// Texts, by number, as sets of shingles; an empty text becomes an empty set. Throws
// Error{cancelled}.
[[nodiscard]] HashedSets shingle_texts(std::size_t count, const WriteText& write,
                                       const ShingleRecipe& recipe, ThreadPool& pool);

// Joined texts of all records as sets of shingles, by record.
[[nodiscard]] HashedSets joined_sets(const RecordTable& fields,
                                     std::span<const std::uint32_t> chosen,
                                     const ShingleRecipe& recipe, ThreadPool& pool);

}  // namespace sosie

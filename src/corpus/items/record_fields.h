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

// Builds the fields of the rules from the columns of one or two collections: one column per field,
// in the order of the rules. Each distinct value is cleaned only once. Every column that a field
// names must exist. A column is freed when no later field needs it.
[[nodiscard]] RecordTable make_record_fields(RecordRows& left, RecordRows* right,
                                             const std::vector<LinkField>& fields);

// The columns of a collection from which fields are built.
[[nodiscard]] std::vector<std::string> columns_of(std::span<const LinkField> fields, bool of_right);

// Some fields of all records as a single column of folded text, with a space between fields.
[[nodiscard]] RecordColumn joined_column(const RecordTable& fields,
                                         std::span<const std::uint32_t> chosen);

// The texts of some fields of a record, with a space between fields; empty if the record lacks all
// of them.
void join_text(const RecordTable& fields, std::span<const std::uint32_t> chosen,
               std::uint32_t record, std::string& text);

// Writes the text with this number.
using WriteText = std::function<void(std::uint32_t number, std::string& text)>;

// Texts, by number, as sets of shingles. An empty text yields an empty set. Throws
// Error{cancelled}.
[[nodiscard]] HashedSets shingle_texts(std::size_t count, const WriteText& write,
                                       const ShingleRecipe& recipe, ThreadPool& pool);

// For each record, its joined text as a set of shingles.
[[nodiscard]] HashedSets joined_sets(const RecordTable& fields,
                                     std::span<const std::uint32_t> chosen,
                                     const ShingleRecipe& recipe, ThreadPool& pool);

}  // namespace sosie

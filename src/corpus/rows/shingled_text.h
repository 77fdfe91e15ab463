#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "represent/text_shingler.h"

namespace sosie {

// A text in the form that the engine processes.
struct ShingledText {
  std::uint64_t tokens = 0;
  std::vector<std::uint64_t> in_order;  // shingles in text order, including repetitions
  std::vector<std::size_t> first;       // first token of each
  std::vector<std::uint64_t> set;       // ascending, without repetitions
  std::string normalized;               // the text that shingles are cut from
};

// `text`: followed by kPadding readable bytes.
[[nodiscard]] ShingledText shingle_text(std::string_view text, const ShingleRecipe& recipe);

// A shingle in readable form; for bags, an element and the number of occurrences that the example
// stands for.
struct ExampleShingle {
  std::string text;
  std::uint64_t times = 1;
};

// Number of distinct elements among a bag's lines.
[[nodiscard]] std::uint64_t count_elements(const ShingledText& text);

// Up to `most` elements of a bag, in the order of their first occurrence, that have occurrences in
// `other` (or occurrences that are not in `other`), each with the number of such occurrences.
[[nodiscard]] std::vector<ExampleShingle> example_elements(const ShingledText& text,
                                                           const std::vector<std::uint64_t>& other,
                                                           bool in_other, std::size_t most);

// Up to `most` shingles of `text` that are in `other` (or are not), in readable form: the first in
// text order that do not overlap each other.
[[nodiscard]] std::vector<ExampleShingle> example_shingles(const ShingledText& text,
                                                           const std::vector<std::uint64_t>& other,
                                                           bool in_other,
                                                           const ShingleRecipe& recipe,
                                                           std::size_t most);

// All shingles of `text` (or elements of a set), in text order without duplicates.
[[nodiscard]] std::vector<std::string> all_shingles(const ShingledText& text,
                                                    const ShingleRecipe& recipe);

// The longest passage of `text` all of whose shingles are in `common` (ascending), in readable
// form; ties: the first one. Empty if there is none.
[[nodiscard]] std::string longest_passage(const ShingledText& text,
                                          const std::vector<std::uint64_t>& common,
                                          const ShingleRecipe& recipe);

}  // namespace sosie

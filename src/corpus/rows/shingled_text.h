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

// A shingle in readable form. For bags: an element, and the number of occurrences that it stands
// for.
struct ExampleShingle {
  std::string text;
  std::uint64_t times = 1;
};

// Number of distinct elements among a bag's lines.
[[nodiscard]] std::uint64_t count_elements(const ShingledText& text);

// Up to `most` elements of a bag, in the order of their first occurrence, with occurrences that are
// in `other` (or not), and the number of these.
[[nodiscard]] std::vector<ExampleShingle> example_elements(const ShingledText& text,
                                                           const std::vector<std::uint64_t>& other,
                                                           bool in_other, std::size_t most);

// Up to `most` shingles of `text` that are in `other` (or not), in readable form: the first ones in
// text order that do not overlap each other.
[[nodiscard]] std::vector<ExampleShingle> example_shingles(const ShingledText& text,
                                                           const std::vector<std::uint64_t>& other,
                                                           bool in_other,
                                                           const ShingleRecipe& recipe,
                                                           std::size_t most);

// All shingles of `text` (or elements of a set), without repetitions, in text order.
[[nodiscard]] std::vector<std::string> all_shingles(const ShingledText& text,
                                                    const ShingleRecipe& recipe);

// The longest run of shingles of `text` that are in `common` (ascending), in readable form (ties:
// the first one). Empty if there is none.
[[nodiscard]] std::string longest_passage(const ShingledText& text,
                                          const std::vector<std::uint64_t>& common,
                                          const ShingleRecipe& recipe);

}  // namespace sosie

#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "represent/text_shingler.h"

namespace sosie {

// One text as the engine sees it.
struct ShingledText {
  std::uint64_t tokens = 0;
  std::vector<std::uint64_t> in_order;  // shingles in text order, repetitions included
  std::vector<std::size_t> first;       // the token each begins with
  std::vector<std::uint64_t> set;       // ascending, without repetitions
  std::string normalized;               // text that the shingles are cut from
};

// `text` has kPadding readable bytes behind its end.
[[nodiscard]] ShingledText shingle_text(std::string_view text, const ShingleRecipe& recipe);

// A shingle as people read it. Of bags: an element, and how many of its occurrences are meant.
struct ExampleShingle {
  std::string text;
  std::uint64_t times = 1;
};

// Number of distinct elements among a bag's lines.
[[nodiscard]] std::uint64_t count_elements(const ShingledText& text);

// Up to `most` elements of a bag, in the order in which they are listed first, of which occurrences
// are in `other` (or not): with how many.
[[nodiscard]] std::vector<ExampleShingle> example_elements(const ShingledText& text,
                                                           const std::vector<std::uint64_t>& other,
                                                           bool in_other, std::size_t most);

// Up to `most` shingles of `text` that are in `other` (or not), as people read them: the first ones
// in text order that do not overlap each other.
[[nodiscard]] std::vector<ExampleShingle> example_shingles(const ShingledText& text,
                                                           const std::vector<std::uint64_t>& other,
                                                           bool in_other,
                                                           const ShingleRecipe& recipe,
                                                           std::size_t most);

// All shingles of `text` (or elements of a set), each once, in text order.
[[nodiscard]] std::vector<std::string> all_shingles(const ShingledText& text,
                                                    const ShingleRecipe& recipe);

// The longest run of shingles of `text` that are in `common` (ascending), as people read it; of
// equal ones the first. Empty if there is none.
[[nodiscard]] std::string longest_passage(const ShingledText& text,
                                          const std::vector<std::uint64_t>& common,
                                          const ShingleRecipe& recipe);

}  // namespace sosie

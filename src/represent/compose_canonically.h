#pragma once

#include <vector>

// Normal form C and full case folding, for the few pieces of a text that need them (normalize.cc
// handles the rest by table). Surrogates must not occur.
namespace sosie::unicode {

// Replaces the text by its normal form C (UAX #15). Linear, except for runs of n combining marks,
// which take O(n log n).
void compose_canonically(std::vector<char32_t>& text);

// Replaces the text by its form for canonical caseless matching: NFC, full case folding, NFC.
void fold_canonically(std::vector<char32_t>& text);

}  // namespace sosie::unicode

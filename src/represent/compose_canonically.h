#pragma once

#include <vector>

// Normal form C and full case folding, for the few parts of a text that need them (normalize.cc
// handles the rest with tables). The text must not contain surrogates.
namespace sosie::unicode {

// Replaces the text with its normal form C (UAX #15). Linear, except that a run of n combining
// marks takes O(n log n).
void compose_canonically(std::vector<char32_t>& text);

// Replaces the text with its form for canonical caseless matching: NFC, full case folding, NFC.
void fold_canonically(std::vector<char32_t>& text);

}  // namespace sosie::unicode

#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sosie/join.h"

namespace sosie {

// The kernels of a run, one batch of rows at a time, for callers that bring rows together on their
// own (bindings/spark). `plan`: the JSON that plan() writes to options.output; what it says holds,
// and an option that says something else is refused. The same row gives the same values in every
// batch. All functions throw Error as pairs() does; Error{malformed_input} for a plan that is none.

// Sketches as sketch() writes them to files (docs/formats/sketches.md), row after row: of texts,
// sets and bags; of vectors and bit strings. Rows that match nothing (without a shingle, without a
// vector) have values of 0, and is_empty is true. Two rows that share a key are a candidate pair if
// enough bytes of their filters agree (`filter_agreements` of the plan); of vectors, if few enough
// bits differ (`most_different`); the filters of bit strings are their bits.
struct SketchedBatch {
  std::size_t bands = 0;
  std::size_t components = 0;              // bytes of a filter
  std::vector<std::uint64_t> band_keys;    // `bands` a row, of 40 bits; of vectors and bits, of 32
  std::vector<std::uint8_t> filters;       // `components` a row
  std::vector<std::uint64_t> text_hashes;  // two a row, of the normalised text, or of the item
  std::vector<bool> is_empty;
};

// Throws Error{unsupported} for kinds that are not hashed, and for a plan with probes.
[[nodiscard]] SketchedBatch sketch_batch(const Options& options, std::string_view plan,
                                         const RunHooks& hooks = {});

// Two rows of a batch, by their numbers.
struct BatchPairs {
  std::span<const std::uint64_t> left;
  std::span<const std::uint64_t> right;
};

// By pair: the similarity or distance that pairs() lists, and whether it reaches the bound. Of rows
// that match nothing it is 0, or an infinite distance.
struct VerifiedBatch {
  std::vector<double> similarity;
  std::vector<bool> reaches;
  std::vector<bool> is_identical;  // normalised texts, or items, are equal, byte by byte
};

// `plan`: empty where options alone say how rows are compared. Every row is made a set once. Throws
// Error{invalid_option} for numbers of rows that there are not, and for measures of ordered pairs.
[[nodiscard]] VerifiedBatch verify_batch(const Options& options, std::string_view plan,
                                         const BatchPairs& pairs, const RunHooks& hooks = {});

// The functions below are for rows that are compared as sets: texts, sets and bags. They throw
// Error{unsupported} for others.

// Counts elements (shingles) of rows: counter i of 2^bits holds how many rows have an element whose
// hash begins with the bits of i; an element in two such counts twice. Sums over batches count a
// collection, and order its elements for prefixes_of_batch(). `bits`: 1 to 28.
[[nodiscard]] std::vector<std::uint32_t> count_elements(const Options& options, int bits,
                                                        const RunHooks& hooks = {});

// The rarest elements of rows: as many as every similar set must share one of (MMDS 3.9.4).
struct PrefixBatch {
  std::vector<std::uint64_t> row;       // ascending
  std::vector<std::uint64_t> element;   // hash; elements of one row alone are left out
  std::vector<std::uint32_t> position;  // in the row's order, rarest first, from 0
  std::vector<std::uint32_t> size;      // elements of the row
  // Positions below are enough to meet rows that are as large or larger.
  std::vector<std::uint32_t> met_by_larger;
};

// `counts`: sums of count_elements(), 2^bits of them. Any counts give prefixes that lose no pair.
[[nodiscard]] PrefixBatch prefixes_of_batch(const Options& options,
                                            std::span<const std::uint32_t> counts,
                                            const RunHooks& hooks = {});

// Shingles that the texts of a batch have in common, if they are of one template. Nothing of texts
// without a shingle.
struct BatchTemplate {
  double common = 0;    // the mean part of their shingles that half of them have
  std::string passage;  // the longest of such shingles in the first text, normalised
};

[[nodiscard]] BatchTemplate template_of_batch(const Options& options, const RunHooks& hooks = {});

}  // namespace sosie

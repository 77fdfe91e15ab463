#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sosie/join.h"

namespace sosie {

// The kernels of a run, called with one batch of rows at a time, for callers that group rows
// themselves (bindings/spark). `plan`: the JSON that plan() writes to options.output; options that
// contradict it are an error. A row gives the same values in every batch. All functions throw Error
// as pairs() does, and Error{malformed_input} for an invalid plan.

// Sketches in the form of sketch() (docs/formats/sketches.md), row by row, for texts, sets, bags,
// vectors and bit strings. Rows that match nothing (without a shingle or a vector) have values of
// 0, and is_empty is true. Two rows with a common key are a candidate pair if enough bytes of their
// filters agree (`filter_agreements` of the plan) or, for vectors, if few enough bits differ
// (`most_different`). The filters of bit strings are their bits.
struct SketchedBatch {
  std::size_t bands = 0;
  std::size_t components = 0;              // bytes of a filter
  std::vector<std::uint64_t> band_keys;    // `bands` a row: 40 bits; vectors and bits: 32
  std::vector<std::uint8_t> filters;       // `components` a row
  std::vector<std::uint64_t> text_hashes;  // two a row: of the normalised text or item
  std::vector<bool> is_empty;
};

// Throws Error{unsupported} for kinds that are not hashed, and for a plan with probes.
[[nodiscard]] SketchedBatch sketch_batch(const Options& options, std::string_view plan,
                                         const RunHooks& hooks = {});

// Pairs of rows of a batch, by row number.
struct BatchPairs {
  std::span<const std::uint64_t> left;
  std::span<const std::uint64_t> right;
};

// For each pair, the similarity or distance that pairs() lists, and whether it reaches the bound.
// Rows that match nothing have similarity 0 or an infinite distance.
struct VerifiedBatch {
  std::vector<double> similarity;
  std::vector<bool> reaches;
  std::vector<bool> is_identical;  // normalised texts, or items, are equal, byte by byte
};

// `plan`: empty if options alone determine the comparison. Each row becomes a set once. Throws
// Error{invalid_option} for row numbers out of range and for measures of ordered pairs.
[[nodiscard]] VerifiedBatch verify_batch(const Options& options, std::string_view plan,
                                         const BatchPairs& pairs, const RunHooks& hooks = {});

// The functions below accept rows compared as sets: texts, sets and bags. They throw
// Error{unsupported} for other rows.

// Counts elements (shingles) of rows. Counter i of 2^bits is the number of pairs of a row and an
// element in it whose hash begins with the bits of i. Sums over batches count a collection and
// order its elements for prefixes_of_batch(). `bits`: 1 to 28.
[[nodiscard]] std::vector<std::uint32_t> count_elements(const Options& options, int bits,
                                                        const RunHooks& hooks = {});

// The rarest elements of each row, enough that every similar set shares one of them (MMDS 3.9.4).
struct PrefixBatch {
  std::vector<std::uint64_t> row;       // ascending
  std::vector<std::uint64_t> element;   // hash; elements in only one row are omitted
  std::vector<std::uint32_t> position;  // in the row's order, rarest first, from 0
  std::vector<std::uint32_t> size;      // elements of the row
  // Positions below this value suffice to meet rows at least as large.
  std::vector<std::uint32_t> met_by_larger;
};

// `counts`: 2^bits sums of count_elements(). Any counts give prefixes that lose no pair.
[[nodiscard]] PrefixBatch prefixes_of_batch(const Options& options,
                                            std::span<const std::uint32_t> counts,
                                            const RunHooks& hooks = {});

// Shingles common to the texts of a batch, as in texts made from one template. Texts without a
// shingle do not count.
struct BatchTemplate {
  double common = 0;    // mean share of shingles that half of the texts have
  std::string passage;  // the longest run of such shingles in the first text, normalised
};

[[nodiscard]] BatchTemplate template_of_batch(const Options& options, const RunHooks& hooks = {});

}  // namespace sosie

#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sosie/join.h"

namespace sosie {

// The parts of a run, called with one batch of rows at a time, for callers that group rows
// themselves (bindings/spark). `plan` is the JSON that plan() writes to options.output; options
// that contradict it are an error. The values of a row do not depend on its batch. All functions
// throw Error as pairs() does, and Error{malformed_input} for an invalid plan.

// Sketches of texts, sets, bags, vectors and bit strings in the form of sketch()
// (docs/formats/sketches.md), row by row. Rows that match nothing (no shingle, no vector) have all
// values 0, and is_empty is true for them. Two rows with a common key are a candidate pair if
// enough bytes of their filters agree (`filter_agreements` in the plan); for vectors, if the
// filters differ by few enough bits (`most_different`). The filter of a bit string is the bit
// string itself.
struct SketchedBatch {
  std::size_t bands = 0;
  std::size_t components = 0;              // bytes per filter
  std::vector<std::uint64_t> band_keys;    // `bands` per row: 40 bits; vectors and bits: 32
  std::vector<std::uint8_t> filters;       // `components` per row
  std::vector<std::uint64_t> text_hashes;  // two per row: of the normalised text or item
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

// For each pair, the similarity or distance that pairs() would report, and whether it is within the
// bound. Pairs with a row that matches nothing have similarity 0 or an infinite distance.
struct VerifiedBatch {
  std::vector<double> similarity;
  std::vector<bool> reaches;
  std::vector<bool> is_identical;  // normalised texts, or items, are equal, byte by byte
};

// `plan` may be empty if the options alone determine the comparison. Each row is turned into a set
// only once. Throws Error{invalid_option} for row numbers out of range and for measures of ordered
// pairs.
[[nodiscard]] VerifiedBatch verify_batch(const Options& options, std::string_view plan,
                                         const BatchPairs& pairs, const RunHooks& hooks = {});

// The functions below support only rows that are compared as sets: texts, sets and bags. For other
// rows they throw Error{unsupported}.

// Counts the elements (shingles) of the rows in 2^bits counters, chosen by the leading bits of an
// element's hash; a row counts once for each of its elements. Summed over all batches, the counters
// give the collection's order of elements for prefixes_of_batch(). `bits`: 1 to 28.
[[nodiscard]] std::vector<std::uint32_t> count_elements(const Options& options, int bits,
                                                        const RunHooks& hooks = {});

// The rarest elements of each row, enough of them that any two similar sets share one (MMDS 3.9.4).
struct PrefixBatch {
  std::vector<std::uint64_t> row;       // ascending
  std::vector<std::uint64_t> element;   // hash; elements in only one row are omitted
  std::vector<std::uint32_t> position;  // in the row's order, rarest first, from 0
  std::vector<std::uint32_t> size;      // elements of the row
  // Positions below this value suffice to meet rows at least as large.
  std::vector<std::uint32_t> met_by_larger;
};

// `counts`: sums of the 2^bits counters of count_elements(). Prefixes lose no pair, whatever the
// counts.
[[nodiscard]] PrefixBatch prefixes_of_batch(const Options& options,
                                            std::span<const std::uint32_t> counts,
                                            const RunHooks& hooks = {});

// Shingles shared by the texts of a batch, such as texts made from the same template. Texts without
// a shingle do not count.
struct BatchTemplate {
  double common = 0;    // mean share of a text's shingles that at least half of the texts have
  std::string passage;  // the longest run of such shingles in the first text, normalised
};

[[nodiscard]] BatchTemplate template_of_batch(const Options& options, const RunHooks& hooks = {});

}  // namespace sosie

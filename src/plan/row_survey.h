#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "core/rational.h"

namespace sosie {

// Sampled pairs of distinct rows by estimated similarity: in [i/64, (i+1)/64); the last bin is 1.
struct SampledRowPairs {
  std::uint64_t drawn = 0;
  std::array<std::uint64_t, 65> by_similarity{};
  std::array<std::uint64_t, 65> shingles{};  // shingles of both rows, with repetitions
};

// Properties of a run's rows, estimated from pieces of its inputs. They are integers, so that equal
// bytes give equal figures everywhere. Unless a comment states otherwise, figures are estimates for
// all rows together.
struct RowSurvey {
  bool whole = false;                 // every row was read: the figures are exact
  std::uint64_t bytes = 0;            // bytes of the inputs, decompressed; exact
  std::uint64_t spooled_bytes = 0;    // part of `bytes` in scratch: decompressed, or from a pipe
  std::uint64_t gunzipped_bytes = 0;  // output of gzip decompression, in all passes
  std::uint64_t unzstd_bytes = 0;     // likewise for zstd
  std::uint64_t kept_bytes = 0;       // in memory: from compressed inputs
  std::uint64_t unkept_bytes = 0;     // others from compressed inputs, which are decompressed again
  std::uint64_t stored_bytes = 0;     // bytes of the inputs as stored
  std::uint64_t rows = 0;
  std::uint64_t other_rows = 0;   // rows of --against
  std::uint64_t copied_rows = 0;  // rows that are not the first of their text: no join sees them
  std::uint64_t copied_elements = 0;  // elements of their sets
  std::uint64_t foreign_bytes = 0;    // bytes of texts that are not ASCII
  std::uint64_t tokens = 0;
  std::uint64_t shingles = 0;       // with repetitions
  std::uint64_t elements = 0;       // elements of the sets: without repetitions
  std::uint64_t longest_row = 0;    // bytes; among the rows read
  std::uint64_t most_shingles = 0;  // in one row; among the rows read
  std::uint64_t neighbours = 0;     // rows per piece, which are adjacent
  double growth = 1;                // rows by the rows of the inputs; each has as many rows of half
                                    // the threshold and more as there
  std::uint64_t drawn = 0;          // distinct rows whose pairs are counted below
  std::uint64_t partnered = 0;      // drawn rows that are similar to another
  SampledRowPairs near;             // pairs of rows in the same piece
  SampledRowPairs far;              // pairs of rows in different pieces
};

// Upper limit for figures that describe many large rows; larger values are clamped to it.
inline constexpr double kMostOfSurvey = 4e18;
// The survey for this number of rows with the same properties.
[[nodiscard]] RowSurvey grown(const RowSurvey& survey, std::uint64_t rows) noexcept;

// True if a bin of SampledRowPairs contains similar rows.
[[nodiscard]] inline bool is_similar_bin(std::size_t bin, const Rational& threshold) noexcept {
  return (static_cast<double>(bin) + 0.5) / 64 >= threshold.value();
}

}  // namespace sosie

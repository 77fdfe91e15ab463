#pragma once

#include <chrono>
#include <cstdint>
#include <string>

#include "pipeline/vector_items.h"
#include "pipeline/vector_join.h"
#include "pipeline/vector_settings.h"

namespace sosie {

// What a run on vectors has to say.
struct VectorSummary {
  std::uint64_t rows = 0;
  std::uint64_t against_rows = 0;
  bool has_against = false;
  std::uint64_t bytes = 0;
  std::size_t dimension = 0;
  std::string components;  // "uint8"
  std::string measure;
  std::string bound;  // as written
  bool is_similarity = true;
  std::string method;
  std::uint64_t candidates = 0;
  std::uint64_t pairs = 0;
  double seconds = 0;
  std::uint64_t peak_bytes = 0;
  unsigned threads = 1;
};

// Everything but counts of what was found, up to now.
[[nodiscard]] VectorSummary summarize_vectors(const VectorItems& own, const VectorItems* against,
                                              const VectorSettings& settings,
                                              std::chrono::steady_clock::time_point started);

[[nodiscard]] std::string vector_summary_text(const VectorSummary& summary);
[[nodiscard]] std::string vector_summary_json(const VectorSummary& summary);

}  // namespace sosie

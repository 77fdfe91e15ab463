#pragma once

#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "data/vector_column.h"
#include "io/file.h"
#include "sosie/error.h"

namespace sosie {

[[noreturn]] inline void refuse_vectors(const File& file, const std::string& why,
                                        std::string hint = {}) {
  throw Error(ErrorKind::malformed_input, file.name() + ": " + why, std::move(hint));
}

// Throws unless all components are finite.
template <typename T>
void require_finite(const File& file, const std::vector<T>& components, std::size_t dimension) {
  for (std::size_t i = 0; i < components.size(); ++i) {
    const auto value = static_cast<double>(components[i]);
    if (std::isfinite(value)) continue;
    refuse_vectors(file, "row " + std::to_string(i / dimension) + ", component " +
                             std::to_string(i % dimension) + ": " +
                             (std::isnan(value) ? "is not a number" : "is infinite"));
  }
}

}  // namespace sosie

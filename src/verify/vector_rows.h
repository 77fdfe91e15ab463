#pragma once

#include <type_traits>
#include <variant>

#include "data/vector_column.h"

namespace sosie {

// Calls use(x, y, n) with pointers to the components of both rows, n of them each; the columns are
// of one type.
template <typename Use>
auto with_vector_rows(const VectorColumn& left, std::size_t left_row, const VectorColumn& right,
                      std::size_t right_row, Use use) {
  return std::visit(
      [&](const auto& components) {
        const auto& others = *std::get_if<std::decay_t<decltype(components)>>(&right.components);
        return use(components.data() + left_row * left.dimension,
                   others.data() + right_row * right.dimension, left.dimension);
      },
      left.components);
}

}  // namespace sosie

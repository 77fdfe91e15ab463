#pragma once

#include <algorithm>
#include <array>
#include <span>
#include <string_view>

#include "data/generator.h"
#include "data/hash_family.h"
#include "data/measure.h"

namespace sosie {

// A row of the table of similarity families: which parts work together for a kind of item and a
// measure.
struct Family {
  std::string_view kind;            // --kind
  std::string_view measure;         // --measure
  std::string_view representation;  // what the items become
  std::string_view sketch;          // a row of the table of hash families; empty: none, no lsh
  std::array<std::string_view, 3> methods;
  std::string_view source;

  [[nodiscard]] bool takes(std::string_view method) const noexcept {
    return std::find(methods.begin(), methods.end(), method) != methods.end();
  }
};

[[nodiscard]] std::span<const Family> families() noexcept;

// The row for a kind and a measure; nullptr when they do not go together.
[[nodiscard]] const Family* find_family(std::string_view kind, std::string_view measure) noexcept;

// The measure of a kind's first row: what items of this kind are compared by unless one is named.
// Empty for a kind that has none.
[[nodiscard]] std::string_view default_measure(std::string_view kind) noexcept;

}  // namespace sosie

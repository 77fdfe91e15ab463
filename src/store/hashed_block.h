#pragma once

#include <string>
#include <string_view>

#include "data/banded_rows.h"
#include "plan/plan_file.h"

namespace sosie {

// Items of a file of sketches of vectors or bit strings, as bytes (docs/formats/sketches.md):
// `rows` has those of all bands of the plan.
[[nodiscard]] std::string pack_hashes(const HashedRows& rows);

// The items again. Throws Error{malformed_input} that calls `name` damaged for bytes that are none:
// every cell is one of 32 and near itself, and there are as many of everything as the plan says.
[[nodiscard]] HashedRows unpack_hashes(std::string_view bytes, const HashedPlan& plan,
                                       const std::string& name);

}  // namespace sosie

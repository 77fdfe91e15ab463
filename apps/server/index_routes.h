#pragma once

#include <span>

#include "routes.h"

namespace sosie::server {

// Rows of the table for an index, and for runs over the items of a body.
[[nodiscard]] std::span<const Route> index_routes();
[[nodiscard]] std::span<const Route> body_routes();

}  // namespace sosie::server

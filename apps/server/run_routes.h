#pragma once

#include <span>

#include "routes.h"

namespace sosie::server {

// Rows of the table for a saved run (docs/serve-run.md).
[[nodiscard]] std::span<const Route> run_routes();

// Rows of the table for the page: its files, which need no token.
[[nodiscard]] std::span<const Route> page_routes();

}  // namespace sosie::server

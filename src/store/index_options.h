#pragma once

#include <string>
#include <string_view>

#include "sosie/options.h"
#include "store/index/index_manifest.h"

namespace sosie {

// Options of a run on rows that are looked up in an index or added to it, with what the index was
// built with; column, id and encoding of these rows may be others, the threshold higher, and the
// method exact. Throws
// Error{invalid_option} with both values for an option that says something else.
[[nodiscard]] Options with_index_options(const Options& options, const IndexManifest& manifest,
                                         const std::string& path);

// Throws Error{invalid_option} with both values unless two indexes were built alike.
void expect_equal_building(const IndexManifest& one, const std::string& path,
                           const IndexManifest& other, const std::string& other_path);

}  // namespace sosie

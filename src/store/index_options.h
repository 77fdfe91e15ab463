#pragma once

#include <string>
#include <string_view>

#include "sosie/options.h"
#include "store/index/index_manifest.h"

namespace sosie {

// Options for rows that are looked up in an index or added to it: the index's build options, except
// that column, id and encoding of these rows may differ, the threshold may be higher, and the
// method may be exact. Throws Error{invalid_option} with both values for any other conflict.
[[nodiscard]] Options with_index_options(const Options& options, const IndexManifest& manifest,
                                         const std::string& path);

// Throws Error{invalid_option} with both values unless two indexes have the same build options.
void expect_equal_building(const IndexManifest& one, const std::string& path,
                           const IndexManifest& other, const std::string& other_path);

}  // namespace sosie

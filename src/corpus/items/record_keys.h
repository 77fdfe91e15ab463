#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "data/record_table.h"

namespace sosie {

// Keys of records that are equal if all these fields are, or the first `prefix` code points of each
// (0: all); 0 for a record that lacks one of them.
[[nodiscard]] std::vector<std::uint32_t> equal_record_keys(const RecordTable& table,
                                                           std::span<const std::uint32_t> fields,
                                                           std::uint32_t prefix);

// Class numbers of records, starting with 1, equal for records that agree in all of these fields,
// in either order of their columns, or lack the same ones.
[[nodiscard]] std::vector<std::uint32_t> record_classes(const RecordTable& table,
                                                        std::span<const std::uint32_t> fields);

// Records in the order of these fields' bytes, one field after another; ties in input order.
// Records that lack all of them are left out.
[[nodiscard]] std::vector<std::uint32_t> sorted_records(const RecordTable& table,
                                                        std::span<const std::uint32_t> fields);

}  // namespace sosie

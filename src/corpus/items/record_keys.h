#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "data/record_table.h"

namespace sosie {

// A key for each record, equal for records that agree in all these fields, or in the first `prefix`
// code points of each field (0: in all); 0 for a record that lacks one of the fields.
[[nodiscard]] std::vector<std::uint32_t> equal_record_keys(const RecordTable& table,
                                                           std::span<const std::uint32_t> fields,
                                                           std::uint32_t prefix);

// A class number for each record, counted from 1, equal for records that agree in all of these
// fields, in either order of their columns, and lack the same ones.
[[nodiscard]] std::vector<std::uint32_t> record_classes(const RecordTable& table,
                                                        std::span<const std::uint32_t> fields);

// Records sorted by the bytes of these fields, one field after another; ties are in input order.
// Records that lack all of the fields are left out.
[[nodiscard]] std::vector<std::uint32_t> sorted_records(const RecordTable& table,
                                                        std::span<const std::uint32_t> fields);

}  // namespace sosie

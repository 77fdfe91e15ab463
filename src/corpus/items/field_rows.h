#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "corpus/items/item_rows.h"

namespace sosie {

// In place of the fields that a caller will read: all that there are.
inline constexpr std::string_view kEveryField = "*";

// Functions that take rows field by field, in place of ItemRowSteps::add.
struct FieldSteps {
  // Names the fields to read, once the inputs are open.
  std::function<std::vector<std::string>(const Inputs& inputs)> fields_of;
  // Told of a column that had no name of its own, by its place from 1 on, and of the name it has.
  std::function<void(std::uint32_t column, const std::string& name)> renamed;
  // Takes a row: record.others are the values of these fields, some of which it may lack.
  std::function<void(const Record& record)> take;
};

// Reads rows as read_item_rows() does, but all fields of them that are asked for.
[[nodiscard]] ItemRows read_field_rows(const ItemReading& reading,
                                       const std::vector<std::string>& paths,
                                       const ItemRowSteps& steps, const FieldSteps& fields);

}  // namespace sosie

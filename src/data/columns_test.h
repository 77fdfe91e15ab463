#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "data/record_table.h"

namespace sosie {

// A column with these values, by record; an empty text is a missing value.
inline RecordColumn column_of(const std::vector<std::string>& texts,
                              const std::string& name = "name") {
  RecordColumn column;
  column.name = name;
  for (const std::string& text : texts) {
    std::uint32_t value = text.empty() ? RecordColumn::kMissing : 1;
    while (!text.empty() && value < column.distinct() && column.text(value) != text) ++value;
    if (!text.empty() && value == column.distinct()) {
      column.bytes += text;
      column.starts.push_back(column.bytes.size());
      column.counts.push_back(0);
    }
    column.values.push_back(value);
    ++column.counts[value];
  }
  return column;
}

}  // namespace sosie

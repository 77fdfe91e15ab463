#pragma once

#include <nanobind/nanobind.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "sosie/memory_file.h"

namespace sosie::python {

// Rows in memory that the library reads like a file with this extension (".jsonl").
struct MemoryRows {
  std::shared_ptr<const MemoryFile> file;
  std::string extension;
  std::optional<std::uint64_t> array_rows = {};  // rows of an array; else they are lines of JSON

  // Name of the file as an input that follows `before` others.
  [[nodiscard]] std::string path(std::size_t before) const {
    return "rows-" + std::to_string(before) + extension;
  }
};

void define_memory_rows(nanobind::module_& module);

}  // namespace sosie::python

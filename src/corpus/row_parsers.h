#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "corpus/corpus.h"

namespace sosie {

// Parses rows of whatever input file. Belongs to one thread.
class RowParsers {
 public:
  // `fields`: what to ask of the run's own rows.
  RowParsers(const Inputs& inputs, FieldRequest fields)
      : inputs_(inputs), fields_(std::move(fields)) {}

  // Throws RowError for a row that cannot be read. Views live until the next row.
  void parse(std::uint32_t file, std::string_view row, Record& out);

 private:
  // Files of one format in one collection share a parser if their headers are equal
  // and their texts lie in the same field.
  struct Known {
    const Format* format;
    bool against;
    const std::vector<std::string>* header;
    std::string_view column;
    bool wants_id;
    std::unique_ptr<RowParser> parser;
  };
  const Known& known_for(std::uint32_t file);

  const Inputs& inputs_;
  FieldRequest fields_;
  std::vector<Known> known_;
  std::uint32_t last_file_ = ~std::uint32_t{0};
  std::size_t last_known_ = 0;  // parser of that file
};

}  // namespace sosie

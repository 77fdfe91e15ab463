#pragma once

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
  // Files of one format in one collection have equal headers, and share a parser.
  struct Known {
    const Format* format;
    bool against;
    bool wants_id;
    std::unique_ptr<RowParser> parser;
  };
  const Known& known_for(std::uint32_t file);

  const Inputs& inputs_;
  FieldRequest fields_;
  std::vector<Known> known_;
};

}  // namespace sosie

#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/utf8.h"
#include "corpus/corpus.h"

namespace sosie {

// Detects rows that repeat the header of their file byte for byte, as happens when files are
// concatenated with their headers. In a file with a single column this is allowed, as the column
// may legitimately contain its own name. Not thread-safe.
class RepeatedHeaders {
 public:
  explicit RepeatedHeaders(const Inputs& inputs) : inputs_(inputs) {}

  // Throws RowError for such a row.
  void refuse(std::uint32_t file, std::string_view row) {
    const FileHeader& header = inputs_.headers[file];
    if (row.starts_with(kByteOrderMark)) row.remove_prefix(kByteOrderMark.size());
    const std::uint64_t line_end = header.length - row.size();
    if (header.length > 0 && line_end <= kLongestLineEnd && header.names.size() > 1) {
      refuse_same(file, row);
    }
  }

 private:
  static constexpr std::size_t kLongestLineEnd = 2;  // a last row has none

  void refuse_same(std::uint32_t file, std::string_view row);

  const Inputs& inputs_;
  std::uint32_t last_file_ = ~std::uint32_t{0};
  std::string last_header_;  // header of that file, without its line end
};

// Parses the rows of any input file. Not thread-safe.
class RowParsers {
 public:
  // `fields`: the fields requested from the run's own rows.
  RowParsers(const Inputs& inputs, FieldRequest fields)
      : inputs_(inputs), fields_(std::move(fields)), headers_(inputs) {}

  // Throws RowError for an unreadable row. Views in `out` are valid until the next row is parsed.
  void parse(std::uint32_t file, std::string_view row, Record& out);

 private:
  // Files of the same format in the same collection share a parser if they have equal headers and
  // the same text field.
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
  RepeatedHeaders headers_;
  std::vector<Known> known_;
  std::uint32_t last_file_ = ~std::uint32_t{0};
  std::size_t last_known_ = 0;  // parser of that file
};

}  // namespace sosie

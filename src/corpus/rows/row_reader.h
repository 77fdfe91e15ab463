#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "corpus/corpus.h"
#include "corpus/row_parsers.h"
#include "data/format.h"
#include "data/padded_bytes.h"

namespace sosie {

struct RowName {
  std::string id;
  bool is_integer = false;  // written without quotes in JSON
};

// Reads single rows again by their locators. Belongs to one thread.
class RowReader {
 public:
  // `fields`: what to ask of rows, which may be other fields than the scan's.
  RowReader(const Inputs& inputs, const Corpus& corpus, FieldRequest fields);

  // Takes rows that lie in these bytes of a file from there, until the next call. `bytes`: padded
  // as PaddedBytes is; they outlive that.
  void look_in(std::uint32_t file, std::uint64_t offset, std::string_view bytes) noexcept {
    at_hand_ = {file, offset, bytes};
  }

  // The row as a record; views live until the next call. The row must not be a bad one.
  const Record& read(RowNumber row);

  // True if its name comes from its number.
  [[nodiscard]] bool is_numbered(RowNumber row) const noexcept;
  // Name of the row in --removed and other tables: its id, or its number, or the name that --ids
  // gives to that number. Bad rows that are passed through have no id.
  [[nodiscard]] RowName name_of(RowNumber row);
  [[nodiscard]] std::string id_of(RowNumber row) { return name_of(row).id; }

 private:
  // Bytes of a file that were read already.
  struct Window {
    std::uint32_t file = 0;
    std::uint64_t offset = 0;
    std::string_view bytes;
  };

  [[nodiscard]] std::string_view bytes_of(const RowLocator& locator);
  [[nodiscard]] RowName name_by_number(RowNumber row);

  const Inputs& inputs_;
  const Corpus& corpus_;
  Window at_hand_;
  PaddedBytes bytes_;
  RowParsers parsers_;
  Record record_;
  std::optional<FileRows> file_rows_;  // once a row was called by its number in a file
};

// A row's bytes as its parser takes them: without the end of its line.
[[nodiscard]] std::string_view row_line(const Format& format, std::string_view row);

}  // namespace sosie

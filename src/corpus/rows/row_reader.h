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

// Rereads individual rows by their locators. Not thread-safe.
class RowReader {
 public:
  // `fields`: the fields to request from rows; they may differ from those that the scan requested.
  RowReader(const Inputs& inputs, const Corpus& corpus, FieldRequest fields);

  // Until the next call, rows within these bytes of the file are read from `bytes`, which must be
  // padded like PaddedBytes and must remain valid until then.
  void look_in(std::uint32_t file, std::uint64_t offset, std::string_view bytes) noexcept {
    at_hand_ = {file, offset, bytes};
  }

  // The row as a record; its views are valid until the next call. The row must not be bad.
  const Record& read(RowNumber row);

  // True if the row's name is derived from its number.
  [[nodiscard]] bool is_numbered(RowNumber row) const noexcept;
  // Name of the row in --removed and other tables: its id, its number, or the name that --ids gives
  // to this number. Bad rows that are passed through have no id.
  [[nodiscard]] RowName name_of(RowNumber row);
  [[nodiscard]] std::string id_of(RowNumber row) { return name_of(row).id; }

 private:
  // Bytes of a file that have already been read.
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

// The bytes of a row in the form that its parser expects, without the line end.
[[nodiscard]] std::string_view row_line(const Format& format, std::string_view row);

}  // namespace sosie

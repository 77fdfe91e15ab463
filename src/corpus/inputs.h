#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/ids.h"
#include "core/thread_pool.h"
#include "corpus/item_ids.h"
#include "corpus/table_columns.h"
#include "data/format.h"
#include "io/encoding.h"
#include "io/file.h"
#include "io/scratch.h"
#include "options/input_list.h"
#include "options/settings.h"
#include "read/block_reader.h"
#include "sosie/join.h"

namespace sosie {

// The row with the field names of a file. The lines above it are not rows.
struct FileHeader {
  std::uint64_t titles_begin = 0;
  std::uint32_t titles_length = 0;
  std::vector<std::string> names;  // empty if the file has none
  std::uint64_t offset = 0;
  std::uint32_t length = 0;      // line end included
  std::uint64_t rows_begin = 0;  // start of the rows after it
};

struct GroupedRows;

// --id: rows are named by their file and their number in it.
inline constexpr std::string_view kIdByFile = "file:row";

// A compressed file that cannot be decompressed to its end, and is read up to the damaged place.
struct DamagedInput {
  std::uint32_t file = 0;  // in Inputs::list; of a document, which is left out: its former position
  bool left_out = false;
  std::string name;
  std::string reason;
};

// The open inputs of a run. With --against, they are two collections, each with its own row numbers
// and ids: the files of OTHER come first, so that its rows rank before all others.
struct Inputs {
  std::vector<InputFile> list;
  InputNotes notes;
  std::vector<DamagedInput> damaged;     // in input order; none unless bad rows may be left out
  std::vector<std::string> other_paths;  // also read: originals of `list` with --group-by, sketches
  std::vector<File> files;               // one for each entry of list, in UTF-8
  std::vector<FileEncoding> encodings;   // by file; empty for vector files
  std::vector<FileHeader> headers;       // one for each entry of list
  std::vector<TableColumns> tables;      // one for each entry of list
  FieldRequest fields;                   // fields to request of each row
  RowLimit row_limit;                    // limit of every row
  std::uint64_t declared_bits = 0;       // bits of a fingerprint; 0: no file declares any
  bool ids_are_rows = false;
  bool rows_by_file = false;         // row names are numbers after the file name
  std::uint32_t first_own_file = 0;  // earlier files belong to OTHER
  // With --group-by: the rows from which the sets were built.
  std::shared_ptr<const GroupedRows> grouped;
  std::string against_id;  // field that names OTHER's rows; empty: their number
  // Names instead of row numbers (--ids), for the run's rows and OTHER's; null: none.
  const ItemIds* own_names = nullptr;
  const ItemIds* against_names = nullptr;

  Inputs();
  Inputs(Inputs&& other) noexcept;
  Inputs& operator=(Inputs&& other) noexcept;
  Inputs(const Inputs&) = delete;
  Inputs& operator=(const Inputs&) = delete;
  ~Inputs();

  // Name of a row without an id: its number in the collection or in its file.
  [[nodiscard]] std::string numbered_name(std::uint32_t file, std::uint64_t number,
                                          std::uint64_t number_in_file) const {
    if (!rows_by_file) return std::to_string(number);
    return list[file].name + ":" + std::to_string(number_in_file);
  }
  [[nodiscard]] bool has_against() const noexcept { return first_own_file > 0; }
  // The field that holds the text in a file's rows; empty if items are not text.
  [[nodiscard]] const std::string& column_of(std::uint32_t file) const noexcept {
    return fields.column.empty() ? fields.column : list[file].told.column;
  }
  [[nodiscard]] bool numbers_rows_of(std::uint32_t file) const noexcept {
    return file < first_own_file ? against_id.empty() : ids_are_rows;
  }
  // Null if the input is a file.
  [[nodiscard]] const TableColumns* table_of(std::uint32_t file) const noexcept {
    return tables[file].table ? &tables[file] : nullptr;
  }
  // Encoding that a file had before it was opened; UTF-8 for files without text.
  [[nodiscard]] const FileEncoding& encoding_of(std::uint32_t file) const noexcept;
  // A file in the form in which its rows are read.
  [[nodiscard]] RowSource source(std::uint32_t file) const;
  // Fields to request from the rows of a file. `asked`: the request for the run's own rows.
  [[nodiscard]] FieldRequest request_for(std::uint32_t file, FieldRequest asked) const;
};

// Maximum size of a row in a run with these settings.
[[nodiscard]] RowLimit row_limit(const Settings& settings) noexcept;

// Opens all inputs (pipes, and files that need it, are copied to scratch) and determines the field
// that names the rows. `item_fields`: fields that the caller reads from rows whose items are not
// text. Errors: as for list_inputs() and open_files(); malformed_input if headers differ or lack a
// requested field.
[[nodiscard]] Inputs open_inputs(const Options& options, const Settings& settings, Scratch& scratch,
                                 ThreadPool& pool, const RunHooks& hooks,
                                 const std::vector<std::string>& item_fields = {});

// Inputs for a stream whose rows are processed as they arrive. They are based on its header or, for
// formats without a header, on its first row; `first_rows` holds this beginning. Errors: as for
// open_inputs().
[[nodiscard]] Inputs inputs_of_stream(InputFile input, File first_rows, const Options& options,
                                      const Settings& settings);

// Throws an error: --id file:row is not possible if rows are looked up in an index or become its
// items.
[[noreturn]] void refuse_id_by_file(const Options& options);

// Throws Error{io} that names the first input modified since it was opened, as the data that were
// read may mix two versions of it. Must be called after everything has been read and before outputs
// appear.
void require_unchanged(const Inputs& inputs);

// Finds physical line numbers, counted from 1. Fast if positions are in input order.
class LineCounter {
 public:
  explicit LineCounter(const Inputs& inputs) : inputs_(inputs) {}
  // The line that contains the byte at `offset`.
  [[nodiscard]] std::uint64_t line_of(std::uint32_t file, std::uint64_t offset);

 private:
  const Inputs& inputs_;
  std::uint32_t file_ = 0;
  std::uint64_t at_ = 0;
  std::uint64_t line_ = 1;
  std::vector<char> buffer_;
};

// The number of a row in a vector file; nullopt for other files.
[[nodiscard]] std::optional<std::uint64_t> vector_row_of(const Inputs& inputs,
                                                         const RowLocator& locator);

// The place of a row as shown in messages: "people.jsonl:17", for a vector file "x.npy, row 2".
[[nodiscard]] std::string place_of_row(const Inputs& inputs, const RowLocator& locator);

}  // namespace sosie

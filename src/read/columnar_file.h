#pragma once

#include <atomic>
#include <string>
#include <vector>

#include "data/format.h"
#include "io/file.h"
#include "sosie/table_files.h"

namespace sosie {

// A table file and its reader.
struct ColumnarFile {
  const TableFiles& reader;
  const Format& format;
  std::string path;
  std::string name;  // name for messages
};

// Throws Error{io} for anything that is not a regular file, and Error{malformed_input} with the
// reader's reason.
[[nodiscard]] std::vector<std::string> column_names(const ColumnarFile& file);

// The table's note, from its metadata (data/table_note.h); empty if there is none. Throws as
// column_names() does.
[[nodiscard]] std::string note_of(const ColumnarFile& file,
                                  const std::vector<std::string>& columns);

// Columns of a file to read.
struct ColumnChoice {
  std::vector<std::string> names;
  std::vector<std::string> compared = {};  // some of `names`, which summaries count
};

// Appends the rows, as lines of JSON with these columns only, to `scratch`: row n becomes line n.
// Throws as column_names() does, and Error{unsupported} for a column of an unsupported type. Stops
// if *cancel becomes true.
[[nodiscard]] File rows_as_json(const ColumnarFile& file, const ColumnChoice& columns,
                                ScratchFile& scratch, const std::atomic<bool>* cancel);

}  // namespace sosie

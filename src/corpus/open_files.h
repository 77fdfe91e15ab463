#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/thread_pool.h"
#include "corpus/corpus.h"
#include "io/encoding.h"
#include "io/file.h"
#include "options/input_list.h"
#include "read/columnar_file.h"
#include "sosie/join.h"

namespace sosie {

// Additional options of open_files().
struct OpenRules {
  std::string kept_input = {};  // file for a copy of standard input; empty: scratch
  std::vector<DamagedInput>* damaged = nullptr;    // null: damaged files are errors
  std::vector<FileEncoding>* encodings = nullptr;  // detected, by file; null: files contain no text
  std::uint64_t memory_bytes = 0;                  // memory of the run; 0: no limit
};

// The file in which a checkpoint in this folder keeps standard input.
[[nodiscard]] std::string input_kept_in(const std::string& checkpoint);

// Opens the files of a run, in the order of the list, so that all of them can be read at any
// position. Pipes are copied to scratch, and so are rows of columnar files (as lines of JSON) and
// text in another encoding (as UTF-8). Compressed files are decompressed on reading
// (io/packed_file.h). `columns`: the selection of columns for each file; may be empty if no file is
// columnar. Standard input is copied to the file rules.kept_input instead, unless that name is
// empty, and read from this file if it already exists. Errors: io; malformed_input for a broken or
// truncated file; limit_exceeded for a file that cannot be decompressed with memory_bytes. If there
// are several errors, the first in input order is reported. With rules.damaged, a broken or
// truncated compressed file is not an error: it is listed there and ends with its last complete
// line.
[[nodiscard]] std::vector<File> open_files(std::span<const InputFile> list,
                                           std::span<const ColumnChoice> columns, Scratch& scratch,
                                           ThreadPool& pool, const RunHooks& hooks,
                                           const OpenRules& rules = {});

// The names of the columns in a columnar file.
[[nodiscard]] std::vector<std::string> columnar_names(const InputFile& input,
                                                      const RunHooks& hooks);

// The note stored in a columnar file with these columns (data/table_note.h).
[[nodiscard]] std::string columnar_note(const InputFile& input,
                                        const std::vector<std::string>& columns,
                                        const RunHooks& hooks);

// Reads and writes the columnar files of this run; `path` is one of these files. Throws
// Error{unsupported} if nothing can.
[[nodiscard]] const TableFiles& table_files(const RunHooks& hooks, const std::string& path);

}  // namespace sosie

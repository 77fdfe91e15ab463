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

// File in which standard input is kept for a checkpoint in this folder.
[[nodiscard]] std::string input_kept_in(const std::string& checkpoint);

// Opens the files of a run, in the order of the list, so that all can be read by position: pipes
// are copied to scratch, as are rows of columnar files, as lines of JSON, and text in another
// encoding, as UTF-8; compressed files are decompressed on reading (io/packed_file.h). `columns`:
// selection of columns by file; may be empty if no file is columnar. Standard input is copied to
// the file rules.kept_input instead, unless the name is empty, and read from there if that file
// already exists. Errors: io; malformed_input for a broken or truncated file; limit_exceeded for a
// file that cannot be decompressed with memory_bytes. The first error in input order is reported.
// With rules.damaged, a broken or truncated compressed file is not an error: it ends with its last
// complete line, and is listed there.
[[nodiscard]] std::vector<File> open_files(std::span<const InputFile> list,
                                           std::span<const ColumnChoice> columns, Scratch& scratch,
                                           ThreadPool& pool, const RunHooks& hooks,
                                           const OpenRules& rules = {});

// Names of a columnar file's columns.
[[nodiscard]] std::vector<std::string> columnar_names(const InputFile& input,
                                                      const RunHooks& hooks);

// Note of a columnar file with these columns (data/table_note.h).
[[nodiscard]] std::string columnar_note(const InputFile& input,
                                        const std::vector<std::string>& columns,
                                        const RunHooks& hooks);

// Reader and writer of columnar files for this run; `path` is one of them. Throws
// Error{unsupported} if there is none.
[[nodiscard]] const TableFiles& table_files(const RunHooks& hooks, const std::string& path);

}  // namespace sosie

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

// Further options of open_files().
struct OpenRules {
  std::string kept_input = {};  // where standard input is put aside; empty: scratch
  std::vector<DamagedInput>* damaged = nullptr;    // null: damaged files are errors
  std::vector<FileEncoding>* encodings = nullptr;  // found, by file; null: files hold no text
  std::uint64_t memory_bytes = 0;                  // memory of the run; 0: no cap
};

// Where standard input is put aside for a checkpoint in this folder.
[[nodiscard]] std::string input_kept_in(const std::string& checkpoint);

// Opens the files of a run, in the order of the list, so that all can be read by position: what
// comes from a pipe goes to scratch, and so do the rows of columnar files, as lines of JSON, and
// text in another encoding, as UTF-8; packed files are unpacked as they are read
// (io/packed_file.h). `columns`: by file, which of its columns; may be empty where no file is
// columnar. Standard input is put aside in the file rules.kept_input instead, and read from there
// if that is there already, unless the name is empty. Errors: io; malformed_input for a broken or
// truncated file; limit_exceeded for one that memory_bytes do not allow to unpack. The first in
// input order is reported. With rules.damaged, a packed file that is broken or truncated is no
// error: it ends with its last whole line, and is named there.
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

// Who reads and writes columnar files for this run; `path` is one. Throws Error{unsupported} when
// nobody does.
[[nodiscard]] const TableFiles& table_files(const RunHooks& hooks, const std::string& path);

}  // namespace sosie

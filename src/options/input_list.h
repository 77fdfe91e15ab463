#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "data/format.h"
#include "data/input_notes.h"
#include "io/file.h"
#include "options/folder_files.h"
#include "sosie/memory_file.h"

namespace sosie {

// Options that name the compared fields of a row.
enum class FieldsNamedBy : std::uint8_t { column, group_by, nothing };

// Options that concern the rows of a file; empty if they are not given.
struct ToldOfFile {
  std::string column;
  std::string id;
  std::string delimiter;
  std::string encoding;
  std::uint64_t skip_lines = 0;
  bool by_other = false;  // given by --other-column and the like
  FieldsNamedBy fields = FieldsNamedBy::column;

  // "--id" or "--other-id": the name that option `name` has for these rows. Hints use it to refer
  // to the right collection.
  [[nodiscard]] std::string option(std::string_view name) const;
  // "--column FIELD names the text, --id FIELD the id": describes the options that select
  // fields.
  [[nodiscard]] std::string field_options() const;

  friend bool operator==(const ToldOfFile&, const ToldOfFile&) = default;
};

// A file to be read.
struct InputFile {
  std::string path;   // "-" for standard input
  std::string name;   // name for messages and side files
  std::string group;  // heading in the summary: the file, or its folder
  const Format* format = nullptr;
  std::string relative;     // its path below the folder given as input, else its file name
  std::string document_id;  // id of a file that is one document
  std::shared_ptr<const MemoryFile> memory = {};  // null: the file is at `path`
  ToldOfFile told = {};
  bool is_format_asked = false;  // given by --format, not by the name
};

// The row names of a collection that is a single file in memory whose rows have no names; otherwise
// null.
[[nodiscard]] inline const NamesOfRows* names_of(std::span<const InputFile> collection) noexcept {
  const bool is_one = collection.size() == 1 && collection.front().memory;
  return is_one ? collection.front().memory->names() : nullptr;
}

struct InputList {
  std::vector<InputFile> files;
  InputNotes notes;
};

// Rules for finding and reading inputs.
struct InputRules {
  std::string_view format;                    // overrides extensions; empty: use them
  bool by_other = false;                      // given by --other-format
  char delimiter = '\0';                      // field separator of CSV and TSV; '\0': the format's
                                              // own
  bool has_header = true;                     // CSV and TSV begin with a header
  FolderRules folders = {};                   // rules for reading folders
  const MemoryFiles* memory_files = nullptr;  // null: none
};

// Name of a file in memory, for messages.
inline constexpr std::string_view kRowsInMemory = "the rows";

// The file in memory with this path, as an input; nullopt if there is none.
[[nodiscard]] std::optional<InputFile> input_in_memory(const std::string& path,
                                                       const MemoryFiles& files);

// Expands files, folders and patterns, in the order given. The files found in folders (at any
// depth) and by patterns are sorted by the bytes of their paths. PATH::column=FIELD names the
// column for the rows of PATH, unless a file has this whole name. A folder stands for its record
// files. An explicit format overrides extensions ("files": each file is a document); without it,
// standard input is JSONL. JSON files are checked, because they must have one object per line; a
// single object that spans several lines, in the same folder as files in other formats, describes
// these files and is skipped. Throws Error{io} for missing files; Error{unsupported} for an unknown
// extension, JSON of another shape, a folder without record files, and network addresses;
// Error{invalid_option} for an unknown format name.
[[nodiscard]] InputList list_inputs(const std::vector<std::string>& inputs,
                                    const InputRules& rules);

// The folders and patterns among the inputs, as typed; does not read them.
[[nodiscard]] std::vector<InputPlace> input_places(const std::vector<std::string>& inputs,
                                                   const InputRules& rules);

// The kind of a file's rows if --kind is not given: the kind of its format, or the kind that the
// file itself determines. If the file cannot be read, it is the kind of its format.
[[nodiscard]] KindBit kind_of_rows(const InputFile& file);

// Reads the paths listed in a file, one per line. A text after a tab names the column of the rows,
// as in PATH::column=FIELD; blank lines are skipped. "-" stands for the descriptor. Throws
// Error{cancelled} if *cancel becomes true while waiting for a pipe.
[[nodiscard]] std::vector<std::string> read_path_list(const std::string& list, int descriptor,
                                                      const std::atomic<bool>* cancel);

}  // namespace sosie

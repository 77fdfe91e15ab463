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

// Options that name the fields to compare of a row.
enum class FieldsNamedBy : std::uint8_t { column, group_by, nothing };

// Options about the rows of one file; empty: none is given.
struct ToldOfFile {
  std::string column;
  std::string id;
  std::string delimiter;
  std::string encoding;
  std::uint64_t skip_lines = 0;
  bool by_other = false;  // --other-column and its like say it
  FieldsNamedBy fields = FieldsNamedBy::column;

  // "--id" or "--other-id": the option called `name` as it is given for these rows. Hints name
  // options about rows through it, so that they are about the collection that is at fault.
  [[nodiscard]] std::string option(std::string_view name) const;
  // "--column FIELD names the text, --id FIELD the id": the options that choose fields.
  [[nodiscard]] std::string field_options() const;

  friend bool operator==(const ToldOfFile&, const ToldOfFile&) = default;
};

// One file to be read.
struct InputFile {
  std::string path;   // "-" for standard input
  std::string name;   // name for messages and side files
  std::string group;  // heading in the summary: the file, or the folder it was found in
  const Format* format = nullptr;
  std::string relative;     // its path below the folder it was found in, else its file name
  std::string document_id;  // id of a file that is one document
  std::shared_ptr<const MemoryFile> memory = {};  // null: it lies at `path`
  ToldOfFile told = {};
  bool is_format_asked = false;  // --format says it, not the name
};

// Names that a collection of one file in memory brings for rows that hold none; else null.
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
  std::string_view format;                    // overrules extensions; empty: they say it
  char delimiter = '\0';                      // field separator of CSV and TSV; '\0': the format's
                                              // own
  bool has_header = true;                     // CSV and TSV begin with a header
  FolderRules folders = {};                   // rules for looking into folders
  const MemoryFiles* memory_files = nullptr;  // null: none
};

// Name of a file in memory, for messages.
inline constexpr std::string_view kRowsInMemory = "the rows";

// The file in memory that is named by this path, as an input; nothing: there is none.
[[nodiscard]] std::optional<InputFile> input_in_memory(const std::string& path,
                                                       const MemoryFiles& files);

// Expands files, folders and patterns, in the order given; folders (at any depth) and patterns
// sorted by the bytes of the path. PATH::column=FIELD says the column of a path's rows, unless a
// file is called so. A folder stands for the record files in it. A format that is
// given overrules extensions ("files": each file is a document); standard input is JSONL unless it
// does. Files of JSON are looked into: they hold an object a line, or are refused; a single object
// over several lines beside files of other formats describes these, and is passed over. Errors: io
// for what is not there; unsupported for an extension nobody reads, JSON of another shape, a folder
// without record files, and addresses of the network; invalid_option for an unknown format name.
[[nodiscard]] InputList list_inputs(const std::vector<std::string>& inputs,
                                    const InputRules& rules);

// The folders and patterns among inputs as they are typed, which are not looked into.
[[nodiscard]] std::vector<InputPlace> input_places(const std::vector<std::string>& inputs,
                                                   const InputRules& rules);

// Kind of a file's rows unless --kind says it: the format's kind, or the one that the file itself
// tells. A file that cannot be read has its format's kind.
[[nodiscard]] std::string_view kind_of_rows(const InputFile& file);

// The paths that a file lists, one a line; a column behind a tab is that of its rows, as
// PATH::column=FIELD says it; blank lines are left out. "-" is the descriptor. Waiting
// for a pipe ends with Error{cancelled} when *cancel becomes true.
[[nodiscard]] std::vector<std::string> read_path_list(const std::string& list, int descriptor,
                                                      const std::atomic<bool>* cancel);

}  // namespace sosie

#pragma once

#include <string>

#include "io/file.h"
#include "read/table_reader.h"
#include "sosie/join.h"

namespace sosie {

// A pairs or clusters file, opened for reading.
class TableFile {
 public:
  // `path`: "-" is TSV from the caller's input. What comes from a pipe goes to the folder
  // scratch. `memory_bytes`: of the run; 0: no cap. Throws Error{io}, and as TableReader does.
  TableFile(const std::string& path, Scratch& scratch, const RunHooks& hooks,
            std::uint64_t memory_bytes, const MemoryFiles& memory_files = {});
  TableFile(const TableFile&) = delete;
  TableFile& operator=(const TableFile&) = delete;

  [[nodiscard]] TableReader& reader() noexcept { return reader_; }
  // As File::require_unchanged().
  void require_unchanged() const { file_.require_unchanged(); }
  // What the table says of itself (data/table_note.h); empty: nothing.
  [[nodiscard]] const std::string& note() const noexcept {
    return note_.empty() ? reader_.note() : note_;
  }

 private:
  std::string note_;  // of a columnar file
  File file_;
  TableReader reader_;
};

}  // namespace sosie

#pragma once

#include <string>

#include "io/file.h"
#include "read/table_reader.h"
#include "sosie/join.h"

namespace sosie {

// A pairs or clusters file, open for reading.
class TableFile {
 public:
  // `path`: a file, or "-" for TSV from the caller's input. Data from a pipe is copied to scratch.
  // `memory_bytes`: memory limit of the run; 0: no limit. Throws Error{io}, and as TableReader
  // does.
  TableFile(const std::string& path, Scratch& scratch, const RunHooks& hooks,
            std::uint64_t memory_bytes, const MemoryFiles& memory_files = {});
  TableFile(const TableFile&) = delete;
  TableFile& operator=(const TableFile&) = delete;

  [[nodiscard]] TableReader& reader() noexcept { return reader_; }
  // Throws as File::require_unchanged() does.
  void require_unchanged() const { file_.require_unchanged(); }
  // The table's note (data/table_note.h); empty if there is none.
  [[nodiscard]] const std::string& note() const noexcept {
    return note_.empty() ? reader_.note() : note_;
  }

 private:
  std::string note_;  // note of a columnar file
  File file_;
  TableReader reader_;
};

}  // namespace sosie

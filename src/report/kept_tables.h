#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "core/ids.h"
#include "data/row_writer.h"
#include "io/file.h"
#include "report/kept_rows.h"

namespace sosie {

// Copies the kept rows of the columnar files begin .. end - 1 to a single columnar file, with all
// columns and the added fields. Throws Error{malformed_input} if the columns of the files differ,
// and Error{io} if a file has changed since it was read.
void write_kept_table(const KeptSource& source, const KeepRow& keep, const AddFields& fields,
                      std::uint32_t begin, std::uint32_t end, OutputFile& out);

// Rows of a file that are read and written together: at least one row, up to a mebibyte.
class RowBatch {
 public:
  [[nodiscard]] bool empty() const noexcept { return bytes_ == 0; }
  [[nodiscard]] std::uint32_t file() const noexcept { return file_; }
  // True for a row that exceeds the size of a batch.
  [[nodiscard]] bool is_large() const noexcept;
  // Returns false for a row of another file, and for a row that would make the batch too large.
  [[nodiscard]] bool takes(const RowLocator& row) const noexcept;
  void add(const RowLocator& row);
  void clear() noexcept;

  // Reads the rows and writes them to `out`, one after another. In a regular file, rows that are
  // close together are read at once, with the bytes between them.
  void read(const File& file, std::string& out) const;

 private:
  // Adjacent rows.
  struct Piece {
    std::uint64_t offset = 0;
    std::uint64_t length = 0;

    [[nodiscard]] std::uint64_t end() const noexcept { return offset + length; }
  };

  std::uint32_t file_ = 0;
  std::vector<Piece> pieces_;
  std::uint64_t bytes_ = 0;
};

}  // namespace sosie

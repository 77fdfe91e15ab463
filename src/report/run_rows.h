#pragma once

#include <memory>
#include <string>
#include <vector>

#include "corpus/corpus.h"
#include "corpus/inputs.h"
#include "options/settings.h"
#include "report/report_page.h"
#include "store/run/run_folder.h"

namespace sosie {

// A row of a saved run as a person reads it.
struct RunRow {
  std::string text;                 // compared part; empty for vectors and bit strings
  std::vector<ReportField> fields;  // other fields as they stand there, long ones cut
  std::string trouble;              // why the row cannot be shown; empty: it can
};

// Reads rows of a saved run from where they lie. Belongs to one thread at a time.
class RunRows {
 public:
  // An input that cannot be opened is the trouble of every row. Throws Error{malformed_input} for
  // options that no run has.
  explicit RunRows(const RunFolder& run);

  // A row that is not there any more, or another one, has trouble.
  [[nodiscard]] RunRow read(const RunMember& saved);
  // Rule by which texts are cut into words.
  [[nodiscard]] TokenMode tokens() const noexcept { return settings_.shingle.tokens; }

 private:
  void open();
  [[nodiscard]] std::string bytes_of(const RunMember& member) const;
  [[nodiscard]] std::string text_of(const RunMember& member, std::string_view bytes);

  const RunFolder& run_;
  Options options_;
  Settings settings_;
  std::unique_ptr<Scratch> scratch_;
  std::unique_ptr<ThreadPool> pool_;
  std::unique_ptr<Inputs> inputs_;  // null: trouble_ says why
  std::string trouble_;
  std::uint32_t indexes_ = 0;  // files in front that are indexes, whose items are not read
};

// All fields of a row but the one that names it, in their order, as they stand there; those that
// are empty or null are left out. A row of a format without fields that has lines is one without a
// name; a row of a file of vectors has none.
[[nodiscard]] std::vector<ReportField> row_fields(const Inputs& inputs, const Corpus& corpus,
                                                  RowNumber row);
// These fields of the row at `place`, whose bytes are known. Throws RowError if they are no row.
[[nodiscard]] std::vector<ReportField> row_fields(const Inputs& inputs, const RowLocator& place,
                                                  std::string_view bytes);

}  // namespace sosie

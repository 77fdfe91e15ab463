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

// A row of a saved run as shown to a person.
struct RunRow {
  std::string text;                 // the compared text; empty for vectors and bit strings
  std::vector<ReportField> fields;  // other fields as written, long ones cut
  std::string trouble;              // why the row cannot be shown; empty if it can
};

// Rereads the rows of a saved run from its inputs. Not thread-safe.
class RunRows {
 public:
  // If an input cannot be opened, each of its rows gets this as its trouble. Throws
  // Error{malformed_input} for options that no run can have.
  explicit RunRows(const RunFolder& run);

  // If the row no longer exists or has changed, the result has trouble.
  [[nodiscard]] RunRow read(const RunMember& saved);
  // The rule by which texts are divided into words.
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
  std::uint32_t indexes_ = 0;  // number of indexes at the front, whose items are not read
};

// All fields of a row except its name, in order and as written; empty fields and nulls are left
// out. If the format has lines but no fields, there is one field without a name. A row of a vector
// file has no fields.
[[nodiscard]] std::vector<ReportField> row_fields(const Inputs& inputs, const Corpus& corpus,
                                                  RowNumber row);
// These fields of the row at `place`, given its bytes. Throws RowError if the bytes are not a row.
[[nodiscard]] std::vector<ReportField> row_fields(const Inputs& inputs, const RowLocator& place,
                                                  std::string_view bytes);

}  // namespace sosie

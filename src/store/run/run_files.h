#pragma once

#include <string>
#include <utility>
#include <vector>

#include "store/files_of_rows.h"
#include "store/run/run_folder.h"

namespace sosie {

// The files that the rows of a saved run lie in, one collection of them: inputs to read rows of
// again, nothing else.
class RunFiles final : public FilesOfRows {
 public:
  RunFiles(const RunFolder& run, std::string column, bool against);

  [[nodiscard]] std::vector<std::string> paths() const override { return {path_}; }
  [[nodiscard]] const SavedPlan& plan() const noexcept override { return plan_; }
  [[nodiscard]] const std::string& id_field() const noexcept override { return id_field_; }
  [[nodiscard]] Fields fields() const override;
  // Throws Error{io} for a file that is gone.
  [[nodiscard]] InputList inputs() const override;
  [[noreturn]] void refuse_changed(std::size_t number) const override;

 private:
  std::string path_;
  std::string column_;
  std::string id_field_;
  std::vector<std::string> rank_fields_;
  std::vector<InputFile> files_;
  SavedPlan plan_;
};

}  // namespace sosie

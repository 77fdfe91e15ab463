#pragma once

#include <string>
#include <vector>

#include "store/files_of_rows.h"
#include "store/index/index_manifest.h"

namespace sosie {

// The files that the items of an index lie in, where these are not kept: inputs to read rows of
// again, nothing else.
class IndexFiles final : public FilesOfRows {
 public:
  IndexFiles(std::string path, const SketchContents& contents)
      : path_(std::move(path)), contents_(contents) {}

  [[nodiscard]] std::vector<std::string> paths() const override { return {path_}; }
  [[nodiscard]] const SavedPlan& plan() const noexcept override { return contents_.plan; }
  [[nodiscard]] const std::string& id_field() const noexcept override { return contents_.id_field; }
  [[nodiscard]] Fields fields() const override;
  [[nodiscard]] InputList inputs() const override;
  [[noreturn]] void refuse_changed(std::size_t number) const override;

 private:
  std::string path_;
  const SketchContents& contents_;
};

}  // namespace sosie

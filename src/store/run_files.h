#pragma once

#include <span>
#include <string>
#include <utility>
#include <vector>

#include "corpus/known_rows.h"
#include "store/run_folder.h"

namespace sosie {

// The files that the rows of a saved run lie in, one collection of them: inputs to read rows of
// again, nothing else.
class RunFiles final : public Sketches {
 public:
  RunFiles(const RunFolder& run, std::string column, bool against);

  [[nodiscard]] std::vector<std::string> paths() const override { return {path_}; }
  [[nodiscard]] const SavedPlan& plan() const noexcept override { return plan_; }
  [[nodiscard]] const std::string& id_field() const noexcept override { return id_field_; }
  [[nodiscard]] Fields fields() const override;
  // Throws Error{io} for a file that is gone.
  [[nodiscard]] InputList inputs() const override;
  // Rows are compared with their hashes, one by one.
  void check(std::span<const File> /*files*/) const override {}

  // There are no blocks.
  void append_blocks(std::uint32_t /*first*/, std::vector<BlockRange>& /*to*/) const override {}
  [[nodiscard]] ScannedBlock read(std::size_t /*number*/, std::uint32_t /*file*/) const override {
    return {};
  }
  [[nodiscard]] std::uint64_t dimension() const noexcept override { return 0; }
  [[nodiscard]] std::vector<std::uint64_t> item_counts() const override { return {}; }
  [[nodiscard]] HashedItems read_items(std::size_t /*number*/) const override { return {}; }
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

#pragma once

#include <span>
#include <string>
#include <vector>

#include "corpus/known_rows.h"
#include "store/index_manifest.h"

namespace sosie {

// The files that the items of an index lie in, where these are not kept: inputs to read rows of
// again, nothing else.
class IndexFiles final : public Sketches {
 public:
  IndexFiles(std::string path, const SketchContents& contents)
      : path_(std::move(path)), contents_(contents) {}

  [[nodiscard]] std::vector<std::string> paths() const override { return {path_}; }
  [[nodiscard]] const SavedPlan& plan() const noexcept override { return contents_.plan; }
  [[nodiscard]] const std::string& id_field() const noexcept override { return contents_.id_field; }
  [[nodiscard]] Fields fields() const override;
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
  const SketchContents& contents_;
};

}  // namespace sosie

#pragma once

#include <span>
#include <string>
#include <vector>

#include "corpus/sketches.h"
#include "store/sketch/sketch_file.h"

namespace sosie {

// Sketch files that replace the inputs of a run. Their rows are in the order of the files.
class SketchFiles final : public Sketches {
 public:
  // Throws as SketchFile does, and Error{invalid_option} with both values if two of the files were
  // made with different plans or options. `paths`: at least one.
  explicit SketchFiles(const std::vector<std::string>& paths);

  // Gives the sketched files the names of these inputs. Throws Error{invalid_option} unless the
  // inputs are the files from which the sketches were made, in the same order.
  void stand_for(InputList inputs);

  [[nodiscard]] std::vector<std::string> paths() const override;
  [[nodiscard]] const SavedPlan& plan() const noexcept override { return first().plan; }
  [[nodiscard]] const std::string& id_field() const noexcept override;
  [[nodiscard]] Fields fields() const override;
  [[nodiscard]] InputList inputs() const override;
  void check(std::span<const File> files) const override;
  void append_blocks(std::uint32_t first_file, std::vector<BlockRange>& blocks) const override;
  [[nodiscard]] ScannedBlock read(std::size_t number, std::uint32_t file) const override;
  [[nodiscard]] ScannedBlock read_keyless(std::size_t number, std::uint32_t file,
                                          std::vector<std::uint64_t>& hashes) const override;
  [[nodiscard]] std::uint64_t rows() const noexcept override;
  [[nodiscard]] std::vector<std::uint64_t> checksums() const override;
  void read_keys(std::size_t number, const BandRange& bands, std::vector<RowState>& states,
                 std::vector<std::uint64_t>& keys) const override;
  void read_rows(std::size_t number, std::size_t rows, std::string& bytes) const override;
  void read_filters(std::size_t number, std::size_t rows, const RowSpan& some,
                    std::vector<std::uint8_t>& filters) const override;
  [[nodiscard]] std::uint64_t dimension() const noexcept override;
  [[nodiscard]] std::vector<std::uint64_t> item_counts() const override;
  [[nodiscard]] HashedItems read_items(std::size_t number) const override;
  [[noreturn]] void refuse_changed(std::size_t number) const override;

  [[nodiscard]] const SketchContents& first() const noexcept { return files_.front().contents(); }

 private:
  // The position of a block.
  struct Place {
    std::uint32_t sketches;  // number in files_
    std::uint32_t number;
  };

  [[nodiscard]] const SketchFile& first_with_rows() const noexcept;

  std::vector<SketchFile> files_;
  std::vector<Place> places_;
  InputList named_;  // empty: files have the names from when they were sketched
};

}  // namespace sosie

#pragma once

#include <span>
#include <string>
#include <vector>

#include "pipeline/rows/corpus.h"
#include "pipeline/saved/sketch_file.h"
#include "read/input_list.h"

namespace sosie {

// Files of sketches that stand for the inputs of a run: their rows in the order of the files.
class Sketches {
 public:
  // Throws as SketchFile does, and Error{invalid_option} with both values when two of the files
  // were made by different plans or options. `paths`: one or more.
  explicit Sketches(const std::vector<std::string>& paths);

  [[nodiscard]] std::vector<std::string> paths() const;
  // What they have in common.
  [[nodiscard]] const SavedPlan& plan() const noexcept { return first().plan; }
  [[nodiscard]] const std::string& id_field() const noexcept;
  [[nodiscard]] const SketchContents& first() const noexcept { return files_.front().contents(); }

  // The files that the rows were read from.
  [[nodiscard]] InputList inputs() const;
  // Throws Error{malformed_input} unless these are still what was read; `files`: those of inputs().
  void check(std::span<const File> files) const;
  // Adds the blocks in input order; `first_file`: the number of the first of inputs() in this run.
  void append_blocks(std::uint32_t first_file, std::vector<BlockRange>& blocks) const;
  // Block `number` of those; `file`: the number of its file in this run. Throws as
  // SketchFile::read() does.
  [[nodiscard]] ScannedBlock read(std::size_t number, std::uint32_t file) const;

 private:
  // Where a block stands.
  struct Place {
    std::uint32_t sketches;  // of files_
    std::uint32_t number;
  };

  [[nodiscard]] const SketchFile& first_with_rows() const noexcept;

  std::vector<SketchFile> files_;
  std::vector<Place> places_;
};

}  // namespace sosie

#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "corpus/corpus.h"
#include "io/file.h"
#include "options/input_list.h"
#include "plan/saved_plan.h"
#include "store/packed_writer.h"

namespace sosie {

// Which columns the blocks of a file of sketches have.
struct SketchShape {
  std::size_t bands = 0;
  std::size_t components = 0;
  bool has_ids = false;      // rows are identified by a field
  bool has_lengths = false;  // lengths of texts, for --keep
  std::size_t rank_fields = 0;
};

// The bytes of a block of scanned rows (docs/formats/sketches.md). Equal blocks give equal bytes.
// `block` must have the columns of `shape`.
[[nodiscard]] std::string pack_sketch_block(const ScannedBlock& block, const SketchShape& shape);

// Hashes of those columns of a block that the parts of a matching read: of the keys of each band,
// then of the rows' bytes.
using ColumnsOfBlock = std::vector<std::uint64_t>;

// Converts the bytes back to a block whose rows are in the file with number `file`. Throws
// Error{malformed_input} saying that `name` is damaged if they are not a block. With `hashes`, band
// keys are left out and hashed instead.
[[nodiscard]] ScannedBlock unpack_sketch_block(std::string_view bytes, const SketchShape& shape,
                                               std::uint32_t file, const std::string& name,
                                               ColumnsOfBlock* hashes = nullptr);

// Hash of bytes of a column.
[[nodiscard]] std::uint64_t hash_of_column(std::string_view bytes) noexcept;

// Number of bytes of the counts at the beginning of such a block, and of the data that follow for
// each row: its place and state, and the hash of its text.
inline constexpr std::size_t kSketchBlockHead = 40;
inline constexpr std::size_t kSketchPlaceBytes = 13;
inline constexpr std::size_t kSketchRowBytes = kSketchPlaceBytes + 16;

// Row i of this many rows, from the bytes of all rows, which follow the counts. The caller fills in
// the file.
struct SketchedRow {
  RowLocator locator;
  Hash128 text_hash;
};
[[nodiscard]] SketchedRow sketched_row(std::string_view bytes, std::size_t rows,
                                       std::size_t i) noexcept;

// A file from which rows were read, and how it is recognised.
struct SketchedFile {
  InputFile input;
  std::uint64_t bytes = 0;        // unpacked
  std::uint64_t fingerprint = 0;  // see fingerprint_of()
};

// The contents of a sketch file, or of a checkpoint folder, apart from its blocks.
struct SketchContents {
  SavedPlan plan;
  // Other options that determine which data are stored for a row: names and values, without
  // defaults.
  std::vector<std::pair<std::string, std::string>> options;
  std::string id_field;  // empty: rows are numbered
  bool has_lengths = false;
  std::vector<std::string> rank_fields;
  std::vector<SketchedFile> files;
  std::vector<std::string> passed_over;  // see InputList
  std::uint64_t rows = 0;                // in all blocks; the writer counts them
  // Number of components of a vector or bits of a bit string, 0 if there is no item. `rows` then
  // counts only rows that take part.
  std::uint64_t dimension = 0;

  // True if the blocks hold vectors or bit strings.
  [[nodiscard]] bool has_items() const noexcept { return plan.hashed.has_value(); }
  [[nodiscard]] SketchShape shape() const noexcept;
};

// A hash of the first and the last 64 KiB of a file. Throws Error{io}.
[[nodiscard]] std::uint64_t fingerprint_of(const File& file);

// Describes the sketches of a run. The caller fills in the plan and the number of rows.
[[nodiscard]] SketchContents contents_of(const Options& options, const Settings& settings,
                                         const Inputs& inputs);

void pack_contents(PackedWriter& out, const SketchContents& contents);
// Throws as PackedReader does; as plan_from_json() with `name` for the plan.
[[nodiscard]] SketchContents unpack_contents(PackedReader& in, const std::string& name);

// Throw Error{invalid_option} that names `path`, `other` and both values if these were made with
// different plans, or with different values of one of these options. `hint`: what can be done.
void expect_equal_plans(const SavedPlan& plan, const std::string& path, const SavedPlan& other_plan,
                        const std::string& other, std::string_view hint);
void expect_equal_option(std::string_view option, const std::string& value, const std::string& path,
                         const std::string& other_value, const std::string& other,
                         std::string_view hint);

// Decides whether a block that may have been written by somebody else can contain the rows of
// `range` in a file of `file_bytes`: its rows are in the order of the file, do not overlap, are
// inside the file and begin inside the range; there are as many lines as rows and blank lines; each
// row in a bad state has a bad row; band keys have 40 bits. Whether the hashes match the texts
// cannot be decided here; texts are reread before any decision depends on them. O(rows * bands).
[[nodiscard]] bool can_be_block_of(const BlockRange& range, std::uint64_t file_bytes,
                                   const ScannedBlock& block) noexcept;

}  // namespace sosie

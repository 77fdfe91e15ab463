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

// Bytes of a block of scanned rows (docs/formats/sketches.md). Equal blocks are
// equal bytes. `block` must have the columns of `shape`.
[[nodiscard]] std::string pack_sketch_block(const ScannedBlock& block, const SketchShape& shape);

// Hashes of the columns of a block that parts of a matching read: of the keys of each band, then of
// the rows' bytes.
using ColumnsOfBlock = std::vector<std::uint64_t>;

// The block again, its rows in the file `file`. Throws Error{malformed_input} that calls `name`
// damaged for bytes that are none. With `hashes` its band keys are left out, and hashed.
[[nodiscard]] ScannedBlock unpack_sketch_block(std::string_view bytes, const SketchShape& shape,
                                               std::uint32_t file, const std::string& name,
                                               ColumnsOfBlock* hashes = nullptr);

// Hash of bytes of a column.
[[nodiscard]] std::uint64_t hash_of_column(std::string_view bytes) noexcept;

// Bytes of the counts that such a block begins with, and of what follows for each row: its place
// and state, and the hash of its text.
inline constexpr std::size_t kSketchBlockHead = 40;
inline constexpr std::size_t kSketchPlaceBytes = 13;
inline constexpr std::size_t kSketchRowBytes = kSketchPlaceBytes + 16;

// Row i of so many rows from the bytes of all that stand behind the counts. Its file is left to the
// caller.
struct SketchedRow {
  RowLocator locator;
  Hash128 text_hash;
};
[[nodiscard]] SketchedRow sketched_row(std::string_view bytes, std::size_t rows,
                                       std::size_t i) noexcept;

// A file that rows were read from, and how to know it again.
struct SketchedFile {
  InputFile input;
  std::uint64_t bytes = 0;        // unpacked
  std::uint64_t fingerprint = 0;  // see fingerprint_of()
};

// Contents of a file of sketches, or of the folder of a checkpoint, besides its blocks.
struct SketchContents {
  SavedPlan plan;
  // Other options that decide what is known of a row: name and value, without defaults.
  std::vector<std::pair<std::string, std::string>> options;
  std::string id_field;  // empty: rows are numbered
  bool has_lengths = false;
  std::vector<std::string> rank_fields;
  std::vector<SketchedFile> files;
  std::vector<std::string> passed_over;  // see InputList
  std::uint64_t rows = 0;                // in all blocks; the writer counts them
  // Components of a vector or bits of a bit string, 0 if there is none; `rows` then counts the ones
  // that take part.
  std::uint64_t dimension = 0;

  // True if the blocks hold vectors or bit strings.
  [[nodiscard]] bool has_items() const noexcept { return plan.hashed.has_value(); }
  [[nodiscard]] SketchShape shape() const noexcept;
};

// A hash of the first and the last 64 KiB of a file. Throws Error{io}.
[[nodiscard]] std::uint64_t fingerprint_of(const File& file);

// Describes what the sketches of a run are about. The plan and the number of rows are left to the
// caller.
[[nodiscard]] SketchContents contents_of(const Options& options, const Settings& settings,
                                         const Inputs& inputs);

void pack_contents(PackedWriter& out, const SketchContents& contents);
// Throws as PackedReader does; as plan_from_json() with `name` for the plan.
[[nodiscard]] SketchContents unpack_contents(PackedReader& in, const std::string& name);

// Throw Error{invalid_option} that names `path` and `other`, with both values, when these were made
// by different plans or by another value of one of these options; `hint`: what can be done.
void expect_equal_plans(const SavedPlan& plan, const std::string& path, const SavedPlan& other_plan,
                        const std::string& other, std::string_view hint);
void expect_equal_option(std::string_view option, const std::string& value, const std::string& path,
                         const std::string& other_value, const std::string& other,
                         std::string_view hint);

// Decides whether a block that somebody else may have written can be the rows of `range`, a stretch
// of a file of `file_bytes`: rows in the order of the file, none over another, each inside the file
// and begun inside the stretch; as many lines as rows and blank lines; a bad row for each row that
// says so; band keys of 40 bits. What the hashes say of the texts cannot be told from here: texts
// are read again before anything is decided by them. O(rows * bands).
[[nodiscard]] bool can_be_block_of(const BlockRange& range, std::uint64_t file_bytes,
                                   const ScannedBlock& block) noexcept;

}  // namespace sosie

#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "store/index/index_run.h"
#include "store/sketch_contents.h"

namespace sosie {

// Keys by which an index finds its items.
enum class IndexKeys : std::uint8_t {
  minhash,  // bands of signatures: texts, sets and bags
  none,     // look-ups read all items
  blocks,   // blocks of bits: strings that differ by fewer bits than there are blocks agree in at
            // least one block
  hashes    // bands of a locality-sensitive family
};

// Contents of the file MANIFEST of an index: its build options, and its current files.
struct IndexManifest {
  SketchContents contents;  // plan and options; the files of the items, if these are not kept
  IndexKeys keys = IndexKeys::minhash;
  std::uint32_t blocks = 0;  // number of blocks, if they are the keys
  bool keeps_items = true;
  std::uint64_t next_number = 0;  // number of the next item
  std::uint64_t next_file = 1;    // number of the next run or log
  std::uint64_t log = 0;          // number of the log
  std::vector<RunEntry> runs;     // in the order of their items' numbers

  [[nodiscard]] IndexShape shape() const noexcept;
  // True if the items are compared as sets; else they are vectors, bit strings or strings.
  [[nodiscard]] bool has_sets() const noexcept { return keys == IndexKeys::minhash; }
};

// True if the path is a folder with a manifest, even a damaged one, or with runs or logs of an
// index whose manifest is missing.
[[nodiscard]] bool is_index(const std::string& path);
// True for a file that has the name and the mark of a run or log of an index. `may_be_cut`: the
// mark may be incomplete.
[[nodiscard]] bool is_file_of_index(const std::string& path, bool may_be_cut);
[[nodiscard]] std::string manifest_path(const std::string& folder);

// Throws Error{malformed_input} for a folder without a manifest and, with the place, for damage;
// Error{unsupported} for another version or recipe; Error{io}.
[[nodiscard]] IndexManifest read_manifest(const std::string& folder);
// Replaces the manifest durably. Throws Error{io}.
void write_manifest(const std::string& folder, const IndexManifest& manifest,
                    const std::atomic<bool>* cancel);

}  // namespace sosie

#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "join/sets/row_scan.h"
#include "sosie/error.h"
#include "store/index/index_writer.h"

namespace sosie {

// Treatment of a row whose id already belongs to an item.
enum class SameIds : std::uint8_t { refuse, skip, replace };

// Counts of the rows added to an index.
struct IndexedCounts {
  std::uint64_t added = 0;
  std::uint64_t skipped = 0;   // rows whose ids already existed
  std::uint64_t replaced = 0;  // items that were replaced
};

// Memory and scratch limits for writing an index in a run with these options.
[[nodiscard]] IndexWriter::Limits limits_of(const Options& options, const RunHooks& hooks);

// Makes items from rows.
struct ItemMaker {
  std::uint64_t first_number = 0;  // number of the first row
  std::uint32_t first_file = 0;    // number of the first file in the index, if items are not kept
  bool is_named = false;           // rows have ids
  bool keeps_items = true;
  std::string index = {};  // name in messages

  // The serialized form of a row that is not bad.
  [[nodiscard]] std::string pack(const InputRow& row) const;
};

// Calls read(); errors about --show are rethrown as errors about --fields.
template <class Read>
void for_kept_fields(const Read& read) {
  try {
    read();
  } catch (const Error& error) {
    if (error.option() != "show") throw;
    throw Error(error.kind(), RefusedOption{"fields", error.value()}, error.reason(), error.hint());
  }
}

// Hints for existing ids: for `add`, and for `dedup --add`.
inline constexpr std::string_view kSkipOrReplace =
    "--skip-existing leaves such rows out, --replace replaces the items with them";
inline constexpr std::string_view kOtherIds =
    "give the rows other ids, leave them out, or first remove the items that have these ids";

// Rows with existing ids.
struct SameIdRows {
  std::uint64_t count = 0;
  const std::string& first;  // id of one of these rows
  const std::string& index;
  std::string_view way = kSkipOrReplace;
};
// Throws Error{malformed_input}.
[[noreturn]] void refuse_same_ids(const SameIdRows& rows);

// Throws Error{malformed_input} for an id that is not UTF-8, because answers about an index are
// JSON.
void require_utf8_id(const std::string& id, const std::string& index);

// Throws Error{invalid_option} unless rows and indexed items either all have names or all have
// numbers.
void expect_named_alike(bool rows_are_numbered, const IndexManifest& manifest,
                        const std::string& path);

// Adds rows as items after the existing ones; does not commit. `next_number`: number of the first
// new item. `first_file`: number of the first new file in the index, if items are not stored.
// Throws Error{malformed_input}, listing existing ids, and otherwise throws as RowScan does.
[[nodiscard]] IndexedCounts add_rows(RowScan& rows, SameIds same_ids, std::uint32_t first_file,
                                     ThreadPool& pool, IndexWriter& writer);

}  // namespace sosie

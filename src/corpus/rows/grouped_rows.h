#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "corpus/corpus.h"
#include "data/format.h"
#include "io/record_file.h"

namespace sosie {

// The rows that sets were put together from, as they lie in their files: what `dedup` keeps of
// them. 16 bytes a row in scratch.
struct GroupedRows {
  explicit GroupedRows(Scratch& scratch) : members(scratch, sizeof(Member), kLargePage) {}

  struct Member {
    std::uint64_t offset;
    std::uint32_t length;  // line end included
    std::uint32_t set;     // the number of its set in its collection
  };

  Inputs files;                     // files as they were before
  RecordFile members;               // members of all files, one behind the other
  std::vector<std::uint64_t> ends;  // by file, in `members`
};

// Puts sets together whose rows are (set, element) pairs, with a weight perhaps (options.group_by,
// element, weight), in the order of their first rows, wherever the others lie: the files of each
// collection are replaced by one in scratch with a set a row, and inputs.grouped has what they
// were. All sets are in memory meanwhile. Throws Error{malformed_input} with the place of the first
// row that cannot be read; Error{limit_exceeded} when the sets outgrow half of the memory.
void group_rows(const Options& options, const Settings& settings, Scratch& scratch,
                ThreadPool& pool, Inputs& inputs);

// Sets that were put together from other rows, for scratch only: one a line, its id and then its
// elements between tabs, all escaped so that they may hold any bytes. The fields are called "id"
// and "elements".
[[nodiscard]] const Format& set_row_format() noexcept;

// One such row as it grows. `id_is_integer`: written without quotes in JSON.
[[nodiscard]] std::string begin_set_row(std::string_view id, bool id_is_integer);
// `lines`: elements as ElementList gives them.
void add_to_set_row(std::string_view lines, std::string& row);

}  // namespace sosie

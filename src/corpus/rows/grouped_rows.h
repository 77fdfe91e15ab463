#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "corpus/corpus.h"
#include "data/format.h"
#include "io/record_file.h"

namespace sosie {

// The original rows of grouped sets in their files, which `dedup` keeps or removes. 16 bytes per
// row in scratch.
struct GroupedRows {
  explicit GroupedRows(Scratch& scratch) : members(scratch, sizeof(Member), kLargePage) {}

  struct Member {
    std::uint64_t offset;
    std::uint32_t length;  // line end included
    std::uint32_t set;     // the number of its set in its collection
  };

  Inputs files;                     // the original files
  RecordFile members;               // members of all files, one file after another
  std::vector<std::uint64_t> ends;  // by file, in `members`
};

// Builds sets from rows that are (set, element) pairs, possibly with a weight (options.group_by,
// element, weight), in the order of their first rows, wherever the others are: the files of each
// collection are replaced by one in scratch with a set per row, and inputs.grouped holds the
// originals. All sets are in memory meanwhile. Throws Error{malformed_input} with the place of the
// first unreadable row; Error{limit_exceeded} if the sets exceed half of the memory.
void group_rows(const Options& options, const Settings& settings, Scratch& scratch,
                ThreadPool& pool, Inputs& inputs);

// Format of sets built from other rows, for scratch only: one per line, its id and then its
// elements, separated by tabs, all escaped so that they may contain any bytes. The fields are
// called "id" and "elements".
[[nodiscard]] const Format& set_row_format() noexcept;

// Begins such a row. `id_is_integer`: unquoted in JSON.
[[nodiscard]] std::string begin_set_row(std::string_view id, bool id_is_integer);
// `lines`: elements in the form of ElementList.
void add_to_set_row(std::string_view lines, std::string& row);

}  // namespace sosie

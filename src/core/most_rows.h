#pragma once

#include <cstdint>
#include <string>

namespace sosie {

// Greatest number of rows of a corpus in memory, and of items of an index: 4,294,967,294, for which
// a RowId and the number that stands for none have room; lowered by the environment variable
// SOSIE_MOST_ROWS, by which tests reach it.
[[nodiscard]] std::uint64_t most_rows() noexcept;

// Throw Error{limit_exceeded}, which names ways out, when there are more; rows of a run only where
// they cannot lie in scratch, rows of a group at 2^32 always. `place` goes before the message:
// "index: ".
void check_rows_of_run(std::uint64_t rows);
void check_rows_of_group(std::uint64_t rows);
void check_items_of_index(std::uint64_t items, const std::string& place = {});

}  // namespace sosie

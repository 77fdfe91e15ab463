#pragma once

#include <cstdint>
#include <string>

namespace sosie {

// Maximum number of rows of a corpus in memory, and of items of an index: 4,294,967,294, so that a
// RowId has a value for each of them and one that stands for none. Tests lower it with the
// environment variable SOSIE_MOST_ROWS.
[[nodiscard]] std::uint64_t most_rows() noexcept;

// Throw Error{limit_exceeded}, with ways out in the hint, if there are more rows or items: a run
// calls check_rows_of_run() only if its rows cannot be in scratch; a group is always limited to the
// 4,294,967,294 rows above. `place` precedes the message: "index: ".
void check_rows_of_run(std::uint64_t rows);
void check_rows_of_group(std::uint64_t rows);
void check_items_of_index(std::uint64_t items, const std::string& place = {});

}  // namespace sosie

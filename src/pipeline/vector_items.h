#pragma once

#include <string>
#include <vector>

#include "core/thread_pool.h"
#include "data/vector_column.h"
#include "pipeline/item_rows.h"
#include "pipeline/settings.h"
#include "sosie/join.h"

namespace sosie {

// One collection of vectors: rows of all files, in the order of the inputs.
struct VectorItems {
  VectorColumn column;
  ItemIds ids;
  std::uint64_t bytes = 0;  // of the files
  std::vector<std::string> paths;
};

// Reads files of vectors (.npy, .fvecs, ...), or rows with a list of numbers in options.column (or
// a number in each of its fields a,b,...). Errors: those of the readers; malformed_input for rows
// of another dimension than the first, and for equal ids.
[[nodiscard]] VectorItems read_vectors(const Options& options,
                                       const std::vector<std::string>& inputs,
                                       const Settings& settings, ThreadPool& pool,
                                       const RunHooks& hooks);

// Gives two collections components of one type, which holds both exactly. Throws
// Error{malformed_input} when their dimensions differ.
void give_one_type(VectorItems& left, VectorItems& right);

}  // namespace sosie

#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/thread_pool.h"
#include "corpus/rows/row_reader.h"

namespace sosie {

// Looks up what rows are called (and fields of theirs to show), many at a time.
class RowNames {
 public:
  // `show`: fields to look up beside the id.
  RowNames(const Inputs& inputs, const Corpus& corpus, std::vector<std::string> show,
           ThreadPool& pool);

  struct Entry {
    std::string id;
    bool id_is_integer = false;
    std::vector<std::string> shown;  // one for each field of `show`
  };

  // One entry per row, in the same order; equal neighbours are looked up once.
  [[nodiscard]] std::vector<Entry> look_up(std::span<const RowId> rows);

 private:
  Entry read(RowReader& reader, RowId row) const;

  const Corpus& corpus_;
  std::size_t show_count_;
  ThreadPool& pool_;
  std::vector<std::unique_ptr<RowReader>> readers_;
};

}  // namespace sosie

#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/thread_pool.h"
#include "corpus/rows/row_reader.h"

namespace sosie {

// Looks up the names of many rows at a time, and fields of theirs to show.
class RowNames {
 public:
  // `show`: fields to look up in addition to the id.
  RowNames(const Inputs& inputs, const Corpus& corpus, std::vector<std::string> show,
           ThreadPool& pool);

  struct Entry {
    std::string id;
    bool id_is_integer = false;
    std::vector<std::string> shown;  // one for each field of `show`
  };

  // Returns one entry per row, in the same order. Adjacent equal rows are looked up only once.
  [[nodiscard]] std::vector<Entry> look_up(std::span<const RowNumber> rows);

 private:
  Entry read(RowReader& reader, RowNumber row) const;

  const Corpus& corpus_;
  std::size_t show_count_;
  ThreadPool& pool_;
  std::vector<std::unique_ptr<RowReader>> readers_;
};

// Finds rows of one collection by name. Requires the id hashes of the corpus.
class RowIds {
 public:
  enum class Of : std::uint8_t { own, other };  // the run's own rows, or the rows of --against

  RowIds(const Inputs& inputs, const Corpus& corpus, Of collection = Of::own);

  // Empty if no readable row has this id. Each match is confirmed by reading the row itself.
  [[nodiscard]] std::optional<RowNumber> find(std::string_view id);

 private:
  // Names in place of row numbers (--ids); null: none.
  [[nodiscard]] const std::vector<std::string>* given_names() const;
  [[nodiscard]] std::optional<RowNumber> find_number(std::string_view id) const;
  [[nodiscard]] std::optional<RowNumber> find_in_file(std::string_view id) const;
  // Rereads all rows.
  [[nodiscard]] std::optional<RowNumber> find_in_scratch(std::string_view id);

  const Inputs& inputs_;
  const Corpus& corpus_;
  bool is_other_;
  RowNumber begin_;  // the rows of the collection
  RowNumber end_;
  bool are_numbered_;  // their numbers name them
  RowReader reader_;
  std::vector<std::pair<std::uint64_t, RowNumber>> rows_;  // by hash of the id
};

}  // namespace sosie

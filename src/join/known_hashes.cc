// Takes what files of sketches say of vectors and bit strings.
#include "join/known_hashes.h"

#include <fmt/format.h>

#include <algorithm>

#include "corpus/known_rows.h"
#include "sosie/error.h"

namespace sosie {
namespace {

// Items of each file that take part.
std::vector<std::uint64_t> items_of_files(const Inputs& inputs, const Corpus& corpus,
                                          std::span<const RowId> left_out) {
  std::vector<std::uint64_t> items(inputs.list.size());
  for (std::size_t block = 0; block < corpus.ranges.size(); ++block) {
    const RowId begin = corpus.facts[block].first_row;
    const RowId end =
        block + 1 < corpus.facts.size() ? corpus.facts[block + 1].first_row : corpus.rows;
    const auto out = std::lower_bound(left_out.begin(), left_out.end(), end) -
                     std::lower_bound(left_out.begin(), left_out.end(), begin);
    items[corpus.ranges[block].file] += end - begin - static_cast<std::uint64_t>(out);
  }
  return items;
}

// Copies the bands of a row from all bands of the plan.
template <typename T>
void copy_bands(const std::vector<T>& from, std::size_t row, std::size_t all_bands,
                const BandRange& bands, std::size_t width, T* to) {
  if (from.empty()) return;
  std::copy_n(from.data() + (row * all_bands + bands.first) * width, bands.size() * width, to);
}

}  // namespace

KnownHashes::KnownHashes(const Options& options, const Inputs& inputs, const Corpus& corpus,
                         std::span<const RowId> left_out, ThreadPool& pool)
    : pool_(pool) {
  const std::vector<std::uint64_t> items = items_of_files(inputs, corpus, left_out);
  RowId first = 0;
  const auto add = [&](const Sketches* sketches, std::uint32_t begin, std::uint32_t end) {
    const std::vector<std::uint64_t> sketched =
        sketches == nullptr ? std::vector<std::uint64_t>{} : sketches->items_of_files();
    RowRange rows{first, first};
    for (std::uint32_t file = begin; file < end; ++file) {
      rows.end += static_cast<RowId>(items[file]);
      if (sketches == nullptr || sketched[file - begin] == items[file]) continue;
      throw Error(ErrorKind::malformed_input,
                  fmt::format("{}: has changed since {} was made: it had {} items and has {}",
                              inputs.list[file].name, sketches->paths().front(),
                              sketched[file - begin], items[file]),
                  "make these sketches again");
    }
    if (sketches != nullptr) parts_.push_back({sketches, rows});
    first = rows.end;
  };
  add(options.against_sketches.get(), 0, inputs.first_own_file);
  add(options.sketches.get(), inputs.first_own_file,
      static_cast<std::uint32_t>(inputs.list.size()));
}

std::vector<std::uint32_t> KnownHashes::unknown(std::span<const std::uint32_t> rows) const {
  std::vector<std::uint32_t> unknown;
  std::copy_if(rows.begin(), rows.end(), std::back_inserter(unknown), [this](std::uint32_t row) {
    return std::none_of(parts_.begin(), parts_.end(), [row](const Part& part) {
      return row >= part.rows.begin && row < part.rows.end;
    });
  });
  return unknown;
}

void KnownHashes::load(const BandRange& bands, BandedRows& table, std::uint64_t* sketches) const {
  for (const Part& part : parts_) {
    const std::vector<std::uint64_t> first = part.sketches->first_items();
    pool_.for_each(first.size(), [&](unsigned /*worker*/, std::size_t number) {
      pool_.check_cancelled();
      const HashedRows block = part.sketches->read_hashes(number);
      const auto all_bands = static_cast<std::size_t>(part.sketches->plan().hashed->bands);
      for (std::size_t i = 0; i < block.rows; ++i) {
        const std::size_t row = part.rows.begin + first[number] + i;
        const std::size_t at = row * table.bands;
        copy_bands(block.keys, i, all_bands, bands, 1, table.keys.data() + at);
        copy_bands(block.cells, i, all_bands, bands, table.functions,
                   table.cells.data() + at * table.functions);
        copy_bands(block.near, i, all_bands, bands, table.functions,
                   table.near.data() + at * table.functions);
        if (sketches == nullptr || block.sketches.empty()) continue;
        std::copy_n(block.sketches.data() + i * table.sketch_words, table.sketch_words,
                    sketches + row * table.sketch_words);
      }
    });
  }
}

}  // namespace sosie

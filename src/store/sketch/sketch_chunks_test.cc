// Sketch files of a matrix in chunks (MMDS 3.3, 3.4: exercises on MapReduce): minhashes of chunks
// of columns and of rows, buckets of bands, and candidates.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "core/mix64.h"
#include "data/padded_bytes.h"
#include "join/sets/set_run_test.h"
#include "represent/element_lines.h"
#include "sketch/band_keys.h"
#include "sketch/minhash.h"
#include "sosie/join.h"
#include "store/sketch/sketch_file.h"
#include "verify/jaccard.h"

namespace sosie {
namespace {

using Set = std::set<int>;

constexpr std::size_t kSets = 300;
constexpr std::size_t kShards = 4;
constexpr std::uint64_t kSeed = 7;

// Every third set shares most of its elements with an earlier one.
std::vector<Set> random_sets() {
  std::uint64_t next = 0;
  const auto draw = [&](std::uint64_t below) { return random64(5, next++) % below; };
  std::vector<Set> sets;
  for (std::size_t i = 0; i < kSets; ++i) {
    Set set;
    if (i % 3 == 2) {
      set = sets[draw(sets.size())];
      for (std::uint64_t edits = draw(8); edits > 0; --edits) {
        set.erase(set.begin());
        set.insert(static_cast<int>(draw(500)));
      }
    }
    while (set.size() < 30) set.insert(static_cast<int>(draw(500)));
    sets.push_back(set);
  }
  return sets;
}

std::string element_of(int number) { return "e" + std::to_string(number); }

// Each line holds one column of the matrix.
void write_sets(const std::string& path, const std::vector<Set>& sets) {
  std::ofstream file(path);
  for (const Set& set : sets) {
    std::string line;
    for (const int element : set) line += (line.empty() ? "" : " ") + element_of(element);
    file << line << '\n';
  }
}

Options options_of(const OptionTexts& given) {
  Options options;
  for (const auto& [name, value] :
       OptionTexts{{"kind", "sets"}, {"threads", "2"}, {"threshold", "0.6"}, {"seed", "7"}}) {
    set_option(options, name, value);
  }
  for (const auto& [name, value] : given) set_option(options, name, value);
  return options;
}

// A column in a sketch file: the keys of its bands, and the filter's 8 bits per component.
struct Column {
  std::vector<std::uint64_t> keys;
  std::vector<std::uint8_t> filter;

  friend bool operator==(const Column&, const Column&) = default;
};

std::vector<Column> columns_of(const std::string& path) {
  const SketchFile file(path);
  const SketchShape shape = file.contents().shape();
  std::vector<Column> columns;
  for (std::size_t number = 0; number < file.blocks().size(); ++number) {
    const ScannedBlock block = file.read(number, 0);
    const std::size_t rows = block.rows();
    for (std::size_t row = 0; row < rows; ++row) {
      Column column;
      for (std::size_t band = 0; band < shape.bands; ++band) {
        column.keys.push_back(block.band_keys[band * rows + row]);
      }
      const auto begin =
          block.filters.begin() + static_cast<std::ptrdiff_t>(row * shape.components);
      column.filter.assign(begin, begin + static_cast<std::ptrdiff_t>(shape.components));
      columns.push_back(std::move(column));
    }
  }
  return columns;
}

// Number of components in which two filters agree.
int agreements(const Column& left, const Column& right) {
  int agree = 0;
  for (std::size_t i = 0; i < left.filter.size(); ++i) {
    agree += left.filter[i] == right.filter[i] ? 1 : 0;
  }
  return agree;
}

double similarity(const Set& left, const Set& right) {
  return jaccard(std::vector<std::uint64_t>(left.begin(), left.end()),
                 std::vector<std::uint64_t>(right.begin(), right.end()));
}

using Pairs = std::set<std::pair<std::size_t, std::size_t>>;

// Pairs of columns that share a bucket in some band, each once: (a) and (b) of the exercise.
Pairs candidates_of(const std::vector<Column>& columns) {
  std::map<std::pair<std::size_t, std::uint64_t>, std::vector<std::size_t>> buckets;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    for (std::size_t band = 0; band < columns[i].keys.size(); ++band) {
      buckets[{band, columns[i].keys[band]}].push_back(i);
    }
  }
  Pairs candidates;
  for (const auto& [key, members] : buckets) {
    for (std::size_t a = 0; a < members.size(); ++a) {
      for (std::size_t b = a + 1; b < members.size(); ++b) {
        candidates.emplace(members[a], members[b]);
      }
    }
  }
  return candidates;
}

// A plan, sketches of all columns in one file, and sketches of kShards chunks of columns.
class SketchChunks : public testing::TestWithParam<const char*> {
 protected:
  SketchChunks() : sets_(random_sets()) {
    work_in_test_folder();
    Options options = options_of({{"bands", "20x5"}, {"sketch", GetParam()}, {"output", "p.json"}});
    (void)plan(options);
    plan_ = load_plan("p.json", nullptr);
    write_sets("all.sets", sets_);
    sketch_file("all.sets");
    for (std::size_t shard = 0; shard < kShards; ++shard) {
      const auto at = [&](std::size_t i) {
        return sets_.begin() + static_cast<std::ptrdiff_t>(i * kSets / kShards);
      };
      write_sets(shard_name(shard), {at(shard), at(shard + 1)});
      sketch_file(shard_name(shard));
    }
  }

  static std::string shard_name(std::size_t shard) {
    return "part" + std::to_string(shard) + ".sets";
  }

  // The columns of all shards, one after another.
  static std::vector<Column> columns_of_shards() {
    std::vector<Column> columns;
    for (std::size_t shard = 0; shard < kShards; ++shard) {
      const auto some = columns_of(shard_name(shard) + ".sketches");
      columns.insert(columns.end(), some.begin(), some.end());
    }
    return columns;
  }

  static void sketch_file(const std::string& path) {
    Options options =
        options_of({{"sketch", GetParam()}, {"plan", "p.json"}, {"output", path + ".sketches"}});
    options.inputs = {path};
    (void)sketch(options);
  }

  std::vector<Set> sets_;
  SavedPlan plan_;
};

// Exercise 3.3.7, chunks of columns: each Map task makes the signatures of its columns, and there
// is nothing left to reduce.
TEST_P(SketchChunks, OfColumnsAreTheSketchesOfAll) {
  const std::vector<Column> of_shards = columns_of_shards();
  ASSERT_EQ(of_shards.size(), kSets);
  EXPECT_EQ(of_shards, columns_of("all.sets.sketches"));
}

// Exercise 3.4.4: (a) a Map task emits (band, bucket) and the column for every column in its chunk,
// and the Reduce tasks receive the buckets; (b) a Map task emits the pairs in a bucket, by the
// lower column, and the Reduce tasks receive each column's candidates, each once. The whole run
// finds the candidates that pass the filter and are similar enough.
TEST_P(SketchChunks, GiveTheCandidatesOfTheWholeRun) {
  const std::vector<Column> columns = columns_of_shards();
  const Pairs candidates = candidates_of(columns);
  Pairs expected;
  for (const auto& [left, right] : candidates) {
    const bool passes =
        agreements(columns[left], columns[right]) >= plan_.banding.filter_agreements;
    if (passes && similarity(sets_[left], sets_[right]) >= 0.6) expected.emplace(left, right);
  }
  Options options = options_of({{"plan", "p.json"}, {"sketch", GetParam()}, {"output", "p.tsv"}});
  options.inputs = {"all.sets"};
  (void)pairs(options);
  Pairs found;
  std::ifstream file("p.tsv");
  for (std::string line; std::getline(file, line);) {
    std::istringstream fields(line);
    std::size_t left = 0;
    std::size_t right = 0;
    if (fields >> left >> right) found.emplace(left, right);
  }
  EXPECT_EQ(found, expected);
  EXPECT_GT(expected.size(), 30U);
  EXPECT_GT(candidates.size(), expected.size());
}

INSTANTIATE_TEST_SUITE_P(Sketches, SketchChunks, testing::Values("permfill", "classic"));

// Exercise 3.3.7, chunks of rows, with T-3.10: a Map task has some rows (elements) of every column
// and makes a signature for each; a Reduce task takes the minimum of each component. The result is
// the sketch file of whole columns. Only classic signatures, with 64 bits, can be combined in this
// way.
class ClassicChunks : public SketchChunks {};

TEST_P(ClassicChunks, T3_10_OfRowsCombineToTheSketchesOfAll) {
  constexpr std::uint64_t kPrime = (std::uint64_t{1} << 61) - 1;
  constexpr int kChunks = 5;
  const auto components = static_cast<std::size_t>(plan_.banding.components);
  std::vector<LinearHash> functions;
  for (std::uint64_t j = 0; j < components; ++j) {
    functions.push_back(
        {1 + random64(kSeed, 2 * j) % (kPrime - 1), random64(kSeed, 2 * j + 1) % kPrime, kPrime});
  }
  std::vector<Column> combined;
  for (const Set& set : sets_) {
    std::vector<std::uint64_t> least(components, kNoMinhash);
    for (int chunk = 0; chunk < kChunks; ++chunk) {
      std::string lines;
      for (const int element : set) {
        if (element % kChunks == chunk) lines += element_of(element) + "\n";
      }
      const std::size_t size = lines.size();
      lines.append(kPadding, '\0');
      std::vector<std::uint64_t> hashes;
      hashes.resize(hash_element_lines({lines.data(), size}, hashes));
      const auto of_chunk = classic_signature(hashes, functions);
      for (std::size_t j = 0; j < components; ++j) least[j] = std::min(least[j], of_chunk[j]);
    }
    std::vector<std::uint32_t> signature(components);
    std::transform(least.begin(), least.end(), signature.begin(),
                   [](std::uint64_t value) { return static_cast<std::uint32_t>(value); });
    Column column;
    column.keys.resize(static_cast<std::size_t>(plan_.banding.bands));
    column.filter.resize(components);
    band_keys(signature, plan_.banding.rows, column.keys);
    filter_signature(signature, column.filter);
    combined.push_back(std::move(column));
  }
  EXPECT_EQ(combined, columns_of("all.sets.sketches"));
}

INSTANTIATE_TEST_SUITE_P(Classic, ClassicChunks, testing::Values("classic"));

}  // namespace
}  // namespace sosie

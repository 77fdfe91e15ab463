// Finds near values of fields by joins of strings and sets.
#include "join/near_values.h"

#include <algorithm>
#include <mutex>
#include <utility>

#include "candidates/order_tokens.h"
#include "candidates/prefix_join.h"
#include "core/utf8.h"
#include "corpus/items/string_items.h"
#include "join/sets/indexed_sets.h"
#include "join/strings/string_join.h"
#include "plan/banding_plan.h"
#include "sketch/band_keys.h"
#include "sketch/minhash.h"
#include "verify/measures.h"

namespace sosie {
namespace {

constexpr std::uint64_t kBytesOfPair = 40;  // pair of values, and what it becomes in lists
constexpr std::uint64_t kBytesOfSymbol =
    9;  // symbol of a string: itself, its copy in order, its keys
constexpr std::uint64_t kBytesOfString = 120;
constexpr std::uint64_t kBytesOfElement =
    60;  // element of a set: its hash, and what joins make of it
constexpr std::size_t kValuesATask = 256;

// Accepts pairs of items from several threads.
class PairTaker {
 public:
  explicit PairTaker(const RecordMemory& memory) : memory_(memory) {}

  // Accepts pairs and, if known, their similarity.
  void take(std::span<const ScoredPair> pairs) {
    const std::scoped_lock lock(mutex_);
    for (const ScoredPair& pair : pairs) {
      pairs_.push_back(
          {std::min(pair.left, pair.right) + 1, std::max(pair.left, pair.right) + 1, pair.value});
    }
    if (pairs_.size() < 2 * checked_ + kFirstCheck) return;
    checked_ = pairs_.size();
    memory_.require(kBytesOfPair * checked_, "near values");
  }

  void take(std::span<const VerifiedPair> pairs, const Measure& measure) {
    std::vector<ScoredPair> scored;
    scored.reserve(pairs.size());
    for (const VerifiedPair& pair : pairs) {
      scored.push_back({pair.left, pair.right, measure.similarity(pair.overlap)});
    }
    take(scored);
  }

  // Pairs of keys, lower key first.
  [[nodiscard]] std::vector<ScoredPair> taken() {
    memory_.require(kBytesOfPair * pairs_.size(), "near values");
    return std::move(pairs_);
  }

 private:
  static constexpr std::size_t kFirstCheck = 1 << 16;

  const RecordMemory& memory_;
  std::mutex mutex_;
  std::vector<ScoredPair> pairs_;
  std::size_t checked_ = 0;
};

EditBound bound_of(const NearMeasure& near) {
  EditBound bound;
  bound.measure = string_measure(near.measure)->edits;
  bound.by_similarity = !near.within;
  bound.within = near.within.value_or(0);
  if (bound.by_similarity) bound.threshold = *parse_rational(near.threshold);
  return bound;
}

void join_near_strings(const JoinedValues& values, const NearMeasure& near, const NearMeans& means,
                       ThreadPool& pool, PairTaker& found) {
  std::uint64_t symbols = 0;
  for (std::uint32_t item = 0; item < values.size(); ++item) symbols += values.text(item).size();
  means.memory.require(kBytesOfSymbol * symbols + kBytesOfString * values.size(), "strings");
  StringColumn column;
  SymbolTable table;
  std::vector<char32_t> points;
  for (std::uint32_t item = 0; item < values.size(); ++item) {
    points.clear();
    const std::string_view text = values.text(item);
    const auto* at = reinterpret_cast<const unsigned char*>(text.data());
    for (const auto* end = at + text.size(); at != end;) {
      const DecodedCodePoint decoded = decode_or_escape(at, end);
      points.push_back(decoded.code_point);
      at += decoded.size;
    }
    append_string(points, table, column);
  }
  const JoinSides sides =
      values.split() == 0 ? JoinSides{{0, values.size()}}
                          : JoinSides{{0, values.split()}, RowRange{values.split(), values.size()}};
  if (sides.is_nothing()) return;
  const StringJoinTask task{.column = &column,
                            .sides = sides,
                            .bound = bound_of(near),
                            .scratch = &means.scratch,
                            .memory_bytes = means.memory.left()};
  (void)join_strings(task, pool, [&](std::span<const ScoredPair> pairs) { found.take(pairs); });
}

// By banding: looks up values of one collection among values of the other, or among later values.
void join_by_bands(const JoinedValues& values, const HashedSets& sets, const NearMeasure& near,
                   ThreadPool& pool, PairTaker& found) {
  const Measure measure = set_measure_of(near);
  const Rational threshold = *parse_rational(near.threshold);
  const BandingPlan plan = choose_banding(threshold, near.recall, {});
  const auto count = static_cast<std::size_t>(values.size());
  const auto bands = static_cast<std::size_t>(plan.bands);
  const auto components = static_cast<std::size_t>(plan.components);
  std::vector<std::uint64_t> keys(count * bands);
  std::vector<std::uint8_t> filters(count * components);
  const auto sketched = [&](std::size_t i) {
    return SketchedSet{
        SetView(sets.hashes).subspan(sets.starts[i], sets.starts[i + 1] - sets.starts[i]),
        std::span(keys).subspan(i * bands, bands),
        std::span(filters).subspan(i * components, components)};
  };
  const std::size_t tasks = (count + kValuesATask - 1) / kValuesATask;
  const auto for_each_value = [&](const auto& each) {
    pool.for_each(tasks, [&](unsigned /*worker*/, std::size_t task) {
      pool.check_cancelled();
      each(task * kValuesATask, std::min(count, (task + 1) * kValuesATask));
    });
  };
  for_each_value([&](std::size_t begin, std::size_t end) {
    MinHasher hasher(plan.components, /*seed=*/1);
    std::vector<std::uint32_t> signature(components);
    for (std::size_t i = begin; i < end; ++i) {
      const SetView set = sketched(i).set;
      if (set.empty()) continue;
      hasher.sketch(set, signature);
      band_keys(signature, plan.rows, std::span(keys).subspan(i * bands, bands));
      filter_signature(signature, std::span(filters).subspan(i * components, components));
    }
  });
  IndexedSets index(plan, measure, threshold);
  for (std::size_t i = 0; i < count; ++i) index.add(sketched(i));
  for_each_value([&](std::size_t begin, std::size_t end) {
    IndexedSets::Finder finder;
    std::vector<IndexedSets::Hit> hits;
    std::vector<ScoredPair> pairs;
    for (std::size_t i = begin; i < end && (values.split() == 0 || i < values.split()); ++i) {
      hits.clear();
      const std::size_t from = values.split() == 0 ? i + 1 : values.split();
      index.find(sketched(i), static_cast<Place>(from), /*one=*/false, finder, hits);
      for (const IndexedSets::Hit& hit : hits)
        pairs.push_back({static_cast<Place>(i), hit.position, 0});
    }
    found.take(pairs);
  });
}

void join_near_sets(const JoinedValues& values, const NearMeasure& near, const NearMeans& means,
                    ThreadPool& pool, PairTaker& found) {
  const HashedSets sets = sets_of(values, recipe_of(near), pool);
  means.memory.require(kBytesOfElement * sets.hashes.size() + kBytesOfString * sets.size(), "sets");
  if (near.lsh) {
    join_by_bands(values, sets, near, pool, found);
    return;
  }
  const Measure measure = set_measure_of(near);
  PrefixJoin join{.measure = &measure, .threshold = *measure.threshold(near.threshold)};
  if (values.split() > 0) join.scope = {values.split(), values.split()};
  JoinCounts counts;
  prefix_join(
      order_tokens(sets, pool), join, pool,
      [&](std::span<const VerifiedPair> pairs) { found.take(pairs, measure); },
      [&](std::size_t /*done*/) { pool.check_cancelled(); }, counts);
}

// Drops pairs in which neither value is among the most similar ones of the other, up to `most`
// records in all; ties are broken by key order.
void keep_nearest(const JoinedValues& values, std::uint32_t most, std::vector<ScoredPair>& pairs) {
  std::vector<std::uint32_t> records(std::size_t{values.size()} + 1);  // by key
  for (const std::uint32_t key : values.keys()) ++records[key];
  std::sort(pairs.begin(), pairs.end(), IsNearer{/*is_similarity=*/true});
  std::vector<std::uint64_t> seen(records.size());  // by key: records of what is nearer
  if (values.split() == 0) {
    for (std::size_t key = 1; key < seen.size(); ++key) seen[key] = records[key] - 1;
  }
  std::erase_if(pairs, [&](const ScoredPair& pair) {
    const bool is_near = seen[pair.left] < most || seen[pair.right] < most;
    seen[pair.left] += records[pair.right];
    seen[pair.right] += records[pair.left];
    return !is_near;
  });
}

}  // namespace

ShingleRecipe recipe_of(const NearMeasure& near) {
  ShingleRecipe recipe = *parse_shingle(near.shingle);
  const auto typed = typed_measure(near.measure, kTextItems);
  recipe.bag = typed && typed->row->counts_repetitions;
  return recipe;
}

NearestSearch search_of(const NearMeasure& near) {
  return {near.is_tfidf() ? ElementWeight::rare : ElementWeight::equal, near.prune};
}

Measure set_measure_of(const NearMeasure& near) { return *set_measure(near.measure, kTextItems); }

std::vector<KeyPair> near_values(const JoinedValues& values, const CandidateRule& rule,
                                 const NearMeans& means, ThreadPool& pool) {
  PairTaker found(means.memory);
  if (rule.near.is_of_strings()) {
    join_near_strings(values, rule.near, means, pool, found);
  } else {
    join_near_sets(values, rule.near, means, pool, found);
  }
  std::vector<ScoredPair> scored = found.taken();
  if (rule.top > 0 && !rule.near.is_of_strings()) keep_nearest(values, rule.top, scored);
  std::vector<KeyPair> pairs;
  pairs.reserve(scored.size() + values.size());
  for (const ScoredPair& pair : scored) pairs.emplace_back(pair.left, pair.right);
  if (values.split() > 0) return pairs;
  for (std::uint32_t key = 1; key <= values.size(); ++key) pairs.emplace_back(key, key);
  return pairs;
}

}  // namespace sosie

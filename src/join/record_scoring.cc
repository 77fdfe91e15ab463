// Compares candidate pairs of records: once to count their patterns, once more to score them.
#include "join/record_scoring.h"

#include <algorithm>
#include <iterator>
#include <unordered_map>

#include "verify/value_variants.h"

namespace sosie {
namespace {

constexpr std::size_t kRecordsATask = 256;

// Calls each(worker, task, left, partner) for all candidates, left records of one task in order.
template <typename Each>
void for_each_candidate(const RecordPairs& pairs, ThreadPool& pool, const Each& each) {
  const std::size_t records = pairs.table.across ? pairs.table.left : pairs.table.size();
  std::vector<CandidateUnion::Buffers> buffers(pool.size());
  pool.for_each(
      (records + kRecordsATask - 1) / kRecordsATask, [&](unsigned worker, std::size_t task) {
        pool.check_cancelled();
        const std::size_t end = std::min(records, (task + 1) * kRecordsATask);
        for (std::size_t left = task * kRecordsATask; left < end; ++left) {
          const auto record = static_cast<std::uint32_t>(left);
          for (const CandidatePartner& partner : pairs.candidates.of(record, buffers[worker])) {
            each(worker, task, record, partner);
          }
        }
      });
}

std::size_t task_count(const RecordPairs& pairs) {
  const std::size_t records = pairs.table.across ? pairs.table.left : pairs.table.size();
  return (records + kRecordsATask - 1) / kRecordsATask;
}

// Counts of one worker. Sums of integers: it does not matter who counted what.
struct WorkerCounts {
  std::unordered_map<LevelPattern, std::uint64_t> patterns;
  std::vector<std::uint64_t> of_rule;
  std::vector<std::uint64_t> only_rule;

  void add(LevelPattern pattern, std::uint32_t rules) {
    ++patterns[pattern];
    for (std::size_t rule = 0; rule < of_rule.size(); ++rule) {
      of_rule[rule] += rules >> rule & 1U;
      only_rule[rule] += rules == 1U << rule ? 1U : 0U;
    }
  }
};

}  // namespace

RecordComparer::RecordComparer(const RecordTable& table, const LinkRules& rules) {
  const std::vector<std::uint32_t> compared = rules.compared();
  columns_.reserve(compared.size());
  comparisons_.reserve(compared.size());
  sets_.reserve(compared.size());
  comparers_.reserve(compared.size());
  level_counts_.reserve(compared.size());
  for (const std::uint32_t f : compared) {
    columns_.push_back(&table.columns[f]);
    comparisons_.push_back(rules.fields[f].comparison);
    sets_.push_back(character_sets(table.columns[f], comparisons_.back().measure));
    comparers_.emplace_back(table.columns[f], comparisons_.back(), sets_.back());
    level_counts_.push_back(comparisons_.back().levels());
  }
}

LevelPattern RecordComparer::pattern(std::uint32_t left, std::uint32_t right) const {
  LevelPattern pattern = 0;
  for (std::size_t f = 0; f < comparers_.size(); ++f) {
    const std::vector<std::uint32_t>& values = columns_[f]->values;
    const std::uint32_t level =
        columns_[f]->has_variants()
            ? level_of_variants(*columns_[f], comparisons_[f], comparers_[f], left, right)
            : comparers_[f].level(values[left], values[right]);
    pattern |= with_level(f, level);
  }
  return pattern;
}

double RecordComparer::closeness(std::uint32_t left, std::uint32_t right) const {
  double sum = 0;
  for (std::size_t f = 0; f < comparers_.size(); ++f) {
    const std::vector<std::uint32_t>& values = columns_[f]->values;
    sum += columns_[f]->has_variants()
               ? closeness_of_variants(*columns_[f], comparers_[f], left, right)
               : comparers_[f].closeness(values[left], values[right]);
  }
  return sum / static_cast<double>(comparers_.size());
}

std::vector<std::uint8_t> levels_of(LevelPattern pattern, std::size_t fields) {
  std::vector<std::uint8_t> levels(fields);
  for (std::size_t f = 0; f < fields; ++f) {
    levels[f] = static_cast<std::uint8_t>(level_of(pattern, f));
  }
  return levels;
}

CandidateCounts count_candidates(const RecordPairs& pairs, ThreadPool& pool) {
  const std::size_t rules = pairs.candidates.rules();
  std::vector<WorkerCounts> workers(pool.size());
  for (WorkerCounts& worker : workers) {
    worker.of_rule.resize(rules);
    worker.only_rule.resize(rules);
  }
  for_each_candidate(pairs, pool,
                     [&](unsigned worker, std::size_t /*task*/, std::uint32_t left,
                         const CandidatePartner& partner) {
                       workers[worker].add(pairs.comparer.pattern(left, partner.partner),
                                           partner.rules);
                     });
  CandidateCounts counts;
  counts.of_rule.resize(rules);
  counts.only_rule.resize(rules);
  std::unordered_map<LevelPattern, std::uint64_t> all;
  for (const WorkerCounts& worker : workers) {
    for (const auto& [pattern, count] : worker.patterns) all[pattern] += count;
    for (std::size_t rule = 0; rule < rules; ++rule) {
      counts.of_rule[rule] += worker.of_rule[rule];
      counts.only_rule[rule] += worker.only_rule[rule];
    }
  }
  counts.patterns.reserve(all.size());
  for (const auto& [pattern, count] : all) counts.patterns.push_back(pattern);
  std::sort(counts.patterns.begin(), counts.patterns.end());
  counts.counts.fields = pairs.comparer.level_counts().size();
  counts.counts.counts.reserve(all.size());
  for (const LevelPattern pattern : counts.patterns) {
    const auto levels = levels_of(pattern, counts.counts.fields);
    counts.counts.levels.insert(counts.counts.levels.end(), levels.begin(), levels.end());
    counts.counts.counts.push_back(all[pattern]);
    counts.pairs += all[pattern];
  }
  return counts;
}

std::uint64_t likely_pairs(const CandidateCounts& counts, const MatchModel& model,
                           double least_probability) {
  std::uint64_t pairs = 0;
  for (std::size_t i = 0; i < counts.patterns.size(); ++i) {
    if (model.probability(counts.counts[i]) >= least_probability) pairs += counts.counts.counts[i];
  }
  return pairs;
}

std::vector<PatternLink> score_candidates(const RecordPairs& pairs, const CandidateCounts& counts,
                                          const MatchModel& model, double least_probability,
                                          ThreadPool& pool) {
  struct Scores {
    double bits;
    double probability;
  };
  std::unordered_map<LevelPattern, Scores> scores;
  for (std::size_t i = 0; i < counts.patterns.size(); ++i) {
    const double probability = model.probability(counts.counts[i]);
    if (probability < least_probability) continue;
    scores.emplace(counts.patterns[i], Scores{model.bits(counts.counts[i]), probability});
  }
  std::vector<std::vector<PatternLink>> tasks(task_count(pairs));
  for_each_candidate(pairs, pool,
                     [&](unsigned /*worker*/, std::size_t task, std::uint32_t left,
                         const CandidatePartner& partner) {
                       const LevelPattern pattern = pairs.comparer.pattern(left, partner.partner);
                       const auto found = scores.find(pattern);
                       if (found == scores.end()) return;
                       tasks[task].push_back(
                           {{left, partner.partner, found->second.bits, found->second.probability},
                            pattern,
                            partner.rules});
                     });
  std::vector<PatternLink> links;
  links.reserve(likely_pairs(counts, model, least_probability));
  for (std::vector<PatternLink>& task : tasks) {
    links.insert(links.end(), task.begin(), task.end());
    std::vector<PatternLink>().swap(task);
  }
  return links;
}

}  // namespace sosie

// Compares candidate pairs of records: once to count their patterns, once more to score them.
#include "join/record_scoring.h"

#include <algorithm>
#include <iterator>
#include <span>
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

// Share of the records with a value that have this one, by value; a missing value has none.
std::vector<double> shares_of(const RecordColumn& column) {
  double records = 0;
  for (std::uint32_t value = 1; value < column.distinct(); ++value) records += column.counts[value];
  std::vector<double> shares(column.distinct(), 1);
  for (std::uint32_t value = 1; value < column.distinct(); ++value) {
    shares[value] = column.counts[value] / records;
  }
  return shares;
}

// Scores of the pairs of a pattern, or of its values' frequencies.
struct PatternScore {
  double bits = 0;
  double probability = 0;
  bool varies = false;  // with the values
};

// The greatest score that a pair of the pattern may have.
PatternScore greatest_score(const RecordComparer& comparer, const MatchModel& model,
                            LevelPattern pattern, std::span<const std::uint8_t> levels) {
  PatternScore score{model.bits(levels), model.probability(levels), false};
  const double more = comparer.most_frequency_bits(model, pattern);
  score.varies = more != 0;
  if (!score.varies) return score;
  score.bits += more;
  score.probability = model.probability_at(score.bits);
  return score;
}

}  // namespace

ScoredLink scored_pair(const RecordComparer& comparer, const MatchModel& model,
                       LevelPattern pattern, const RecordPair& pair) {
  const auto levels = levels_of(pattern, comparer.level_counts().size());
  double more = 0;
  for (std::size_t f = 0; f < levels.size(); ++f) {
    more += comparer.frequency_bits(f, model.fields[f], pattern, pair);
  }
  const double bits = model.bits(levels) + more;
  return {pair.left, pair.right, bits,
          more == 0 ? model.probability(levels) : model.probability_at(bits)};
}

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
    shares_.push_back(rules.fields[f].frequency ? shares_of(table.columns[f])
                                                : std::vector<double>());
  }
}

double RecordComparer::frequency_bits(std::size_t field, const FieldWeights& weights,
                                      LevelPattern pattern, const RecordPair& pair) const {
  if (shares_[field].empty()) return 0;
  const std::vector<std::uint32_t>& values = columns_[field]->values;
  const double share =
      std::max(shares_[field][values[pair.left]], shares_[field][values[pair.right]]);
  return weights.frequency_bits(level_of(pattern, field), share);
}

double RecordComparer::most_frequency_bits(const MatchModel& model, LevelPattern pattern) const {
  double bits = 0;
  for (std::size_t f = 0; f < shares_.size(); ++f) {
    if (shares_[f].size() < 2) continue;
    const double least = *std::min_element(shares_[f].begin() + 1, shares_[f].end());
    bits += model.fields[f].frequency_bits(level_of(pattern, f), least);
  }
  return bits;
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

std::uint64_t likely_pairs(const RecordComparer& comparer, const CandidateCounts& counts,
                           const MatchModel& model, double least_probability) {
  std::uint64_t pairs = 0;
  for (std::size_t i = 0; i < counts.patterns.size(); ++i) {
    const PatternScore score =
        greatest_score(comparer, model, counts.patterns[i], counts.counts[i]);
    if (score.probability >= least_probability) pairs += counts.counts.counts[i];
  }
  return pairs;
}

std::vector<PatternLink> score_candidates(const RecordPairs& pairs, const CandidateCounts& counts,
                                          const MatchModel& model, double least_probability,
                                          ThreadPool& pool) {
  std::unordered_map<LevelPattern, PatternScore> scores;
  for (std::size_t i = 0; i < counts.patterns.size(); ++i) {
    const PatternScore score =
        greatest_score(pairs.comparer, model, counts.patterns[i], counts.counts[i]);
    if (score.probability >= least_probability) scores.emplace(counts.patterns[i], score);
  }
  std::vector<std::vector<PatternLink>> tasks(task_count(pairs));
  for_each_candidate(
      pairs, pool,
      [&](unsigned /*worker*/, std::size_t task, std::uint32_t left,
          const CandidatePartner& partner) {
        const LevelPattern pattern = pairs.comparer.pattern(left, partner.partner);
        const auto found = scores.find(pattern);
        if (found == scores.end()) return;
        ScoredLink link{left, partner.partner, found->second.bits, found->second.probability};
        if (found->second.varies) link = scored_pair(pairs.comparer, model, pattern, link.pair());
        if (link.probability < least_probability) return;
        tasks[task].push_back({link, pattern, partner.rules});
      });
  std::vector<PatternLink> links;
  links.reserve(likely_pairs(pairs.comparer, counts, model, least_probability));
  for (std::vector<PatternLink>& task : tasks) {
    links.insert(links.end(), task.begin(), task.end());
    std::vector<PatternLink>().swap(task);
  }
  return links;
}

std::vector<PatternLink> score_candidates_by(const RecordPairs& pairs, const PairScore& score,
                                             ThreadPool& pool) {
  std::vector<std::vector<PatternLink>> tasks(task_count(pairs));
  for_each_candidate(
      pairs, pool,
      [&](unsigned /*worker*/, std::size_t task, std::uint32_t left,
          const CandidatePartner& partner) {
        const double found = score.score(left, partner.partner);
        if (found <= 0) return;
        tasks[task].push_back({{left, partner.partner, found, found / score.greatest()},
                               pairs.comparer.pattern(left, partner.partner),
                               partner.rules});
      });
  std::vector<PatternLink> links;
  for (std::vector<PatternLink>& task : tasks) {
    links.insert(links.end(), task.begin(), task.end());
    std::vector<PatternLink>().swap(task);
  }
  return links;
}

std::vector<ScoredLink> wanted_candidates(const RecordPairs& pairs, const MatchModel& model,
                                          ThreadPool& pool,
                                          const std::function<bool(const RecordPair&)>& is_wanted) {
  std::vector<std::vector<ScoredLink>> tasks(task_count(pairs));
  for_each_candidate(
      pairs, pool,
      [&](unsigned /*worker*/, std::size_t task, std::uint32_t left,
          const CandidatePartner& partner) {
        const RecordPair pair{left, partner.partner};
        if (!is_wanted(pair)) return;
        tasks[task].push_back(scored_pair(pairs.comparer, model,
                                          pairs.comparer.pattern(left, partner.partner), pair));
      });
  std::vector<ScoredLink> links;
  for (const std::vector<ScoredLink>& task : tasks) {
    links.insert(links.end(), task.begin(), task.end());
  }
  return links;
}

}  // namespace sosie

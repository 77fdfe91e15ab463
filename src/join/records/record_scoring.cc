// Compares candidate pairs of records: once to count their patterns, once more to score them.
#include "join/records/record_scoring.h"

#include <algorithm>
#include <atomic>
#include <iterator>
#include <span>
#include <unordered_map>
#include <utility>

namespace sosie {
namespace {

constexpr std::size_t kRecordsATask = 256;

// Pairs of one left record.
struct PartnersOfRecord {
  std::uint32_t left;
  std::span<const CandidatePartner> partners;
  std::span<const std::uint8_t> levels;  // levels of all partners, one after the other
  std::size_t fields;

  [[nodiscard]] std::span<const std::uint8_t> levels_of(std::size_t partner) const noexcept {
    return levels.subspan(partner * fields, fields);
  }
};

// Calls each(worker, task, candidates) for all left records that have some, in order within a task.
template <typename Each>
void for_each_record(const RecordPairs& pairs, ThreadPool& pool, const Each& each) {
  const std::size_t records = pairs.table.across ? pairs.table.left : pairs.table.size();
  std::vector<CandidateUnion::Buffers> buffers(pool.size());
  std::vector<std::vector<std::uint8_t>> levels(pool.size());
  const std::size_t fields = pairs.comparer.fields();
  pool.for_each((records + kRecordsATask - 1) / kRecordsATask,
                [&](unsigned worker, std::size_t task) {
                  pool.check_cancelled();
                  const std::size_t end = std::min(records, (task + 1) * kRecordsATask);
                  for (std::size_t left = task * kRecordsATask; left < end; ++left) {
                    const auto record = static_cast<std::uint32_t>(left);
                    const auto partners = pairs.candidates.of(record, buffers[worker]);
                    if (partners.empty()) continue;
                    pairs.comparer.compare(record, partners, levels[worker]);
                    each(worker, task, PartnersOfRecord{record, partners, levels[worker], fields});
                  }
                });
}

std::size_t task_count(const RecordPairs& pairs) {
  const std::size_t records = pairs.table.across ? pairs.table.left : pairs.table.size();
  return (records + kRecordsATask - 1) / kRecordsATask;
}

// Counts of one worker. Sums of integers: it does not matter who counted what.
struct WorkerCounts {
  LevelPatterns patterns;
  std::unordered_map<std::uint32_t, std::uint64_t> rules;  // by rules that found a pair, as bits
  std::vector<std::uint32_t> numbers;  // by partner of the record at hand: its pattern

  void add(const PartnersOfRecord& candidates) {
    numbers.clear();
    for (std::size_t i = 0; i < candidates.partners.size(); ++i) {
      numbers.push_back(patterns.add(candidates.levels_of(i)));
    }
    std::uint32_t last = 0;
    std::uint64_t alike = 0;  // most pairs are found by the rules of the one before
    for (const CandidatePartner& partner : candidates.partners) {
      if (partner.rules != last && alike > 0) rules[last] += std::exchange(alike, 0);
      last = partner.rules;
      ++alike;
    }
    rules[last] += alike;
  }
};

// Agreeing pairs of all tasks, as long as they do not take too much.
class AgreeingCollector {
 public:
  AgreeingCollector(std::size_t tasks, std::uint64_t bytes)
      : most_(bytes / (2 * sizeof(PatternPair))), tasks_(tasks), workers_(tasks) {}

  // `numbers`: of the patterns of the partners, as the worker counts them.
  void add(unsigned worker, std::size_t task, const PartnersOfRecord& candidates,
           std::span<const std::uint32_t> numbers) {
    if (count_.load(std::memory_order_relaxed) > most_) return;
    workers_[task] = worker;
    std::vector<PatternPair>& kept = tasks_[task];
    const std::size_t before = kept.size();
    for (std::size_t i = 0; i < candidates.partners.size(); ++i) {
      if (!agrees(candidates.levels_of(i))) continue;
      const CandidatePartner& found = candidates.partners[i];
      kept.push_back({candidates.left, found.partner, found.rules, numbers[i]});
    }
    count_.fetch_add(kept.size() - before, std::memory_order_relaxed);
  }

  // `numbers`: a worker's number of a pattern as the number among all.
  [[nodiscard]] AgreeingPairs collected(const std::vector<std::vector<std::uint32_t>>& numbers) {
    AgreeingPairs agreeing;
    agreeing.is_complete = count_ <= most_;
    if (!agreeing.is_complete) return agreeing;
    agreeing.pairs.reserve(count_);
    for (std::size_t task = 0; task < tasks_.size(); ++task) {
      for (PatternPair& pair : tasks_[task]) {
        pair.pattern = numbers[workers_[task]][pair.pattern];
        agreeing.pairs.push_back(pair);
      }
      std::vector<PatternPair>().swap(tasks_[task]);
    }
    return agreeing;
  }

 private:
  std::uint64_t most_;  // pairs; they are there twice when they are put together
  std::atomic<std::uint64_t> count_ = 0;
  std::vector<std::vector<PatternPair>> tasks_;
  std::vector<unsigned> workers_;  // by task: who has done it
};

// Scores of the pairs of a pattern, or of its values' frequencies.
struct PatternScore {
  double bits = 0;
  double probability = 0;
  bool varies = false;  // with the values
};

// The greatest score that a pair of the pattern may have.
PatternScore greatest_score(const RecordComparer& comparer, const MatchModel& model,
                            std::span<const std::uint8_t> levels) {
  PatternScore score{model.bits(levels), model.probability(levels), false};
  const double more = comparer.most_frequency_bits(model, levels);
  score.varies = more != 0;
  if (!score.varies) return score;
  score.bits += more;
  score.probability = model.probability_at(score.bits);
  return score;
}

void count_rules(const WorkerCounts& worker, CandidateCounts& counts) {
  for (const auto& [rules, count] : worker.rules) {
    for (std::size_t rule = 0; rule < counts.of_rule.size(); ++rule) {
      counts.of_rule[rule] += (rules >> rule & 1U) * count;
      counts.only_rule[rule] += rules == std::uint64_t{1} << rule ? count : 0;
    }
  }
}

// Pairs of tasks, one after the other.
template <typename Link>
std::vector<Link> joined(std::vector<std::vector<Link>>& tasks) {
  std::vector<Link> links;
  for (std::vector<Link>& task : tasks) {
    links.insert(links.end(), task.begin(), task.end());
    std::vector<Link>().swap(task);
  }
  return links;
}

}  // namespace

CandidateCounts count_candidates(const RecordPairs& pairs, std::uint64_t kept_bytes,
                                 ThreadPool& pool) {
  const std::size_t fields = pairs.comparer.fields();
  std::vector<WorkerCounts> workers(pool.size());
  for (WorkerCounts& worker : workers) worker.patterns = LevelPatterns(fields);
  AgreeingCollector agreeing(task_count(pairs), kept_bytes);
  for_each_record(pairs, pool,
                  [&](unsigned worker, std::size_t task, const PartnersOfRecord& candidates) {
                    workers[worker].add(candidates);
                    agreeing.add(worker, task, candidates, workers[worker].numbers);
                  });
  CandidateCounts counts;
  counts.of_rule.resize(pairs.candidates.rules());
  counts.only_rule.resize(pairs.candidates.rules());
  std::vector<LevelPatterns> of_workers;
  of_workers.reserve(workers.size());
  for (WorkerCounts& worker : workers) {
    count_rules(worker, counts);
    of_workers.push_back(std::move(worker.patterns));
  }
  MergedPatterns all = merged(of_workers, fields);
  counts.agreeing = agreeing.collected(all.numbers);
  counts.counts.patterns = std::move(all.patterns);
  for (std::size_t i = 0; i < counts.counts.size(); ++i) {
    counts.pairs += counts.counts.patterns.count(i);
  }
  return counts;
}

std::uint64_t likely_pairs(const RecordComparer& comparer, const CandidateCounts& counts,
                           const MatchModel& model, double least_probability) {
  std::uint64_t pairs = 0;
  for (std::size_t i = 0; i < counts.counts.size(); ++i) {
    const PatternScore score = greatest_score(comparer, model, counts.counts[i]);
    if (score.probability >= least_probability) pairs += counts.counts.patterns.count(i);
  }
  return pairs;
}

std::vector<CandidateLink> score_candidates(const RecordPairs& pairs,
                                            const CountedCandidates& counted,
                                            const MatchModel& model, double least_probability,
                                            ThreadPool& pool) {
  const PatternCounts& counts = counted.counts.counts;
  std::vector<PatternScore> scores;
  scores.reserve(counts.size());
  bool are_kept = counted.agreeing.is_complete;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    scores.push_back(greatest_score(pairs.comparer, model, counts[i]));
    if (scores.back().probability >= least_probability) are_kept = are_kept && agrees(counts[i]);
  }
  std::vector<CandidateLink> links;
  links.reserve(likely_pairs(pairs.comparer, counted.counts, model, least_probability));
  const auto add_link = [&](const PatternPair& pair, std::vector<CandidateLink>& to) {
    const PatternScore& score = scores[pair.pattern];
    if (score.probability < least_probability) return;
    ScoredLink link{pair.left, pair.right, score.bits, score.probability};
    if (score.varies) link = scored_pair(pairs.comparer, model, counts[pair.pattern], link.pair());
    if (link.probability >= least_probability) to.push_back({link, pair.rules});
  };
  if (are_kept) {
    for (const PatternPair& pair : counted.agreeing.pairs) add_link(pair, links);
    return links;
  }
  std::vector<std::vector<CandidateLink>> tasks(task_count(pairs));
  for_each_record(
      pairs, pool, [&](unsigned /*worker*/, std::size_t task, const PartnersOfRecord& candidates) {
        for (std::size_t i = 0; i < candidates.partners.size(); ++i) {
          const CandidatePartner& found = candidates.partners[i];
          const auto pattern = counts.patterns.find(candidates.levels_of(i));
          add_link({candidates.left, found.partner, found.rules, *pattern}, tasks[task]);
        }
      });
  return joined(tasks);
}

std::vector<CandidateLink> score_candidates_by(const RecordPairs& pairs, const PairScore& score,
                                               ThreadPool& pool) {
  std::vector<std::vector<CandidateLink>> tasks(task_count(pairs));
  for_each_record(
      pairs, pool, [&](unsigned /*worker*/, std::size_t task, const PartnersOfRecord& candidates) {
        for (const CandidatePartner& partner : candidates.partners) {
          const double found = score.score(candidates.left, partner.partner);
          if (found <= 0) continue;
          tasks[task].push_back(
              {{candidates.left, partner.partner, found, found / score.greatest()}, partner.rules});
        }
      });
  return joined(tasks);
}

std::vector<ScoredLink> wanted_candidates(const RecordPairs& pairs, const MatchModel& model,
                                          ThreadPool& pool,
                                          const std::function<bool(const RecordPair&)>& is_wanted) {
  std::vector<std::vector<ScoredLink>> tasks(task_count(pairs));
  for_each_record(
      pairs, pool, [&](unsigned /*worker*/, std::size_t task, const PartnersOfRecord& candidates) {
        for (std::size_t i = 0; i < candidates.partners.size(); ++i) {
          const RecordPair pair{candidates.left, candidates.partners[i].partner};
          if (!is_wanted(pair)) continue;
          tasks[task].push_back(scored_pair(pairs.comparer, model, candidates.levels_of(i), pair));
        }
      });
  return joined(tasks);
}

}  // namespace sosie

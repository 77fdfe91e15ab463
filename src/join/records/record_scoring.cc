// Compares candidate pairs of records: once to count their patterns, once more to score them.
#include "join/records/record_scoring.h"

#include <algorithm>
#include <atomic>
#include <iterator>
#include <map>
#include <span>
#include <unordered_map>

#include "core/hash64.h"

namespace sosie {
namespace {

constexpr std::size_t kRecordsATask = 256;

// Pairs of one left record.
struct PartnersOfRecord {
  std::uint32_t left;
  std::span<const CandidatePartner> partners;
  std::span<const LevelPattern> patterns;  // by partner
};

// Calls each(worker, task, candidates) for all left records that have some, in order within a task.
template <typename Each>
void for_each_record(const RecordPairs& pairs, ThreadPool& pool, const Each& each) {
  const std::size_t records = pairs.table.across ? pairs.table.left : pairs.table.size();
  std::vector<CandidateUnion::Buffers> buffers(pool.size());
  std::vector<std::vector<LevelPattern>> patterns(pool.size());
  pool.for_each((records + kRecordsATask - 1) / kRecordsATask,
                [&](unsigned worker, std::size_t task) {
                  pool.check_cancelled();
                  const std::size_t end = std::min(records, (task + 1) * kRecordsATask);
                  for (std::size_t left = task * kRecordsATask; left < end; ++left) {
                    const auto record = static_cast<std::uint32_t>(left);
                    const auto partners = pairs.candidates.of(record, buffers[worker]);
                    if (partners.empty()) continue;
                    pairs.comparer.add_patterns(record, partners, patterns[worker]);
                    each(worker, task, PartnersOfRecord{record, partners, patterns[worker]});
                  }
                });
}

std::size_t task_count(const RecordPairs& pairs) {
  const std::size_t records = pairs.table.across ? pairs.table.left : pairs.table.size();
  return (records + kRecordsATask - 1) / kRecordsATask;
}

// Counts of few different numbers, by open addressing.
class NumberCounts {
 public:
  void add(std::uint64_t number, std::uint64_t count) {
    if (2 * used_ >= slots_.size()) grow();
    Slot& slot = slots_[place_of(number)];
    used_ += slot.count == 0 ? 1 : 0;
    slot.number = number;
    slot.count += count;
  }
  // Calls each(number, count), in no order.
  template <typename Each>
  void for_each(const Each& each) const {
    for (const Slot& slot : slots_) {
      if (slot.count != 0) each(slot.number, slot.count);
    }
  }

 private:
  struct Slot {
    std::uint64_t number = 0;
    std::uint64_t count = 0;  // 0: free
  };

  [[nodiscard]] std::size_t place_of(std::uint64_t number) const noexcept {
    const std::size_t mask = slots_.size() - 1;
    std::size_t place = mix64(number) & mask;
    while (slots_[place].count != 0 && slots_[place].number != number) place = (place + 1) & mask;
    return place;
  }

  void grow() {
    constexpr std::size_t kLeastSlots = 1024;
    std::vector<Slot> old(slots_.empty() ? kLeastSlots : 2 * slots_.size());
    old.swap(slots_);
    for (const Slot& slot : old) {
      if (slot.count != 0) slots_[place_of(slot.number)] = slot;
    }
  }

  std::vector<Slot> slots_;
  std::size_t used_ = 0;
};

// Counts of one worker. Sums of integers: it does not matter who counted what.
struct WorkerCounts {
  NumberCounts patterns;
  NumberCounts rules;  // rules that found a pair, as bits

  void add(const PartnersOfRecord& candidates) {
    for (const LevelPattern pattern : candidates.patterns) patterns.add(pattern, 1);
    for (const CandidatePartner& partner : candidates.partners) rules.add(partner.rules, 1);
  }
};

// Agreeing pairs of all tasks, as long as they do not take too much.
class AgreeingCollector {
 public:
  AgreeingCollector(std::size_t tasks, std::uint64_t bytes)
      : most_(bytes / (2 * sizeof(PatternPair))), tasks_(tasks) {}

  void add(std::size_t task, const PartnersOfRecord& candidates) {
    if (count_.load(std::memory_order_relaxed) > most_) return;
    std::vector<PatternPair>& kept = tasks_[task];
    const std::size_t before = kept.size();
    for (std::size_t i = 0; i < candidates.partners.size(); ++i) {
      if (!agrees(candidates.patterns[i])) continue;
      const CandidatePartner& found = candidates.partners[i];
      kept.push_back({candidates.left, found.partner, found.rules, candidates.patterns[i]});
    }
    count_.fetch_add(kept.size() - before, std::memory_order_relaxed);
  }

  [[nodiscard]] AgreeingPairs collected() {
    AgreeingPairs agreeing;
    agreeing.is_complete = count_ <= most_;
    if (!agreeing.is_complete) return agreeing;
    agreeing.pairs.reserve(count_);
    for (std::vector<PatternPair>& kept : tasks_) {
      agreeing.pairs.insert(agreeing.pairs.end(), kept.begin(), kept.end());
      std::vector<PatternPair>().swap(kept);
    }
    return agreeing;
  }

 private:
  std::uint64_t most_;  // pairs; they are there twice when they are put together
  std::atomic<std::uint64_t> count_ = 0;
  std::vector<std::vector<PatternPair>> tasks_;
};

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

CandidateCounts count_candidates(const RecordPairs& pairs, std::uint64_t kept_bytes,
                                 ThreadPool& pool) {
  std::vector<WorkerCounts> workers(pool.size());
  AgreeingCollector agreeing(task_count(pairs), kept_bytes);
  for_each_record(pairs, pool,
                  [&](unsigned worker, std::size_t task, const PartnersOfRecord& candidates) {
                    workers[worker].add(candidates);
                    agreeing.add(task, candidates);
                  });
  std::map<LevelPattern, std::uint64_t> all;
  CandidateCounts counts;
  counts.of_rule.resize(pairs.candidates.rules());
  counts.only_rule.resize(pairs.candidates.rules());
  for (const WorkerCounts& worker : workers) {
    worker.patterns.for_each(
        [&](LevelPattern pattern, std::uint64_t count) { all[pattern] += count; });
    worker.rules.for_each([&](std::uint64_t rules, std::uint64_t count) {
      for (std::size_t rule = 0; rule < counts.of_rule.size(); ++rule) {
        counts.of_rule[rule] += (rules >> rule & 1U) * count;
        counts.only_rule[rule] += rules == std::uint64_t{1} << rule ? count : 0;
      }
    });
  }
  counts.patterns.reserve(all.size());
  counts.counts.fields = pairs.comparer.level_counts().size();
  counts.counts.counts.reserve(all.size());
  for (const auto& [pattern, count] : all) {
    counts.patterns.push_back(pattern);
    const auto levels = levels_of(pattern, counts.counts.fields);
    counts.counts.levels.insert(counts.counts.levels.end(), levels.begin(), levels.end());
    counts.counts.counts.push_back(count);
    counts.pairs += count;
  }
  counts.agreeing = agreeing.collected();
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

std::vector<PatternLink> score_candidates(const RecordPairs& pairs,
                                          const CountedCandidates& counted, const MatchModel& model,
                                          double least_probability, ThreadPool& pool) {
  const CandidateCounts& counts = counted.counts;
  std::unordered_map<LevelPattern, PatternScore> scores;
  bool are_kept = counted.agreeing.is_complete;
  for (std::size_t i = 0; i < counts.patterns.size(); ++i) {
    const PatternScore score =
        greatest_score(pairs.comparer, model, counts.patterns[i], counts.counts[i]);
    if (score.probability < least_probability) continue;
    scores.emplace(counts.patterns[i], score);
    are_kept = are_kept && agrees(counts.patterns[i]);
  }
  std::vector<PatternLink> links;
  links.reserve(likely_pairs(pairs.comparer, counts, model, least_probability));
  const auto add_link = [&](const PatternPair& pair, std::vector<PatternLink>& to) {
    const auto found = scores.find(pair.pattern);
    if (found == scores.end()) return;
    ScoredLink link{pair.left, pair.right, found->second.bits, found->second.probability};
    if (found->second.varies) link = scored_pair(pairs.comparer, model, pair.pattern, link.pair());
    if (link.probability >= least_probability) to.push_back({link, pair.pattern, pair.rules});
  };
  if (are_kept) {
    for (const PatternPair& pair : counted.agreeing.pairs) add_link(pair, links);
    return links;
  }
  std::vector<std::vector<PatternLink>> tasks(task_count(pairs));
  for_each_record(
      pairs, pool, [&](unsigned /*worker*/, std::size_t task, const PartnersOfRecord& candidates) {
        for (std::size_t i = 0; i < candidates.partners.size(); ++i) {
          const CandidatePartner& found = candidates.partners[i];
          add_link({candidates.left, found.partner, found.rules, candidates.patterns[i]},
                   tasks[task]);
        }
      });
  for (std::vector<PatternLink>& task : tasks) {
    links.insert(links.end(), task.begin(), task.end());
    std::vector<PatternLink>().swap(task);
  }
  return links;
}

std::vector<PatternLink> score_candidates_by(const RecordPairs& pairs, const PairScore& score,
                                             ThreadPool& pool) {
  std::vector<std::vector<PatternLink>> tasks(task_count(pairs));
  for_each_record(pairs, pool,
                  [&](unsigned /*worker*/, std::size_t task, const PartnersOfRecord& candidates) {
                    for (std::size_t i = 0; i < candidates.partners.size(); ++i) {
                      const CandidatePartner& partner = candidates.partners[i];
                      const double found = score.score(candidates.left, partner.partner);
                      if (found <= 0) continue;
                      tasks[task].push_back(
                          {{candidates.left, partner.partner, found, found / score.greatest()},
                           candidates.patterns[i],
                           partner.rules});
                    }
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
  for_each_record(
      pairs, pool, [&](unsigned /*worker*/, std::size_t task, const PartnersOfRecord& candidates) {
        for (std::size_t i = 0; i < candidates.partners.size(); ++i) {
          const RecordPair pair{candidates.left, candidates.partners[i].partner};
          if (!is_wanted(pair)) continue;
          tasks[task].push_back(scored_pair(pairs.comparer, model, candidates.patterns[i], pair));
        }
      });
  std::vector<ScoredLink> links;
  for (const std::vector<ScoredLink>& task : tasks) {
    links.insert(links.end(), task.begin(), task.end());
  }
  return links;
}

}  // namespace sosie

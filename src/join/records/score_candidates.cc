// Compares candidate pairs of records twice: to count their patterns, and to score them.
#include "join/records/score_candidates.h"

#include <algorithm>
#include <atomic>
#include <iterator>
#include <optional>
#include <span>
#include <tuple>
#include <unordered_map>
#include <utility>

namespace sosie {
namespace {

constexpr std::size_t kRecordsATask = 256;
constexpr std::size_t kLinksATask = 4096;

// Levels of the partners of a record, some of which were counted before.
class PartnerLevels {
 public:
  // `before`: null, or counts that keep all of their pairs.
  PartnerLevels(const RecordComparer& comparer, const CandidateCounts* before)
      : comparer_(comparer), before_(before) {}

  void compare(std::uint32_t left, std::span<const CandidatePartner> partners,
               std::vector<std::uint8_t>& levels) {
    if (before_ == nullptr) return comparer_.compare(left, partners, levels);
    const std::size_t fields = comparer_.fields();
    levels.resize(partners.size() * fields);
    others_.clear();
    places_.clear();
    const std::span<const PatternPair> known = before_->kept.of(left);
    auto at = known.begin();
    for (std::size_t i = 0; i < partners.size(); ++i) {
      while (at != known.end() && at->right < partners[i].partner) ++at;
      if (at != known.end() && at->right == partners[i].partner) {
        const auto found = before_->patterns[at->pattern];
        std::copy(found.begin(), found.end(), &levels[i * fields]);
      } else {
        others_.push_back(partners[i]);
        places_.push_back(i);
      }
    }
    comparer_.compare(left, others_, compared_);
    for (std::size_t i = 0; i < places_.size(); ++i) {
      std::copy_n(&compared_[i * fields], fields, &levels[places_[i] * fields]);
    }
  }

 private:
  const RecordComparer& comparer_;
  const CandidateCounts* before_;
  std::vector<CandidatePartner> others_;
  std::vector<std::size_t> places_;
  std::vector<std::uint8_t> compared_;
};

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

// Calls each(worker, task, candidates) for all left records with candidates, in order within a
// task. `before`: null, or counts that keep all of their pairs, which are not compared again.
template <typename Each>
void for_each_record(const RecordPairs& pairs, ThreadPool& pool, const Each& each,
                     const CandidateCounts* before = nullptr) {
  const std::size_t records = pairs.table.across ? pairs.table.left : pairs.table.size();
  std::vector<CandidateUnion::Buffers> buffers(pool.size());
  std::vector<std::vector<std::uint8_t>> levels(pool.size());
  std::vector<PartnerLevels> compared(pool.size(), PartnerLevels(pairs.comparer, before));
  const std::size_t fields = pairs.comparer.fields();
  pool.for_each((records + kRecordsATask - 1) / kRecordsATask,
                [&](unsigned worker, std::size_t task) {
                  pool.check_cancelled();
                  const std::size_t end = std::min(records, (task + 1) * kRecordsATask);
                  for (std::size_t left = task * kRecordsATask; left < end; ++left) {
                    const auto record = static_cast<std::uint32_t>(left);
                    const auto partners = pairs.candidates.of(record, buffers[worker]);
                    if (partners.empty()) continue;
                    compared[worker].compare(record, partners, levels[worker]);
                    each(worker, task, PartnersOfRecord{record, partners, levels[worker], fields});
                  }
                });
}

std::size_t task_count(const RecordPairs& pairs) {
  const std::size_t records = pairs.table.across ? pairs.table.left : pairs.table.size();
  return (records + kRecordsATask - 1) / kRecordsATask;
}

// Counts of one worker. As sums of integers, they do not depend on which worker counted what.
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

// The pairs to keep from all tasks, as long as they fit in their share of memory.
class PairKeeper {
 public:
  PairKeeper(std::size_t tasks, const PairKeeping& keeping)
      : all_(keeping.all),
        most_(keeping.bytes / (2 * sizeof(PatternPair))),
        tasks_(tasks),
        workers_(tasks) {}

  // `numbers`: the worker's numbers for the partners' patterns.
  void add(unsigned worker, std::size_t task, const PartnersOfRecord& candidates,
           std::span<const std::uint32_t> numbers) {
    if (count_.load(std::memory_order_relaxed) > most_) return;
    workers_[task] = worker;
    std::vector<PatternPair>& kept = tasks_[task];
    const std::size_t before = kept.size();
    for (std::size_t i = 0; i < candidates.partners.size(); ++i) {
      if (!all_ && !agrees(candidates.levels_of(i))) continue;
      const CandidatePartner& found = candidates.partners[i];
      kept.push_back({candidates.left, found.partner, found.rules, numbers[i]});
    }
    count_.fetch_add(kept.size() - before, std::memory_order_relaxed);
  }

  // `numbers`: for each worker, maps its number of a pattern to the global number.
  [[nodiscard]] KeptPairs collected(const std::vector<std::vector<std::uint32_t>>& numbers) {
    KeptPairs kept;
    kept.is_complete = count_ <= most_;
    kept.are_all = kept.is_complete && all_;
    if (!kept.is_complete) return kept;
    kept.pairs.reserve(count_);
    kept.starts.reserve(tasks_.size() * kRecordsATask + 1);
    for (std::size_t task = 0; task < tasks_.size(); ++task) {
      for (PatternPair& pair : tasks_[task]) {
        pair.pattern = numbers[workers_[task]][pair.pattern];
        kept.starts.resize(std::max<std::size_t>(kept.starts.size(), pair.left + 1U),
                           kept.pairs.size());
        kept.pairs.push_back(pair);
      }
      std::vector<PatternPair>().swap(tasks_[task]);
    }
    kept.starts.resize(tasks_.size() * kRecordsATask + 1, kept.pairs.size());
    return kept;
  }

 private:
  bool all_;
  std::uint64_t most_;  // pairs; they are there twice when they are put together
  std::atomic<std::uint64_t> count_ = 0;
  std::vector<std::vector<PatternPair>> tasks_;
  std::vector<unsigned> workers_;  // by task: who has done it
};

// Scores of the pairs with a pattern.
struct PatternScore {
  double bits = 0;
  double probability = 0;
  bool varies = false;  // with the values; then these are the greatest ones
};

PatternScore greatest_score(const RecordComparer& comparer, const MatchModel& model,
                            std::span<const std::uint8_t> levels) {
  PatternScore score{model.bits(levels), 0, false};
  std::vector<std::uint8_t> raised(levels.begin(), levels.end());
  for (const std::size_t f : comparer.graded()) {
    if (levels[f] == 0) continue;
    if (levels[f] + 2U < comparer.level_counts()[f]) ++raised[f];
    score.varies = score.varies || levels[f] + 1U < comparer.level_counts()[f];
  }
  if (score.varies) score.bits = std::max(score.bits, model.bits(raised));
  const double more = comparer.most_frequency_bits(model, levels);
  score.varies = score.varies || more != 0;
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

// Pairs of the tasks, one task after the other.
template <typename Link>
std::vector<Link> in_order(std::vector<std::vector<Link>>& tasks) {
  std::vector<Link> links;
  for (std::vector<Link>& task : tasks) {
    links.insert(links.end(), task.begin(), task.end());
    std::vector<Link>().swap(task);
  }
  return links;
}

}  // namespace

double expected_matches(std::span<const CandidateLink> links) noexcept {
  double sum = 0;
  for (const CandidateLink& link : links) sum += link.link.probability;
  return sum;
}

std::span<const PatternPair> KeptPairs::of(std::uint32_t left) const noexcept {
  if (left + 1 >= starts.size()) return {};
  return std::span(pairs).subspan(starts[left], starts[left + 1] - starts[left]);
}

const PatternPair* CandidateCounts::find(const RecordPair& pair) const noexcept {
  const std::span<const PatternPair> of_left = kept.of(pair.left);
  const auto found =
      std::lower_bound(of_left.begin(), of_left.end(), pair.right,
                       [](const PatternPair& of, std::uint32_t right) { return of.right < right; });
  return found != of_left.end() && found->right == pair.right ? &*found : nullptr;
}

std::span<const float> CandidateCounts::similarities_of(const PatternPair& pair) const noexcept {
  if (similarities.empty()) return {};
  const std::size_t graded = similarities.size() / kept.pairs.size();
  const auto place = static_cast<std::size_t>(&pair - kept.pairs.data());
  return std::span(similarities).subspan(place * graded, graded);
}

CandidateCounts count_candidates(const RecordPairs& pairs, const PairKeeping& keeping,
                                 ThreadPool& pool, const CandidateCounts* before) {
  const std::size_t fields = pairs.comparer.fields();
  std::vector<WorkerCounts> workers(pool.size());
  for (WorkerCounts& worker : workers) worker.patterns = LevelPatterns(fields);
  PairKeeper keeper(task_count(pairs), keeping);
  for_each_record(
      pairs, pool,
      [&](unsigned worker, std::size_t task, const PartnersOfRecord& candidates) {
        workers[worker].add(candidates);
        keeper.add(worker, task, candidates, workers[worker].numbers);
      },
      before);
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
  counts.kept = keeper.collected(all.numbers);
  counts.patterns = std::move(all.patterns);
  for (std::size_t i = 0; i < counts.patterns.size(); ++i) counts.pairs += counts.patterns.count(i);
  return counts;
}

void keep_similarities(const RecordPairs& pairs, CandidateCounts& counts, ThreadPool& pool,
                       const CandidateCounts* before) {
  const std::size_t graded = pairs.comparer.graded().size();
  const std::vector<PatternPair>& kept = counts.kept.pairs;
  counts.similarities.resize(graded * kept.size());
  if (graded == 0) return;
  const auto is_before = [](const PatternPair& a, const PatternPair& b) {
    return std::tie(a.left, a.right) < std::tie(b.left, b.right);
  };
  const bool has_before = before != nullptr && !before->similarities.empty();
  const std::vector<PatternPair> none;
  const std::vector<PatternPair>& known = has_before ? before->kept.pairs : none;
  pool.for_each((kept.size() + kLinksATask - 1) / kLinksATask, [&](unsigned, std::size_t task) {
    pool.check_cancelled();
    const std::size_t end = std::min(kept.size(), (task + 1) * kLinksATask);
    auto at = std::lower_bound(known.begin(), known.end(), kept[task * kLinksATask], is_before);
    for (std::size_t i = task * kLinksATask; i < end; ++i) {
      const PatternPair& pair = kept[i];
      const auto of_pair = std::span(counts.similarities).subspan(i * graded, graded);
      while (at != known.end() && is_before(*at, pair)) ++at;
      if (at != known.end() && !is_before(pair, *at)) {
        const auto place = static_cast<std::size_t>(at - known.begin());
        std::copy_n(&before->similarities[place * graded], graded, of_pair.begin());
      } else {
        pairs.comparer.similarities(counts.patterns[pair.pattern], {pair.left, pair.right},
                                    of_pair);
      }
    }
  });
}

double greatest_probability(const RecordComparer& comparer, const MatchModel& model,
                            std::span<const std::uint8_t> levels) {
  return greatest_score(comparer, model, levels).probability;
}

std::vector<CandidateLink> score_candidates(const RecordPairs& pairs, const CandidateCounts& counts,
                                            const MatchModel& model, double least_probability,
                                            ThreadPool& pool,
                                            const std::function<void(std::uint64_t)>& expect) {
  const LevelPatterns& patterns = counts.patterns;
  std::vector<PatternScore> scores;
  scores.reserve(patterns.size());
  bool are_kept = counts.kept.is_complete;
  std::uint64_t most = 0;
  for (std::size_t i = 0; i < patterns.size(); ++i) {
    scores.push_back(greatest_score(pairs.comparer, model, patterns[i]));
    if (scores.back().probability < least_probability) continue;
    most += patterns.count(i);
    are_kept = are_kept && (counts.kept.are_all || agrees(patterns[i]));
  }
  if (expect) expect(most);
  std::vector<RecordScorer> scorers(pool.size(), RecordScorer(pairs.comparer, model));
  const auto add_link = [&](unsigned worker, const PatternPair& pair,
                            std::span<const float> similarities, std::vector<CandidateLink>& to) {
    const PatternScore& score = scores[pair.pattern];
    if (score.probability < least_probability) return;
    ScoredLink link{pair.left, pair.right, score.bits, score.probability};
    if (score.varies) {
      link = scorers[worker].score(link.pair(), patterns[pair.pattern], similarities);
    }
    if (link.probability >= least_probability) to.push_back({link, pair.rules});
  };
  if (are_kept) {
    const std::vector<PatternPair>& kept = counts.kept.pairs;
    std::vector<std::vector<CandidateLink>> parts((kept.size() + kLinksATask - 1) / kLinksATask);
    pool.for_each(parts.size(), [&](unsigned worker, std::size_t part) {
      pool.check_cancelled();
      const std::size_t end = std::min(kept.size(), (part + 1) * kLinksATask);
      for (std::size_t i = part * kLinksATask; i < end; ++i) {
        add_link(worker, kept[i], counts.similarities_of(kept[i]), parts[part]);
      }
    });
    return in_order(parts);
  }
  std::vector<std::vector<CandidateLink>> tasks(task_count(pairs));
  for_each_record(pairs, pool,
                  [&](unsigned worker, std::size_t task, const PartnersOfRecord& candidates) {
                    for (std::size_t i = 0; i < candidates.partners.size(); ++i) {
                      const CandidatePartner& found = candidates.partners[i];
                      const auto pattern = patterns.find(candidates.levels_of(i));
                      add_link(worker, {candidates.left, found.partner, found.rules, *pattern}, {},
                               tasks[task]);
                    }
                  });
  return in_order(tasks);
}

void let_compete(std::span<CandidateLink> links, const MatchModel& model, Competition one_partner,
                 std::uint32_t records) {
  constexpr double kMostOdds = 5e21;
  if (!one_partner.is_there()) return;
  std::vector<double> of_record(records);
  std::vector<double> odds;
  odds.reserve(links.size());
  for (const CandidateLink& link : links) {
    odds.push_back(std::min(model.odds_at(link.link.score), kMostOdds));
    if (one_partner.left) of_record[link.link.left] += odds.back();
    if (one_partner.right) of_record[link.link.right] += odds.back();
  }
  for (std::size_t i = 0; i < links.size(); ++i) {
    ScoredLink& link = links[i].link;
    double rivals = odds[i];
    if (one_partner.left) rivals = std::max(rivals, of_record[link.left]);
    if (one_partner.right) rivals = std::max(rivals, of_record[link.right]);
    link.probability = odds[i] / (1 + rivals);
  }
}

std::vector<CandidateLink> score_candidates_by(const RecordPairs& pairs, const PairScore& score,
                                               ThreadPool& pool) {
  std::vector<std::vector<CandidateLink>> tasks(task_count(pairs));
  for_each_record(
      pairs, pool, [&](unsigned /*worker*/, std::size_t task, const PartnersOfRecord& candidates) {
        for (const CandidatePartner& partner : candidates.partners) {
          const double found = score.score(candidates.left, partner.partner);
          if (found <= score.none()) continue;
          tasks[task].push_back({{candidates.left, partner.partner, found, 0}, partner.rules});
        }
      });
  return in_order(tasks);
}

std::vector<ScoredLink> wanted_candidates(const RecordPairs& pairs, ThreadPool& pool,
                                          const std::function<bool(const RecordPair&)>& is_wanted) {
  std::vector<std::vector<ScoredLink>> tasks(task_count(pairs));
  for_each_record(pairs, pool,
                  [&](unsigned /*worker*/, std::size_t task, const PartnersOfRecord& candidates) {
                    for (std::size_t i = 0; i < candidates.partners.size(); ++i) {
                      const RecordPair pair{candidates.left, candidates.partners[i].partner};
                      if (!is_wanted(pair)) continue;
                      tasks[task].push_back({pair.left, pair.right});
                    }
                  });
  return in_order(tasks);
}

}  // namespace sosie

// Audits joins of vectors, bit strings and strings: samples rows and finds their pairs in two ways.
#include "decide/item_audit.h"

#include <algorithm>
#include <mutex>

#include "corpus/items/equal_groups.h"
#include "decide/estimate_recall.h"

namespace sosie {
namespace {

// Number of partners compared at a time; small, so that their copies need little memory.
constexpr std::size_t kPartnersAtOnce = std::size_t{1} << 16;

}  // namespace

AuditedRun audited_join(const InMemoryJoiner& joiner, const AuditCaller& caller,
                        const RowRange& partners) {
  const auto between = [](auto find) -> PairsBetween {
    return [find](std::span<const RowId> lefts, std::span<const RowId> rights, const auto& each) {
      join_between(find, lefts, rights, each);
    };
  };
  AuditedRun run{
      .options = caller.options,
      .settings = joiner.settings(),
      .hooks = caller.hooks,
      .pool = caller.pool,
      .facts = joiner.bound().facts,
      .bound = joiner.bound().bound,
      .own = joiner.sides().left,
      .partners = partners,
      .bytes_of = [&joiner](std::size_t row) { return joiner.bytes_of(row); },
      .truth =
          between([&joiner](std::span<const RowId> rows, std::size_t split, const EachPairs& each) {
            return joiner.find_truth(rows, split, each);
          }),
      .found = {},
      .measure = [&joiner](RowId left, RowId right) { return joiner.measure(left, right); }};
  if (joiner.hashes() || !joiner.is_brute()) {
    run.found =
        between([&joiner](std::span<const RowId> rows, std::size_t split, const EachPairs& each) {
          return joiner.find(rows, split, each);
        });
  }
  return run;
}

ItemAudit::ItemAudit(const AuditedRun& run)
    : run_(run),
      sample_(draw_numbers(
          run.own.begin, run.own.end, [](std::uint32_t) { return true; }, run.options.audit,
          run.settings.seed)),
      is_sampled_(run.own.end - run.own.begin, false) {
  for (const std::uint32_t row : sample_) is_sampled_[row - run.own.begin] = true;
  const double bound = run.bound.value();
  facts_.slice_end = run.facts.is_similarity ? bound + 0.05 : bound * 0.95;
  facts_.sampled = sample_.size();
  facts_.documents = run.own.end - run.own.begin;
  facts_.asked = parse_rational(run.options.recall)->value();
}

void ItemAudit::add_reported(std::uint32_t left, std::uint32_t right) {
  const std::uint64_t ends = (is_own(left) && is_sampled_[left - run_.own.begin] ? 1U : 0U) +
                             (is_own(right) && is_sampled_[right - run_.own.begin] ? 1U : 0U);
  if (ends == 0) return;
  facts_.reported += ends;
  if (run_.measure(left, right)) facts_.reported_true += ends;
}

AuditFacts ItemAudit::measure() {
  group_partners();
  const std::vector<Tally> truth = tally(run_.truth);
  const std::vector<Tally> found = run_.found ? tally(run_.found) : truth;
  std::vector<PairTally> all;
  std::vector<PairTally> slice;
  for (std::size_t i = 0; i < sample_.size(); ++i) {
    all.push_back({truth[i].all, found[i].all});
    slice.push_back({truth[i].slice, found[i].slice});
  }
  conclude(all, slice, run_.settings.seed, run_.pool, facts_);
  facts_.seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - started_).count();
  return facts_;
}

void ItemAudit::group_partners() {
  const RowRange range = run_.partners;
  const auto leaders = leaders_by_bytes(
      range.end - range.begin, [&](std::size_t i) { return run_.bytes_of(range.begin + i); });
  std::vector<std::uint32_t> group_of(leaders.size());
  for (std::uint32_t i = 0; i < leaders.size(); ++i) {
    if (leaders[i] == kNoPlace) {
      group_of[i] = static_cast<std::uint32_t>(partners_.size());
      partners_.push_back({range.begin + i, 1});
    } else {
      group_of[i] = group_of[leaders[i]];
      ++partners_[group_of[i]].rows;
    }
  }
  for (const std::uint32_t row : sample_) {
    const bool is_partner = row >= range.begin && row < range.end;
    group_of_sample_.push_back(is_partner ? group_of[row - range.begin] : kNoPlace);
  }
}

// Number of partners of each sampled item.
std::vector<ItemAudit::Tally> ItemAudit::tally(const PairsBetween& between) const {
  std::vector<Tally> tallies(sample_.size());
  if (sample_.empty()) return tallies;
  std::mutex mutex;
  std::vector<std::uint32_t> rights;
  for (std::size_t begin = 0; begin < partners_.size(); begin += kPartnersAtOnce) {
    run_.pool.check_cancelled();
    const std::size_t end = std::min(partners_.size(), begin + kPartnersAtOnce);
    if (run_.hooks.on_progress) run_.hooks.on_progress({"auditing", begin, partners_.size()});
    rights.clear();
    for (std::size_t i = begin; i < end; ++i) rights.push_back(partners_[i].first);
    between(sample_, rights, [&](std::span<const ScoredPair> pairs) {
      const std::lock_guard lock(mutex);
      for (const ScoredPair& pair : pairs) {
        const std::size_t group = begin + pair.right;
        // A row is not its own partner.
        const std::uint64_t itself = group_of_sample_[pair.left] == group ? 1 : 0;
        const std::uint64_t rows = partners_[group].rows - itself;
        tallies[pair.left].all += rows;
        if (is_in_slice(pair.value)) tallies[pair.left].slice += rows;
      }
    });
  }
  return tallies;
}

}  // namespace sosie

// Page of link --report: confidence, weights and rules, and pairs in full.
#include "report/link_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/count_text.h"
#include "core/joined_text.h"
#include "report/quality_lines.h"
#include "report/record_explanation.h"
#include "report/repeat_command.h"
#include "sosie/version.h"

namespace sosie {
namespace {

constexpr std::size_t kBins = 60;

LinkBins bins_of(std::span<const CandidateLink> scored,
                 const std::function<bool(const CandidateLink&)>& is_linked) {
  LinkBins bins;
  if (scored.empty()) return bins;
  const auto [least, most] = std::minmax_element(
      scored.begin(), scored.end(),
      [](const CandidateLink& a, const CandidateLink& b) { return a.link.score < b.link.score; });
  bins.first = least->link.score;
  // Scores of one value make one bin.
  bins.width = std::max((most->link.score - bins.first) / kBins, 1e-3);
  bins.bins.resize(kBins);
  for (const CandidateLink& link : scored) {
    const auto place = static_cast<std::size_t>((link.link.score - bins.first) / bins.width);
    LinkBins::Bin& bin = bins.bins[std::min(place, kBins - 1)];
    ++bin.pairs;
    if (is_linked(link)) ++bin.links;
  }
  while (bins.bins.back().pairs == 0) bins.bins.pop_back();
  return bins;
}

// Keeps the few first pairs of an order, no two of one score: the first of those stands for all.
class FewPairs {
 public:
  using Before = bool (*)(const CandidateLink&, const CandidateLink&);

  FewPairs(std::string why, std::size_t most, Before before)
      : why_(std::move(why)), most_(most), before_(before) {}

  void offer(const CandidateLink& link) {
    if (kept_.size() == most_ && !before_(link, kept_.back())) return;
    const auto alike = std::find_if(kept_.begin(), kept_.end(), [&](const CandidateLink& other) {
      return other.link.score == link.link.score;
    });
    if (alike != kept_.end()) {
      if (!before_(link, *alike)) return;
      kept_.erase(alike);
    }
    kept_.insert(std::upper_bound(kept_.begin(), kept_.end(), link, before_), link);
    if (kept_.size() > most_) kept_.pop_back();
  }

  void add_to(std::vector<ShownLink>& shown) const {
    for (const CandidateLink& link : kept_) shown.push_back({why_, link});
  }

  // Behind the first one no pair that nobody would doubt.
  void leave_out_hopeless() {
    constexpr double kDoubtful = 0.01;
    const auto is_hopeless = [](const CandidateLink& each) {
      return each.link.probability >= 0 && each.link.probability < kDoubtful;
    };
    if (kept_.size() < 2) return;
    kept_.erase(std::remove_if(kept_.begin() + 1, kept_.end(), is_hopeless), kept_.end());
  }

 private:
  std::string why_;
  std::size_t most_;
  Before before_;
  std::vector<CandidateLink> kept_;
};

bool is_higher(const CandidateLink& a, const CandidateLink& b) {
  return a.link.score > b.link.score;
}
// Records compete for partners: a pair of a high score may be an unlikely one.
bool is_likelier(const CandidateLink& a, const CandidateLink& b) {
  if (a.link.probability != b.link.probability) return a.link.probability > b.link.probability;
  return is_higher(a, b);
}
bool is_lower(const CandidateLink& a, const CandidateLink& b) {
  return a.link.score < b.link.score;
}

std::vector<LinkPage::Total> totals_of(const LinkFacts& facts) {
  std::vector<LinkPage::Total> totals;
  const RecordTable& table = *facts.table;
  totals.push_back(
      {"records",
       table.across ? fmt::format("{} and {}", count_text(table.left), count_text(table.right))
                    : count_text(table.size()),
       facts.skipped > 0 ? fmt::format("{} left out", count_text(facts.skipped)) : ""});
  totals.push_back({"candidates", count_text(facts.linker->counts().pairs), "pairs compared"});
  if (table.across) {
    totals.push_back({"links", count_text(facts.links), ""});
  } else {
    totals.push_back({"groups", count_text(facts.groups),
                      fmt::format("of {}", plural_text(facts.grouped, "record", "records"))});
    totals.push_back({"pairs in groups", count_text(facts.links), ""});
  }
  if (const auto f1 = facts.confidence.estimated_f1) {
    totals.push_back({"estimated F1", fmt::format("{:.3f}", *f1),
                      facts.confidence.is_low() ? "low confidence" : ""});
  }
  if (facts.truth) {
    totals.push_back({"F1", fmt::format("{:.3f}", facts.truth->f1), "by the truth"});
  }
  return totals;
}

LinkPageEstimate estimate_of(const QualityEstimate& from) {
  LinkPageEstimate to;
  to.method = from.method;
  to.refusal = from.refusal;
  to.knows_recall = from.knows_recall;
  to.matches = from.matches;
  to.precision = from.precision;
  to.recall = from.recall;
  to.f1 = from.f1;
  if (from.cut.links > 0) to.cut = from.cut.score;
  if (from.by_field) {
    to.interval = fmt::format("{} to {}", rounded_text(from.by_field->matches.least),
                              rounded_text(from.by_field->matches.most));
  }
  if (!from.refusal.empty()) return to;
  for (const ScoreBand& band : from.bands) {
    to.bands.push_back({band.high, band.low, band.true_part});
  }
  return to;
}

LinkPageTruth truth_of(const LinkFacts& facts) {
  const LinkQuality& quality = *facts.truth;
  LinkPageTruth truth{quality.true_pairs, quality.precision, quality.recall, quality.f1, {}};
  for (const LostStep& step : lost_steps(quality)) {
    std::vector<std::string> examples;
    for (const RecordPair& pair : step.lost.examples) {
      examples.push_back(
          fmt::format("{} and {}", facts.names->of(pair.left), facts.names->of(pair.right)));
    }
    truth.lost.push_back({std::string(step.name), step.lost.count, joined_text(examples, "; ")});
  }
  return truth;
}

std::vector<LinkPageLevel> weights_of(const LinkFacts& facts) {
  std::vector<LinkPageLevel> weights;
  const std::vector<std::uint32_t> compared = facts.rules->compared();
  for (std::size_t f = 0; f < compared.size(); ++f) {
    const LinkField& field = facts.rules->fields[compared[f]];
    const FieldWeights& of = facts.linker->model().fields()[f];
    for (std::uint32_t level = field.comparison.highest(); level > 0; --level) {
      weights.push_back({level == field.comparison.highest() ? field.name : "",
                         level_name(field.comparison, level), of.m[level], of.u[level],
                         of.bits(level)});
    }
  }
  return weights;
}

std::vector<LinkPageRule> rules_of(const CandidateFacts& candidates) {
  std::vector<LinkPageRule> rules;
  for (std::size_t r = 0; r < candidates.rules->candidates.size(); ++r) {
    rules.push_back({rule_name(candidates.rules->candidates[r], candidates.rules->fields),
                     candidates.pairs[r], candidates.only[r], candidates.only_links[r],
                     (*candidates.findings)[r].largest_block, large_block_lines(candidates, r)});
  }
  return rules;
}

LinkPagePair pair_of(const LinkFacts& facts, const ShownLink& shown) {
  const LinkRules& rules = *facts.rules;
  const ScoredLink& link = shown.link.link;
  LinkPagePair pair;
  pair.why = shown.why;
  pair.left = facts.names->of(link.left);
  pair.right = facts.names->of(link.right);
  pair.score = link.score;
  pair.probability = link.probability;
  std::vector<std::string> found;
  for (std::size_t r = 0; r < rules.candidates.size(); ++r) {
    if ((shown.link.rules >> r & 1U) == 0) continue;
    found.push_back(rule_name(rules.candidates[r], rules.fields));
  }
  pair.rules = joined_text(found, ", ");
  const bool has_bits = facts.method == ScoreMethod::fellegi_sunter;
  for (RecordExplanation::Field& field :
       explained_fields(rules, *facts.table, *facts.linker, shown.link, has_bits)) {
    pair.fields.push_back({std::move(field.name), std::move(field.values[0]),
                           std::move(field.values[1]), std::move(field.level), field.bits});
  }
  return pair;
}

std::string text_of_cut(const LinkFacts& facts) {
  if (facts.linker->counts().pairs == 0) return "There are no candidates";
  return facts.cut.links == 0 ? "no pair reaches the cut" : cut_words(facts);
}

}  // namespace

LinkSample sample_links(std::span<const CandidateLink> scored, double cut,
                        const std::function<bool(const CandidateLink&)>& is_linked) {
  FewPairs weakest("weakest link", 4, is_lower);
  FewPairs apart("reaches the cut, but is no link", 4, is_likelier);
  FewPairs below("nearest below the cut", 4, is_likelier);
  FewPairs strongest("strongest link", 1, is_higher);
  for (const CandidateLink& link : scored) {
    if (is_linked(link)) {
      weakest.offer(link);
      strongest.offer(link);
    } else if (link.link.score >= cut) {
      apart.offer(link);
    } else {
      below.offer(link);
    }
  }
  below.leave_out_hopeless();
  apart.leave_out_hopeless();
  LinkSample sample;
  sample.bins = bins_of(scored, is_linked);
  for (const FewPairs* few : {&weakest, &below, &apart, &strongest}) few->add_to(sample.shown);
  return sample;
}

std::string link_page(const Options& options, const LinkFacts& facts, const LinkSample& sample) {
  LinkPage page;
  page.totals = totals_of(facts);
  page.notes = facts.notes;
  page.has_odds = facts.has_odds;
  page.are_groups = !facts.table->across;
  if (facts.cut.links > 0) page.cut = facts.cut.score;
  page.cut_text = text_of_cut(facts);
  page.bins = sample.bins;
  for (const QualityEstimate& estimate : facts.estimates) {
    page.estimates.push_back(estimate_of(estimate));
  }
  page.low_confidence = facts.confidence.reasons;
  page.next_step = facts.confidence.next_step;
  if (facts.truth) page.truth = truth_of(facts);
  page.method = fmt::format("{}: {}", score_method_name(facts.method), facts.method_reason);
  if (facts.linker->has_model()) page.weights = weights_of(facts);
  page.rules = rules_of(facts.candidates);
  for (const ShownLink& shown : sample.shown) page.pairs.push_back(pair_of(facts, shown));
  page.rules_text = link_rules_text(*facts.rules, {});
  page.command = repeat_command("link", options);
  page.data = options.inputs;
  page.data.insert(page.data.end(), options.against.begin(), options.against.end());
  page.resources = fmt::format("{}. {:.1f} s, peak memory {}.", date_text(), facts.seconds,
                               bytes_text(facts.peak_memory));
  page.version = version();
  return html_link_page(page);
}

}  // namespace sosie

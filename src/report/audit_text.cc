// Audit results as lines of the summary and as JSON.
#include "report/audit_text.h"

#include <fmt/format.h>

#include "core/count_text.h"

namespace sosie {
namespace {

std::string sample_line(const AuditFacts& a, const AuditWords& words) {
  const std::string_view items = words.items;
  if (a.sampled == a.documents && words.one_input) {
    return fmt::format("all {} {} compared with each other: {} true pairs", count_text(a.documents),
                       items, count_text(a.all.true_pairs / 2));
  }
  return fmt::format("{} of {} {} compared with all others: {} true pairs", count_text(a.sampled),
                     count_text(a.documents), items, count_text(a.all.true_pairs));
}

std::string recall_text(const RecallEstimate& estimate) {
  return fmt::format("{:.4f}, 95 % interval {:.4f} to {:.4f}", estimate.recall, estimate.low,
                     estimate.high);
}

std::string recall_line(const AuditFacts& a) {
  return fmt::format("recall {}; {} was asked for{}", recall_text(a.all), a.asked,
                     a.below_recall ? ": THIS RUN FINDS LESS" : "");
}

std::string slice_text(const AuditFacts& a, const AuditWords& words) {
  if (!words.is_similarity) return fmt::format("({:.6g}, {}]", a.slice_end, words.bound);
  if (a.slice_end > 1) return fmt::format("[{}, 1]", words.bound);
  return fmt::format("[{}, {:.6g})", words.bound, a.slice_end);
}

std::string slice_line(const AuditFacts& a, const std::string& slice) {
  if (a.slice.true_pairs == 0) return fmt::format("none of them in {}", slice);
  return fmt::format("of those in {}: {}", slice, recall_text(a.slice));
}

std::string precision_line(const AuditFacts& a) {
  if (a.reported == 0) return "the run reports no pair of theirs";
  return fmt::format("precision {:.4f}: {} of {} reported pairs of theirs are true",
                     static_cast<double>(a.reported_true) / static_cast<double>(a.reported),
                     count_text(a.reported_true), count_text(a.reported));
}

void add_estimate(const RecallEstimate& estimate, JsonWriter& json) {
  json.members({{"true_pairs", estimate.true_pairs},
                {"found_pairs", estimate.found_pairs},
                {"recall", estimate.recall},
                {"recall_low", estimate.low},
                {"recall_high", estimate.high}});
}

JsonScalar precision_json(const AuditFacts& a) {
  if (a.reported == 0) return nullptr;
  return static_cast<double>(a.reported_true) / static_cast<double>(a.reported);
}

}  // namespace

std::string audit_text(const std::optional<AuditFacts>& audit, const AuditWords& words) {
  if (!audit) return {};
  const AuditFacts& a = *audit;
  std::string out = fmt::format("{:<12}{}\n", "audit", sample_line(a, words));
  const auto line = [&out](const std::string& text) { out += fmt::format("{:12}{}\n", "", text); };
  if (a.enough) {
    line(recall_line(a));
    line(slice_line(a, slice_text(a, words)));
  } else {
    line(fmt::format("too few to speak of recall: 30 are needed; --audit=N draws more {}",
                     words.items));
  }
  line(precision_line(a));
  return out;
}

void add_audit(const AuditFacts& a, JsonWriter& json) {
  json.begin_object("audit");
  json.members({{"sampled", a.sampled}, {"documents", a.documents}});
  add_estimate(a.all, json);
  json.member("slice_end", a.slice_end);
  json.begin_object("slice");
  add_estimate(a.slice, json);
  json.end_object();
  json.members({{"reported_pairs", a.reported},
                {"reported_true", a.reported_true},
                {"precision", precision_json(a)},
                {"recall_asked", a.asked},
                {"enough_pairs", a.enough},
                {"below_recall", a.below_recall},
                {"seconds", a.seconds}});
  json.end_object();
}

}  // namespace sosie

#include "pipeline/audit_text.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "core/number_text.h"

namespace sosie {
namespace {

std::string sample_line(const AuditFacts& a) {
  if (a.sampled == a.documents) {
    return fmt::format("all {} documents compared with each other: {} true pairs",
                       count_text(a.documents), count_text(a.all.true_pairs / 2));
  }
  return fmt::format("{} of {} documents compared with all others: {} true pairs",
                     count_text(a.sampled), count_text(a.documents), count_text(a.all.true_pairs));
}

std::string recall_text(const RecallEstimate& estimate) {
  return fmt::format("{:.4f}, 95 % interval {:.4f} to {:.4f}", estimate.recall, estimate.low,
                     estimate.high);
}

std::string recall_line(const AuditFacts& a) {
  return fmt::format("recall {}; {} was asked for{}", recall_text(a.all), a.asked,
                     a.below_recall ? ": THIS RUN FINDS LESS" : "");
}

std::string slice_line(const RunSummary& s) {
  const AuditFacts& a = *s.audit;
  const std::string slice = a.slice_end > 1 ? fmt::format("[{}, 1]", s.threshold)
                                            : fmt::format("[{}, {:.6g})", s.threshold, a.slice_end);
  if (a.slice.true_pairs == 0) return fmt::format("none of them in {}", slice);
  return fmt::format("of those in {}: {}", slice, recall_text(a.slice));
}

std::string precision_line(const AuditFacts& a) {
  if (a.reported == 0) return "the run reports no pair of theirs";
  return fmt::format("precision {:.4f}: {} of {} reported pairs of theirs are true",
                     static_cast<double>(a.reported_true) / static_cast<double>(a.reported),
                     count_text(a.reported_true), count_text(a.reported));
}

nlohmann::ordered_json estimate_json(const RecallEstimate& estimate) {
  return {{"true_pairs", estimate.true_pairs},
          {"found_pairs", estimate.found_pairs},
          {"recall", estimate.recall},
          {"recall_low", estimate.low},
          {"recall_high", estimate.high}};
}

}  // namespace

std::string audit_text(const RunSummary& s) {
  if (!s.audit) return {};
  const AuditFacts& a = *s.audit;
  std::string out = fmt::format("{:<12}{}\n", "audit", sample_line(a));
  const auto line = [&out](const std::string& text) { out += fmt::format("{:12}{}\n", "", text); };
  if (a.enough) {
    line(recall_line(a));
    line(slice_line(s));
  } else {
    line("too few to speak of recall: 30 are needed; --audit=N draws more documents");
  }
  line(precision_line(a));
  return out;
}

nlohmann::ordered_json audit_json(const AuditFacts& a) {
  nlohmann::ordered_json json = {{"sampled", a.sampled}, {"documents", a.documents}};
  json.update(estimate_json(a.all));
  json["slice_end"] = a.slice_end;
  json["slice"] = estimate_json(a.slice);
  json["reported_pairs"] = a.reported;
  json["reported_true"] = a.reported_true;
  json["precision"] = a.reported == 0
                          ? nlohmann::ordered_json(nullptr)
                          : nlohmann::ordered_json(static_cast<double>(a.reported_true) /
                                                   static_cast<double>(a.reported));
  json["recall_asked"] = a.asked;
  json["enough_pairs"] = a.enough;
  json["below_recall"] = a.below_recall;
  json["seconds"] = a.seconds;
  return json;
}

}  // namespace sosie

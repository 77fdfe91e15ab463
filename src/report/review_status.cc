// Review steps requested as JSON, and the export of a review as a clusters file.
#include "report/review_status.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <set>

#include "core/json_value.h"
#include "core/json_writer.h"
#include "options/formats.h"
#include "report/review_estimate.h"
#include "report/run_pairs.h"
#include "report/side_tables.h"
#include "sosie/error.h"

namespace sosie {
namespace {

constexpr std::size_t kMembersAtOnce = 65536;
constexpr std::size_t kExportBlock = std::size_t{1} << 20;

[[noreturn]] void refuse_request(const std::string& what) {
  throw Error(
      ErrorKind::invalid_option, what,
      R"(a step is {"members": [1], "verdict": "keep"}; for links, {"pairs": [1], "verdict": "match"})");
}

std::uint64_t position_of(const JsonValue& value, std::uint64_t end, const char* name) {
  if (!value.is_natural() || value.natural() >= end) {
    refuse_request(fmt::format("{}: the run has no number {}", name, value.written()));
  }
  return value.natural();
}

bool has_true(const JsonValue& object, const char* name) {
  const JsonValue* found = object.find(name);
  return found != nullptr && found->is_true();
}

std::string field_text(const JsonValue& object, const char* name) {
  const JsonValue* found = object.find(name);
  if (found == nullptr) return {};
  if (!found->is_text()) refuse_request(fmt::format("{}: is not a text", name));
  return found->text();
}

// Rejects unknown fields; otherwise, a misspelt "preview" would perform the step.
void refuse_other_fields(const JsonValue& object, std::string_view where,
                         std::initializer_list<std::string_view> known) {
  for (const auto& [name, value] : object.members()) {
    if (std::find(known.begin(), known.end(), name) != known.end()) continue;
    refuse_request(fmt::format("{}{}: not a field of this request", where, name));
  }
}

// Builds the action that a request describes.
class StepReader {
 public:
  StepReader(const RunFolder& run, RunGroups& groups, const RunDecisions& decisions)
      : run_(run), groups_(groups), decisions_(decisions) {}

  RunAction read(const JsonValue& request) {
    if (run_.facts().is_of_links) {
      refuse_other_fields(request, "", {"pairs", "verdict", "preview", "undo"});
      const JsonValue* pairs = request.find("pairs");
      if (pairs == nullptr) refuse_request("the request contains no step");
      set_pairs(*pairs, field_text(request, "verdict"));
      return std::move(action_);
    }
    refuse_other_fields(
        request, "", {"members", "only", "groups", "all", "verdict", "below", "preview", "undo"});
    if (const JsonValue* members = request.find("members")) {
      set_members(*members, field_text(request, "verdict"));
    } else if (const JsonValue* only = request.find("only")) {
      keep_only(position_of(*only, run_.members(), "only"));
    } else if (const JsonValue* groups = request.find("groups")) {
      take_groups(*groups, request);
    } else if (const JsonValue* all = request.find("all")) {
      take_all(*all, request);
    } else {
      refuse_request("the request contains no step");
    }
    return std::move(action_);
  }

 private:
  void set_pairs(const JsonValue& list, const std::string& verdict) {
    if (!list.is_list()) refuse_request("pairs: is not a list");
    const Verdict word = verdict_named(verdict, /*of_links=*/true);
    for (const JsonValue& each : list.list()) {
      change(position_of(each, run_.pairs().size(), "pairs"), word);
    }
  }

  void set_members(const JsonValue& list, const std::string& verdict) {
    if (!list.is_list()) refuse_request("members: is not a list");
    const Verdict word = verdict_named(verdict, /*of_links=*/false);
    std::set<std::size_t> groups;
    for (const JsonValue& each : list.list()) {
      const std::uint64_t number = position_of(each, run_.members(), "members");
      if (run_.read_members(number, 1).front().has(RunMember::of_against)) {
        refuse_request(
            fmt::format("members: row {} is of --against, which is never changed", number));
      }
      change(number, word);
      groups.insert(run_.group_of(number));
    }
    action_.reviewed.assign(groups.begin(), groups.end());
  }

  void keep_only(std::uint64_t number) {
    const std::size_t group = run_.group_of(number);
    for_members(group, [&](std::uint64_t each, const RunMember& /*member*/) {
      change(each, each == number ? Verdict::keep : Verdict::remove);
    });
    action_.reviewed.push_back(group);
  }

  // Accepts groups unchanged, or makes the same decision on all of their rows.
  void take_groups(const JsonValue& list, const JsonValue& request) {
    if (!list.is_list()) refuse_request("groups: is not a list");
    for (const JsonValue& each : list.list()) {
      take_group(position_of(each, run_.groups().size(), "groups"), request);
    }
  }

  void take_all(const JsonValue& filter, const JsonValue& request) {
    if (!filter.is_object()) refuse_request("all: is not an object");
    refuse_other_fields(filter, "all.", {"source", "text", "state"});
    GroupsAsked asked;
    asked.sort = "order";
    asked.source = field_text(filter, "source");
    asked.text = field_text(filter, "text");
    asked.state = field_text(filter, "state");
    for (const std::uint32_t group : groups_.select(asked)) take_group(group, request);
  }

  // `below`: applies to rows less similar to the kept row than this; "agree" changes nothing.
  void take_group(std::size_t group, const JsonValue& request) {
    const std::string word = field_text(request, "verdict");
    std::optional<double> below;
    if (const JsonValue* given = request.find("below")) {
      if (!given->is_number()) refuse_request("below: is not a number");
      below = given->number();
    }
    const bool is_similarity = run_.facts().is_similarity;
    const double weakest = run_.groups()[group].weakest;
    if (below && !(is_similarity ? weakest < *below : weakest > *below)) return;
    action_.reviewed.push_back(group);
    if (word == "agree") return;
    const Verdict verdict = verdict_named(word, /*of_links=*/false);
    for_members(group, [&](std::uint64_t number, const RunMember& member) {
      const bool is_far = !below || (is_similarity ? member.value < *below : member.value > *below);
      if (is_far && (verdict == Verdict::none || !member.has(RunMember::kept))) {
        change(number, verdict);
      }
    });
  }

  // Visits the run's own rows.
  template <class Visit>
  void for_members(std::size_t group, const Visit& visit) {
    const RunGroup& each = run_.groups()[group];
    for (std::uint64_t at = 0; at < each.members; at += kMembersAtOnce) {
      const std::uint64_t count = std::min<std::uint64_t>(kMembersAtOnce, each.members - at);
      const auto members = run_.read_members(each.first_member + at, count);
      for (std::size_t i = 0; i < members.size(); ++i) {
        if (!members[i].has(RunMember::of_against)) visit(each.first_member + at + i, members[i]);
      }
    }
  }

  void change(std::uint64_t subject, Verdict verdict) {
    if (decisions_.of(subject) != verdict) action_.changes.push_back({subject, verdict});
  }

  const RunFolder& run_;
  RunGroups& groups_;
  const RunDecisions& decisions_;
  RunAction action_;
};

// Adds the number of pairs for each verdict.
void add_pair_counts(const RunFolder& run, const RunDecisions& decisions, JsonWriter& json) {
  std::array<std::uint64_t, kVerdictCount> counts{};
  std::uint64_t changed = 0;
  for (const auto& [pair, verdict] : decisions.verdicts()) {
    ++counts[static_cast<std::size_t>(verdict)];
    changed += is_overruled(run.pairs()[pair], verdict) ? 1 : 0;
  }
  const auto of = [&](Verdict verdict) { return counts[static_cast<std::size_t>(verdict)]; };
  json.members({{"pairs", run.pairs().size()},
                {"decided_pairs", decisions.verdicts().size()},
                {"matches", of(Verdict::match)},
                {"different", of(Verdict::different)},
                {"unsure", of(Verdict::unsure)},
                {"changed_pairs", changed}});
}

// `more`: further members to add.
std::string status_json(const RunFolder& run, const RunDecisions& decisions,
                        std::initializer_list<JsonMember> more = {}) {
  JsonWriter json;
  json.begin_object();
  if (run.facts().is_of_links) {
    add_pair_counts(run, decisions, json);
    add_review_estimate(run, decisions, json);
  } else {
    json.members({{"groups", run.groups().size()},
                  {"reviewed_groups", decisions.reviewed_groups()},
                  {"changed_groups", decisions.changed_groups()},
                  {"kept_more", decisions.kept_more()}});
  }
  json.member("steps", decisions.steps());
  json.members(more);
  json.end_object();
  return json.text();
}

// A group as lines of a clusters file.
class GroupLines {
 public:
  GroupLines(const RunFolder& run, const RunDecisions& decisions, const RowWriter& writer)
      : run_(run), decisions_(decisions), writer_(writer) {}

  void append(const RunGroup& group, std::string& out) {
    const auto members = run_.read_members(group.first_member, group.members);
    std::uint64_t together = 0;
    for (std::size_t i = 0; i < members.size(); ++i) together += is_apart(group, i) ? 0U : 1U;
    const std::optional<std::size_t> head = head_of(group, members);
    const std::string head_id = head ? run_.id_of(members[*head]) : std::string();
    for (std::size_t i = 0; i < members.size(); ++i) {
      const RunMember& member = members[i];
      if (member.has(RunMember::of_against)) continue;
      const std::string id = run_.id_of(member);
      const IdText own{id, member.has(RunMember::integer_id)};
      const bool apart = is_apart(group, i);
      const IdText cluster =
          apart ? own : IdText{head_id, members[*head].has(RunMember::integer_id)};
      const std::array<Cell, 4> cells = {own, cluster,
                                         decisions_.is_kept(group.first_member + i, member),
                                         apart ? std::uint64_t{1} : together};
      writer_.row(out, cluster_columns(), cells);
    }
  }

 private:
  // The first member that is not apart. If the kept row is apart, a row that is kept now leads the
  // group.
  [[nodiscard]] std::optional<std::size_t> head_of(const RunGroup& group,
                                                   std::span<const RunMember> members) const {
    std::optional<std::size_t> head;
    for (std::size_t i = 0; i < members.size(); ++i) {
      if (is_apart(group, i)) continue;
      if (i == 0) return i;
      if (decisions_.is_kept(group.first_member + i, members[i])) return i;
      if (!head) head = i;
    }
    return head;
  }

  [[nodiscard]] bool is_apart(const RunGroup& group, std::size_t i) const {
    return decisions_.of(group.first_member + i) == Verdict::not_duplicate;
  }

  const RunFolder& run_;
  const RunDecisions& decisions_;
  const RowWriter& writer_;
};

const RowWriter& writer_called(const std::string& name) {
  const Format* format = format_by_name(name);
  if (format != nullptr && format->writer != nullptr && !format->columnar) return *format->writer;
  throw Error(ErrorKind::invalid_option,
              fmt::format("format: '{}' is not one of tsv, csv, jsonl", name));
}

// A pair and its judgement as a line in a file of labels or decisions.
void append_judgement(const RunFolder& run, const RunPair& pair, std::string_view word,
                      const RowWriter& writer, const std::vector<std::string>& columns,
                      std::string& out) {
  const RunMember left = run.read_members(pair.left, 1).front();
  const RunMember right = run.read_members(pair.right, 1).front();
  const std::string left_id = run.id_of(left);
  const std::string right_id = run.id_of(right);
  const std::array<Cell, 3> cells = {IdText{left_id, left.has(RunMember::integer_id)},
                                     IdText{right_id, right.has(RunMember::integer_id)}, word};
  writer.row(out, columns, cells);
}

}  // namespace

std::string review_status(const RunFolder& run, const RunDecisions& decisions) {
  return status_json(run, decisions);
}

std::string take_step(const RunFolder& run, RunGroups& groups, RunDecisions& decisions,
                      std::string_view request) {
  const std::optional<JsonValue> json = parse_json(request);
  if (!json || !json->is_object()) refuse_request("the request is not a JSON object");
  if (has_true(*json, "undo")) {
    refuse_other_fields(*json, "", {"undo"});
    const std::vector<std::uint64_t> changed = decisions.last_changed();
    const bool undone = decisions.undo();
    if (!undone || changed.empty() || !run.facts().is_of_links) {
      return status_json(run, decisions, {{"undone", undone}});
    }
    return status_json(run, decisions, {{"undone", undone}, {"pair", changed.front()}});
  }
  const RunAction action = StepReader(run, groups, decisions).read(*json);
  const bool preview = has_true(*json, "preview");
  if (!preview && (!action.changes.empty() || !action.reviewed.empty())) decisions.act(action);
  return status_json(run, decisions,
                     {{"preview", preview},
                      {"step_groups", action.reviewed.size()},
                      {"step_rows", action.changes.size()}});
}

void export_clusters(const RunFolder& run, const RunDecisions& decisions, const std::string& format,
                     const BytesSink& sink) {
  const RowWriter& writer = writer_called(format);
  std::string block;
  writer.header(block, cluster_columns());
  GroupLines lines(run, decisions, writer);
  for (const RunGroup& group : run.groups()) {
    lines.append(group, block);
    if (block.size() < kExportBlock) continue;
    sink(block);
    block.clear();
  }
  sink(block);
}

void export_judgements(const RunFolder& run, const RunDecisions& decisions,
                       const std::string& format, bool as_labels, const BytesSink& sink) {
  const RowWriter& writer = writer_called(format);
  const std::vector<std::string> columns = {"left", "right", as_labels ? "label" : "decision"};
  const std::string_view match = as_labels ? "1" : "accepted";
  const std::string_view other = as_labels ? "0" : "rejected";
  std::string block;
  writer.header(block, columns);
  for (std::size_t number = 0; number < run.pairs().size(); ++number) {
    const RunPair& pair = run.pairs()[number];
    const auto verdict = judgement_of(pair, decisions.of(number), as_labels);
    if (!verdict) continue;
    const std::string_view word = *verdict == Verdict::match       ? match
                                  : *verdict == Verdict::different ? other
                                                                   : std::string_view();
    append_judgement(run, pair, word, writer, columns, block);
    if (block.size() < kExportBlock) continue;
    sink(block);
    block.clear();
  }
  sink(block);
}

}  // namespace sosie

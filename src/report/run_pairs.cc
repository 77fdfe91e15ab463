// Lists the pairs of a saved link run, and shows the two records of a pair side by side.
#include "report/run_pairs.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "core/joined_text.h"
#include "core/json_value.h"
#include "core/json_writer.h"
#include "report/add_parts.h"
#include "report/repeat_command.h"
#include "report/text_diff.h"
#include "sosie/error.h"

namespace sosie {
namespace {

constexpr std::array<std::string_view, 4> kPairSorts = {"suggested", "weakest", "strongest",
                                                        "order"};
constexpr std::array<std::string_view, 4> kPairStates = {"", "open", "decided", "changed"};
constexpr std::array<std::string_view, 3> kPairAnswers = {"", "linked", "apart"};

// A field of both records, as shown to a person.
struct FieldSides {
  std::string name;   // name in the left record; empty: it has no such field
  std::string other;  // name in the right record
  const ReportField* left = nullptr;
  const ReportField* right = nullptr;
};

const ReportField* field_called(const RunRow& row, const std::string& name) {
  if (name.empty()) return nullptr;
  const auto found = std::find_if(row.fields.begin(), row.fields.end(),
                                  [&](const ReportField& field) { return field.name == name; });
  return found == row.fields.end() ? nullptr : &*found;
}

// Fields in the order of the run's columns, followed by other fields; leaves out fields that both
// records lack.
std::vector<FieldSides> sides_of(const RunFolder& run, const RunRow& left, const RunRow& right) {
  std::vector<FieldSides> sides;
  const auto is_listed = [&](const ReportField* field) {
    return std::any_of(sides.begin(), sides.end(), [&](const FieldSides& each) {
      return each.left == field || each.right == field;
    });
  };
  for (const auto& [name, other] : run.facts().columns) {
    FieldSides each{name, other, field_called(left, name), field_called(right, other)};
    if (each.left != nullptr || each.right != nullptr) sides.push_back(std::move(each));
  }
  for (const ReportField& field : left.fields) {
    if (!is_listed(&field)) {
      sides.push_back({field.name, field.name, &field, field_called(right, field.name)});
    }
  }
  for (const ReportField& field : right.fields) {
    if (!is_listed(&field)) sides.push_back({{}, field.name, nullptr, &field});
  }
  return sides;
}

void add_fields(const RunFolder& run, RunRows& rows, const RunRow& left, const RunRow& right,
                JsonWriter& json) {
  TextDiff diff(rows.tokens());
  json.begin_array("fields");
  for (const FieldSides& each : sides_of(run, left, right)) {
    const std::string none;
    const std::string& left_value = each.left == nullptr ? none : each.left->value;
    const std::string& right_value = each.right == nullptr ? none : each.right->value;
    ReportSide left_side;
    ReportSide right_side;
    diff.compare(left_value, right_value, left_side, right_side);
    json.begin_object();
    json.members({{"name", each.name.empty() ? each.other : each.name},
                  {"other_name", each.other},
                  {"same", left_value == right_value}});
    add_parts("left", left_side, json);
    add_parts("right", right_side, json);
    json.end_object();
  }
  json.end_array();
}

// A judgement about a pair that was given to the run, expressed as a review verdict.
Verdict said_of(const RunPair& pair) noexcept {
  if (pair.has(RunPair::said_match)) return Verdict::match;
  return pair.has(RunPair::said_other) ? Verdict::different : Verdict::none;
}

// Adds the members of the JSON object for a pair.
void add_pair(const RunFolder& run, const RunDecisions& decisions, std::uint32_t number,
              JsonWriter& json) {
  const RunPair& pair = run.pairs()[number];
  const std::size_t left = run.group_of(pair.left);
  const std::size_t right = run.group_of(pair.right);
  const RunGroup& left_group = run.groups()[left];
  const Verdict verdict = decisions.of(number);
  json.members(
      {{"pair", number},
       {"left_id", run.shown_id(run.read_members(pair.left, 1).front())},
       {"right_id", run.shown_id(run.read_members(pair.right, 1).front())},
       {"line", run.line_of(left_group)},
       {"other_line", left == right ? std::string() : run.line_of(run.groups()[right])},
       {"score", pair.score},
       {"probability", pair.probability < 0 ? JsonScalar(nullptr) : JsonScalar(pair.probability)},
       {"linked", pair.has(RunPair::linked)},
       {"suggested", pair.has(RunPair::suggested)},
       {"said", name_of(said_of(pair))},
       {"verdict", name_of(verdict)},
       {"changed", is_overruled(pair, verdict)}});
  const auto add_place = [&](const char* name, std::size_t group) {
    json.member(name, run.lists(run.groups()[group]) ? JsonScalar(group) : JsonScalar(nullptr));
  };
  add_place("left_group", left);
  add_place("right_group", right);
}

void add_record(const char* name, const RunFolder& run, std::uint64_t number, const RunRow& row,
                JsonWriter& json) {
  const RunMember member = run.read_members(number, 1).front();
  json.begin_object(name);
  json.members({{"member", number},
                {"id", run.id_of(member)},
                {"file", run.facts().files[member.file].name},
                {"row", member.row()},
                {"of_against", member.has(RunMember::of_against)},
                {"group_rows", run.groups()[run.group_of(number)].members}});
  if (!row.trouble.empty()) json.member("trouble", row.trouble);
  json.end_object();
}

// A POSIX shell command that explains the pair; empty if the run lacks the necessary facts.
std::string explain_line(const RunFolder& run, const RunPair& pair) {
  const std::optional<JsonValue> overview = parse_json(run.facts().overview);
  if (!overview) return {};
  const JsonValue* words = overview->find("explain");
  const JsonValue* inputs = overview->find("explain_inputs");
  if (words == nullptr || !words->is_text() || inputs == nullptr || !inputs->is_text()) return {};
  const bool across = run.facts().first_own_file > 0;
  const auto name_of_row = [&](std::uint64_t number, const char* side) {
    return shell_word((across ? side : "") + run.id_of(run.read_members(number, 1).front()));
  };
  return fmt::format("sosie explain{} -- {} {}{}", words->text(), name_of_row(pair.left, "a:"),
                     name_of_row(pair.right, "b:"), inputs->text());
}

}  // namespace

std::optional<Verdict> judgement_of(const RunPair& pair, Verdict verdict, bool as_labels) noexcept {
  if (verdict != Verdict::none) return verdict;
  const bool is_told = pair.has(RunPair::said_match) || pair.has(RunPair::said_other);
  if (!is_told || pair.has(RunPair::said_by_label) != as_labels) return std::nullopt;
  return pair.has(RunPair::said_match) ? Verdict::match : Verdict::different;
}

bool is_overruled(const RunPair& pair, Verdict verdict) noexcept {
  return verdict == (pair.has(RunPair::linked) ? Verdict::different : Verdict::match);
}

bool RunPairs::is_asked(const PairsAsked& asked, std::uint32_t number) const {
  const RunPair& pair = run_.pairs()[number];
  const Verdict verdict = decisions_.of(number);
  const bool is_decided = verdict != Verdict::none || said_of(pair) != Verdict::none;
  if (asked.state == "open" && is_decided) return false;
  if (asked.state == "decided" && !is_decided) return false;
  if (asked.state == "changed" && !is_overruled(pair, verdict)) return false;
  if (!asked.answer.empty() && pair.has(RunPair::linked) != (asked.answer == "linked")) {
    return false;
  }
  return !asked.group || run_.group_of(pair.left) == *asked.group ||
         run_.group_of(pair.right) == *asked.group;
}

void RunPairs::keep_with_text(const std::string& text) {
  if (text.empty()) return;
  const std::vector<bool> has_text = groups_.with_text(text);
  std::erase_if(last_, [&](std::uint32_t number) {
    const RunPair& pair = run_.pairs()[number];
    return !has_text[run_.group_of(pair.left)] && !has_text[run_.group_of(pair.right)];
  });
}

void RunPairs::sort_by(const std::string& sort) {
  const auto by = [&](const auto& is_before) {
    std::stable_sort(last_.begin(), last_.end(), [&](std::uint32_t a, std::uint32_t b) {
      return is_before(run_.pairs()[a], run_.pairs()[b]);
    });
  };
  if (sort == "weakest") {
    by([](const RunPair& a, const RunPair& b) { return a.score < b.score; });
  } else if (sort == "strongest") {
    by([](const RunPair& a, const RunPair& b) { return a.score > b.score; });
  } else if (sort == "order") {
    by([](const RunPair& a, const RunPair& b) {
      return std::pair(a.left, a.right) < std::pair(b.left, b.right);
    });
  }
}

const std::vector<std::uint32_t>& RunPairs::select(const PairsAsked& asked) {
  require_one_of("sort", asked.sort, kPairSorts);
  require_one_of("state", asked.state, kPairStates);
  require_one_of("answer", asked.answer, kPairAnswers);
  std::string key = fmt::format("{}\t{}\t{}\t{}\t", asked.sort, asked.state, asked.answer,
                                asked.group ? std::to_string(*asked.group) : std::string()) +
                    asked.text;
  if (!asked.state.empty()) key += fmt::format("\t{}", decisions_.changes());
  if (key == last_asked_) return last_;
  last_asked_.clear();
  last_.clear();
  for (std::uint32_t number = 0; number < run_.pairs().size(); ++number) {
    if (is_asked(asked, number)) last_.push_back(number);
  }
  keep_with_text(asked.text);
  sort_by(asked.sort);
  last_asked_ = std::move(key);
  return last_;
}

std::string pairs_page(const RunFolder& run, RunPairs& pairs, const RunDecisions& decisions,
                       const PairsAsked& asked) {
  expect_limit(asked.limit, kListedAtOnce);
  return list_page(
      {"pairs", run.pairs().size(), pairs.select(asked), asked.offset, asked.limit},
      [&](std::uint32_t number, JsonWriter& json) { add_pair(run, decisions, number, json); });
}

std::string pair_page(const RunFolder& run, const RunDecisions& decisions, RunRows& rows,
                      std::uint32_t number) {
  const RunPair& pair = run.pairs()[number];
  const RunRow left = rows.read(run.read_members(pair.left, 1).front());
  const RunRow right = rows.read(run.read_members(pair.right, 1).front());
  JsonWriter json;
  json.begin_object();
  add_pair(run, decisions, number, json);
  add_record("left", run, pair.left, left, json);
  add_record("right", run, pair.right, right, json);
  add_fields(run, rows, left, right, json);
  if (const std::string line = explain_line(run, pair); !line.empty()) json.member("explain", line);
  json.end_object();
  return json.text();
}

}  // namespace sosie

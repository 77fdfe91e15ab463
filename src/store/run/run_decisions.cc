// Stores a person's decisions on a saved run as lines of JSON, one per step.
#include "store/run/run_decisions.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <optional>

#include "core/joined_text.h"
#include "core/json_value.h"
#include "core/json_writer.h"
#include "io/folder.h"
#include "io/output_file.h"
#include "io/system.h"
#include "sosie/error.h"
#include "store/run/run_facts.h"

namespace sosie {
namespace {

constexpr std::array<std::string_view, 7> kVerdictNames = {
    "none", "keep", "remove", "not_duplicate", "match", "different", "unsure"};

bool is_of_pairs(Verdict verdict) noexcept { return verdict >= Verdict::match; }

// The verdicts available in a run, by name.
std::vector<std::string_view> verdict_names(bool of_links) {
  std::vector<std::string_view> names;
  for (std::size_t v = 0; v < kVerdictNames.size(); ++v) {
    if (v == 0 || is_of_pairs(static_cast<Verdict>(v)) == of_links) {
      names.push_back(kVerdictNames[v]);
    }
  }
  return names;
}
constexpr const char* kReviewed = "reviewed";
constexpr const char* kUndo = "undo";

[[noreturn]] void refuse_step(const std::string& place, std::string_view what) {
  throw Error(ErrorKind::malformed_input, fmt::format("{}: {}", place, what),
              "move the file away to begin again");
}

// Numbers below `end` from a list that may come from anyone.
std::vector<std::uint64_t> numbers_below(const JsonValue& list, std::uint64_t end,
                                         const std::string& place) {
  if (!list.is_list()) refuse_step(place, "a list of numbers is missing");
  std::vector<std::uint64_t> numbers;
  numbers.reserve(list.list().size());
  for (const JsonValue& each : list.list()) {
    if (!each.is_natural() || each.natural() >= end) {
      refuse_step(place, "the run has no such row, pair or group");
    }
    numbers.push_back(each.natural());
  }
  return numbers;
}

std::unique_ptr<ClaimedFolder> claim_of_run(const std::string& folder) {
  try {
    return std::make_unique<ClaimedFolder>(folder);
  } catch (const Error& error) {
    throw Error(
        error.kind(), error.what(),
        "only one process at a time can take decisions: stop the other, or use --read-only");
  }
}

bool is_kept_by(Verdict verdict, bool by_run) noexcept {
  return verdict == Verdict::none ? by_run : verdict != Verdict::remove;
}

std::string line_of_step(const RunAction& action) {
  std::vector<Verdict> verdicts;  // each once, as they come
  for (const RunAction::Change& change : action.changes) {
    if (std::find(verdicts.begin(), verdicts.end(), change.verdict) == verdicts.end()) {
      verdicts.push_back(change.verdict);
    }
  }
  JsonWriter json;
  json.begin_object();
  for (const Verdict verdict : verdicts) {
    json.begin_array(name_of(verdict));
    for (const RunAction::Change& change : action.changes) {
      if (change.verdict == verdict) json.value(change.subject);
    }
    json.end_array();
  }
  if (!action.reviewed.empty()) json.list(kReviewed, action.reviewed);
  json.end_object();
  return json.text() + "\n";
}

}  // namespace

std::string_view name_of(Verdict verdict) noexcept {
  return kVerdictNames[static_cast<std::size_t>(verdict)];
}

Verdict verdict_named(std::string_view name, bool of_links) {
  const std::vector<std::string_view> known = verdict_names(of_links);
  if (std::find(known.begin(), known.end(), name) == known.end()) {
    throw Error(ErrorKind::invalid_option,
                fmt::format("verdict: '{}' is not one of {}", name, joined_text(known, ", ")));
  }
  const auto* found = std::find(kVerdictNames.begin(), kVerdictNames.end(), name);
  return static_cast<Verdict>(found - kVerdictNames.begin());
}

RunDecisions::RunDecisions(const RunFolder& run, bool read_only)
    : run_(run), read_only_(read_only), reviewed_(run.groups().size()) {
  if (!read_only) claim_ = claim_of_run(run.path());
  const std::string path = run.path() + "/" + kDecisionsName;
  read(path);
  if (read_only) return;
  const auto descriptor = open_regular_file(path, O_RDWR);
  if (!descriptor) {
    OutputFile file(path);
    file.write(decisions_head(run.mark()));
    file.finish();
    file.commit();
  }
}

void RunDecisions::read(const std::string& path) {
  const auto descriptor = open_regular_file(path, read_only_ ? O_RDONLY : O_RDWR);
  if (!descriptor) return;
  const std::string text = read_to_end(descriptor->number(), path, ~std::uint64_t{0}, nullptr);
  std::size_t line = 0;
  std::size_t at = 0;
  for (std::size_t end = text.find('\n'); end != std::string::npos; end = text.find('\n', at)) {
    const std::string_view bytes = std::string_view(text).substr(at, end - at + 1);
    const std::string place = fmt::format("{}:{}", path, ++line);
    if (line > 1) {
      take(bytes, place);
    } else if (bytes != decisions_head(run_.mark())) {
      refuse_step(place, "holds decisions about another run");
    }
    at = end + 1;
  }
  // A step that was being written when the process died.
  if (!read_only_ && at < text.size() &&
      ::ftruncate(descriptor->number(), static_cast<off_t>(at)) != 0) {
    throw Error(ErrorKind::io, path + ": " + system_message(errno));
  }
  if (line == 0 && !read_only_) write_all(descriptor->number(), decisions_head(run_.mark()), path);
}

void RunDecisions::take(std::string_view line, const std::string& place) {
  const std::optional<JsonValue> json = parse_json(line);
  if (!json || !json->is_object()) refuse_step(place, "is not a step");
  const bool of_links = run_.facts().is_of_links;
  const std::vector<std::string_view> known = verdict_names(of_links);
  const std::uint64_t subjects = of_links ? run_.pairs().size() : run_.members();
  RunAction action;
  for (const auto& [name, value] : json->members()) {
    if (name == kUndo) {
      if (!take_back()) refuse_step(place, "there is no step to undo");
      return;
    }
    if (name == kReviewed) {
      for (const std::uint64_t group : numbers_below(value, run_.groups().size(), place)) {
        action.reviewed.push_back(group);
      }
      continue;
    }
    if (std::find(known.begin(), known.end(), name) == known.end()) {
      refuse_step(place, "contains a decision that this version does not know");
    }
    const Verdict verdict = verdict_named(name, of_links);
    for (const std::uint64_t subject : numbers_below(value, subjects, place)) {
      action.changes.push_back({subject, verdict});
    }
  }
  apply(action);
}

Verdict RunDecisions::of(std::uint64_t subject) const {
  const auto found = verdicts_.find(subject);
  return found == verdicts_.end() ? Verdict::none : found->second;
}

bool RunDecisions::is_kept(std::uint64_t number, const RunMember& member) const {
  return is_kept_by(of(number), member.has(RunMember::kept));
}

void RunDecisions::set(std::uint64_t subject, Verdict verdict) {
  const Verdict before = of(subject);
  if (before == verdict) return;
  if (!run_.facts().is_of_links) count(subject, before, verdict);
  if (verdict == Verdict::none) {
    verdicts_.erase(subject);
  } else {
    verdicts_[subject] = verdict;
  }
}

// Updates the counts for a row whose verdict changes.
void RunDecisions::count(std::uint64_t member, Verdict before, Verdict verdict) {
  const std::size_t group = run_.group_of(member);
  const bool by_run = run_.read_members(member, 1).front().has(RunMember::kept);
  kept_more_ += is_kept_by(verdict, by_run) ? 1 : 0;
  kept_more_ -= is_kept_by(before, by_run) ? 1 : 0;
  if (before == Verdict::none) ++changed_[group];
  if (verdict == Verdict::none && --changed_[group] == 0) changed_.erase(group);
}

void RunDecisions::apply(const RunAction& action) {
  Step step;
  ++changes_;
  for (const RunAction::Change& change : action.changes) {
    step.before.push_back({change.subject, of(change.subject)});
    set(change.subject, change.verdict);
  }
  for (const std::size_t group : action.reviewed) {
    if (reviewed_[group]) continue;
    reviewed_[group] = true;
    step.reviewed.push_back(group);
  }
  reviewed_count_ += step.reviewed.size();
  steps_.push_back(std::move(step));
}

bool RunDecisions::take_back() {
  if (steps_.empty()) return false;
  const Step& step = steps_.back();
  ++changes_;
  std::for_each(step.before.rbegin(), step.before.rend(),
                [&](const auto& change) { set(change.subject, change.verdict); });
  for (const std::size_t group : step.reviewed) reviewed_[group] = false;
  reviewed_count_ -= step.reviewed.size();
  steps_.pop_back();
  return true;
}

void RunDecisions::append(const std::string& line) {
  if (read_only_) {
    throw Error(ErrorKind::unsupported, run_.path() + ": is served read-only",
                "omit --read-only to record decisions");
  }
  const std::string path = run_.path() + "/" + kDecisionsName;
  const auto descriptor = open_regular_file(path, O_WRONLY | O_APPEND);
  if (!descriptor) throw Error(ErrorKind::io, path + ": is gone");
  const auto before = stamp_of(descriptor->number());
  try {
    write_all(descriptor->number(), line, path);
  } catch (const Error&) {
    // An incomplete line would corrupt the next one.
    if (before && ::ftruncate(descriptor->number(), static_cast<off_t>(before->size)) != 0) {
      throw Error(ErrorKind::io, path + ": ends with an incomplete step, which cannot be removed");
    }
    throw;
  }
  if (flush_file(descriptor->number()) != 0) {
    throw Error(ErrorKind::io, path + ": " + system_message(errno));
  }
}

void RunDecisions::act(const RunAction& action) {
  append(line_of_step(action));
  apply(action);
}

std::vector<std::uint64_t> RunDecisions::last_changed() const {
  std::vector<std::uint64_t> subjects;
  if (steps_.empty()) return subjects;
  for (const RunAction::Change& change : steps_.back().before) subjects.push_back(change.subject);
  return subjects;
}

bool RunDecisions::undo() {
  if (steps_.empty()) return false;
  append(fmt::format("{{\"{}\":true}}\n", kUndo));
  return take_back();
}

}  // namespace sosie

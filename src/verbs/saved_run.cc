// A saved run behind one lock: answers requests of the server.
#include "sosie/saved_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <mutex>

#include "core/json_writer.h"
#include "options/saved_option.h"
#include "report/add_parts.h"
#include "report/group_page.h"
#include "report/review_status.h"
#include "report/run_groups.h"
#include "report/run_pairs.h"
#include "report/run_rows.h"
#include "sosie/error.h"
#include "sosie/join.h"
#include "store/run/run_decisions.h"
#include "store/run/run_folder.h"

namespace sosie {
namespace {

// Options of a run that define similarity, in addition to those for reading its rows.
constexpr std::array<std::string_view, 9> kPlanned = {
    "measure", "union", "shingle", "tokens", "sketch", "recall", "seed", "threshold", "within"};

// Options for `plan` over the run's own inputs. run.json may come from anywhere, so every value is
// checked.
Options options_of_plan(const RunFolder& run, bool has_threshold) {
  const RunFacts& facts = run.facts();
  Options options;
  for (const auto& [name, value] : facts.options) set_saved_option(options, name, value);
  set_option(options, "kind", facts.kind);
  for (const auto& [name, value] : given_options(run)) {
    if (std::find(kPlanned.begin(), kPlanned.end(), name) == kPlanned.end()) continue;
    if (has_threshold && (name == "threshold" || name == "within")) continue;
    set_option(options, name, value);
  }
  for (std::size_t i = facts.first_own_file; i < facts.files.size(); ++i) {
    options.inputs.push_back(facts.files[i].name);
  }
  options.threads = 1;
  options.verbose = true;
  return options;
}

// The lines of a plan above its picture, each split into heading and text.
std::string lines_json(std::string_view text) {
  constexpr std::size_t kHeading = 18;  // plan.cc
  JsonWriter json;
  json.begin_object();
  json.begin_array("lines");
  while (!text.empty() && text.front() != '\n') {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(text.size(), end + 1));
    if (line.size() <= kHeading) continue;
    std::string_view about = line.substr(0, kHeading);
    about = about.substr(0, about.find_last_not_of(' ') + 1);
    json.object({{"about", about}, {"said", line.substr(kHeading)}});
  }
  json.end_array();
  json.end_object();
  return json.text();
}

}  // namespace

struct SavedRun::State {
  State(const std::string& folder, bool for_reading)
      : run(folder),
        read_only(for_reading),
        decisions(run, for_reading),
        groups(run, decisions),
        pairs(run, groups, decisions),
        rows(run) {}

  // Throws for requests that only the other kind of run supports.
  void require_links(bool of_links, const char* what) const {
    if (run.facts().is_of_links == of_links) return;
    throw Error(ErrorKind::unsupported,
                fmt::format("a run of {} has no {}", of_links ? "dedup" : "link", what));
  }

  RunFolder run;
  bool read_only;
  std::mutex mutex;  // guards what follows
  RunDecisions decisions;
  RunGroups groups;
  RunPairs pairs;
  RunRows rows;
};

SavedRun::SavedRun(const std::string& folder, bool read_only)
    : state_(std::make_unique<State>(folder, read_only)) {}
SavedRun::~SavedRun() = default;
SavedRun::SavedRun(SavedRun&&) noexcept = default;

std::string SavedRun::info() const {
  const std::lock_guard lock(state_->mutex);
  return run_info(state_->run, state_->groups, state_->decisions, state_->read_only);
}

std::string SavedRun::histogram(const std::string& threshold, const std::string& recall) const {
  state_->require_links(false, "histogram");
  return run_histogram(state_->run, threshold, recall);
}

std::string SavedRun::forecast(const std::string& threshold, const std::string& recall,
                               const std::string& shingle, const std::atomic<bool>* cancel) const {
  state_->require_links(false, "forecast");
  Options options = options_of_plan(state_->run, !threshold.empty());
  if (!threshold.empty()) set_option(options, "threshold", threshold);
  if (!recall.empty()) set_option(options, "recall", recall);
  if (!shingle.empty()) set_option(options, "shingle", shingle);
  RunHooks hooks;
  hooks.cancel = cancel;
  return lines_json(plan(options, hooks).summary);
}

std::string SavedRun::groups(const GroupsAsked& asked) const {
  const std::lock_guard lock(state_->mutex);
  return groups_page(state_->run, state_->groups, state_->decisions, asked);
}

std::optional<std::string> SavedRun::group(std::uint64_t number, std::uint64_t offset,
                                           std::uint64_t limit) const {
  if (number >= state_->run.groups().size()) return std::nullopt;
  const std::lock_guard lock(state_->mutex);
  return group_page(state_->run, state_->groups, state_->decisions, state_->rows,
                    {number, offset, limit});
}

std::string SavedRun::pairs(const PairsAsked& asked) const {
  state_->require_links(true, "pairs");
  const std::lock_guard lock(state_->mutex);
  return pairs_page(state_->run, state_->pairs, state_->decisions, asked);
}

std::optional<std::string> SavedRun::pair(std::uint64_t number) const {
  if (number >= state_->run.pairs().size()) return std::nullopt;
  const std::lock_guard lock(state_->mutex);
  return pair_page(state_->run, state_->decisions, state_->rows,
                   static_cast<std::uint32_t>(number));
}

std::string SavedRun::decisions() const {
  const std::lock_guard lock(state_->mutex);
  return review_status(state_->run, state_->decisions);
}

std::string SavedRun::decide(std::string_view request) {
  const std::lock_guard lock(state_->mutex);
  return take_step(state_->run, state_->groups, state_->decisions, request);
}

void SavedRun::export_decisions(const std::string& format, const std::string& as,
                                const std::function<void(std::string_view bytes)>& sink) const {
  constexpr std::array<std::string_view, 2> kKinds = {"decisions", "labels"};
  require_one_of("as", as, kKinds);
  const bool as_labels = as == "labels";
  if (as_labels) state_->require_links(true, "labels");
  const std::lock_guard lock(state_->mutex);
  if (state_->run.facts().is_of_links) {
    export_judgements(state_->run, state_->decisions, format, as_labels, sink);
  } else {
    export_clusters(state_->run, state_->decisions, format, sink);
  }
}

}  // namespace sosie

// Verb link: records of the same entity, within one collection or between two.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <numeric>
#include <optional>

#include "cluster/average_linkage.h"
#include "core/number_text.h"
#include "corpus/default_rules.h"
#include "corpus/record_fields.h"
#include "corpus/record_rows.h"
#include "decide/best_links.h"
#include "decide/one_to_one.h"
#include "join/record_linker.h"
#include "join/run.h"
#include "options/formats.h"
#include "options/link_request.h"
#include "read/field_path.h"
#include "report/link_outputs.h"
#include "sosie/error.h"
#include "sosie/link.h"

namespace sosie {
namespace {

// Candidates below are never links, whatever the cut.
constexpr double kLeastKept = 0.01;

// A run from its inputs to its outputs. Members are filled in this order.
class LinkRun {
 public:
  LinkRun(const Options& options, const RunHooks& hooks)
      : options_(options),
        hooks_(hooks),
        request_(link_request(options)),
        settings_(resolve_run(options)),
        pool_(settings_.threads, hooks.cancel) {}

  RunReport run() {
    read();
    RecordLinker linker(fields_, chosen_.rules, pool_);
    linker.learn();
    linker_ = &linker;
    for (const std::string& warning : linker.choice().warnings) tell(warning);
    links_ = linker.score(kLeastKept);
    choose_cut();
    if (across()) {
      decide_links();
      write_links();
    } else {
      decide_groups();
      write_groups();
    }
    RunReport report;
    report.rows = fields_.size();
    report.pairs = written_;
    report.summary = summary();
    return report;
  }

 private:
  [[nodiscard]] bool across() const noexcept { return !options_.against.empty(); }

  void tell(const std::string& message) const {
    if (hooks_.on_message) hooks_.on_message(message);
  }

  void read() {
    std::vector<std::string> ignored;
    if (!request_.ignore.empty()) ignored = joined_names(request_.ignore);
    const ItemReading reading{
        .options = options_, .settings = settings_, .pool = pool_, .hooks = hooks_};
    RecordReader reader(reading, ignored);
    left_ = reader.read_left(options_.inputs);
    if (across()) right_ = reader.read_right(options_.against);
    check_outputs(left_.places.inputs, {options_.output, options_.pairs, options_.stats},
                  result_of(options_, hooks_));
    if (right_) check_outputs(right_->places.inputs, {options_.output, options_.pairs});
    const RecordTable columns = reader.take(left_, right_ ? &*right_ : nullptr);
    chosen_ = choose_rules(columns);
    fields_ = make_fields(columns, chosen_.rules.fields);
    names_ = {&left_.ids, right_ ? &right_->ids : nullptr, fields_.left};
  }

  void choose_cut() {
    constexpr double kUsual = 0.5;
    cut_ = request_.cut.empty() || request_.cut == "auto" ? kUsual : parse_rational(request_.cut)->value();
  }

  void decide_links() {
    std::erase_if(links_, [this](const PatternLink& link) { return link.link.probability < cut_; });
    std::vector<ScoredLink> scored;
    scored.reserve(links_.size());
    for (const PatternLink& link : links_) scored.push_back(link.link);
    if (request_.assign == "all") return;
    const double floor = -1e6;
    const auto kept = request_.assign == "best" ? best_links(scored, floor)
                                                : one_to_one(scored, floor);
    std::vector<PatternLink> chosen;
    chosen.reserve(kept.size());
    for (const std::size_t i : kept) chosen.push_back(links_[i]);
    links_ = std::move(chosen);
  }

  void decide_groups() {
    std::vector<ScoredLink> scored;
    scored.reserve(links_.size());
    for (const PatternLink& link : links_) scored.push_back(link.link);
    LinkageTask task;
    task.records = fields_.size();
    task.links = scored;
    task.cut = cut_;
    task.probability = [this](unsigned /*worker*/, std::uint32_t left, std::uint32_t right) {
      return linker_->probability(left, right);
    };
    groups_ = average_linkage(task, pool_);
  }

  void write_links() {
    std::stable_sort(links_.begin(), links_.end(), [](const PatternLink& a, const PatternLink& b) {
      return a.link.score > b.link.score;
    });
    const LinkTable table(chosen_.rules, linker_->model(), names_);
    TableWriter out = output(table.columns());
    for (const PatternLink& link : links_) table.write(link, out);
    written_ = links_.size();
    out.finish();
    out.commit();
  }

  void write_groups() {
    TableWriter out = output({"id", "cluster_id", "size", "weakest"});
    std::vector<const RecordGroup*> group_of(fields_.size());
    for (const RecordGroup& group : groups_.groups) group_of[group.first] = &group;
    for (std::uint32_t record = 0; record < fields_.size(); ++record) {
      const std::uint32_t first = groups_.first[record];
      const RecordGroup* group = group_of[first];
      const std::string id = names_.of(record);
      const std::string cluster = names_.of(first);
      const Cell weakest = group == nullptr ? Cell(std::string_view{})
                                            : Cell(Decimal{group->probability});
      out.row({IdText{id, names_.is_integer(record)}, IdText{cluster, names_.is_integer(first)},
               std::uint64_t{group == nullptr ? 1 : group->size}, weakest});
      if (group != nullptr) written_ += first == record ? 0 : 1;
    }
    out.finish();
    out.commit();
  }

  TableWriter output(std::vector<std::string> columns) {
    if (options_.output.empty()) {
      return {hooks_.result_descriptor, std::move(columns), hooks_.cancel};
    }
    return {options_.output, table_format_of(options_.output), std::move(columns), hooks_.cancel,
            hooks_.table_files};
  }

  [[nodiscard]] std::string summary() const {
    const CandidateCounts& counts = linker_->counts();
    const auto seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - started_).count();
    return fmt::format("records     {}\ncandidates  {}; {} patterns; {} records looked further\n"
                       "links       {}\ntime        {:.1f} s, {}\n",
                       fields_.size(), counts.pairs, counts.patterns.size(), linker_->widened(),
                       written_, seconds, bytes_text(peak_memory_bytes()));
  }

  std::chrono::steady_clock::time_point started_ = std::chrono::steady_clock::now();
  const Options& options_;
  const RunHooks& hooks_;
  LinkRequest request_;
  Settings settings_;
  ThreadPool pool_;
  RecordRows left_;
  std::optional<RecordRows> right_;
  ChosenRules chosen_;
  RecordTable fields_;
  RecordNames names_;
  const RecordLinker* linker_ = nullptr;
  std::vector<PatternLink> links_;
  RecordGroups groups_;
  double cut_ = 0;
  std::uint64_t written_ = 0;
};

}  // namespace

RunReport link(const Options& options, const RunHooks& hooks) {
  return LinkRun(options, hooks).run();
}

}  // namespace sosie

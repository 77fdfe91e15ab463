// explain: shows why two rows are similar or not, and what happened to them.
#include <algorithm>
#include <utility>

#include "corpus/count_inputs.h"
#include "corpus/rows/row_names.h"
#include "io/output_file.h"
#include "join/sets/set_run.h"
#include "options/output_names.h"
#include "options/output_options.h"
#include "report/explanation.h"
#include "report/row_of_id.h"
#include "verbs/engine.h"
#include "verbs/verbs.h"

namespace sosie {
namespace {

class Explain {
 public:
  Explain(Engine& engine, const Options& options) : engine_(engine), options_(options) {}

  RunReport execute(const std::string& left_id, const std::string& right_id) {
    engine_.prepare();
    const Corpus& corpus = engine_.corpus();
    const auto rows = rows_of_ids(engine_.inputs(), corpus, engine_.pool(), {left_id, right_id});
    left_ = rows[0];
    right_ = rows[1];
    const Decisions decisions = engine_.decide();
    Explanation e;
    e.same_row = left_ == right_;
    engine_.explain(left_, right_, e);
    describe(left_, decisions, e.left);
    describe(right_, decisions, e.right);
    if (options_.explain_all) {
      e.left.full = in_full(left_);
      e.right.full = in_full(right_);
    }
    RunReport report;
    report.rows = corpus.rows;
    report.summary = explanation_text(e, text_style(options_.color == "always"));
    engine_.require_unchanged();
    if (!options_.output.empty()) {
      OutputFile out(options_.output);
      out.write(report.summary);
      out.commit();
    }
    return report;
  }

 private:
  // Describes a row of the run.
  void describe(RowNumber row, const Decisions& decisions, ExplainedItem& item) {
    item.id = name_of(row);
    item.place = place_of_row(engine_.inputs(), engine_.corpus().locator(row));
    const Decision decision = decisions.of(row);
    if (row < engine_.corpus().first_own_row) {
      item.fate.kind = Fate::Kind::of_other;
      item.fate.group = decisions.group_rows(row);
    } else if (!engine_.takes_part(row)) {
      item.fate.kind = Fate::Kind::unmatched;
    } else if (decision.survivor == row) {
      item.fate.group = decisions.group_rows(row);
    } else {
      item.fate.kind =
          decision.identical ? Fate::Kind::removed_as_identical : Fate::Kind::removed_as_near;
      item.fate.similarity = engine_.value(row, decision);
      item.fate.for_other = decision.survivor < engine_.corpus().first_own_row &&
                            decision.survivor != left_ && decision.survivor != right_;
      item.fate.survivor = decision.survivor == left_    ? "left"
                           : decision.survivor == right_ ? "right"
                                                         : name_of(decision.survivor);
    }
  }

  [[nodiscard]] ItemInFull in_full(RowNumber row) {
    constexpr std::size_t kNames = 10;
    ItemInFull full = engine_.in_full(row);
    for (ItemInFull::Band& band : full.bands) {
      std::vector<RowNumber> others(band.rows.begin(), band.rows.end());
      std::erase(others, row);
      others.resize(std::min(others.size(), kNames));
      RowNames names(engine_.inputs(), engine_.corpus(), {}, engine_.pool());
      for (RowNames::Entry& entry : names.look_up(others)) {
        band.shown.push_back(std::move(entry.id));
      }
    }
    return full;
  }

  [[nodiscard]] std::string name_of(RowNumber row) {
    RowNames names(engine_.inputs(), engine_.corpus(), {}, engine_.pool());
    return names.look_up({&row, 1}).front().id;
  }

  Engine& engine_;
  const Options& options_;
  RowNumber left_ = kNoRowNumber;
  RowNumber right_ = kNoRowNumber;
};

}  // namespace

RunReport explain_with(Engine& engine, const Options& options, const RunHooks& hooks,
                       const std::string& left_id, const std::string& right_id) {
  check_output_name("-o", options.output, "the explanation");
  check_outputs(engine.inputs(), options, result_of(options, hooks));
  tell_unusual(engine.inputs(), options, hooks);
  return Explain(engine, options).execute(left_id, right_id);
}

}  // namespace sosie

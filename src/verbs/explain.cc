#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "corpus/row_names.h"
#include "corpus/shingled_text.h"
#include "decide/grouping.h"
#include "io/output_file.h"
#include "join/candidate_rule.h"
#include "join/run.h"
#include "report/explain_ids.h"
#include "report/explain_page.h"
#include "sosie/error.h"
#include "sosie/join.h"
#include "verbs/verbs.h"
#include "write/output_names.h"

namespace sosie {
namespace {

constexpr std::size_t kMostWords = 200'000;  // of a text that the diff looks at
constexpr std::size_t kExamples = 3;
constexpr std::size_t kElements = 20;  // the same of a set

class Explain {
 public:
  Explain(const Options& options, const RunHooks& hooks) : run_("explain", options, hooks) {
    check_output_name("-o", options.output, "the explanation");
    check_outputs(run_.inputs, {options.output}, result_of(options, hooks));
    run_.looks_up_ids = true;
  }

  RunReport execute(const std::string& left_id, const std::string& right_id) {
    run_.prepare();
    left_ = row_of_id(run_, left_id);
    right_ = row_of_id(run_, right_id);
    const Decisions decisions = decide(run_, nullptr);
    left_text_ = read(left_);
    right_text_ = read(right_);
    Explanation e = compare();
    describe(decisions, e);
    RunReport report;
    report.rows = run_.corpus.rows;
    report.summary = page(e);
    require_unchanged(run_.inputs);
    if (!run_.options.output.empty()) {
      OutputFile out(run_.options.output);
      out.write(report.summary);
      out.commit();
    }
    return report;
  }

 private:
  PaddedBytes read(RowId row) {
    RowReader reader(run_.inputs, run_.corpus, {run_.inputs.fields.column, {}, {}});
    PaddedBytes text;
    text.assign(reader.read(row).text);
    return text;
  }

  // Everything that the two texts alone decide.
  [[nodiscard]] Explanation compare() const {
    const Settings& settings = run_.settings;
    const ShingledText left = shingle_text(left_text_.view(), settings.shingle);
    const ShingledText right = shingle_text(right_text_.view(), settings.shingle);
    Explanation e;
    const Measure& measure = *settings.measure;
    e.overlap = measure.overlap(left.set, right.set);
    e.measure = measure.name;
    // Of an ordered measure the way round that counts; the page has a line on both.
    const bool flip = measure.is_ordered() && measure.is_above(e.overlap.flipped(), e.overlap);
    const Overlap overlap = flip ? e.overlap.flipped() : e.overlap;
    e.similarity = measure.similarity(overlap);
    e.fraction = measure.fraction(overlap);
    e.reaches = measure.reaches(e.overlap, settings.threshold);
    e.threshold = run_.options.threshold;
    e.shingle = run_.options.shingle;
    e.tokens = run_.options.tokens;
    e.of_text = run_.options.kind == "text";
    e.token_name = !e.of_text ? "elements" : settings.shingle.cuts_words() ? "words" : "characters";
    e.part = e.of_text ? "shingle" : settings.shingle.bag ? "occurrence" : "element";
    e.left.tokens = left.tokens;
    e.right.tokens = right.tokens;
    e.left.shingles = left.set.size();
    e.right.shingles = right.set.size();
    e.of_bags = !e.of_text && settings.shingle.bag;
    if (e.of_bags) {
      e.left.elements = count_elements(left);
      e.right.elements = count_elements(right);
    }
    const auto examples = [&](const ShingledText& of, const ShingledText& other, bool shared) {
      if (e.of_bags) return example_elements(of, other.set, shared, kElements);
      return example_shingles(of, other.set, shared, settings.shingle,
                              e.of_text ? kExamples : kElements);
    };
    e.in_both = examples(left, right, true);
    e.left.only_here = examples(left, right, false);
    e.right.only_here = examples(right, left, false);
    e.finds_every_pair = run_.choice.finds_every_pair();
    e.compares_every_pair = run_.choice.brute;
    if (!e.finds_every_pair && !left.set.empty() && !right.set.empty()) {
      e.plan = run_.choice.banding;
      CandidateSketcher sketcher(e.plan, settings.seed, settings.sketch);
      CandidateSketch sketches[2];
      sketcher.sketch(left.in_order, sketches[0]);
      sketcher.sketch(right.in_order, sketches[1]);
      e.agreement = agreement_of(sketches[0], sketches[1]);
    }
    return e;
  }

  // What the run knows of the two rows.
  void describe(const Decisions& decisions, Explanation& e) {
    const Place left_place = run_.items.place_of[left_];
    e.same_row = left_ == right_;
    e.same_text = left_place != kNoPlace && left_place == run_.items.place_of[right_];
    for (ExplainedItem* item : {&e.left, &e.right}) {
      const RowId row = item == &e.left ? left_ : right_;
      item->id = name_of(row);
      item->place = place_of_row(run_.inputs, run_.corpus.locator(row));
      item->fate = fate_of(row, decisions);
    }
  }

  [[nodiscard]] std::string name_of(RowId row) {
    RowNames names(run_.inputs, run_.corpus, {}, run_.pool);
    return names.look_up({&row, 1}).front().id;
  }

  [[nodiscard]] Fate fate_of(RowId row, const Decisions& decisions) {
    Fate fate;
    const Decision& decision = decisions.of(row);
    if (run_.items.place_of[row] == kNoPlace) {
      fate.kind = Fate::Kind::unmatched;
    } else if (decision.survivor == row) {
      fate.group = decisions.group_rows(row);
    } else {
      fate.kind =
          decision.identical ? Fate::Kind::removed_as_identical : Fate::Kind::removed_as_near;
      fate.similarity = run_.settings.measure->similarity(decision.overlap);
      fate.survivor = decision.survivor == left_    ? "left"
                      : decision.survivor == right_ ? "right"
                                                    : name_of(decision.survivor);
    }
    return fate;
  }

  [[nodiscard]] std::string page(Explanation& e) const {
    const bool colour = run_.options.color == "always";
    if (e.same_row || !e.of_text) return explanation_text(e, nullptr, text_style(colour));
    WordCutter cutter(run_.settings.shingle);
    const auto left = cutter.cut(left_text_.view(), kMostWords);
    const auto right = cutter.cut(right_text_.view(), kMostWords);
    if (std::max(left.size(), right.size()) == kMostWords) e.cut_off_words = kMostWords;
    const ExplainedDiff diff(left, right);
    return explanation_text(e, &diff, text_style(colour));
  }

  Run run_;
  RowId left_ = kNoRow;
  RowId right_ = kNoRow;
  PaddedBytes left_text_;
  PaddedBytes right_text_;
};

}  // namespace

RunReport explain_sets(const Options& options, const std::string& left_id,
                       const std::string& right_id, const RunHooks& hooks) {
  return Explain(options, hooks).execute(left_id, right_id);
}

}  // namespace sosie

#pragma once

#include <memory>

#include "candidates/partner_elements.h"
#include "corpus/scan.h"
#include "plan/saved_plan.h"
#include "plan/set_costs.h"

namespace sosie {

// Facts about a run's rows, for the planner.
struct Sample {
  SampleFacts similarities;
  CollectionFacts collection;
};

// Estimates, for the planner, the similarities within the first 32 MiB of rows: samples up to 1,024
// rows by hash(seed, row) and estimates all their pairs from signatures. The result depends only on
// the sequence of rows, not on how they are distributed over files.
[[nodiscard]] SampleFacts draw_sample(const Inputs& inputs, const Settings& settings);

// A sample of a run's rows that can grow. It provides the facts by which the planner chooses a
// method.
class RowSample {
 public:
  // Samples the rows and sketches them; the counts of joins remain 0 until join().
  RowSample(const Inputs& inputs, const Settings& settings);
  ~RowSample();

  // Looks up sampled rows of the larger of two collections in the smaller one and fills in
  // CollectionFacts::partners, unless all sampled rows belong to the smaller one.
  void look_up(const PartnerElements& elements, ScannedRows larger,
               const RowsWithPartners& of_smaller);
  // Joins some of the rows exactly and counts the work. May be called at most once.
  void join(ThreadPool& pool);

  [[nodiscard]] const Sample& facts() const noexcept { return sample_; }

 private:
  class State;

  std::unique_ptr<State> state_;
  Sample sample_;
};

// Throws Error{invalid_option} with both values unless the plan was made for the options of the
// run. `name`: the plan's name in messages.
void check_plan(const SavedPlan& saved, const std::string& name, const Options& options,
                const Settings& settings);

// The banding of a run: from the sketches or the saved plan, from the user, or chosen by the
// planner for these inputs. Stops waiting for a plan from a pipe if *cancel becomes true.
[[nodiscard]] BandingPlan banding_for(const Options& options, const Settings& settings,
                                      const Inputs& inputs, const std::atomic<bool>* cancel);

}  // namespace sosie

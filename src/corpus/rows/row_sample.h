#pragma once

#include <memory>

#include "corpus/corpus.h"
#include "plan/saved_plan.h"
#include "plan/set_costs.h"

namespace sosie {

// Facts about a run's rows, for the planner.
struct Sample {
  SampleFacts similarities;
  CollectionFacts collection;
};

// Similarities within the first 32 MiB of rows, for the planner: up to 1,024 rows sampled by
// hash(seed, row), with all their pairs estimated from signatures. Depends only on the rows in
// order, not on their distribution over files.
[[nodiscard]] SampleFacts draw_sample(const Inputs& inputs, const Settings& settings);

// A sample of a run's rows that can grow: facts for the planner's choice of a method.
class RowSample {
 public:
  // Samples and sketches; the joined counts of the sample's collection stay 0.
  RowSample(const Inputs& inputs, const Settings& settings);
  ~RowSample();

  // Joins some of the rows exactly and counts the work. Call it at most once.
  void join(ThreadPool& pool);

  [[nodiscard]] const Sample& facts() const noexcept { return sample_; }

 private:
  class State;

  std::unique_ptr<State> state_;
  Sample sample_;
};

// Throws Error{invalid_option} with both values unless the plan was made for the options of the
// run; `name`: name of the plan in messages.
void check_plan(const SavedPlan& saved, const std::string& name, const Options& options,
                const Settings& settings);

// The banding of a run: that of the sketches or the saved plan, the user's, or the planner's for
// these inputs. Waiting for a plan from a pipe ends when *cancel becomes true.
[[nodiscard]] BandingPlan banding_for(const Options& options, const Settings& settings,
                                      const Inputs& inputs, const std::atomic<bool>* cancel);

}  // namespace sosie

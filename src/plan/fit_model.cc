// Fits a mixture of kinds of pairs to the patterns of candidates and of random pairs.
#include "plan/fit_model.h"

#include "plan/mixture_fit.h"
#include "plan/usual_bits.h"

namespace sosie {

FittedModel fit_model(const FitTask& task, Competition one_partner, std::size_t classes) {
  return MixtureFit(task, one_partner, classes).run();
}

double usual_matches(const FitTask& task) {
  const UsualBits usual(task);
  const double likely = UsualBits::likely(task);
  double matches = 0;
  for (std::size_t i = 0; i < task.candidates.size(); ++i) {
    const double probability = probability_of(usual.of(task.candidates[i]) - likely);
    matches += probability * static_cast<double>(task.candidates.count(i));
  }
  return matches;
}

}  // namespace sosie

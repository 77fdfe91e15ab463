// Counts the common tokens of two ascending lists; stops once the overlap can no longer be large
// enough.
#include "kernels/count_overlaps.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/count_overlaps.cc"
#include "hwy/foreach_target.h"  // before highway.h
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace sosie::kernels::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

// Length of the common prefix of the lists, at most `lanes` elements.
HWY_INLINE std::size_t equal_run(const std::uint32_t* a, const std::uint32_t* b) {
  const hn::ScalableTag<std::uint32_t> d;
  const auto differ = hn::Ne(hn::LoadU(d, a), hn::LoadU(d, b));
  const auto first = hn::FindFirstTrue(d, differ);
  return first < 0 ? hn::Lanes(d) : static_cast<std::size_t>(first);
}

std::uint32_t shared_of(const OverlapTask& task) {
  const auto lanes = static_cast<std::ptrdiff_t>(hn::Lanes(hn::ScalableTag<std::uint32_t>()));
  if (task.least > task.left_count || task.least > task.right_count) return 0;
  // Number of elements of each list that may still turn out to have no partner.
  std::int64_t left_slack = std::int64_t{task.left_count} - task.least;
  std::int64_t right_slack = std::int64_t{task.right_count} - task.least;
  const std::uint32_t* a = task.left;
  const std::uint32_t* b = task.right;
  const std::uint32_t* const a_end = a + task.left_count;
  const std::uint32_t* const b_end = b + task.right_count;
  std::uint32_t shared = 0;
  while (a < a_end && b < b_end && left_slack >= 0 && right_slack >= 0) {
    if (*a == *b && a_end - a >= lanes && b_end - b >= lanes) {
      const std::size_t run = equal_run(a, b);
      shared += static_cast<std::uint32_t>(run);
      a += run;
      b += run;
      continue;
    }
    const std::uint32_t x = *a;  // without branches on the data: mispredictions cost more
    const std::uint32_t y = *b;
    shared += x == y ? 1U : 0U;
    a += x <= y ? 1 : 0;
    b += y <= x ? 1 : 0;
    left_slack -= x < y ? 1 : 0;
    right_slack -= y < x ? 1 : 0;
  }
  return shared;
}

void count_all(OverlapTask* tasks, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) tasks[i].shared = shared_of(tasks[i]);
}

}  // namespace
}  // namespace sosie::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sosie::kernels {
namespace {

HWY_EXPORT(count_all);

}  // namespace

void count_overlaps(OverlapTask* tasks, std::size_t count) noexcept {
  HWY_DYNAMIC_DISPATCH(count_all)(tasks, count);
}

}  // namespace sosie::kernels
#endif  // HWY_ONCE

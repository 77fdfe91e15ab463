// Lists, limits and reports the instruction sets that kernels use.
#include "kernels/simd.h"

#include <atomic>

#include "kernels/amx_products.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/simd.cc"
#include "hwy/foreach_target.h"  // before highway.h
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace sosie::kernels::HWY_NAMESPACE {
namespace {
// An entry in the dispatch table that reveals to this file which targets were compiled.
std::int64_t compiled_target() { return HWY_TARGET; }
}  // namespace
}  // namespace sosie::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sosie::kernels {
namespace {

HWY_EXPORT(compiled_target);

constexpr std::string_view kAmx = "AMX";
std::atomic<bool> amx_is_allowed = true;

}  // namespace

std::vector<std::string_view> simd_targets() {
  (void)HWY_DYNAMIC_DISPATCH(compiled_target)();
  std::vector<std::string_view> names;
  if (has_amx()) names.push_back(kAmx);
  for (const std::int64_t target : hwy::SupportedAndGeneratedTargets()) {
    names.emplace_back(hwy::TargetName(target));
  }
  return names;
}

bool limit_simd(std::string_view name) {
  hwy::SetSupportedTargetsForTest(0);  // all the CPU has
  amx_is_allowed = true;
  if (name == kAmx) {
    hwy::GetChosenTarget().Update(hwy::SupportedTargets());
    return has_amx();
  }
  std::int64_t better = 0;
  for (const std::int64_t target : hwy::SupportedAndGeneratedTargets()) {
    if (name == hwy::TargetName(target)) {
      amx_is_allowed = false;
      hwy::SetSupportedTargetsForTest(hwy::SupportedTargets() & ~better);
      hwy::GetChosenTarget().Update(hwy::SupportedTargets());
      return true;
    }
    better |= target;
  }
  return false;
}

bool uses_amx() noexcept { return amx_is_allowed.load(std::memory_order_relaxed) && has_amx(); }

}  // namespace sosie::kernels
#endif  // HWY_ONCE

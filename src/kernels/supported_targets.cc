// The instruction sets of this CPU, in the form expected by Highway's dispatch. Highway's own
// library calibrates a timer at every program start, which takes 3 ms: half of a short run.
#include <hwy/targets.h>

#include <atomic>
#include <cstdarg>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#if HWY_ARCH_X86
#include <cpuid.h>
#elif HWY_ARCH_ARM && defined(__linux__)
#include <sys/auxv.h>
#endif

namespace hwy {
namespace {

std::atomic<std::int64_t> mocked_targets = 0;

#if HWY_ARCH_X86

// The registers in which the CPU returns the result of a CPUID query; all 0 if it does not support
// the query.
struct CpuId {
  unsigned a = 0;
  unsigned b = 0;
  unsigned c = 0;
  unsigned d = 0;

  explicit CpuId(unsigned leaf) { __get_cpuid_count(leaf, 0, &a, &b, &c, &d); }
};

constexpr bool has_all(unsigned bits, unsigned wanted) noexcept {
  return (bits & wanted) == wanted;
}

// The registers that the operating system saves.
unsigned saved_registers() noexcept {
  unsigned low = 0;
  unsigned high = 0;
  asm volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
  return low;
}

// Bits, numbered as in the manuals of both manufacturers.
std::int64_t detected_targets() noexcept {
  constexpr unsigned kLzcnt = 1U << 5;
  constexpr unsigned kAvx512 =
      bit_AVX512F | bit_AVX512DQ | bit_AVX512CD | bit_AVX512BW | bit_AVX512VL;
  constexpr unsigned kAvx512More = bit_AVX512VBMI | bit_AVX512VBMI2 | bit_GFNI | bit_VAES |
                                   bit_VPCLMULQDQ | bit_AVX512VNNI | bit_AVX512BITALG |
                                   bit_AVX512VPOPCNTDQ;
  constexpr unsigned kSavedYmm = 0x6;
  constexpr unsigned kSavedZmm = 0xE6;
  const CpuId base(1);
  const CpuId more(7);
  const CpuId extended(0x80000001);
  std::int64_t targets = 0;
  if (!has_all(base.c, bit_SSE3 | bit_SSSE3)) return targets;
  targets |= HWY_SSSE3;
  if (!has_all(base.c, bit_SSE4_1 | bit_SSE4_2 | bit_PCLMUL | bit_AES)) return targets;
  targets |= HWY_SSE4;
  const unsigned saved = has_all(base.c, bit_OSXSAVE) ? saved_registers() : 0;
  if (!has_all(saved, kSavedYmm) || !has_all(base.c, bit_AVX | bit_FMA | bit_F16C) ||
      !has_all(more.b, bit_AVX2 | bit_BMI | bit_BMI2) || !has_all(extended.c, kLzcnt)) {
    return targets;
  }
  targets |= HWY_AVX2;
  if (!has_all(saved, kSavedZmm) || !has_all(more.b, kAvx512)) return targets;
  targets |= HWY_AVX3;
  if (has_all(more.c, kAvx512More)) targets |= HWY_AVX3_DL;
  return targets;
}

#elif HWY_ARCH_ARM_A64

std::int64_t detected_targets() noexcept {
#ifdef __linux__
  constexpr unsigned long kAes = 1UL << 3;
  return (getauxval(AT_HWCAP) & kAes) != 0 ? HWY_NEON : 0;
#else
  return HWY_STATIC_TARGET;  // the compiler knows the CPUs of such a system
#endif
}

#else

std::int64_t detected_targets() noexcept { return 0; }

#endif

}  // namespace

// Weak, so that there is a single definition even if a program also links Highway's library.
[[gnu::weak]] ChosenTarget& GetChosenTarget() {
  static ChosenTarget chosen;
  return chosen;
}

[[gnu::weak]] std::int64_t SupportedTargets() {
  static const std::int64_t detected =
      detected_targets() | HWY_STATIC_TARGET | HWY_EMU128 | HWY_SCALAR;
  const std::int64_t mocked = mocked_targets.load();
  return mocked == 0 ? detected : mocked;
}

[[gnu::weak]] void SetSupportedTargetsForTest(std::int64_t targets) {
  mocked_targets.store(targets);
  GetChosenTarget().DeInit();
}

// Called by assertions, which are compiled into sanitizer builds.
[[gnu::weak]] void Abort(const char* file, int line, const char* format, ...) {
  std::fprintf(stderr, "%s:%d: ", file, line);
  std::va_list values;
  va_start(values, format);
  std::vfprintf(stderr, format, values);
  va_end(values);
  std::fputc('\n', stderr);
  std::abort();
}

}  // namespace hwy

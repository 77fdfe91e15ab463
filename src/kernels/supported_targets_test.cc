// Tests that Highway's dispatch sees the same CPU features that the operating system reports.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "kernels/simd.h"

namespace sosie {
namespace {

#if defined(__x86_64__)

std::set<std::string> flags_of_cpu() {
  std::ifstream info("/proc/cpuinfo");
  for (std::string line; std::getline(info, line);) {
    if (line.rfind("flags", 0) != 0) continue;
    std::istringstream words(line.substr(line.find(':') + 1));
    std::set<std::string> flags;
    for (std::string word; words >> word;) flags.insert(word);
    return flags;
  }
  return {};
}

struct Target {
  std::string name;
  std::vector<std::string> flags;  // needed in addition to the flags of earlier targets
};

TEST(SupportedTargets, HaveTheFlagsThatTheSystemLists) {
  const std::vector<Target> targets = {
      {"SSSE3", {"pni", "ssse3"}},
      {"SSE4", {"sse4_1", "sse4_2", "pclmulqdq", "aes"}},
      {"AVX2", {"avx", "avx2", "fma", "f16c", "bmi1", "bmi2", "abm"}},
      {"AVX3", {"avx512f", "avx512dq", "avx512cd", "avx512bw", "avx512vl"}},
      {"AVX3_DL",
       {"avx512vbmi", "avx512_vbmi2", "gfni", "vaes", "vpclmulqdq", "avx512_vnni", "avx512_bitalg",
        "avx512_vpopcntdq"}}};
  const std::set<std::string> flags = flags_of_cpu();
  if (flags.empty()) GTEST_SKIP() << "no list of the CPU's flags";
  const std::vector<std::string_view> found = kernels::simd_targets();
  bool has_before = true;
  for (const Target& target : targets) {
    has_before =
        has_before && std::all_of(target.flags.begin(), target.flags.end(),
                                  [&](const std::string& flag) { return flags.count(flag) > 0; });
    const bool is_found = std::find(found.begin(), found.end(), target.name) != found.end();
    EXPECT_EQ(is_found, has_before) << target.name;
  }
}

#endif

TEST(SupportedTargets, AreLimitedToOne) {
  const std::vector<std::string_view> all = kernels::simd_targets();
  for (const std::string_view name : all) {
    EXPECT_TRUE(kernels::limit_simd(name)) << name;
  }
  EXPECT_FALSE(kernels::limit_simd("none such"));
  EXPECT_EQ(kernels::simd_targets(), all);
}

}  // namespace
}  // namespace sosie

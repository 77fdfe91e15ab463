// Reads the limits of control groups, version 1 and 2, from the file system.
#include "core/memory_budget.h"

#include <algorithm>
#include <fstream>

namespace sosie {
namespace {

// Empty for "max" and for missing files, which contain no numbers.
template <class... Numbers>
bool read_numbers(const std::string& path, Numbers&... numbers) {
  std::ifstream file(path);
  return (... && static_cast<bool>(file >> numbers));
}

void limit_memory(const std::string& path, ResourceLimits& limits) {
  std::uint64_t bytes = 0;
  if (read_numbers(path, bytes) && bytes > 0) {
    limits.memory_bytes = std::min(limits.memory_bytes, bytes);
  }
}

// Applies a quota of processor time per period, both in microseconds.
void limit_cores(std::int64_t quota, std::int64_t period, ResourceLimits& limits) {
  if (quota <= 0 || period <= 0) return;
  limits.cores = static_cast<unsigned>(std::min<std::int64_t>(
      limits.cores, std::max<std::int64_t>(1, (quota + period - 1) / period)));
}

// "/a/b" in version 2; empty if the process is in the root group, or if it is unknown.
std::string own_group(const std::string& own) {
  constexpr std::string_view kVersion2 = "0::";
  std::ifstream file(own);
  for (std::string line; std::getline(file, line);) {
    if (!line.starts_with(kVersion2)) continue;
    line.erase(0, kVersion2.size());
    return line == "/" ? "" : line;
  }
  return {};
}

}  // namespace

ResourceLimits resource_limits(const std::string& mount, const std::string& own) {
  ResourceLimits limits;
  for (std::string group = own_group(own);; group.erase(group.rfind('/'))) {
    limit_memory(mount + group + "/memory.max", limits);
    std::int64_t quota = 0;
    std::int64_t period = 0;
    if (read_numbers(mount + group + "/cpu.max", quota, period)) limit_cores(quota, period, limits);
    if (group.find('/') == std::string::npos) break;
  }
  limit_memory(mount + "/memory/memory.limit_in_bytes", limits);
  std::int64_t quota = 0;
  std::int64_t period = 0;
  if (read_numbers(mount + "/cpu/cpu.cfs_quota_us", quota) &&
      read_numbers(mount + "/cpu/cpu.cfs_period_us", period)) {
    limit_cores(quota, period, limits);
  }
  return limits;
}

}  // namespace sosie

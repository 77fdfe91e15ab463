#pragma once

#include <cstdint>
#include <limits>
#include <string>

namespace sosie {

// Memory and CPUs that a process may take by its control group and the groups above it: a
// container's limits, or a job's on a shared machine.
struct ResourceLimits {
  std::uint64_t memory_bytes = std::numeric_limits<std::uint64_t>::max();
  unsigned cores = std::numeric_limits<unsigned>::max();  // a part of one counts as one
};

// Limits of this process. `mount` is where control groups are, of version 2 or 1; `own` says which
// of them is this process's (version 2, as proc(5) has it). What cannot be read limits nothing.
[[nodiscard]] ResourceLimits resource_limits(const std::string& mount = "/sys/fs/cgroup",
                                             const std::string& own = "/proc/self/cgroup");

}  // namespace sosie

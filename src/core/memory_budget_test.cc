#include "core/memory_budget.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

namespace sosie {
namespace {

class ControlGroupTest : public testing::Test {
 protected:
  ControlGroupTest() {
    std::string pattern = testing::TempDir() + "groups-XXXXXX";
    mount_ = ::mkdtemp(pattern.data());
  }
  ~ControlGroupTest() override { std::filesystem::remove_all(mount_); }

  void write(const std::string& name, const std::string& content) const {
    const std::filesystem::path path = mount_ + "/" + name;
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path) << content << "\n";
  }
  [[nodiscard]] ResourceLimits limits() const { return resource_limits(mount_, mount_ + "/own"); }

  std::string mount_;
  const ResourceLimits none_;
};

TEST_F(ControlGroupTest, WithoutAnyNothingIsLimited) {
  EXPECT_EQ(limits().memory_bytes, none_.memory_bytes);
  EXPECT_EQ(limits().cores, none_.cores);
  write("own", "0::/");
  write("memory.max", "max");
  write("cpu.max", "max 100000");
  EXPECT_EQ(limits().memory_bytes, none_.memory_bytes);
  EXPECT_EQ(limits().cores, none_.cores);
}

TEST_F(ControlGroupTest, OfAContainerIsTheTopmost) {
  write("own", "0::/");
  write("memory.max", "2147483648");
  write("cpu.max", "150000 100000");
  EXPECT_EQ(limits().memory_bytes, std::uint64_t{2} << 30);
  EXPECT_EQ(limits().cores, 2U);
  write("cpu.max", "50000 100000");
  EXPECT_EQ(limits().cores, 1U);
}

TEST_F(ControlGroupTest, OfAJobIsTheLeastOfAllAboveIt) {
  write("own", "1:cpu:/other\n0::/slurm/job_7/step_0");
  write("slurm/job_7/step_0/memory.max", "max");
  write("slurm/job_7/memory.max", "1000000");
  write("slurm/memory.max", "3000000");
  write("slurm/job_7/step_0/cpu.max", "800000 100000");
  write("slurm/cpu.max", "400000 100000");
  EXPECT_EQ(limits().memory_bytes, 1'000'000U);
  EXPECT_EQ(limits().cores, 4U);
}

TEST_F(ControlGroupTest, OfVersion1) {
  write("memory/memory.limit_in_bytes", "5000000");
  write("cpu/cpu.cfs_quota_us", "300000");
  write("cpu/cpu.cfs_period_us", "100000");
  EXPECT_EQ(limits().memory_bytes, 5'000'000U);
  EXPECT_EQ(limits().cores, 3U);
  write("cpu/cpu.cfs_quota_us", "-1");
  EXPECT_EQ(limits().cores, none_.cores);
}

}  // namespace
}  // namespace sosie

#include "io/leftovers.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/file.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <set>

#include "io/file.h"
#include "io/output_file.h"
#include "io/output_tree.h"

namespace sosie {
namespace {

namespace fs = std::filesystem;

class LeftoversTest : public testing::Test {
 protected:
  LeftoversTest() {
    std::string pattern = testing::TempDir() + "leftovers-XXXXXX";
    folder_ = ::mkdtemp(pattern.data());
  }
  ~LeftoversTest() override { fs::remove_all(folder_); }

  void leave(const std::string& name, int minutes) const {
    const std::string path = folder_ + "/" + name;
    if (name.back() == '/') {
      fs::create_directories(path + "in/it");
    } else {
      std::ofstream(path) << "half";
    }
    fs::last_write_time(path, fs::file_time_type::clock::now() - std::chrono::minutes(minutes));
  }
  [[nodiscard]] std::set<std::string> names() const {
    std::set<std::string> names;
    for (const auto& entry : fs::directory_iterator(folder_)) {
      names.insert(entry.path().filename().string());
    }
    return names;
  }

  std::string folder_;
};

TEST_F(LeftoversTest, OfDeadRunsAreRemovedByTheNext) {
  leave(".out.sosie-AbC123", 11);
  leave(".out.sosie-young1", 9);
  leave(".other.sosie-AbC123", 11);
  leave(".out.backup", 11);
  leave(".out.sosie-notours", 11);
  leave("out", 11);
  OutputFile(folder_ + "/out").commit();
  EXPECT_EQ(names(), (std::set<std::string>{".out.sosie-young1", ".other.sosie-AbC123",
                                            ".out.backup", ".out.sosie-notours", "out"}));
}

TEST_F(LeftoversTest, OfOthersAtWorkStay) {
  OutputFile first(folder_ + "/out");
  const std::set<std::string> before = names();
  ASSERT_EQ(before.size(), 1U);
  leave(*before.begin(), 60);
  const OutputFile second(folder_ + "/out");
  EXPECT_EQ(names().size(), 2U);
  first.commit();
  EXPECT_TRUE(names().contains("out"));
}

TEST_F(LeftoversTest, AreFoldersToo) {
  leave(".tree.sosie-AbC123/", 11);
  {
    OutputTree first(folder_ + "/tree", false);
    std::ofstream(first.path_for("a")) << "a";
    const std::set<std::string> before = names();
    ASSERT_EQ(before.size(), 1U);
    leave(*before.begin() + "/", 60);
    const OutputTree second(folder_ + "/tree", false);
    EXPECT_EQ(names().size(), 2U);
    first.commit();
  }
  EXPECT_EQ(names(), std::set<std::string>{"tree"});
}

}  // namespace
}  // namespace sosie

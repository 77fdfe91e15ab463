
#include "io/output_file.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/file.h>

#include <filesystem>
#include <fstream>
#include <set>

#include "io/file.h"
#include "io/output_tree.h"
#include "io/system.h"

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

  // Leaves a file that no process has open, as a killed run does.
  void leave(const std::string& name) const {
    const std::string path = folder_ + "/" + name;
    if (name.back() == '/') {
      fs::create_directories(path + "in/it");
    } else {
      std::ofstream(path) << "half";
    }
  }
  [[nodiscard]] bool is_local() const {
    const Descriptor folder(::open(folder_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    return is_on_local_file_system(folder.number());
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

TEST_F(LeftoversTest, OfDeadRunsAreRemovedByTheNextAtOnce) {
  if (!is_local()) GTEST_SKIP() << "nobody can tell whether the file system is local";
  leave(".out.sosie-AbC123");
  leave(".other.sosie-AbC123");
  leave(".out.backup");
  leave(".out.sosie-notours");
  leave("out");
  OutputFile(folder_ + "/out").commit();
  EXPECT_EQ(names(), (std::set<std::string>{".other.sosie-AbC123", ".out.backup",
                                            ".out.sosie-notours", "out"}));
}

TEST_F(LeftoversTest, OfOthersAtWorkStay) {
  OutputFile first(folder_ + "/out");
  ASSERT_EQ(names().size(), 1U);
  const OutputFile second(folder_ + "/out");
  EXPECT_EQ(names().size(), 2U);
  first.commit();
  EXPECT_TRUE(names().contains("out"));
}

TEST_F(LeftoversTest, OfFinishedOutputsThatWaitForOthersStay) {
  OutputFile first(folder_ + "/out");
  first.write("all");
  first.finish();
  const OutputFile second(folder_ + "/out");
  EXPECT_EQ(names().size(), 2U);
  first.commit();
  EXPECT_TRUE(names().contains("out"));
}

TEST_F(LeftoversTest, AreFoldersToo) {
  if (!is_local()) GTEST_SKIP() << "nobody can tell whether the file system is local";
  leave(".tree.sosie-AbC123/");
  {
    OutputTree first(folder_ + "/tree", false);
    std::ofstream(first.path_for("a")) << "a";
    ASSERT_EQ(names().size(), 1U);
    const OutputTree second(folder_ + "/tree", false);
    EXPECT_EQ(names().size(), 2U);
    first.commit();
  }
  EXPECT_EQ(names(), std::set<std::string>{"tree"});
}

TEST_F(LeftoversTest, ThatAnotherRunHasRemovedAreNotClaimed) {
  std::string path = unfinished_name(folder_, "out");
  const Descriptor made(open_new_file(path.data()));
  EXPECT_TRUE(claim_unfinished(made.number(), path));
  fs::remove(path);
  EXPECT_FALSE(claim_unfinished(made.number(), path));
  leave(fs::path(path).filename().string());
  EXPECT_FALSE(claim_unfinished(made.number(), path));
}

TEST_F(LeftoversTest, ThatAnotherRunIsAboutToRemoveAreNotClaimed) {
  std::string path = unfinished_name(folder_, "out");
  const Descriptor made(open_new_file(path.data()));
  const Descriptor remover(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  ASSERT_EQ(::flock(remover.number(), LOCK_EX | LOCK_NB), 0);
  EXPECT_FALSE(claim_unfinished(made.number(), path));
}

}  // namespace
}  // namespace sosie

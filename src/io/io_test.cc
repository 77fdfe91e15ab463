#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "io/file.h"
#include "io/output_file.h"
#include "io/output_key.h"
#include "sosie/error.h"

namespace sosie {
namespace {

namespace fs = std::filesystem;

class Io : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = (fs::temp_directory_path() / "sosie-io-XXXXXX").string();
    ASSERT_NE(::mkdtemp(name.data()), nullptr);
    folder_ = name;
  }
  void TearDown() override { fs::remove_all(folder_); }

  [[nodiscard]] std::string path(const char* name) const { return (folder_ / name).string(); }
  [[nodiscard]] std::size_t entries() const {
    return static_cast<std::size_t>(
        std::distance(fs::directory_iterator(folder_), fs::directory_iterator{}));
  }
  static std::string content(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  static void put(const std::string& path, std::string_view text) {
    std::ofstream(path, std::ios::binary) << text;
  }

  fs::path folder_;
};

ErrorKind kind_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.kind();
  }
  ADD_FAILURE() << "no error";
  return ErrorKind::cancelled;
}

TEST_F(Io, WhatIsReadFromTheCacheIsWhatTheFileHas) {
  put(path("a"), "0123456789");
  const File file(path("a"));
  file.begin_read(0, 10);
  std::string bytes(4, ' ');
  if (file.read_cached(3, bytes.data(), 4)) {  // it need not be cached
    EXPECT_EQ(bytes, "3456");
  }
  EXPECT_FALSE(file.read_cached(8, bytes.data(), 4));  // beyond the end
  File closed(path("a"));
  closed.close_between_reads();
  closed.begin_read(0, 10);
  EXPECT_FALSE(closed.read_cached(0, bytes.data(), 4));
}

TEST_F(Io, FileReadsByPosition) {
  put(path("a"), "0123456789");
  const File file(path("a"));
  EXPECT_EQ(file.size(), 10U);
  std::string bytes(4, ' ');
  file.read_at(3, bytes.data(), 4);
  EXPECT_EQ(bytes, "3456");
}

TEST_F(Io, FileThatIsMissingOrAFolderIsAnIoError) {
  EXPECT_EQ(kind_of([&] { File{path("none")}; }), ErrorKind::io);
  EXPECT_EQ(kind_of([&] { File{folder_.string()}; }), ErrorKind::io);
}

TEST_F(Io, FileThatBecameShorterIsAnIoError) {
  put(path("a"), "0123456789");
  const File file(path("a"));
  fs::resize_file(path("a"), 5);
  std::string bytes(10, ' ');
  EXPECT_EQ(kind_of([&] { file.read_at(0, bytes.data(), 10); }), ErrorKind::io);
}

TEST_F(Io, SpoolHoldsWhatAPipeGave) {
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  ASSERT_EQ(::write(ends[1], "a\nb\n", 4), 4);
  ::close(ends[1]);
  Scratch folder(folder_.string());
  ScratchFile scratch(folder);
  scratch.append("before");
  const File file = spool(ends[0], "<stdin>", scratch, nullptr);
  ::close(ends[0]);
  EXPECT_EQ(file.size(), 4U);
  std::string bytes(4, ' ');
  file.read_at(0, bytes.data(), 4);
  EXPECT_EQ(bytes, "a\nb\n");
  EXPECT_EQ(entries(), 0U);  // the spool has no name
}

TEST_F(Io, OutputAppearsOnlyWhenComplete) {
  put(path("out"), "old");
  {
    OutputFile out(path("out"));
    out.write("new");
    out.flush();
    EXPECT_EQ(content(path("out")), "old");
    EXPECT_EQ(entries(), 2U);
  }  // not committed
  EXPECT_EQ(content(path("out")), "old");
  EXPECT_EQ(entries(), 1U);
  OutputFile out(path("out"));
  out.write("new");
  out.commit();
  EXPECT_EQ(content(path("out")), "new");
  EXPECT_EQ(entries(), 1U);
}

TEST_F(Io, OutputKeepsTheModeOfTheFileItReplaces) {
  put(path("out"), "old");
  fs::permissions(path("out"), fs::perms{0600});
  OutputFile out(path("out"));
  out.commit();
  EXPECT_EQ(fs::status(path("out")).permissions(), fs::perms{0600});
}

TEST_F(Io, OutputIntoAMissingFolderOrAFullDiskIsAnIoError) {
  EXPECT_EQ(kind_of([&] { OutputFile{path("none/out")}; }), ErrorKind::io);
  EXPECT_EQ(kind_of([&] {
              OutputFile out("/dev/full");
              out.write("x");
              out.commit();
            }),
            ErrorKind::io);
}

TEST_F(Io, OutputLargerThanItsBufferIsWhole) {
  const std::string megabyte(1 << 20, 'x');
  OutputFile out(path("out"));
  for (int i = 0; i < 3; ++i) {
    out.write("ab");
    out.write(megabyte);
  }
  out.commit();
  EXPECT_EQ(fs::file_size(path("out")), 3 * (megabyte.size() + 2));
}

TEST_F(Io, AReplacedFileKeepsItsModeWithoutTheBitsThatGiveItsOwnersRights) {
  put(path("out"), "old");
  ASSERT_EQ(::chmod(path("out").c_str(), 06750), 0);
  OutputFile file(path("out"));
  file.write("new");
  file.commit();
  EXPECT_EQ(fs::status(path("out")).permissions(), static_cast<fs::perms>(0750));
}

TEST_F(Io, LinksInACircleAreNoOutput) {
  fs::create_symlink("b", path("a"));
  fs::create_symlink("a", path("b"));
  EXPECT_THROW(OutputFile(path("a")), Error);
  EXPECT_THROW((void)output_key(path("a")), Error);
}

TEST_F(Io, TwoNamesOfOneOutputHaveOneKey) {
  put(path("there"), "x");
  fs::create_symlink("there", path("soft"));
  fs::create_hard_link(path("there"), path("hard"));
  fs::create_symlink("new", path("coming"));
  EXPECT_EQ(output_key(path("there")), output_key(path("soft")));
  EXPECT_EQ(output_key(path("there")), output_key(path("hard")));
  EXPECT_EQ(output_key(path("there")), file_key(path("there")));
  EXPECT_EQ(output_key(path("coming")), output_key((folder_ / "." / "new").string()));
  EXPECT_NE(output_key(path("coming")), output_key(path("there")));
  EXPECT_EQ(output_key("/dev/null"), "");
  EXPECT_EQ(output_key(""), "");
}

TEST_F(Io, AFileThatIsWrittenToIsNotUnchanged) {
  put(path("in"), "one\n");
  const File file(path("in"));
  EXPECT_NO_THROW(file.require_unchanged());
  put(path("in"), "two\n");
  EXPECT_THROW(file.require_unchanged(), Error);
}

TEST_F(Io, AFileWhoseNameIsTakenAwayIsUnchanged) {
  put(path("in"), "one\n");
  const File file(path("in"));
  fs::rename(path("in"), path("moved"));
  EXPECT_NO_THROW(file.require_unchanged());
  fs::remove(path("moved"));
  EXPECT_NO_THROW(file.require_unchanged());
}

TEST_F(Io, WhatWasMadeOfAFileIsUnchangedWhileThatLiesAtItsPath) {
  put(path("in"), "one\n");
  put(path("other"), "one\n");
  File file(path("other"));
  file.made_of(path("in"), *stamp_of(path("in")));
  EXPECT_NO_THROW(file.require_unchanged());
  fs::rename(path("other"), path("in"));
  EXPECT_THROW(file.require_unchanged(), Error);
}

}  // namespace
}  // namespace sosie

// Tests of the outputs requested from a run, and of paths that must not be outputs.
#include "options/output_options.h"

#include <gtest/gtest.h>

#include <cstdio>

#include "join/own_path_test.h"
#include "sosie/error.h"

namespace sosie {
namespace {

Options asked(std::initializer_list<std::pair<std::string_view, std::string>> outputs) {
  Options options;
  for (const auto& [name, path] : outputs) set_option(options, name, path);
  return options;
}

TEST(OutputOptions, AreAllThatWriteAFile) {
  EXPECT_TRUE(output_options(Options{}).empty());
  Options options;
  std::size_t count = 0;
  for (const std::string_view name : {"output", "removed", "removed-rows", "clusters", "pairs",
                                      "stats", "rejects", "report", "svg", "model", "save"}) {
    set_option(options, name, std::string(name) + ".file");
    EXPECT_EQ(output_options(options).size(), ++count) << name;
    EXPECT_TRUE(output_options(options).back().path.starts_with(name)) << name;
  }
  EXPECT_EQ(output_options(options).back().path, "save.file/");
  forget_outputs(options);
  EXPECT_TRUE(output_options(options).empty());
}

TEST(OutputOptions, AreNoInputsAndOneFileEach) {
  const OwnPath file_of_test("outputs");
  const std::string& path = file_of_test.path;
  const auto refused = [](const std::vector<std::string>& inputs, const Options& options,
                          std::optional<int> result = {}) {
    try {
      check_outputs(inputs, options, result);
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::invalid_option);
      return true;
    }
    return false;
  };
  EXPECT_FALSE(refused({}, asked({{"removed", path}})));
  EXPECT_TRUE(refused({}, asked({{"removed", path}, {"pairs", path}})));
  EXPECT_TRUE(refused({}, asked({{"removed", path}, {"pairs", "/tmp/.." + path}})));
  std::FILE* file = std::fopen(path.c_str(), "w");
  EXPECT_TRUE(refused({path}, asked({{"output", path}})));
  EXPECT_TRUE(refused({path}, {}, ::fileno(file)));
  EXPECT_TRUE(refused({}, asked({{"output", path}}), ::fileno(file)));
  EXPECT_FALSE(refused({}, asked({{"output", path}}), 1));
  std::fclose(file);
}

}  // namespace
}  // namespace sosie

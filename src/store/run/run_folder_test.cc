// Tests of the data that a saved run holds about its rows.
#include "store/run/run_folder.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <string>

#include "options/formats.h"

namespace sosie {
namespace {

TEST(RunFolders, TellNumbersOfRowsBeyond32Bits) {
  const std::string folder =
      (std::filesystem::temp_directory_path() / ("sosie-run-rows-" + std::to_string(::getpid())))
          .string();
  RunFacts facts;
  facts.files.resize(1);
  facts.files.front().path = "/in.jsonl";
  facts.files.front().format = format_by_saved_name("jsonl");
  facts.kind = "text";
  facts.overview = "{}";
  const std::uint64_t numbers[] = {7, (std::uint64_t{1} << 32) - 1, std::uint64_t{1} << 32,
                                   12'345'678'901};
  RunFolderWriter writer(folder, OverwrittenRun::none, nullptr);
  writer.begin_group("first line");
  for (const std::uint64_t number : numbers) {
    RunFolderWriter::Row row;
    row.member.set_row(number);
    row.id = std::to_string(number);
    writer.add(row);
  }
  writer.end_group(1);
  writer.finish(facts);
  writer.commit();
  const RunFolder run(folder);
  const std::vector<RunMember> members = run.read_members(0, 4);
  for (std::size_t i = 0; i < members.size(); ++i) EXPECT_EQ(members[i].row(), numbers[i]);
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace sosie

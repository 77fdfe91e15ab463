#include "corpus/table_file.h"

#include "core/thread_pool.h"
#include "corpus/open_files.h"
#include "read/formats.h"

namespace sosie {
namespace {

File open_table(const std::string& path, Scratch& scratch, const RunHooks& hooks,
                std::uint64_t memory_bytes, std::string& note) {
  // Read by lines, as rows of JSON are: any format of that kind will do to open it.
  const Format* format = format_by_extension(path);
  InputFile input;
  input.path = path;
  input.name = path == "-" ? "<stdin>" : path;
  input.format = format != nullptr && format->columnar ? format : format_by_name("jsonl");
  ThreadPool pool(1, hooks.cancel);
  std::vector<std::string> columns;
  if (input.format->columnar) {
    columns = columnar_names(input, hooks);
    note = columnar_note(input, columns, hooks);
  }
  const OpenRules rules{.memory_bytes = memory_bytes};
  return std::move(open_files({&input, 1}, {&columns, 1}, scratch, pool, hooks, rules).front());
}

}  // namespace

TableFile::TableFile(const std::string& path, Scratch& scratch, const RunHooks& hooks,
                     std::uint64_t memory_bytes)
    : file_(open_table(path, scratch, hooks, memory_bytes, note_)),
      reader_(file_, path, memory_bytes) {}

}  // namespace sosie

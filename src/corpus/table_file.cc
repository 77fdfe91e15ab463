// Opens a file of pairs or clusters in any format that has tables.
#include "corpus/table_file.h"

#include "core/thread_pool.h"
#include "corpus/open_files.h"
#include "options/formats.h"

namespace sosie {
namespace {

// NOLINTNEXTLINE(readability-function-size): takes what the constructor takes.
File open_table(const std::string& path, Scratch& scratch, const RunHooks& hooks,
                const Format& format, std::uint64_t memory_bytes, std::string& note,
                const MemoryFiles& memory_files) {
  if (const auto input = input_in_memory(path, memory_files)) {
    return File::in_memory(input->name, input->memory);
  }
  // Rows are read line by line, like rows of JSON, so any such format can open the file.
  InputFile input;
  input.path = path;
  input.name = path == "-" ? "<stdin>" : path;
  input.format = format.columnar ? &format : format_by_name("jsonl");
  ThreadPool pool(1, hooks.cancel);
  ColumnChoice columns;
  if (input.format->columnar) {
    columns.names = columnar_names(input, hooks);
    note = columnar_note(input, columns.names, hooks);
  }
  const OpenRules rules{.memory_bytes = memory_bytes};
  return std::move(open_files({&input, 1}, {&columns, 1}, scratch, pool, hooks, rules).front());
}

const Format& format_of(const std::string& path, const MemoryFiles& memory_files) {
  if (path == "-") return *format_by_name("tsv");
  const Format* format = format_by_extension(path);
  const bool is_known = format != nullptr && format->has_tables();
  if (!is_known && !input_in_memory(path, memory_files)) (void)File(path);  // is it there?
  return table_format_of(path);
}

}  // namespace

TableFile::TableFile(const std::string& path, Scratch& scratch, const RunHooks& hooks,
                     std::uint64_t memory_bytes, const MemoryFiles& memory_files)
    : file_(open_table(path, scratch, hooks, format_of(path, memory_files), memory_bytes, note_,
                       memory_files)),
      reader_(file_, path, format_of(path, memory_files), memory_bytes) {}

}  // namespace sosie

#include "pipeline/rows/open_files.h"

#include <fcntl.h>

#include <array>
#include <cerrno>
#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>

#include "io/output_file.h"
#include "io/packed_file.h"
#include "read/columnar_rows.h"
#include "sosie/error.h"

namespace sosie {
namespace {

// A process may have some hundred files open; beyond that they are opened for each read.
constexpr std::size_t kMostOpen = 256;

ColumnarFile columnar(const InputFile& input, const RunHooks& hooks) {
  return {table_files(hooks, input.name), *input.format, input.path, input.name};
}

// Each worker fills a scratch file of its own.
class Opener {
 public:
  Opener(std::span<const InputFile> list, Scratch& scratch, ThreadPool& pool, const RunHooks& hooks,
         const std::string& kept_input)
      : list_(list),
        folder_(scratch),
        hooks_(hooks),
        kept_input_(kept_input),
        scratch_(pool.size()),
        shelf_(std::make_shared<PackedShelf>(scratch)) {}

  // `columns`: of a columnar file.
  File open(unsigned worker, const InputFile& input, const std::vector<std::string>& columns) {
    if (input.format->row_ends == RowEnds::cell) return File::in_memory(input.name, 0);
    if (input.format->columnar) {
      return rows_as_json(columnar(input, hooks_), columns, scratch_of(worker), hooks_.cancel);
    }
    if (input.path == "-" && !kept_input_.empty()) return kept(input);
    if (input.path == "-") {
      return spool(hooks_.input_descriptor, input.name, scratch_of(worker), hooks_.cancel);
    }
    File file(input.path);
    if (!file.is_regular()) {
      return spool(file.descriptor(), input.name, scratch_of(worker), hooks_.cancel);
    }
    const Compression compression = compression_of(input, file);
    if (list_.size() > kMostOpen) file.close_between_reads();
    if (compression == Compression::none) return file;
    return File::unpacking(std::move(file), compression, shelf_, hooks_.cancel);
  }

  void tell_progress() {
    if (!hooks_.on_progress) return;
    const std::lock_guard lock(mutex_);
    hooks_.on_progress({"opening", ++done_, list_.size()});
  }

 private:
  // Standard input, from the file that it is put aside in: once and wholly.
  [[nodiscard]] File kept(const InputFile& input) const {
    if (!std::filesystem::exists(kept_input_)) {
      OutputFile file(kept_input_, hooks_.cancel);
      spool_into([&](std::string_view bytes) { file.write(bytes); }, hooks_.input_descriptor,
                 input.name, hooks_.cancel);
      file.commit();
    }
    const int descriptor = ::open(kept_input_.c_str(), O_RDONLY | O_CLOEXEC);
    if (descriptor < 0) {
      throw Error(ErrorKind::io, kept_input_ + ": " + system_message(errno));
    }
    return {descriptor, input.name};
  }

  // Any file may be a document, whatever its name says.
  static Compression compression_of(const InputFile& input, const File& file) {
    if (input.format->row_ends != RowEnds::file) return compression_by_extension(input.path);
    std::array<char, 4> head{};
    const std::size_t size = file.read_some(0, head.data(), head.size());
    return compression_by_magic({head.data(), size});
  }

  ScratchFile& scratch_of(unsigned worker) {
    if (!scratch_[worker]) scratch_[worker] = std::make_unique<ScratchFile>(folder_);
    return *scratch_[worker];
  }

  std::span<const InputFile> list_;
  Scratch& folder_;
  const RunHooks& hooks_;
  const std::string& kept_input_;
  std::vector<std::unique_ptr<ScratchFile>> scratch_;
  std::shared_ptr<PackedShelf> shelf_;
  std::mutex mutex_;
  std::uint64_t done_ = 0;
};

}  // namespace

const TableFiles& table_files(const RunHooks& hooks, const std::string& path) {
  return hooks.table_files != nullptr ? *hooks.table_files : installed_table_files(path);
}

std::vector<std::string> columnar_names(const InputFile& input, const RunHooks& hooks) {
  return column_names(columnar(input, hooks));
}

std::vector<File> open_files(std::span<const InputFile> list,
                             std::span<const std::vector<std::string>> columns, Scratch& scratch,
                             ThreadPool& pool, const RunHooks& hooks,
                             const std::string& kept_input) {
  Opener opener(list, scratch, pool, hooks, kept_input);
  const std::vector<std::string> none;
  std::vector<std::optional<File>> opened(list.size());
  pool.for_each(list.size(), [&](unsigned worker, std::size_t i) {
    opened[i] = opener.open(worker, list[i], columns.empty() ? none : columns[i]);
    opener.tell_progress();
  });
  std::vector<File> files;
  files.reserve(opened.size());
  for (std::optional<File>& file : opened) files.push_back(std::move(*file));
  return files;
}

}  // namespace sosie

#include "pipeline/rows/open_files.h"

#include <fcntl.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>

#include "io/output_file.h"
#include "io/wait.h"
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
         const std::string& kept_input, const TextDecoding& decoding)
      : list_(list),
        folder_(scratch),
        hooks_(hooks),
        kept_input_(kept_input),
        decoding_(decoding),
        scratch_(pool.size()) {}

  // `columns`: of a columnar file.
  File open(unsigned worker, std::size_t number, const std::vector<std::string>& columns) {
    const InputFile& input = list_[number];
    bool has_path = false;
    File file = open_bytes(worker, input, columns, has_path);
    if (decoding_.found != nullptr && has_text(*input.format)) {
      FileEncoding& encoding = (*decoding_.found)[number];
      encoding = encoding_of_file(head_of(file), decoding_.asked);
      if (encoding.codec) return decoded(file, worker);
    }
    if (has_path && list_.size() > kMostOpen) file.close_between_reads();
    return file;
  }

  void tell_progress() {
    if (!hooks_.on_progress) return;
    const std::lock_guard lock(mutex_);
    hooks_.on_progress({"opening", ++done_, list_.size()});
  }

 private:
  // As the file has them, unpacked. `has_path`: it is read where it lies.
  File open_bytes(unsigned worker, const InputFile& input, const std::vector<std::string>& columns,
                  bool& has_path) {
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
    if (compression != Compression::none) {
      return unpacked(file, compression, scratch_of(worker), hooks_.cancel);
    }
    has_path = true;
    return file;
  }

  static bool has_text(const Format& format) noexcept {
    return format.row_ends != RowEnds::cell && !format.columnar && format.read_vectors == nullptr;
  }

  // As much of it as its encoding is told from.
  [[nodiscard]] std::string head_of(const File& file) const {
    constexpr std::size_t kMark = 4;
    const std::size_t most = decoding_.asked == "auto" ? kBytesToDetect : kMark;
    std::string head(std::min<std::uint64_t>(most, file.size()), '\0');
    head.resize(file.read_some(0, head.data(), head.size()));
    return head;
  }

  File decoded(const File& file, unsigned worker) {
    constexpr std::size_t kPiece = std::size_t{256} << 10;
    ScratchFile& scratch = scratch_of(worker);
    const std::uint64_t begin = scratch.size();
    Decoder decoder(decoding_.asked, [&](std::string_view text) { scratch.append(text); });
    std::string piece;
    for (std::uint64_t at = 0; at < file.size(); at += piece.size()) {
      throw_if_cancelled(hooks_.cancel);
      piece.resize(std::min<std::uint64_t>(kPiece, file.size() - at));
      file.read_at(at, piece.data(), piece.size());
      decoder.add(piece);
    }
    decoder.finish();
    return scratch.section(begin, file.name());
  }

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
  const TextDecoding& decoding_;
  std::vector<std::unique_ptr<ScratchFile>> scratch_;
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
                             ThreadPool& pool, const RunHooks& hooks, const std::string& kept_input,
                             const TextDecoding& decoding) {
  if (decoding.found != nullptr) decoding.found->resize(list.size());
  Opener opener(list, scratch, pool, hooks, kept_input, decoding);
  const std::vector<std::string> none;
  std::vector<std::optional<File>> opened(list.size());
  pool.for_each(list.size(), [&](unsigned worker, std::size_t i) {
    opened[i] = opener.open(worker, i, columns.empty() ? none : columns[i]);
    opener.tell_progress();
  });
  std::vector<File> files;
  files.reserve(opened.size());
  for (std::optional<File>& file : opened) files.push_back(std::move(*file));
  return files;
}

}  // namespace sosie

// Opens all inputs with several threads: decompresses, decodes, spools pipes, reads headers.
#include "corpus/open_files.h"

#include <fcntl.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>

#include "corpus/foreign_content.h"
#include "io/file.h"
#include "io/foreign_format.h"
#include "io/output_file.h"
#include "io/packed_file.h"
#include "io/zstd_decoder.h"
#include "read/columnar_file.h"
#include "sosie/error.h"

namespace sosie {
namespace {

// Maximum number of files kept open; a process may open a few hundred. Further files are opened for
// each read.
constexpr std::size_t kMostOpen = 256;

ColumnarFile columnar(const InputFile& input, const RunHooks& hooks) {
  return {table_files(hooks, input.name), *input.format, input.path, input.name};
}

// Each worker fills its own scratch file.
class Opener {
 public:
  Opener(std::span<const InputFile> list, Scratch& scratch, ThreadPool& pool, const RunHooks& hooks,
         const OpenRules& rules)
      : takes_damaged_(rules.damaged != nullptr),
        list_(list),
        folder_(scratch),
        hooks_(hooks),
        kept_input_(rules.kept_input),
        encodings_(rules.encodings),
        window_limit_{rules.memory_bytes, streams_of(list, pool)},
        scratch_(pool.size()),
        shelf_(std::make_shared<PackedShelf>(scratch, window_limit_, pool.size())) {}

  // `columns`: for a columnar file. `damage`: set if the file can be read only in part.
  File open(unsigned worker, std::size_t number, const ColumnChoice& columns, std::string& damage) {
    const InputFile& input = list_[number];
    bool has_path = false;
    File file = open_bytes(worker, input, columns, damage, has_path);
    if (has_text(*input.format) && !input.memory && !input.format->is_document()) {
      refuse_foreign_format(head_of(file, kBytesOfContent), input.name);
    }
    if (input.format->row_ends == RowEnds::record) {
      refuse_encoding(input, file);
    } else if (encodings_ != nullptr && has_text(*input.format) && !input.memory) {
      FileEncoding& encoding = (*encodings_)[number];
      constexpr std::size_t kMark = 4;
      const std::size_t most = input.told.encoding == "auto" ? kBytesToDetect : kMark;
      encoding = encoding_of_file(head_of(file, most), input.told.encoding);
      const auto stamp = has_path ? file.stamp() : std::nullopt;
      if (encoding.codec) file = decoded(file, input.told.encoding, worker);
      encoding.has_returns = ends_lines_with_returns(file, *input.format);
      if (encoding.has_returns) file = with_line_feeds(file, worker);
      refuse_foreign_content(input, head_of(file, kBytesOfContent));
      if (stamp && !encoding.is_usual()) file.made_of(input.path, *stamp);
      if (!encoding.is_usual()) return file;
    }
    if (has_path && list_.size() > kMostOpen) file.close_between_reads();
    return file;
  }

  // Compressed files that fit in the memory reserved for them are kept in decompressed form; of
  // others, only the rows that are read again are kept.
  void choose_what_is_kept(std::span<const std::optional<File>> files, ThreadPool& pool) const {
    std::atomic<std::uint64_t> bytes = 0;
    pool.for_each(files.size(), [&](unsigned, std::size_t i) {
      if (files[i]->packed() != nullptr) bytes += files[i]->likely_size();
    });
    if (bytes <= shelf_->store().memory_bytes()) return;
    for (const std::optional<File>& file : files) {
      if (file->packed() != nullptr) file->packed()->keep_chosen();
    }
  }

  void tell_progress() {
    if (!hooks_.on_progress) return;
    const std::lock_guard lock(mutex_);
    hooks_.on_progress({"opening", ++done_, list_.size()});
  }

 private:
  // Each file is decompressed by only one worker at a time.
  static unsigned streams_of(std::span<const InputFile> list, const ThreadPool& pool) noexcept {
    return static_cast<unsigned>(std::clamp<std::size_t>(list.size(), 1, pool.size()));
  }

  // Opens the decompressed bytes of a file. `has_path`: the file is read in place.
  File open_bytes(unsigned worker, const InputFile& input, const ColumnChoice& columns,
                  std::string& damage, bool& has_path) {
    if (input.format->row_ends == RowEnds::cell) return File::in_memory(input.name, 0);
    if (input.memory) return File::in_memory(input.name, input.memory);
    if (input.format->columnar) {
      const auto stamp = stamp_of(input.path);
      File rows = rows_as_json(columnar(input, hooks_), columns, scratch_of(worker), hooks_.cancel);
      if (stamp) rows.made_of(input.path, *stamp);  // kept rows are copied from there
      return rows;
    }
    if (input.path == "-" && !kept_input_.empty()) return kept(input);
    if (input.path == "-") {
      return unpack(worker, input, damage, [&](ScratchFile& scratch) {
        return spool(hooks_.input_descriptor, input.name, scratch, hooks_.cancel, window_limit_);
      });
    }
    return open_file(worker, input, damage, has_path);
  }

  static bool has_text(const Format& format) noexcept {
    return format.row_ends != RowEnds::cell && !format.columnar && format.read_vectors == nullptr;
  }

  // Record headers give lengths in bytes of the file, which decoding would change.
  static void refuse_encoding(const InputFile& input, const File& file) {
    const std::string& asked = input.told.encoding;
    if (!encoding_of_file(head_of(file, kBytesToDetect), asked == "auto" ? "" : asked).codec)
      return;
    throw Error(ErrorKind::unsupported, BadPlace{input.name},
                fmt::format("format {} is always read as UTF-8", input.format->name));
  }

  // The first bytes of a file, up to `most`.
  [[nodiscard]] static std::string head_of(const File& file, std::size_t most) {
    std::string head(std::min<std::uint64_t>(most, file.known_size()), '\0');
    head.resize(file.read_some(0, head.data(), head.size()));
    return head;
  }

  File decoded(const File& file, const std::string& encoding, unsigned worker) {
    constexpr std::size_t kPiece = std::size_t{256} << 10;
    if (PackedFile* packed = file.packed()) packed->keep_nothing();
    ScratchFile& scratch = scratch_of(worker);
    const std::uint64_t begin = scratch.size();
    Decoder decoder(encoding, [&](std::string_view text) { scratch.append(text); });
    std::string piece;
    for (std::uint64_t at = 0;; at += piece.size()) {
      throw_if_cancelled(hooks_.cancel);
      piece.resize(std::min<std::uint64_t>(kPiece, file.known_size() - at));
      piece.resize(file.read_some(at, piece.data(), piece.size()));
      if (piece.empty()) break;
      decoder.add(piece);
    }
    decoder.finish();
    return scratch.section(begin, file.name());
  }

  // Reads no further than the file's end, because part of scratch may continue after it.
  static std::size_t read_piece(const File& file, std::uint64_t at, std::string& piece) {
    piece.resize(std::min<std::uint64_t>(kBytesToDetect, file.known_size() - at));
    return file.read_some(at, piece.data(), piece.size());
  }

  // True if a file of lines has carriage returns but no line feed. Throws Error{malformed_input}
  // for a file of rows with fields whose first 64 KiB look like this but which continues with line
  // feeds.
  [[nodiscard]] bool ends_lines_with_returns(const File& file, const Format& format) const {
    if (format.row_ends != RowEnds::line && format.row_ends != RowEnds::quoted_line) return false;
    constexpr std::size_t kLineBytes = std::size_t{4} << 10;  // most first lines end before
    std::string piece(std::min<std::uint64_t>(kLineBytes, file.known_size()), '\0');
    piece.resize(file.read_some(0, piece.data(), piece.size()));
    if (piece.find('\n') != std::string::npos) return false;
    for (std::uint64_t at = 0;; at += piece.size()) {
      piece.resize(read_piece(file, at, piece));
      if (at == 0 && piece.find('\r') == std::string::npos) return false;
      const std::size_t line_feed = piece.find('\n');
      if (line_feed == std::string::npos && !piece.empty()) {
        throw_if_cancelled(hooks_.cancel);
        continue;
      }
      if (line_feed == std::string::npos || at == 0 || !format.has_fields) return piece.empty();
      throw Error(
          ErrorKind::malformed_input, BadPlace{file.name()},
          fmt::format("lines end with carriage returns before byte {}, with line feeds after it",
                      at + line_feed + 1),
          "tr '\\r' '\\n' < FILE > LINES turns both into line breaks");
    }
  }

  File with_line_feeds(const File& file, unsigned worker) {
    if (PackedFile* packed = file.packed()) packed->keep_nothing();
    ScratchFile& scratch = scratch_of(worker);
    const std::uint64_t begin = scratch.size();
    std::string piece(kBytesToDetect, '\0');
    for (std::uint64_t at = 0;; at += piece.size()) {
      throw_if_cancelled(hooks_.cancel);
      piece.resize(read_piece(file, at, piece));
      if (piece.empty()) return scratch.section(begin, file.name());
      std::replace(piece.begin(), piece.end(), '\r', '\n');
      scratch.append(piece);
    }
  }

  [[nodiscard]] File open_file(unsigned worker, const InputFile& input, std::string& damage,
                               bool& has_path) {
    File file(input.path);
    if (!file.is_regular()) {
      return spool(file.descriptor(), input.name, scratch_of(worker), hooks_.cancel, window_limit_);
    }
    const auto stamp = file.stamp();
    const Compression compression = compression_of(input, file);
    if (compression == Compression::none) {
      has_path = true;
    } else if (is_damaged(file, compression)) {
      file = unpack(worker, input, damage, [&](ScratchFile& scratch) {
        return unpacked(file, compression, scratch, hooks_.cancel, window_limit_);
      });
    } else if (needs_all_memory(file)) {
      const std::lock_guard lock(large_windows_);
      return unpacked(file, compression, scratch_of(worker), hooks_.cancel,
                      {window_limit_.memory_bytes, 1});
    } else {
      if (list_.size() > kMostOpen) file.close_between_reads();
      file = File::unpacking(std::move(file), compression, shelf_, hooks_.cancel);
    }
    // Kept documents are copied from their path.
    if (input.format->is_document()) file.made_of(input.path, *stamp);
    return file;
  }

  // True if the window of a zstd file is too large for all workers at once: such files are
  // decompressed into scratch, one after another.
  [[nodiscard]] bool needs_all_memory(const File& file) const {
    std::array<char, kMostZstdHeadBytes> head{};
    const std::size_t size = file.read_some(0, head.data(), head.size());
    return zstd_window_bytes({head.data(), size}).value_or(0) > window_limit_.bytes();
  }

  // True if decompression ends with an error; only runs that can do without the rest check this in
  // advance.
  [[nodiscard]] bool is_damaged(const File& file, Compression compression) const {
    if (!takes_damaged_) return false;
    std::uint64_t at = 0;
    const auto source = [&](char* out, std::size_t size) {
      const std::size_t count = file.read_some(at, out, size);
      at += count;
      return count;
    };
    const auto check = [&](std::string_view) { throw_if_cancelled(hooks_.cancel); };
    try {
      sosie::unpack(compression, source, file.name(), check, window_limit_);
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::malformed_input) throw;
      return true;
    }
    return false;
  }

  template <class Unpack>
  File unpack(unsigned worker, const InputFile& input, std::string& damage, const Unpack& unpack) {
    ScratchFile& scratch = scratch_of(worker);
    const std::uint64_t begin = scratch.size();
    try {
      return unpack(scratch);
    } catch (const Error& error) {
      if (!takes_damaged_ || error.kind() != ErrorKind::malformed_input) throw;
      damage = error.what();
    }
    // "x.gz: truncated gzip"
    if (damage.starts_with(input.name + ": ")) damage.erase(0, input.name.size() + 2);
    const File file = scratch.section(begin, input.name);
    return scratch.section(begin, input.name, end_of_whole_lines(file));
  }

  static std::uint64_t end_of_whole_lines(const File& file) {
    std::string bytes(std::size_t{1} << 16, '\0');
    for (std::uint64_t end = file.size(); end > 0;) {
      const std::uint64_t begin = end - std::min<std::uint64_t>(end, bytes.size());
      bytes.resize(static_cast<std::size_t>(end - begin));
      file.read_at(begin, bytes.data(), bytes.size());
      const std::size_t last = bytes.rfind('\n');
      if (last != std::string::npos) return begin + last + 1;
      end = begin;
    }
    return 0;
  }

  // The saved copy of standard input, which was written once and completely.
  [[nodiscard]] File kept(const InputFile& input) const {
    const bool is_there = std::filesystem::exists(kept_input_);
    if (!is_there) {
      OutputFile file(kept_input_, hooks_.cancel);
      spool_into([&](std::string_view bytes) { file.write(bytes); }, hooks_.input_descriptor,
                 input.name, hooks_.cancel, window_limit_);
      file.commit();
    }
    const int descriptor = ::open(kept_input_.c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
    if (descriptor < 0) {
      throw Error(ErrorKind::io, kept_input_ + ": " + system_message(errno));
    }
    File file(descriptor, input.name);
    if (is_there && gives_input(hooks_.input_descriptor)) require_same(file);
    return file;
  }

  // False for a terminal and for a closed descriptor.
  static bool gives_input(int descriptor) noexcept {
    const int flags = ::fcntl(descriptor, F_GETFL);
    return flags != -1 && (flags & O_ACCMODE) != O_WRONLY && ::isatty(descriptor) == 0;
  }

  // Throws unless standard input is empty, as it need not be supplied again, or equals the saved
  // bytes.
  void require_same(const File& kept) const {
    const auto refuse = [&](const std::string& how) {
      throw Error(ErrorKind::malformed_input, BadPlace{kept.name()},
                  fmt::format("is not the input that {} was made from: {}",
                              std::filesystem::path(kept_input_).parent_path().string(), how),
                  "each input needs its own --checkpoint folder; to resume without reading "
                  "standard input again, add </dev/null");
    };
    std::uint64_t at = 0;
    std::string known;
    const auto compare = [&](std::string_view bytes) {
      known.resize(bytes.size());
      known.resize(kept.read_some(at, known.data(), known.size()));
      if (known != bytes) {
        const auto differs = std::mismatch(known.begin(), known.end(), bytes.begin());
        at += static_cast<std::uint64_t>(differs.first - known.begin());
        refuse(at == kept.size() ? fmt::format("more than {} bytes", at)
                                 : fmt::format("byte {} differs", at + 1));
      }
      at += bytes.size();
    };
    spool_into(compare, hooks_.input_descriptor, kept.name(), hooks_.cancel, window_limit_);
    if (at > 0 && at < kept.size()) {
      refuse(fmt::format("{} bytes, not {}", at, kept.size()));
    }
  }

  // Any file may be a document regardless of its name.
  static Compression compression_of(const InputFile& input, const File& file) {
    return packing_of(file, input.format->row_ends == RowEnds::file ? "" : input.path);
  }

  ScratchFile& scratch_of(unsigned worker) {
    if (!scratch_[worker]) scratch_[worker] = std::make_unique<ScratchFile>(folder_);
    return *scratch_[worker];
  }

  const bool takes_damaged_;
  std::span<const InputFile> list_;
  Scratch& folder_;
  const RunHooks& hooks_;
  const std::string& kept_input_;
  std::vector<FileEncoding>* encodings_;
  const WindowLimit window_limit_;
  std::vector<std::unique_ptr<ScratchFile>> scratch_;
  std::shared_ptr<PackedShelf> shelf_;
  std::mutex large_windows_;
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

std::string columnar_note(const InputFile& input, const std::vector<std::string>& columns,
                          const RunHooks& hooks) {
  return note_of(columnar(input, hooks), columns);
}

std::string input_kept_in(const std::string& checkpoint) { return checkpoint + "/input"; }

std::vector<File> open_files(std::span<const InputFile> list, std::span<const ColumnChoice> columns,
                             Scratch& scratch, ThreadPool& pool, const RunHooks& hooks,
                             const OpenRules& rules) {
  if (rules.encodings != nullptr) rules.encodings->resize(list.size());
  Opener opener(list, scratch, pool, hooks, rules);
  std::vector<std::string> damages(list.size());
  const ColumnChoice none;
  std::vector<std::optional<File>> opened(list.size());
  pool.for_each(list.size(), [&](unsigned worker, std::size_t i) {
    opened[i] = opener.open(worker, i, columns.empty() ? none : columns[i], damages[i]);
    opener.tell_progress();
  });
  opener.choose_what_is_kept(opened, pool);
  std::vector<File> files;
  files.reserve(opened.size());
  for (std::optional<File>& file : opened) files.push_back(std::move(*file));
  for (std::uint32_t i = 0; i < list.size(); ++i) {
    if (damages[i].empty()) continue;
    rules.damaged->push_back({i, false, list[i].name, std::move(damages[i])});
  }
  return files;
}

}  // namespace sosie

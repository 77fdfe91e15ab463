// Copies kept rows from the inputs to the output, byte for byte, alone or as a tree.
#include "report/kept_rows.h"

#include <algorithm>
#include <numeric>
#include <span>
#include <string_view>

#include "core/read_buffer.h"
#include "core/utf8.h"
#include "corpus/byte_progress.h"
#include "corpus/rows/grouped_rows.h"
#include "report/kept_tables.h"
#include "sosie/error.h"

namespace sosie {
namespace {

// The kept rows of a block, in batches that can be read at once.
class KeptBatches {
 public:
  void clear() noexcept { count_ = 0; }
  void add(const RowLocator& row) {
    if (count_ == 0 || !batches_[count_ - 1].rows.takes(row)) {
      if (count_ == batches_.size()) batches_.emplace_back();
      batches_[count_++].rows.clear();
    }
    batches_[count_ - 1].rows.add(row);
  }

  // Reads all rows except large ones; otherwise, each worker might hold a large row in memory.
  void read(const Inputs& inputs) {
    for (Batch& batch : all()) {
      if (!batch.rows.is_large()) batch.rows.read(inputs.files[batch.rows.file()], batch.bytes);
    }
  }
  // Calls write(bytes, file) for each batch, in order.
  template <typename Write>
  void write_to(const Inputs& inputs, const Write& write) {
    for (Batch& batch : all()) {
      if (batch.rows.is_large()) batch.rows.read(inputs.files[batch.rows.file()], batch.bytes);
      write(batch.bytes, batch.rows.file());
      if (batch.rows.is_large()) std::string().swap(batch.bytes);
    }
  }

 private:
  struct Batch {
    RowBatch rows = {};
    std::string bytes = {};
  };
  [[nodiscard]] std::span<Batch> all() { return std::span(batches_).first(count_); }

  std::vector<Batch> batches_;  // the first count_ are in use
  std::size_t count_ = 0;
};

// Calls add(row, number) for the kept rows of a block.
using ListKept = std::function<void(
    std::size_t block, const std::function<void(const RowLocator& row, RowNumber number)>& add)>;

// Copies kept rows, either in whole blocks or row by row; in the latter case, several rows are
// collected and read together.
class RowCopier {
 public:
  RowCopier(const KeptSource& source, const EditRow& edit, OutputFile& out)
      : source_(source), inputs_(source.inputs), edit_(edit), out_(out) {}

  // Lines above a header, which are copied unchanged.
  void add_titles(const RowLocator& lines) {
    finish();
    next_.resize(lines.length);
    inputs_.files[lines.file].read_at(lines.offset, next_.data(), lines.length);
    write(next_, lines.file);
  }

  // `number`: kNoRowNumber for a header.
  void add(const RowLocator& row, RowNumber number) {
    if (edit_) {
      add_edited(row, number);
      return;
    }
    if (!batch_.takes(row) || is_member(row.file)) finish();
    batch_.add(row);
  }

  // Adds blocks of rows; several are read while earlier ones are written.
  void add_blocks(std::span<const std::size_t> blocks, const ListKept& list) {
    if (edit_ || blocks.size() <= 1 || !out_.takes_workers()) {
      for (const std::size_t block : blocks) {
        source_.pool.check_cancelled();
        list(block, [this](const RowLocator& row, RowNumber number) { add(row, number); });
      }
      return;
    }
    finish();
    std::vector<KeptBatches> kept(source_.pool.size());
    // A compressed file is decompressed from beginning to end.
    const auto is_packed = [&](std::size_t i) {
      return inputs_.files[source_.corpus.ranges[blocks[i]].file].packed() != nullptr;
    };
    ThreadPool::Steps steps;
    steps.begin = [&](unsigned worker, std::size_t i) {
      kept[worker].clear();
      list(blocks[i], [&](const RowLocator& row, RowNumber /*number*/) { kept[worker].add(row); });
      if (is_packed(i)) kept[worker].read(inputs_);
    };
    steps.middle = [&](unsigned worker, std::size_t i) {
      if (!is_packed(i)) kept[worker].read(inputs_);
    };
    steps.end = [&](unsigned worker, std::size_t /*i*/) {
      kept[worker].write_to(
          inputs_, [this](std::string_view rows, std::uint32_t file) { write(rows, file); });
    };
    source_.pool.for_each_in_turn(blocks.size(), steps);
  }

  // Writes the collected rows.
  void finish() {
    if (batch_.empty()) return;
    batch_.read(inputs_.files[batch_.file()], next_);
    write(next_, batch_.file());
    batch_.clear();
  }

 private:
  // Rows of a single file.
  void write(std::string_view rows, std::uint32_t file) {
    if (rows.empty()) return;
    const FileEncoding& encoding = inputs_.encoding_of(file);
    if (!has_written_) write_mark(rows, encoding, file);
    has_written_ = true;
    if (missing_newline_) put("\n", encoding, file);
    put(rows, encoding, file);
    missing_newline_ = has_lines(file) && rows.back() != '\n';
  }

  // Writes the byte order mark that the file had. A reader skips only one mark, so if the first row
  // begins with another one, the file's mark must be written as well. JSON rows do not need it.
  void write_mark(std::string_view rows, const FileEncoding& encoding, std::uint32_t file) {
    const Format& format = *inputs_.list[file].format;
    const bool is_json = format.has_fields && !format.has_columns();
    const bool has_own = rows.starts_with(kByteOrderMark) && has_lines(file) && !is_json;
    const bool needs_one = has_own && !encoding.codec && encoding.mark.empty();
    out_.write(needs_one ? kByteOrderMark : std::string_view(encoding.mark));
  }

  // Writes text in the encoding of the rows.
  void put(std::string_view text, const FileEncoding& encoding, std::uint32_t file) {
    if (encoding.has_returns) {
      lines_ = text;
      std::replace(lines_.begin(), lines_.end(), '\n', '\r');
      text = lines_;
    }
    if (!encoding.codec) {
      is_member(file) ? out_.write_member(text) : out_.write(text);
      return;
    }
    encoded_.clear();
    if (!encoding.codec->encode(text, encoded_)) {
      throw Error(ErrorKind::unsupported,
                  inputs_.list[file].name + ": an added field contains a character that " +
                      encoding.name + " lacks",
                  "--annotate kept leaves rows in their encoding: convert the input to UTF-8");
    }
    out_.write(encoded_);
  }

  [[nodiscard]] bool has_lines(std::uint32_t file) const noexcept {
    const Format& format = *inputs_.list[file].format;
    return format.read_vectors == nullptr && format.row_ends != RowEnds::record;
  }

  // Programs that read crawls look records up by the offset of their gzip member.
  [[nodiscard]] bool is_member(std::uint32_t file) const noexcept {
    return out_.has_members() && inputs_.list[file].format->row_ends == RowEnds::record;
  }

  void add_edited(const RowLocator& row, RowNumber number) {
    next_.resize(row.length);
    inputs_.files[row.file].read_at(row.offset, next_.data(), row.length);
    edit_(row, number, next_);
    write(next_, row.file);
  }

  const KeptSource& source_;
  const Inputs& inputs_;
  const EditRow& edit_;
  OutputFile& out_;
  RowBatch batch_;
  std::string next_;
  std::string lines_;
  std::string encoded_;
  bool has_written_ = false;
  bool missing_newline_ = false;
};

// Adds the first header in these files, preceded by the lines above it.
void add_first_header(const Inputs& inputs, std::uint32_t begin, std::uint32_t end,
                      RowCopier& copier) {
  for (std::uint32_t i = begin; i < end; ++i) {
    const FileHeader& header = inputs.headers[i];
    if (header.length == 0 && header.titles_length == 0) continue;
    if (header.titles_length > 0) copier.add_titles({header.titles_begin, header.titles_length, i});
    if (header.length > 0) copier.add({header.offset, header.length, i}, kNoRowNumber);
    return;
  }
}

// For the kept rows of the files begin .. end - 1, writes the header of vector files, if they have
// one.
void add_vector_header(const KeptSource& source, std::uint32_t begin, std::uint32_t end,
                       const KeepRow& keep, OutputFile& out) {
  const Inputs& inputs = source.inputs;
  if (begin == end || inputs.list[begin].format->vector_header == nullptr) return;
  std::uint64_t rows = 0;
  for (std::size_t block = 0; block < source.corpus.ranges.size(); ++block) {
    const std::uint32_t file = source.corpus.ranges[block].file;
    if (file < begin || file >= end) continue;
    source.corpus.for_each_row(block, [&](RowNumber row, const RowLocator&, RowState state) {
      rows += state != RowState::skipped && keep(row) ? 1U : 0U;
    });
  }
  out.write(inputs.list[begin].format->vector_header(inputs.files[begin], rows));
}

// Layout of a vector file; by_columns is 0 if it is stored by rows.
VectorRows columns_of(const Inputs& inputs, std::uint32_t file) {
  const Format& format = *inputs.list[file].format;
  return format.vector_rows == nullptr ? VectorRows{} : format.vector_rows(inputs.files[file]);
}

// The kept rows of a file, as row numbers within it.
std::vector<std::uint32_t> kept_of_file(const KeptSource& source, std::uint32_t file,
                                        const KeepRow& keep) {
  std::vector<std::uint32_t> kept;
  std::uint32_t number = 0;
  for (std::size_t block = 0; block < source.corpus.ranges.size(); ++block) {
    if (source.corpus.ranges[block].file != file) continue;
    source.corpus.for_each_row(block, [&](RowNumber row, const RowLocator&, RowState state) {
      if (state != RowState::skipped && keep(row)) kept.push_back(number);
      ++number;
    });
  }
  return kept;
}

// Writes the kept rows of the files begin .. end - 1, whose values are stored by columns, in the
// same layout.
void add_kept_columns(const KeptSource& source, const KeepRow& keep, std::uint32_t begin,
                      std::uint32_t end, OutputFile& out) {
  const Inputs& inputs = source.inputs;
  std::vector<VectorRows> lie;
  std::vector<std::vector<std::uint32_t>> kept;
  for (std::uint32_t i = begin; i < end; ++i) {
    lie.push_back(columns_of(inputs, i));
    kept.push_back(kept_of_file(source, i, keep));
  }
  const std::uint64_t size = lie.front().by_columns;
  std::string column;
  std::string chosen;
  for (std::uint64_t at = 0; at < lie.front().row_bytes; at += size) {
    source.pool.check_cancelled();
    for (std::uint32_t i = begin; i < end; ++i) {
      const VectorRows& own = lie[i - begin];
      const std::uint64_t rows = (inputs.files[i].size() - own.begin) / own.row_bytes;
      column.resize(rows * size);
      inputs.files[i].read_at(own.begin + at * rows, column.data(), column.size());
      chosen.clear();
      for (const std::uint32_t row : kept[i - begin]) chosen.append(column, row * size, size);
      out.write(chosen);
    }
  }
}

// The blocks of the run by file, and their kept rows.
class KeptBlocks {
 public:
  KeptBlocks(const KeptSource& source, const KeepRow& keep)
      : corpus_(source.corpus),
        keep_(keep),
        progress_(source.hooks, "writing", source.corpus.rows),
        blocks_(corpus_.facts.size()) {
    std::iota(blocks_.begin(), blocks_.end(), std::size_t{0});
  }

  [[nodiscard]] std::span<const std::size_t> all() const { return blocks_; }
  // Files are read in order, so the blocks of a file are adjacent.
  [[nodiscard]] std::span<const std::size_t> of_file(std::uint32_t file) const {
    const auto begin = std::partition_point(blocks_.begin(), blocks_.end(), [&](std::size_t block) {
      return corpus_.ranges[block].file < file;
    });
    const auto end = std::partition_point(begin, blocks_.end(), [&](std::size_t block) {
      return corpus_.ranges[block].file == file;
    });
    return {begin, end};
  }

  void add_kept(std::span<const std::size_t> blocks, RowCopier& copier) {
    copier.add_blocks(blocks, [this](std::size_t block, const auto& add) { list(block, add); });
  }
  [[nodiscard]] bool keeps_any(std::span<const std::size_t> blocks) {
    bool any = false;
    for (const std::size_t block : blocks) {
      list(block, [&](const RowLocator& /*row*/, RowNumber /*number*/) { any = true; });
    }
    return any;
  }

 private:
  void list(std::size_t block,
            const std::function<void(const RowLocator& row, RowNumber number)>& add) {
    corpus_.for_each_row(block, [&](RowNumber row, const RowLocator& place, RowState state) {
      if (state != RowState::skipped && keep_(row)) add(place, row);
    });
    progress_.add(corpus_.facts[block].rows);
  }

  const Corpus& corpus_;
  const KeepRow& keep_;
  ByteProgress progress_;  // in rows
  std::vector<std::size_t> blocks_;
};

// Copies the file of a document unchanged, even if it is compressed, instead of the text read from
// it.
void copy_document(const InputFile& input, const std::string& path) {
  const File file(input.path);
  // The file is already compressed; a name that ends in .gz must not cause it to be compressed
  // again.
  OutputFile out(path, OutputFile::Durability::left_to_caller, Compression::none);
  ReadBuffer buffer(std::size_t{1} << 18);
  for (std::uint64_t at = 0; at < file.size();) {
    const std::size_t size = std::min<std::uint64_t>(buffer.size(), file.size() - at);
    file.read_at(at, buffer.data(), size);
    out.write({buffer.data(), size});
    at += size;
  }
  out.commit();
}

// Adds the rows of a file whose sets are kept; each row has the number of its set.
void add_kept_members(const KeptSource& source, std::uint32_t file, const KeepRow& keep,
                      RowCopier& copier) {
  constexpr std::uint64_t kRowsPerCheck = 1 << 16;
  const GroupedRows& grouped = *source.inputs.grouped;
  ColumnReader<GroupedRows::Member> members(grouped.members);
  for (std::uint64_t i = file == 0 ? 0 : grouped.ends[file - 1]; i < grouped.ends[file]; ++i) {
    if (i % kRowsPerCheck == 0) source.pool.check_cancelled();
    const GroupedRows::Member& row = members[i];
    const RowNumber set = source.corpus.first_own_row + row.set;
    if (keep(set)) copier.add({row.offset, row.length, file}, set);
  }
}

}  // namespace

void write_kept_rows(const KeptSource& source, const KeepRow& keep, const RowEdits& edits,
                     OutputFile& out) {
  const Inputs& inputs = source.inputs;
  const auto files = static_cast<std::uint32_t>(inputs.list.size());
  if (inputs.first_own_file < files && inputs.list[inputs.first_own_file].format->columnar) {
    write_kept_table(source, keep, edits.fields, inputs.first_own_file, files, out);
    return;
  }
  RowCopier copier(source, edits.bytes, out);
  add_first_header(inputs, inputs.first_own_file, files, copier);
  add_vector_header(source, inputs.first_own_file, files, keep, out);
  if (inputs.first_own_file < files && columns_of(inputs, inputs.first_own_file).by_columns > 0) {
    add_kept_columns(source, keep, inputs.first_own_file, files, out);
    return;
  }
  KeptBlocks blocks(source, keep);
  blocks.add_kept(blocks.all(), copier);
  copier.finish();
}

void write_kept_groups(const KeptSource& source, const KeepRow& keep, const EditRow& edit,
                       OutputFile& out) {
  const Inputs& files = source.inputs.grouped->files;
  const auto end = static_cast<std::uint32_t>(files.list.size());
  const KeptSource rows{files, source.corpus, source.pool, source.hooks};
  RowCopier copier(rows, edit, out);
  add_first_header(files, files.first_own_file, end, copier);
  for (std::uint32_t file = files.first_own_file; file < end; ++file) {
    add_kept_members(source, file, keep, copier);
  }
  copier.finish();
}

void write_kept_groups_tree(const KeptSource& source, const KeepRow& keep, const EditRow& edit,
                            const RowsOutput& out) {
  const Inputs& files = source.inputs.grouped->files;
  const KeptSource rows{files, source.corpus, source.pool, source.hooks};
  for (std::uint32_t i = files.first_own_file; i < files.list.size(); ++i) {
    OutputFile file(out.path_of(i - files.first_own_file), OutputFile::Durability::left_to_caller);
    file.pack_with(source.pool);
    RowCopier copier(rows, edit, file);
    add_first_header(files, i, i + 1, copier);
    add_kept_members(source, i, keep, copier);
    copier.finish();
    file.commit();
  }
}

namespace {

// Writes the files of an output folder: small ones several at a time, large ones with all workers.
class TreeWriter {
 public:
  TreeWriter(const KeptSource& source, const KeepRow& keep, const RowEdits& edits,
             const RowsOutput& out)
      : source_(source), keep_(keep), edits_(edits), out_(out), blocks_(source, keep) {}

  void write() {
    const Inputs& inputs = source_.inputs;
    const auto files = static_cast<std::uint32_t>(inputs.list.size());
    for (std::uint32_t next = inputs.first_own_file; next < files;) {
      if (!is_small(next)) {
        if (is_written(next)) write_file(next, path_of(next), &source_.pool);
        ++next;
        continue;
      }
      std::vector<std::pair<std::uint32_t, std::string>> small;  // folders are created one by one
      for (; next < files && small.size() < kMostAtOnce && is_small(next); ++next) {
        if (is_written(next)) small.emplace_back(next, path_of(next));
      }
      source_.pool.for_each(small.size(), [&](unsigned /*worker*/, std::size_t i) {
        write_file(small[i].first, small[i].second, nullptr);
      });
    }
  }

 private:
  static constexpr std::uint32_t kMostAtOnce = 1024;

  [[nodiscard]] std::string path_of(std::uint32_t file) const {
    return out_.path_of(file - source_.inputs.first_own_file);
  }
  // True for a file that a single worker can write while other workers write other files.
  [[nodiscard]] bool is_small(std::uint32_t file) const {
    if (source_.corpus.spilled || edits_.bytes) return false;
    const Format& format = *source_.inputs.list[file].format;
    return format.is_document() || (!format.columnar && blocks_.of_file(file).size() <= 1);
  }

  // False for a document that is not kept.
  [[nodiscard]] bool is_written(std::uint32_t file) {
    const bool is_document = source_.inputs.list[file].format->is_document();
    return !is_document || blocks_.keeps_any(blocks_.of_file(file));
  }

  // Writes a file for which is_written() is true. `pool`: null inside one of its tasks.
  void write_file(std::uint32_t i, const std::string& path, ThreadPool* pool) {
    const InputFile& input = source_.inputs.list[i];
    source_.pool.check_cancelled();
    if (input.format->is_document()) {
      copy_document(input, path);
      return;
    }
    OutputFile file(path, OutputFile::Durability::left_to_caller);
    if (input.format->columnar) {
      write_kept_table(source_, keep_, edits_.fields, i, i + 1, file);
      file.commit();
      return;
    }
    if (pool != nullptr) file.pack_with(*pool);
    RowCopier copier(source_, edits_.bytes, file);
    add_first_header(source_.inputs, i, i + 1, copier);
    add_vector_header(source_, i, i + 1, keep_, file);
    if (columns_of(source_.inputs, i).by_columns > 0) {
      add_kept_columns(source_, keep_, i, i + 1, file);
    } else {
      blocks_.add_kept(blocks_.of_file(i), copier);
      copier.finish();
    }
    file.commit();
  }

  const KeptSource& source_;
  const KeepRow& keep_;
  const RowEdits& edits_;
  const RowsOutput& out_;
  KeptBlocks blocks_;
};

}  // namespace

void write_kept_tree(const KeptSource& source, const KeepRow& keep, const RowEdits& edits,
                     const RowsOutput& out) {
  TreeWriter(source, keep, edits, out).write();
}

void write_rows(const KeptSource& source, const KeepRow& keep, const RowEdits& edits,
                const RowsOutput& out) {
  const bool grouped = source.inputs.grouped != nullptr;
  if (out.tree && grouped) write_kept_groups_tree(source, keep, edits.bytes, out);
  if (out.tree && !grouped) write_kept_tree(source, keep, edits, out);
  if (out.file && grouped) write_kept_groups(source, keep, edits.bytes, *out.file);
  if (out.file && !grouped) write_kept_rows(source, keep, edits, *out.file);
}

void RowsOutput::finish() const {
  if (file) file->finish();
  if (tree) tree->finish();
}

void RowsOutput::commit() const {
  if (file) file->commit();
  if (tree) tree->commit();
}

}  // namespace sosie

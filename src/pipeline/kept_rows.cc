#include "pipeline/kept_rows.h"

#include <algorithm>
#include <string_view>

namespace sosie {
namespace {

constexpr std::uint64_t kRunBytes = std::uint64_t{1} << 20;

// Joins kept rows that lie side by side into runs, and copies runs.
class RowCopier {
 public:
  RowCopier(const Inputs& inputs, OutputFile& out) : inputs_(inputs), out_(out) {}

  void add(const RowLocator& row) {
    const bool follows = row.file == run_.file && row.offset == run_.offset + run_bytes_;
    if (!follows || run_bytes_ + row.length > kRunBytes) {
      flush();
      run_ = row;
    }
    run_bytes_ += row.length;
  }

  void flush() {
    if (run_bytes_ == 0) return;
    if (missing_newline_) out_.write("\n");
    buffer_.resize(run_bytes_);
    inputs_.files[run_.file].read_at(run_.offset, buffer_.data(), run_bytes_);
    out_.write({buffer_.data(), buffer_.size()});
    missing_newline_ = buffer_.back() != '\n';
    run_bytes_ = 0;
  }

 private:
  const Inputs& inputs_;
  OutputFile& out_;
  RowLocator run_;
  std::uint64_t run_bytes_ = 0;
  std::vector<char> buffer_;
  bool missing_newline_ = false;
};

}  // namespace

void write_kept_rows(const Inputs& inputs, const Corpus& corpus,
                     const std::function<bool(RowId)>& keep, ThreadPool& pool,
                     const RunHooks& hooks, OutputFile& out) {
  RowCopier copier(inputs, out);
  for (const ScannedBlock& block : corpus.blocks) {
    pool.check_cancelled();
    for (std::size_t i = 0; i < block.rows(); ++i) {
      if (keep(block.first_row + static_cast<RowId>(i))) copier.add(block.locators[i]);
    }
    if (hooks.on_progress && block.rows() > 0) {
      hooks.on_progress({"writing", block.first_row + block.rows(), corpus.rows});
    }
  }
  copier.flush();
}

}  // namespace sosie

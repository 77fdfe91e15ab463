// Reads pieces of memory as one file.
#include "sosie/memory_file.h"

#include <algorithm>
#include <utility>

namespace sosie {
namespace {

class Pieces final : public MemoryFile {
 public:
  Pieces(std::vector<std::span<const char>> pieces, std::shared_ptr<const void> owner)
      : pieces_(std::move(pieces)), owner_(std::move(owner)) {
    for (const auto piece : pieces_) {
      begins_.push_back(size_);
      size_ += piece.size();
    }
  }

  [[nodiscard]] std::uint64_t size() const noexcept override { return size_; }

  void read(std::uint64_t offset, char* out, std::size_t size) const override {
    const auto behind = std::upper_bound(begins_.begin(), begins_.end(), offset);
    for (auto i = static_cast<std::size_t>(behind - begins_.begin()) - 1; size > 0; ++i) {
      const auto rest = pieces_[i].subspan(offset - begins_[i]);
      const std::size_t some = std::min(size, rest.size());
      std::copy_n(rest.data(), some, out);
      out += some;
      offset += some;
      size -= some;
    }
  }

 private:
  std::vector<std::span<const char>> pieces_;
  std::vector<std::uint64_t> begins_;
  std::uint64_t size_ = 0;
  std::shared_ptr<const void> owner_;
};

class NamedRows final : public MemoryFile {
 public:
  NamedRows(std::shared_ptr<const MemoryFile> file, NamesOfRows names)
      : file_(std::move(file)), names_(std::move(names)) {}

  [[nodiscard]] std::uint64_t size() const noexcept override { return file_->size(); }
  void read(std::uint64_t offset, char* out, std::size_t size) const override {
    file_->read(offset, out, size);
  }
  [[nodiscard]] const NamesOfRows* names() const noexcept override { return &names_; }

 private:
  std::shared_ptr<const MemoryFile> file_;
  NamesOfRows names_;
};

}  // namespace

std::shared_ptr<const MemoryFile> memory_file_of(std::vector<std::span<const char>> pieces,
                                                 std::shared_ptr<const void> owner) {
  return std::make_shared<const Pieces>(std::move(pieces), std::move(owner));
}

std::shared_ptr<const MemoryFile> named_rows_of(std::shared_ptr<const MemoryFile> file,
                                                NamesOfRows names) {
  return std::make_shared<const NamedRows>(std::move(file), std::move(names));
}

}  // namespace sosie

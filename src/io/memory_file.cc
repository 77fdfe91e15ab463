// Reads pieces of memory as one file.
#include "sosie/memory_file.h"

#include <algorithm>
#include <utility>

namespace sosie {
namespace {

class Pieces final : public MemoryFile {
 public:
  Pieces(std::vector<std::span<const char>> pieces, std::shared_ptr<const void> owner,
         NamesOfRows names)
      : pieces_(std::move(pieces)), owner_(std::move(owner)), names_(std::move(names)) {
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

  [[nodiscard]] const NamesOfRows* names() const noexcept override {
    return names_.names.empty() ? nullptr : &names_;
  }

 private:
  std::vector<std::span<const char>> pieces_;
  std::vector<std::uint64_t> begins_;
  std::uint64_t size_ = 0;
  std::shared_ptr<const void> owner_;
  NamesOfRows names_;
};

}  // namespace

std::shared_ptr<const MemoryFile> memory_file_of(std::vector<std::span<const char>> pieces,
                                                 std::shared_ptr<const void> owner,
                                                 NamesOfRows names) {
  return std::make_shared<const Pieces>(std::move(pieces), std::move(owner), std::move(names));
}

}  // namespace sosie

// Tests of the kernel that folds UTF-8, with artificial tables in which every entry matters.
#include "kernels/word_marks.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/on_every_target_test.h"

namespace sosie::kernels {
namespace {

constexpr std::uint8_t kLead = 0xC3;

// A two-byte letter folds to the letter that differs in the last bit; every third code is not a
// letter.
std::uint8_t folded_second(unsigned low_bits) {
  return static_cast<std::uint8_t>(0x80U | (low_bits ^ 1U));
}
bool is_letter(unsigned low_bits) { return low_bits % 3 != 0; }

std::unique_ptr<Utf8Letters> made_letters() {
  auto letters = std::make_unique<Utf8Letters>();
  for (auto& lead : letters->leads) lead.kind.fill(Utf8Letters::odd);
  auto& lead = letters->leads[kLead & 0x1FU];
  for (unsigned low_bits = 0; low_bits < 64; ++low_bits) {
    lead.first[low_bits] = kLead;
    lead.second[low_bits] = folded_second(low_bits);
    lead.kind[low_bits] = is_letter(low_bits) ? Utf8Letters::word : Utf8Letters::separator;
  }
  letters->kind_of_three.fill(Utf8Letters::odd);
  letters->kinds.fill(Utf8Letters::odd);
  return letters;
}

// Checks a letter among others, `before` of which precede it.
void expect_looked_up(const Utf8Letters& letters, unsigned low_bits, std::uint32_t before) {
  std::string text(before, 'x');
  text += static_cast<char>(kLead);
  text += static_cast<char>(0x80U | low_bits);
  text += "y ";
  const std::size_t size = text.size();
  text.resize(size + 64, ' ');
  const std::vector<std::uint8_t> in(text.begin(), text.end());
  std::vector<std::uint8_t> out(in.size());
  std::vector<std::uint32_t> places(kMarkBytes + 64);
  WordMarks marks{places.data(), 0};
  const Taken taken = mark_utf8_words(in.data(), size, letters, out.data(), 0, marks);
  EXPECT_EQ(taken.size, size);
  using Places = std::vector<std::uint32_t>;
  places.resize(marks.count);
  EXPECT_EQ(places, is_letter(low_bits) ? Places({0, before + 3})
                                        : Places({0, before, before + 2, before + 3}));
  EXPECT_EQ(out[before + 1], folded_second(low_bits));
}

TEST(MarkUtf8Words, LooksUpEveryLetterOfTwoBytesOnEveryTarget) {
  const auto letters = made_letters();
  on_every_target([&](std::string_view target) {
    const testing::ScopedTrace trace(__FILE__, __LINE__, std::string(target));
    for (unsigned low_bits = 0; low_bits < 64; ++low_bits) {
      for (std::uint32_t before = 1; before < 70; before += 4) {
        expect_looked_up(*letters, low_bits, before);
      }
    }
  });
}

}  // namespace
}  // namespace sosie::kernels

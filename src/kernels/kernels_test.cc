#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <set>
#include <string>
#include <string_view>

#include "core/mix64.h"
#include "kernels/agreement.h"
#include "kernels/fold_utf8_chars.h"
#include "kernels/hash_bytes.h"
#include "kernels/hash_words.h"
#include "kernels/intersection_size.h"
#include "kernels/json_text.h"
#include "kernels/minhash_values.h"
#include "kernels/on_every_target_test.h"
#include "kernels/simd.h"
#include "kernels/word_marks.h"

namespace sosie::kernels {
namespace {

using Hashes = std::vector<std::uint64_t>;

RC_GTEST_PROP(SortUniqueHashes, GivesTheSetInOrder, ()) {
  // A small range yields repetitions, and its equal high bits make the spread uneven.
  const auto range = *rc::gen::element<std::uint64_t>(10, 1000, ~0ULL);
  auto hashes = *rc::gen::container<Hashes>(rc::gen::inRange<std::uint64_t>(0, range));
  const std::set<std::uint64_t> expected(hashes.begin(), hashes.end());
  Hashes scratch(hashes.size());
  hashes.resize(sort_unique_hashes(hashes.data(), hashes.size(), scratch.data()));
  RC_ASSERT(hashes == Hashes(expected.begin(), expected.end()));
}

TEST(SortUniqueHashes, SortsManyAndAllEqual) {
  for (const std::size_t count : {64U, 65U, 1000U, 100'000U}) {
    Hashes hashes(count);
    for (std::size_t i = 0; i < count; ++i) hashes[i] = i * 0x9E3779B97F4A7C15ULL;
    Hashes expected = hashes;
    std::sort(expected.begin(), expected.end());
    Hashes scratch(count);
    EXPECT_EQ(sort_unique_hashes(hashes.data(), count, scratch.data()), count);
    EXPECT_EQ(hashes, expected);
    std::fill(hashes.begin(), hashes.end(), 7);
    EXPECT_EQ(sort_unique_hashes(hashes.data(), count, scratch.data()), 1U);
  }
}

RC_GTEST_PROP(IntersectionSize, MatchesStdSetIntersection, ()) {
  const auto element = rc::gen::inRange<std::uint64_t>(0, 64);
  const auto a = *rc::gen::container<std::set<std::uint64_t>>(element);
  const auto b = *rc::gen::container<std::set<std::uint64_t>>(element);
  Hashes shared;
  std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(shared));
  const Hashes left(a.begin(), a.end());
  const Hashes right(b.begin(), b.end());
  RC_ASSERT(intersection_size(left.data(), left.size(), right.data(), right.size()) ==
            shared.size());
}

TEST(IntersectionSize, IsThatOfAScanOnEveryTarget) {
  on_every_target([](std::string_view target) {
    for (std::uint64_t seed = 0; seed < 400; ++seed) {
      std::array<Hashes, 2> sides;
      for (std::uint64_t side = 0; side < 2; ++side) {
        // Sets with nearly the same elements, or with few of them, separated by gaps of any size.
        const std::uint64_t keep = 1 + random64(seed, side) % 8;
        for (std::uint64_t i = 0; i < random64(seed, 2 + side) % 90; ++i) {
          if (random64(seed + 1000 * side, i + 9) % 8 < keep) sides[side].push_back(i << 32 | i);
        }
      }
      const auto& [a, b] = sides;
      const auto shared = std::count_if(a.begin(), a.end(), [&other = b](std::uint64_t element) {
        return std::find(other.begin(), other.end(), element) != other.end();
      });
      EXPECT_EQ(intersection_size(a.data(), a.size(), b.data(), b.size()),
                static_cast<std::size_t>(shared))
          << target << " " << seed;
    }
  });
}

// Bytes that are likely to be equal, letters, digits, punctuation and non-ASCII bytes.
std::vector<std::uint8_t> random_bytes(std::uint64_t seed, std::size_t count) {
  constexpr std::string_view kLikely = "aZz09_ .@[`{/:\x80\xff\x7f\n\t AMam59";
  std::vector<std::uint8_t> bytes(count);
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint64_t random = random64(seed, i);
    bytes[i] = random % 3 == 0 ? static_cast<std::uint8_t>(random >> 32)
                               : static_cast<std::uint8_t>(kLikely[(random >> 8) % kLikely.size()]);
  }
  return bytes;
}

TEST(Simd, RefusesUnknownTargets) { EXPECT_FALSE(limit_simd("AVX9")); }

TEST(Agreements, CountEqualBytesOnEveryTarget) {
  on_every_target([](std::string_view target) {
    for (const std::size_t bytes : {8U, 16U, 64U, 72U, 128U, 1024U}) {
      const auto rows = random_bytes(bytes, 5 * bytes);
      const std::vector<std::uint32_t> which = {4, 0, 2, 2};
      std::vector<std::uint32_t> counts(which.size());
      agreements(&rows[2 * bytes], rows.data(), bytes, which.data(), which.size(), counts.data());
      for (std::size_t i = 0; i < which.size(); ++i) {
        std::uint32_t equal = 0;
        for (std::size_t j = 0; j < bytes; ++j) {
          equal += rows[2 * bytes + j] == rows[which[i] * bytes + j] ? 1U : 0U;
        }
        EXPECT_EQ(counts[i], equal) << target << ' ' << bytes;
      }
    }
  });
}

TEST(HammingDistances, CountDifferingBitsOnEveryTarget) {
  on_every_target([](std::string_view target) {
    Hashes rows(5 * 3);
    for (std::size_t i = 0; i < rows.size(); ++i) rows[i] = random64(1, i);
    const std::vector<std::uint32_t> which = {1, 4};
    std::vector<std::uint32_t> distances(2);
    hamming_distances(rows.data(), rows.data(), 3, which.data(), 2, distances.data());
    for (std::size_t i = 0; i < 2; ++i) {
      int bits = 0;
      for (std::size_t j = 0; j < 3; ++j) bits += std::popcount(rows[j] ^ rows[which[i] * 3 + j]);
      EXPECT_EQ(distances[i], static_cast<std::uint32_t>(bits)) << target;
    }
  });
}

TEST(MinhashBins, KeepTheLeastValueOfEachBinOnEveryTarget) {
  constexpr std::size_t kBins = 16;
  on_every_target([&](std::string_view target) {
    for (std::size_t count = 0; count < 5000; count += count < 200 ? 1 : 487) {
      std::vector<std::uint32_t> values(count);
      for (std::size_t i = 0; i < count; ++i) {
        values[i] = static_cast<std::uint32_t>(random64(count, i) >> (i % 3 == 0 ? 32 : 40));
      }
      std::vector<std::uint32_t> expected(kBins, kEmptyBin);
      for (const std::uint32_t v : values) expected[v % kBins] = std::min(expected[v % kBins], v);
      std::vector<std::uint32_t> bins(kBins, kEmptyBin);
      minhash_bins(values.data(), count, bins.data(), kBins);
      EXPECT_EQ(bins, expected) << target << ' ' << count;
      if (count < 8 * kBins) continue;  // a bin that stays empty rejects nothing
      std::erase_if(values, [&](std::uint32_t v) { return v % kBins == 3; });
      std::fill(bins.begin(), bins.end(), kEmptyBin);
      minhash_bins(values.data(), values.size(), bins.data(), kBins);
      expected[3] = kEmptyBin;
      EXPECT_EQ(bins, expected) << target << ' ' << count;
    }
  });
}

TEST(FoldAsciiChars, FollowsAByteLoopOnEveryTarget) {
  on_every_target([](std::string_view target) {
    for (std::size_t size = 1; size < 400; ++size) {
      for (const bool before : {false, true}) {
        const auto in = random_bytes(size, size + 64);
        std::vector<std::uint8_t> expected;
        bool blank = before;
        for (std::size_t i = 0; i < size; ++i) {
          const std::uint8_t c = in[i];
          const bool is_blank = c == ' ' || c == 0 || (c >= '\t' && c <= '\r');
          if (!is_blank) {
            expected.push_back(c >= 'A' && c <= 'Z' ? static_cast<std::uint8_t>(c + 32) : c);
          } else if (!blank) {
            expected.push_back(' ');
          }
          blank = is_blank;
        }
        std::vector<std::uint8_t> out(size + 64);
        bool after = before;
        out.resize(fold_ascii_chars(in.data(), size, out.data(), after));
        EXPECT_EQ(out, expected) << target << ' ' << size;
        EXPECT_EQ(after, blank);
      }
    }
  });
}

struct JsonCase {
  std::string in;    // ends with the byte at which the copy stops
  std::string text;  // text copied until then
  bool non_ascii = false;
};

// Random JSON text of at least `size` bytes, full of escapes, followed by `end`.
JsonCase random_json(std::size_t size, bool drop_backslashes, std::string_view end) {
  constexpr std::string_view kPlain = "az{ n/\x80\xff:t,u\x7f";
  constexpr std::string_view kEscaped = "nrtf/\"\\\\\\\\\\";
  JsonCase made;
  for (std::size_t i = 0; made.in.size() < size; ++i) {
    const std::uint64_t random = random64(size, i);
    if (random % 3 == 0) {
      const char c = kEscaped[(random >> 8) % kEscaped.size()];
      made.in.append({'\\', c});
      if (!drop_backslashes) made.text += '\\';
      made.text += std::string_view("nrtf").find(c) == std::string_view::npos ? c : ' ';
    } else {
      const char c = kPlain[(random >> 8) % (i % 70 < 50 ? 5 : kPlain.size())];
      made.in += c;
      made.text += c;
      made.non_ascii = made.non_ascii || static_cast<std::uint8_t>(c) >= 0x80;
    }
  }
  made.in += end;
  if (end.size() == 2 && !drop_backslashes) made.text += '\\';
  return made;
}

void expect_copied(const JsonCase& json, bool drop_backslashes) {
  const std::string padded = json.in + std::string(64, '"');
  const auto* in = reinterpret_cast<const std::uint8_t*>(padded.data());
  const std::uint8_t* stop = in + json.in.size() - 1;
  std::vector<std::uint8_t> out(json.in.size() + 64);
  const JsonText found = copy_json_text(in, stop + 1, out.data(), drop_backslashes);
  ASSERT_EQ(found.stop, stop);
  const auto written = static_cast<std::ptrdiff_t>(found.written);
  EXPECT_EQ(std::string(out.begin(), out.begin() + written), json.text);
  EXPECT_EQ(found.non_ascii, json.non_ascii);
  EXPECT_EQ(found.odd, *stop != '"');
  EXPECT_EQ(copy_json_text(in, stop, out.data(), drop_backslashes).stop, nullptr);
}

TEST(CopyJsonText, StopsAtTheQuoteOrWhatIsOddOnEveryTarget) {
  on_every_target([](std::string_view target) {
    for (std::size_t size = 0; size < 400; ++size) {
      for (const std::string_view end : {"\"", "\n", "\x1f", "\\u", "\\b", "\\\x80"}) {
        for (const bool drop : {false, true}) {
          SCOPED_TRACE(std::string(target) + " " + std::to_string(size) + std::string(end));
          expect_copied(random_json(size, drop, end), drop);
        }
      }
    }
  });
}

const char* chars_of(const std::vector<std::uint8_t>& bytes) {
  return reinterpret_cast<const char*>(bytes.data());
}

TEST(HashWindows, AreThoseOfEachPlaceOnEveryTarget) {
  const auto text = random_bytes(9, 400);
  on_every_target([&](std::string_view target) {
    for (const std::size_t size : {1U, 2U, 7U, 8U, 9U, 15U, 16U, 17U, 24U, 25U, 64U}) {
      for (const std::size_t count : {1U, 2U, 7U, 8U, 9U, 100U}) {
        Hashes out(count + 1, 77);
        hash_windows(chars_of(text), count, size, out.data());
        for (std::size_t i = 0; i < count; ++i) {
          EXPECT_EQ(out[i], hash_bytes(chars_of(text) + i, size)) << target << ' ' << size;
        }
        EXPECT_EQ(out[count], 77U);
      }
    }
  });
}

TEST(HashWords, AreThoseOfEachWordOnEveryTarget) {
  const auto text = random_bytes(10, 4000);
  std::vector<std::uint32_t> spans;
  for (std::uint32_t at = 0; spans.size() < 2 * 333;) {
    const auto size = static_cast<std::uint32_t>(1 + random64(11, spans.size()) % 19);
    spans.insert(spans.end(), {at, at + size});
    at += size / 2;
  }
  on_every_target([&](std::string_view target) {
    for (std::size_t count = 0; count <= 333; count += 37) {
      Hashes out(count + 1, 77);
      hash_words(chars_of(text), spans.data(), count, out.data());
      for (std::size_t i = 0; i < count; ++i) {
        EXPECT_EQ(out[i],
                  hash_bytes(chars_of(text) + spans[2 * i], spans[2 * i + 1] - spans[2 * i]))
            << target;
      }
      EXPECT_EQ(out[count], 77U);
    }
  });
}

TEST(MinhashFill, TakesTheLeastOfEachPermutationOnEveryTarget) {
  constexpr std::uint32_t kMostBins = 512;
  std::vector<std::uint32_t> a(kMostBins);
  std::vector<std::uint32_t> b(kMostBins);
  for (std::size_t j = 0; j < kMostBins; ++j) {
    a[j] = static_cast<std::uint32_t>(random64(2, j)) | 1;
    b[j] = static_cast<std::uint32_t>(random64(3, j));
  }
  const auto check = [&](std::string_view target, std::size_t count, std::uint32_t bin_count,
                         std::uint64_t empty_of_five) {
    std::vector<std::uint32_t> values(count);
    for (std::size_t i = 0; i < count; ++i) values[i] = static_cast<std::uint32_t>(random64(4, i));
    std::vector<std::uint32_t> bins(bin_count);
    std::vector<std::uint32_t> expected(bin_count);
    for (std::uint32_t j = 0; j < bin_count; ++j) {
      const bool is_empty = random64(5, j) % 5 < empty_of_five;
      bins[j] = is_empty ? kEmptyBin : j;
      std::uint32_t least = kEmptyBin;
      for (const std::uint32_t value : values) least = std::min(least, a[j] * value + b[j]);
      expected[j] = is_empty ? (least & ~(bin_count - 1)) | (j ^ 1U) : j;
    }
    minhash_fill(values.data(), count, a.data(), b.data(), bins.data(), bin_count);
    EXPECT_EQ(bins, expected) << target << ' ' << count << ' ' << bin_count;
  };
  on_every_target([&](std::string_view target) {
    for (const std::uint32_t bin_count : {16U, 64U, 128U, kMostBins}) {
      for (std::uint64_t empty_of_five = 0; empty_of_five <= 5; ++empty_of_five) {
        for (std::size_t count = 1; count < 70; count += count < 40 ? 1 : 7) {
          check(target, count, bin_count, empty_of_five);
        }
      }
    }
  });
}

TEST(MarkAsciiWords, FollowsAByteLoopOnEveryTarget) {
  on_every_target([](std::string_view target) {
    for (std::size_t size = 1; size <= kMarkBytes; size += size < 140 ? 1 : 61) {
      auto in = random_bytes(size, size + 64);
      std::vector<std::uint8_t> out(size + 64);
      std::vector<std::uint32_t> places(kMarkCapacity);
      WordMarks marks{places.data(), 0};
      mark_ascii_words(in.data(), size, out.data(), 1000, marks);
      std::vector<std::uint32_t> expected;
      bool inside = false;
      for (std::size_t i = 0; i < size; ++i) {
        const std::uint8_t c = in[i];
        const bool upper = c >= 'A' && c <= 'Z';
        EXPECT_EQ(out[i], upper ? c + 32 : c);
        const bool word =
            upper || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' || c >= 0x80;
        if (word != inside) expected.push_back(static_cast<std::uint32_t>(1000 + i));
        inside = word;
      }
      EXPECT_EQ(marks.count, expected.size()) << target << ' ' << size;
      places.resize(expected.size());
      EXPECT_EQ(places, expected) << target << ' ' << size;
    }
  });
}

TEST(HashWordRuns, FollowTheirDefinitionOnEveryTarget) {
  Hashes words(1300);
  for (std::size_t i = 0; i < words.size(); ++i) words[i] = random64(5, i);
  on_every_target([&](std::string_view target) {
    for (const int size : {1, 2, 5, 6, 7, 64}) {
      Hashes out(1200);
      hash_word_runs(words.data(), out.size(), size, 99, out.data());
      for (std::size_t i = 0; i < out.size(); i += 13) {
        std::uint64_t combined = 99;
        for (int place = 0; place < size; ++place) {
          combined ^= std::rotl(words[i + static_cast<std::size_t>(place)], 11 * place);
        }
        EXPECT_EQ(out[i], mix64(combined)) << target << ' ' << size;
      }
    }
  });
}

}  // namespace
}  // namespace sosie::kernels

#pragma once

#include <cstddef>
#include <cstdint>

namespace sosie::kernels {

// out[i] = hash_bytes() of the bytes of text from spans[2 i] to spans[2 i + 1]. May read up to 8
// bytes after each span.
void hash_words(const char* text, const std::uint32_t* spans, std::size_t count,
                std::uint64_t* out) noexcept;

// out[i] = hash_bytes(text + i, size): the hashes of all `count` character shingles of an ASCII
// text. `size`: at most 256. May read up to 31 bytes after the last shingle.
void hash_windows(const char* text, std::size_t count, std::size_t size,
                  std::uint64_t* out) noexcept;

// out[i] = hash of words[i .. i + size), for `count` values of i: each word is rotated by 11 bits
// per position, the words and `start` are combined by xor, and the result is mixed (finaliser of
// SplitMix64).
void hash_word_runs(const std::uint64_t* words, std::size_t count, int size, std::uint64_t start,
                    std::uint64_t* out) noexcept;

}  // namespace sosie::kernels

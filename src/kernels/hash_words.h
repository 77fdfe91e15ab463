#pragma once

#include <cstddef>
#include <cstdint>

namespace sosie::kernels {

// out[i] = hash_bytes() of the bytes of text from spans[2 i] to spans[2 i + 1]. Up to 8 bytes after
// each span may be read.
void hash_words(const char* text, const std::uint32_t* spans, std::size_t count,
                std::uint64_t* out) noexcept;

// out[i] = hash_bytes(text + i, size): the hashes of all `count` character shingles of an ASCII
// text. `size`: at most 256. Up to 31 bytes after the last shingle may be read.
void hash_windows(const char* text, std::size_t count, std::size_t size,
                  std::uint64_t* out) noexcept;

// out[i] = hash of words[i .. i + size), for `count` values of i: each word is rotated by 11 bits
// per position, all are combined by xor with `start`, and the result is mixed (SplitMix64's
// finaliser).
void hash_word_runs(const std::uint64_t* words, std::size_t count, int size, std::uint64_t start,
                    std::uint64_t* out) noexcept;

}  // namespace sosie::kernels

#pragma once

#include <cstddef>
#include <cstdint>

namespace sosie::kernels {

// out[i] = hash_bytes() of the bytes from spans[2 i] to spans[2 i + 1] of text. 8 bytes after each
// may be read.
void hash_words(const char* text, const std::uint32_t* spans, std::size_t count,
                std::uint64_t* out) noexcept;

// out[i] = hash_bytes(text + i, size): the hashes of all `count` character shingles of ASCII text.
// `size`: at most 256; 31 bytes after the last may be read.
void hash_windows(const char* text, std::size_t count, std::size_t size,
                  std::uint64_t* out) noexcept;

// out[i] = hash of words[i .. i + size), `count` of them: each rotated by 11 bits per position,
// combined by xor with `start`, and mixed (SplitMix64's finaliser).
void hash_word_runs(const std::uint64_t* words, std::size_t count, int size, std::uint64_t start,
                    std::uint64_t* out) noexcept;

}  // namespace sosie::kernels

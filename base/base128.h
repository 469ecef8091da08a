// SPDX-License-Identifier: LGPL-2.1-only
// Encoding of numbers in files of events and traces.
//
// Whole numbers are in base 128, low digits first; the highest bit of a byte is set if another byte follows. The
// numbers 0, -1, 1, -2, 2, ... are encoded as 0, 1, 2, 3, 4, ... For example, 150 is encoded as 300, which is the bytes
// ac 02.
//
// Other numbers, and 64-bit numbers of fixed length, are 8 bytes, low byte first. For example, 1.0 is 00 00 00 00 00 00
// f0 3f.
#pragma once

#include <bit>
#include <cstdint>
#include <string>

namespace strata {

inline std::uint64_t without_sign(std::int64_t n) {
  return (static_cast<std::uint64_t>(n) << 1) ^ static_cast<std::uint64_t>(n >> 63);
}
inline std::int64_t with_sign(std::uint64_t n) {
  return static_cast<std::int64_t>(n >> 1) ^ -static_cast<std::int64_t>(n & 1);
}

inline void put_base128(std::string& into, std::int64_t number) {
  std::uint64_t rest = without_sign(number);
  for (; rest >= 0x80; rest >>= 7) into += static_cast<char>(rest | 0x80);
  into += static_cast<char>(rest);
}

/// `next_byte()` returns the bytes one after another. Returns false if the number has more than 64 bits.
template <class NextByte>
bool read_base128(NextByte next_byte, std::int64_t& number) {
  std::uint64_t n = 0;
  for (int shift = 0;; shift += 7) {
    const std::uint8_t digit = next_byte();
    if (shift == 63 && digit > 1) return false;
    n |= static_cast<std::uint64_t>(digit & 0x7f) << shift;
    if ((digit & 0x80) == 0) {
      number = with_sign(n);
      return true;
    }
  }
}

inline void put_bits(std::string& into, std::uint64_t bits) {
  for (int shift = 0; shift < 64; shift += 8) into += static_cast<char>(bits >> shift);
}
inline void put_real(std::string& into, double number) { put_bits(into, std::bit_cast<std::uint64_t>(number)); }

/// `next_byte()` returns the bytes one after another.
template <class NextByte>
std::uint64_t read_bits(NextByte next_byte) {
  std::uint64_t bits = 0;
  for (int shift = 0; shift < 64; shift += 8) bits |= std::uint64_t{next_byte()} << shift;
  return bits;
}
template <class NextByte>
double read_real(NextByte next_byte) {
  return std::bit_cast<double>(read_bits(next_byte));
}

}  // namespace strata

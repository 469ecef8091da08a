// SPDX-License-Identifier: LGPL-2.1-only
#include "platforms/cpuset.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <new>
#include <utility>

namespace strata {

Cpuset::Cpuset() : set_(hwloc_bitmap_alloc()) {
  if (set_ == nullptr) throw std::bad_alloc();
}

Cpuset::Cpuset(hwloc_const_bitmap_t set) : set_(set == nullptr ? hwloc_bitmap_alloc() : hwloc_bitmap_dup(set)) {
  if (set_ == nullptr) throw std::bad_alloc();
}

Cpuset::Cpuset(const Cpuset& other) : Cpuset(other.set_) {}

Cpuset::Cpuset(Cpuset&& other) noexcept : set_(std::exchange(other.set_, nullptr)) {}

Cpuset& Cpuset::operator=(Cpuset other) noexcept {
  std::swap(set_, other.set_);
  return *this;
}

Cpuset::~Cpuset() { hwloc_bitmap_free(set_); }

std::optional<Cpuset> Cpuset::parse(const std::string& list) {
  // Stricter than hwloc's parser, which takes "3-" as infinite, reads hexadecimal numbers, and skips unknown
  // characters.
  bool digit_before = false;
  for (size_t i = 0; i < list.size(); ++i) {
    const bool digit = std::isdigit(static_cast<unsigned char>(list[i])) != 0;
    const bool separator = list[i] == '-' || list[i] == ',';
    if (!digit && !(separator && digit_before && i + 1 < list.size())) return std::nullopt;
    digit_before = digit;
  }
  // A range has two ends and goes upwards, so "0-1-2" and "3-1" are errors.
  for (size_t at = 0; at < list.size();) {
    const size_t end = std::min(list.find(',', at), list.size());
    const std::string range = list.substr(at, end - at);
    const size_t dash = range.find('-');
    if (range.size() > 16) return std::nullopt;
    if (dash != std::string::npos) {
      if (range.find('-', dash + 1) != std::string::npos) return std::nullopt;
      if (std::atol(range.c_str()) > std::atol(range.c_str() + dash + 1)) return std::nullopt;
      if (std::atol(range.c_str() + dash + 1) > 1'000'000) return std::nullopt;
    }
    if (std::atol(range.c_str()) > 1'000'000) return std::nullopt;
    at = end + 1;
  }
  Cpuset set;
  if (list.empty() || hwloc_bitmap_list_sscanf(set.set_, list.c_str()) != 0 || set.empty()) return std::nullopt;
  return set;
}

std::string Cpuset::list() const {
  char* text = nullptr;
  if (hwloc_bitmap_list_asprintf(&text, set_) < 0) throw std::bad_alloc();
  std::string result = text;
  std::free(text);
  return result;
}

Cpuset& Cpuset::operator|=(const Cpuset& other) {
  hwloc_bitmap_or(set_, set_, other.set_);
  return *this;
}

Cpuset& Cpuset::operator&=(const Cpuset& other) {
  hwloc_bitmap_and(set_, set_, other.set_);
  return *this;
}

}  // namespace strata

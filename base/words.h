// SPDX-License-Identifier: LGPL-2.1-only
// Values that are one of a few words: an enumeration, and one table with the names of its values.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace strata {

template <class E>
struct Word {
  E value;
  const char* name;
};

/// The value with this name; empty if there is no such value.
template <class E, std::size_t N>
constexpr std::optional<E> find_word(const Word<E> (&words)[N], std::string_view text) {
  for (const Word<E>& w : words) {
    if (text == w.name) return w.value;
  }
  return std::nullopt;
}

/// The name of a value.
template <class E, std::size_t N>
constexpr const char* word_of(const Word<E> (&words)[N], E value) {
  for (const Word<E>& w : words) {
    if (w.value == value) return w.name;
  }
  return "";
}

template <class E, std::size_t N>
std::vector<std::string> names_of(const Word<E> (&words)[N]) {
  std::vector<std::string> names;
  for (const Word<E>& w : words) names.emplace_back(w.name);
  return names;
}

/// "a, b or c".
inline std::string choice_of(const std::vector<std::string>& words) {
  std::string list;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (i > 0) list += i + 1 == words.size() ? " or " : ", ";
    list += words[i];
  }
  return list;
}

}  // namespace strata

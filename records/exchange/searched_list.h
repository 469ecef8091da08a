// SPDX-License-Identifier: LGPL-2.1-only
// A list that an MPI library searches from its front: of messages that came before their receive (unexpected), or of
// receives posted before their message. Four messages have come, and a receive wants the third:
//
//   messages.take_first([](int tag) { return tag == 3; })   {.passed = 2, .entry = 3}: two are not the one
//   messages.take_first([](int tag) { return tag == 9; })   {.passed = 3}: none of those that are left
#pragma once

#include <algorithm>
#include <optional>
#include <vector>

namespace strata {

template <class Entry>
class SearchedList {
 public:
  struct Found {
    int passed = 0;                   // entries in front of it
    std::optional<Entry> entry = {};  // removed from the list
  };

  void add(const Entry& entry) { entries_.push_back(entry); }
  template <class Matches>
  Found take_first(const Matches& matches) {
    const auto at = std::find_if(entries_.begin(), entries_.end(), matches);
    Found found{.passed = static_cast<int>(at - entries_.begin())};
    if (at == entries_.end()) return found;
    found.entry = *at;
    entries_.erase(at);
    return found;
  }

 private:
  std::vector<Entry> entries_;
};

}  // namespace strata

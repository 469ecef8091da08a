// SPDX-License-Identifier: LGPL-2.1-only
// The errors of wrong input, as tests compare them.
#pragma once

#include <string>

#include "platforms/error.h"

namespace strata {

/// The text of the InputError that `action` throws, with every `left_out` removed, for example the path of a temporary
/// folder; "no error" if it throws none.
template <class Action>
std::string error_of(const Action& action, const std::string& left_out = "") {
  try {
    action();
  } catch (const InputError& e) {
    std::string what = e.what();
    if (left_out.empty()) return what;
    for (std::size_t at = 0; (at = what.find(left_out, at)) != std::string::npos;) what.erase(at, left_out.size());
    return what;
  }
  return "no error";
}

}  // namespace strata

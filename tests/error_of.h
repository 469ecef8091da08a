// SPDX-License-Identifier: LGPL-2.1-only
// Catches the errors of wrong input, for comparisons in tests.
#pragma once

#include <string>

#include "base/error.h"

namespace strata {

/// Returns the text of the InputError that `action` throws, or "no error". Every `left_out`, for example the path of a
/// temporary folder, is removed from the text.
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

// SPDX-License-Identifier: LGPL-2.1-only
// The text of a line of a user's file: its words, and how an error quotes it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace strata {

/// Without blanks around it.
std::string_view trimmed(std::string_view text);

/// The parts between blanks.
std::vector<std::string_view> words_of(std::string_view line);

/// A text in the form that errors and notes show: short, ASCII, without control characters.
std::string printable(std::string_view text);

/// The same within '...'.
std::string shown(std::string_view text);

}  // namespace strata

// SPDX-License-Identifier: LGPL-2.1-only
// What stderr or stdout can show. A terminal rewrites lines and shows colours; pipes, files and TERM=dumb get plain
// text.
#pragma once

namespace strata::console {

/// Whether a line can be rewritten: `descriptor` is a terminal, and TERM is neither unset nor "dumb".
bool rewrites_lines(int descriptor);

/// Whether to print escape sequences for colours: as above, and NO_COLOR is unset or empty (https://no-color.org).
bool shows_colours(int descriptor);

/// The width of a line in characters; 80 if the terminal does not report it.
int columns(int descriptor);

}  // namespace strata::console

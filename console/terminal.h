// SPDX-License-Identifier: LGPL-2.1-only
// A terminal rewrites lines and shows colours; a pipe, a file and TERM=dumb get plain text.
#pragma once

namespace strata::console {

/// Whether a line can be rewritten: a terminal, and TERM is neither unset nor "dumb".
bool rewrites_lines(int descriptor);

/// Whether escape sequences for colours are welcome: as above, and NO_COLOR is unset or empty (https://no-color.org).
bool shows_colours(int descriptor);

/// Characters in a line; 80 where the terminal does not tell.
int columns(int descriptor);

}  // namespace strata::console

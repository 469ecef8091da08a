// SPDX-License-Identifier: LGPL-2.1-only
#include "console/terminal.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdlib>
#include <string_view>

namespace strata::console {
namespace {

std::string_view variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

}  // namespace

bool rewrites_lines(int descriptor) {
  const std::string_view term = variable("TERM");
  return ::isatty(descriptor) != 0 && !term.empty() && term != "dumb";
}

bool shows_colours(int descriptor) { return rewrites_lines(descriptor) && variable("NO_COLOR").empty(); }

int columns(int descriptor) {
  constexpr int kUsual = 80;
  winsize size{};
  return ::ioctl(descriptor, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : kUsual;
}

}  // namespace strata::console

// SPDX-License-Identifier: LGPL-2.1-only
#include "sim/plugin/launcher_lines.h"

#include <fcntl.h>
#include <sys/uio.h>
#include <unistd.h>

#include <array>
#include <cstdlib>

#include "records/exchange/exchanged_words.h"

namespace strata::sim {
namespace {

int descriptor = STDERR_FILENO;

}  // namespace

bool open_report() {
  const char* file = std::getenv(words::kReport);
  if (file == nullptr || *file == '\0') return false;
  const int opened = ::open(file, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  if (opened >= 0) descriptor = opened;
  return opened >= 0;
}

void report(std::string_view line) {
  char feed = '\n';
  const std::array<iovec, 3> parts = {{{&feed, 1}, {const_cast<char*>(line.data()), line.size()}, {&feed, 1}}};
  if (::writev(descriptor, parts.data(), static_cast<int>(parts.size())) < 0) return;  // the reader has gone
}

}  // namespace strata::sim

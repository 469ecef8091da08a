// SPDX-License-Identifier: LGPL-2.1-only
#include "mpi_ext/preload/supply/refuse.h"

#include <fcntl.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>

#include "records/exchange/exchanged_words.h"

namespace strata::mpix {

void refuse(const std::string& what) {
  std::fflush(nullptr);  // the program's output
  const char* const file = std::getenv(words::kReport);
  int to = file == nullptr || *file == '\0' ? -1 : ::open(file, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  if (to < 0) to = STDERR_FILENO;
  const std::string line = "\n" + std::string(words::kRefused) + " " + what + "\n";
  if (::write(to, line.data(), line.size()) < 0) std::perror("strata");
  std::_Exit(3);
}

}  // namespace strata::mpix

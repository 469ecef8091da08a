// SPDX-License-Identifier: LGPL-2.1-only
#include "native/rank/computation_times.h"

#include <cstdio>
#include <cstdlib>
#include <string>

#include "native/board/board.h"
#include "native/rank/process.h"

namespace strata::native {
namespace {

// Null if the times are not kept. Closed, and so complete, when the process exits.
std::FILE* open_times(const char* how) {
  const char* const folder = std::getenv(kComputationVariable);
  if (folder == nullptr) return nullptr;
  return std::fopen((std::string(folder) + "/" + std::to_string(my_rank())).c_str(), how);
}

}  // namespace

void keep_computation(double seconds) {
  static std::FILE* const file = open_times("we");
  if (file != nullptr) std::fwrite(&seconds, sizeof seconds, 1, file);
}

double next_computation() {
  static std::FILE* const file = open_times("re");
  double seconds = 0;
  if (file == nullptr || std::fread(&seconds, sizeof seconds, 1, file) != 1) {
    fail(
        "computes more often than in the run whose times --compute-file has; keep them again, in another file, for "
        "this program and input");
  }
  return seconds;
}

}  // namespace strata::native

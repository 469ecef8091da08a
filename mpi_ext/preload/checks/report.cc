// SPDX-License-Identifier: LGPL-2.1-only
#include "mpi_ext/preload/checks/report.h"

#include <fcntl.h>
#include <unistd.h>

#include <cstdlib>
#include <set>

#include "mpi_ext/preload/checks/program_place.h"
#include "records/exchange/finding.h"

namespace strata::mpix {
namespace {

const char* file_name() {
  static const char* const name = std::getenv(kFindingsVariable);
  return name;
}

FoundCall found_call(const PastCall& call, const std::string& text) {
  return {.rank = call.rank, .function = call.function, .at = code_place(call.place), .text = text};
}

// Written at once: the run may crash.
void append(const std::string& line) {
  static const int file = ::open(file_name(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  const char* rest = line.data();
  for (std::size_t left = line.size(); left > 0;) {
    const ssize_t written = ::write(file, rest, left);
    if (written <= 0) return;
    rest += written;
    left -= static_cast<std::size_t>(written);
  }
}

}  // namespace

bool checking() {
  static const bool named = file_name() != nullptr && *file_name() != '\0';
  return named;
}

void report(const Report& report) {
  Finding finding{.kind = report.kind,
                  .check = report.check,
                  .call = found_call(report.call, report.text),
                  .rule = report.rule,
                  .source = report.source};
  for (const OtherCall& other : report.others) finding.others.push_back(found_call(other.call, other.text));
  static auto& known = *new std::set<std::string>;
  const std::string line = line_of(finding);
  if (known.insert(line).second) append(line);
}

}  // namespace strata::mpix

// SPDX-License-Identifier: LGPL-2.1-only
// Launches a program as the coordinator does, for tests that end the launcher itself, and to measure how long jobs take
// to start:
//
//   launch_ranks SCRATCH RANKS_OF_NODE,RANKS_OF_NODE,... NODE.xml PROGRAM ARGUMENTS
//
// Prints the process ids of the ranks on stderr when all have called MPI_Init, and then what the job has ended with.
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <sstream>
#include <string>

#include "base/child.h"
#include "native/launch/launched_ranks.h"

namespace {

using strata::native::Places;

double seconds() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

Places places_of(const std::string& sizes, const std::string& xml) {
  Places places;
  std::istringstream list(sizes);
  for (std::string size; std::getline(list, size, ',');) {
    const int node = static_cast<int>(places.nodes.size());
    places.nodes.push_back({"node" + std::to_string(node), xml});
    for (int i = 0; i < std::stoi(size); ++i) places.ranks.push_back({node, i, std::to_string(i)});
  }
  return places;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 5) return 2;
  const strata::SignalGuard signals;
  const double begin = seconds();
  strata::native::Ranks ranks({.words = {argv + 4, argv + argc},
                               .folder = {},
                               .places = places_of(argv[2], argv[3]),
                               .library = strata::native::find_library(strata::native::find_program(argv[4])),
                               .scratch = argv[1],
                               .environment = strata::native::inherited(environ)});
  const double started = seconds();
  std::size_t initialized = 0;
  while (!ranks.ended()) {
    for (const strata::native::RankEvent& event : ranks.poll()) {
      if (event.kind != strata::native::RankEvent::Kind::kInitialized) continue;
      if (++initialized < ranks.processes().size()) continue;
      for (const pid_t pid : ranks.processes()) std::fprintf(stderr, "%d ", static_cast<int>(pid));
      std::fprintf(stderr, "\nstarted after %.2f s, connected after %.2f s\n", started - begin, seconds() - begin);
    }
    ::usleep(1000);
  }
  const strata::native::JobResult result = ranks.result();
  std::fprintf(stderr, "ended after %.2f s: %d %s\n", seconds() - begin, result.exit_code, result.reason.c_str());
  return signals.caught() != 0 ? 0 : result.exit_code;
}

#include <cstdio>
#include <simgrid/s4u.hpp>

#include "mpi_ext/adapter/timeline.h"

namespace strata::mpix {

void record(Doing what, double start) {
  // The platform plugin leaves word where its recorder is, while it has one.
  using Recorder = void (*)(const char* host, long actor, int doing, double start, double end);
  static const char* const address =
      simgrid::s4u::Engine::get_instance()->get_netzone_root()->get_property("strata_timeline");
  void* recorder = nullptr;
  if (address == nullptr || std::sscanf(address, "%p", &recorder) != 1) return;
  namespace actor = simgrid::s4u::this_actor;
  reinterpret_cast<Recorder>(recorder)(actor::get_host()->get_cname(), actor::get_pid(), static_cast<int>(what), start,
                                       simgrid::s4u::Engine::get_clock());
}

}  // namespace strata::mpix

// SPDX-License-Identifier: LGPL-2.1-only
// The C library's clocks and sleeps, and MPI_Wtime, in virtual time. For example, a rank that sleeps for a second takes
// a second of simulated time, and no real time.
//
// Libraries that talk to the launcher keep the real time: they wait for answers that come in real time.
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <string_view>

#include "native/rank/callers.h"
#include "native/rank/exported.h"
#include "native/rank/launcher_waits.h"
#include "native/rank/life.h"
#include "native/rank/process.h"
#include "native/rank/real_clock.h"
#include "native/rank/turns.h"
#include "native/rank/ucp_progress.h"

namespace strata::native {
namespace {

// A run begins on 2023-11-14, 22:13:20 UTC, on every computer: the same input gives the same output.
constexpr double kBeginning_s = 1.7e9;
// Libraries whose calls keep the real time.
constexpr std::array<const char*, 6> kReal = {"libpmix",     "libevent", "libopen-rte",
                                              "libopen-pal", "libhwloc", "libprrte"};

bool keeps_real_time(void* caller) {
  // By the caller's page: a loaded library stays where it is.
  struct Known {
    std::uintptr_t page = 0;
    bool real = false;
  };
  static std::array<Known, 256> known;
  const std::uintptr_t page = reinterpret_cast<std::uintptr_t>(caller) >> 12;
  Known& here = known[page % known.size()];
  if (here.page == page) return here.real;
  const std::string_view library = library_of(caller);
  const bool real = std::any_of(kReal.begin(), kReal.end(),
                                [&](const char* name) { return library.find(name) != std::string_view::npos; });
  here = {page, real};
  return real;
}

bool shows_virtual_time(void* caller) { return is_virtual() && !keeps_real_time(caller); }

bool is_open_mpi(void* caller) { return library_of(caller).find("libmpi.so") != std::string_view::npos; }

// Reading a clock takes time, so that a program that only waits for a clock comes to an end.
double read_clock() {
  if (is_bystander()) return clock_seen();
  charge_computation();
  const Lock lock;
  compute(board().clock_cost_s);
  return clock_now();
}

double seconds_of(const timespec& t) { return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec); }

bool is_wall_clock(clockid_t clock) {
  return clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE || clock == CLOCK_MONOTONIC ||
         clock == CLOCK_MONOTONIC_COARSE || clock == CLOCK_MONOTONIC_RAW || clock == CLOCK_BOOTTIME;
}

double beginning_of(clockid_t clock) {
  return clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE ? kBeginning_s : 0;
}

void sleep_for(double seconds) {
  charge_computation();
  something_happens();
  if (seconds > 0) wait_for(Block::kSleep, seconds);
}

}  // namespace
}  // namespace strata::native

using namespace strata::native;

STRATA_EXPORTED int clock_gettime(clockid_t clock, struct timespec* t) {
  if (!is_wall_clock(clock) || !shows_virtual_time(__builtin_return_address(0)))
    return static_cast<int>(::syscall(SYS_clock_gettime, clock, t));
  *t = to_timespec(beginning_of(clock) + read_clock());
  return 0;
}

STRATA_EXPORTED int gettimeofday(struct timeval* t, void* zone) {
  if (!shows_virtual_time(__builtin_return_address(0))) return static_cast<int>(::syscall(SYS_gettimeofday, t, zone));
  const timespec now = to_timespec(kBeginning_s + read_clock());
  *t = {now.tv_sec, now.tv_nsec / 1000};
  return 0;
}

STRATA_EXPORTED time_t time(time_t* t) {
  timespec now;
  if (shows_virtual_time(__builtin_return_address(0))) {
    now = to_timespec(kBeginning_s + read_clock());
  } else if (attached() && is_open_mpi(__builtin_return_address(0))) {
    // In MPI_Init it is the seed of the names of ports, whose lengths are those of messages.
    now = to_timespec(kBeginning_s);
  } else {
    ::syscall(SYS_clock_gettime, CLOCK_REALTIME, &now);
  }
  if (t != nullptr) *t = now.tv_sec;
  return now.tv_sec;
}

STRATA_EXPORTED int clock_nanosleep(clockid_t clock, int flags, const struct timespec* request, struct timespec* left) {
  if (!is_wall_clock(clock) || !shows_virtual_time(__builtin_return_address(0)))
    return ::syscall(SYS_clock_nanosleep, clock, flags, request, left) == 0 ? 0 : errno;
  const double now_s = (flags & TIMER_ABSTIME) != 0 ? beginning_of(clock) + read_clock() : 0;
  sleep_for(seconds_of(*request) - now_s);
  return 0;
}

STRATA_EXPORTED int nanosleep(const struct timespec* request, struct timespec* left) {
  if (!shows_virtual_time(__builtin_return_address(0))) return real_sleep(*request, left);
  sleep_for(seconds_of(*request));
  if (left != nullptr) *left = {0, 0};
  return 0;
}

STRATA_EXPORTED int usleep(useconds_t microseconds) {
  if (shows_virtual_time(__builtin_return_address(0))) {
    sleep_for(1e-6 * microseconds);
    return 0;
  }
  // Before libpmix has a thread, such waits are a few ms.
  constexpr useconds_t kShort = 1000, kInstead = 3000;
  if (attached() && microseconds <= kShort) {
    if (wait_for_launcher()) return 0;
    microseconds = kInstead;
  }
  const timespec request = {static_cast<time_t>(microseconds / 1'000'000),
                            static_cast<long>(microseconds % 1'000'000) * 1000};
  return real_sleep(request);
}

STRATA_EXPORTED unsigned sleep(unsigned seconds) {
  if (shows_virtual_time(__builtin_return_address(0))) {
    sleep_for(seconds);
    return 0;
  }
  const timespec request = {static_cast<time_t>(seconds), 0};
  timespec left = {};
  return real_sleep(request, &left) == 0 ? 0 : static_cast<unsigned>(left.tv_sec);
}

STRATA_EXPORTED double MPI_Wtime() {
  if (is_virtual()) return read_clock();
  timespec now;
  ::syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &now);
  return seconds_of(now);
}
STRATA_EXPORTED double PMPI_Wtime() { return MPI_Wtime(); }
STRATA_EXPORTED double mpi_wtime_() { return MPI_Wtime(); }
STRATA_EXPORTED double pmpi_wtime_() { return MPI_Wtime(); }
STRATA_EXPORTED double mpi_wtime_f08_() { return MPI_Wtime(); }

// --- the node's name ---

STRATA_EXPORTED int gethostname(char* name, size_t length) {
  utsname system;
  ::syscall(SYS_uname, &system);
  const char* const host = attached() && slot().host[0] != '\0' ? slot().host : system.nodename;
  std::snprintf(name, length, "%s", host);
  return 0;
}

STRATA_EXPORTED int uname(struct utsname* system) {
  const auto result = static_cast<int>(::syscall(SYS_uname, system));
  if (result == 0 && attached() && slot().host[0] != '\0')
    std::snprintf(system->nodename, sizeof system->nodename, "%s", slot().host);
  return result;
}

// SPDX-License-Identifier: LGPL-2.1-only
// Clocks and sleeping: simulated time in a rank, for all languages. Time zero is the start of the simulation for all
// clocks, even before MPI_Init and after MPI_Finalize, where SMPI's own functions would return the time of day.
#define _GNU_SOURCE
#include <errno.h>
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/times.h>
#include <time.h>
#include <unistd.h>

#include "toolchain/rank.h"

extern int smpi_clock_gettime(clockid_t, struct timespec*) STRATA_SIMGRID;
extern int smpi_nanosleep(const struct timespec*, struct timespec*) STRATA_SIMGRID;

enum { kNoClock = 0x5a5a };  // not a valid clock on Linux

// SMPI's function first adds the computation measured since the last MPI call. It ignores the clock ID, except before
// MPI_Init and after MPI_Finalize, where it asks the system. The system rejects this ID.
double strata_seconds(void) {
  struct timespec ignored;
  if (strata_in_rank()) {
    const int kept = errno;
    smpi_clock_gettime(kNoClock, &ignored);
    errno = kept;
  }
  return simgrid_get_clock();
}

static struct timespec simulated(void) {
  const double seconds = strata_seconds();
  const double whole = floor(seconds);
  return (struct timespec){.tv_sec = (time_t)whole, .tv_nsec = (long)((seconds - whole) * 1e9)};
}

static int64_t nanoseconds(void) {
  const struct timespec now = simulated();
  return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

STRATA_HERE int clock_gettime(clockid_t clock, struct timespec* time) {
  if (!strata_in_simulation()) return STRATA_REAL(int (*)(clockid_t, struct timespec*), "clock_gettime")(clock, time);
  *time = simulated();
  return 0;
}

STRATA_HERE int timespec_get(struct timespec* time, int base) {
  if (!strata_in_simulation()) return STRATA_REAL(int (*)(struct timespec*, int), "timespec_get")(time, base);
  *time = simulated();
  return base;
}

STRATA_HERE int gettimeofday(struct timeval* restrict time, void* restrict zone) {
  if (!strata_in_simulation()) return STRATA_REAL(int (*)(struct timeval*, void*), "gettimeofday")(time, zone);
  const struct timespec now = simulated();
  *time = (struct timeval){.tv_sec = now.tv_sec, .tv_usec = now.tv_nsec / 1000};
  return 0;
}

STRATA_HERE time_t time(time_t* result) {
  if (!strata_in_simulation()) return STRATA_REAL(time_t(*)(time_t*), "time")(result);
  const time_t now = simulated().tv_sec;
  if (result) *result = now;
  return now;
}

// Processor time is simulated time, because a rank does not share its core.

STRATA_HERE clock_t clock(void) {
  if (!strata_in_simulation()) return STRATA_REAL(clock_t(*)(void), "clock")();
  return (clock_t)(strata_seconds() * CLOCKS_PER_SEC);
}

STRATA_HERE clock_t times(struct tms* buffer) {
  if (!strata_in_simulation()) return STRATA_REAL(clock_t(*)(struct tms*), "times")(buffer);
  const clock_t ticks = (clock_t)(strata_seconds() * (double)sysconf(_SC_CLK_TCK));
  if (buffer) *buffer = (struct tms){.tms_utime = ticks};
  return ticks;
}

STRATA_HERE int getrusage(__rusage_who_t who, struct rusage* usage) {
  const int result = STRATA_REAL(int (*)(__rusage_who_t, struct rusage*), "getrusage")(who, usage);
  if (result != 0 || !strata_in_simulation()) return result;
  const struct timespec now = simulated();
  usage->ru_utime = (struct timeval){.tv_sec = now.tv_sec, .tv_usec = now.tv_nsec / 1000};
  usage->ru_stime = (struct timeval){0};
  return result;
}

STRATA_HERE int nanosleep(const struct timespec* time, struct timespec* rest) {
  if (!strata_in_rank()) return STRATA_REAL(int (*)(const struct timespec*, struct timespec*), "nanosleep")(time, rest);
  if (time->tv_sec < 0 || time->tv_nsec < 0 || time->tv_nsec > 999999999) {
    errno = EINVAL;
    return -1;
  }
  const int result = smpi_nanosleep(time, rest);
  if (rest) *rest = (struct timespec){0};  // `rest` may be the same as `time`
  return result;
}

STRATA_HERE int clock_nanosleep(clockid_t clock, int flags, const struct timespec* time, struct timespec* rest) {
  if (!strata_in_rank())
    return STRATA_REAL(int (*)(clockid_t, int, const struct timespec*, struct timespec*), "clock_nanosleep")(
        clock, flags, time, rest);
  struct timespec span = *time;
  if (flags & TIMER_ABSTIME) {
    const struct timespec now = simulated();
    span.tv_sec -= now.tv_sec;
    span.tv_nsec -= now.tv_nsec;
    if (span.tv_nsec < 0) {
      span.tv_nsec += 1000000000;
      --span.tv_sec;
    }
    if (span.tv_sec < 0) return 0;
  }
  return nanosleep(&span, flags & TIMER_ABSTIME ? NULL : rest) == 0 ? 0 : errno;
}

STRATA_HERE unsigned sleep(unsigned seconds) {
  if (!strata_in_rank()) return STRATA_REAL(unsigned (*)(unsigned), "sleep")(seconds);
  nanosleep(&(struct timespec){.tv_sec = seconds}, NULL);
  return 0;
}

STRATA_HERE int usleep(useconds_t microseconds) {
  if (!strata_in_rank()) return STRATA_REAL(int (*)(useconds_t), "usleep")(microseconds);
  return nanosleep(
      &(struct timespec){.tv_sec = microseconds / 1000000, .tv_nsec = (long)(microseconds % 1000000) * 1000}, NULL);
}

// C++, by the symbol names in libstdc++: std::chrono::steady_clock::now() and system_clock::now(). One of them is also
// high_resolution_clock. A time point is a 64-bit object that counts nanoseconds, and is returned like an integer.

STRATA_HERE int64_t steady_now(void) __asm__("_ZNSt6chrono3_V212steady_clock3nowEv");
int64_t steady_now(void) {
  if (!strata_in_simulation()) return STRATA_REAL(int64_t(*)(void), "_ZNSt6chrono3_V212steady_clock3nowEv")();
  return nanoseconds();
}

STRATA_HERE int64_t system_now(void) __asm__("_ZNSt6chrono3_V212system_clock3nowEv");
int64_t system_now(void) {
  if (!strata_in_simulation()) return STRATA_REAL(int64_t(*)(void), "_ZNSt6chrono3_V212system_clock3nowEv")();
  return nanoseconds();
}

// OpenMP. Outside a simulation, this is only called if libgomp or LLVM's OpenMP library is loaded.
STRATA_HERE double omp_get_wtime(void) {
  if (!strata_in_simulation()) return STRATA_REAL(double (*)(void), "omp_get_wtime")();
  return strata_seconds();
}

// Fortran: gfortran's names for SYSTEM_CLOCK and CPU_TIME, by the kind of their arguments. Each argument is optional.
// The rates are those of libgfortran for these kinds.

STRATA_HERE void _gfortran_system_clock_4(int32_t* count, int32_t* rate, int32_t* largest) {
  if (!strata_in_simulation()) {
    STRATA_REAL(void (*)(int32_t*, int32_t*, int32_t*), "_gfortran_system_clock_4")(count, rate, largest);
    return;
  }
  if (count) *count = (int32_t)(nanoseconds() / 1000000 % ((int64_t)INT32_MAX + 1));
  if (rate) *rate = 1000;
  if (largest) *largest = INT32_MAX;
}

STRATA_HERE void _gfortran_system_clock_8(int64_t* count, int64_t* rate, int64_t* largest) {
  if (!strata_in_simulation()) {
    STRATA_REAL(void (*)(int64_t*, int64_t*, int64_t*), "_gfortran_system_clock_8")(count, rate, largest);
    return;
  }
  if (count) *count = nanoseconds();
  if (rate) *rate = 1000000000;
  if (largest) *largest = INT64_MAX;
}

#define CPU_TIME(kind, type)                                              \
  STRATA_HERE void _gfortran_cpu_time_##kind(type* seconds) {             \
    if (strata_in_simulation())                                           \
      *seconds = (type)strata_seconds();                                  \
    else                                                                  \
      STRATA_REAL(void (*)(type*), "_gfortran_cpu_time_" #kind)(seconds); \
  }
CPU_TIME(4, float)
CPU_TIME(8, double)

// gfortran extensions that older codes use.

STRATA_HERE void _gfortran_sleep_i4_sub(int32_t* seconds) {
  if (*seconds > 0) sleep((unsigned)*seconds);
}
STRATA_HERE void _gfortran_sleep_i8_sub(int64_t* seconds) {
  if (*seconds > 0) sleep((unsigned)*seconds);
}

STRATA_HERE float _gfortran_second(void) {
  if (!strata_in_simulation()) return STRATA_REAL(float (*)(void), "_gfortran_second")();
  return (float)strata_seconds();
}

STRATA_HERE void _gfortran_second_sub(float* seconds) {
  if (strata_in_simulation())
    *seconds = (float)strata_seconds();
  else
    STRATA_REAL(void (*)(float*), "_gfortran_second_sub")(seconds);
}

STRATA_HERE float _gfortran_secnds(float* since) {
  if (!strata_in_simulation()) return STRATA_REAL(float (*)(float*), "_gfortran_secnds")(since);
  return (float)(strata_seconds() - (double)*since);
}

STRATA_HIDDEN const char strata_clock = 0;

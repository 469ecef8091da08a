// SPDX-License-Identifier: LGPL-2.1-only
// How a rank ends: exit and Fortran's STOP end the rank, and must not end the simulator.
#define _GNU_SOURCE
#include "toolchain/end.h"

#include <setjmp.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "toolchain/rank.h"

extern void smpi_exit(int) STRATA_SIMGRID __attribute__((noreturn));
extern int smpi_getpid(void) STRATA_SIMGRID;

extern void* __dso_handle STRATA_HIDDEN;
extern void __cxa_finalize(void*);
extern void _gfortran_flush_i4(int32_t*) __attribute__((weak));

// Without privatisation, all ranks share this variable, and it describes the rank that started last.
static struct {
  int rank;
  jmp_buf* frame;
  int code;
} running;

// Does for a rank what exit() does for a process. Functions registered with atexit and destructors of static objects
// run now, while MPI is still usable, and only those of this rank. Flushes Fortran's units.
static void finalize(void) {
  __cxa_finalize(&__dso_handle);
  if (_gfortran_flush_i4) _gfortran_flush_i4(NULL);
}

void strata_run_rank(int (*program)(int, char**, char**), int argc, char** argv, char** environment) {
  jmp_buf frame;
  running.rank = smpi_getpid();
  running.frame = &frame;
  if (setjmp(frame) == 0) {
    const int code = program(argc, argv, environment);
    finalize();
    running.code = code;
  }
  // smpi_exit throws an exception. No frame of the program may stop it, such as a noexcept destructor or catch (...).
  if (running.code != 0) smpi_exit(running.code);
}

static void __attribute__((noreturn)) end_rank(int code) {
  finalize();
  if (!running.frame || running.rank != smpi_getpid()) smpi_exit(code);
  running.code = code;
  longjmp(*running.frame, 1);
}

STRATA_HERE void exit(int code) {
  if (strata_in_rank()) end_rank(code & 0xff);
  STRATA_REAL(void (*)(int), "exit")(code);
  abort();
}

// The ID of the rank's actor.
STRATA_HERE pid_t getpid(void) {
  if (strata_in_rank()) return smpi_getpid();
  return STRATA_REAL(pid_t(*)(void), "getpid")();
}

// Fortran, as in libgfortran: print the text on stderr, then end with the exit code.

static void say(const char* what, const char* text, size_t length, bool quiet) {
  if (!quiet) fprintf(stderr, "%s %.*s\n", what, (int)length, text);
}

STRATA_HERE void _gfortran_stop_numeric(int code, bool quiet) {
  if (!strata_in_rank()) STRATA_REAL(void (*)(int, bool), "_gfortran_stop_numeric")(code, quiet);
  char text[16];
  say("STOP", text, (size_t)snprintf(text, sizeof text, "%d", code), quiet);
  end_rank(code & 0xff);
}

STRATA_HERE void _gfortran_stop_string(const char* text, size_t length, bool quiet) {
  if (!strata_in_rank()) STRATA_REAL(void (*)(const char*, size_t, bool), "_gfortran_stop_string")(text, length, quiet);
  if (text) say("STOP", text, length, quiet);
  end_rank(0);
}

STRATA_HERE void _gfortran_error_stop_numeric(int code, bool quiet) {
  if (!strata_in_rank()) STRATA_REAL(void (*)(int, bool), "_gfortran_error_stop_numeric")(code, quiet);
  char text[16];
  say("ERROR STOP", text, (size_t)snprintf(text, sizeof text, "%d", code), quiet);
  end_rank(code & 0xff);
}

STRATA_HERE void _gfortran_error_stop_string(const char* text, size_t length, bool quiet) {
  if (!strata_in_rank())
    STRATA_REAL(void (*)(const char*, size_t, bool), "_gfortran_error_stop_string")(text, length, quiet);
  say("ERROR STOP", text ? text : "", text ? length : 0, quiet);
  end_rank(1);
}

STRATA_HERE void _gfortran_exit_i4(int32_t* code) { exit(code ? *code : 0); }
STRATA_HERE void _gfortran_exit_i8(int64_t* code) { exit(code ? (int)*code : 0); }

STRATA_HIDDEN const char strata_end = 0;

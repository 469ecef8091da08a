// SPDX-License-Identifier: LGPL-2.1-only
// A Fortran program calls _gfortran_set_options at the start of main. There libgfortran replaces the process's handlers
// of signals, among them the simulator's, which says which rank crashed, where, and which missing function it has
// called. All ranks are in the simulator's process, so its handlers stay. Outside a simulation libgfortran's do.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <signal.h>
#include <stddef.h>

typedef void SetOptions(int, int[]);
extern void* sg_actor_self(void) __attribute__((weak));

void _gfortran_set_options(int number, int options[]) {
  static const int kept[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
  enum { kNumber = sizeof kept / sizeof *kept };
  struct sigaction before[kNumber];
  SetOptions* const next = (SetOptions*)dlsym(RTLD_NEXT, "_gfortran_set_options");
  for (int i = 0; i < kNumber; ++i) sigaction(kept[i], NULL, &before[i]);
  if (next) next(number, options);
  if (!sg_actor_self || !sg_actor_self()) return;
  for (int i = 0; i < kNumber; ++i) sigaction(kept[i], &before[i], NULL);
}

// SPDX-License-Identifier: LGPL-2.1-only
// The wrappers' option -shared-malloc: large blocks of all ranks share the same memory, so that programs with large
// arrays fit. Their results are then wrong, so their messages must not depend on them.
#define _GNU_SOURCE
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "toolchain/rank.h"

extern void* smpi_shared_malloc(size_t, const char*, int) STRATA_SIMGRID;
extern void* smpi_shared_realloc_intercept(void*, size_t, const char*, int) STRATA_SIMGRID;
extern void smpi_shared_free(void*) STRATA_SIMGRID;

// Blocks of at least smpi/shared-malloc-blocksize, 1 MiB, are shared.
enum { kLarge = 1 << 20 };

// SMPI identifies a block by a file and a line, and blocks with the same name share their memory
// (smpi/shared-malloc:local). Here the line is the block's number in its rank, so that two arrays of one rank never
// share memory.
static int blocks;

static void* shared(size_t size) { return smpi_shared_malloc(size, "shared-malloc", ++blocks); }

STRATA_HERE void* malloc(size_t size) {
  if (size < kLarge || !strata_in_rank()) return STRATA_REAL(void* (*)(size_t), "malloc")(size);
  return shared(size);
}

STRATA_HERE void* calloc(size_t count, size_t size) {
  size_t bytes = 0;
  if (__builtin_mul_overflow(count, size, &bytes) || bytes < kLarge || !strata_in_rank())
    return STRATA_REAL(void* (*)(size_t, size_t), "calloc")(count, size);
  return shared(bytes);
}

// SMPI moves a block that changes its size into the rank's own memory.
STRATA_HERE void* realloc(void* block, size_t size) {
  if (!strata_in_rank()) return STRATA_REAL(void* (*)(void*, size_t), "realloc")(block, size);
  return block ? smpi_shared_realloc_intercept(block, size, "shared-malloc", 0) : malloc(size);
}

STRATA_HERE void free(void* block) {
  if (block && strata_in_rank())
    smpi_shared_free(block);
  else
    STRATA_REAL(void (*)(void*), "free")(block);
}

// C++: new and delete of arrays and single objects, sized and unsized, by their symbol names in libstdc++, which uses
// malloc.

STRATA_HERE void* _Znwm(size_t size) {
  if (size < kLarge || !strata_in_rank()) return STRATA_REAL(void* (*)(size_t), "_Znwm")(size);
  return shared(size);
}
STRATA_HERE void* _Znam(size_t size) {
  if (size < kLarge || !strata_in_rank()) return STRATA_REAL(void* (*)(size_t), "_Znam")(size);
  return shared(size);
}
STRATA_HERE void _ZdlPv(void* block) { free(block); }
STRATA_HERE void _ZdaPv(void* block) { free(block); }
STRATA_HERE void _ZdlPvm(void* block, size_t size) { free(block); }
STRATA_HERE void _ZdaPvm(void* block, size_t size) { free(block); }

// The linker looks for this symbol first (-u), so it finds these functions before those of the C library.
STRATA_HIDDEN const char strata_shared_malloc = 0;

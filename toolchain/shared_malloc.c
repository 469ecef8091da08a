// SPDX-License-Identifier: LGPL-2.1-only
// The wrappers' option -shared-malloc: large blocks of all ranks lie in the same memory, so that a program with large
// arrays fits. Its results are wrong then; its messages must not depend
// on them.
#define _GNU_SOURCE
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "toolchain/rank.h"

extern void* smpi_shared_malloc(size_t, const char*, int) STRATA_SIMGRID;
extern void* smpi_shared_realloc_intercept(void*, size_t, const char*, int) STRATA_SIMGRID;
extern void smpi_shared_free(void*) STRATA_SIMGRID;

// SMPI shares in pieces of smpi/shared-malloc-blocksize, 1 MiB.
enum { kLarge = 1 << 20 };

// A block is named by a file and a line, and blocks of one name share their memory (smpi/shared-malloc:local). Here a
// block is named by how many there were before it in its rank: two arrays of a rank are never the same.
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

// A block that changes its size becomes the rank's own.
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

// C++: new and delete of arrays and of single objects, with and without a size, by their names in libstdc++, which
// takes its memory from malloc.

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

// The linker looks for this first (-u), so it finds these functions before those of the C library.
STRATA_HIDDEN const char strata_shared_malloc = 0;

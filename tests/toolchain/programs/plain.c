// SPDX-License-Identifier: LGPL-2.1-only
// Does not use MPI: runs by itself, as configure's tests do.
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

__attribute__((constructor)) static void begin(void) { puts("begin"); }
__attribute__((destructor)) static void end(void) { puts("end"); }
static void at_exit(void) { puts("at exit"); }

int main(int argc, char** argv) {
  atexit(at_exit);
  printf("%d arguments, the last is %s, clocks are %s\n", argc - 1, argv[argc - 1],
         time(NULL) > 1000000000 && clock() < 10 * CLOCKS_PER_SEC ? "real" : "wrong");
  exit(3);
}

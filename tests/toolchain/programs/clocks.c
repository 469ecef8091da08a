// SPDX-License-Identifier: LGPL-2.1-only
// Each rank sleeps 1 s longer than the previous one, each time by a different function, and every clock shows this.
#define _GNU_SOURCE
#include <getopt.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/times.h>
#include <time.h>
#include <unistd.h>

static int mine;  // each rank has its own

static void at_the_end(void) { printf("rank %d at exit\n", mine); }

int main(int argc, char** argv) {
  const time_t before = time(NULL);
  int rank, code = 0, letter;
  while ((letter = getopt(argc, argv, "e:")) != -1)
    if (letter == 'e') code = atoi(optarg);
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  mine = rank;
  if (rank == 0) atexit(at_the_end);
  sleep(1);
  for (int i = 0; i < rank; ++i) usleep(1000000);
  nanosleep(&(struct timespec){.tv_nsec = 500000000}, NULL);
  struct timespec monotonic;
  struct timeval day;
  struct rusage usage;
  struct tms ticks;
  clock_gettime(CLOCK_MONOTONIC, &monotonic);
  gettimeofday(&day, NULL);
  getrusage(RUSAGE_SELF, &usage);
  times(&ticks);
  // In a single call, so that the output of ranks does not mix.
  printf("rank %d: %.1f %.1f %.1f %.1f %.1f %.1f %ld, process %d, %d other arguments:", mine, MPI_Wtime(),
         (double)monotonic.tv_sec + 1e-9 * (double)monotonic.tv_nsec, (double)day.tv_sec + 1e-6 * (double)day.tv_usec,
         (double)usage.ru_utime.tv_sec + 1e-6 * (double)usage.ru_utime.tv_usec, (double)clock() / CLOCKS_PER_SEC,
         (double)ticks.tms_utime / (double)sysconf(_SC_CLK_TCK), (long)(time(NULL) - before), getpid(), argc - optind);
  for (int i = optind; i < argc; ++i) printf(" [%s]", argv[i]);
  printf("\n");
  MPI_Finalize();
  if (rank == 1) exit(code);
  return 0;
}

// SPDX-License-Identifier: LGPL-2.1-only
/* Prints what a rank learns from its environment variables and its host's name, one line per rank. */
#define _GNU_SOURCE
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <unistd.h>

extern char** environ;

static const char* at_start;
__attribute__((constructor)) static void start(void) { at_start = getenv("PMI_RANK"); }

static const char* listed(char** list, const char* name) {
  const size_t length = strlen(name);
  for (; *list; ++list) {
    if (strncmp(*list, name, length) == 0 && (*list)[length] == '=') return *list + length + 1;
  }
  return "none";
}

static void* in_thread(void* result) {
  *(const char**)result = getenv("SLURM_PROCID");
  return NULL;
}

/* Starts shells in several ways, in the order of the ranks. Each prints the rank's number, and a variable that the rank
   has set. */
static void start_programs(int rank) {
  const char* const command = "echo $SLURM_PROCID $DOUBLE";
  char text[16], line[64] = "";
  snprintf(text, sizeof text, "%d", 2 * rank);
  setenv("DOUBLE", text, 1);
  fflush(stdout);
  MPI_Barrier(MPI_COMM_WORLD);
  system(command);
  FILE* const shell = popen(command, "r");
  if (fgets(line, sizeof line, shell)) printf("popen %s", line);
  pclose(shell);
  fflush(stdout);
  for (int i = 0; i < 4; ++i) {
    const pid_t pid = fork();
    if (pid == 0) {
      char* const words[] = {(char*)"sh", (char*)"-c", (char*)command, NULL};
      if (i == 0) execv("/bin/sh", words);
      if (i == 1) execvp("sh", words);
      if (i == 2) execl("/bin/sh", "sh", "-c", command, (char*)NULL);
      if (i == 3) execlp("sh", "sh", "-c", command, (char*)NULL);
      _exit(1);
    }
    waitpid(pid, NULL, 0);
  }
  if (system(NULL) == 0 || execl("/nonexistent/program", "program", (char*)NULL) != -1)
    printf("%d: a wrong result\n", rank);
}

int main(int argc, char** argv, char** variables) {
  MPI_Init(&argc, &argv);
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  char host[64], text[16];
  struct utsname system;
  gethostname(host, sizeof host);
  uname(&system);
  snprintf(text, sizeof text, "%d", rank * rank);
  setenv("SQUARE", text, 1);
  MPI_Barrier(MPI_COMM_WORLD); /* now the other ranks have set theirs */
  const char* seen = NULL;
  pthread_t thread;
  pthread_create(&thread, NULL, in_thread, &seen);
  pthread_join(thread, NULL);
  printf("%d: %s/%s %s/%s %s/%s %s %s/%s/%s/%s/%s %s %s %s %s %s %s %s %s %s\n", rank, getenv("OMPI_COMM_WORLD_RANK"),
         getenv("OMPI_COMM_WORLD_SIZE"), getenv("OMPI_COMM_WORLD_LOCAL_RANK"), getenv("OMPI_COMM_WORLD_LOCAL_SIZE"),
         getenv("PMI_RANK"), getenv("PMI_SIZE"), getenv("MPI_LOCALRANKID"), getenv("SLURM_PROCID"),
         getenv("SLURM_NTASKS"), getenv("SLURM_LOCALID"), getenv("SLURM_NODEID"), getenv("SLURM_NNODES"), host,
         system.nodename, at_start, listed(environ, "PMI_RANK"), listed(variables, "PMI_RANK"), seen, getenv("SQUARE"),
         listed(environ, "SQUARE"), getenv("GIVEN"));
  unsetenv("SQUARE");
  if (getenv("SQUARE") || strcmp(listed(environ, "SQUARE"), "none") != 0) printf("%d: still there\n", rank);
  if (argc > 1) start_programs(rank);
  MPI_Finalize();
  return 0;
}
